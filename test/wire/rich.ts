// One conversation that has nearly everything: a picture from the user, sealed thinking, two parallel calls, a result
// with a picture between two texts, a PDF, a failed result with a picture, and a user who asks on.
import type { DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import type { Transcript } from '../../src/message/message.ts';
import type { Profile } from '../../src/window/profile.ts';
import { thinking } from '../laws/seals.ts';
import { putBytes } from '../laws/world.ts';

/** The smallest PNG: one red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

const pdf = new TextEncoder().encode(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]>>endobj
4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]>>endobj
trailer<</Root 1 0 R>>`);

const picture: ImageBlock = { type: 'image', asset: putBytes(png, 'image/png', 'door.png'), width: 640, height: 480 };
const paper: DocumentBlock = { type: 'document', asset: putBytes(pdf, 'application/pdf', 'spec.pdf'), pages: 2 };

/** The conversation as this model had it: the thinking is its own, where it thinks. */
export function richTranscript(profile: Profile): Transcript {
  const thought = profile.thinking === 'none' ? [] : [thinking('own', 'OWN00001', profile)];
  return {
    version: 1,
    system: 'You help with doors.',
    tools: [
      {
        name: 'look',
        description: 'Looks at a door.',
        inputSchema: { type: 'object', properties: { door: { type: 'string' } }, required: ['door'] },
      },
      { name: 'open', description: 'Opens a door.', inputSchema: { type: 'object', properties: {} } },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Which door is this?' }, picture] },
      {
        role: 'assistant',
        model: profile.model,
        content: [
          ...thought,
          { type: 'text', text: 'I will look.' },
          { type: 'call', id: 'call_1', name: 'look', input: { door: 'red' } },
          { type: 'call', id: 'call_2', name: 'look', input: { door: 'blue' } },
        ],
      },
      {
        role: 'tool',
        callId: 'call_1',
        name: 'look',
        content: [
          { type: 'text', text: 'before' },
          { ...picture, asset: { ...picture.asset, name: 'red.png' } },
          { type: 'text', text: 'after' },
        ],
        details: { path: '/home/somebody/red.png' },
      },
      { role: 'tool', callId: 'call_2', name: 'look', content: [paper] },
      { role: 'assistant', model: profile.model, content: [{ type: 'call', id: 'call_3', name: 'open', input: {} }] },
      {
        role: 'tool',
        callId: 'call_3',
        name: 'open',
        isError: true,
        content: [
          { type: 'text', text: 'the door is locked' },
          { ...picture, asset: { ...picture.asset, name: 'locked.png' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Try the blue one.' }] },
    ],
  };
}
