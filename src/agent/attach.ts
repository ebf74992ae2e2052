// Files that a person hands over with her words: read once, through the same door as everything else.
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { AssetStore } from '../asset/store.ts';
import type { Block } from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { read } from '../media/index.ts';
import type { Source } from '../media/source.ts';

export type Attachment = { source: Source; name: string };

export type AttachOptions = { assets: AssetStore; folder?: string; signal?: AbortSignal };

/** Words with `@path`, or `@"a path with spaces"`, in them: the words as they stand, and the files they name. */
export function namedFiles(words: string, folder: string = process.cwd()): Attachment[] {
  const names = [...words.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const paths = names.flatMap((name) => fileOf(name, folder) ?? []);
  return [...new Set(paths)].map((path) => ({ source: path, name: basename(path) }));
}

/** The file a word names; a full stop or a bracket at its end may belong to the sentence. */
function fileOf(name: string, folder: string): string | undefined {
  for (const candidate of [name, name.replace(/[.,;:!?)\]}]+$/, '')]) {
    const home = /^~(?=\/|$)/.test(candidate) ? join(homedir(), candidate.slice(1)) : candidate;
    const path = isAbsolute(home) ? home : resolve(folder, home);
    if (candidate !== '' && existsSync(path) && statSync(path).isFile()) return path;
  }
  return undefined;
}

const pasted = /data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}/g;

/** Pictures and files pasted as data URIs: out of the words, into attachments. */
export function pastedFiles(words: string): { words: string; files: Attachment[] } {
  const files: Attachment[] = [];
  const rest = words.replace(pasted, (uri) => {
    const bytes = Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    const name = `pasted-${files.length + 1}.${/\/([a-z0-9]+)/.exec(uri)?.[1] ?? 'bin'}`;
    files.push({ source: bytes, name });
    return `[${name}]`;
  });
  return { words: rest, files };
}

/** What the model gets: each file behind its name, then the words. The first file that is refused refuses all. */
export async function attach(
  words: string,
  files: readonly Attachment[],
  options: AttachOptions,
): Promise<Read<Block[]>> {
  const { assets, signal } = options;
  const blocks: Block[] = [];
  for (const { source, name } of files) {
    const reading = await read(source, { assets, name, ...(signal && { signal }) });
    if (!reading.ok) return reading;
    blocks.push({ type: 'text', text: `[attached: ${safeName(name)}]` }, ...reading.value.blocks);
  }
  if (words.trim() !== '') blocks.push({ type: 'text', text: words });
  if (blocks.length > 0) return { ok: true, value: blocks };
  return refuse('empty', 'There is no question', 'Write one, or name a file.');
}
