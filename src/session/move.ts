// Sessions from one store to another: media first, then the entries as they are, letter by letter, then the records of requests.
// What was moved before is passed over, what was begun is gone on with, and what is there is compared with what was to go there.
import { newHash } from '../asset/hash.ts';
import type { AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { sessionAssets } from './assets.ts';
import { effectsOf } from './effects.ts';
import { assetsOf, assetsOfDelta } from './entry.ts';
import type { Entry, EntryId } from './entry.ts';
import type { EntryRow } from './log/migrations.ts';
import { isAltered, readEntry } from './log/migrations.ts';
import type { Cursor, EntryLog, LeaseHolder, NewRow, SessionInfo } from './log/port.ts';
import { closeOpenCalls } from './open-calls.ts';

/** Where sessions come from, or go to. */
export type SessionPlace = { log: EntryLog; assets: AssetStore };

export type MoveOptions = {
  from: SessionPlace;
  to: SessionPlace;
  /** Only these; all of them unless set. */
  ids?: readonly string[];
  /** Says what would be moved, and writes nothing. */
  dryRun?: boolean;
  /** Takes each away where it was, once all of it was found again where it is now. */
  remove?: boolean;
  holder: LeaseHolder;
};

/** What became of a session. */
export type MovedSession = {
  id: string;
  title?: string;
  /** `there`: nothing was left to do. */
  state: 'moved' | 'there' | 'refused';
  entries: number;
  media: number;
  /** Media that a message names and that were gone or damaged before. */
  lost: number;
  /** Of all entries, equal on both sides. */
  digest?: string;
  /** Why it was refused. */
  why?: string;
};

const [pageRows, batchBytes] = [500, 4 * 1024 * 1024];

/** One session after the other, those first that others were forked from. */
export async function* moveSessions(options: MoveOptions): AsyncGenerator<MovedSession> {
  const all = await sessionsIn(options.from.log, options.ids);
  const done = new Set<string>();
  const inOrder = function* (info: SessionInfo): Generator<SessionInfo> {
    if (done.has(info.id)) return;
    done.add(info.id);
    const parent = info.forkedFrom && all.get(info.forkedFrom.id);
    if (parent) yield* inOrder(parent);
    yield info;
  };
  const there: SessionInfo[] = [];
  for (const first of all.values())
    for (const info of inOrder(first)) {
      const one = await told(info, () => moveOne(info, options));
      if (one.state !== 'refused') there.push(info);
      yield one;
    }
  if (!options.remove || options.dryRun) return;
  for (const info of there.toReversed()) {
    const one = await told(info, () => removeMoved(info, options));
    if (one.state === 'refused') yield one;
  }
}

/** What cannot be done for one session is told of it, and the others go on. */
async function told(info: SessionInfo, work: () => Promise<Moved>): Promise<MovedSession> {
  const about = { id: info.id, ...(info.title !== undefined && { title: info.title }) };
  try {
    return { ...about, ...(await work()) };
  } catch (error) {
    if (!(error instanceof SightlineError) || error.code === 'bug') throw error;
    return { ...about, state: 'refused', entries: 0, media: 0, lost: 0, why: error.message };
  }
}

/** Nobody writes to it meanwhile, and all of it is there. Forks go before what they were forked from. */
async function removeMoved(info: SessionInfo, { from, to, holder }: MoveOptions): Promise<Moved> {
  const lease = await from.log.take(info.id, holder);
  try {
    const { left, counts, digest } = await comparison(from.log, to.log, info.id);
    if (left > 0) throw wentOn(info.id);
    await from.log.remove(lease);
    return { ...counts, state: 'there', media: 0, lost: 0, digest };
  } finally {
    await from.log.release(lease);
  }
}

async function sessionsIn(log: EntryLog, ids: readonly string[] | undefined): Promise<Map<string, SessionInfo>> {
  const found = new Map<string, SessionInfo>();
  for (let before: Cursor | undefined; ;) {
    const { sessions, next } = await log.list({ limit: pageRows, ...(before && { before }) });
    for (const info of sessions) if (ids?.includes(info.id) ?? true) found.set(info.id, info);
    if (!next) return found;
    before = next;
  }
}

type Moved = Omit<MovedSession, 'id' | 'title'>;

async function moveOne(info: SessionInfo, options: MoveOptions): Promise<Moved> {
  const { from, to, dryRun = false, holder } = options;
  const reached = await from.log.claims.reachable(info.id);
  const before = await comparison(from.log, to.log, info.id);
  if (dryRun) return { ...before.counts, state: before.left === 0 ? 'there' : 'moved', media: reached.size, lost: 0 };
  if (!before.isThere) await to.log.create(info.id, info.created, await forkedIn(info, from.log, to.log));
  const media = await moveMedia(info.id, from, to, reached);
  const after = await moveEntries(info.id, from.log, to.log, reached, holder);
  await moveRequests(info.id, from.log, to.log, after.mapped);
  await closeOpenCalls({
    id: info.id,
    entries: async (range) => (await to.log.read(info.id, range)).map(readEntry),
    once: (key) => to.log.once(`${info.id} ${key}`),
  });
  const { counts, left, digest } = await comparison(from.log, to.log, info.id);
  if (left > 0) throw wentOn(info.id);
  const isMissing = (await to.assets.missing(media.ids)).size > 0;
  if (isMissing) throw new SightlineError('storage', `Media of session ${info.id} did not arrive. Move it again.`);
  const state = before.left === 0 && media.moved === 0 ? 'there' : 'moved';
  return { ...counts, state, media: media.ids.length, lost: media.lost, digest };
}

function differs(id: string): SightlineError {
  const what = `There is another session ${id} where it is to go: its entries are not the beginning of those here`;
  return new SightlineError('input', `${what}. Remove or fork one of them.`);
}

function wentOn(id: string): SightlineError {
  return new SightlineError('input', `Session ${id} went on meanwhile. Move it again.`);
}

/** The rows of a session, page by page. */
async function* pagesOf(log: EntryLog, id: string): AsyncGenerator<EntryRow[]> {
  for (let after = 0; ;) {
    const rows = await log.read(id, { after, limit: pageRows });
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)?.id ?? 0;
  }
}

const lineOf = ({ type, version, time, body }: EntryRow): string => JSON.stringify([type, version, time, body]);

/** How much of a session is there already, letter by letter; throws where something else is. */
async function comparison(
  from: EntryLog,
  to: EntryLog,
  id: string,
): Promise<{ isThere: boolean; left: number; digest: string; counts: { entries: number } }> {
  const isThere = (await to.find(id))[0]?.id === id;
  const there = isThere ? pagesOf(to, id) : undefined;
  const hash = newHash();
  let [entries, left, ended] = [0, 0, !isThere];
  for await (const rows of pagesOf(from, id)) {
    const page = ended ? undefined : await there?.next();
    const stored = page?.value ?? [];
    for (const [at, row] of rows.entries()) {
      const one = stored[at];
      if (one && lineOf(one) !== lineOf(row)) throw differs(id);
      if (!one) left++;
      hash.update(`${lineOf(row)}\n`);
      entries++;
    }
    if (stored.length > rows.length) throw differs(id);
    ended ||= stored.length < rows.length;
  }
  if (!ended && (await there?.next())?.done === false) throw differs(id);
  return { isThere, left, digest: hash.digest('hex'), counts: { entries } };
}

/** Where the same fork begins in the other log; nothing where its parent is not there, and all of it is moved. */
async function forkedIn(
  { forkedFrom }: SessionInfo,
  from: EntryLog,
  to: EntryLog,
): Promise<{ id: string; entry: EntryId } | undefined> {
  if (!forkedFrom || (await to.find(forkedFrom.id))[0]?.id !== forkedFrom.id) return undefined;
  if ((await from.find(forkedFrom.id))[0]?.id !== forkedFrom.id) return undefined;
  const { id, entry } = forkedFrom;
  const mapped = await mappedIds(from, to, id);
  const own = mapped.get(entry);
  return own === undefined ? undefined : { id, entry: own };
}

/** The ids that entries have in the other log. */
async function mappedIds(from: EntryLog, to: EntryLog, id: string): Promise<Map<EntryId, EntryId>> {
  const mapped = new Map<EntryId, EntryId>();
  const there = pagesOf(to, id);
  for await (const rows of pagesOf(from, id)) {
    const { value: stored = [] } = await there.next();
    for (const [at, row] of rows.entries()) {
      const one = stored[at];
      if (one) mapped.set(row.id, one.id);
    }
  }
  return mapped;
}

function assetsIn(entry: Entry): { id: AssetId; mediaType?: string }[] {
  if (entry.type === 'message') return assetsOf(entry.message);
  return entry.type === 'ledger' ? assetsOfDelta(entry).map((id) => ({ id })) : [];
}

/** Bytes are compared with their name by whoever takes them. */
async function moveMedia(
  id: string,
  from: SessionPlace,
  to: SessionPlace,
  reached: ReadonlySet<AssetId>,
): Promise<{ ids: AssetId[]; moved: number; lost: number }> {
  const types = new Map<AssetId, string | undefined>();
  const named = new Set<AssetId>();
  for await (const rows of pagesOf(from.log, id))
    for (const entry of rows.map(readEntry))
      for (const { id: asset, mediaType } of assetsIn(entry)) {
        if (!reached.has(asset)) continue;
        types.set(asset, mediaType ?? types.get(asset));
        if (entry.type === 'message') named.add(asset);
      }
  for (const asset of [...reached, ...(await requestMedia(from.log, id))])
    if (!types.has(asset)) types.set(asset, undefined);
  const into = sessionAssets(id, {
    claims: to.log.claims,
    files: to.assets,
    quotaBytes: Infinity,
    makeRoom: async () => 0,
  });
  const missing = await to.assets.missing([...types.keys()]);
  const ids: AssetId[] = [];
  let [moved, lost] = [0, 0];
  for (const [asset, mediaType = 'application/octet-stream'] of types) {
    const bytes = missing.has(asset) ? await from.assets.get(asset) : undefined;
    if (bytes) {
      await into.put(bytes, { mediaType, id: asset });
      moved++;
    } else if (missing.has(asset)) {
      lost += Number(named.has(asset)); // what can be made again is no loss
      continue;
    }
    ids.push(asset);
  }
  return { ids, moved, lost };
}

async function requestMedia(log: EntryLog, id: string): Promise<AssetId[]> {
  const found: AssetId[] = [];
  for (const row of (await log.requests?.list(id)) ?? [])
    found.push(...((await log.requests?.chain(row.id))?.at(-1)?.assets ?? []));
  return found;
}

async function moveEntries(
  id: string,
  from: EntryLog,
  to: EntryLog,
  reached: ReadonlySet<AssetId>,
  holder: LeaseHolder,
): Promise<{ mapped: Map<EntryId, EntryId> }> {
  let lease = await to.take(id, holder);
  try {
    const there = pagesOf(to, id);
    let batch: NewRow[] = [];
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await to.append(lease, batch);
      lease = { ...lease, next: lease.next + batch.length };
      batch = [];
    };
    let stored: EntryRow[] | undefined = [];
    for await (const rows of pagesOf(from, id)) {
      stored = stored && (await there.next()).value;
      for (const row of rows.slice(stored?.length ?? 0)) {
        batch.push(newRow(id, row, reached));
        if (batch.reduce((sum, { body }) => sum + body.length, 0) > batchBytes) await flush();
      }
      await flush();
    }
    return { mapped: await mappedIds(from, to, id) };
  } finally {
    await to.release(lease);
  }
}

function newRow(id: string, row: EntryRow, reached: ReadonlySet<AssetId>): NewRow {
  if (isAltered(row))
    throw new SightlineError(
      'storage',
      `Entry ${row.id} of session ${id} is not as it was stored. "sightline sessions doctor ${id} --repair" makes a copy to move.`,
    );
  const { type, version, time, body } = row;
  const entry = readEntry(row);
  return { type, version, time, body, ...(entry.type !== 'unknown' && effectsOf(entry, { reached })) } as NewRow;
}

/** What was asked of providers, told by the entries as they are numbered here. */
async function moveRequests(
  id: string,
  from: EntryLog,
  to: EntryLog,
  mapped: ReadonlyMap<EntryId, EntryId>,
): Promise<void> {
  if (!from.requests || !to.requests) return;
  const known = new Set((await to.requests.list(id)).map((row) => row.id));
  for (const { id: request } of await from.requests.list(id)) {
    const stored = known.has(request) ? undefined : (await from.requests.chain(request)).at(-1);
    if (!stored) continue;
    const { ended, answer, upTo, ...begun } = stored;
    const entry = upTo === undefined ? undefined : (mapped.get(upTo) ?? upTo);
    await to.requests.begin({ ...begun, ...(entry !== undefined && { upTo: entry }) });
    if (ended) await to.requests.end(request, { ...ended, ...(answer && { answer }) });
  }
}
