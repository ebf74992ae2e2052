// Files that a person hands over with her words: read once, through the same intake as everything else. What the model
// will not see at once is kept whole, its name is in the words, and the person is told.
import { statSync } from 'node:fs';
import type { Asset, Block, TextBlock } from '../content/block.ts';
import { attachedLabel, shortId } from '../content/words.ts';
import { byteText, grouped } from '../content/figures.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import type { MediaOptions, ReadData } from '../media/index.ts';
import { read } from '../media/index.ts';
import type { Source } from '../media/source.ts';
import { intakeOf } from '../model/intake.ts';
import { checkBlocks } from '../tool/check.ts';
import type { Attachment } from './mentions.ts';

type AttachOptions = MediaOptions & {
  /** One line for the person about what the model does not see at once. */
  notice?: (text: string) => void;
  /** Whether the model has a tool by this name. */
  hasTool?: (name: string) => Promise<boolean>;
};

/** What the model gets: each file behind its name, then the words. The first file that is refused refuses all. */
export async function attach(
  words: string,
  files: readonly Attachment[],
  { notice, hasTool, ...options }: AttachOptions,
): Promise<Read<Block[]>> {
  const blocks: Block[] = [];
  for (const { source, name } of files) {
    const listed = await folderIn(source, options.signal);
    if (listed !== undefined) {
      blocks.push({ type: 'text', text: attachedLabel(name) }, { type: 'text', text: listed });
      continue;
    }
    const reading = await read(source, { ...options, name });
    if (!reading.ok) return reading;
    const { data } = reading.value;
    if (isCut(data)) notice?.(await cutLine(data, hasTool));
    blocks.push(await label(name, data, hasTool), ...(await withoutRuns(reading.value.blocks, name, options, notice)));
  }
  if (words.trim() !== '')
    blocks.push(...(await withoutRuns([{ type: 'text', text: words }], 'Your question', options, notice)));
  if (blocks.length > 0) return { ok: true, value: blocks };
  return refuse('empty', 'There is no question', 'Write one, or name a file.');
}

/** The list of what lies in a folder; nothing where it is none. */
async function folderIn(source: Source, signal: AbortSignal | undefined): Promise<string | undefined> {
  if (typeof source !== 'string' || statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true)
    return undefined;
  const { startIn } = await import('../toolbox/files/walk.ts');
  const { folderText } = await import('../toolbox/files/list.ts');
  const start = await startIn('.', [source]);
  return start.ok ? await folderText(start.value, signal) : undefined;
}

type Text = Extract<ReadData, { type: 'text' }>;

/** Lines are missing, or the ends of long ones. */
function isCut(data: ReadData): data is Text {
  return data.type === 'text' && (data.asset !== undefined || hasMoreLines(data));
}

function hasMoreLines({ lines, shown: [first, last] }: Text): boolean {
  return last - first + 1 < lines;
}

/** The name; for a text that is cut also where the whole of it is. */
async function label(name: string, data: ReadData, hasTool: AttachOptions['hasTool']): Promise<TextBlock> {
  const whole = data.type === 'text' ? data.asset : undefined;
  if (whole === undefined) return { type: 'text', text: attachedLabel(name) };
  const canReadOn = !hasTool || (await hasTool('read_asset_text'));
  return { type: 'text', text: attachedLabel(name, whole, canReadOn), kept: [whole] };
}

async function cutLine(data: Text, hasTool: AttachOptions['hasTool']): Promise<string> {
  const { name, size, lines, shown, asset } = data;
  const tool = asset ? 'read_asset_text' : 'read_file';
  const part = hasMoreLines(data)
    ? `lines ${shown.map(grouped).join(' to ')} of ${grouped(lines)}`
    : 'the beginning of its long lines';
  const seen = `${safeName(name)}, ${byteText(size)}: the model sees ${part} now`;
  if (hasTool && !(await hasTool(tool))) return `${seen} and, without the tool ${tool}, nothing of the rest.`;
  return `${seen}; it can read and search the rest with ${tool}${asset ? '' : ', if the file lies in this folder'}.`;
}

/** Long runs without a space are data and no words: they become assets here, so that the person can be told. */
async function withoutRuns(
  blocks: readonly Block[],
  whose: string,
  options: MediaOptions,
  notice: AttachOptions['notice'],
): Promise<Block[]> {
  const kept: Asset[] = [];
  const intake = intakeOf(options);
  const keep: typeof intake.keep = async (bytes, about) => {
    const asset = await intake.keep(bytes, about);
    kept.push(asset);
    return asset;
  };
  const { content: guarded } = await checkBlocks(blocks, { ...intake, keep });
  if (kept.length === 0) return guarded;
  const names = kept.map(({ id }) => `asset ${shortId(id)}`).join(', ');
  const gone = lengthOf(blocks) - lengthOf(guarded);
  notice?.(
    `${safeName(whose)}: about ${grouped(gone)} characters without a space are taken as data; the model gets a note in their place (${names}).`,
  );
  const first = guarded.findIndex(({ type }) => type === 'text');
  return guarded.map((block, at) => (at === first && block.type === 'text' ? { ...block, kept } : block));
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
}
