// Anything that holds bytes in, one way to read them out: a head without the rest, then all of it up to a bound.
// Refused: what is absent, not allowed, no file, or not fetched by us.
import { fileURLToPath } from 'node:url';
import type { Named } from '../content/intake.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { brokeOff, fromBytes, fromFile, fromStream } from './bytes.ts';
import type { Opened, FileAccess } from './bytes.ts';
import type { Context } from './context.ts';
import { tooLarge } from './context.ts';
import { parameter, parameters } from './mail/header.ts';

/** What can be read: a path, an address, bytes, or what gives them. */
export type Source = string | URL | Uint8Array | ArrayBuffer | Blob | Response | ReadableStream<Uint8Array>;

/** Opens any source; a string is always a path. */
export async function openSource(source: Source, access: FileAccess): Promise<Read<Opened>> {
  if (typeof source === 'string') return /^https?:\/\//i.test(source) ? notAPath : await fromFile(source, access);
  if (source instanceof URL) return await fromUrl(source, access);
  if (source instanceof Uint8Array) return { ok: true, value: fromBytes(source) };
  if (source instanceof ArrayBuffer) return { ok: true, value: fromBytes(new Uint8Array(source)) };
  if (source instanceof Blob) return { ok: true, value: fromBlob(source) };
  const stream = source instanceof Response ? source.body : source;
  if (stream?.locked === true)
    throw new SightlineError(
      'input',
      'The stream was read already, or is read elsewhere. Give a fresh one, or its bytes.',
    );
  if (source instanceof Response) return fromResponse(source, access.signal);
  if (source instanceof ReadableStream) return { ok: true, value: fromStream(source, access.signal) };
  const takes = 'a path, a URL, a Uint8Array, an ArrayBuffer, a Blob, a Response or a ReadableStream';
  throw new SightlineError('input', `read takes ${takes}. Make one of a Node stream with Readable.toWeb(stream).`);
}

const notAPath = refuse(
  'not-found',
  'This is an address, not a path',
  'Fetch it first, or hand it over as a URL: new URL(…).',
);

/** All bytes of a file or an address. */
export async function sourceBytes(source: Source, access: FileAccess, { limits }: Context): Promise<Read<Named>> {
  const result = await openSource(source, access);
  if (!result.ok) return result;
  const opened = result.value;
  const { name, size, mediaType } = opened;
  const { imageBytes, pdfBytes, audioBytes, videoBytes, textBytes, documentBytes } = limits;
  const limit = Math.max(imageBytes, pdfBytes, audioBytes, videoBytes, textBytes, documentBytes);
  try {
    const bytes = (size ?? 0) > limit ? undefined : await opened.all(limit);
    if (bytes === undefined)
      return tooLarge(`${name ?? 'The file'} is too large`, size ?? limit + 1, limit, 'Use a smaller file.');
    return {
      ok: true,
      value: { bytes, ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) },
    };
  } catch (error) {
    return sourceRefusal(error, name ?? 'The file');
  } finally {
    await opened.close();
  }
}

/** A source that fails while it is read is a refusal; everything else is thrown on. */
export function sourceRefusal(error: unknown, name: string): { ok: false; refusal: Refusal } {
  if (!(error instanceof SightlineError) || error.code !== 'input') throw error;
  return refuse('corrupt', `${name} broke off while it was read`, 'Get it again.');
}

async function fromUrl(url: URL, access: FileAccess): Promise<Read<Opened>> {
  if (url.protocol === 'file:') {
    if (url.host !== '')
      return refuse('not-allowed', 'The file lies on another host', 'Copy it here and pass its path.');
    const path = pathOf(url);
    if (path === undefined) return refuse('not-found', 'The file URL names no path', 'Check the path.');
    return await fromFile(path, access);
  }
  if (url.protocol === 'data:') {
    try {
      const response = await fetch(url);
      return {
        ok: true,
        value: typed(fromBytes(new Uint8Array(await response.arrayBuffer())), response.headers.get('content-type')),
      };
    } catch {
      return refuse('bad-base64', 'The data URL cannot be decoded', 'Encode the bytes again as base64.');
    }
  }
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    return refuse('not-allowed', 'Remote URLs are not fetched', 'Fetch it first, and read what came.');
  }
  return refuse('not-allowed', `URLs with ${url.protocol} are not read`, 'Pass a path or the bytes.');
}

/** Some file URLs are no paths, such as one with an encoded slash. */
function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function fromBlob(blob: Blob): Opened {
  const part = async (start: number, length: number): Promise<Uint8Array> =>
    new Uint8Array(
      await blob
        .slice(start, start + length)
        .arrayBuffer()
        .catch(brokeOff),
    );
  const opened: Opened = {
    size: blob.size,
    head: (length) => part(0, length),
    all: async (maxBytes) => (blob.size > maxBytes ? undefined : await part(0, blob.size)),
    part,
    close: async () => undefined,
  };
  return typed(blob instanceof File ? { ...opened, name: safeName(blob.name) } : opened, blob.type);
}

function typed(opened: Opened, mediaType: string | null): Opened {
  return mediaType === null || mediaType === '' ? opened : { ...opened, mediaType };
}

function fromResponse(response: Response, signal: AbortSignal | undefined): Read<Opened> {
  if (!response.ok) {
    return refuse(
      'not-found',
      `The server answered ${response.status}`,
      'Check the address, then pass a good response.',
    );
  }
  const opened = response.body === null ? fromBytes(new Uint8Array()) : fromStream(response.body, signal);
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  // A compressed body has another length than the bytes we get.
  const exact = Number.isInteger(length) && response.headers.get('content-encoding') === null;
  const name = responseName(response);
  const known = { ...opened, ...(exact && { size: length }), ...(name !== undefined && { name }) };
  return { ok: true, value: typed(known, response.headers.get('content-type')) };
}

function responseName(response: Response): string | undefined {
  const { named } = parameters(`;${response.headers.get('content-disposition') ?? ''}`);
  const given = parameter(named, 'filename') ?? '';
  if (given !== '') return safeName(given);
  const path = URL.canParse(response.url) ? new URL(response.url).pathname : '';
  return path === '' || path.endsWith('/') ? undefined : safeName(path);
}
