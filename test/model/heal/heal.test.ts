// What a provider refuses, changed until it is taken: over a real connection, with the real planner and media.
import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../../src/content/memory-assets.ts';
import type { Block } from '../../../src/content/block.ts';
import { image, text } from '../../../src/content/input.ts';
import type { MessageInput, TranscriptInput } from '../../../src/message/message.ts';
import { answer } from '../../../src/model/answer.ts';
import type { AnswerEvent, AnswerOptions } from '../../../src/model/answer.ts';
import { prepare } from '../../../src/model/prepare.ts';
import type { Ledger } from '../../../src/window/ledger.ts';
import { answerWith, failWith, faultServer } from '../fault-server.ts';
import type { Act, FaultServer, Heard } from '../fault-server.ts';
import { hastyClock } from '../hasty-clock.ts';
import { fine, picturesIn } from '../refusing-server.ts';
import { shotBytes } from '../shots.ts';

const model = 'anthropic/claude-sonnet-4-5';
let pictures: Uint8Array[] = [];
let servers: FaultServer[] = [];

beforeAll(async () => {
  pictures = await shotBytes(14, 200);
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const base64 = (at: number): string => Buffer.from(pictures[at] ?? []).toString('base64');

/** Which of the pictures stand in a body as they are. */
const shown = (body: string): number[] => [...pictures.keys()].filter((at) => body.includes(base64(at)));

function results(count: number, from = 0): MessageInput[] {
  const content = pictures
    .slice(from, from + count)
    .map((bytes, at) => image(bytes, { name: `shot-${from + at}.png` }));
  return [
    { role: 'user', content: 'Look at all of them.' },
    { role: 'assistant', model, content: [{ type: 'call', id: `c${from}`, name: 'shots', input: {} }] },
    { role: 'tool', callId: `c${from}`, name: 'shots', content: [text('here'), ...content] },
  ];
}

type Outcome = {
  events: AnswerEvent[];
  server: FaultServer;
  healed: string[];
  ledger: Ledger | undefined;
  said: boolean;
};

async function run(
  transcript: TranscriptInput,
  judge: (heard: Heard, count: number) => Act,
  options: Partial<AnswerOptions> = {},
): Promise<Outcome> {
  let count = 0;
  const server = await faultServer((heard) => judge(heard, ++count));
  servers.push(server);
  const events: AnswerEvent[] = [];
  const given = { model, assets: memoryAssets(), baseUrl: server.url, key: 'k', clock: hastyClock(), ...options };
  for await (const event of answer(transcript, given)) events.push(event);
  const healed = events.flatMap((event) => (event.type === 'request-healed' ? [event.why] : []));
  const accepted = events.find((event) => event.type === 'request-accepted');
  return { events, server, healed, ledger: accepted?.ledger, said: events.some(({ type }) => type === 'message-end') };
}

const tooLarge = 'image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes';

test('a picture that is named goes down alone, and everyone is told', async () => {
  const bad = base64(7);
  const path = 'messages.2.content.0.tool_result.content.8.image.source.base64';
  const { server, healed, ledger, said } = await run({ messages: results(10) }, ({ body }) =>
    body.includes(bad) ? failWith(400, `${path}: ${tooLarge}`) : answerWith('fine'),
  );
  expect(said).toBe(true);
  expect(server.heard).toHaveLength(2);
  expect(healed).toEqual([expect.stringContaining('exceeds 5 MB')]);
  const last = server.heard.at(-1)?.body ?? '';
  expect(last).toContain('refused');
  expect(shown(last)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9]);
  expect(JSON.stringify(ledger)).toContain('floors');
});

test('what was refused stays down on the next turn, which only appends', async () => {
  const bad = base64(0);
  const judge = ({ body }: Heard): Act =>
    body.includes(bad) ? failWith(400, 'Could not process image') : answerWith('ok');
  const assets = memoryAssets();
  const messages = results(1);
  const first = await run({ messages }, judge, { assets });
  expect(first.server.heard).toHaveLength(2);
  const next: MessageInput[] = [
    ...messages,
    { role: 'assistant', model, content: 'ok' },
    { role: 'user', content: 'and?' },
  ];
  const second = await run({ messages: next }, judge, { assets, ledger: first.ledger });
  expect(second.server.heard).toHaveLength(1);
  expect(second.healed).toEqual([]);
  const ready = second.events.find((event) => event.type === 'request-ready');
  expect(ready?.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
});

test('without a place, only the media this model has not accepted yet are suspects', async () => {
  const bad = base64(13);
  const judge = ({ body }: Heard): Act =>
    body.includes(bad) ? failWith(400, 'Could not process image') : answerWith('ok');
  const assets = memoryAssets();
  const first = await run({ messages: results(6) }, judge, { assets });
  const said: MessageInput[] = [{ role: 'assistant', model, content: 'ok' }];
  const messages = [...results(6), ...said, ...results(1, 13)];
  const second = await run({ messages }, judge, { assets, ledger: first.ledger });
  expect(second.said).toBe(true);
  const last = second.server.heard.at(-1)?.body ?? '';
  expect(shown(last)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a picture that is refused in every form ends as words', async () => {
  const { server, said, healed } = await run({ messages: results(1) }, ({ body }) =>
    body.includes('"type":"image"') ? failWith(400, 'Could not process image') : answerWith('fine'),
  );
  expect(said).toBe(true);
  expect(healed).toHaveLength(2);
  expect(server.heard.at(-1)?.body).not.toContain('"type":"image"');
  expect(server.heard.at(-1)?.body).toContain('shot-0.png');
});

test('a model that takes no pictures gets words from then on', async () => {
  const blind = 'compatible/qwen2.5-vl';
  const complaint = 'image input is not supported - hint: you may need to provide the mmproj';
  const refusal = failWith(400, { error: { message: complaint } });
  const judge = ({ body }: Heard): Act => (body.includes('image_url') ? refusal : fine('openai-chat'));
  const first = await run({ messages: results(3) }, judge, { model: blind });
  expect(first.said).toBe(true);
  expect(first.server.heard).toHaveLength(2);
  const again = await run({ messages: results(3) }, judge, { model: blind, baseUrl: first.server.url, key: 'another' });
  expect(again.healed).toEqual([]);
});

test('what one account may not have is asked for with the key of another, whose prefix stays', async () => {
  const message = 'Your organization must be verified to stream this model.';
  const judge = ({ body, headers }: Heard): Act =>
    headers.authorization === 'Bearer unverified' && body.includes('"stream":true')
      ? failWith(400, { error: { message, param: 'stream', code: 'unsupported_value' } })
      : fine('openai-responses');
  const messages = results(1);
  const others = { model: 'openai/gpt-5.2', assets: memoryAssets(), key: 'another' };
  const { server, ledger } = await run({ messages }, judge, others);
  const own = { model: 'openai/gpt-5.2', baseUrl: server.url, key: 'unverified' };
  expect((await run({ messages }, judge, own)).healed).toHaveLength(1);
  expect((await run({ messages }, judge, own)).healed).toEqual([]);
  const more: MessageInput[] = [{ role: 'assistant', model: others.model, content: 'ok' }, ...results(1, 1)];
  const next = await run({ messages: [...messages, ...more] }, judge, { ...others, baseUrl: server.url, ledger });
  const ready = next.events.find((event) => event.type === 'request-ready');
  expect(ready?.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  const streams = server.heard.map(({ body }) => body.includes('"stream":true'));
  expect(streams).toEqual([true, true, false, false, true]);
});

test('a complaint about a picture that also quotes how it was asked is one about the picture', async () => {
  const quoted = "optional_params={'stream': True, 'stream_options': {'include_usage': True}}";
  const refusal = failWith(400, { error: { message: `litellm.BadRequestError: Invalid image data. ${quoted}` } });
  const judge = ({ body }: Heard): Act => (body.includes('image_url') ? refusal : fine('openai-chat'));
  const { server, said } = await run({ messages: results(1) }, judge, { model: 'compatible/llava' });
  expect(said).toBe(true);
  expect(server.heard.at(-1)?.body).toContain('"stream_options"');
});

test('what a complaint taught moves the prefix once, also where something else is stated of the model', async () => {
  const alternating = 'compatible/alternating-vl';
  const refusal = failWith(400, { object: 'error', message: "Unexpected role 'user' after role 'tool'" });
  const judge = ({ body }: Heard): Act =>
    /"role":"tool"(?:(?!"role").)*"role":"user"/.test(body) ? refusal : fine('openai-chat');
  const profile = { contextTokens: 50_000, capabilities: { vision: true } };
  const options = { model: alternating, assets: memoryAssets(), profile };
  const first = await run({ messages: results(1) }, judge, options);
  expect(first.healed).toHaveLength(1);
  const more: MessageInput[] = [
    { role: 'assistant', model: alternating, content: 'ok' },
    { role: 'user', content: 'and?' },
  ];
  const next = { ...options, baseUrl: first.server.url, ledger: first.ledger };
  const second = await run({ messages: [...results(1), ...more] }, judge, next);
  const ready = second.events.find((event) => event.type === 'request-ready');
  expect(second.healed).toEqual([]);
  expect(ready?.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
});

test('what one run says of its model itself is not taken for what the model taught', async () => {
  const blind = 'compatible/qwen2-vl-blind';
  const refusal = failWith(400, { error: { message: 'image input is not supported' } });
  const judge = ({ body }: Heard): Act => (body.includes('image_url') ? refusal : fine('openai-chat'));
  const profile = { contextTokens: 9000, capabilities: { toolMedia: false } };
  const first = await run({ messages: results(1) }, judge, { model: blind, profile });
  expect(first.healed).toHaveLength(1);
  const again = await run({ messages: results(1) }, judge, { model: blind, baseUrl: first.server.url });
  expect(again.healed).toEqual([]);
  const windows = [first, again].map(({ events }) =>
    events.flatMap((event) => (event.type === 'request-ready' ? [event.contextTokens] : [])),
  );
  expect(windows[0]).toEqual([9000, 9000]);
  expect(windows[1]).not.toContain(9000);
});

const imagesIn = (body: string): number => body.split('"type":"image"').length - 1;

/** The texts of a body that are not about one of the pictures. */
const wordsIn = (body: string): string[] =>
  [...body.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].flatMap(([, words = '']) =>
    words.includes('shot-') ? [] : [words],
  );

test('too many pictures: pictures alone go, the oldest first, and nothing else changes', async () => {
  const long = 'word '.repeat(5000);
  const messages: MessageInput[] = [
    ...results(6),
    { role: 'assistant', model, content: `Seen. ${long}` },
    { role: 'user', content: `More. ${long}` },
    { role: 'assistant', model, content: [{ type: 'call', id: 'd', name: 'shots', input: {} }] },
    { role: 'tool', callId: 'd', name: 'shots', content: [text(long), image(pictures[8] ?? new Uint8Array())] },
    { role: 'user', content: ['And mine.', image(pictures[9] ?? new Uint8Array())] },
  ];
  const { server, said, healed } = await run({ messages }, ({ body }) =>
    imagesIn(body) > 2 ? failWith(400, 'messages: too many images and documents: 8 + 0 > 2') : answerWith('fine'),
  );
  expect(said).toBe(true);
  expect(healed).toHaveLength(1);
  const [before = '', after = ''] = server.heard.map(({ body }) => body);
  expect(shown(after)).toEqual([8, 9]);
  // All words that stood there stand there still; the pictures that are left are the very same.
  expect(wordsIn(after)).toEqual(wordsIn(before));
});

describe('a place that shows several media accuses none of them:', () => {
  test.each([
    ['the whole input', 'input'],
    ['one result of several', 'input[2]'],
    ['its output', 'input[2].output'],
  ])('%s', async (_name, param) => {
    const refusal = failWith(400, { error: { message: 'Invalid image data.', param, code: 'invalid_value' } });
    const { server, said, events } = await run(
      { messages: results(4) },
      ({ body }) => (body.includes(base64(2)) ? refusal : fine('openai-responses')),
      { model: 'openai/gpt-5.2' },
    );
    expect(said).toBe(true);
    expect(events.filter(({ type }) => type === 'request-probed').length).toBeGreaterThan(0);
    expect(shown(server.heard.at(-1)?.body ?? '')).toEqual([0, 1, 3]);
  });
});

describe('a complaint that comes again, whatever is changed, is not answered again', () => {
  const insists: [string, string, number][] = [
    ['about signatures', 'Invalid `signature` in `thinking` block', 2],
    ['about a count, once no picture is left', 'messages: too many images and documents: 3 + 0 > 2', 4],
    ['about eyes', 'This model does not support image inputs.', 2],
    ['about media in results', "all content must be type 'text' if 'is_error' is true", 2],
  ];
  test.each(insists)('%s', async (_name, complaint, requests) => {
    const [first, , last] = results(3);
    const { content } = thought(0);
    const call = { type: 'call', id: 'c0', name: 'shots', input: {} } as const;
    const messages = [first, { role: 'assistant', model, content: [...(content as Block[]), call] }, last];
    const { server, events } = await run({ messages: messages as MessageInput[] }, () => failWith(400, complaint));
    expect(events.at(-1)).toMatchObject({ type: 'message-error' });
    expect(server.heard).toHaveLength(requests);
  });
}); // prettier-ignore

test('after healing, receipts name the picture that was sent and its size', async () => {
  const { server, events } = await run({ messages: results(2) }, ({ body }) =>
    body.includes(base64(1))
      ? failWith(400, `messages.2.content.0.tool_result.content.2.image.source.base64: ${tooLarge}`)
      : answerWith('ok'),
  );
  const ready = events.findLast((event) => event.type === 'request-ready');
  const receipts = ready?.receipts.filter(({ sent }) => sent) ?? [];
  const bodies = picturesIn('anthropic-messages', server.heard.at(-1)?.body ?? '');
  const ids = bodies.map(
    ({ data }) => `sha256:${createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')}`,
  );
  expect(receipts.flatMap(({ sent = [] }) => sent)).toEqual(ids);
  expect(receipts[0]?.sent).toEqual([receipts[0]?.asset]);
  expect(receipts[1]?.sent).not.toEqual([receipts[1]?.asset]);
  expect(receipts[1]?.subject).toBe('image "shot-1.png" 101×24');
});

const old = (turns: number): MessageInput[] =>
  Array.from({ length: turns }, (_, turn): MessageInput[] => [
    { role: 'user', content: `Question ${turn} ${'word '.repeat(2000)}` },
    { role: 'assistant', model, content: `Answer ${turn} ${'word '.repeat(2000)}` },
  ]).flat();

describe('what is too much is made less', () => {
  const messages: MessageInput[] = [...old(12), { role: 'user', content: 'Now?' }];

  test('tokens', async () => {
    const { server, said, events } = await run({ messages }, ({ length }) =>
      length > 150_000 ? failWith(400, 'prompt is too long: 214387 tokens > 150000 maximum') : answerWith('fine'),
    );
    expect(said).toBe(true);
    expect(server.heard).toHaveLength(2);
    const sizes = events.flatMap((event) => (event.type === 'request-ready' ? [event.tokens] : []));
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.75);
    expect(server.heard.at(-1)?.body).toContain('Now?');
  });

  test('bytes', async () => {
    const { server, said } = await run(
      { messages: [...results(12), { role: 'user', content: 'Now?' }] },
      (_heard, count) => (count === 1 ? failWith(413, 'Request exceeds the maximum size') : answerWith('fine')),
    );
    expect(said).toBe(true);
    expect(server.heard[1]?.length).toBeLessThan((server.heard[0]?.length ?? 0) * 0.75);
  });

  test('twice at most', async () => {
    const { server, events } = await run({ messages }, () => failWith(400, 'prompt is too long'));
    expect(server.heard).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code: 'context' });
  });
});

function thought(at: number, id = 'claude-sonnet-4-5'): MessageInput {
  const item = { type: 'thinking', thinking: `t${at}`, signature: `s${at}` };
  const seal = { wire: 'anthropic-messages', endpoint: 'anthropic', model: id, item };
  const content = [{ type: 'thinking', text: `t${at}`, seal } as const, { type: 'text', text: `said ${at}` } as const];
  return { role: 'assistant', model: `anthropic/${id}`, content };
}

describe('thinking that is refused', () => {
  const messages: MessageInput[] = [0, 1, 2].flatMap((at): MessageInput[] => [
    { role: 'user', content: `q${at}` },
    thought(at),
  ]);
  messages.push({ role: 'user', content: 'last' });

  test.each([
    [
      'from the block that is named',
      'messages.3.content.0: Invalid `signature` in `thinking` block',
      ['s0'],
      ['s1', 's2'],
    ],
    ['altogether when none is named', 'Invalid `signature` in `thinking` block', [], ['s0', 's1', 's2']],
  ])('is left out %s', async (_name, complaint, kept, dropped) => {
    const { server, said, healed } = await run({ messages }, (_heard, count) =>
      count === 1 ? failWith(400, complaint) : answerWith('fine'),
    );
    expect(said).toBe(true);
    expect(healed[0]).toContain('thinking');
    const [first = '', last = ''] = server.heard.map(({ body }) => body);
    for (const sign of [...kept, ...dropped]) expect(first).toContain(`"signature":"${sign}"`);
    for (const sign of kept) expect(last).toContain(`"signature":"${sign}"`);
    for (const sign of dropped) expect(last).not.toContain(`"signature":"${sign}"`);
    for (const at of [0, 1, 2]) expect(last).toContain(`said ${at}`);
  });
});

const unbound =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. ' +
  'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires ' +
  'the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header.';
const asksToDrop = ({ body }: Heard): boolean =>
  body.includes('"block_binding":{"prefix_mismatch_behavior":"drop_block"}');
const dropsWhenAsked = (heard: Heard): Act => (asksToDrop(heard) ? answerWith('fine') : failWith(400, unbound));

describe('thinking that is bound to another prefix', () => {
  const id = 'claude-haiku-5-5';
  const bound = { model: `anthropic/${id}` };
  const messages: MessageInput[] = [{ role: 'user', content: 'q' }, thought(0, id), { role: 'user', content: 'last' }];

  test('is left out by the provider, where it offers to do so, for the rest of the conversation', async () => {
    const headers = { 'anthropic-beta': 'another-2026-01-01' };
    const first = await run({ messages }, dropsWhenAsked, { ...bound, headers });
    expect(first.said).toBe(true);
    expect(first.healed).toEqual([expect.stringContaining('is left out')]);
    const [before, after] = first.server.heard;
    expect(before?.headers['anthropic-beta']).toBe('another-2026-01-01');
    expect(after?.headers['anthropic-beta']).toBe('thinking-binding-controls-2026-08-01,another-2026-01-01');
    expect(after?.body).toContain('"signature":"s0"');
    const more: MessageInput[] = [...messages, thought(1, id), { role: 'user', content: 'and?' }];
    const second = await run({ messages: more }, dropsWhenAsked, { ...bound, ledger: first.ledger });
    expect(second.server.heard).toHaveLength(1);
    const off = await prepare({ messages: more }, { ...bound, assets: memoryAssets(), ledger: first.ledger, thinking: 'off' });
    expect(JSON.stringify(await off.json())).not.toContain('block_binding');
  }); // prettier-ignore

  test.each([
    ['is refused all the same', unbound],
    ['does not know that it can', 'thinking.adaptive.block_binding: Extra inputs are not permitted'],
  ])('is left out by us where the provider %s', async (_name, refusal) => {
    const { server, said } = await run(
      { messages },
      (heard) =>
        asksToDrop(heard)
          ? failWith(400, refusal)
          : heard.body.includes('"signature"')
            ? failWith(400, unbound)
            : answerWith('fine'),
      bound,
    );
    expect(said).toBe(true);
    expect(server.heard).toHaveLength(3);
    expect(server.heard.at(-1)?.headers['anthropic-beta']).toBeUndefined();
  });

  test('is left out by us for a client of your own, which may not send our headers', async () => {
    const request = await prepare({ messages }, { ...bound, assets: memoryAssets() });
    const repaired = await request.repair({ status: 400, message: unbound });
    const body = JSON.stringify(await repaired?.json());
    expect(body).not.toContain('block_binding');
    expect(body).not.toContain('"signature"');
  });
});

describe('nothing is repaired', () => {
  const rows: [string, TranscriptInput, Act, string][] = [
    ['when there are no media', { messages: [{ role: 'user', content: 'x' }] }, failWith(400, 'Could not process image'), 'media'],
    ['when the complaint is about something else', { messages: [{ role: 'user', content: 'x' }] }, failWith(400, 'max_tokens: too few'), 'invalid'],
    ['when there was no thinking', { messages: [{ role: 'user', content: 'x' }] }, failWith(400, 'Invalid `signature` in `thinking` block'), 'signature'],
    ['when even the least is too much', { messages: [{ role: 'user', content: 'x' }] }, failWith(400, 'prompt is too long'), 'context'],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_name, transcript, act, code) => {
    const { server, events, healed } = await run(transcript, () => act);
    expect(healed).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code });
    expect(server.heard).toHaveLength(1);
  });

  test('for ever: what is refused in whatever form ends', async () => {
    const { server, events } = await run({ messages: results(12) }, () => failWith(400, 'Could not process image'));
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code: 'media' });
    const small = server.heard.filter(({ body }) => body.includes('"max_tokens":16,'));
    expect(small.length).toBeLessThanOrEqual(4);
    expect(server.heard.length - small.length).toBeLessThanOrEqual(7);
  });
});

describe('trouble before anything is sent is an event, too:', () => {
  const rows: [string, TranscriptInput, Partial<AnswerOptions>, string][] = [
    ['an unknown endpoint', { messages: [{ role: 'user', content: 'x' }] }, { model: 'nowhere/x' }, 'not-found'],
    ['no messages', { messages: [] }, {}, 'invalid'],
    ['a cancelled run', { messages: [{ role: 'user', content: 'x' }] }, { signal: AbortSignal.abort() }, 'aborted'],
    ['an address that is none', { messages: [{ role: 'user', content: 'x' }] }, { baseUrl: 'not an address' }, 'not-found'],
  ]; // prettier-ignore
  test.each(rows)('%s', async (_name, transcript, options, code) => {
    const { events } = await run(transcript, () => answerWith('x'), options);
    expect(events.at(-1)).toMatchObject({ type: 'message-error', code });
  });
});

test('a client of your own can have its request repaired', async () => {
  const request = await prepare({ messages: results(2) }, { model: 'openai/gpt-5.2', assets: memoryAssets() });
  const error = { status: 400, error: { message: 'Invalid image data.', param: 'input[2].output[1]' } };
  const repaired = await request.repair(error);
  const body = JSON.stringify(await repaired?.json());
  expect(shown(body)).toEqual([1]);
  expect(await request.repair({ status: 401, error: { message: 'no' } })).toBeUndefined();
});
