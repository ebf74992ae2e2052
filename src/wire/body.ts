// From a skeleton to a body. A skeleton is a request's JSON whose media positions hold slots: references to assets.
// It becomes plain JSON (`inline`), or a byte stream of exactly known length into which the base64 is spliced from
// storage in bounded chunks (`stream`). Both give the same bytes. Half characters, which some APIs answer with an
// error, are mended here for all wires. Web standards only.
import { base64Length, encodeBase64, encodeBase64Stream } from '../content/base64.ts';
import type { StreamOptions } from '../content/asset-store.ts';
import type { Asset, AssetId } from '../content/block.ts';
import { grouped } from '../content/figures.ts';
import { shortId } from '../content/words.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { ItemMemo } from './item-memo.ts';
import { cutBody, isSlot, joinedParts, slotKey } from './json-slots.ts';
import type { CutJson, JsonSegment, Slot } from './json-slots.ts';

/** A body of the given wire type whose media strings are still slots. `cuts`: its JSON text, once somebody has asked. */
export type Skeleton<Body> = { readonly skeleton: Body; readonly memo?: ItemMemo; cuts?: CutJson[] };

/** Gives the bytes of an asset, in chunks of any size. */
export type BytesOf = (id: AssetId) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The exact JSON body, with the base64 in it.
 *
 * @example
 * const body = JSON.stringify(await inline(skeleton, (id) => assets.stream(id)));
 */
export function inline<Body>(skeleton: Skeleton<Body>, bytesOf: BytesOf): Promise<Body> {
  return filled(skeleton, (asset) => lettersOf(asset, bytesOf));
}

/** The same with what somebody writes for each asset. */
export function filled<Body>(skeleton: Skeleton<Body>, spell: (asset: Asset) => Promise<string>): Promise<Body> {
  const stand = async ({ [slotKey]: asset, prefix }: Slot): Promise<string> => prefix + (await spell(asset));
  return fill(skeleton.skeleton, stand) as Promise<Body>;
}

/** The base64 of an asset. */
export async function lettersOf(asset: Asset, bytesOf: BytesOf): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(asset.id)) chunks.push(chunk);
  return encodeBase64(joined(chunks, asset));
}

/**
 * The body for people to read: a short note stands where base64 would.
 *
 * @example
 * console.dir(await outline(skeleton), { depth: null });
 */
export function outline<Body>(skeleton: Skeleton<Body>): Promise<Body> {
  return fill(skeleton.skeleton, async ({ [slotKey]: asset, prefix }) => {
    const size = grouped(base64Length(asset.size));
    return `${prefix}<${size} characters of base64, asset ${shortId(asset.id)}>`;
  }) as Promise<Body>;
}

async function fill(value: unknown, stand: (slot: Slot) => Promise<string>): Promise<unknown> {
  if (isSlot(value)) return stand(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await fill(item, stand));
    return items;
  }
  if (typeof value === 'string') return value.toWellFormed();
  if (!isRecord(value)) return value;
  if (typeof value['toJSON'] === 'function') return JSON.parse(JSON.stringify(value)) as unknown;
  const fields: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) fields.push([key.toWellFormed(), await fill(item, stand)]);
  return Object.fromEntries(fields);
}

function joined(chunks: readonly Uint8Array[], asset: Asset): Uint8Array {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size !== asset.size) throw wrongSize(asset, size);
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function wrongSize(asset: Asset, size: number): SightlineError {
  return new SightlineError(
    'storage',
    `Asset ${shortId(asset.id)} should have ${asset.size} bytes but has ${size}. Give its file again.`,
  );
}

/** A body, cut once for its length and its stream. */
function cutsOf(skeleton: Skeleton<unknown>): CutJson[] {
  return (skeleton.cuts ??= cutBody(skeleton.skeleton, skeleton.memo));
}

/**
 * How many bytes the body has, without making it.
 *
 * @example
 * const headers = { 'content-length': String(contentLength(skeleton)) };
 */
export function contentLength<Body>(skeleton: Skeleton<Body>): number {
  return cutsOf(skeleton).reduce((sum, cut) => sum + cut.length, 0);
}

/** Every medium of the body, as often as it stands there. */
export function mediaInSkeleton(skeleton: Skeleton<unknown>): Asset[] {
  return cutsOf(skeleton).flatMap(({ parts }) => parts.flatMap((part) => (isSlot(part) ? [part[slotKey]] : [])));
}

/**
 * The body as a stream. Memory stays at a few chunks, whatever the body weighs; with `reuse`, at the same few: each
 * chunk then holds only until the next one is asked for.
 *
 * @example
 * await fetch(url, { method: 'POST', body: stream(skeleton, (id) => assets.stream(id)), duplex: 'half' });
 */
export function stream<Body>(
  skeleton: Skeleton<Body>,
  bytesOf: BytesOf,
  { reuse = false }: StreamOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamedChunks(bodyChunks(skeleton, bytesOf, { reuse }));
}

/** Chunks as a stream that asks for the next one when it is asked itself. */
export function streamedChunks<Chunk>(chunks: AsyncGenerator<Chunk, void>): ReadableStream<Chunk> {
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same for whoever writes each chunk himself. */
export function bodyChunks(
  skeleton: Skeleton<unknown>,
  bytesOf: BytesOf,
  { reuse = false }: StreamOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  return write(joinedParts(cutsOf(skeleton)), bytesOf, reuse);
}

/** Room for the base64 of the chunks that our own stores give. */
const reusedBytes = 256 * 1024;

const encoder = new TextEncoder();

/** Writes the parts in turn; while one asset is encoded, the next one is already being opened. */
async function* write(
  parts: readonly JsonSegment[],
  bytesOf: BytesOf,
  reuse: boolean,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const assets = parts.flatMap((part) => (typeof part === 'string' ? [] : [part[slotKey]]));
  const longest = Math.max(0, ...assets.map(({ size }) => base64Length(size)));
  const into = reuse ? new Uint8Array(Math.min(longest, reusedBytes)) : undefined;
  let opened = 0;
  let ahead = open(assets[opened++], bytesOf);
  try {
    for (const part of parts) {
      if (typeof part === 'string') {
        yield encoder.encode(part);
        continue;
      }
      const current = ahead;
      ahead = open(assets[opened++], bytesOf);
      if (current) yield* encodeBase64Stream(counted(current), into) as AsyncGenerator<Uint8Array<ArrayBuffer>>;
    }
  } finally {
    if (ahead) await close(ahead);
  }
}

type SlotBytes = {
  asset: Asset;
  chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  first: Promise<IteratorResult<Uint8Array>>;
};

function open(asset: Asset | undefined, bytesOf: BytesOf): SlotBytes | undefined {
  if (!asset) return undefined;
  const given = bytesOf(asset.id);
  const chunks = Symbol.asyncIterator in given ? given[Symbol.asyncIterator]() : given[Symbol.iterator]();
  const first = Promise.resolve(chunks.next());
  first.catch(() => undefined); // it is told when its turn comes
  return { asset, chunks, first };
}

async function close({ chunks, first }: SlotBytes): Promise<void> {
  await first.catch(() => undefined);
  await chunks.return?.();
}

/** The chunks of an asset; one of another size than it should have is an error. */
async function* counted(source: SlotBytes): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for (let next = await source.first; !next.done; next = await source.chunks.next()) {
      size += next.value.length;
      yield next.value;
    }
  } finally {
    await close(source);
  }
  if (size !== source.asset.size) throw wrongSize(source.asset, size);
}
