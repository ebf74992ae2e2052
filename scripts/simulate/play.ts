// Plays a conversation on a model under a policy, with the real planner, and adds up what its requests cost.
import { isMedia } from '../../src/content/block.ts';
import type { Block } from '../../src/content/block.ts';
import { leftOutMedium } from '../../src/content/words.ts';
import type { Message } from '../../src/message/message.ts';
import { moneyFor } from '../../src/window/prices.ts';
import type { Charged } from '../../src/window/prices.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { plan } from '../../src/window/plan.ts';
import type { Profile } from '../../src/window/profile.ts';
import { openCache } from './cache.ts';
import type { Loop } from './loops.ts';

/** Everything stays · the newest media alone, on every turn anew, as most agents do it · the planner decides. */
export type Way = 'everything' | 'sliding' | 'planned';

export type Played = {
  charged: Charged;
  dollars: number;
  /** How often the prefix moved. */
  moves: number;
  /** The step whose request the model would have refused. */
  failed?: number;
  /** Whether the newest medium was always in sight. */
  newest: boolean;
};

/** What an agent keeps that slides, unless the loop says. */
const window = 4;

export function play(loop: Loop, profile: Profile, way: Way, policy: MediaPolicy = policyOf(loop)): Played {
  const cache = openCache(profile);
  const limitless = { ...profile, contextTokens: 1e12, requestBytes: 1e15, maxImages: 1e9 };
  const charged: Charged = { fresh: 0, read: 0, written: 0, output: 0 };
  const played: Played = { charged, dollars: 0, moves: 0, newest: true };
  const slide = sliding(loop.keeps ?? window);
  let ledger: Ledger | undefined;
  let messages: Message[] = [];
  for (const [step, added] of loop.steps.entries()) {
    messages = messages.concat(added);
    if (way === 'sliding') messages = slide(messages);
    const input = { transcript: { version: 1 as const, ...loop.transcript, messages }, ledger };
    const result =
      way === 'everything'
        ? plan({ ...input, profile: limitless })
        : plan({ ...input, profile, policy: given(way, policy) });
    if (!result.plan) throw new Error(`step ${step}: there is no plan`);
    if (way === 'everything' && played.failed === undefined && !fits(result.totals.used, profile)) played.failed = step;
    ledger = result.ledger;
    const cost = cache({ ...result.plan, profile });
    for (const kind of ['fresh', 'read', 'written'] as const) charged[kind] += cost[kind];
    if (result.receipts.some(({ action }) => action === 'checkpoint')) played.moves++;
    const last = added.at(-1)?.content.findLast(isMedia);
    const shown = result.receipts.findLast(({ asset }) => asset !== undefined && asset === last?.asset.id);
    if (last && shown?.place === 'words') played.newest = false;
  }
  return { ...played, dollars: profile.prices ? moneyFor(charged, profile.prices) : 0 };
}

function policyOf({ keeps }: Loop): MediaPolicy {
  return keeps === undefined ? {} : { imagesToKeep: keeps };
}

function given(way: Way, policy: MediaPolicy): MediaPolicy {
  return way === 'planned' ? policy : {};
}

function fits({ tokens, bytes, images }: { tokens: number; bytes: number; images: number }, profile: Profile): boolean {
  const room = profile.contextTokens - profile.maxOutputTokens;
  return tokens <= room && bytes <= profile.requestBytes && images <= profile.maxImages;
}

/** Rewrites the history so that the newest media alone are in it. */
function sliding(keeps: number): (messages: readonly Message[]) => Message[] {
  return (messages) => {
    let left = keeps;
    return messages
      .toReversed()
      .map((message): Message => {
        if (!message.content.some(isMedia)) return message;
        const kept = left;
        left -= message.content.filter(isMedia).length;
        if (kept > 0) return message;
        const content = message.content.map((block): Block => {
          return isMedia(block) ? { type: 'text', text: leftOutMedium(block, true) } : block;
        });
        return { ...message, content };
      })
      .toReversed();
  };
}

/** Of all input tokens, the part that was read from the cache. */
export function cachedPart({ fresh, read, written }: Charged): number {
  return read / (fresh + read + written);
}
