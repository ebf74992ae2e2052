// The runs of a page in, with what was said about them and filled in on it; the runs with each comment behind the words it
// is about, and each value where its field is, out. Pure.
import { commentText, newChanges } from '../../document/changes.ts';
import type { Edge, FilledField, LaidRun, PageMark } from './page.ts';
import { shiftLook } from './words.ts';

/** Every comment stands once: behind the last words it lies on, or behind those nearest to it. */
export function commented(runs: readonly LaidRun[], marks: readonly PageMark[]): LaidRun[] {
  const all = [...runs];
  for (const [index, mark] of marks.entries()) {
    if (mark.kind !== 'comment') continue;
    const said = commentText(newChanges(), mark.author, mark.words);
    const [place] = mark.places;
    const run = all.findLast((one) => one.mark === index) ?? nearest(all, place);
    if (run !== undefined) addBehind(all, run, said);
    else if (place !== undefined) all.push(alone(place, said));
  }
  return all;
}

/** Raised and lowered letters keep their look to themselves: what is said of them stands on the line they belong to. */
function addBehind(all: LaidRun[], run: LaidRun, said: string): void {
  const at = all.lastIndexOf(run);
  const host = all[at - 1];
  if (host === undefined || host.turn !== run.turn || shiftLook(host, run) === undefined) run.text += ` ${said}`;
  else {
    const none = { opening: undefined, mark: undefined, link: undefined };
    all.splice(at + 1, 0, { ...host, ...none, text: said, left: run.right, right: run.right, spaced: true });
  }
}

function nearest(runs: readonly LaidRun[], place: Edge | undefined): LaidRun | undefined {
  if (place === undefined) return undefined;
  const [x, y] = [(place.x0 + place.x1) / 2, -(place.y0 + place.y1) / 2];
  let [best, least]: [LaidRun | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const run of runs) {
    if (run.turn !== 0) continue;
    const beside = Math.max(run.left - x, 0, x - run.right);
    const above = Math.max(run.top - y, 0, y - run.bottom);
    const way = beside + above * rowWeight;
    if (way < least) [best, least] = [run, way];
  }
  return best;
}

/** A note in the margin belongs to the line beside it, not to the nearest words above. */
const rowWeight = 20;

/** What is filled in stands where its field is, unless the page shows it anyway; boxes show whether they are ticked. */
export function withFieldValues(runs: readonly LaidRun[], fields: readonly FilledField[]): LaidRun[] {
  let all = [...runs];
  for (const { place, text, ticked } of fields) {
    const inside = all.filter((run) => liesIn(run, place));
    if (ticked !== undefined) all = [...all.filter((run) => !inside.includes(run)), alone(place, text)];
    else if (inside.length === 0) all.push(alone(place, text));
  }
  return all;
}

function liesIn({ left, right, top, bottom, turn }: LaidRun, { x0, y0, x1, y1 }: Edge): boolean {
  const [x, y] = [(left + right) / 2, -(top + bottom) / 2];
  return turn === 0 && x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Words in a place of their own; in a flat one they stand on the line of the words beside it. */
function alone({ x0, y0, x1, y1 }: Edge, text: string): LaidRun {
  const high = Math.min(y1 - y0, 24);
  const size = Math.min(high * 0.7, 12);
  const base = -(y1 - high * 0.72);
  const place = { left: x0, right: Math.min(x1, x0 + text.length * size), top: -y1, bottom: -y0, base, size };
  const look = { bold: false, turn: 0 as const, spaced: true, unmapped: false };
  return { ...place, ...look, text, opening: undefined, mark: undefined, link: undefined };
}
