// The words of an asset, and `read_asset_text`, which shows them in parts or searches them: long results of tools,
// documents, and pictures where text can be read off them.
import type { AssetStore } from '../../asset/store.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import { grouped } from '../../media/limits.ts';
import { render } from '../../media/index.ts';
import { plainText } from '../../tool/find-media.ts';
import type { KnownAsset } from '../../tool/known-assets.ts';
import { assetName } from '../../tool/known-assets.ts';
import { linesIn } from '../../content/text.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import { lineSearch } from '../matching-lines.ts';
import type { AssetToolOptions } from './lookup.ts';
import { assetBytes, lookUp, storeOf } from './lookup.ts';

/** How many characters one call shows, its note aside. */
export const room = 28_000;

export function readAssetTextTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'read_asset_text',
    effect: 'read',
    description:
      'Read the text of an asset in parts: a result that was too long to show, a document, the words on a picture. ' +
      'With grep, only the lines that match, with their numbers. Lines of over 2,000 characters count as several.',
    input: object(
      {
        asset: string('The name of the asset, such as ab12cd34'),
        grep: string('Show only lines that match this regular expression (any case)'),
        offset: integer('First line, counted from 1', { minimum: 1 }),
        limit: integer('Number of lines', { minimum: 1 }),
      },
      'asset',
    ),
    run: async (given, context) => {
      const found = lookUp(textAt(given, 'asset') ?? '', options, context);
      if (!found.ok) return found;
      const text = await assetWords(found.value, storeOf(options, context), context.signal);
      if (!text.ok) return text;
      const lines = linesIn(text.value);
      const part = { offset: numberAt(given, 'offset') ?? 1, limit: numberAt(given, 'limit') ?? lines.length };
      const pattern = textAt(given, 'grep');
      const name = assetName(found.value.asset);
      return pattern === undefined ? showLines(lines, part, name) : grepLines(lines, pattern, part, name);
    },
  });
}

/** What can be read of an asset: its own text, a document's words, or the words on a picture. */
export async function assetWords(
  { asset, block }: KnownAsset,
  assets: AssetStore,
  signal: AbortSignal,
): Promise<Read<string>> {
  if (block?.type === 'document' || block?.type === 'image') {
    const words = await render(
      { to: block.type === 'image' ? 'words' : 'text', asset: block.asset },
      { assets, signal },
    );
    if (!words.ok) return words;
    const texts = words.value.map((part) => (part.type === 'text' ? part.text : ''));
    return { ok: true, value: texts.join('\n') };
  }
  const bytes = await assetBytes(asset, assets);
  if (!bytes.ok) return bytes;
  const text = plainText(bytes.value);
  if (text !== undefined) return { ok: true, value: text };
  return refuse('unsupported', `${assetName(asset)} is ${asset.mediaType} and holds no text`, 'Use another asset.');
}

type LineWindow = { offset: number; limit: number };

function showLines(lines: readonly string[], { offset, limit }: LineWindow, name: string): unknown {
  if (offset > lines.length) return noSuchLine(name, lines.length);
  const { shown, count } = fitting(lines.slice(offset - 1, offset - 1 + limit));
  const last = offset + count - 1;
  const next = last < lines.length ? ` Use offset=${last + 1} to continue.` : '';
  return `[Lines ${offset}-${last} of ${grouped(lines.length)} of ${name}.${next}]\n${shown.join('\n')}`;
}

function grepLines(lines: readonly string[], pattern: string, { offset, limit }: LineWindow, name: string): unknown {
  if (offset > lines.length) return noSuchLine(name, lines.length);
  const search = lineSearch(pattern, true);
  if (!search.ok) return search;
  const matches = search.value(lines, offset - 1);
  if (!matches.ok) return matches;
  if (matches.value.length === 0)
    return `No line of ${name} from line ${offset} on matches ${JSON.stringify(pattern)}.`;
  const numbered = matches.value.slice(0, limit).map((at) => `${at + 1}: ${lines[at] ?? ''}`);
  const { shown, count } = fitting(numbered);
  const rest = matches.value[count];
  const next = rest === undefined ? '' : ` Use offset=${rest + 1} for the next ones.`;
  return `[${grouped(matches.value.length)} matching lines in ${name}, ${count} shown.${next}]\n${shown.join('\n')}`;
}

function noSuchLine(name: string, lines: number): Read<never> {
  return refuse(
    'bad-range',
    `${name} has no such line`,
    `Use an offset from 1 to ${lines}.`,
    `${grouped(lines)} lines`,
  );
}

/** As many lines as fit, at least one. */
function fitting(lines: readonly string[]): { shown: string[]; count: number } {
  let used = 0;
  let count = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room && count > 0) break;
    count++;
  }
  return { shown: lines.slice(0, count).map((line) => cutText(line, room)), count };
}
