// Sources: asked for on all documents of a request, told as data on the words that they stand behind, sent back as they
// came.
import { readFileSync } from 'node:fs';
import type { TextBlock as SdkTextBlock } from '@anthropic-ai/sdk/resources/messages/messages.js';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { citationLine } from '../../src/content/block.ts';
import type { Citation } from '../../src/content/block.ts';
import { document } from '../../src/content/input.ts';
import { isRecord } from '../../src/content/json.ts';
import { collect } from '../../src/message/collect.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { parseTranscript } from '../../src/wire/parse-transcript.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { PrepareOptions } from '../../src/model/prepared.ts';
import { capabilitiesOf, profileFor } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { schemaErrors } from '../judge/judge.ts';

const model = 'anthropic/claude-sonnet-4-5';
const report = readFileSync(new URL('../../examples/report.pdf', import.meta.url));
const assets = memoryAssets();

const messages: MessageInput[] = [
  { role: 'user', content: ['Compare them.', document(report, { name: 'mine.pdf' })] },
  { role: 'assistant', model, content: [{ type: 'call', id: 'c1', name: 'fetch', input: {} }] },
  { role: 'tool', callId: 'c1', name: 'fetch', content: [document(report, { name: 'theirs.pdf' })] },
];

function documentsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(documentsIn);
  if (!isRecord(value)) return [];
  return value['type'] === 'document' ? [value] : Object.values(value).flatMap(documentsIn);
}

const ask = (options: Partial<PrepareOptions> = {}) =>
  prepare({ messages }, { model, assets, citations: true, ...options });

test('all documents of a request are to be cited, in messages and in results', async () => {
  const request = await ask();
  const body = await request.json();
  expect(documentsIn(body).map(({ title, citations }) => [title, citations])).toEqual([
    ['mine.pdf', { enabled: true }],
    ['theirs.pdf', { enabled: true }],
  ]);
  expect(await schemaErrors('anthropic-messages', body)).toEqual([]);
});

test.each<[string, Partial<PrepareOptions>, string | undefined]>([
  ['that nobody asks for', { citations: false }, undefined],
  ['of a model that cannot be asked', { model: 'openai/gpt-5.2' }, 'cannot be asked for its sources'],
  ['that the user says it cannot name', { profile: { capabilities: { citations: false } } }, 'cannot be asked'],
  ['beside an answer in a given form', { output: { type: 'object', properties: {} } }, 'leaves no room'],
])('sources %s are not asked for, and that is told', async (_name, options, why) => {
  const request = await ask(options);
  expect(JSON.stringify(await request.json())).not.toContain('"citations"');
  const told = request.receipts.filter(({ action, subject }) => action === 'ignored' && subject === 'citations');
  expect(told.map((receipt) => receipt.why)).toEqual(why === undefined ? [] : [expect.stringContaining(why)]);
});

test('whether a model can name its sources is among its capabilities', () => {
  expect(capabilitiesOf(profileFor(model)).citations).toBe(true);
  expect(capabilitiesOf(profileFor('openai-chat/gpt-4.1')).citations).toBe(false);
});

const cited: SdkTextBlock = {
  type: 'text',
  text: 'sales grew by a third',
  citations: [
    { type: 'page_location', cited_text: 'Sales grew by a third.\n', document_index: 0, document_title: 'mine.pdf', start_page_number: 2, end_page_number: 4, file_id: null },
    { type: 'char_location', cited_text: 'grew', document_index: 1, document_title: null, start_char_index: 10, end_char_index: 14, file_id: null },
    { type: 'web_search_result_location', cited_text: 'a third', url: 'https://example.com/a', title: 'News', encrypted_index: 'x' },
  ],
}; // prettier-ignore
const sources: Citation[] = [
  { text: 'Sales grew by a third.\n', title: 'mine.pdf', document: 0, pages: [1, 3] },
  { text: 'grew', document: 1, characters: [10, 14] },
  { text: 'a third', title: 'News', url: 'https://example.com/a' },
];

const whole = {
  id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn', stop_sequence: null,
  content: [{ type: 'text', text: 'In 2025 ' }, cited, { type: 'text', text: '.' }],
  usage: { input_tokens: 9, output_tokens: 9 },
}; // prettier-ignore

const streamed = [
  { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
  ...whole.content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...('citations' in block ? (block.citations ?? []) : []).map((citation) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'citations_delta', citation },
    })),
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

test.each([
  ['whole', whole],
  ['as a stream', streamed.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')],
])('an answer that comes %s has its sources as data, and they go back as they came', async (_name, given) => {
  const body = typeof given === 'string' ? new Response(given).body : given;
  const author = { endpoint: 'anthropic', model: 'claude-sonnet-4-5' };
  const message = await collect(decodeEvents('anthropic-messages', author, body ?? {}));
  expect(message.content.map((block) => (block.type === 'text' ? [block.text, block.citations] : []))).toEqual([
    ['In 2025 ', undefined],
    ['sales grew by a third', sources],
    ['.', undefined],
  ]);
  // Stored and read again, the message is the same.
  const stored: unknown = JSON.parse(JSON.stringify({ messages: [{ role: 'user', content: 'x' }, message] }));
  const read = parseTranscript(stored);
  expect(read.ok && read.value.messages[1]?.content).toEqual(message.content);
  const next: MessageInput[] = [
    ...messages.slice(0, 1),
    { ...message, model },
    { role: 'user', content: 'Where is that from?' },
  ];
  const own = await prepare({ messages: next }, { model, assets, citations: true });
  expect(JSON.stringify(await own.json())).toContain(JSON.stringify(cited.citations));
  const other = await prepare({ messages: next }, { model: 'openai-chat/gpt-4.1', assets });
  expect(JSON.stringify(await other.json())).not.toContain('cited_text');
});

test.each([
  [sources[0], 'mine.pdf, pages 2-3: "Sales grew by a third."'],
  [sources[1], 'document 2: "grew"'],
  [sources[2], 'News <https://example.com/a>: "a third"'],
  [{ title: 'x.pdf', pages: [0, 1] }, 'x.pdf, page 1'],
] as [Citation, string][])('%j is told as %s', (citation, line) => {
  expect(citationLine(citation)).toBe(line);
});
