// Runs a mistake and says what whoever made it reads: the sentence that was thrown, told by a result, or given to a model.
import { isRecord } from '../../src/content/json.ts';
import { refusalText } from '../../src/content/refusal.ts';
import type { Refusal } from '../../src/content/refusal.ts';

/** Hides a mistake from the compiler, which would not let most of them pass. */
// oxlint-disable-next-line typescript/no-explicit-any -- that is what it is for
export type Wrong = any;

export async function reads(mistake: () => unknown): Promise<string> {
  try {
    return toldBy(await mistake());
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
  }
}

function toldBy(value: unknown): string {
  if (Array.isArray(value)) return value.map(toldBy).join(' ');
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return `nothing (${String(value)})`;
  if (isRecord(value['refusal'])) return refusalText(value['refusal'] as Refusal);
  if (isRecord(value['error'])) return `error.message: ${String(value['error']['message'])}`;
  if (Array.isArray(value['troubles']) && value['troubles'].length > 0)
    return `troubles: ${value['troubles'].map(toldBy).join(' ')}`;
  if (Array.isArray(value['content'])) return value['content'].map(toldBy).join(' ');
  if (typeof value['text'] === 'string')
    return 'stop' in value && value['stop'] !== 'end' ? `stop: ${String(value['stop'])}` : value['text'];
  return `nothing: ${JSON.stringify(value).slice(0, 120)}`;
}

/** The mistake as it is written, without what hides it from the compiler. */
export function codeOf(mistake: () => unknown): string {
  return mistake
    .toString()
    .replace(/^(?:async )?\(\) =>\s*/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,)])/g, '')
    .replaceAll(/,(?=\s*[)}\]])/g, '')
    .replaceAll('( ', '(')
    .trim();
}
