// What was said in a session, for those who look at its requests: nothing of it changes, more may follow.
import type { Json } from '../content/json.ts';
import { leavesOf } from '../page/view.ts';
import type { SaidWords } from '../page/view.ts';
import type { Entry, EntryId } from '../session/entry.ts';
import type { SessionStore } from '../session/store.ts';

/** The entries that people look at, and whether something was said up to one of them. */
export type SessionSaid = { entries: readonly Entry[]; upTo: (entry?: EntryId) => SaidWords };

/** Reads a session; undefined where there is none. */
export type ReadSaid = (store: SessionStore, id: string) => Promise<SessionSaid | undefined>;

/** Decisions of the planner are the larger half of a session, and nobody looks at them here. */
const looked = ['message', 'setup', 'summary', 'note', 'quarantine'] as const;

/** Reads sessions; of the one that was read last, only what has come since. */
export function readingOn(): ReadSaid {
  let newest: { store: SessionStore; id: string; said: SessionSaid } | undefined;
  return async (store, id) => {
    const known = newest?.store === store && newest.id === id ? newest.said : undefined;
    const after = known?.entries.at(-1)?.id;
    const range = { types: looked, ...(after !== undefined && { after }) };
    const more = await store.read(id).then((session) => session.entries(range), () => undefined); // prettier-ignore
    if (!more) return undefined;
    const said = known && more.length === 0 ? known : saidIn([...(known?.entries ?? []), ...more]);
    newest = { store, id, said };
    return said;
  };
}

/** The entries of a session that people look at. */
export async function sessionEntries(store: SessionStore, id: string): Promise<readonly Entry[] | undefined> {
  return (await readingOn()(store, id))?.entries;
}

function saidIn(entries: readonly Entry[]): SessionSaid {
  let first: ReadonlyMap<string, EntryId> | undefined;
  return {
    entries,
    upTo: (entry = Infinity) => {
      const known = (first ??= firstSaid(entries));
      return { has: (text) => known.has(text) && (known.get(text) ?? 0) <= entry };
    },
  };
}

/** Whatever somebody said, by the entry that said it first; what else a body holds are our words. */
function firstSaid(entries: readonly Entry[]): Map<string, EntryId> {
  const said = new Map<string, EntryId>();
  const say = (text: string, id: EntryId): void => {
    if (!said.has(text)) said.set(text, id);
  };
  for (const entry of entries) {
    if (entry.type === 'setup' && entry.system !== undefined) say(entry.system, entry.id);
    if (entry.type !== 'message') continue;
    for (const block of entry.message.content) if ('text' in block) say(block.text, entry.id);
    for (const leaf of leavesOf(entry.message.content as unknown as Json, []))
      if (leaf.kind === 'text') say(leaf.text, entry.id);
  }
  return said;
}
