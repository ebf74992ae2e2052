// The only way in. The pure stages hand bytes, paths and addresses out through this port and get checked blocks back; a
// loose block is resolved here, too. Bytes decide its kind; the author's words go along.
import { decodeBase64, parseDataUri } from './base64.ts';
import type { Asset, AssetId, Block, ReferenceBlock } from './block.ts';
import { isMediaKind } from './block.ts';
import { grouped } from './figures.ts';
import { isChecked } from './input.ts';
import type { BlockInput, Data, MediaInput } from './input.ts';
import { parseBlock, readBlock } from './parse.ts';
import { refuse } from './refusal.ts';
import type { Read } from './refusal.ts';

/** What is said about bytes; the author's words and wishes are added after the check. */
export type Hint = Pick<MediaInput, 'name' | 'mediaType' | 'range'>;

/** Who names a file: a person may name any, a tool only those below the roots. */
export type By = 'person' | 'tool';

/** Where paths begin, which folders a tool may name files in, and until when anybody waits. */
export type Place = {
  base?: string | undefined;
  roots?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
};

/** What was found at a path or an address, and what it is called there. */
export type Named = { bytes: Uint8Array; name?: string; mediaType?: string };

/** One per run, handed down; never opened again below. */
export type Intake = {
  /** Bytes decide: the block's kind and media type come from them, whatever the hint says; its range stands on what has pages. Never throws. */
  check: (bytes: Uint8Array, hint?: Hint) => Promise<Read<Block>>;
  /** Fetches what a `path` or a `url` names, as far as whoever names it may. */
  open: (source: { path: string } | { url: string }, by: By) => Promise<Read<Named>>;
  /** Keeps bytes that no model can be shown, so that nothing is lost. */
  keep: (bytes: Uint8Array, about: { mediaType: string; name?: string }) => Promise<Asset>;
  /** The bytes of an asset that somebody names, or nothing when it is not stored here. */
  stored: (id: AssetId) => Promise<Uint8Array | undefined>;
  /** The same intake for somebody who stands elsewhere. */
  at: (place: Place) => Intake;
};

/** A block that has nothing left to check; undefined for any other. */
export function settledBlock(given: BlockInput): Block | undefined {
  return given.type !== 'reference' && isOurs(given) && isChecked(given) ? given : undefined;
}

/** Checks a loose block. Never throws: what cannot be shown is a refusal. */
export async function resolveBlock(given: BlockInput, intake: Intake, by: By): Promise<Read<Block>> {
  if (given.type === 'reference' && parseBlock(given)) return { ok: true, value: given };
  const input = isOurs(given) ? given : readBlock(given); // a program may hand over blocks in the spelling of its SDK
  if (isChecked(input)) return { ok: true, value: input };
  const media: MediaInput = input;
  const reference = referenceOf(media);
  if (reference) return { ok: true, value: reference };
  const found = await bytesOf(media, intake, by);
  if (!found.ok) return found;
  const { range, mediaType = found.value.mediaType } = media;
  const name = media.name ?? found.value.name;
  const hint: Hint = {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(range && { range }),
  };
  const read = await intake.check(found.value.bytes, hint);
  return read.ok ? { ok: true, value: withHint(read.value, media) } : read;
}

/** What lies elsewhere is named, not opened: whether it is passed on or fetched depends on the model. */
export function referenceOf({ type, data, path, url, file, ...about }: MediaInput): ReferenceBlock | undefined {
  if (data !== undefined || path !== undefined) return undefined;
  if (file) return { type: 'reference', kind: type, at: { file: { endpoint: file.endpoint, id: file.id } }, ...about };
  const isRemote = url !== undefined && /^https?:/i.test(url) && URL.canParse(url);
  return isRemote ? { type: 'reference', kind: type, at: { url }, ...about } : undefined;
}

const withoutBytes = new Set<string>(['text', 'thinking', 'call', 'sealed']);

function isOurs(block: BlockInput): boolean {
  if (withoutBytes.has(block.type) || 'asset' in block) return true;
  return isMediaKind(block.type) && ('data' in block || 'path' in block || 'url' in block || 'file' in block);
}

async function bytesOf(media: MediaInput, intake: Intake, by: By): Promise<Read<Named>> {
  if (media.data !== undefined) return bytesOfData(media.data);
  if (media.path !== undefined) return intake.open({ path: media.path }, by);
  if (media.url !== undefined) return intake.open({ url: media.url }, by);
  return refuse('empty', `The ${media.type} has no data`, 'Give it data, a path, a url or a file.');
}

/** Bytes in any of the forms people hand over; a string is base64 or a data URI. */
export async function bytesOfData(data: Data): Promise<Read<Named>> {
  if (data instanceof Uint8Array) return { ok: true, value: { bytes: data } };
  if (data instanceof ArrayBuffer) return { ok: true, value: { bytes: new Uint8Array(data) } };
  if (data instanceof Blob) return { ok: true, value: declared(new Uint8Array(await data.arrayBuffer()), data.type) };
  if (typeof data !== 'string')
    return refuse(
      'bad-base64',
      `The data is of the type ${typeof data}, and no bytes`,
      'Give a Uint8Array, an ArrayBuffer, a Blob, base64 or a data URI.',
    );
  const uri = parseDataUri(data);
  const bytes = decodeBase64(uri?.data ?? data);
  if (bytes) return { ok: true, value: declared(bytes, uri?.mediaType) };
  return refuse(
    'bad-base64',
    `The data is not base64: ${grouped(data.length)} characters, ${firstWrong(data)}`,
    'Send base64 of the whole file, or a data URI such as data:image/png;base64,…',
  );
}

function declared(bytes: Uint8Array, mediaType = ''): Named {
  return mediaType === '' ? { bytes } : { bytes, mediaType };
}

function firstWrong(text: string): string {
  const body = parseDataUri(text)?.data ?? text;
  const at = body.search(/[^A-Za-z0-9+/_=\s-]/);
  return at < 0 ? 'with wrong padding or cut short' : `first wrong one at position ${at}`;
}

function withHint(block: Block, hint: MediaInput): Block {
  const fallback = hint.fallback === undefined ? {} : { fallback: hint.fallback };
  switch (block.type) {
    case 'image':
      return { ...block, ...fallback, ...(hint.detail && { detail: hint.detail }) };
    case 'document':
    case 'audio':
    case 'video':
      return { ...block, ...fallback };
    default:
      return block;
  }
}
