// The bytes of an archive in, its entries by name out, each inflated only when it is asked for. Refused: damage, too
// many entries, sizes that are too much or a lie, names that lead out of the archive, encryption.
import { crc32, inflateRawSync } from 'node:zlib';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Limits } from '../limits.ts';
import { grouped } from '../limits.ts';
import { zipDirectory } from './directory.ts';
import type { ZipRecord } from './directory.ts';

export type Zip = {
  /** in the order of the archive, folders left out */
  names: readonly string[];
  has: (name: string) => boolean;
  /** How many bytes an entry says it has. */
  size: (name: string) => number;
  /** Names are compared as Office does it, without regard to case. */
  read: (name: string) => Read<Uint8Array>;
};

const ratioFrom = 1024 * 1024;

/** Opens an archive without inflating anything: what its directory declares must already be bearable. */
export function openZip(bytes: Uint8Array, name: string, limits: Limits): Read<Zip> {
  const directory = zipDirectory(bytes, limits.archiveEntries);
  if (directory === 'too-many') {
    const next = 'Take out what is not needed.';
    return refuse('too-large', `${name} has too many entries`, next, `${grouped(limits.archiveEntries)} entries`);
  }
  if (directory === undefined) return damaged(name, 'its directory cannot be read');
  const records = new Map<string, ZipRecord>();
  let declared = 0;
  for (const record of directory) {
    const path = normalised(record.name);
    if (path === undefined) return damaged(name, 'a name in it leads out of the archive');
    declared += record.size;
    if (!path.endsWith('/') && !records.has(path.toLowerCase()))
      records.set(path.toLowerCase(), { ...record, name: path });
  }
  const excess = tooMuch(name, declared, bytes.length, limits);
  if (excess !== undefined) return excess;
  return { ok: true, value: zipOf(bytes, name, records, limits) };
}

function zipOf(bytes: Uint8Array, name: string, records: ReadonlyMap<string, ZipRecord>, limits: Limits): Zip {
  let inflated = 0;
  const found = (path: string): ZipRecord | undefined => records.get((normalised(path) ?? '').toLowerCase());
  const read = (path: string): Read<Uint8Array> => {
    const record = found(path);
    if (record === undefined) return damaged(name, `${path} is missing in it`);
    const excess =
      tooMuch(name, record.size, record.packed, limits) ?? tooMuch(name, (inflated += record.size), Infinity, limits);
    return excess ?? inflate(bytes, name, record);
  };
  return {
    names: [...records.values()].map((record) => record.name),
    has: (path) => found(path) !== undefined,
    size: (path) => found(path)?.size ?? 0,
    read,
  };
}

/** One entry; never more bytes than it declared, and with the checksum it declared. */
function inflate(
  bytes: Uint8Array,
  name: string,
  { method, encrypted, size, packed, start, crc, name: path }: ZipRecord,
): Read<Uint8Array> {
  if (encrypted) return refuse('encrypted', `${name} has an encrypted entry`, 'Remove its password and read it again.');
  if (method !== 0 && method !== 8) {
    return refuse('unsupported', `${name} is packed in an unusual way (method ${method})`, 'Save it anew.');
  }
  const data = bytes.subarray(start, start + packed);
  if (data.length < packed) return damaged(name, `${path} is cut off`);
  try {
    const value = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
    const right = value.length === size && crc32(value) === crc;
    return right ? { ok: true, value } : damaged(name, `${path} is not what its checksum says`);
  } catch {
    return damaged(name, `${path} cannot be inflated`); // or it is larger than it declared
  }
}

/** Sizes as declared; lies about them end in `inflate`. */
function tooMuch(
  name: string,
  size: number,
  packed: number,
  limits: Limits,
): { ok: false; refusal: Refusal } | undefined {
  if (size > limits.inflatedBytes) {
    return refuse(
      'too-large',
      `${name} inflates to ${grouped(size)} bytes`,
      'Save the part of it that matters as a file of its own, and read that.',
      `${grouped(limits.inflatedBytes)} bytes`,
    );
  }
  if (size <= ratioFrom || size <= packed * limits.inflateRatio) return undefined;
  const times = Math.round(size / Math.max(1, packed));
  return refuse(
    'too-large',
    `${name} inflates to ${grouped(times)} times its size`,
    'Nothing sound grows like this; get the file from its author again.',
    `${limits.inflateRatio} times`,
  );
}

/** Forward slashes, no leading one, no dots; nothing when the way leads out. */
function normalised(name: string): string | undefined {
  const steps: string[] = [];
  for (const step of name.replaceAll('\\', '/').split('/')) {
    if (step === '..' && steps.pop() === undefined) return undefined;
    if (step !== '' && step !== '.' && step !== '..') steps.push(step);
  }
  return steps.join('/') + (/[\\/]$/.test(name) ? '/' : '');
}

function damaged(name: string, why: string): { ok: false; refusal: Refusal } {
  return refuse('corrupt', `${name} is damaged: ${why}`, 'Get the file again or save it anew.');
}
