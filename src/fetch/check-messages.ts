// Messages as an SDK sent them → messages with checked media. Media in the text of results are lifted out, the second
// copy of a medium in one result goes, and what cannot be shown becomes the words that say why.
import { isCarried, isMedia } from '../content/block.ts';
import type { AssetId, Block } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { inputBlocks } from '../content/input.ts';
import type { BlockInput } from '../content/input.ts';
import { refusalText } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import { refusedNote } from '../content/words.ts';
import { resolveBlock } from '../content/intake.ts';
import type { Message, MessageInput } from '../message/message.ts';
import { checkText } from '../tool/check.ts';
import { normaliseResult } from '../tool/normalise.ts';
import { mayHoldMedia } from '../tool/walk.ts';

export type Settled = {
  messages: Message[];
  /** How many media there are, those that were refused among them. */
  media: number;
  /** Whether the messages say anything else than they did. */
  changed: boolean;
  /** Whether there is a medium of a kind that nobody here knows: it may well be right as it stands. */
  foreign: boolean;
  refusals: { what: string; refusal: Refusal }[];
};

export async function settle(given: readonly MessageInput[], intake: Intake): Promise<Settled> {
  const settled: Settled = { messages: [], media: 0, changed: false, foreign: false, refusals: [] };
  const ofTools = new Set<AssetId>();
  for (const message of given) {
    if (message.role === 'assistant') {
      settled.messages.push({ ...message, model: message.model ?? '', content: message.content as Block[] });
      continue;
    }
    const isTool = message.role === 'tool';
    const found: FoundBlock[] = [];
    for (const block of inputBlocks(message.content)) {
      const isText = block.type === 'text';
      const blocks = isText
        ? await textBlocks(block.text, isTool, intake, settled)
        : [await mediaBlock(block, intake, settled)];
      found.push(...blocks.map((one) => ({ block: one, isLifted: isText })));
    }
    const content = once(found, isTool ? undefined : ofTools);
    if (content.length < found.length) settled.changed = true;
    if (isTool) for (const block of content.filter(isMedia)) ofTools.add(block.asset.id);
    if (content.length > 0 || found.length === 0) settled.messages.push({ ...message, content });
  }
  return settled;
}

/** A block, and whether it stood in a text. */
type FoundBlock = { block: Block; isLifted: boolean };

/**
 * Without what an SDK wrote down once more: in a text beside the medium itself, right behind it in a result, or behind the
 * results that show it. What a tool or a user shows twice otherwise is meant: what is compared may be the same.
 */
function once(found: readonly FoundBlock[], ofTools?: ReadonlySet<AssetId>): Block[] {
  const idOf = (one: FoundBlock | undefined): AssetId | undefined =>
    one && isMedia(one.block) ? one.block.asset.id : undefined;
  const given = new Set(found.filter(({ isLifted }) => !isLifted).map(idOf));
  const isAgain = (one: FoundBlock, at: number): boolean => {
    const id = idOf(one);
    if (id === undefined) return false;
    return (one.isLifted && given.has(id)) || (ofTools ? ofTools.has(id) : idOf(found[at - 1]) === id);
  };
  return found.filter((one, at) => !isAgain(one, at)).map(({ block }) => block);
}

/** A text stays as it is unless there is a medium in it, shown or not. */
async function textBlocks(text: string, fromTool: boolean, intake: Intake, settled: Settled): Promise<Block[]> {
  const asItIs: Block[] = [{ type: 'text', text }];
  if (!mayHoldMedia(text)) return asItIs;
  const refused: Refusal[] = [];
  const lifted = await (fromTool ? liftedFrom(text, intake, refused) : checkedFrom(text, intake, refused));
  const media = lifted.filter(isMedia).length + refused.length;
  if (media === 0) return asItIs;
  settled.media += media;
  settled.changed = true;
  for (const refusal of refused) settled.refusals.push({ what: `[not shown: ${refusalText(refusal)}]`, refusal });
  return lifted;
}

async function liftedFrom(text: string, intake: Intake, refused: Refusal[]): Promise<Block[]> {
  const onRefused = (refusal: Refusal): void => void refused.push(refusal);
  return (await normaliseResult(text, intake, { maxText: Number.MAX_SAFE_INTEGER, onRefused })).content;
}

async function checkedFrom(text: string, intake: Intake, refused: Refusal[]): Promise<Block[]> {
  const found = await checkText(text, intake);
  refused.push(...found.refused);
  return [{ type: 'text', text: found.text }, ...found.media];
}

async function mediaBlock(block: BlockInput, intake: Intake, settled: Settled): Promise<Block> {
  const read = await resolveBlock(block, intake, 'tool');
  if (read.ok && isCarried(read.value)) settled.media++;
  if (read.ok) return read.value;
  const { refusal } = read;
  if (isForeign(block, refusal)) settled.foreign = true;
  const note = refusedNote(block, refusalText(refusal));
  settled.media++;
  settled.changed = true;
  settled.refusals.push({ what: note, refusal });
  return { type: 'text', text: note };
}

/** Providers take some kinds that nothing here can open: such a medium may be right as it stands. */
function isForeign(block: BlockInput, { code }: Refusal): boolean {
  if (code === 'missing-decoder') return true;
  if (code !== 'unsupported' && code !== 'unknown') return false;
  return block.type !== 'image' || ('mediaType' in block && /^image\/hei[cf]/i.test(block.mediaType ?? ''));
}
