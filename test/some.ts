// Rows of a table of tests, and tests of a file, of which a few stand for all while a person waits.
import { beforeEach, inject } from 'vitest';
import { effort, takesLong } from './effort.ts';

/** All rows in the long form of the tests; in the short one only so many, drawn by the seed that a run tells. */
export function some<Row>(rows: readonly Row[], most: number): Row[] {
  return effort.isLong ? [...rows] : drawn(rows, most, inject('seed'));
}

/** So many rows, in their order, the same for the same seed. */
export function drawn<Row>(rows: readonly Row[], most: number, seed: number): Row[] {
  const lots = rows.map((row, at) => ({ row, at, lot: Math.imul(seed ^ (at + 1), 0x9e37_79b1) >>> 0 }));
  const chosen = lots.toSorted((one, other) => one.lot - other.lot).slice(0, most);
  return chosen.toSorted((one, other) => one.at - other.at).map(({ row }) => row);
}

/** Of the tests of a file that starts many programs, a browser or a server, `npm test` tries only so many, drawn by the seed
 * that it tells; its long form tries all of them, and so does whoever names the file to vitest. */
export function onlySome(most: number): void {
  if (effort.isWhole) return;
  let chosen: readonly string[] | undefined;
  beforeEach(({ task, skip }) => {
    chosen ??= drawn(testsIn(task.file.tasks), most, inject('seed'));
    if (!chosen.includes(task.id)) skip(takesLong);
  });
}

type Task = { id: string; mode: string; tasks?: readonly Task[] };

/** The ids of the tests among these that would run. */
export function testsIn(tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ id, mode, tasks: inner }) => {
    if (mode !== 'run' && mode !== 'queued') return [];
    return inner ? testsIn(inner) : [id];
  });
}
