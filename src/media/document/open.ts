// The bytes of a document in; its words, its pictures and a document block out. It is really read once, in a child
// process; its words are kept as an asset beside it, so that they are never read off it again. Refused: too many
// bytes, passwords, damage.
import { assetId } from '../../asset/hash.ts';
import { memoOf } from '../../asset/memo.ts';
import type { Asset, AssetId, DocumentBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import { zipKind } from '../container.ts';
import type { Context } from '../context.ts';
import { rulesFor, tooLarge } from '../context.ts';
import type { DocumentKind } from './kinds.ts';
import { documentTypes } from './kinds.ts';
import type { DocumentWish, Extract, InnerPicture, ReaderOptions } from './reader.ts';
import { wishOf } from './reader.ts';

type DocumentRequest = DocumentWish &
  Pick<ReaderOptions, 'name' | 'pictures' | 'pages' | 'password'> & { kind: DocumentKind };

export type OpenedDocument = {
  block: DocumentBlock;
  /** what it is once its password is off */
  kind: DocumentKind;
  markdown: string;
  /** the same words in the asset store */
  text: Asset;
  pictures: InnerPicture[];
  morePictures: number;
  parts?: Extract['parts'];
};

type Known = { text: Asset; parts?: Extract['parts'] };

/** A document, read; a second time without pictures it comes from the store. */
export async function openDocument(
  bytes: Uint8Array,
  request: DocumentRequest,
  context: Context,
): Promise<Read<OpenedDocument>> {
  const { name, kind, password } = request;
  const { limits, assets } = context;
  if (bytes.length > limits.documentBytes) {
    return tooLarge(`Document too large: ${name}`, bytes.length, limits.documentBytes, 'Split it into smaller files.');
  }
  const again =
    request.pictures || password !== undefined ? undefined : await remembered(assetId(bytes), request, context);
  if (again !== undefined) {
    const block = await documentBlock(bytes, request, again, context);
    return { ok: true, value: { block, kind, pictures: [], morePictures: 0, ...again } };
  }
  const input = { ...request, bytes, limits };
  const result = await runJob('extract', input, rulesFor(name, limits.documentMs, context));
  if (!result.ok) return result;
  const { markdown, pictures, morePictures = 0, parts, unlocked } = result.value;
  const text = await assets.put(Buffer.from(markdown), { mediaType: 'text/markdown', name: `${name}.md` });
  const words: Known = parts === undefined ? { text } : { text, parts };
  const found = unlocked === undefined ? kind : zipKind(unlocked);
  const inner = found === undefined || found === 'none' ? request : { ...request, kind: found };
  const block = await documentBlock(unlocked ?? bytes, inner, words, context, unlocked !== undefined);
  memoOf<Known>(assets, 'document').set(keyOf(block.asset.id, inner, context), words);
  return { ok: true, value: { block, kind: inner.kind, markdown, pictures, morePictures, ...words } };
}

function keyOf(id: AssetId, request: DocumentRequest, { limits }: Context): string {
  const part = JSON.stringify([wishOf(request), request.pages]);
  return `${id} ${request.kind} ${limits.documentCharacters} ${part}`;
}

async function remembered(
  id: AssetId,
  request: DocumentRequest,
  context: Context,
): Promise<(Known & { markdown: string }) | undefined> {
  const found = memoOf<Known>(context.assets, 'document').get(keyOf(id, request, context));
  const bytes = found === undefined ? undefined : await context.assets.get(found.text.id);
  return found === undefined || bytes === undefined ? undefined : { ...found, markdown: Buffer.from(bytes).toString() };
}

/** Only slides are counted as pages: nobody thinks of sheets or chapters as such. */
async function documentBlock(
  bytes: Uint8Array,
  { name, kind }: DocumentRequest,
  { parts }: Known,
  { assets }: Context,
  unlocked = false,
): Promise<DocumentBlock> {
  const mediaType = documentTypes[kind];
  const asset = await assets.put(bytes, { mediaType, name });
  const origin = unlocked ? { source: name, made: 'encryption removed' } : { source: name };
  const block: DocumentBlock = { type: 'document', asset, origin };
  return parts?.unit === 'slides'
    ? { ...block, pages: parts.count, ...(parts.range && { range: parts.range }) }
    : block;
}
