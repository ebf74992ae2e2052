// The last resort, for media of the newest turns that alone do not fit: less detail, half the size, the first pages,
// the text, the beginning of the text. Each step costs the model something, so only as many are taken as it needs.
import type { CarriedBlock, DocumentBlock, ImageBlock } from '../content/block.ts';
import { lastPageIn, pageLabel, partHeading, reducedToFit } from '../content/words.ts';
import { exceeds, lengthWithin, target } from './budget.ts';
import type { Weight } from './budget.ts';
import type { PlanContext, Medium } from './draft.ts';
import { decideMedium } from './carrier.ts';
import { ask, halved, textDecision } from './decide.ts';
import type { Decision } from './decide.ts';
import type { Shown } from './plan-types.ts';

/** What everything else leaves for one medium, and how much of it blocks would take. */
export type Spare = { left: Weight; weigh: (blocks: readonly Shown[]) => Weight };

/** One way to make a medium lighter; nothing when it does not apply, or while the context still has to learn how. */
export type Reduction = (medium: Medium, decision: Decision, context: PlanContext, room: Spare) => Decision | undefined;

/** From the gentlest to the hardest. */
export const reductions: readonly Reduction[] = [
  noLargerThanRead,
  inOnePiece,
  lessDetail,
  halfSize,
  fittingPages,
  firstPages,
  asText,
  beginning,
];

/** Where a request has many pictures, one that is too large for that goes as its smaller self. */
export const fewerPixels: Reduction = ({ block, slot }, decision, context) => {
  const edge = context.profile.manyImages?.maxEdge ?? Infinity;
  const large = decision.blocks.some((shown) => shown.type === 'image' && Math.max(shown.width, shown.height) > edge);
  return large ? decideMedium(block, slot, { ...context, many: true }) : undefined;
};

/** A picture with large letters goes as small as they allow. */
function noLargerThanRead({ block, slot }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  if (block.type !== 'image' || !decision.legible || decision.action === 'tiles') return undefined;
  return decideMedium(block, slot, { ...context, policy: { ...context.policy, tiles: 'off', legibility: 'thrifty' } });
}

/** A picture that was cut into pieces goes whole, and tells where it can hardly be read. */
export function inOnePiece({ block, slot }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  if (decision.action !== 'tiles') return undefined;
  return decideMedium(block, slot, { ...context, policy: { ...context.policy, tiles: 'off' } });
}

function lessDetail(_medium: Medium, decision: Decision, { profile }: PlanContext): Decision | undefined {
  if (!profile.details.includes('low')) return undefined;
  const blocks = decision.blocks.map((shown): Shown => {
    return shown.type === 'image' && shown.detail !== 'low' ? { ...shown, detail: 'low' } : shown;
  });
  if (blocks.every((shown, at) => shown === decision.blocks[at])) return undefined;
  return { ...decision, blocks, action: 'reduced', why: reducedToFit };
}

function halfSize({ block }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  if (block.type !== 'image' || decision.place === 'words') return undefined;
  const shown = decision.blocks.find((one) => one.type === 'image');
  const low: Partial<ImageBlock> = shown?.detail === 'low' ? { detail: 'low' } : {};
  return halved({ ...block, ...low }, decision.place, reducedToFit, context) || undefined;
}

/** As many of the first pages as there is room for, where these are more than a quarter. */
function fittingPages({ block }: Medium, decision: Decision, context: PlanContext, room: Spare): Decision | undefined {
  if (block.type !== 'document') return undefined;
  const pages = pagesOf(block);
  const aim = target(room.weigh(decision.blocks), room.left);
  for (let count = pages; count > quarterOf(pages); count--) {
    const blocks = asPartOf(block, decision, count);
    if (blocks && !exceeds(room.weigh(blocks), aim)) return withPages(block, decision, count, context);
  }
  return undefined;
}

/** A quarter of the pages, the first ones. */
function firstPages({ block }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  if (block.type !== 'document' || pagesOf(block) < 2) return undefined;
  return withPages(block, decision, quarterOf(pagesOf(block)), context);
}

function pagesOf({ range, pages = 0 }: DocumentBlock): number {
  const [start, end] = range ?? [0, pages];
  return end - start;
}

function quarterOf(pages: number): number {
  return Math.ceil(pages / 4);
}

/** The first pages as pictures, or as a document of their own. */
function withPages(
  block: DocumentBlock,
  decision: Decision,
  count: number,
  context: PlanContext,
): Decision | undefined {
  const blocks = asPartOf(block, decision, count);
  if (!blocks || decision.action === 'pages') return blocks && { ...decision, blocks, why: reducedToFit };
  const start = block.range?.[0] ?? 0;
  const fact = ask(context, { to: 'pdf', asset: block.asset, range: [start, start + count] });
  const made = fact?.ok ? fact.value.find((one) => one.type === 'document') : undefined;
  if (!made) return undefined;
  const document: Shown = { type: 'document', asset: made.asset, pages: count };
  return { ...decision, blocks: blocks.with(1, document), action: 'reduced', why: reducedToFit };
}

/** What shows the first pages of a document; one that is not cut yet is taken to have as many bytes on every page. */
function asPartOf(block: DocumentBlock, { blocks, action }: Decision, count: number): Shown[] | undefined {
  const start = block.range?.[0] ?? 0;
  const heading: Shown = { type: 'text', text: partHeading(block, start + 1, start + count, start + pagesOf(block)) };
  if (action === 'pages') return firstPictures(blocks, heading, start, count);
  const shown = blocks.find((one) => one.type === 'document');
  if (shown?.type !== 'document') return undefined;
  const size = Math.ceil((shown.asset.size * count) / (shown.pages ?? pagesOf(block)));
  return [heading, { type: 'document', asset: { ...shown.asset, size }, pages: count }];
}

/** The pictures up to a page, under another heading, and as many of the words beside them. */
function firstPictures(blocks: readonly Shown[], heading: Shown, start: number, count: number): Shown[] | undefined {
  const labelled = (page: number): number =>
    blocks.findIndex((one) => one.type === 'text' && one.text === pageLabel(page));
  const [first, next, last] = [labelled(start + 1), labelled(start + count + 1), blocks.at(-1)];
  if (first < 1 || next < 0) return undefined;
  const beside = last?.type === 'text' ? last.text.split(/^(?=--- Page )/m) : [];
  const words = beside.filter((part) => (lastPageIn(part) ?? 0) <= start + count).join('');
  return [
    ...blocks.slice(0, first - 1),
    heading,
    ...blocks.slice(first, next),
    ...(words === '' ? [] : [{ type: 'text' as const, text: words.trimEnd() }]),
  ];
}

/** The characters of a document that are shown at least when its text stands for it, and when only its beginning does. */
const [leastAsText, leastOfBeginning] = [20_000, 2000];

function asText(medium: Medium, decision: Decision, context: PlanContext, room: Spare): Decision | undefined {
  return decision.place === 'words' ? undefined : spelled(medium.block, leastAsText, context, room);
}

function beginning({ block }: Medium, decision: Decision, context: PlanContext, room: Spare): Decision | undefined {
  return decision.action === 'text' ? spelled(block, leastOfBeginning, context, room) : undefined;
}

/** As much of the words as there is room for, and no less than `least` of them. */
function spelled(block: CarriedBlock, least: number, context: PlanContext, room: Spare): Decision | undefined {
  if (block.type !== 'document') return undefined;
  const fact = ask(context, { to: 'text', asset: block.asset, ...(block.range && { range: block.range }) });
  const found = fact?.ok ? fact.value.find((one) => one.type === 'text') : undefined;
  if (found?.type !== 'text') return undefined;
  const cutTo = (length: number): Decision => textDecision(block, found.text, length, reducedToFit, reducedToFit);
  const whole = Math.min(found.text.length, context.profile.contextTokens);
  return cutTo(lengthWithin(whole, least, (length) => room.weigh(cutTo(length).blocks), room.left));
}
