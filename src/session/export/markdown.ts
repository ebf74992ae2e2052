// A session as Markdown: what was said, calls and results in fences, media as links to files beside it.
import type { Asset, Block, MediaBlock } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { describeAsset, describeMedia, placeholder } from '../../content/words.ts';
import { toJsonText } from '../../content/json.ts';
import { attachedByAnswer } from '../../message/attached.ts';
import type { Attached } from '../../message/attached.ts';
import { utcText } from '../../page/timeline.ts';
import type { Entry } from '../entry.ts';
import type { SessionReader } from '../reader.ts';

/** `place` stores a medium and gives back the address that a link to it has. */
export async function* sessionMarkdown(
  session: SessionReader,
  place: (asset: Asset) => Promise<string | undefined>,
): AsyncGenerator<string> {
  const { id, title, created, model } = await session.info();
  const about = [utcText(new Date(created).toISOString()), model, `session ${id}`];
  yield `# ${oneLine(title ?? `Session ${id}`)}\n\n${about.filter(Boolean).join(' · ')}\n`;
  const entries = await session.entries();
  const answers = attachedByAnswer(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])));
  for (const entry of entries) {
    yield await entryText(entry, place);
    const own = answers.find(({ answer }) => entry.type === 'message' && entry.message === answer);
    for (const one of own?.attached ?? []) yield `\n${await attachedText(one, place)}\n`;
  }
}

type LinkTo = (asset: Asset) => Promise<string | undefined>;

async function entryText(entry: Entry, place: LinkTo): Promise<string> {
  if (entry.type === 'note') return `\n> ${oneLine(entry.text)}\n`;
  if (entry.type !== 'message') return '';
  const { message } = entry;
  const head = {
    user: '## You',
    assistant: `## ${message.role === 'assistant' ? oneLine(message.model || 'Assistant') : ''}`,
    tool: `### Result of ${message.role === 'tool' ? `${oneLine(message.name)}${message.isError ? ' (failed)' : ''}` : ''}`,
  }[message.role];
  const parts: string[] = [];
  for (const block of message.content) parts.push(await blockText(block, message.role === 'tool', place));
  return `\n${head}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

async function blockText(block: Block, isResult: boolean, place: LinkTo): Promise<string> {
  if (isMedia(block)) return await mediaText(block, place);
  switch (block.type) {
    case 'text':
      return isResult ? fenced(block.text) : block.text;
    case 'thinking': {
      const words = block.text.replaceAll('\n', '\n> ');
      return block.redacted || words === '' ? '' : `> *Thinking:* ${words}`;
    }
    case 'call':
      return `**Calls ${oneLine(block.name)}**\n\n${fenced(toJsonText(block.input, 2), 'json')}`;
    case 'sealed':
      return '';
    case 'reference':
      return oneLine(`[${describeMedia(block)}]`);
  }
}

async function attachedText(one: Attached, place: LinkTo): Promise<string> {
  if (one.type !== 'file') return await mediaText(one, place);
  const name = describeAsset(one.asset).replaceAll(/[[\]]/g, '');
  const address = await place(one.asset);
  return oneLine(address === undefined ? `[attached: ${name}]` : `[${name}](${address})`);
}

async function mediaText(block: MediaBlock, place: LinkTo): Promise<string> {
  const address = await place(block.asset);
  if (address === undefined) return oneLine(placeholder(block));
  const name = describeMedia(block).replaceAll(/[[\]]/g, '');
  return block.type === 'image' ? `![${name}](${address})` : `[${name}](${address})`;
}

/** A fence longer than any inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Names cannot begin a heading, a link or HTML of their own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[<>[\]`*_\\#]/g, String.raw`\$&`);
}
