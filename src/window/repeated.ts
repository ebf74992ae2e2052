// A document that is shown twice is sent once: later copies are words that point to the first. When that one goes, the next
// copy shows what it pointed to.
import { stands } from './decide.ts';
import { altered, mediaOf, showsMedia } from './draft.ts';
import type { Draft } from './draft.ts';
import { documentKey } from './shown-documents.ts';

/** Where each document stands that words point to, by the places of drafts and of media in them, in their order. What will
 * never be shown again falls out on the way, so that a place is looked at a few times, however many copies there are. */
export type Copies = Map<string, { places: readonly [index: number, at: number][]; from: number }>;

export function copiesIn(drafts: readonly Draft[]): Copies {
  const copies: Copies = new Map();
  if (!drafts.some(({ decisions }) => decisions.some(({ again }) => again))) return copies;
  const all = new Map<string, [number, number][]>();
  for (const [index, { item, decisions }] of drafts.entries())
    for (const [at, { block }] of mediaOf(item).entries()) {
      const key = documentKey(block);
      if (key === undefined) continue;
      const places = all.get(key) ?? [];
      places.push([index, at]);
      all.set(key, places);
      if (decisions[at]?.again) copies.set(key, { places, from: 0 });
    }
  return copies;
}

/** The draft whose words now point to a document that nobody shows any more, with the document itself, and its place. */
export function heirOf(
  key: string,
  copies: Copies,
  drafts: readonly Draft[],
): [index: number, heir: Draft] | undefined {
  const copy = copies.get(key);
  if (!copy) return undefined;
  for (; copy.from < copy.places.length; copy.from++) {
    const [index, at] = copy.places[copy.from] as [number, number];
    const draft = drafts[index] as Draft;
    const decision = draft.decisions[at];
    if (!decision || !showsMedia(draft)) continue;
    if (stands(decision)) return undefined;
    if (decision.again) return [index, altered(draft, { decisions: draft.decisions.with(at, decision.again) })];
  }
  return undefined;
}

/** The drafts with words that point to a document nobody shows any more, each with the document itself, by their places. */
export function reshown(drafts: readonly Draft[]): Map<number, Draft> {
  const [copies, changed, now] = [copiesIn(drafts), new Map<number, Draft>(), [...drafts]];
  for (const key of copies.keys()) {
    const found = heirOf(key, copies, now);
    if (!found) continue;
    changed.set(...found);
    now[found[0]] = found[1];
  }
  return changed;
}
