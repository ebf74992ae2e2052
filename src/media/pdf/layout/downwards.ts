// The runs of a page in; where most of its letters stand below each other, as Japanese and Chinese are written in books, out
// they come as runs along their columns, the first column on the right. Other pages stay as they are. Pure.
import type { LaidRun } from './page.ts';

/** Letters that are written downwards as well, and the signs between them. */
const upright =
  /^[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]+$/u;
/** The letters of a run in a column: a sign of two units, or a small number that stands level in it. */
const mostInRun = 3;
/** The way from one letter to the next below it, in heights of letters; beyond the middle one, a blank is meant. */
const [nearest, apart, farthest] = [0.5, 1.25, 1.8];
/** Where letters stand on their line, as shares of their height: above it, and their middle. */
const [above, middle] = [0.88, 0.38];

type Column = [LaidRun, ...LaidRun[]];

/** Runs that are read downwards, as one sees them with the head turned along them. */
export function readDownwards(runs: LaidRun[]): LaidRun[] {
  if (areLong(runs)) return runs;
  const columns: Column[] = [];
  const others: LaidRun[] = [];
  for (const run of runs) {
    const column = columns.at(-1);
    if (!isSingle(run)) others.push(run);
    else if (column !== undefined && goesBelow(column.at(-1), run)) column.push(run);
    else columns.push([run]);
  }
  const [standing, level] = [columns.filter(isColumn), columns.filter((column) => !isColumn(column)).flat()];
  const below = standing.filter((column) => column.length > 1).flat().length;
  const all = runs.reduce((sum, run) => sum + (run.turn === 0 ? run.text.length : 0), 0);
  if (below * 2 <= all) return runs;
  return [...standing.map(alongColumn), ...level, ...others];
}

/** Whether at least half of the runs are of more letters than stand below each other. */
function areLong(runs: readonly LaidRun[]): boolean {
  let count = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at];
    if (run !== undefined && isSingle(run)) count += 1;
  }
  return count * 2 <= runs.length;
}

function isSingle({ turn, text }: LaidRun): boolean {
  return turn === 0 && text.length <= mostInRun;
}

/** A letter alone may be the last one of a column. */
function isColumn(column: readonly LaidRun[]): boolean {
  return column.some(({ text }) => upright.test(text));
}

function goesBelow(before: LaidRun | undefined, run: LaidRun): boolean {
  if (before === undefined || before.link !== run.link || before.bold !== run.bold) return false;
  const size = Math.max(before.size, run.size);
  const way = run.base - before.base;
  const aside = Math.abs(before.left + before.right - run.left - run.right) / 2;
  return (
    way > size * nearest && way < size * farthest && aside < size * 0.5 && Math.abs(before.size - run.size) < size * 0.1
  );
}

function alongColumn([first, ...rest]: Column): LaidRun {
  const column = [first, ...rest];
  const last = rest.at(-1) ?? first;
  const { size } = first;
  const text = column.reduce((sum, run, at) => {
    const isApart = run.spaced && run.base - (column[at - 1]?.base ?? run.base) > size * apart;
    return sum + (isApart ? ' ' : '') + run.text;
  }, '');
  const [left, right] = [first.base - size * above, last.base + size * (1 - above)];
  const [top, bottom] = [-Math.max(...column.map((run) => run.right)), -Math.min(...column.map((run) => run.left))];
  const base = size * middle - (first.left + first.right) / 2;
  return { ...first, text, left, right, top, bottom, base, turn: 1, opening: size, strike: undefined };
}
