// Compile-time: what is handed over as content, and how a request tells what it is. Checked by tsc; nothing to run.
import type Anthropic from '@anthropic-ai/sdk';
import { audio, document, image, prepare, runAgent } from 'sightline';
import type { ContentInput, KnownModel, ModelName, Prepared } from 'sightline';

/** Each of these fails to compile unless it is `true`. */
type Claim<Holds extends true> = Holds;

export const contents: ContentInput[] = [
  new Uint8Array(),
  new Blob(),
  new URL('https://example.com/a.png'),
  [new Uint8Array(), 'What is this?', image('a.png'), document('b.pdf', { range: [0, 2] }), audio({ data: 'AAAA' })],
];

// @ts-expect-error a picture without bytes, a path or an address
image({});
// @ts-expect-error no more does a name make one
image({ name: 'a.png' });

export type Models = [
  Claim<'anthropic/claude-sonnet-5' extends KnownModel ? true : false>,
  Claim<'ollama/my-own' extends ModelName ? true : false>,
  Claim<string extends KnownModel ? false : true>,
];

export function options(name: string): void {
  runAgent({ model: name, prompt: new Uint8Array(), apiKey: 'key' });
  runAgent({ model: 'openai/gpt-5.2', prompt: 'Hi.' });
  runAgent({ model: [{ model: 'openai/gpt-5.2', apiKey: async () => 'key' }, name], prompt: 'Hi.' });
}

export async function narrowed(request: Prepared, name: string): Promise<Anthropic.MessageCreateParams | string> {
  if (request.wire === 'anthropic-messages') return request.sdk();
  if (request.wire === 'gemini') return (await request.sdk()).model;
  const other = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model: name });
  return other.wire === 'anthropic-messages' ? other.json() : other.url;
}
