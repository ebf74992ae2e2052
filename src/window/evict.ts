// A conversation that is too heavy → the same with its oldest parts gone, in one batch, down to well below the ceiling:
// media of old results, then old results' texts, then media of old user messages, then whole old turns. The last two
// turns are touched only when nothing else helps, and then gently first. Whatever goes leaves words, and every call
// stays answered.
import { grouped } from '../content/figures.ts';
import { leftOutMedium } from '../content/words.ts';
import type { Refusal } from '../content/refusal.ts';
import { add, exceeds, lengthWithin, subtract, target, weightless, weightOfBlocks, weightOfItem } from './budget.ts';
import type { Weight } from './budget.ts';
import { altered, countedWeight, leftOutLine, mediaOf, showsMedia, written } from './draft.ts';
import type { PlanContext, Draft } from './draft.ts';
import { moveToFile } from './carrier.ts';
import { leastOfResult } from './write-item.ts';
import type { Cut } from './write-item.ts';
import { copiesIn, heirOf } from './repeated.ts';
import { documentKey } from './shown-documents.ts';
import { newestPicture, picturesOf, surplus } from './retention.ts';
import { stands } from './decide.ts';
import type { Decision } from './decide.ts';
import type { Profile } from './profile.ts';
import { unbind } from './quarantine.ts';
import type { Need } from './rendition.ts';
import { fewerPixels, inOnePiece, reductions } from './reduce.ts';
import type { Reduction, Spare } from './reduce.ts';
import type { CountText } from './tokens.ts';

type FitInput = {
  ceiling: Weight;
  /** What the request weighs without its messages. */
  frame: Weight;
  /** How many of the items stand in the last request as they are: cutting one of them moves the prefix. */
  sent: number;
  context: PlanContext;
  /** What to multiply estimated tokens with. */
  correction: number;
  /** Asked when the request comes near its ceiling. */
  countText?: CountText | undefined;
  /** What the first drafts come to together, if that is known. */
  head?: Head | undefined;
};

export type Head = {
  count: number;
  weight: Weight;
  /** How many of its tokens are those of media. */
  media: number;
  /** The long edge of the largest picture. */
  edge: number;
  /** The first draft that shows a picture. */
  picture?: number;
};

type Fitted =
  /** `firstCut`: the first item of the last request that changed, if one did. */
  | {
      ok: true;
      drafts: readonly Draft[];
      total: Weight;
      near: boolean;
      counted: boolean;
      firstCut?: number;
    }
  | { ok: false; needs: Need[] }
  | { ok: false; refusal: Refusal };

/** Cuts as little as possible, oldest first, until the request fits. */
export function fitBudget(drafts: readonly Draft[], input: FitInput): Fitted {
  const { sent, context, frame, head = noHead } = input;
  const { profile } = context;
  const ceiling = { ...input.ceiling, tokens: Math.floor(input.ceiling.tokens / input.correction) };
  const cut = [...drafts];
  const estimate = sumOf(drafts, head.count, (draft) => written(draft, profile).weight, add(frame, head.weight));
  const near = isNear(estimate, ceiling, drafts, head, profile);
  const countText = near ? input.countText : undefined;
  const weigh = (draft: Draft): Weight =>
    countText ? countedWeight(draft, profile, countText) : written(draft, profile).weight;
  let total = countText ? sumOf(drafts, 0, weigh, frame) : estimate;
  const scale: Scale = {
    weigh,
    weighBlocks: (blocks) => weightOfBlocks(blocks, profile.tokens, countText),
    over: () => subtract(total, ceiling),
  };
  let firstCut = Infinity;
  // What goes altogether is told in a line: until it is known how long that is, the longest counts.
  let line = weightless;
  const tell = (): void => {
    if (line !== weightless) return;
    line = weightOfItem(leftOutLine(drafts), profile.tokens);
    total = add(total, line);
  };
  if (drafts.some(isGone)) tell();
  const copies = copiesIn(drafts);
  let inherited = 0;
  const apply = (index: number, change: (draft: Draft) => Draft, always = false): void => {
    const draft = cut[index];
    const after = draft && change(draft);
    if (!draft || !after || after === draft) return;
    const [old, now] = [weigh(draft), weigh(after)];
    if (!always && now.tokens >= old.tokens && now.bytes >= old.bytes && now.images >= old.images) return;
    total = add(subtract(total, old), now);
    cut[index] = after;
    firstCut = Math.min(firstCut, index);
    if (isGone(after)) tell();
    if (copies.size > 0)
      for (const { block } of mediaOf(draft.item)) {
        const found = heirOf(documentKey(block) ?? '', copies, cut);
        if (!found) continue;
        const [at, heir] = found;
        total = add(subtract(total, weigh(cut[at] as Draft)), weigh(heir));
        cut[at] = heir;
        inherited++;
      }
  };

  // What goes may be shown by its next copy, which may be too much again.
  for (let before = -1; before !== inherited;) {
    before = inherited;
    const { media, why } = surplus(cut, context.policy, profile);
    for (const [index, at] of media) apply(index, wordsFor(at, context, why), true);
  }
  for (const { index, change } of stepsByCount(cut, () => total, ceiling, context, scale)) apply(index, change, true);
  if (total.bytes > ceiling.bytes && context.uploads)
    for (const { index, change } of fileSteps(cut, context, () => total.bytes > ceiling.bytes)) apply(index, change);
  if (exceeds(total, ceiling)) {
    const aim = target(total, ceiling);
    for (const { index, change, tied } of oldSteps(cut, context)) {
      if (!tied && !exceeds(total, aim)) break;
      apply(index, change);
    }
  }
  const { above, maxEdge } = profile.manyImages ?? { above: Infinity, maxEdge: 0 };
  if (total.images > above && largestEdge(cut, firstCut === Infinity ? head : noHead, profile) > maxEdge) {
    for (const { index, change } of reductionSteps(cut, 0, fewerPixels, context, scale)) apply(index, change, true);
  }
  if (exceeds(total, ceiling)) {
    for (const { index, change } of recentSteps(cut, context, scale)) {
      if (!exceeds(total, ceiling)) break;
      apply(index, change);
    }
  }
  if (context.needs.size > 0) return { ok: false, needs: [...context.needs.values()] };
  if (exceeds(total, ceiling)) return { ok: false, refusal: tooHeavy(total, ceiling, profile) };
  if (line !== weightless)
    total = add(subtract(total, line), weightOfItem(leftOutLine(cut.filter(isGone)), profile.tokens));
  // Turns that are gone altogether are told in a line where the conversation begins: from there on the prefix moves.
  if (cut.some((draft, index) => isGone(draft) && draft !== drafts[index])) firstCut = 0;
  const done = { ok: true as const, total, near, counted: countText !== undefined };
  if (firstCut >= sent) return { ...done, drafts: cut };
  return { ...done, drafts: profile.boundThinking ? unbind(cut, firstCut, sent) : cut, firstCut };
}

/**
 * How many of the oldest must give up what they weigh so that all of them, with the frame, come well below the ceiling;
 * none while they do not pass it. The newest one keeps its own, come what may.
 */
export function oldestOver(weights: readonly Weight[], frame: Weight, ceiling: Weight): number {
  let total = weights.reduce(add, frame);
  const aim = target(total, ceiling);
  let out = 0;
  while (out < weights.length - 1 && exceeds(total, aim)) total = subtract(total, weights[out++] ?? weightless);
  return out;
}

/** Pictures beyond the count that a request may have, the oldest first. */
function* stepsByCount(
  cut: readonly Draft[],
  total: () => Weight,
  ceiling: Weight,
  context: PlanContext,
  scale: Scale,
): Generator<EvictStep> {
  if (total().images <= ceiling.images) return;
  for (const step of reductionSteps(cut, 0, inOnePiece, context, scale))
    if (total().images > ceiling.images) yield step;
  const aim = target(total(), ceiling).images;
  const recent = protectedFrom(cut);
  for (const step of pictureSteps(cut, context))
    if (total().images > (step.index < recent ? aim : ceiling.images)) yield step;
}

/** What things weigh in one planning, and how much too much everything is now. */
type Scale = {
  weigh: (draft: Draft) => Weight;
  weighBlocks: Spare['weigh'];
  over: () => Weight;
};

/** What the last turns can give up, gently first; nothing while something has to be made for it. A medium goes only where
 * shorter texts alone would not be enough. */
function* recentSteps(cut: readonly Draft[], context: PlanContext, scale: Scale): Generator<EvictStep> {
  const recent = protectedFrom(cut);
  const gentle = reductions.flatMap((reduction) => reductionSteps(cut, recent, reduction, context, scale));
  // All that could help is asked for at once; what turns out not to be needed was small and is remembered.
  if (context.needs.size === 0) for (const { index, change } of gentle) change(cut[index] as Draft);
  if (context.needs.size > 0) return;
  yield* gentle;
  const texts = textSteps(cut, recent, scale);
  const media = mediaSteps(cut, recent, cut.length, context);
  for (const step of media) if (!fitsShortened(cut, recent, scale)) yield step;
  yield* texts;
  for (const { index } of texts) yield { index, change: cutTo('text') };
}

/** Whether everything would fit with the texts of the last turns as short as they go. */
function fitsShortened(cut: readonly Draft[], recent: number, { weigh, over }: Scale): boolean {
  let least = over();
  for (const draft of cut.slice(recent)) {
    if (draft.item.role !== 'batch' || !showsMedia(draft)) continue;
    least = add(subtract(least, weigh(draft)), weigh(altered(draft, { cut: 'short', keep: leastOfResult })));
  }
  return !exceeds(least, weightless);
}

function isGone({ cut }: Draft): boolean {
  return cut === 'all';
}

export const noHead: Head = { count: 0, weight: weightless, media: 0, edge: 0 };

/** Whether the texts of a request, were they twice what they are taken for, would be too much. The tokens of media
 * follow from their sizes: counting changes nothing about them. */
function isNear({ tokens }: Weight, ceiling: Weight, drafts: readonly Draft[], head: Head, profile: Profile): boolean {
  if (tokens * 2 <= ceiling.tokens) return false;
  let { media } = head;
  for (let index = head.count; index < drafts.length; index++) media += written(drafts[index] as Draft, profile).media;
  return tokens * 2 - media > ceiling.tokens;
}

function largestEdge(drafts: readonly Draft[], head: Head, profile: Profile): number {
  let { edge } = head;
  for (let index = head.count; index < drafts.length; index++)
    edge = Math.max(edge, written(drafts[index] as Draft, profile).edge);
  return edge;
}

function sumOf(drafts: readonly Draft[], from: number, weigh: (draft: Draft) => Weight, start: Weight): Weight {
  const sum = { ...start };
  for (let index = from; index < drafts.length; index++) {
    const { tokens, bytes, images } = weigh(drafts[index] as Draft);
    sum.tokens += tokens;
    sum.bytes += bytes;
    sum.images += images;
  }
  return sum;
}

/** `at`: the medium it is about. `tied`: it is made if the one before it was, for calls never go without their results. */
type EvictStep = { index: number; at?: number; change: (draft: Draft) => Draft; tied?: boolean };

/** Pictures alone make room for pictures: those of old results first, then what the user showed, the newest one last. */
function pictureSteps(drafts: readonly Draft[], context: PlanContext): EvictStep[] {
  const kept = protectedFrom(drafts);
  const newest = newestPicture(drafts);
  const isPicture = (index: number, at: number): boolean => picturesOf(drafts[index]?.decisions[at] as Decision) > 0;
  const steps = mediaSteps(drafts, 0, drafts.length, context).filter(({ index, at = 0 }) => isPicture(index, at));
  const rank = ({ index, at }: EvictStep): number => {
    if (index === newest?.[0] && at === newest[1]) return 3;
    return index >= kept ? 2 : drafts[index]?.item.role === 'user' ? 1 : 0;
  };
  return steps.toSorted((one, other) => rank(one) - rank(other));
}

/** The cuts before the last two turns, in the order in which they are made. */
function* oldSteps(drafts: readonly Draft[], context: PlanContext): Generator<EvictStep> {
  const kept = protectedFrom(drafts);
  const newest = newestPicture(drafts);
  const media = (role: string): EvictStep[] => mediaSteps(drafts, 0, kept, context, newest).filter(isOf(drafts, role));
  yield* media('batch');
  for (const [index, { item }] of drafts.slice(0, kept).entries())
    if (item.role === 'batch') yield { index, change: cutTo('text') };
  yield* media('user');
  for (const [index, { item }] of drafts.slice(0, kept).entries())
    yield { index, change: cutTo('all'), tied: item.role === 'batch' };
}

/** Where bytes force the prefix to move, media that were uploaded need not leave: all before the last turns go by their ids, and
 * theirs, too, where that is not enough. */
function* fileSteps(drafts: readonly Draft[], context: PlanContext, isOver: () => boolean): Generator<EvictStep> {
  const edge = protectedFrom(drafts);
  for (const step of stepsToFile(drafts, context)) if (step.index < edge || isOver()) yield step;
}

function stepsToFile(drafts: readonly Draft[], context: PlanContext): EvictStep[] {
  return drafts.map((draft, index) => ({
    index,
    change: (now) => {
      const media = mediaOf(draft.item);
      const decisions = now.decisions.map((decision, at) => {
        const medium = media[at];
        return (medium && moveToFile(medium.slot, decision, context)) ?? decision;
      });
      return decisions.some((decision, at) => decision !== now.decisions[at]) ? altered(now, { decisions }) : now;
    },
  }));
}

function isOf(drafts: readonly Draft[], role: string): (step: EvictStep) => boolean {
  return ({ index }) => drafts[index]?.item.role === role;
}

/** Where the last two turns begin, with the words that led to them. */
function protectedFrom(drafts: readonly Draft[]): number {
  let start = drafts.length;
  for (let turns = 0; turns < 2 && start > 0;) if (drafts[--start]?.item.role === 'assistant') turns++;
  while (start > 0 && drafts[start - 1]?.item.role === 'user') start--;
  return start;
}

function mediaSteps(
  drafts: readonly Draft[],
  from: number,
  to: number,
  context: PlanContext,
  spared?: readonly [number, number],
): EvictStep[] {
  return drafts.slice(from, to).flatMap((draft, offset) =>
    draft.decisions.flatMap((decision, at): EvictStep[] => {
      const index = from + offset;
      const isSpared = spared?.[0] === index && spared[1] === at;
      return (stands(decision) || decision.again) && !isSpared ? [{ index, at, change: wordsFor(at, context) }] : [];
    }),
  );
}

/** Words in place of one medium. */
function wordsFor(at: number, { viewable, profile }: PlanContext, told?: string): EvictStep['change'] {
  return (draft) => {
    const [decision, medium] = [draft.decisions[at], mediaOf(draft.item)[at]];
    if (!decision || !medium || !stands(decision)) return draft;
    const text = leftOutMedium(medium.block, viewable, told);
    const why = told ?? `left out to fit the window of ${profile.id}`;
    const words: Decision = { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why };
    return altered(draft, { decisions: draft.decisions.with(at, words) });
  };
}

function reductionSteps(
  drafts: readonly Draft[],
  from: number,
  reduction: Reduction,
  context: PlanContext,
  { weighBlocks, over }: Scale,
): EvictStep[] {
  return drafts.slice(from).flatMap((draft, offset) =>
    draft.decisions.map((_, at): EvictStep => ({
      index: from + offset,
      change: (now) => {
        const [decision, medium] = [now.decisions[at], mediaOf(now.item)[at]];
        if (!decision || !medium) return now;
        const room = { weigh: weighBlocks, left: subtract(weighBlocks(decision.blocks), over()) };
        const lighter = reduction(medium, decision, context, room);
        return lighter ? altered(now, { decisions: now.decisions.with(at, lighter) }) : now;
      },
    })),
  );
}

/** Long texts of results become as short as it needs. */
function textSteps(drafts: readonly Draft[], from: number, { weigh, over }: Scale): EvictStep[] {
  const shortened = (draft: Draft): Draft => {
    if (!showsMedia(draft)) return draft;
    const short = (keep: number): Draft => altered(draft, { cut: 'short', keep: Math.max(leastOfResult, keep) });
    const room = subtract(weigh(draft), over());
    return short(lengthWithin(longestIn(draft), leastOfResult, (length) => weigh(short(length)), room));
  };
  return drafts.flatMap(({ item }, index) =>
    index >= from && item.role === 'batch' ? [{ index, change: shortened }] : [],
  );
}

/** The characters of the longest text that the results of an item keep. */
function longestIn({ item, cut, keep = leastOfResult }: Draft): number {
  if (item.role !== 'batch') return 0;
  const texts = item.results.flatMap(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text.length : 0)),
  );
  return Math.min(cut === 'short' ? keep : Infinity, Math.max(0, ...texts));
}

function cutTo(cut: Cut): EvictStep['change'] {
  return (draft) => (draft.cut === 'all' || draft.cut === cut ? draft : altered(draft, { cut }));
}

function tooHeavy(weight: Weight, ceiling: Weight, profile: Profile): Refusal {
  const units: [keyof Weight, string][] = [
    ['tokens', 'tokens'],
    ['bytes', 'bytes'],
    ['images', 'pictures'],
  ];
  const over = units.filter(([key]) => weight[key] > ceiling[key]);
  const say = (from: Weight): string =>
    over.map(([key, unit]) => `${grouped(Math.round(from[key]))} ${unit}`).join(', ');
  return {
    code: 'too-large',
    what: `The request does not fit ${profile.model}, even with everything old left out: about ${say(weight)}`,
    limit: say(ceiling),
    next: 'Shorten the system prompt, the tools or the newest messages, or use a model with a larger window.',
  };
}
