// Everything on its way to a model: loose media are resolved at the intake, words go through the guard. Whatever is refused
// becomes the words that say why, and is told to whoever keeps receipts. Nobody else calls the guard.
import { abreast } from '../content/few-at-once.ts';
import type { Block } from '../content/block.ts';
import { isCarried, isMedia } from '../content/block.ts';
import type { BlockInput } from '../content/input.ts';
import type { By, Intake } from '../content/intake.ts';
import { resolveBlock, settledBlock } from '../content/intake.ts';
import { refusalText } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import { refusedNote } from '../content/words.ts';
import { guardText } from './guard.ts';

export { forgiving, guardText as checkText, isKnown, keptInWords, notShown } from './guard.ts';

/** `block` counts among what was given; `name` is what the refused medium was called, where somebody said so. */
export type CheckedBlocks = { content: Block[]; refused: { block: number; name?: string; refusal: Refusal }[] };

/** Blocks as people and programs hand them over → checked ones; `by` is whose files they may name. */
export async function checkInputs(
  inputs: readonly (string | BlockInput)[],
  intake: Intake,
  by: By,
): Promise<CheckedBlocks> {
  const refused: CheckedBlocks['refused'] = [];
  const given = inputs.map((item): BlockInput => (typeof item === 'string' ? { type: 'text', text: item } : item));
  const read = async (input: BlockInput, block: number): Promise<Block> => {
    const found = await resolveBlock(input, intake, by);
    if (found.ok) return found.value;
    refused.push({ block, ...nameOf(input), refusal: found.refusal });
    return { type: 'text', text: refusedNote(input, refusalText(found.refusal)) };
  };
  const settled = given.flatMap((input) => settledBlock(input) ?? []);
  const content = settled.length === given.length ? settled : await abreast(given, read);
  const inOrder = refused.toSorted((one, other) => one.block - other.block);
  const guarded = await checkBlocks(content, intake);
  return { content: guarded.content, refused: [...inOrder, ...guarded.refused] };
}

function nameOf(input: BlockInput): { name?: string } {
  if ('name' in input && typeof input.name === 'string') return { name: input.name };
  const place = 'path' in input ? input.path : 'url' in input ? input.url : undefined;
  const name = typeof place === 'string' ? place.split(/[?#]/)[0]?.split('/').at(-1) : undefined;
  return name === undefined || name === '' ? {} : { name };
}

/**
 * Blocks with the guard applied to each text among them, once: a sealed one goes back as it came, and so does one whose
 * words were looked at where they came from. Media are counted in the order of the blocks.
 */
export async function checkBlocks(
  blocks: readonly Block[],
  intake: Intake,
  looked: readonly Block[] = [],
): Promise<CheckedBlocks> {
  const content: Block[] = [];
  const refused: CheckedBlocks['refused'] = [];
  let ordinal = 1;
  for (const [at, block] of blocks.entries()) {
    const words = looked.includes(block) ? undefined : wordsIn(block);
    const own = isMedia(block) ? 1 : 0;
    const found = words === undefined ? undefined : await guardText(words, intake, ordinal + own);
    content.push(!found || found.text === words ? block : withWords(block, found.text), ...(found?.media ?? []));
    for (const refusal of found?.refused ?? []) refused.push({ block: at, refusal });
    ordinal += own + (found?.media.length ?? 0);
  }
  return { content, refused };
}

function wordsIn(block: Block): string | undefined {
  if (block.type === 'text') return block.seal ? undefined : block.text;
  return isCarried(block) ? block.fallback : undefined;
}

function withWords(block: Block, words: string): Block {
  return isCarried(block) ? { ...block, fallback: words } : { type: 'text', text: words };
}
