// A provider that takes less than the catalog says: one refusal teaches it, and the rest of the conversation knows.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { image } from '../../src/content/input.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import type { AnswerOptions } from '../../src/model/answer.ts';
import { memorySessions } from '../../src/session/index.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { all } from './all.ts';
import { hastyClock } from './hasty-clock.ts';
import { failWith, faultServer, rawBody, streamOf } from './fault-server.ts';
import type { Act, FaultServer, Heard } from './fault-server.ts';
import { shotBytes } from './shots.ts';

const model = 'anthropic/claude-sonnet-4-5';
let pictures: Uint8Array[] = [];
let servers: FaultServer[] = [];

beforeAll(async () => {
  pictures = await shotBytes(14);
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** This tokenizer needs twice as many tokens as one would think. */
const tokensOf = ({ length }: Heard): number => Math.ceil(length / 2);
const imagesIn = ({ body }: Heard): number => body.split('"type":"image"').length - 1;

function fine(heard: Heard): Act {
  return rawBody(streamOf('fine').replace('"input_tokens":10', `"input_tokens":${tokensOf(heard)}`));
}

const long = 'seven sober words of some plain prose '.repeat(160);
const talk = (turn: number): MessageInput => ({ role: 'user', content: `${turn} ${long}` });
const show = (turn: number): MessageInput => ({ role: 'user', content: [image(pictures[turn] ?? new Uint8Array())] });

const turns = (from: number, count: number): MessageInput[] =>
  Array.from({ length: count }, (_, at) => [
    talk(from + at),
    { role: 'assistant', model, content: 'fine' } as const,
  ]).flat();
const asked: MessageInput = { role: 'user', content: 'and now?' };

type Row = [name: string, say: (turn: number) => MessageInput, judge: (heard: Heard) => string | undefined];

const rows: Row[] = [
  [
    'tokens, when it names its limit',
    talk,
    (heard) => (tokensOf(heard) > 20_000 ? `prompt is too long: ${tokensOf(heard)} tokens > 20000 maximum` : undefined),
  ],
  ['tokens, when it names none', talk, (heard) => (tokensOf(heard) > 20_000 ? 'prompt is too long' : undefined)],
  ['bytes', talk, ({ length }) => (length > 40_000 ? 'Request exceeds the maximum size' : undefined)],
  [
    'pictures',
    show,
    (heard) => (imagesIn(heard) > 5 ? `too many images and documents: ${imagesIn(heard)} + 0 > 5` : undefined),
  ],
];

test.each(rows)('%s', async (_name, say, judge) => {
  const refused: number[] = [];
  let turn = 0;
  const server = await faultServer((heard) => {
    const why = judge(heard);
    if (why === undefined) return fine(heard);
    refused.push(turn);
    return failWith(400, why);
  });
  servers.push(server);
  // What an answer can be asked for counts as part of the window.
  const options: AnswerOptions = { model, assets: memoryAssets(), baseUrl: server.url, key: 'k', clock: hastyClock(), maxTokens: 1000 };
  const messages: MessageInput[] = [];
  let ledger: Ledger | undefined;
  for (; turn < 14; turn++) {
    messages.push(say(turn));
    for await (const event of answer({ messages }, { ...options, ledger })) {
      expect(event.type).not.toBe('message-error');
      // As it comes back from wherever it is kept.
      if (event.type === 'request-accepted') ledger = JSON.parse(JSON.stringify(event.ledger)) as Ledger;
      if (event.type === 'message-end')
        messages.push({ role: 'assistant', model, content: 'fine', ...(event.usage && { usage: event.usage }) });
    }
  }
  expect(refused).toHaveLength(1);
  expect(server.heard.length).toBe(15);
}); // prettier-ignore

test('a resumed session plans with it, and its screen is told the window that holds', async () => {
  const server = await faultServer((heard) =>
    tokensOf(heard) > 20_000
      ? failWith(400, `prompt is too long: ${tokensOf(heard)} tokens > 20000 maximum`)
      : fine(heard),
  );
  servers.push(server);
  await using sessions = memorySessions();
  await using session = await sessions.create();
  const options = {
    model,
    assets: session.assets,
    baseUrl: server.url,
    key: 'k',
    clock: hastyClock(),
    maxTokens: 1000,
  };
  for (const event of await all(answer({ messages: [...turns(0, 9), asked] }, options)))
    if (event.type === 'request-accepted') await session.append({ type: 'ledger', ledger: event.ledger });
  expect(server.heard).toHaveLength(2);
  const ledger = await session.ledger(model);
  const later = [...turns(0, 9), asked, { role: 'assistant', model, content: 'fine' } as const, ...turns(9, 4), asked];
  const events = await all(answer({ messages: later }, { ...options, ledger }));
  expect(server.heard).toHaveLength(3);
  expect(events.find((event) => event.type === 'request-ready')).toMatchObject({ contextTokens: 20_000 });
});

test('whoever states a window for the model is believed again', async () => {
  const server = await faultServer([failWith(400, 'prompt is too long: 30000 tokens > 20000 maximum')]);
  servers.push(server);
  const options = { model, assets: memoryAssets(), baseUrl: server.url, key: 'k', clock: hastyClock() };
  const messages = [...turns(0, 9), asked];
  const first = await all(answer({ messages }, options));
  const ledger = first.find((event) => event.type === 'request-accepted')?.ledger;
  expect(ledger?.entries[model]?.limits).toMatchObject({ contextTokens: 20_000 });
  const stated = { ...options, ledger, profile: { contextTokens: 100_000 } };
  const second = await all(answer({ messages }, stated));
  expect(second.find((event) => event.type === 'request-ready')).toMatchObject({ contextTokens: 100_000 });
});
