// A session as a file for others: one HTML page, Markdown with a folder of media, or JSON that can be imported again.
import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Asset, AssetId, Block } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import { withoutKeys } from '../../content/shared-url.ts';
import { placeholder } from '../../content/words.ts';
import { assetsOf } from '../entry.ts';
import type { Entry } from '../entry.ts';
import { sessionMarkdown } from './markdown.ts';
import type { SessionInfo } from '../log/port.ts';
import { sessionPage } from './page/page.ts';
import type { SessionReader } from '../reader.ts';
import type { RecordedRequest } from '../sent.ts';
import { makeFolder } from '../../config/make-folder.ts';

/** What a session can be written as for others to read. */
export type ExportFormat = 'html' | 'markdown' | 'json';

const formats: Record<string, ExportFormat> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.json': 'json',
};

/**
 * By the ending of a file's name. Throws for one that says nothing.
 *
 * @example
 * formatOf('talk.md'); // 'markdown'
 */
export function formatOf(file: string): ExportFormat {
  const format = formats[extname(file).toLowerCase()];
  if (format) return format;
  throw new SightlineError(
    'input',
    `${basename(file)} ends neither in .html nor in .md nor in .json. Choose such a name, or name the format: html, markdown or json.`,
  );
}

/** What an export may be told about its surroundings. */
export type ExportOptions = {
  /** Takes out of the text what must not leave. */
  hide?: (text: string) => string;
};

/**
 * Writes the session there; the file appears whole or not at all.
 *
 * @example
 * await exportSession(await store.read(id), 'talk.html');
 */
export async function exportSession(
  session: SessionReader,
  file: string,
  format: ExportFormat = formatOf(file),
  how: ExportOptions = {},
): Promise<void> {
  makeFolder(dirname(file));
  const aside = `${file}.${process.pid}.part`;
  const media = join(dirname(file), mediaFolder(file));
  try {
    await pipeline(
      Readable.from(hidden(pieces(withoutHidden(session, how), format, mediaFolder(file), media), how)),
      createWriteStream(aside),
    );
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}

async function* hidden(
  text: AsyncIterable<string>,
  { hide = (words) => words }: ExportOptions,
): AsyncGenerator<string> {
  for await (const piece of text) yield hide(piece);
}

/** The session without what must not leave: a page and Markdown spell some signs in another way, and keys have such. */
function withoutHidden(session: SessionReader, { hide }: ExportOptions): SessionReader {
  if (!hide) return session;
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(clean);
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clean(one)])) : value;
  };
  return {
    ...session,
    info: async () => clean(await session.info()) as SessionInfo,
    entries: async (range) => (await session.entries(range)).map((entry) => clean(entry) as Entry),
  };
}

function mediaFolder(file: string): string {
  return `${basename(file, extname(file))}-media`;
}

/** A record that cannot be read is told on the page, and does not keep the rest of it back. */
async function sentOrWhyNot(session: SessionReader): Promise<RecordedRequest | string | undefined> {
  try {
    return await session.sent();
  } catch (error) {
    if (error instanceof SightlineError) return error.message;
    throw error;
  }
}

async function* pieces(
  session: SessionReader,
  format: ExportFormat,
  name: string,
  folder: string,
): AsyncGenerator<string> {
  switch (format) {
    case 'html':
      return yield* sessionPage(session, { sent: await sentOrWhyNot(session) });
    case 'json':
      return yield* sessionJson(session);
    case 'markdown': {
      const place = async (asset: Asset): Promise<string | undefined> => {
        const bytes = await session.assets.get(asset.id);
        if (bytes === undefined) return undefined;
        const fileName = `${asset.id.slice(7, 15)}${endingOf(asset.mediaType)}`;
        makeFolder(folder);
        await writeFile(join(folder, fileName), bytes);
        return `${encodeURIComponent(name)}/${fileName}`;
      };
      return yield* sessionMarkdown(session, place);
    }
  }
}

const endings: Record<string, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
  'audio/wav': '.wav',
  'audio/mpeg': '.mp3',
};

/** The ending of a file that holds such bytes. */
export function endingOf(mediaType: string): string {
  return endings[mediaType] ?? '.bin';
}

function holdsReference(entry: Entry): boolean {
  if (entry.type === 'message') return entry.message.content.some(({ type }) => type === 'reference');
  return entry.type === 'ledger' && JSON.stringify(entry.items).includes('"at":{"file":');
}

/** An id is told in words, an address without what may be a key in it. */
function withoutReferences(entry: Entry): Entry {
  if (entry.type !== 'message' || !entry.message.content.some(({ type }) => type === 'reference')) return entry;
  const content = entry.message.content.map((block): Block => {
    if (block.type !== 'reference') return block;
    if ('file' in block.at) return { type: 'text', text: placeholder(block) };
    return { ...block, at: { url: withoutKeys(block.at.url) } };
  });
  return { ...entry, message: { ...entry.message, content } };
}

export const jsonFormat = 'sightline-session';

/** One JSON value, an asset or an entry on each line, so that it can be read back without holding it whole. */
async function* sessionJson(session: SessionReader): AsyncGenerator<string> {
  const { id, title, created, model } = await session.info();
  const all = await session.entries();
  const held = all.some(holdsReference); // decisions about them are of no use elsewhere
  const entries = held ? all.filter(({ type }) => type !== 'ledger').map(withoutReferences) : all;
  const assets = new Map<AssetId, Asset>();
  for (const entry of entries)
    if (entry.type === 'message') for (const asset of assetsOf(entry.message)) assets.set(asset.id, asset);
  yield `{"format":"${jsonFormat}","version":1,"session":${JSON.stringify({ id, title, created, model })},\n"assets":[\n`;
  let between = '';
  for (const { id: asset, mediaType } of assets.values()) {
    const bytes = await session.assets.get(asset);
    if (bytes === undefined) continue;
    yield `${between}${JSON.stringify({ id: asset, mediaType, data: Buffer.from(bytes).toString('base64') })}`;
    between = ',\n';
  }
  yield '\n],\n"entries":[\n';
  for (const [at, entry] of entries.entries()) yield `${at > 0 ? ',\n' : ''}${JSON.stringify(entry)}`;
  yield '\n]}\n';
}
