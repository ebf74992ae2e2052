// Untrusted JSON to a transcript, and its media through the intake.
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import type { Intake, Hint } from '../../src/content/intake.ts';
import { refuse } from '../../src/content/refusal.ts';
import type { CheckedRow } from '../../src/message/check-transcript.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import { parseTranscript } from '../../src/wire/parse-transcript.ts';

const user = { role: 'user', content: 'Hi.' };

const wrong: [string, unknown, RegExp][] = [
  ['a list', [], /not a JSON object/],
  ['nothing', null, /not a JSON object/],
  ['a later version', { version: 2, messages: [] }, /version is 2/],
  ['no messages', {}, /"messages" is missing/],
  ['messages that are no list', { messages: {} }, /"messages" is missing/],
  ['a system prompt that is no text', { system: ['x'], messages: [] }, /"system" is not a string/],
  ['tools that are no list', { tools: {}, messages: [] }, /"tools" is not an array/],
  ['a tool without a name', { tools: [{ name: 'a' }, { description: 'x' }], messages: [] }, /tools\[1\]/],
  ['a message that is a text', { messages: [user, 'Hi.'] }, /messages\[1\]: not an object/],
  ['an unknown role', { messages: [{ role: 'system', content: '' }] }, /messages\[0\]: the role "system"/],
  ['a result without its call', { messages: [{ role: 'tool', name: 'a', content: '' }] }, /"callId"/],
  ['a result without its tool', { messages: [{ role: 'tool', callId: 'a', content: '' }] }, /"name"/],
  ['no content', { messages: [{ role: 'user' }] }, /"content" is neither/],
  ['a number in the content', { messages: [{ role: 'user', content: [1] }] }, /content\[0\] is not a block/],
  [
    'a picture without data',
    { messages: [{ role: 'user', content: [{ type: 'image' }] }] },
    /content\[0\]: the image has neither/,
  ],
];

describe('a transcript file', () => {
  test.each(wrong)('with %s is refused, and the place is named', (_name, value, what) => {
    const read = parseTranscript(value);
    expect(read.ok ? 'accepted' : read.refusal.what).toMatch(what);
    expect(read.ok ? '' : read.refusal.code).toBe('bad-transcript');
  });

  test('may be as short as its messages', () => {
    expect(parseTranscript({ messages: [user] })).toEqual({
      ok: true,
      value: { version: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }] },
    });
  });

  test('may spell tools and ids as other systems do', () => {
    const read = parseTranscript({
      tools: [
        { name: 'a', input_schema: { type: 'object' } },
        { name: 'b', parameters: { type: 'object' } },
      ],
      messages: [{ role: 'tool', tool_call_id: 'x', tool_name: 'a', isError: true, content: 'no' }],
    });
    expect(read).toMatchObject({
      ok: true,
      value: {
        tools: [
          { name: 'a', inputSchema: { type: 'object' } },
          { name: 'b', inputSchema: { type: 'object' } },
        ],
        messages: [{ role: 'tool', callId: 'x', name: 'a', isError: true }],
      },
    });
  });
});

const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 3 } as const;

/** An intake behind which bytes that begin with 1 are a picture; it remembers what it was asked. */
function intake(): Intake & { asked: Hint[]; kept: number } {
  const seen = {
    asked: [] as Hint[],
    kept: 0,
    check: async (bytes: Uint8Array, hint: Hint = {}) => {
      seen.asked.push(hint);
      if (bytes[0] !== 1) return refuse('corrupt', 'The picture is broken', 'Send another one.');
      return { ok: true as const, value: { type: 'image', asset, width: 1, height: 1 } as Block };
    },
    open: async (source: { path: string } | { url: string }) =>
      'path' in source && source.path === 'there.png'
        ? { ok: true as const, value: { bytes: new Uint8Array([1]), name: 'there.png' } }
        : refuse('not-found', 'It is not there', 'Check the name.'),
    keep: async () => {
      seen.kept++;
      return { ...asset, mediaType: 'application/octet-stream' };
    },
    stored: async () => undefined,
    at: (): Intake => seen,
  };
  return seen;
}

describe('media of a transcript', () => {
  test('pass the intake in every loose form, and keep the words of their author', async () => {
    const port = intake();
    const content: MessageInput['content'] = [
      'see',
      { type: 'image', data: new Uint8Array([1]), fallback: 'a door' },
      { type: 'image', data: 'AQ==', name: 'b.png', detail: 'low' },
      { type: 'image', data: 'data:image/png;base64,AQ==' },
      { type: 'image', data: new Blob([new Uint8Array([1])]) },
      { type: 'image', path: 'there.png' },
    ];
    const { transcript, troubles } = await resolveTranscript({ messages: [{ role: 'user', content }] }, port);
    expect(troubles).toEqual([]);
    expect(transcript.messages[0]?.content.map(({ type }) => type)).toEqual([
      'text',
      'image',
      'image',
      'image',
      'image',
      'image',
    ]);
    expect(transcript.messages[0]?.content[1]).toMatchObject({ fallback: 'a door' });
    expect(transcript.messages[0]?.content[2]).toMatchObject({ detail: 'low' });
    expect(port.asked.map(({ name }) => name)).toEqual([undefined, 'b.png', undefined, undefined, 'there.png']);
  });

  test('that are refused become words in place, and each trouble names its place', async () => {
    const messages: MessageInput[] = [
      { role: 'user', content: 'Hi.' },
      {
        role: 'tool',
        callId: 'c',
        name: 't',
        content: ['one', { type: 'image', data: new Uint8Array([0]), name: 'a.png', fallback: 'a door' }, 'two'],
      },
      { role: 'user', content: { type: 'image', path: 'gone.png' } },
      { role: 'user', content: { type: 'image', data: '!!' } },
    ];
    const { transcript, troubles } = await resolveTranscript({ messages }, intake());
    expect(troubles.map(({ message, block, refusal }) => [message, block, refusal.code])).toEqual([
      [1, 1, 'corrupt'],
      [2, 0, 'not-found'],
      [3, 0, 'bad-base64'],
    ]);
    const texts =
      transcript.messages[1]?.content.map((block) => (block.type === 'text' ? block.text : block.type)) ?? [];
    expect([texts[0], texts[2], texts.length]).toEqual(['one', 'two', 3]);
    expect(texts[1]).toContain('a.png');
    expect(texts[1]).toContain('The picture is broken');
    expect(texts[1]).toContain('a door');
  });

  test('that were checked before are not checked again', async () => {
    const port = intake();
    const block: Block = { type: 'image', asset, width: 1, height: 1 };
    const { transcript } = await resolveTranscript({ messages: [{ role: 'user', content: [block] }] }, port);
    expect(transcript.messages[0]?.content[0]).toEqual(block);
    expect(port.asked).toEqual([]);
  });

  test('the transcript that was given is not changed', async () => {
    const messages: MessageInput[] = [{ role: 'user', content: [{ type: 'image', data: 'AQ==' }] }];
    const before = JSON.stringify(messages);
    await resolveTranscript({ messages }, intake());
    expect(JSON.stringify(messages)).toBe(before);
  });
});

test('a call keeps all of its arguments, whatever their names', async () => {
  const input: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
  const { transcript } = await resolveTranscript(
    { messages: [{ role: 'assistant', content: [{ type: 'call', id: 'a', name: 'set', input }] }] },
    intake(),
  );
  const [block] = transcript.messages[0]?.content ?? [];
  expect(JSON.stringify(block?.type === 'call' && block.input)).toBe(JSON.stringify(input));
});

test('what a program changes in place between two turns is seen', async () => {
  const block = { type: 'text' as const, text: 'first' };
  const content: { type: 'text'; text: string }[] = [block];
  const message = { role: 'tool' as const, callId: 'a', name: 't', content, isError: false };
  const through = intake();
  let rows: CheckedRow[] = [];
  const said = async (): Promise<unknown> => {
    const checked = await resolveTranscript({ messages: [message] }, through, rows);
    ({ rows } = checked);
    return checked.transcript.messages[0];
  };
  const before = await said();
  expect(await said()).toBe(before);
  content.push({ type: 'text', text: 'second' });
  expect(await said()).toMatchObject({ content: [{ text: 'first' }, { text: 'second' }] });
  block.text = 'edited!';
  expect(await said()).toMatchObject({ content: [{ text: 'edited!' }, { text: 'second' }] });
  block.text = 'hidden!'; // as long as before
  expect(await said()).toMatchObject({ content: [{ text: 'hidden!' }, { text: 'second' }] });
  message.isError = true;
  expect(await said()).toMatchObject({ isError: true });
});

test('media of several messages are checked a few at a time, and what is refused is told in their order', async () => {
  let [under, most] = [0, 0];
  const check: Intake['check'] = async (bytes) => {
    most = Math.max(most, ++under);
    for (let wait = bytes[0] ?? 0; wait > 0; wait -= 40) await new Promise((resolve) => setImmediate(resolve));
    under--;
    return refuse('corrupt', `Number ${bytes[0]} is damaged`, 'Get it again.');
  };
  const messages: MessageInput[] = Array.from({ length: 12 }, (_, at) => ({
    role: 'user',
    content: [240, 239].map((number) => ({ type: 'image', data: Uint8Array.of(number - at * 20) })),
  }));
  const { troubles } = await resolveTranscript({ messages }, { ...intake(), check });
  expect(troubles.map(({ message, block }) => [message, block])).toEqual(
    messages.flatMap((_, message) => [[message, 0], [message, 1]]), // prettier-ignore
  );
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});
