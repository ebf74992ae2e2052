// What the intake does with what comes: bytes are sniffed, bounded and decoded far enough to be sure, and are a block then.
import type { Block } from '../content/block.ts';
import type { Hint } from '../content/intake.ts';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { isSound, soundBlock } from './audio/block.ts';
import type { Context } from './context.ts';
import { tooLarge } from './context.ts';
import { documentKind } from './document/kinds.ts';
import { openDocument } from './document/open.ts';
import { canonical, imageBlock } from './image/block.ts';
import { isImageType } from './image/header.ts';
import { documentBlock, openPdf } from './pdf/open.ts';
import { emptyRefusal, nameFor, unsupported } from './read.ts';
import { sniff } from './sniff.ts';
import type { Access, Source } from './source.ts';
import { openSource } from './source.ts';
import { svgOrSource } from './svg/read.ts';
import { isFilm, videoBlock } from './video/block.ts';

/** All bytes of a file or an address. */
export async function bytesOf(
  source: Source,
  access: Access,
  { limits }: Context,
): Promise<Read<{ bytes: Uint8Array; name?: string }>> {
  const result = await openSource(source, access);
  if (!result.ok) return result;
  const opened = result.value;
  const { name, size } = opened;
  const { imageBytes, pdfBytes, audioBytes, videoBytes, textBytes, documentBytes } = limits;
  const limit = Math.max(imageBytes, pdfBytes, audioBytes, videoBytes, textBytes, documentBytes);
  try {
    const bytes = (size ?? 0) > limit ? undefined : await opened.all(limit);
    if (bytes === undefined)
      return tooLarge(`${name ?? 'The file'} is too large`, size ?? limit + 1, limit, 'Use a smaller file.');
    return { ok: true, value: name === undefined ? { bytes } : { bytes, name } };
  } finally {
    await opened.close();
  }
}

/** What the bytes are decides; a name is only a hint. */
export async function blockOf(bytes: Uint8Array, hint: Hint, context: Context): Promise<Read<Block>> {
  const kind = sniff(bytes);
  const name = nameFor(hint.name, kind);
  if (bytes.length === 0) return emptyRefusal(name);
  const document = documentKind(kind, name, bytes);
  if (document !== undefined) {
    const opened = await openDocument(bytes, { name, kind: document, pictures: false }, context);
    return opened.ok ? { ok: true, value: opened.value.block } : opened;
  }
  if (kind === undefined) {
    return refuse(
      'unsupported',
      `${name} is no picture, document, sound or film`,
      'Give it as text, or convert it first.',
    );
  }
  if (isImageType(kind.mediaType))
    return await imageBlock(bytes, kind.mediaType, name, canonical(context.limits), context);
  if (kind.mediaType === 'image/svg+xml') return await svgOrSource(bytes, name, context);
  if (kind.mediaType === 'application/pdf') return await pdfBlock(bytes, name, hint, context);
  if (isSound(kind.mediaType)) return await soundBlock(bytes, name, kind.mediaType, context);
  if (!isFilm(kind.mediaType)) return unsupported(name, kind);
  const film = await videoBlock(bytes, name, kind.mediaType, context);
  return film.ok ? { ok: true, value: film.value.block } : film;
}

async function pdfBlock(bytes: Uint8Array, name: string, { range }: Hint, context: Context): Promise<Read<Block>> {
  const asked = range === undefined ? {} : { asked: { start: range[0], end: range[1] } };
  const opened = await openPdf(bytes, { name, maxPages: Number.MAX_SAFE_INTEGER, words: false, ...asked }, context);
  return opened.ok ? { ok: true, value: await documentBlock(bytes, name, opened.value, context) } : opened;
}
