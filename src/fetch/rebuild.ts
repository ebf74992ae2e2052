// One turn of a request → what goes out instead of it, or the word that it is good as it is. Its media are taken
// through the intake, placed by the planner as for any other conversation, and written by the wire.
import { isMedia } from '../content/block.ts';
import type { AssetId, Block, MediaBlock } from '../content/block.ts';
import { describeMedia, leftOutMedium } from '../content/words.ts';
import { refusalText } from '../content/refusal.ts';
import type { Message } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import type { Ledger } from '../window/ledger.ts';
import type { PlanItem } from '../window/plan-types.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { inline } from '../wire/body.ts';
import type { Fields } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import { covers } from '../wire/same-content.ts';
import type { Call } from '../wire/turns.ts';
import { settle } from './check-messages.ts';
import type { Settled } from './check-messages.ts';
import { protect } from './turns.ts';
import type { Workshop } from './workshop.ts';

type GivenTurn = {
  items: readonly Fields[];
  calls: readonly Call[];
  profile: Profile;
  list: string;
  /** Its media are left out, to fit the whole request. */
  leftOut: boolean;
  /** How many rungs each medium has to stand lower, because the provider refused it. */
  floors: ReadonlyMap<AssetId, number>;
  /** How many pictures one message may show. */
  maxImages: number;
  /** Told what descriptions of its pictures took. */
  spent: (spent: Spent) => void;
};

export type Rebuilt = {
  /** What goes out; undefined when the original does. */
  items?: Fields[];
  receipts: Receipt[];
  /** The media of the turn, and those that stand for them in the request. */
  media: AssetId[];
  images: number;
  tokens: number;
  /** Whether something was made of the bytes themselves: a smaller picture, pages, text. */
  derived: boolean;
};

const untouched: Rebuilt = { receipts: [], media: [], images: 0, tokens: 0, derived: false };

export async function rebuild(turn: GivenTurn, workshop: Workshop, signal?: AbortSignal): Promise<Rebuilt> {
  const { calls, profile } = turn;
  const { wire } = profile;
  const { turns } = wires[wire];
  const own = turn.items.filter((item) => turns.role(item) !== 'other');
  const others = turn.items.filter((item) => turns.role(item) === 'other');
  const repaired = turns.repair(own, calls);
  const safe = protect(repaired, wire);
  const body = { model: profile.id, [turn.list]: [...(calls.length > 0 ? turns.opener(calls) : []), ...safe.items] };
  const read = wires[wire].accept(body, { endpoint: profile.endpoint, model: profile.id });
  if (!read.ok) return untouched;
  const settled = await settle(read.value.transcript.messages, workshop.intake);
  signal?.throwIfAborted();
  if (settled.media === 0 || settled.foreign) return untouched;
  // Nobody knows what this model takes, but whoever wrote the message may.
  if (calls.length === 0 && profile.family === 'unknown' && !settled.changed && !workshop.isBlind) return untouched;

  const messages = turn.leftOut ? settled.messages.map(withoutMedia) : settled.messages;
  const planned = await planTurn(messages, turn, workshop, signal);
  const late = planned.receipts.some(({ action, subject }) => action === 'repaired' && subject === 'late');
  if (late) return untouched;
  const receipts = [...troubles(settled), ...planned.receipts, ...(turn.leftOut ? leftOut(settled) : [])].filter(
    concernsMedia,
  );
  const items = planned.plan.items.slice(planned.plan.items.findIndex(({ role }) => role === 'assistant') + 1);
  const told = summary(items, receipts, settled);
  const { skeleton } = wires[wire].encode({ ...planned.plan, tools: [], items });
  const written = (await inline({ skeleton: (skeleton as unknown as Fields)[turn.list] }, (id) =>
    workshop.assets.stream(id),
  )) as Fields[];
  const sound =
    repaired === own && !settled.changed && others.length === 0 && receipts.every(({ action }) => action === 'inside');
  if (sound && covers(turns.media(own), turns.media(written))) return told;
  return { ...told, items: [...turns.finish(safe.restore(written) as Fields[], own, calls), ...others] };
}

/** The planner's view of a turn: this one alone. Ids stay as they are, since the calls stay as they are. */
async function planTurn(
  messages: readonly Message[],
  { profile, floors, maxImages, spent }: GivenTurn,
  workshop: Workshop,
  signal?: AbortSignal,
): ReturnType<Workshop['plan']> {
  const own: Profile = { ...profile, callId: { pattern: '', max: Number.MAX_SAFE_INTEGER } };
  const input = {
    transcript: { version: 1 as const, messages: [...messages] },
    profile: own,
    cache: 'off' as const,
    policy: { ...workshop.policy, maxImagesPerMessage: maxImages },
    readPictures: workshop.readPictures,
  };
  let result = await workshop.plan(input, signal, spent);
  let ledger: Ledger = result.ledger;
  for (let rung = 1; ; rung++) {
    const lower = new Set([...floors].filter(([, floor]) => floor >= rung).map(([id]) => id));
    if (lower.size === 0) return result;
    result = await workshop.plan({ ...input, ledger, lower }, signal, spent);
    ledger = result.ledger;
  }
}

function withoutMedia<Kind extends Message>(message: Kind): Kind {
  const content = message.content.map((block): Block =>
    isMedia(block) ? { type: 'text', text: leftOutMedium(block, false) } : block,
  );
  return { ...message, content };
}

function mediaOf({ messages }: Settled): MediaBlock[] {
  return messages.flatMap(({ content }) => content.filter(isMedia));
}

function leftOut(settled: Settled): Receipt[] {
  return mediaOf(settled).map((block) => ({
    action: 'words',
    subject: describeMedia(block),
    why: 'left out to fit the request',
    asset: block.asset.id,
    place: 'words',
  }));
}

function troubles({ refusals }: Settled): Receipt[] {
  return refusals.map(({ what, refusal }) => ({ action: 'words', subject: what, why: refusalText(refusal) }));
}

/** Receipts about the frame of the little conversation mean nothing to anybody. */
function concernsMedia({ action, subject }: Receipt): boolean {
  if (action === 'repaired') return subject === 'unanswered' || subject === 'reordered';
  return action !== 'assumed' && action !== 'checkpoint' && action !== 'frozen' && action !== 'ignored';
}

function summary(items: readonly PlanItem[], receipts: readonly Receipt[], settled: Settled): Rebuilt {
  const shown = items.flatMap((item) =>
    item.role === 'user'
      ? item.content
      : item.role === 'batch'
        ? [...item.results.flatMap(({ content }) => content), ...item.after]
        : [],
  );
  const media = shown.filter((block) => block.type !== 'text');
  const originals = new Set(mediaOf(settled).map(({ asset }) => asset.id));
  return {
    receipts: [...receipts],
    media: [...originals],
    images: media.filter(({ type }) => type === 'image').length,
    tokens: receipts.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    derived:
      receipts.some(({ action }) => action !== 'inside' && action !== 'after') ||
      media.some(({ asset }) => !originals.has(asset.id)),
  };
}
