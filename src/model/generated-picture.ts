// Pictures that a model made: stored once when its answer is read, named by the block that stands for them, and only
// written out again when its provider is shown what it said. Nothing else of an answer is touched.
import type { AssetId, Block } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { bytesOfData } from '../content/intake.ts';
import type { AssistantMessage, Message } from '../message/message.ts';
import { pictureIn } from '../wire/picture.ts';

const name = 'picture made by the model';

/** A block of an answer as it is kept. What is no picture that we can read, or cannot be stored, stays as it came. */
export async function settlePicture(block: Block, intake: Intake): Promise<Block> {
  const found = block.type === 'sealed' ? pictureIn(block.seal) : undefined;
  if (!found) return block;
  const given = await bytesOfData(found.data);
  if (!given.ok) return block;
  const { bytes } = given.value;
  try {
    const read = await intake.check(bytes, { name });
    if (!read.ok || read.value.type !== 'image') return block;
    const { asset, width, height, original } = read.value;
    // The provider gets back the very bytes that it made, even if for us they were cut by their metadata.
    const source = original?.asset ?? (await intake.keep(bytes, { mediaType: asset.mediaType, name }));
    const kept = source.id === asset.id ? {} : { original: original ?? { asset: source, width, height } };
    return { ...read.value, ...kept, seal: found.seal };
  } catch {
    return block; // storage that fails must not cost the answer
  }
}

export async function settlePictures(message: AssistantMessage, intake: Intake): Promise<AssistantMessage> {
  return { ...message, content: await Promise.all(message.content.map((block) => settlePicture(block, intake))) };
}

/** The bytes that go back to the provider of a picture which it made. */
export function madeOf(block: Block): AssetId[] {
  return block.type === 'image' && block.seal ? [(block.original ?? block).asset.id] : [];
}

/** Without the seals whose bytes are no longer stored: words stand for these pictures then. */
export function unsealLost(messages: Message[], gone: ReadonlySet<AssetId>): Message[] {
  const isLost = (block: Block): boolean => madeOf(block).some((id) => gone.has(id));
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.content.some(isLost)) return message;
    return { ...message, content: message.content.map((block) => (isLost(block) ? withoutSeal(block) : block)) };
  });
}

function withoutSeal(block: Block): Block {
  if (block.type !== 'image') return block;
  const { seal: _, ...rest } = block;
  return rest;
}
