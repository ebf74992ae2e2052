// Bytes in, a checked block out; a path or a URL in, its bytes out; bytes nobody can be shown in, an asset out. This is
// the port through which the pure stages reach the world. None of them throws for what is wrong with a file; it comes
// back as a refusal.
import { assetId } from '../asset/hash.ts';
import type { AssetStore } from '../asset/store.ts';
import { isMedia } from '../content/block.ts';
import type { Block } from '../content/block.ts';
import type { Door, Ingest, IngestHint, Open } from '../content/ingest.ts';
import type { Read } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { isSound, soundBlock } from './audio/block.ts';
import type { Context, MediaOptions } from './context.ts';
import { contextOf, tooLarge } from './context.ts';
import { canonical, imageBlock } from './image/block.ts';
import { isImageType } from './image/header.ts';
import { documentBlock, openPdf } from './pdf/open.ts';
import { documentKind } from './document/kinds.ts';
import { openDocument } from './document/open.ts';
import { emptyRefusal, nameFor, unsupported } from './read.ts';
import { sniff } from './sniff.ts';
import type { Opened } from './source.ts';
import { openSource } from './source.ts';
import { svgOrSource } from './svg/read.ts';

/** `roots` bound the files that `open` may name; relative paths begin at `base`, else at the working directory. */
export type DoorOptions = MediaOptions & { roots?: readonly string[]; base?: string };

/** Opens the door once for a program: where assets go and what may come in. */
export function openDoor(options: DoorOptions = {}): Door {
  const context = contextOf(options);
  const checked = checkedIn(context.assets);
  const ingest: Ingest = async (bytes, hint) => {
    const key = JSON.stringify([assetId(bytes), hint.name, hint.range, options.limits]);
    const known = checked.get(key);
    if (known && isMedia(known) && (await context.assets.has(known.asset.id))) return { ok: true, value: known };
    const block = await blockOf(bytes, hint, context).catch((error: unknown) => unstored(error, hint));
    if (block.ok) remember(checked, key, block.value);
    return block;
  };
  const open: Open = async (source) => {
    const url = 'url' in source ? source.url : undefined;
    if (url !== undefined && !URL.canParse(url)) return refuse('not-found', 'That is no URL', 'Check its spelling.');
    const opened = await openSource('path' in source ? source.path : new URL(source.url), options);
    if (!opened.ok) return opened;
    return await bytesOf(opened.value, context);
  };
  return {
    ingest,
    open,
    keep: (bytes, about) => context.assets.put(bytes, about),
    stored: (id) => context.assets.get(id),
  };
}

const maxChecked = 1000;
const checkedBlocks = new WeakMap<AssetStore, Map<string, Block>>();

/** What was checked stays checked: a conversation that is resent every turn is decoded once. */
function checkedIn(assets: AssetStore): Map<string, Block> {
  const blocks = checkedBlocks.get(assets) ?? new Map<string, Block>();
  checkedBlocks.set(assets, blocks);
  return blocks;
}

function remember(checked: Map<string, Block>, key: string, block: Block): void {
  checked.set(key, block);
  const [oldest] = checked.keys();
  if (checked.size > maxChecked && oldest !== undefined) checked.delete(oldest);
}

async function bytesOf(opened: Opened, { limits }: Context): Promise<Read<{ bytes: Uint8Array; name?: string }>> {
  const { name, size } = opened;
  const limit = Math.max(limits.imageBytes, limits.pdfBytes, limits.audioBytes, limits.textBytes, limits.documentBytes);
  try {
    const bytes = (size ?? 0) > limit ? undefined : await opened.all(limit);
    if (bytes === undefined)
      return tooLarge(`${name ?? 'The file'} is too large`, size ?? limit + 1, limit, 'Use a smaller file.');
    return { ok: true, value: name === undefined ? { bytes } : { bytes, name } };
  } finally {
    await opened.close();
  }
}

async function blockOf(bytes: Uint8Array, hint: IngestHint, context: Context): Promise<Read<Block>> {
  const kind = sniff(bytes);
  const name = nameFor(hint.name, kind);
  if (bytes.length === 0) return emptyRefusal(name);
  const document = documentKind(kind, name, bytes);
  if (document !== undefined) {
    const opened = await openDocument(bytes, { name, kind: document, pictures: false }, context);
    return opened.ok ? { ok: true, value: opened.value.block } : opened;
  }
  if (kind === undefined) {
    return refuse('unsupported', `${name} is no picture, document or sound`, 'Give it as text, or convert it first.');
  }
  if (isImageType(kind.mediaType))
    return await imageBlock(bytes, kind.mediaType, name, canonical(context.limits), context);
  if (kind.mediaType === 'image/svg+xml') return await svgOrSource(bytes, name, context);
  if (kind.mediaType === 'application/pdf') return await pdfBlock(bytes, name, hint, context);
  if (isSound(kind.mediaType)) return await soundBlock(bytes, name, kind.mediaType, context);
  return unsupported(name, kind);
}

async function pdfBlock(
  bytes: Uint8Array,
  name: string,
  { range }: IngestHint,
  context: Context,
): Promise<Read<Block>> {
  const asked = range === undefined ? {} : { asked: { start: range[0], end: range[1] } };
  const opened = await openPdf(bytes, { name, maxPages: Number.MAX_SAFE_INTEGER, words: false, ...asked }, context);
  return opened.ok ? { ok: true, value: await documentBlock(bytes, name, opened.value, context) } : opened;
}

/** A full disk must not end a conversation; a bug of ours must be seen. */
function unstored(error: unknown, { name = 'It' }: IngestHint): Read<Block> {
  if (!(error instanceof SightlineError) || error.code !== 'storage') throw error;
  return refuse(
    'not-allowed',
    `${safeName(name)} could not be stored`,
    'Make room for assets, or choose another store.',
  );
}
