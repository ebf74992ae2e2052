// What a function answered stays what it was on Gemini's own wire: an object is not wrapped into a text.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exchanges, mediaRequests } from '../../scripts/golden/corpus.ts';
import { isRecord } from '../../src/content/json.ts';
import type { MessageInput } from '../../src/message/message.ts';
import type { BlockInput } from '../../src/content/input.ts';
import { prepare } from '../../src/model/prepare.ts';
import { list } from '../../src/wire/fields.ts';
import { wires } from '../../src/wire/registry.ts';
import { sharedFile } from '../judge/shared-folder.ts';

const model = 'gemini/gemini-3-pro-preview';

/** All function responses of a body, in their order. */
function responsesIn(body: unknown): Record<string, unknown>[] {
  const contents = isRecord(body) ? list(body['contents']) : [];
  const parts = contents.flatMap((content) => (isRecord(content) ? list(content['parts']) : []));
  return parts.filter(isRecord).flatMap((part) => {
    const response = part['functionResponse'] ?? part['function_response'];
    return isRecord(response) ? [response] : [];
  });
}

async function sentFor(text: string, isError = false): Promise<unknown> {
  const content: BlockInput[] = [{ type: 'text', text }];
  const call = { type: 'call' as const, id: 'c1', name: 'look', input: {} };
  const request = await prepare(
    {
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [call] },
        { role: 'tool', callId: 'c1', name: 'look', content, isError },
      ],
    },
    { model },
  );
  return responsesIn(await request.json())[0]?.['response'];
}

test.each([
  ['{"rows":[1,2],"next":null}', { rows: [1, 2], next: null, attached: '[1. image "chart.png" 640×400: attached]' }],
  ['Four bars.', { output: 'Four bars.\n[1. image "chart.png" 640×400: attached]' }],
  ['{"attached":"yes"}', { output: '{"attached":"yes"}\n[1. image "chart.png" 640×400: attached]' }],
])('an object with a picture beside it stays that object, and comes back as it was: %s', async (text, expected) => {
  const call = { type: 'call' as const, id: 'c1', name: 'look', input: {} };
  const path = fileURLToPath(new URL('../../examples/chart.png', import.meta.url));
  const content: BlockInput[] = [
    { type: 'text', text },
    { type: 'image', path },
  ];
  const messages: MessageInput[] = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [call] },
    { role: 'tool', callId: 'c1', name: 'look', content },
  ];
  const roots = [fileURLToPath(new URL('../../examples', import.meta.url))];
  const body = await (await prepare({ messages }, { model, roots })).json();
  const [sent] = responsesIn(body);
  expect(sent?.['response']).toEqual(expected);
  expect(sent?.['parts']).toHaveLength(1);
  const read = wires.gemini.accept(body);
  const result = read.ok ? read.value.transcript.messages.at(-1) : undefined;
  expect(result?.content).toMatchObject([
    { type: 'text', text },
    { type: 'image', name: 'chart.png' },
  ]);
});

describe('a result is', () => {
  const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`;
  const rows: [string, string, boolean, unknown][] = [
    ['an object, where its text spells one', '{"rows":[1,2],"next":null}', false, { rows: [1, 2], next: null }],
    ['a list in its frame', '[1,{"a":2}]', false, { output: [1, { a: 2 }] }],
    ['a failure with all that it says', '{"error":"no","code":4}', true, { error: 'no', code: 4 }],
    ['a failure of an object', '{"code":4}', true, { error: { code: 4 } }],
    ['words', 'Mexico', false, { output: 'Mexico' }],
    ['a failure in words', 'No such file.', true, { error: 'No such file.' }],
    ['text, where a number would change', '{"id":12345678901234567890}', false, { output: '{"id":12345678901234567890}' }],
    ['text, where the order would change', '{"b":1,"1":2}', false, { output: '{"b":1,"1":2}' }],
    ['text, where it is written in lines', '{\n  "a": 1\n}', false, { output: '{\n  "a": 1\n}' }],
    ['an object in its frame, where it would be read as one', '{"output":"x"}', false, { output: { output: 'x' } }],
    ['an object in its frame, where it would be read as a failure', '{"error":"x"}', false, { output: { error: 'x' } }],
    ['an object in its frame, where there is nothing in it', '{}', false, { output: {} }],
    ['text, where it names a medium beside it', '{"$ref":"a"}', false, { output: '{"$ref":"a"}' }],
    ['text, where Google would not read so many levels', deep, false, { output: deep }],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_, text, isError, expected) => {
    expect(await sentFor(text, isError)).toEqual(expected);
  });
});

test.skipIf(sharedFile('corpora/manifest.json') === undefined)(
  'recorded responses without media go back out as they came',
  async () => {
    const recorded = [...mediaRequests(), ...exchanges().requests].filter(({ wire }) => wire === 'gemini');
    let objects = 0;
    for (const { name, body } of recorded) {
      const came = responsesIn(body);
      if (came.length === 0 || came.some(({ parts }) => parts)) continue;
      const read = wires.gemini.accept(body);
      if (!read.ok) throw new Error(read.refusal.what);
      const request = await prepare(read.value.transcript, { ...read.value.options, model, readPictures: false });
      const sent = responsesIn(await request.json());
      expect(sent.map(({ response }) => response), name).toEqual(came.map(({ response }) => response)); // prettier-ignore
      objects += came.filter(({ response }) => !Object.hasOwn(response as object, 'error')).length;
    }
    expect(objects).toBeGreaterThan(79);
  },
);
