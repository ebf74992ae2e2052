// A picture or a PDF of pictures in, the words on it as one text out, with how sure they are. Refused: pictures without
// words one can trust, absent libraries, pictures that take too long.
import type { PageRange } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { Context } from '../context.ts';
import { rulesFor } from '../context.ts';
import { pagePictures } from '../pdf/pictures.ts';
import type { Recognised } from './engine.ts';

/** Below this, what was read is mostly shapes taken for letters. */
const leastConfidence = 40;
const mostPages = 5;
/** The long edge at which a printed page can be read well. */
const pageEdge = 2200;

/** The words on one picture, behind a line that says how they came about. */
export async function pictureWords(bytes: Uint8Array, name: string, context: Context): Promise<Read<string>> {
  const found = await recognised(bytes, name, context);
  if (!found.ok) return found;
  return {
    ok: true,
    value: `[text read off the picture, confidence ${found.value.confidence} %]\n${found.value.text}`,
  };
}

/** The words on the first few of these pages of a PDF. A page without any is left out. */
export async function pageWords(
  bytes: Uint8Array,
  { name, range }: { name: string; range?: PageRange | undefined },
  context: Context,
): Promise<Read<string>> {
  const asked = { start: range?.[0] ?? 0, ...(range && { end: Math.min(range[1], range[0] + mostPages) }) };
  const drawn = await pagePictures(bytes, { name, asked, maxPages: mostPages, maxEdge: pageEdge }, context);
  if (!drawn.ok) return drawn;
  const { pages, range: read, blocks } = drawn.value;
  const texts: string[] = [];
  for (const [at, block] of blocks.entries()) {
    context.tell?.({ done: at, of: blocks.length, what: 'pages read by OCR' });
    const picture = block.type === 'image' ? await context.assets.get(block.asset.id) : undefined;
    if (block.type !== 'image' || picture === undefined) continue;
    const page = block.origin?.page ?? 0;
    const found = await recognised(picture, `page ${page} of ${name}`, context);
    if (!found.ok && found.refusal.code !== 'empty' && texts.length === 0) return found;
    if (found.ok) texts.push(`--- Page ${page} ---\n${found.value.text}\n[confidence ${found.value.confidence} %]`);
  }
  if (texts.length === 0) return wordless(name);
  const note = `[text read off the pictures of pages ${read[0] + 1}-${read[1]} of ${pages}]`;
  return { ok: true, value: [note, ...texts].join('\n\n') };
}

async function recognised(bytes: Uint8Array, name: string, context: Context): Promise<Read<Recognised>> {
  const found = await runJob('read-picture', { bytes, name }, rulesFor(name, context.limits.ocrMs, context));
  if (!found.ok) return found;
  const { text, confidence } = found.value;
  const tidy = text
    .toWellFormed()
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return tidy === '' || confidence < leastConfidence ? wordless(name) : { ok: true, value: { text: tidy, confidence } };
}

function wordless(name: string): { ok: false } & Read<never> {
  return refuse('empty', `${name} has no words that could be read off it`, 'Show it as a picture.');
}
