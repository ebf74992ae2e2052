// Where words of an answer come from: a document that was sent, or an address. Providers spell it in many ways; this is
// the one that callers see.
import type { PageRange } from './block.ts';
import { isCount, isRecord } from './json.ts';

export type Citation = {
  /** The words of the source. */
  text?: string;
  title?: string;
  /** The document, counted from 0 through the request. */
  document?: number;
  /** Its pages, or the characters of its text: 0-based, half-open. */
  pages?: PageRange;
  characters?: PageRange;
  url?: string;
};

/** Citations as they were stored; undefined when there are none. */
export function parseCitations(value: unknown): Citation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.filter(isRecord).map(citationFrom).filter((one) => Object.keys(one).length > 0); // prettier-ignore
  return found.length > 0 ? found : undefined;
}

function citationFrom({ text, title, document, pages, characters, url }: Record<string, unknown>): Citation {
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof title === 'string' && { title }),
    ...(isCount(document) && { document }),
    ...(isRange(pages) && { pages }),
    ...(isRange(characters) && { characters }),
    ...(typeof url === 'string' && { url }),
  };
}

function isRange(value: unknown): value is PageRange {
  return Array.isArray(value) && value.length === 2 && value.every(isCount);
}

/** `report.pdf, pages 3-4: "Revenue grew …"`, on one line. */
export function citationLine({ text, title, document = 0, pages, url }: Citation): string {
  const [first = 0, end = 0] = pages ?? [];
  const place = !pages ? '' : end - first > 1 ? `, pages ${first + 1}-${end}` : `, page ${first + 1}`;
  const source = `${title ?? url ?? `document ${document + 1}`}${place}`;
  const address = title !== undefined && url !== undefined ? ` <${url}>` : '';
  const words = text?.replaceAll(/\s+/g, ' ').trim();
  return `${source}${address}${words ? `: "${words}"` : ''}`;
}
