// A document with pictures in it in, its words and pictures out in the order in which a person reads them. What only
// decorates is left out, and so is what is one picture too many; a line in its place names it and says how to see it.
import type { Block, ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refusalText, refuse } from '../../content/refusal.ts';
import { innerPictureNote } from '../../content/words.ts';
import { runJob } from '../child/pool.ts';
import type { Context, MediaOptions } from '../context.ts';
import { contextOf, rulesFor } from '../context.ts';
import { canonical, imageBlock } from '../image/block.ts';
import { imageFormatOf } from '../image/formats.ts';
import type { PagesAsked } from '../pdf/pages.ts';
import { unsupported } from '../reading.ts';
import { nameFor, sniff } from '../sniff.ts';
import type { DocumentKind } from './kinds.ts';
import { documentKind } from './kinds.ts';
import { openDocument } from './open.ts';
import { manyPlaces, pictureReference, placesIn } from './picture-calls.ts';
import type { InnerPicture } from './reader.ts';

/** Below this many pixels on its shorter side a picture is a bullet, a line or an icon. */
const smallEdge = 32;
/** So few different shades are one colour; a picture is looked at this large. */
const [sameShade, lookEdge] = [2, 24];

/** Words and pictures by turns; only words when there are no pictures. */
export async function illustrated(
  bytes: Uint8Array,
  request: { name: string; kind: DocumentKind; pages?: PagesAsked },
  context: Context,
): Promise<Read<Block[]>> {
  const { picturesPerRead } = context.limits;
  // Decoration is found only once it was looked at, so there must be more of them to look at than are shown.
  const limits = { ...context.limits, picturesPerRead: picturesPerRead * manyPlaces };
  const opened = await openDocument(bytes, { ...request, pictures: true }, { ...context, limits });
  if (!opened.ok) return opened;
  const { markdown, pictures } = opened.value;
  const places = placesIn(markdown);
  const shown = new Map<string, Block>();
  let left = picturesPerRead;
  for (const picture of pictures) {
    const count = places.get(picture.name) ?? 0;
    if (count === 0) continue;
    const block = await pictureOf(picture, count, left, context);
    if (block.type === 'image') left -= 1;
    shown.set(picture.name, block);
  }
  return { ok: true, value: interleaved(markdown, shown) };
}

/** One picture of a document, by the name that its text has for it. */
export async function readInnerPicture(
  bytes: Uint8Array,
  picture: string,
  options: MediaOptions & { name?: string },
): Promise<Read<ImageBlock>> {
  const given = contextOf(options);
  const context = { ...given, limits: { ...given.limits, picturesPerRead: given.limits.archiveEntries } };
  const seen = sniff(bytes);
  const name = nameFor(options.name, seen);
  const kind = documentKind(seen, name, bytes);
  if (kind === undefined) return unsupported(name, seen);
  const opened = await openDocument(bytes, { name, kind, pictures: true }, context);
  if (!opened.ok) return opened;
  const { pictures } = opened.value;
  const found = pictures.find((one) => one.name === picture);
  const names = pictures.slice(0, 20).map((one) => one.name);
  const next = names.length === 0 ? 'It has no pictures.' : `Give one of ${names.join(', ')}.`;
  if (found === undefined) return refuse('not-found', `${name} has no picture of that name`, next);
  const format = imageFormatOf(sniff(found.bytes)?.mediaType);
  if (format === undefined) return unsupported(found.name, sniff(found.bytes));
  return await imageBlock(found.bytes, format, found.name, canonical(context.limits), context);
}

/** Whether its words refer to any picture; what a workbook holds is only known from the file itself. */
export function mayHavePictures(markdown: string, bytes: Uint8Array, kind: DocumentKind): boolean {
  return (
    placesIn(markdown).size > 0 ||
    (kind === 'xlsx' && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('xl/media/'))
  );
}

/** The picture, or the line that stands in its place. */
async function pictureOf(
  { name, bytes }: InnerPicture,
  places: number,
  left: number,
  context: Context,
): Promise<Block> {
  const note = (why: string): Block => ({ type: 'text', text: innerPictureNote(name, why) });
  const seen = sniff(bytes);
  const format = imageFormatOf(seen?.mediaType);
  if (format === undefined) return note(`it is ${seen?.label ?? 'of no known kind'}`);
  if (places >= manyPlaces) return note(`it stands in ${places} places and only decorates`);
  const block = await imageBlock(bytes, format, name, canonical(context.limits), context);
  if (!block.ok) return note(refusalText(block.refusal));
  if (Math.min(block.value.width, block.value.height) < smallEdge) return note('it is tiny and only decorates');
  if (await isPlain(block.value, context)) return note('it is of one colour');
  return left > 0 ? block.value : note(`${context.limits.picturesPerRead} others are shown`);
}

async function isPlain({ asset }: ImageBlock, context: Context): Promise<boolean> {
  const bytes = await context.assets.get(asset.id);
  if (bytes === undefined) return false;
  const rules = rulesFor(asset.name ?? 'the picture', context.limits.imageMs, context);
  const small = await runJob('thumbnail', { bytes, width: lookEdge, height: lookEdge }, rules);
  if (!small.ok) return false;
  const { data } = small.value;
  return data.every((value, at) => Math.abs(value - (data[at % 3] ?? 0)) <= sameShade);
}

/** Each picture behind the reference to it, where it stands first; a picture that is left out is told there. */
function interleaved(markdown: string, shown: ReadonlyMap<string, Block>): Block[] {
  const blocks: Block[] = [];
  const told = new Set<string>();
  let [text, from] = ['', 0];
  for (const found of markdown.matchAll(pictureReference)) {
    const name = found[1] ?? '';
    const block = told.has(name) ? undefined : shown.get(name);
    if (block === undefined) continue;
    told.add(name);
    const end = found.index + found[0].length;
    text += markdown.slice(from, end);
    from = end;
    if (block.type === 'text') text += ` ${block.text}`;
    else {
      blocks.push({ type: 'text', text }, block);
      text = '';
    }
  }
  text += markdown.slice(from);
  if (text.trim() !== '') blocks.push({ type: 'text', text });
  return blocks;
}
