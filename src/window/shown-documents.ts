// Documents that a request shows already: which they are, in which forms they stand there, and what stands for the next copy.
import type { CarriedBlock } from '../content/block.ts';
import { mediumId } from '../content/block.ts';
import { repeatedDocument } from '../content/words.ts';
import { partialRange, stands } from './decide.ts';
import type { Decision } from './decide.ts';
import { placeOf } from './ledger.ts';

/** The forms in which documents are shown, by document. */
export type DocumentForms = Map<string, Set<string>>;

/** Which document a block is, by its bytes, its name and its pages; nothing for other media. Words point to it by its name: under
 * another one it would not be found. */
export function documentKey(block: CarriedBlock): string | undefined {
  if (block.type !== 'document' && !(block.type === 'reference' && block.kind === 'document')) return undefined;
  const name = block.type === 'document' ? block.asset.name : block.name;
  return JSON.stringify([mediumId(block), name, partialRange(block)]);
}

export function enterForm(key: string, form: string, shown: DocumentForms): void {
  const forms = shown.get(key);
  if (forms) forms.add(form);
  else shown.set(key, new Set([form]));
}

/** A document that stands there already in just this form, before its item or in it, is named, and not sent once more. */
export function unlessShown(
  block: CarriedBlock,
  decision: Decision | undefined,
  before: DocumentForms,
  inside: DocumentForms,
): Decision | undefined {
  const named = ifShown(block, decision, before, inside);
  const key = documentKey(block);
  if (named || key === undefined || !decision || !stands(decision)) return named ?? decision;
  enterForm(key, documentForm(decision), inside);
  return decision;
}

/** What names a document that stands there already in just this form; nothing for any other. */
export function ifShown(
  block: CarriedBlock,
  decision: Decision | undefined,
  before: DocumentForms,
  inside: DocumentForms,
): Decision | undefined {
  const key = documentKey(block);
  if (key === undefined || !decision || !stands(decision)) return undefined;
  const form = documentForm(decision);
  if (!before.get(key)?.has(form) && !inside.get(key)?.has(form)) return undefined;
  const text = repeatedDocument(block);
  const why = 'the same document stands in this request already';
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why, again: decision };
}

/** What is shown of a document. Labels may differ, unless words are all there is. */
export function documentForm({ blocks }: Decision): string {
  const media = blocks.flatMap((block) => placeOf(block) ?? []);
  const shown = media.length > 0 ? media : blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return shown.length === 1 ? (shown[0] as string) : JSON.stringify(shown);
}
