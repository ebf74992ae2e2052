// What one result shows, whoever it is for. Words that are longer than a model should be handed at once are shown to a
// bound and kept whole as an asset; the note stands first, so that no later cut can lose it, and says where the rest is.
// Short texts beside long ones stay whole; when there are very many, all of them become one. Of very many media the first
// are shown, the others are kept and told in one sentence: each would cost a line of its own in every request from then on.
import type { Asset, Block } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { maxMedia, maxText } from '../content/limits.ts';
import type { Refusal } from '../content/refusal.ts';
import { cutText, linesIn } from '../content/text.ts';
import { cutNote, floodNote } from '../content/words.ts';

/** The blocks with no more media than allowed, after a note that names the others; `surplus` are those. */
export function withinCount(blocks: readonly Block[]): { content: Block[]; surplus: Asset[] } {
  const content: Block[] = [];
  const surplus: Asset[] = [];
  let media = 0;
  for (const block of blocks) {
    if (isMedia(block) && ++media > maxMedia) surplus.push(block.asset);
    else content.push(block);
  }
  if (surplus.length > 0) content.unshift({ type: 'text', text: floodNote(media, maxMedia, surplus) });
  return { content, surplus };
}

const noteRoom = 200;
const smallestShare = 1000;

/**
 * How much of a result a model is shown.
 *
 * @example
 * const short: CutOptions = { maxText: 4000, canReadOn: true };
 * const { content } = await normalise(value, intake, short);
 */
export type CutOptions = {
  /** How many characters of text a result may show. */
  maxText?: number;
  /** Whether the model has the tool that reads on. */
  canReadOn?: boolean;
  /** Told of each medium in the words that is not shown. */
  onRefused?: (refusal: Refusal) => void;
};

/** The blocks with no more text than allowed. Sealed text goes back as it came. */
export async function cutTexts(blocks: readonly Block[], intake: Intake, options: CutOptions = {}): Promise<Block[]> {
  const max = Math.max(options.maxText ?? maxText, smallestShare);
  const lengths = blocks.filter(isOpen).map(({ text }) => text.length);
  if (lengths.reduce((sum, length) => sum + length, 0) <= max) return [...blocks];
  const share = fairShare(lengths, max);
  if (share < smallestShare) {
    const all = blocks.filter(isOpen).map(({ text }) => text);
    return [await cut(all.join('\n'), max, intake, options), ...blocks.filter((block) => !isOpen(block))];
  }
  const out: Block[] = [];
  for (const block of blocks) {
    out.push(isOpen(block) && block.text.length > share ? await cut(block.text, share, intake, options) : block);
  }
  return out;
}

function isOpen(block: Block): block is Block & { type: 'text' } {
  return block.type === 'text' && block.seal === undefined;
}

/** How long the longest may be so that all together stay inside the bound. */
function fairShare(lengths: readonly number[], max: number): number {
  let room = max;
  const sorted = lengths.toSorted((one, other) => one - other);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(room / (sorted.length - at));
    if (length > share) return share;
    room -= length;
  }
  return max;
}

async function cut(text: string, room: number, intake: Intake, { canReadOn = false }: CutOptions): Promise<Block> {
  const mediaType = /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain';
  // A full disk must not take the beginning away too; the note says what is missing.
  const asset = await intake.keep(new TextEncoder().encode(text), { mediaType }).catch(() => undefined);
  const shown = wholeLines(cutText(text, room - noteRoom));
  const note = cutNote(asset, { shown: shown.text.length, total: text.length, lines: shown.lines, canReadOn });
  return { type: 'text', text: `${note}\n${shown.text}` };
}

/** Ends where a line ends, so that reading on begins with a whole one; `lines` are counted as they are read on. */
function wholeLines(head: string): { text: string; lines: number } {
  const text = head.replace(/\n$/, '');
  const lines = linesIn(text);
  if (lines.length < 2) return { text, lines: 1 };
  const last = lines.at(-1) ?? '';
  return { text: text.slice(0, text.length - last.length).replace(/\n$/, ''), lines: lines.length - 1 };
}
