// Messages as an SDK sent them → messages with checked media. Media in the text of results are lifted out, the second
// copy of a medium in one result goes, and what cannot be shown becomes the words that say why.
import { abreast } from '../content/few-at-once.ts';
import { isCarried, isMedia } from '../content/block.ts';
import type { AssetId, Block } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { inputBlocks } from '../content/input.ts';
import type { BlockInput } from '../content/input.ts';
import { refusalText } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import { refusedNote } from '../content/words.ts';
import { mediaTypeOf, unknownBytes } from '../content/header-intake.ts';
import { bytesOfData, resolveBlock } from '../content/intake.ts';
import type { Message, MessageInput } from '../message/message.ts';
import { checkText } from '../tool/check.ts';
import { normaliseResult } from '../tool/normalise.ts';
import { mayHoldMedia } from '../tool/walk.ts';
import type { Profile } from '../window/profile.ts';

export type Settled = {
  messages: Message[];
  /** How many media there are, those that were refused among them. */
  media: number;
  /** Whether the messages say anything else than they did. */
  changed: boolean;
  /** Whether there is a medium that this model may take, though nobody here can open it. */
  foreign: boolean;
  refusals: { what: string; refusal: Refusal }[];
};

export async function settle(given: readonly MessageInput[], intake: Intake, profile: Profile): Promise<Settled> {
  const settled: Settled = { messages: [], media: 0, changed: false, foreign: false, refusals: [] };
  const ofTools = new Set<AssetId>();
  const looked = await abreast(given, (message) => lookedAt(message, intake, profile));
  for (const [index, message] of given.entries()) {
    if (message.role === 'assistant') {
      settled.messages.push({ ...message, model: message.model ?? '', content: message.content as Block[] });
      continue;
    }
    const isTool = message.role === 'tool';
    const parts = looked[index] ?? [];
    const found = parts.flatMap(({ blocks, isLifted }) => blocks.map((block): FoundBlock => ({ block, isLifted })));
    for (const { media, refusals, ...part } of parts) {
      settled.media += media;
      settled.changed ||= part.changed;
      settled.foreign ||= part.foreign;
      settled.refusals.push(...refusals);
    }
    const content = once(found, isTool ? undefined : ofTools);
    if (content.length < found.length) settled.changed = true;
    if (isTool) for (const block of content.filter(isMedia)) ofTools.add(block.asset.id);
    if (content.length > 0 || found.length === 0) settled.messages.push({ ...message, content });
  }
  return settled;
}

/** What became of one block as it was given, and whether it was a text. */
type LookedAt = Omit<Settled, 'messages'> & { blocks: Block[]; isLifted: boolean };

const unchanged = { media: 0, changed: false, foreign: false, refusals: [] };

function lookedAt(message: MessageInput, intake: Intake, profile: Profile): Promise<LookedAt[]> {
  const isTool = message.role === 'tool';
  const blocks = message.role === 'assistant' ? [] : inputBlocks(message.content);
  return abreast(blocks, (block) =>
    block.type === 'text' ? textBlocks(block.text, isTool, intake) : mediaBlock(block, intake, profile),
  );
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
async function textBlocks(text: string, fromTool: boolean, intake: Intake): Promise<LookedAt> {
  const asItIs: LookedAt = { ...unchanged, isLifted: true, blocks: [{ type: 'text', text }] };
  if (!mayHoldMedia(text)) return asItIs;
  const refused: Refusal[] = [];
  const blocks = await (fromTool ? liftedFrom(text, intake, refused) : checkedFrom(text, intake, refused));
  const media = blocks.filter(isMedia).length + refused.length;
  if (media === 0) return asItIs;
  const refusals = refused.map((refusal) => ({ what: `[not shown: ${refusalText(refusal)}]`, refusal }));
  return { blocks, isLifted: true, media, changed: true, foreign: false, refusals };
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

async function mediaBlock(block: BlockInput, intake: Intake, profile: Profile): Promise<LookedAt> {
  const read = await resolveBlock(block, intake, 'tool');
  if (read.ok) return { ...unchanged, isLifted: false, blocks: [read.value], media: isCarried(read.value) ? 1 : 0 };
  const { refusal } = read;
  const note = refusedNote(block, refusalText(refusal));
  return {
    blocks: [{ type: 'text', text: note }],
    isLifted: false,
    media: 1,
    changed: true,
    foreign: await isForeign(block, refusal, profile),
    refusals: [{ what: note, refusal }],
  };
}

/** Some models take kinds that nothing here can open: for these such a medium may be right as it stands. */
async function isForeign(block: BlockInput, { code }: Refusal, { family, media }: Profile): Promise<boolean> {
  const cannotOpen = code === 'missing-decoder';
  if (!cannotOpen && code !== 'unsupported' && code !== 'unknown') return false;
  if (block.type !== 'image') return true;
  const said = 'mediaType' in block ? block.mediaType : undefined;
  if (!cannotOpen && !/^image\/hei[cf]/i.test(said ?? '')) return false;
  const read = 'data' in block && block.data !== undefined ? await bytesOfData(block.data) : undefined;
  // What everybody can open is not opened where no other process can be started.
  const isCommon = read?.ok === true && mediaTypeOf(read.value.bytes) !== unknownBytes;
  return isCommon || family === 'unknown' || media.image.types.includes('image/heic');
}
