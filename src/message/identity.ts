// Which conversation is this? Clients resend all of it, and each writes it a little differently; a digest of a message
// sees what was said, called and shown, and nothing that clients drop or move.
import { isMedia } from '../content/block.ts';
import type { BlockInput } from '../content/input.ts';
import { inputBlocks } from '../content/input.ts';
import { canonicalJson } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { MessageInput } from './message.ts';

/** One digest a message, each over the one before it: `before` is that of the message these stand behind. Conversations of
 * different seeds have none in common. */
export function identify(messages: readonly MessageInput[], seed: string, before: string = digest(seed)): string[] {
  let chain = before;
  return messages.map((message) => (chain = digest(`${chain} ${spoken(message)}`)));
}

/** Whether two messages say and call the same. */
export function saysTheSame(one: MessageInput, other: MessageInput): boolean {
  return spoken(one) === spoken(other);
}

/** What a message says: not its thinking, its seals or its marks. Neighbouring texts are one. */
function spoken(message: MessageInput): string {
  const words: string[] = [];
  const others: string[] = [];
  for (const block of inputBlocks(message.content)) {
    if (block.type === 'call') others.push(canonicalJson([block.id, block.name, block.input ?? {}]));
    else if (isMedia(block)) others.push(mediumOf(block));
    else if (block.type === 'text' && block.text.trim() !== '') words.push(block.text.trim());
  }
  const whose = message.role === 'tool' ? message.callId : '';
  return JSON.stringify([message.role, whose, words.join('\n'), others]);
}

/** A medium by its hash, or by its length and some of its letters: whoever must be sure looks closer. */
function mediumOf(block: BlockInput): string {
  if ('asset' in block && block.asset) return block.asset.id;
  const data: unknown = 'data' in block ? block.data : 'url' in block ? block.url : '';
  if (typeof data !== 'string') return 'bytes';
  const middle = data.length >> 1;
  return `${data.length} ${data.slice(0, 64)} ${data.slice(middle, middle + 64)} ${data.slice(-64)}`;
}
