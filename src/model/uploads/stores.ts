// The file stores of providers: how a file goes up, how long it stays, how it is taken back. Routes and fields are those that
// the vendors' own SDKs send.
import { shortId } from '../../content/words.ts';
import type { Asset } from '../../content/block.ts';
import { isRecord, parsed } from '../../content/json.ts';
import { pause } from '../http/clock.ts';
import type { Clock } from '../http/clock.ts';
import { nodeFetch } from '../http/http.ts';
import type { HttpInit } from '../http/http.ts';
import { silentFor, watchIdle } from '../http/idle.ts';
import { formBody } from './multipart.ts';
import type { BytesAgain, Uploaded } from './port.ts';

/** Where a store is, what lets one in, and how long files shall stay. */
export type StoreAccess = {
  base: string;
  headers: Record<string, string>;
  keepMs: number;
  signal: AbortSignal;
  clock: Clock;
};

/** An answer that is no file: its status and its words. 0 is the status of a store that says nothing. */
export class StoreRefusal extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

/** One provider's store. `most`: the largest file that it takes. */
export type FileStore = {
  most: number;
  upload: (asset: Asset, bytes: BytesAgain, access: StoreAccess) => Promise<Uploaded>;
  remove: (file: string, access: StoreAccess) => Promise<void>;
  has: (file: string, access: StoreAccess) => Promise<boolean>;
};

/** Whether a store refused because there is no such file; Google says so as if somebody had no right to it. */
export function isUnknown(error: unknown): boolean {
  return (
    error instanceof StoreRefusal && (error.status === 404 || (error.status === 403 && /exist/.test(error.message)))
  );
}

async function found(url: string, access: StoreAccess): Promise<boolean> {
  return await ask('GET', url, access).then(
    () => true,
    (error: unknown) => {
      if (!isUnknown(error)) throw error;
      return false;
    },
  );
}

const MB = 1_000_000;
/** The least and the most that both stores with a choice take. */
const [leastSeconds, mostSeconds] = [3600, 2_592_000];

/** What a store answered. */
type StoreAnswer = { headers: Headers; text: string };

/** How long a store may be silent. It is asked before the model is, so that the answer waits for it. */
const silentMs = 2 * 60_000;
const mostCharacters = 1024 * 1024;

async function ask(
  method: string,
  url: string,
  access: StoreAccess,
  { body, headers }: Partial<HttpInit> = {},
): Promise<StoreAnswer> {
  const idle = watchIdle({ ...access, idleMs: silentMs });
  let over = false;
  try {
    const response = await nodeFetch(url, {
      method,
      headers: { 'user-agent': 'sightline', ...access.headers, ...headers },
      ...(body && { body: idle.observe(inSlices(typeof body === 'function' ? body() : body)) }),
      signal: idle.signal,
      redirect: 'manual',
      duplex: 'half',
    });
    idle.alive();
    const reading = beginning(idle.observe(response.body ?? []));
    const text = await (response.ok ? reading : reading.catch(() => ''));
    over = text.length < mostCharacters;
    if (response.ok) return { headers: response.headers, text };
    throw new StoreRefusal(response.status, text.slice(0, 2000));
  } catch (error) {
    throw idle.over() ? new StoreRefusal(0, silentFor(silentMs)) : error;
  } finally {
    idle.end(over);
  }
}

const sliceBytes = 256 * 1024;

/** The same bytes in slices so small that a slow line, too, is heard of now and then. */
async function* inSlices(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= mostCharacters) break;
  }
  return text;
}

function fieldsOf({ text }: StoreAnswer): Record<string, unknown> {
  const value = parsed(text);
  return isRecord(value) ? value : {};
}

function secondsOf({ keepMs }: StoreAccess): number {
  return Math.min(mostSeconds, Math.max(leastSeconds, Math.round(keepMs / 1000)));
}

function idOf(value: Record<string, unknown>): string {
  if (typeof value['id'] !== 'string' || value['id'] === '') throw new StoreRefusal(502, 'The answer names no file.');
  return value['id'];
}

/** A store that takes a form; `fields` say for how long the file stays. */
function formStore(most: number, fields: (seconds: number) => readonly (readonly [string, string])[]): FileStore {
  return {
    most,
    upload: async (asset, bytes, access) => {
      const { mediaType, size, name = nameFor(asset) } = asset;
      const seconds = secondsOf(access);
      const form = formBody(fields(seconds), { name, mediaType, size, bytes });
      const began = access.clock.now();
      const made = fieldsOf(
        await ask('POST', `${access.base}/files`, access, { headers: form.headers, body: form.chunks() }),
      );
      return { file: idOf(made), expires: began + seconds * 1000 };
    },
    remove: async (file, access) => {
      await ask('DELETE', `${access.base}/files/${encodeURIComponent(file)}`, access);
    },
    has: (file, access) => found(`${access.base}/files/${encodeURIComponent(file)}`, access),
  };
}

function nameFor({ id, mediaType }: Asset): string {
  const [, ending = 'bin'] = mediaType.split('/');
  return `${shortId(id)}.${ending.replace(/\W.*/, '')}`;
}

/** Google keeps files for two days, whatever one wishes; films are ready only some time after they came. */
const gemini: FileStore = {
  most: 2000 * MB,
  upload: async (asset, bytes, access) => {
    const { mediaType, size, name = nameFor(asset) } = asset;
    const base = new URL(access.base);
    const began = access.clock.now();
    const about = new TextEncoder().encode(JSON.stringify({ file: { displayName: name, mimeType: mediaType } }));
    const opened = await ask('POST', `${base.origin}/upload${base.pathname}/files`, access, {
      headers: {
        'content-type': 'application/json',
        'content-length': String(about.length),
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(size),
        'x-goog-upload-header-content-type': mediaType,
      },
      body: [about],
    });
    const next = URL.parse(opened.headers.get('x-goog-upload-url') ?? '');
    if (next?.origin !== base.origin) throw new StoreRefusal(502, 'The store names another host to upload to.');
    const sent = await inChunks(next.href, bytes(), size, access);
    return await whenActive(fieldsOf(sent)['file'], began, access);
  },
  remove: async (file, access) => {
    await ask('DELETE', `${access.base}/${nameIn(file)}`, access);
  },
  has: (file, access) => found(`${access.base}/${nameIn(file)}`, access),
};

function nameIn(uri: string): string {
  return /files\/[\w-]+$/.exec(uri)?.[0] ?? '';
}

const chunkBytes = 8 * 1024 * 1024;

/** Sends a file piece by piece; one piece is in memory, and what was cut off goes on where the store says that it ended. */
async function inChunks(
  url: string,
  bytes: AsyncIterable<Uint8Array>,
  size: number,
  access: StoreAccess,
): Promise<StoreAnswer> {
  let sent = 0;
  for await (const piece of pieces(bytes, chunkBytes)) {
    const isLast = sent + piece.length >= size;
    const response = await withResume(url, piece, sent, isLast, access);
    if (isLast) return response;
    sent += piece.length;
  }
  throw new StoreRefusal(400, 'The file is shorter than it was said to be.');
}

const [resumes, firstPauseMs] = [4, 500];

async function withResume(
  url: string,
  piece: Uint8Array,
  offset: number,
  isLast: boolean,
  access: StoreAccess,
): Promise<StoreAnswer> {
  let done = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask('POST', url, access, {
        headers: {
          'content-length': String(piece.length - done),
          'x-goog-upload-command': isLast ? 'upload, finalize' : 'upload',
          'x-goog-upload-offset': String(offset + done),
        },
        body: [piece.subarray(done)],
      });
    } catch (error) {
      const isRefused = error instanceof StoreRefusal && error.status < 500 && error.status !== 429;
      if (isRefused || access.signal.aborted || attempt >= resumes) throw error;
      await pause(access.clock, firstPauseMs * 2 ** (attempt - 1), access.signal);
      done = Math.min(piece.length, Math.max(0, (await receivedBy(url, access)) - offset));
    }
  }
}

/** How much of a file a store has. */
async function receivedBy(url: string, access: StoreAccess): Promise<number> {
  const headers = { 'content-length': '0', 'x-goog-upload-command': 'query' };
  const told = await ask('POST', url, access, { headers, body: [] });
  return Number(told.headers.get('x-goog-upload-size-received') ?? 0);
}

/** The same bytes in pieces of one size, the last one smaller. */
async function* pieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let [piece, filled] = [new Uint8Array(size), 0];
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const taken = chunk.subarray(from, from + size - filled);
      piece.set(taken, filled);
      filled += taken.length;
      from += taken.length;
      if (filled < size) continue;
      yield piece;
      [piece, filled] = [new Uint8Array(size), 0];
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

const googleMs = 48 * 3_600_000;
const mostPolls = 60;

async function whenActive(first: unknown, began: number, access: StoreAccess): Promise<Uploaded> {
  let file = isRecord(first) ? first : {};
  for (let poll = 0; ; poll++) {
    const { uri, state, name } = file;
    if (typeof uri !== 'string' || typeof name !== 'string') throw new StoreRefusal(502, 'The answer names no file.');
    if (state === 'FAILED') throw new StoreRefusal(400, 'The store could not read the file.');
    if (state !== 'PROCESSING') return { file: uri, expires: began + googleMs };
    if (poll >= mostPolls) throw new StoreRefusal(504, 'The file was not ready in time.');
    await pause(access.clock, 1000, access.signal);
    file = fieldsOf(await ask('GET', `${access.base}/${name}`, access));
  }
}

/** The stores by the endpoint that gives their ids. */
export const fileStores: Readonly<Partial<Record<string, FileStore>>> = {
  anthropic: formStore(500 * MB, (seconds) => [['expires_in_seconds', String(seconds)]]),
  openai: formStore(512 * MB, (seconds) => [
    ['purpose', 'user_data'],
    ['expires_after[anchor]', 'created_at'],
    ['expires_after[seconds]', String(seconds)],
  ]),
  gemini,
  // Its document of the API has the fields of OpenAI's; the expiry must come before the file.
  xai: formStore(50 * MB, (seconds) => [
    ['purpose', 'assistants'],
    ['expires_after[anchor]', 'created_at'],
    ['expires_after[seconds]', String(seconds)],
  ]),
};
