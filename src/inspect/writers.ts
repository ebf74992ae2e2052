// Requests without an end, by what is known of the processes that sent them: on this machine whether they run, elsewhere whether
// they hold their session. Where nothing is known, that is said.
import { hostname } from 'node:os';
import type { ShownRow } from '../page/view.ts';
import type { RequestRow } from '../record/table.ts';
import { isOver } from '../session/log/holder.ts';
import type { LeaseHolder } from '../session/log/port.ts';
import { unheard } from '../session/recording.ts';
import type { SessionStore } from '../session/store.ts';

/** The rows as they stand: one whose process is known to be gone will get no end. */
export async function asTheyStand<Row extends RequestRow>(
  store: SessionStore,
  rows: readonly Row[],
): Promise<(Row & ShownRow)[]> {
  const away = rows.filter(({ ended, by }) => !ended && by && by.host !== hostname());
  const sessions = [...new Set(away.map(({ conversation }) => conversation))];
  const writers = new Map(await Promise.all(sessions.map(async (id) => [id, await writerOf(store, id)] as const)));
  return rows.map((row) => {
    const { ended, by, conversation } = row;
    if (ended) return row;
    if (!by) return { ...row, unsure: true };
    if (by.host === hostname())
      return isOver(by) ? { ...row, ended: unheard('The process that sent it is gone') } : row;
    const writer = writers.get(conversation) ?? 'unknown';
    if (writer === 'unknown') return { ...row, unsure: true };
    if (writer !== 'nobody' && writer.host === by.host && writer.process === by.process) return row;
    return { ...row, ended: unheard(`The process that sent it, on ${by.host}, holds the session no longer`) };
  });
}

/** Who holds a session, where there is one and its log can tell for other machines. */
async function writerOf(store: SessionStore, id: string): Promise<LeaseHolder | 'nobody' | 'unknown'> {
  const session = await store.read(id).catch(() => undefined);
  return session?.writer ? ((await session.writer()) ?? 'nobody') : 'unknown';
}
