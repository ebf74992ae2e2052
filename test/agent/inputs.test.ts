// What a program has in its hands goes into a prompt as it is: bytes, a file of a form, an address, a path.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { audio, document, image, runAgent } from '../../src/index.ts';
import type { ContentInput } from '../../src/index.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';

const [chart, report] = ['examples/chart.png', 'examples/report.pdf'] as const;
const bytes = readFileSync(chart);
const dataUri = `data:image/png;base64,${bytes.toString('base64')}`;

/** What the model is shown of a prompt, each medium by its kind and name. */
async function shown(prompt: ContentInput): Promise<string[]> {
  const send = scriptedSend(script([{ text: 'I see.' }]));
  const { troubles, stop } = await runAgent({ model: 'anthropic/claude-sonnet-5', prompt, send });
  send.done();
  expect([stop, troubles]).toEqual(['end', []]);
  const content = send.requests[0]?.transcript.messages[0]?.content;
  return (content as { type: string }[]).map(({ type }) => type);
}

test.each<[string, ContentInput, string[]]>([
  ['bytes', new Uint8Array(bytes), ['image']],
  ['a buffer and words', [bytes, 'What is it?'], ['image', 'text']],
  ['an ArrayBuffer', new Uint8Array(bytes).buffer, ['image']],
  ['a blob', new Blob([bytes]), ['image']],
  ['a file of a form', [new File([readFileSync(report)], 'report.pdf')], ['document']],
  ['the address of a file', [pathToFileURL(chart), pathToFileURL(report)], ['image', 'document']],
  ['paths', [image(chart), document(report)], ['image', 'document']],
  ['a data URI', image(dataUri), ['image']],
  ['base64 by name', image({ data: bytes.toString('base64') }), ['image']],
])('%s', async (_name, prompt, kinds) => {
  expect(await shown(prompt)).toEqual(kinds);
});

test('bytes that are nothing are told to the program and to the model', async () => {
  const send = scriptedSend(script([{ text: 'What file?' }]));
  const prompt = [new File([new Uint8Array([0, 1, 2, 3])], 'noise.bin'), 'Look.'];
  const { troubles } = await runAgent({ model: 'anthropic/claude-sonnet-5', prompt, send });
  expect(troubles).toMatchObject([{ message: 0, block: 0, refusal: { what: expect.any(String) } }]);
  expect(JSON.stringify(send.requests[0]?.body)).toContain('noise.bin');
});

test('a string is a path, as it is for read; only a data URI is data', () => {
  expect([image('a.png'), image('AAAA'), audio('DATA:audio/wav;base64,AAAA')]).toEqual([
    { type: 'image', path: 'a.png' },
    { type: 'image', path: 'AAAA' },
    { type: 'audio', data: 'DATA:audio/wav;base64,AAAA' },
  ]);
});
