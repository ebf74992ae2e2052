// Where Gemini has its words from: a list of sources, and which passages of the answer rest on which of them.
import type { Citation } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { listAt, fieldText } from '../event-decoder.ts';

/** The sources of a text, in the order of its passages; all of them, where no passages are named. */
export function groundedIn(text: string, grounding: unknown, recited: unknown): (Citation | undefined)[] {
  const chunks = listAt(grounding, 'groundingChunks');
  const supports = listAt(grounding, 'groundingSupports');
  const rests = supports.filter(({ segment }) => text.includes(fieldText(segment, 'text')));
  const named = rests.flatMap(({ groundingChunkIndices: indices }) =>
    Array.isArray(indices) ? indices.map((index) => chunks[Number(index)]) : [],
  );
  const passages = [...listAt(recited, 'citationSources'), ...listAt(recited, 'citations')];
  return [...(supports.length > 0 ? named : chunks).map(sourceOf), ...passages.map(source)];
}

/** A chunk holds its source under the name of where it was found: the web, a store of files, a map. */
function sourceOf(chunk: Record<string, unknown> | undefined): Citation | undefined {
  const found = Object.values(chunk ?? {}).find(isRecord);
  return found && source(found);
}

function source(found: Record<string, unknown>): Citation | undefined {
  const [text, title, url] = ['text', 'title', 'uri'].map((field) => fieldText(found, field));
  if (!text && !title && !url) return undefined;
  return { ...(text && { text }), ...(title && { title }), ...(url && { url }) };
}
