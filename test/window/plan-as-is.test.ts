// A plan where nobody can make anything of media, and who is shown a medium without being a model.
import { expect, test } from 'vitest';
import type { MediaBlock } from '../../src/content/block.ts';
import type { Transcript } from '../../src/message/message.ts';
import { decide } from '../../src/window/decide.ts';
import { planAsIs } from '../../src/window/plan-as-is.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Rendition } from '../../src/window/rendition.ts';
import { blindMcpClient, mcpClient } from '../../src/window/viewer.ts';
import type { Viewer } from '../../src/window/viewer.ts';
import { cpuMs } from '../cpu.ts';
import { put } from '../laws/world.ts';

const small: MediaBlock = { type: 'image', asset: put('small', 'image/png', 'small.png'), width: 64, height: 48 };
const tiff: MediaBlock = { ...small, asset: put('tiff', 'image/tiff', 'scan.tiff') };
const paper: MediaBlock = { type: 'document', asset: put('pdf', 'application/pdf', 'spec.pdf'), pages: 2 };
const song: MediaBlock = { type: 'audio', asset: put('wav', 'audio/wav', 'song.wav'), seconds: 2 };
const film: MediaBlock = { type: 'video', asset: put('mp4', 'video/mp4', 'film.mp4'), seconds: 2 };

function asks(...content: MediaBlock[]): Transcript {
  return { version: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }, ...content] }] };
}

test('what can go goes as it is, the rest as words that say why', () => {
  const profile = profileFor('openai-chat/gpt-4.1');
  const { plan, receipts } = planAsIs({ transcript: asks(small, tiff), profile });
  expect(receipts.map(({ asset, action }) => [asset, action])).toEqual([
    [small.asset.id, 'inside'],
    [tiff.asset.id, 'words'],
  ]);
  expect(JSON.stringify(plan.items)).toContain('scan.tiff');
  expect(receipts[1]?.why).toBe('it does not fit gpt-4.1');
});

test('a document that would have to be read is told by its name', () => {
  const { receipts } = planAsIs({ transcript: asks(paper), profile: profileFor('ollama/llama3.1') });
  expect(receipts.map(({ action }) => action)).toEqual(['words']);
});

test('what cannot be asked at all throws the sentence of its refusal', () => {
  const transcript: Transcript = {
    version: 1,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'x '.repeat(9000) }] }],
  };
  const profile = profileFor('anthropic/claude-sonnet-4-5');
  const ask = (): unknown => planAsIs({ transcript, profile, budget: { tokens: 10 } });
  expect(ask).toThrow(/10 tokens|limit/);
  expect(ask).toThrow(expect.objectContaining({ code: 'input' }));
});

test('what lies elsewhere and cannot go by its address is told with what to do about it', () => {
  const at = { url: 'https://files.example.com/kiwi.png' };
  const transcript: Transcript = {
    version: 1,
    messages: [{ role: 'user', content: [{ type: 'reference', kind: 'image', at }] }],
  };
  const urls = { pass: 'all', fetch: true } as const;
  const { plan } = planAsIs({ transcript, profile: profileFor('ollama/qwen3-vl'), urls });
  const told = JSON.stringify(plan.items);
  expect(told).toContain('Nothing can be made of media where this runs');
  expect(told).toContain('Run it on Node to have pictures resized and documents read.');
});

/** How a viewer is shown a medium that stands in a result: the place, or what has to be made of it first. */
function shown(block: MediaBlock, profile: Viewer): string {
  const needs: Rendition[] = [];
  const need = (rendition: Rendition): unknown => needs.push(rendition);
  const decision = decide(block, 'result', { profile, facts: new Map(), gone: new Set(), viewable: false, need });
  return decision?.place ?? `needs ${needs.map(({ to }) => to).join()}`;
}

test('clients of a tool server are shown pictures, sound and film; of a document its words', () => {
  expect([small, paper, song, film].map((one) => shown(one, mcpClient))).toEqual([
    'inside',
    'needs text',
    'inside',
    'inside',
  ]);
});

test('where pictures stay at home, sound alone goes out', () => {
  expect([small, song, film].map((one) => shown(one, blindMcpClient))).toEqual(['words', 'inside', 'words']);
});

test('a message that holds only so many pictures makes a long conversation no longer to plan', async () => {
  const turn: Transcript['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], model: 'bedrock/amazon.nova-pro-v1:0' },
  ];
  const long = (turns: number): Transcript => ({
    version: 1,
    messages: [...Array.from({ length: turns }, () => turn).flat(), ...asks(small).messages],
  });
  const profile = profileFor('bedrock/amazon.nova-pro-v1:0');
  const planned = (turns: number): Promise<number> => cpuMs(() => planAsIs({ transcript: long(turns), profile }));
  await planned(1000);
  const [short, tenTimes] = [await planned(2000), await planned(20_000)];
  expect(tenTimes / short).toBeLessThan(40);
});
