// A conversation that is too heavy → the same with its oldest parts gone, in one batch, down to well below the ceiling:
// media of old results, then old results' texts, then media of old user messages, then whole old turns. The last two
// turns are touched only when nothing else helps. Whatever goes leaves words, and every call stays answered.
import { leftOutMedium } from '../content/describe.ts';
import type { Refusal } from '../content/refusal.ts';
import type { Transcript } from '../message/message.ts';
import { add, exceeds, subtract, target, weightless, weightOfFrame, weightOfItem } from './budget.ts';
import type { Weight } from './budget.ts';
import { mediaOf, planItem } from './item.ts';
import type { Cut, Desk, Draft } from './item.ts';
import type { Decision } from './ladder.ts';
import type { Profile } from './profile.ts';

export type FitInput = {
  transcript: Transcript;
  profile: Profile;
  ceiling: Weight;
  /** How many of the items stand in the last request as they are: cutting one of them moves the prefix. */
  sent: number;
  open: () => Desk;
};

export type Fitted = { ok: true; drafts: Draft[]; moved: boolean } | { ok: false; refusal: Refusal };

/** Cuts as little as possible, oldest first, until the request fits. */
export function fitBudget(drafts: Draft[], input: FitInput): Fitted {
  const { profile, transcript, ceiling } = input;
  const desk = input.open();
  const weigh = (draft: Draft): Weight => {
    const planned = planItem(draft, desk);
    return planned ? weightOfItem(planned, profile.tokens) : weightless;
  };
  const weights = drafts.map(weigh);
  let total = weights.reduce(add, weightOfFrame(transcript.system, transcript.tools ?? []));
  if (!exceeds(total, ceiling)) return { ok: true, drafts, moved: false };

  const aim = target(total, ceiling);
  const cut = [...drafts];
  let firstCut = drafts.length;
  for (const { step, protectedToo } of steps(drafts, profile, desk.viewable)) {
    if (!exceeds(total, protectedToo ? ceiling : aim)) break;
    const before = cut[step.index];
    const after = before && step.apply(before);
    if (!after || after === before) continue;
    const weight = weigh(after);
    const old = weights[step.index] ?? weightless;
    if (weight.tokens >= old.tokens && weight.bytes >= old.bytes && weight.images >= old.images) continue;
    total = add(subtract(total, old), weight);
    cut[step.index] = after;
    weights[step.index] = weight;
    firstCut = Math.min(firstCut, step.index);
  }
  if (exceeds(total, ceiling)) return { ok: false, refusal: tooHeavy(total, ceiling, profile) };
  const moved = firstCut < input.sent;
  return { ok: true, drafts: moved && profile.boundThinking ? unbind(cut, firstCut, input.sent) : cut, moved };
}

type Step = { index: number; apply: (draft: Draft) => Draft };

/** Every cut that may be made, in the order in which it is made. */
function steps(drafts: readonly Draft[], profile: Profile, viewable: boolean): { step: Step; protectedToo: boolean }[] {
  const kept = protectedFrom(drafts);
  const old = drafts.slice(0, kept).map((draft, index) => ({ draft, index }));
  const recent = drafts.slice(kept).map((draft, at) => ({ draft, index: kept + at }));
  const media = (some: typeof old): Step[] =>
    some.flatMap(({ draft, index }) => mediaSteps(draft, index, profile, viewable));
  const texts = (some: typeof old): Step[] => some.map(({ index }) => ({ index, apply: cutTo('text') }));
  const first = [
    ...media(old.filter(isBatch)),
    ...texts(old.filter(isBatch)),
    ...media(old.filter(isUser)),
    ...old.map(({ index }): Step => ({ index, apply: cutTo('all') })),
  ];
  const last = [...media(recent), ...texts(recent.filter(isBatch))];
  return [
    ...first.map((step) => ({ step, protectedToo: false })),
    ...last.map((step) => ({ step, protectedToo: true })),
  ];
}

type Placed = { draft: Draft; index: number };

function isBatch({ draft }: Placed): boolean {
  return draft.item.role === 'batch';
}

function isUser({ draft }: Placed): boolean {
  return draft.item.role === 'user';
}

/** Where the last two turns begin, with the words that led to them. */
function protectedFrom(drafts: readonly Draft[]): number {
  const turns = drafts.flatMap(({ item }, index) => (item.role === 'assistant' ? [index] : []));
  let start = turns.at(-2) ?? 0;
  while (start > 0 && drafts[start - 1]?.item.role === 'user') start--;
  return start;
}

function mediaSteps({ item }: Draft, index: number, profile: Profile, viewable: boolean): Step[] {
  return mediaOf(item).map(({ block }, at) => ({
    index,
    apply: (draft) => {
      const decision = draft.decisions[at];
      const heavy = decision && (decision.place !== 'words' || decision.action === 'text');
      if (!heavy) return draft;
      const text = leftOutMedium(block, viewable);
      const why = `left out to fit the window of ${profile.id}`;
      const words: Decision = { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why };
      return { ...draft, decisions: draft.decisions.with(at, words) };
    },
  }));
}

function cutTo(cut: Cut): Step['apply'] {
  return (draft) => (draft.cut === 'all' || draft.cut === cut ? draft : { ...draft, cut });
}

/** Thinking that was bound to what is now changed cannot go back. */
function unbind(drafts: readonly Draft[], from: number, sent: number): Draft[] {
  return drafts.map((draft, index) => (index >= from && index < sent ? { ...draft, unbound: true } : draft));
}

function tooHeavy(weight: Weight, ceiling: Weight, profile: Profile): Refusal {
  const units: [keyof Weight, string][] = [
    ['tokens', 'tokens'],
    ['bytes', 'bytes'],
    ['images', 'pictures'],
  ];
  const over = units.filter(([key]) => weight[key] > ceiling[key]);
  const say = (from: Weight): string =>
    over.map(([key, unit]) => `${from[key].toLocaleString('en-US')} ${unit}`).join(', ');
  return {
    code: 'too-large',
    what: `The request does not fit ${profile.model}, even with everything old left out: about ${say(weight)}`,
    limit: say(ceiling),
    next: 'Shorten the system prompt, the tools or the newest messages, or use a model with a larger window.',
  };
}
