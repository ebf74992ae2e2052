// Twelve pictures that a model has not seen yet, one of them bad, and a complaint that does not say which.
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../../src/content/memory-assets.ts';
import type { AssetStore } from '../../../src/asset/store.ts';
import type { DocumentBlock, ImageBlock } from '../../../src/content/block.ts';
import { probeQuestion } from '../../../src/content/words.ts';
import type { MessageError } from '../../../src/message/error.ts';
import type { ModelEvent } from '../../../src/message/event.ts';
import type { MessageInput } from '../../../src/message/message.ts';
import { answer } from '../../../src/model/answer.ts';
import type { AnswerEvent } from '../../../src/model/answer.ts';
import { narrow, probeMessages, probeOptions } from '../../../src/model/heal/bisect.ts';
import type { Probed } from '../../../src/model/heal/bisect.ts';
import type { Narrowed } from '../../../src/model/heal/repair-types.ts';
import { prepare } from '../../../src/model/prepare.ts';
import { profileFor } from '../../../src/window/profile.ts';
import type { WireName } from '../../../src/window/profile.ts';
import { all } from '../all.ts';
import { hastyClock } from '../hasty-clock.ts';
import { failWith, faultServer } from '../fault-server.ts';
import type { Act, FaultServer, Heard } from '../fault-server.ts';
import { dislikes, fine, picturesIn } from '../refusing-server.ts';
import { shots } from '../shots.ts';

const assets: AssetStore = memoryAssets();
let texts: string[] = [];
let blocks: ImageBlock[] = [];
let servers: FaultServer[] = [];

beforeAll(async () => {
  ({ texts, blocks } = await shots(40, assets));
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** Results of another model's calls, so that nothing of them was accepted by the one that is asked now. */
function conversation(count: number): MessageInput[] {
  const messages: MessageInput[] = [{ role: 'user', content: 'Look at all of them.' }];
  for (let from = 0; from < count; from += 4) {
    const id = `call_${from}`;
    messages.push({ role: 'assistant', model: 'openai/gpt-5.2', content: [{ type: 'call', id, name: 'shots', input: {} }] });
    messages.push({ role: 'tool', callId: id, name: 'shots', content: blocks.slice(from, Math.min(from + 4, count)) });
  } // prettier-ignore
  return messages;
}

type Judge = (pictures: string[], heard: Heard) => boolean;

const badAsItIs =
  (...bad: number[]): Judge =>
  (pictures) =>
    bad.some((at) => pictures.includes(texts[at] ?? ''));
/** Whatever is made of a bad one is none of the good ones. */
const badInEveryForm =
  (...bad: number[]): Judge =>
  (pictures) =>
    pictures.some((one) => !texts.includes(one) || bad.some((at) => texts[at] === one));

type Outcome = { events: AnswerEvent[]; server: FaultServer; last: string; wire: WireName };

async function run(model: string, count: number, isBad: Judge, refusal?: Act): Promise<Outcome> {
  const { wire } = profileFor(model);
  const pictures = (heard: Heard): string[] => picturesIn(wire, heard.body).map(({ data }) => data);
  const server = await faultServer((heard) =>
    heard.url.includes('show')
      ? failWith(404, 'no')
      : isBad(pictures(heard), heard)
        ? (refusal ?? dislikes(wire, undefined))
        : fine(wire),
  );
  servers.push(server);
  const given = { model, assets, baseUrl: server.url, key: 'k', clock: hastyClock() };
  const events = await all(answer({ messages: conversation(count) }, given));
  return { events, server, last: server.heard.at(-1)?.body ?? '', wire };
}

function seen({ last, wire }: Outcome): number[] {
  const shown = new Set(picturesIn(wire, last).map(({ data }) => data));
  return [...texts.keys()].filter((at) => shown.has(texts[at] ?? ''));
}

const asked = ({ server }: Outcome): number => server.heard.filter(({ url }) => !url.includes('show')).length;
const others = (...bad: number[]): number[] => [...Array(12).keys()].filter((at) => !bad.includes(at));
const probes = ({ events }: Outcome): AnswerEvent[] => events.filter(({ type }) => type === 'request-probed');

describe.each([
  'anthropic/claude-sonnet-4-5',
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
])('%s', (model) => {
  test('finds the bad one of twelve, and sees all others as they are', async () => {
    const outcome = await run(model, 12, badInEveryForm(7));
    expect(outcome.events.map(({ type }) => type)).toContain('message-end');
    expect(seen(outcome)).toEqual(others(7));
    expect(picturesIn(outcome.wire, outcome.last)).toHaveLength(11);
    expect(outcome.last).toContain('the provider refused it');
    expect(outcome.last).toContain('shot-7.png');
    const healed = outcome.events.flatMap((event) => (event.type === 'request-healed' ? [event.why] : []));
    expect(healed[0]).toContain('(1 of 12 suspects, found by 4 small requests)');
    // The refusal, the search, the picture made smaller, the picture in words.
    expect(asked(outcome)).toBeLessThanOrEqual(1 + 4 + 2);
  });
});

const model = 'anthropic/claude-sonnet-4-5';

test.each([0, 3, 5, 6, 11])('picture %i, bad only as it is, is seen made anew, and five requests do', async (bad) => {
  const outcome = await run(model, 12, badAsItIs(bad));
  expect(seen(outcome)).toEqual(others(bad));
  expect(picturesIn(outcome.wire, outcome.last)).toHaveLength(12);
  expect(asked(outcome)).toBeLessThanOrEqual(1 + 5);
});

test('each small request is told with what it showed and what it cost, and asks for hardly an answer', async () => {
  const outcome = await run(model, 12, badAsItIs(7));
  expect(probes(outcome)).toEqual([
    expect.objectContaining({ media: 6, suspects: 12, taken: true, usage: { inputTokens: 10, outputTokens: 3 } }),
    expect.objectContaining({ media: 3, taken: false }),
    expect.objectContaining({ media: 2, taken: false }),
    expect.objectContaining({ media: 1, taken: true }),
  ]);
  const small = outcome.server.heard.slice(1, 5).map(({ body }) => JSON.parse(body) as { max_tokens: number });
  expect(small.map(({ max_tokens }) => max_tokens)).toEqual([16, 16, 16, 16]);
  expect(JSON.stringify(small)).not.toContain('Look at all of them.');
});

test('of forty, the few that four halves leave go down, and the rest is seen', async () => {
  const outcome = await run(model, 40, badAsItIs(29));
  expect(outcome.events.map(({ type }) => type)).toContain('message-end');
  expect(seen(outcome).length).toBeGreaterThanOrEqual(37);
  expect(picturesIn(outcome.wire, outcome.last)).toHaveLength(40);
});

test('two bad ones: those that were cleared stay as they are, whatever becomes of the rest', async () => {
  const outcome = await run(model, 12, badInEveryForm(8, 9));
  expect(outcome.events.map(({ type }) => type)).toContain('message-end');
  expect(seen(outcome)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5]));
  expect(asked(outcome)).toBeLessThanOrEqual(1 + 4 + 4);
});

test('a trouble that only the whole request has is not blamed on one picture for ever', async () => {
  const outcome = await run(model, 12, (pictures) => pictures.filter((one) => texts.includes(one)).length > 6);
  expect(outcome.events.map(({ type }) => type)).toContain('message-end');
  expect(probes(outcome).every((event) => event.type === 'request-probed' && event.taken)).toBe(true);
});

test.each([
  ['a missing key', failWith(401, 'no such key')],
  ['another complaint', failWith(400, 'max_tokens: too few')],
])('a search that ends in %s leaves it at what was known before', async (_name, trouble) => {
  let count = 0;
  const judge: Judge = (pictures) => ++count > 1 && count < 3 && pictures.length > 0;
  const first = dislikes('anthropic-messages', undefined);
  const server = await faultServer((heard) => {
    const shown = picturesIn('anthropic-messages', heard.body).map(({ data }) => data);
    if (judge(shown, heard)) return trouble;
    return badAsItIs(7)(shown, heard) ? first : fine('anthropic-messages');
  });
  servers.push(server);
  const options = { model, assets, baseUrl: server.url, key: 'k', clock: hastyClock() };
  const events = await all(answer({ messages: conversation(12) }, options));
  expect(events.map(({ type }) => type)).toContain('message-end');
  expect(events.some(({ type }) => type === 'request-probed')).toBe(false);
  expect(picturesIn('anthropic-messages', server.heard.at(-1)?.body ?? '')).toHaveLength(12);
});

test('what the search found stays on the next turn, which is sent once', async () => {
  const first = await run(model, 12, badInEveryForm(7));
  const accepted = first.events.find((event) => event.type === 'request-accepted');
  const messages: MessageInput[] = [
    ...conversation(12),
    { role: 'assistant', model, content: 'fine' },
    { role: 'user', content: 'and?' },
  ];
  const request = await prepare({ messages }, { model, assets, ledger: accepted?.ledger });
  expect(seen({ ...first, last: JSON.stringify(await request.json()) })).toEqual(others(7));
  expect(request.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
});

test('a dear document is not shown to find out about a picture', async () => {
  const report = await assets.put(readFileSync(new URL('../../../examples/report.pdf', import.meta.url)), {
    mediaType: 'application/pdf',
    name: 'report.pdf',
  });
  const paper: DocumentBlock = { type: 'document', asset: report, pages: 1 };
  const messages: MessageInput[] = [{ role: 'user', content: [paper, ...blocks.slice(0, 2)] }];
  const server = await faultServer(({ body }) => (body.includes('application/pdf') ? failWith(400, 'The PDF is not valid') : fine('anthropic-messages')));
  servers.push(server);
  const events = await all(answer({ messages }, { model, assets, baseUrl: server.url, key: 'k', clock: hastyClock() }));
  expect(events.map(({ type }) => type)).toContain('message-end');
  const probed = server.heard.filter(({ body }) => body.includes('"max_tokens":16,'));
  expect(probed.map(({ body }) => body.includes('application/pdf'))).toEqual([false]);
  expect(picturesIn('anthropic-messages', server.heard.at(-1)?.body ?? '')).toHaveLength(3);
}); // prettier-ignore

test('a client of your own may search, too', async () => {
  const request = await prepare({ messages: conversation(12) }, { model, assets });
  const error = { status: 400, error: { type: 'error', error: { message: 'Could not process image' } } };
  const suspects = request.suspects(error);
  expect(suspects).toHaveLength(12);
  expect(request.suspects({ status: 401, error: { message: 'no' } })).toEqual([]);
  const probe = await request.probe(suspects.slice(6, 8));
  expect(picturesIn('anthropic-messages', JSON.stringify(await probe.json())).map(({ data }) => data)).toEqual(
    texts.slice(6, 8),
  );
});

test('a small request is asked of the same model at the same place, and has nothing that concerns the answer', () => {
  const bare = { model, maxTokens: 16, cache: 'off', readPictures: false };
  expect(probeOptions({ model, maxTokens: 9000, temperature: 1, thinking: 'high' })).toStrictEqual(bare);
  const { signal } = new AbortController();
  const place = { baseUrl: 'http://127.0.0.1:1', apiVersion: '2025-01-01', profile: { contextTokens: 9000 }, signal };
  expect(probeOptions({ model, ...place, cache: 'auto' })).toStrictEqual({ ...bare, ...place });
});

test('it shows the media that are asked for, each once and in a message of its own, and then asks', () => {
  const [one, two] = blocks as [ImageBlock, ImageBlock];
  const messages = [{ role: 'user' as const, content: [one, two, one, { type: 'text' as const, text: 'And?' }] }];
  const asks = { role: 'user', content: [{ type: 'text', text: probeQuestion }] };
  expect(probeMessages(messages, [two.asset.id, one.asset.id])).toEqual([
    { role: 'user', content: [two] },
    { role: 'user', content: [one] },
    asks,
  ]);
  expect(probeMessages(messages, [(blocks[2] as ImageBlock).asset.id])).toEqual([asks]);
});

const complaint: MessageError = {
  type: 'message-error',
  code: 'media',
  message: 'Could not process image',
  retryable: false,
};

/** Searches among so many pictures, with a provider that says of each small request one of these things. */
async function search(count: number, ...said: ModelEvent[][]): Promise<{ told: Probed[]; found?: Narrowed }> {
  const request = await prepare({ messages: conversation(count) }, { model, assets });
  let at = 0;
  const going = narrow(request, complaint, async function* () {
    yield* said[at++] ?? [];
  });
  const told: Probed[] = [];
  for (;;) {
    const { done, value } = await going.next();
    if (done === true) return { told, ...(value && { found: value }) };
    told.push(value);
  }
}

const taken: ModelEvent[] = [{ type: 'message-end', stop: 'end' }];
const ids = (from: number, to: number): string[] => blocks.slice(from, to).map(({ asset }) => asset.id);

test('who was never shown without the others is not surely guilty', async () => {
  const { found } = await search(4, taken, taken);
  expect(found).toEqual({ guilty: ids(3, 4), cleared: new Set(ids(0, 3)), sure: false, suspects: 4, probes: 2 });
  const { found: sure } = await search(4, [complaint], taken);
  expect(sure).toMatchObject({ guilty: ids(1, 2), cleared: new Set(ids(0, 1)), sure: true });
});

test('four small requests are the most, and what says nothing ends the search', async () => {
  const { found, told } = await search(40, taken, taken, taken, taken, taken);
  expect([told.length, found?.probes, found?.guilty]).toEqual([4, 4, ids(38, 40)]);
  expect(await search(4, [])).toEqual({ told: [] });
  expect(await search(1, taken)).toEqual({ told: [] });
  expect((await search(4, taken, [])).found).toMatchObject({ guilty: ids(2, 4), probes: 1 });
});
