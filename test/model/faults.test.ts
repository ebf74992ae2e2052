// Hundreds of seeded sequences of faults on every wire: what media caused is healed, and nothing is left hanging.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import type { AnswerEvent } from '../../src/model/answer.ts';
import { profileFor } from '../../src/window/profile.ts';
import { endsEarly, failWith, faultServer, rawBody, redirectTo, reset, startsOnly } from './fault-server.ts';
import type { Act, Heard } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';
import { dislikes, fine, picturesIn } from './refusing-server.ts';
import { shots } from './shots.ts';

const models = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-opus-5-5',
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
];
const runs = 210;
const unhandled: unknown[] = [];
const listen = (reason: unknown): void => void unhandled.push(reason);
const assets: AssetStore = memoryAssets();
let blocks: ImageBlock[] = [];
let texts: string[] = [];

beforeAll(async () => {
  process.on('unhandledRejection', listen);
  ({ texts, blocks } = await shots(8, assets));
});

afterAll(() => void process.off('unhandledRejection', listen));

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = (seed * 2654435761) >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const passing: Act[] = [
  failWith(429, 'slow down'),
  failWith(429, 'slow down', { 'retry-after': '1' }),
  failWith(500, 'oops'),
  rawBody('<html>bad gateway</html>', 'text/html', 502),
  failWith(529, 'Overloaded'),
  reset,
  redirectTo('/v1/elsewhere'),
];
const lasting: Act[] = [
  endsEarly,
  startsOnly,
  rawBody('data: {nonsense\n\n'),
  failWith(401, 'no'),
  rawBody('<html>', 'text/html'),
];

function conversation(count: number, inUser: boolean): MessageInput[] {
  const shown = blocks.slice(0, count);
  if (inUser) return [{ role: 'user', content: ['See', ...shown] }];
  return [
    { role: 'user', content: 'Look' },
    { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'abcdefghi', name: 'shots', input: {} }] },
    { role: 'tool', callId: 'abcdefghi', name: 'shots', content: shown },
  ];
}

type Verdict = { kind: 'media' | 'lasting'; healed: boolean; last: AnswerEvent | undefined };

async function once(seed: number): Promise<Verdict> {
  const roll = dice(seed);
  const model = models[roll(models.length)] ?? '';
  const { wire } = profileFor(model);
  const count = 1 + roll(blocks.length);
  const guilty = Array.from({ length: 1 + roll(2) }, () => roll(count));
  const [named, everyForm, ends] = [roll(2) === 0, roll(4) === 0, roll(8) === 0];
  let faults = 0;
  let refused = false;
  const act = ({ body, url }: Heard): Act => {
    if (url.includes('/api/show')) return failWith(404, { error: 'not found' });
    if (faults < 2 && roll(3) === 0) {
      faults++;
      return passing[roll(passing.length)] ?? reset;
    }
    faults = 0;
    if (ends && roll(2) === 0) return lasting[roll(lasting.length)] ?? reset;
    const seen = picturesIn(wire, body);
    const bad = everyForm
      ? seen.slice(count - new Set(guilty).size)
      : seen.filter(({ data }) => guilty.some((at) => texts[at] === data));
    if (bad.length === 0) return fine(wire);
    refused = true;
    return dislikes(wire, named ? bad[0]?.path : undefined);
  };
  const server = await faultServer(act);
  const events: AnswerEvent[] = [];
  const options = { model, assets, baseUrl: server.url, key: 'k', clock: hastyClock(), random: () => roll(100) / 100 };
  for await (const event of answer({ messages: conversation(count, roll(3) === 0) }, options)) events.push(event);
  await server.close();
  const over = events.filter(({ type }) => type === 'message-end' || type === 'message-error');
  expect(over, `seed ${seed}`).toHaveLength(1);
  const healed = events.some(({ type }) => type === 'request-accepted');
  return { kind: ends || !refused ? 'lasting' : 'media', healed, last: events.at(-1) };
}

test(`${runs} sequences of faults end well, or with one clear error`, async () => {
  const verdicts: Verdict[] = [];
  for (let seed = 1; seed <= runs; seed += 6)
    verdicts.push(...(await Promise.all([0, 1, 2, 3, 4, 5].map((at) => once(seed + at)))));
  const media = verdicts.filter(({ kind }) => kind === 'media');
  const lost = media.filter(({ healed }) => !healed).map(({ last }) => last);
  expect(media.length).toBeGreaterThan(runs / 2);
  expect(lost.length / media.length, JSON.stringify(lost.slice(0, 5))).toBeLessThanOrEqual(0.05);
  expect(unhandled).toEqual([]);
});
