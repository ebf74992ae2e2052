// Where a request stands among those of its conversation: its number, the one it is compared with, and what its neighbours say
// of clocks and writers. Whoever shows it has the rows already; nobody reads them again for each request.
import type { RequestRow } from '../record/table.ts';
import type { RequestView, SentView } from './view.ts';

/** The request with its place among these. */
export function placedAmong(view: SentView, rows: readonly RequestRow[]): RequestView {
  const { row } = view;
  const at = rows.findIndex(({ id }) => id === row.id);
  const before = rows.findIndex(({ id }) => id === row.before);
  const earlier = rows.slice(0, Math.max(0, at));
  const later = earlier.findLastIndex(({ time }) => time > row.time);
  const rival = rivalOf(earlier, row);
  return {
    ...view,
    number: at + 1,
    ...(row.before !== undefined && before >= 0 && { before: { id: row.before, number: before + 1 } }),
    ...(later >= 0 && { later: later + 1 }), // a clock that was set back, or that of another machine
    ...(rival !== undefined && { beside: rival + 1 }),
  };
}

/** Of two programs that write to one conversation neither knows of the other. */
function rivalOf(earlier: readonly RequestRow[], row: RequestRow): number | undefined {
  if (row.purpose !== 'answer') return undefined;
  const at = earlier.findLastIndex(
    ({ conversation, lane, purpose, ended }) =>
      conversation === row.conversation && lane === row.lane && purpose === 'answer' && ended?.state === 'answered',
  );
  return at >= 0 && earlier[at]?.id !== row.before ? at : undefined;
}
