// Where a model has its words from: annotations of OpenAI, grounding of Gemini. The same in a stream and in one piece, and
// judged by what the recorded answers hold.
import { describe, expect, test } from 'vitest';
import { exchanges, streams } from '../../scripts/golden/corpus.ts';
import type { Citation } from '../../src/content/block.ts';
import { isRecord, parsed } from '../../src/content/json.ts';
import { collect } from '../../src/message/collect.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import type { WireName } from '../../src/window/profile.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { sharedFile } from '../judge/shared-folder.ts';

const author = { endpoint: 'there', model: 'm' };

function read(wire: WireName, answer: string): Promise<AssistantMessage> {
  return collect(decodeEvents(wire, author, new Response(answer)));
}

function citationsOf(message: AssistantMessage): (readonly Citation[])[] {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.citations ?? []] : []));
}

function framed(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const annotations = [
  { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
  { type: 'file_citation', file_id: 'file-1', filename: 'notes.txt', index: 4 },
  { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 5, end_index: 9 },
];
const message = { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: 'Blue sky.', annotations }] }; // prettier-ignore
const inChat = [
  { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', content: 'It is blue.', start_index: 0, end_index: 0 } },
]; // prettier-ignore
const groundingMetadata = {
  groundingChunks: [
    { web: { uri: 'https://a.example', title: 'A' } },
    { web: { uri: 'https://unused.example' } },
    { retrievedContext: { text: 'It is blue.', title: 'notes.txt' } },
  ],
  groundingSupports: [
    { segment: { endIndex: 9, text: 'Blue sky.' }, groundingChunkIndices: [2, 0] },
    { segment: { endIndex: 4, text: 'Blue' }, groundingChunkIndices: [0] },
    { segment: { endIndex: 4, text: 'said elsewhere' }, groundingChunkIndices: [1] },
  ],
};
const parts = (...texts: string[]): object => ({ role: 'model', parts: texts.map((text) => ({ text })) });

const rows: [string, WireName, object, object[], Citation[]][] = [
  [
    'Responses',
    'openai-responses',
    { object: 'response', status: 'completed', output: [message] },
    [
      { type: 'response.created' },
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Blue' },
      { type: 'response.output_text.annotation.added', output_index: 0, annotation: annotations[0] },
      { type: 'response.output_text.delta', output_index: 0, delta: ' sky.' },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { status: 'completed', output: [message] } },
    ],
    [{ title: 'A', url: 'https://a.example' }, { title: 'notes.txt' }],
  ],
  [
    'Chat',
    'openai-chat',
    {
      choices: [{ index: 0, message: { role: 'assistant', content: 'Blue sky.', annotations: inChat }, finish_reason: 'stop' }],
    },
    [
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'Blue' } }] },
      { choices: [{ index: 0, delta: { content: ' sky.' } }] },
      { choices: [{ index: 0, delta: { annotations: inChat } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
    [{ text: 'It is blue.', title: 'A', url: 'https://a.example' }],
  ],
  [
    'Gemini',
    'gemini',
    { candidates: [{ content: parts('Blue sky.'), finishReason: 'STOP', groundingMetadata }] },
    [
      { candidates: [{ content: parts('Blue') }] },
      { candidates: [{ content: parts(' sky.'), finishReason: 'STOP', groundingMetadata }] },
    ],
    [{ text: 'It is blue.', title: 'notes.txt' }, { title: 'A', url: 'https://a.example' }],
  ],
]; // prettier-ignore

test.each(rows)('%s: a stream and a whole answer name the same sources', async (_, wire, whole, events, expected) => {
  expect(citationsOf(await read(wire, JSON.stringify(whole)))).toEqual([expected]);
  expect(citationsOf(await read(wire, framed(events)))).toEqual([expected]);
});

test('words that Gemini signed have their sources, too', async () => {
  const content = { role: 'model', parts: [{ text: 'Blue sky.', thoughtSignature: 'c2ln' }] };
  const said = await read(
    'gemini',
    JSON.stringify({ candidates: [{ content, finishReason: 'STOP', groundingMetadata }] }),
  );
  expect(citationsOf(said)).toEqual([[{ text: 'It is blue.', title: 'notes.txt' }, { title: 'A', url: 'https://a.example' }]]); // prettier-ignore
});

/** Every JSON value in a recorded answer, framed or whole. */
function valuesIn(text: string): unknown[] {
  const whole = parsed(text);
  return whole === undefined ? text.split('\n').map((line) => parsed(line.replace(/^data: ?/, ''))) : [whole];
}

function walk(value: unknown, visit: (fields: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (isRecord(value)) {
    visit(value);
    for (const item of Object.values(value)) walk(item, visit);
  }
}

/** The addresses that annotations name, wherever they stand. */
function annotatedIn(text: string): Set<string> {
  const found = new Set<string>();
  walk(valuesIn(text), (fields) => {
    if (fields['type'] !== 'url_citation') return;
    const inner = isRecord(fields['url_citation']) ? fields['url_citation'] : fields;
    found.add(String(inner['url']));
  });
  return found;
}

describe.skipIf(sharedFile('corpora/manifest.json') === undefined)('recorded answers', () => {
  test('of OpenAI and its like: every address that is cited stands in a citation', async () => {
    const answers = [...exchanges().answers, ...streams()].filter(({ text }) => text.includes('url_citation'));
    let cited = 0;
    for (const { name, wire, text } of answers) {
      if (wire === 'anthropic-messages' || wire === 'gemini') continue;
      const spoken =
        wire ?? (text.includes('"response.') || text.includes('"output"') ? 'openai-responses' : 'openai-chat');
      const expected = annotatedIn(text);
      const said = citationsOf(await read(spoken, text));
      if (said.length === 0) continue; // no words, or no answer of these APIs
      const urls = new Set(said.flatMap((list) => list.map(({ url }) => url)));
      expect([...urls].filter((url) => url !== undefined).toSorted(), name).toEqual([...expected].toSorted()); // prettier-ignore
      if (expected.size > 0) cited++;
    }
    expect(cited).toBeGreaterThanOrEqual(8);
  });

  test('of Gemini: every passage that rests on a source has it among the citations', async () => {
    const answers = exchanges().answers.filter(
      ({ wire, text }) => wire === 'gemini' && text.includes('groundingChunks'),
    );
    let cited = 0;
    for (const { name, text } of answers) {
      let chunks: Record<string, unknown>[] = [];
      let supports: Record<string, unknown>[] = [];
      walk(valuesIn(text), (fields) => {
        if (Array.isArray(fields['groundingChunks'])) chunks = fields['groundingChunks'] as typeof chunks;
        if (Array.isArray(fields['groundingSupports'])) supports = fields['groundingSupports'] as typeof supports;
      });
      const used = new Set(supports.flatMap(({ groundingChunkIndices: indices }) => indices as number[]));
      const expected = chunks.filter((_, index) => supports.length === 0 || used.has(index));
      const blocks = citationsOf(await read('gemini', text));
      if (blocks.length === 0) continue; // a picture alone
      const said = blocks.flat();
      const sources = expected.flatMap((chunk) => Object.values(chunk)) as Record<string, unknown>[];
      for (const { uri, text: words } of sources)
        expect(said.some((one) => one.url === uri && one.text === (words || undefined)), `${name} ${String(uri)}`).toBe(true); // prettier-ignore
      cited += sources.length;
    }
    expect(cited).toBeGreaterThan(20);
  });
});
