// A turn of somebody else's request, in our terms → what goes out for it: media checked, placed by the planner as for any
// other conversation, or the word that there is nothing to decide.
import { isCarried, isMedia, mediumId } from '../content/block.ts';
import type { Block, CarriedBlock, MediaBlock, MediumId, ReferenceBlock } from '../content/block.ts';
import { describeMedia, leftOutMedium } from '../content/words.ts';
import { refusalText } from '../content/refusal.ts';
import type { Message, MessageInput } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import type { Ledger } from '../window/ledger.ts';
import type { Plan, PlanItem, UrlPolicy } from '../window/plan-types.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { kindOfShown, shownMedia } from '../window/shown.ts';
import { sentWays } from '../window/unseen.ts';
import type { SentWay, Unseen } from '../window/unseen.ts';
import { settle } from './check-messages.ts';
import type { Settled } from './check-messages.ts';
import type { Workshop } from './workshop.ts';

export type TurnRules = {
  profile: Profile;
  /** Its media are left out, to fit the whole request. */
  leftOut: boolean;
  /** How many rungs each medium has to stand lower, because the provider refused it. */
  floors: ReadonlyMap<MediumId, number>;
  /** What becomes of addresses. */
  urls: UrlPolicy;
  /** The ways on which nothing was seen. */
  unseen: Unseen;
  /** How many pictures one message may show. */
  maxImages: number;
  /** Told what descriptions of its pictures took. */
  spent: (spent: Spent) => void;
};

/** What became of the media of a turn. */
export type TurnMedia = {
  receipts: Receipt[];
  /** The media of the turn that were decided about. */
  media: MediumId[];
  /** Those in the request that lie elsewhere. */
  elsewhere: MediumId[];
  /** How each goes that is shown. */
  ways: SentWay[];
  images: number;
  tokens: number;
  /** Whether something was made of the bytes themselves: a smaller picture, pages, text. */
  derived: boolean;
};

export type DecidedTurn = TurnMedia & {
  plan: Plan;
  /** What follows the calls. */
  items: PlanItem[];
  /** Whether the messages were read as they stand, and every medium stays inside its own. */
  asItCame: boolean;
};

/** Decides a turn; undefined when there is no medium in it, or one that may well be right as it stands. */
export async function decideTurn(
  messages: readonly MessageInput[],
  rules: TurnRules,
  workshop: Workshop,
  signal?: AbortSignal,
): Promise<DecidedTurn | undefined> {
  const { profile } = rules;
  const settled = await settle(messages, workshop.intake, profile);
  signal?.throwIfAborted();
  if (settled.media === 0 || settled.foreign) return undefined;
  // Nobody knows what this model takes, but whoever wrote the message may.
  const isUsers = messages.every(({ role }) => role === 'user');
  if (isUsers && profile.family === 'unknown' && !settled.changed && !workshop.isBlind) return undefined;

  const shown = rules.leftOut ? settled.messages.map(withoutMedia) : settled.messages;
  const planned = await planTurn(shown, rules, workshop, signal);
  const late = planned.receipts.some(({ action, subject }) => action === 'repaired' && subject === 'late');
  if (late) return undefined;
  const receipts = [...troubles(settled), ...planned.receipts, ...(rules.leftOut ? leftOut(settled) : [])].filter(
    concernsMedia,
  );
  const items = planned.plan.items.slice(planned.plan.items.findIndex(({ role }) => role === 'assistant') + 1);
  const asItCame = !settled.changed && receipts.every(({ action }) => action === 'inside');
  return { ...summary(items, receipts, settled), plan: planned.plan, items, asItCame };
}

/** The planner's view of a turn: this one alone. Ids stay as they are, since the calls stay as they are. */
async function planTurn(
  messages: readonly Message[],
  { profile, floors, maxImages, spent, urls }: TurnRules,
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
    urls,
  };
  let result = await workshop.plan(input, signal, spent);
  let ledger: Ledger = result.ledger;
  const below = stepsBelow(floors, messages, result.plan);
  for (let rung = 1; ; rung++) {
    const lower = new Set([...below].filter(([, steps]) => steps >= rung).map(([id]) => id));
    if (lower.size === 0) return result;
    result = await workshop.plan({ ...input, ledger, lower }, signal, spent);
    ledger = result.ledger;
  }
}

/** How far each refused medium has to go down from where this plan has it. What was refused as it came, by an address that no
 * plan passes on, is a step lower already. */
function stepsBelow(floors: TurnRules['floors'], messages: readonly Message[], plan: Plan): TurnRules['floors'] {
  if (floors.size === 0) return floors;
  const passed = new Set(elsewhereIn(messages, plan));
  const given = new Set(messages.flatMap(({ content }) => content.filter(isCarried).map(mediumId)));
  const isLower = (id: MediumId): boolean => !id.startsWith('sha256:') && given.has(id) && !passed.has(id);
  return new Map([...floors].map(([id, floor]) => [id, isLower(id) ? floor - 1 : floor]));
}

/** The media of messages that a plan names by where they lie. */
function elsewhereIn(messages: readonly Message[], plan: Pick<Plan, 'items'>): MediumId[] {
  const remote = new Set(shownMedia(plan).flatMap((one) => (one.type === 'remote' ? [JSON.stringify(one.at)] : [])));
  const given = messages.flatMap(({ content }) => content.filter((block) => block.type === 'reference'));
  return given.filter((block) => remote.has(atOf(block))).map(mediumId);
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

function summary(items: PlanItem[], receipts: readonly Receipt[], { messages }: Settled): TurnMedia {
  const media = shownMedia({ items });
  const given = messages.flatMap(({ content }): CarriedBlock[] => content.filter(isCarried));
  const originals = new Set<MediumId>(given.map(mediumId));
  return {
    receipts: [...receipts],
    media: [...originals],
    elsewhere: elsewhereIn(messages, { items }),
    ways: sentWays({ items }),
    images: media.filter((one) => kindOfShown(one) === 'image').length,
    tokens: receipts.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    derived:
      receipts.some(({ action }) => action !== 'inside' && action !== 'after') ||
      media.some((block) => 'asset' in block && !originals.has(block.asset.id)),
  };
}

/** Where a medium lies, as plans say it. */
function atOf({ at }: ReferenceBlock): string {
  return JSON.stringify('url' in at ? at : { file: at.file.id });
}
