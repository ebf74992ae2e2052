// The body of a request: bounded whatever it says about itself, unpacked within the same bound, and scanned while it comes.
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { largeBodyWords } from '../model/guard.ts';
import type { Clock } from '../model/http/clock.ts';
import { openScan } from './scan.ts';
import { stringsOf } from './strings.ts';
import type { BodyStrings, KnownStrings } from './strings.ts';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';

/** So much has to come in such a time; what is slower only holds a place. */
const paceMs = 10_000;
const leastBytes = 16 * 1024 * 10;

/** Why a body was not read. */
export type Unread = { status: number; message: string };

/** A body that was read: its text, with marks for its long strings. */
export type ReadBody = { text: string; strings: BodyStrings; bytes: number };

/** The whole body, or why it is not read. */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
  clock: Clock,
  known: KnownStrings,
): Promise<ReadBody | Unread> {
  const scan = openScan(known);
  const source = unpacked(incoming);
  if (!source) return { status: 415, message: 'The body is packed in a way that is not known here. Send it as it is.' };
  const read = await taken(source, maxBytes, clock, scan.push);
  if (typeof read !== 'number') {
    if (read.status === 413) incoming.resume(); // so that the answer can be heard
    return read;
  }
  try {
    const { outline, strings } = scan.end();
    const text = utf8.decode(outline);
    return { text, strings: stringsOf(strings, known), bytes: read };
  } catch {
    return { status: 400, message: 'The body is no UTF-8 text.' };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Takes all that comes; how many bytes that were. */
function taken(
  source: Readable,
  maxBytes: number,
  clock: Clock,
  take: (chunk: Buffer) => void,
): Promise<number | Unread> {
  const read = Promise.withResolvers<number | Unread>();
  let bytes = 0;
  let before = 0;
  const crawls = { status: 408, message: `A body may not come slower than ${leastBytes / 10 / 1024} KiB a second.` };
  const look = (): void => {
    if (bytes - before < leastBytes) return end(crawls);
    before = bytes;
    cancel = clock.after(paceMs, look);
  };
  const isHere = 'complete' in source && source.complete === true; // a small body comes together with its head
  let cancel = isHere ? () => undefined : clock.after(paceMs, look);
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) return end({ status: 413, message: largeBodyWords(maxBytes) });
    try {
      take(chunk);
    } catch (error) {
      end(Promise.reject(error)); // here, nobody would catch it
    }
  };
  const onEnd = (): void => end(bytes);
  const broke = (): void => end({ status: 400, message: 'The body broke off, or is not packed as it says.' });
  const end = (how: number | Unread | Promise<never>): void => {
    cancel();
    source.off('data', onData).off('end', onEnd).off('close', broke);
    if (typeof how !== 'number') source.pause();
    read.resolve(how);
  };
  if (source.destroyed) broke();
  else source.on('data', onData).once('end', onEnd).on('error', broke).once('close', broke);
  return read.promise;
}

function unpacked(incoming: IncomingMessage): Readable | undefined {
  const encoding = incoming.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return incoming;
  const unpack = unpackers.get(encoding);
  return unpack && pipeline(incoming, unpack(), () => undefined);
}

const unpackers = new Map<string, () => ReturnType<typeof createUnzip>>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
