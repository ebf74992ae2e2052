// The last resort, for media of the newest turns that alone do not fit: less detail, half the size, the first pages,
// the text, the beginning of the text. Each step costs the model something, so only as many are taken as it needs.
import type { CarriedBlock, ImageBlock } from '../content/block.ts';
import { partHeading, reducedToFit } from '../content/words.ts';
import type { PlanContext, Medium } from './draft.ts';
import { decideMedium } from './carrier.ts';
import { ask, halved, textDecision } from './decide.ts';
import type { Decision } from './decide.ts';
import type { Shown } from './plan-types.ts';

/** One way to make a medium lighter; nothing when it does not apply, or while the context still has to learn how. */
export type Reduction = (medium: Medium, decision: Decision, context: PlanContext) => Decision | undefined;

/** From the gentlest to the hardest. */
export const reductions: readonly Reduction[] = [
  noLargerThanRead,
  inOnePiece,
  lessDetail,
  halfSize,
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

/** A quarter of the pages, the first ones, as a document of their own. */
function firstPages({ block }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  const shown = decision.blocks.find((one) => one.type === 'document');
  if (block.type !== 'document' || shown?.type !== 'document') return undefined;
  const [start, end] = block.range ?? [0, block.pages ?? 0];
  const count = Math.ceil((end - start) / 4);
  if (end - start < 2) return undefined;
  const fact = ask(context, { to: 'pdf', asset: block.asset, range: [start, start + count] });
  const made = fact?.ok ? fact.value.find((one) => one.type === 'document') : undefined;
  if (!made) return undefined;
  const note = partHeading(block, start + 1, start + count);
  const document: Shown = { type: 'document', asset: made.asset, pages: count };
  return { ...decision, blocks: [{ type: 'text', text: note }, document], action: 'reduced', why: reducedToFit };
}

const longText = 20_000;
const shortText = 2000;

function asText(medium: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  return decision.place === 'words' ? undefined : spelled(medium.block, longText, context);
}

function beginning({ block }: Medium, decision: Decision, context: PlanContext): Decision | undefined {
  if (decision.action !== 'text') return undefined;
  return spelled(block, shortText, context);
}

function spelled(block: CarriedBlock, most: number, context: PlanContext): Decision | undefined {
  if (block.type !== 'document') return undefined;
  const fact = ask(context, { to: 'text', asset: block.asset, ...(block.range && { range: block.range }) });
  const found = fact?.ok ? fact.value.find((one) => one.type === 'text') : undefined;
  return found?.type === 'text' ? textDecision(block, found.text, most, reducedToFit, reducedToFit) : undefined;
}
