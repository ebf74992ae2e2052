// `sightline sessions fork`, `gc` and `rm`.
import { byteText, countOf, grouped } from '../../content/figures.ts';
import type { Tally } from '../../session/gc.ts';
import type { SessionStore } from '../../session/store.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { say, sayJson, tell } from '../terminal.ts';
import { withdrawnLine, withdrawUnused } from '../uploads.ts';
import type { Flags } from './home.ts';
import { changing } from './home.ts';

export function forkCommand(id: string, entry: number | undefined, flags: Flags): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const from = await store.resolve(id);
    const { id: forked } = await store.fork(from, entry);
    if (flags.json) sayJson({ id: forked, from });
    else say(forked);
    return done;
  });
}

const day = 24 * 60 * 60 * 1000;

export function gcCommand(flags: Flags & { olderThan?: number; dryRun?: true }): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const { olderThan, dryRun = false } = flags;
    const unused = olderThan === undefined ? {} : { unusedMs: olderThan * day };
    const collected = await store.gc({ ...unused, dryRun });
    const uploads = dryRun ? { deleted: 0, left: 0 } : await withdrawUnused(store);
    if (flags.json) {
      sayJson({ ...collected, ...(dryRun ? { dryRun } : { uploads }) });
      return done;
    }
    const { sessions, damaged, ...media } = collected;
    const went = dryRun ? 'would be removed' : 'removed';
    const line = (what: [one: string, many: string], { removed, bytes, left, leftBytes }: Tally): string =>
      `${countOf(removed, ...what)} ${went}, ${byteText(bytes)}; ${grouped(left)} left, ${byteText(leftBytes)}.`;
    if (sessions > 0) say(`${countOf(sessions, 'session')} ${went}.`);
    say(line(['medium', 'media'], media));
    if (damaged.removed + damaged.left > 0) say(line(['damaged file', 'damaged files'], damaged));
    const withdrawn = withdrawnLine(uploads);
    if (withdrawn !== undefined) say(withdrawn);
    return done;
  });
}

export function removeCommand(ids: readonly string[], flags: Flags): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const removed = [...new Set(await Promise.all(ids.map((id) => named(store, id))))]; // all of them, or none is removed
    for (const id of removed) await store.remove(id);
    const uploads = await withdrawUnused(store);
    if (flags.json) sayJson({ removed, uploads });
    else tell(`Removed ${removed.join(', ')}, with the media that no other session needs.`);
    const withdrawn = flags.json ? undefined : withdrawnLine(uploads);
    if (withdrawn !== undefined) tell(withdrawn);
    return done;
  });
}

/** The id of a session, or of a conversation of another program that only its requests tell of. */
async function named(store: SessionStore, beginning: string): Promise<string> {
  try {
    return await store.resolve(beginning);
  } catch (error) {
    const all = (await store.requests?.conversations()) ?? [];
    const found = all.filter(({ conversation }) => beginning !== '' && conversation.startsWith(beginning));
    const [one, other] = found;
    if (!one || other) throw error;
    return one.conversation;
  }
}
