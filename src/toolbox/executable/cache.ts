// What was learnt from `--toolspec`, kept in the home by the content of the file: an unchanged file starts no process.
// The cache may be lost at any time; nothing depends on it but speed.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isRecord } from '../../content/json.ts';
import type { ExecutableSpec } from './spec.ts';
import { writePrivately } from '../../config/system.ts';

/** Goes up when specs are read in another way. */
const shape = 2;

export type KnownSpec = {
  /** What the file system says about the file: the same stamp, the same content. */
  stamp: string;
  hash: string;
  specs: ExecutableSpec[];
  /** `--authorize` said yes to this content. */
  authorised?: true;
  /** `--authorize` said nothing in time, and is left alone until then. */
  silent?: { why: string; until: number };
  /** Why there are no specs. */
  trouble?: SpecTrouble;
};

/** Why a file cannot be used, what to do about it, and until when it is left alone: one that hangs keeps all others waiting. */
export type SpecTrouble = { state: 'invalid' | 'failing'; why: string; next?: string; until?: number };

export type SpecCache = {
  get(file: string): KnownSpec | undefined;
  set(file: string, known: KnownSpec): void;
  delete(file: string): void;
  /** Writes what changed; a home that cannot be written to is no error. */
  save(): void;
};

export function openCache(home: string): SpecCache {
  const path = join(home, 'cache', 'toolspecs.json');
  const files = new Map(Object.entries(stored(path)));
  let changed = false;
  return {
    get: (file) => files.get(file),
    set(file, known) {
      files.set(file, known);
      changed = true;
    },
    delete(file) {
      changed = files.delete(file) || changed;
    },
    save() {
      if (!changed) return;
      const there = [...files].filter(([file]) => existsSync(file));
      write(path, JSON.stringify({ shape, files: Object.fromEntries(there) }));
      changed = false;
    },
  };
}

function stored(path: string): Record<string, KnownSpec> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) && value['shape'] === shape && isRecord(value['files'])
      ? (value['files'] as Record<string, KnownSpec>)
      : {};
  } catch {
    return {}; // there is none yet, or it is damaged: everything is asked anew
  }
}

function write(path: string, text: string): void {
  try {
    writePrivately(path, text);
  } catch {
    // without it the files are asked again the next time
  }
}

/** Changes whenever the content of a file does. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
