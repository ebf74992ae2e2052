// The runs of a page in, with what was said about them and filled in on it; the runs with each comment behind the words it
// is about, and each value where its field is, out. Pure.
import { commentText, newChanges } from '../../document/changes.ts';
import { between } from '../../document/styled.ts';
import type { Edge, FilledField, LaidRun, PageMark } from './page.ts';
import { shiftLook } from './words.ts';

/** Every comment stands once: behind the last words it lies on, or behind those nearest to it. */
export function commented(runs: LaidRun[], marks: readonly PageMark[]): LaidRun[] {
  if (marks.length === 0) return runs;
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

/** Words with a line through them are struck where it is drawn for them: a line that goes on beyond them means something else. */
export function struckRuns(runs: LaidRun[]): LaidRun[] {
  const covered = new Map<Edge, number>();
  for (const { strike, left, right } of runs) {
    if (strike !== undefined) covered.set(strike, (covered.get(strike) ?? 0) + right - left);
  }
  for (const run of runs) {
    const { strike, text } = run;
    if (strike !== undefined && (covered.get(strike) ?? 0) > (strike.x1 - strike.x0) * drawnFor)
      run.text = between(text, '~~', '~~');
  }
  return runs;
}

const drawnFor = 0.7;

/** Raised and lowered letters keep their look to themselves: what is said of them stands on the line they belong to. */
function addBehind(all: LaidRun[], run: LaidRun, said: string): void {
  const at = all.lastIndexOf(run);
  const host = all[at - 1];
  if (host === undefined || host.turn !== run.turn || shiftLook(host, run) === undefined) run.text += ` ${said}`;
  else {
    const none = { opening: undefined, mark: undefined, link: undefined, strike: undefined };
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

/** What is filled in stands where its field is, unless the page shows it anyway; boxes show whether they are ticked. Where
 * no words of the page stand beside a field, its own name does. */
export function withFieldValues(runs: readonly LaidRun[], fields: readonly FilledField[]): LaidRun[] {
  const words = runs.filter((run) => run.turn === 0 && !fields.some(({ place }) => liesIn(run, place)));
  let all = [...runs];
  for (const { place, text, label, ticked } of fields) {
    const inside = all.filter((run) => liesIn(run, place));
    const name = words.some((run) => standsBeside(run, place, ticked !== undefined)) ? '' : `${label}: `;
    const [first] = inside;
    if (ticked !== undefined) all = [...all.filter((run) => !inside.includes(run)), alone(place, name + text)];
    else if (first === undefined) all.push(alone(place, name + text));
    else if (name !== '') all = all.map((run) => (run === first ? { ...run, text: name + run.text } : run));
  }
  return all;
}

/** How far from a field, in points, the words may be that say what it is for: before it, behind a box, above or below. */
const [before, behind, over] = [200, 60, 14];

function standsBeside({ left, right, top, bottom }: LaidRun, { x0, y0, x1, y1 }: Edge, isBox: boolean): boolean {
  const middle = (top + bottom) / 2;
  if (middle >= -y1 && middle <= -y0) {
    return (x0 - right > -2 && x0 - right < before) || (isBox && left - x1 > -2 && left - x1 < behind);
  }
  const way = Math.max(-y1 - bottom, top + y0);
  return right > x0 && left < x1 && way > -(bottom - top) / 2 && way < over;
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
  return { ...place, ...look, text, opening: undefined, mark: undefined, link: undefined, strike: undefined };
}
