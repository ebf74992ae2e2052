// A rendition somebody needs in, its blocks out: words, page pictures, some pages, or another form of a picture.
// Refused: assets that are gone, kinds that have no such rendition, documents without words.
import { refuse } from '../content/refusal.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import type { MediaOptions } from './context.ts';
import { contextOf } from './context.ts';
import { kindOf } from './document/kinds.ts';
import { readerFor } from './readers.ts';
import { unfit } from './reading.ts';
import { sniffedAs } from './sniff.ts';
import type { Sniffed } from './sniff.ts';
import { nameFor, sniff } from './sniff.ts';

/** Makes what the planner asked for; what cannot be made is a refusal, and the planner steps on. */
export async function render(rendition: Rendition, options: MediaOptions = {}): Promise<Fact> {
  const context = contextOf(options);
  const { id, name: given, mediaType } = rendition.asset;
  const bytes = await context.assets.get(id);
  if (bytes === undefined) return refuse('not-found', `The asset ${given ?? id} is gone`, 'Read the file again.');
  const seen = sniff(bytes) ?? storedAs(mediaType);
  const name = nameFor(given, seen);
  const subject = { bytes, name, ...(seen && { seen }) };
  return (await readerFor(seen, name, bytes)?.render?.(rendition, subject, context)) ?? unfit(subject, rendition);
}

/** Tables, mails and notebooks are texts that only their name told apart, when they came in. */
function storedAs(mediaType: string): Sniffed | undefined {
  const kind = kindOf(mediaType);
  return kind && sniffedAs(kind);
}
