// What a program does not use is not loaded: Node's own `fetch` costs more than a request with media takes to be made.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
const { memoryAssets, normalise, prepare } = await import(process.argv[1]);
const assets = memoryAssets();
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const returned = [{ seen: new Map([['at', new Date(0)]]), of: new URLSearchParams('a=1') }, { type: 'image', data: png, mimeType: 'image/png' }];
const { content } = await normalise(returned, { assets });
const messages = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: [{ type: 'call', id: 'a', name: 'look', input: { near: [1, 2] } }] },
  { role: 'tool', callId: 'a', name: 'look', content },
];
let bodies = 0;
for (const model of ['anthropic/claude-sonnet-4-5', 'openai/gpt-5.1', 'openai-chat/gpt-4.1', 'google/gemini-2.5-pro', 'ollama/gemma3']) {
  const prepared = await prepare({ messages }, { model, assets, profile: { contextTokens: 100_000} });
  for await (const _ of prepared.stream()) bodies++;
}
console.log(JSON.stringify({
  pictures: content.filter(({ type }) => type === 'image').length,
  bodies: bodies >= 5,
  fetch: process.moduleLoadList.filter((name) => /undici\\/undici|http2/.test(name)),
}));
`;

test('a result is taken in and a request is made without the fetch of Node', async () => {
  const index = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, index]);
  expect(JSON.parse((await run).stdout)).toEqual({ pictures: 1, bodies: true, fetch: [] });
});
