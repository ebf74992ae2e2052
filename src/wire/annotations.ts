// OpenAI's annotations on words, in both of its spellings, as citations. Where they stand in the answer is not told: a
// citation names the place in the source.
import type { Citation } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { fieldText } from './event-decoder.ts';

/** The source that an annotation names; nothing where it names none. Chat puts what it says under its type once more. */
export function annotatedSource(annotation: Record<string, unknown>): Citation | undefined {
  const type = fieldText(annotation, 'type');
  if (!/citation$|^file_path$/.test(type)) return undefined;
  const inner = isRecord(annotation[type]) ? annotation[type] : annotation;
  const [text, title, url] = ['content', 'title', 'url'].map((field) => fieldText(inner, field));
  const named = title || fieldText(inner, 'filename') || fieldText(inner, 'file_id');
  if (!url && !named) return undefined;
  return { ...(text && { text }), ...(named && { title: named }), ...(url && { url }) };
}

/** The citations of a block, each source once; no field where there are none. */
export function citing(sources: readonly (Citation | undefined)[]): { citations?: Citation[] } {
  const known = new Map(sources.flatMap((source) => (source ? [[JSON.stringify(source), source] as const] : [])));
  return known.size > 0 ? { citations: [...known.values()] } : {};
}
