// The same log in memory, for programs that keep nothing and for tests. Every change of it is a value: whoever keeps
// those values elsewhere and applies them again has the same log again.
import type { AssetId } from '../../content/block.ts';
import { SightlineError } from '../../content/refusal.ts';
import { wordsOf } from '../entry.ts';
import type { EntryId } from '../entry.ts';
import { inTurns } from './in-turns.ts';
import type { StoredRequest } from '../../record/table.ts';
import { applyRequest, memoryRequests } from './memory-requests.ts';
import type { RequestChange } from './memory-requests.ts';
import { applyUpload, uploadTableOver } from '../../model/uploads/port.ts';
import type { UploadChange, UploadRows } from '../../model/uploads/port.ts';
import { forgetDescribed, memoryDescriptions } from './memory-descriptions.ts';
import type { DescriptionChange } from './memory-descriptions.ts';
import type { Claims, EntryLog, SearchHit, Lease, NewRow, EntryRange, Referred, SessionInfo } from './port.ts';
import {
  changeOf,
  checkKeys,
  fenced,
  gone,
  isSameRow,
  outOfStep,
  sessionsPerPage,
  taken,
  untilFree,
  writtenElsewhere,
} from './port.ts';
import { readEntry } from './migrations.ts';
import type { EntryRow } from './migrations.ts';
import { excerptOf, matches, searchWords } from './search.ts';
import { watching } from './watch.ts';

/** A row with the id that it got. */
export type KeptRow = NewRow & { id: EntryId };

export type LogChange =
  | ['create', id: string, time: number, from?: { id: string; entry: EntryId }]
  | ['append', session: string, rows: readonly KeptRow[], handedOver: number]
  | ['take', id: string, epoch: number]
  | ['remove', id: string]
  | ['lease', assets: readonly { id: AssetId; size: number }[], time: number, session?: string]
  | ['stored', ids: readonly AssetId[]]
  | ['forget', ids: readonly AssetId[]]
  | ['once', key: string]
  | DescriptionChange
  | UploadChange
  | RequestChange;

/** `time` is that of the last put, `lent` that of the last one for no session. */
type LoggedAsset = { time: number; size: number; stored: boolean; lent?: number | undefined };

type Line = {
  number: number;
  info: SessionInfo;
  from?: { line: Line; entry: EntryId };
  rows: (EntryRow & { key?: string })[];
  held: Set<AssetId>;
  named: (Referred & { entry: EntryId })[];
  epoch: number;
  seq: number;
  isHeld: boolean;
};

/**
 * The log that ends with the program.
 *
 * @example
 * const store = sessionsOver({ log: memoryLog(), assets: memoryAssets() });
 */
export function memoryLog({ now = Date.now }: { now?: () => number } = {}): EntryLog {
  let isOpen = true;
  return logOf(memoryState(), {
    now,
    keep: async () => {
      if (!isOpen) throw new SightlineError('input', 'These sessions were closed. Open sessions before you use them.');
    },
    close: async () => void (isOpen = false),
  });
}

export type MemoryState = {
  lines: Map<string, Line>;
  assets: Map<AssetId, LoggedAsset>;
  claimed: Set<string>;
  requests: Map<string, StoredRequest>;
  /** What models that see have said of pictures, by key. */
  descriptions: Map<string, string>;
  uploads: UploadRows;
  apply: (change: LogChange) => void;
  lineOf: (id: string) => Line;
  rowsOf: (line: Line) => EntryRow[];
  infoOf: (line: Line) => SessionInfo;
  lastId: () => EntryId;
};

/** What the log knows, and how a change changes it. */
export function memoryState(): MemoryState {
  const lines = new Map<string, Line>();
  const assets = new Map<AssetId, LoggedAsset>();
  const claimed = new Set<string>();
  const requests = new Map<string, StoredRequest>();
  const descriptions = new Map<string, string>();
  const uploads: UploadRows = new Map();
  let [last, number]: [EntryId, number] = [0, 0];

  const lineOf = (id: string): Line => {
    const line = lines.get(id);
    if (!line) throw gone(id);
    return line;
  };

  const rowsOf = (line: Line, upTo = Number.MAX_SAFE_INTEGER): EntryRow[] => [
    ...(line.from ? rowsOf(line.from.line, Math.min(upTo, line.from.entry)) : []),
    ...line.rows.filter(({ id }) => id <= upTo),
  ];

  const create = (id: string, time: number, from?: { id: string; entry: EntryId }): void => {
    const parent = from ? lineOf(from.id) : undefined;
    const { title, model } = parent?.info ?? {};
    const shared = parent ? rowsOf(parent, from?.entry).filter(({ type }) => type === 'message') : [];
    const named = (parent?.named ?? []).filter(({ entry }) => entry <= (from?.entry ?? 0));
    const info: SessionInfo = {
      id,
      ...(title !== undefined && { title }),
      ...(model !== undefined && { model }),
      created: time,
      updated: time,
      messages: shared.length,
      media: 0,
      mediaBytes: 0,
      inputTokens: 0,
      outputTokens: 0,
      ...(from && { forkedFrom: from }),
    };
    const begin = parent && from ? { from: { line: parent, entry: from.entry } } : {};
    const empty = { rows: [], held: new Set<AssetId>(), named, epoch: 0, seq: 0, isHeld: false };
    lines.set(id, { number: ++number, info, ...begin, ...empty });
  };

  const append = (line: Line, rows: readonly KeptRow[], handedOver: number): void => {
    for (const { id, type, version, time, body, key, refers = [] } of rows) {
      const parent = line.rows.at(-1)?.id ?? line.from?.entry ?? null;
      line.rows.push({ id, parent, time, version, type, body, ...(key !== undefined && { key }) });
      line.named.push(...refers.map((one) => ({ ...one, entry: id })));
      for (const { id: asset, size, by } of refers)
        if (by === 'message' && !assets.has(asset)) assets.set(asset, { time, size, stored: false });
      last = Math.max(last, id);
    }
    line.seq += handedOver;
    if (rows.length === 0) return;
    line.info = changedInfo(line.info, rows);
  };

  const forget = (ids: ReadonlySet<AssetId>): void => {
    for (const id of ids) assets.delete(id);
    for (const line of lines.values()) {
      for (const id of ids) line.held.delete(id);
      line.named = line.named.filter((one) => !ids.has(one.id));
    }
    forgetDescribed(descriptions, ids, neededIn({ lines, requests }));
  };

  const apply = (change: LogChange): void => {
    switch (change[0]) {
      case 'create':
        return create(change[1], change[2], change[3]);
      case 'append':
        return append(lineOf(change[1]), change[2], change[3]);
      case 'remove':
        return letGo({ lines, requests, descriptions }, () => {
          lines.delete(lineOf(change[1]).info.id); // forks hold on to the line they share
          for (const [id, { conversation }] of requests) if (conversation === change[1]) requests.delete(id);
          for (const key of claimed) if (key.startsWith(`${change[1]} `)) claimed.delete(key);
        });
      case 'lease':
        return applyLease(assets, change, change[3] === undefined ? undefined : lineOf(change[3]).held);
      case 'stored':
        for (const id of change[1]) {
          const asset = assets.get(id);
          if (asset) assets.set(id, { ...asset, stored: true });
        }
        return;
      case 'take':
        return void (lineOf(change[1]).epoch = change[2]);
      case 'forget':
        return forget(new Set(change[1]));
      case 'once':
        return void claimed.add(change[1]);
      case 'described':
        return void descriptions.set(change[1], change[2]);
      case 'uploaded':
      case 'withdrawn':
        return applyUpload(uploads, change);
      case 'request':
      case 'request-end':
        return applyRequest(requests, change);
      case 'requests-gone':
        return letGo({ lines, requests, descriptions }, () => applyRequest(requests, change));
    }
  };

  const infoOf = (line: Line): SessionInfo => {
    const media = new Set(line.named.filter(({ by }) => by === 'message').map(({ id }) => id));
    const mediaBytes = [...media].reduce((sum, id) => sum + (assets.get(id)?.size ?? 0), 0);
    return { ...line.info, media: media.size, mediaBytes };
  };

  return { lines, assets, claimed, requests, descriptions, uploads, apply, lineOf, rowsOf, infoOf, lastId: () => last };
}

/** What somebody still needs: sessions, and what is kept of requests. */
function neededIn({ lines, requests }: Pick<MemoryState, 'lines' | 'requests'>): Set<AssetId> {
  return new Set([
    ...[...lines.values()].flatMap(({ held, named }) => [...held, ...named.map(({ id }) => id)]),
    ...[...requests.values()].flatMap(({ assets }) => assets),
  ]);
}

/** What was said of a picture goes with the last that needs it. */
function letGo(
  { descriptions, ...needing }: Pick<MemoryState, 'lines' | 'requests' | 'descriptions'>,
  change: () => void,
): void {
  const before = neededIn(needing);
  change();
  forgetDescribed(descriptions, before, neededIn(needing));
}

/** A session after what rows change about it. */
function changedInfo(info: SessionInfo, rows: readonly KeptRow[]): SessionInfo {
  const change = changeOf(rows);
  const title = change.title ?? info.title ?? change.firstWords;
  const cost = change.usage?.cost === undefined ? info.cost : (info.cost ?? 0) + change.usage.cost;
  return {
    ...info,
    updated: change.updated,
    messages: info.messages + change.messages,
    inputTokens: info.inputTokens + (change.usage?.inputTokens ?? 0),
    outputTokens: info.outputTokens + (change.usage?.outputTokens ?? 0),
    ...(title !== undefined && { title }),
    ...(change.model !== undefined && { model: change.model }),
    ...(cost !== undefined && { cost }),
  };
}

type Keeping = {
  now: () => number;
  /** Keeps a change before it counts; what is not durable may be forgotten by a power cut. */
  keep: (change: LogChange, durable: boolean) => Promise<void>;
  close?: () => Promise<void>;
};

/** The log over what is in memory; every change is kept before it counts. */
export function logOf(state: MemoryState, { now, keep, close = async () => undefined }: Keeping): EntryLog {
  const { lines, claimed, lineOf, infoOf } = state;
  const inTurn = inTurns();
  const watchers = watching();

  const changed = async (change: LogChange, durable = true): Promise<void> => {
    await keep(change, durable);
    state.apply(change);
  };

  const lineUnder = (lease: Lease): Line => {
    const line = lineOf(lease.session);
    if (line.epoch !== lease.epoch || !line.isHeld) throw fenced(lease);
    return line;
  };

  const append: EntryLog['append'] = async (lease, rows) => {
    const line = lineUnder(lease);
    checkKeys(rows);
    const keyed = (key: string | undefined): EntryRow | undefined =>
      key === undefined ? undefined : line.rows.find((row) => row.key === key);
    if (line.seq !== lease.next) {
      const plain = line.rows.filter(({ key }) => key === undefined).toReversed();
      const before = plain.slice(0, rows.filter(({ key }) => key === undefined).length);
      const found = rows.map((row) => keyed(row.key) ?? before.pop());
      const isRepeated =
        line.seq === lease.next + rows.length &&
        rows.every((row, at) => row.key !== undefined || isSameRow(found[at], row));
      if (!isRepeated) throw outOfStep(lease, line.seq);
      return { ids: found.flatMap((row) => row?.id ?? []), gone: [] };
    }
    let last = state.lastId();
    const numbered = rows.map((row) => ({ ...row, id: keyed(row.key)?.id ?? ++last }));
    const fresh = numbered.filter((row) => !keyed(row.key));
    const named = fresh.flatMap(({ refers = [] }) => refers.filter(({ by }) => by === 'message'));
    const lost = named.map(({ id }) => id).filter((id) => !state.assets.has(id));
    await changed(['append', lease.session, fresh, rows.length]);
    watchers.wake();
    return { ids: numbered.map(({ id }) => id), gone: lost };
  };

  return {
    create: (id, time, from) =>
      inTurn(async () => {
        if (lines.has(id)) throw taken(id);
        await changed(from ? ['create', id, time, from] : ['create', id, time]);
      }),
    find: async (id) => {
      const found = [...lines.keys()].filter((key) => key.startsWith(id)).toSorted();
      return found
        .filter((key) => key === id)
        .concat(found.filter((key) => key !== id))
        .map((key) => infoOf(lineOf(key)));
    },
    list: async ({ limit = sessionsPerPage, before } = {}) => {
      const from = before && (lines.get(before.id)?.number ?? 0);
      const all = [...lines.values()]
        .toSorted((one, other) => other.info.updated - one.info.updated || other.number - one.number)
        .filter(
          ({ info: { updated }, number }) =>
            !before || updated < before.updated || (updated === before.updated && number < (from ?? 0)),
        );
      const sessions = all.slice(0, limit).map(infoOf);
      const last = sessions.at(-1);
      return { sessions, ...(all.length > limit && last && { next: { id: last.id, updated: last.updated } }) };
    },
    take: (id, _holder, { waitMs = 0 } = {}) =>
      untilFree(waitMs, () =>
        inTurn(async () => {
          const line = lineOf(id);
          if (line.isHeld) throw writtenElsewhere(id, 'us');
          const take: LogChange = ['take', id, line.epoch + 1];
          await keep(take, false).catch(unlessFull);
          state.apply(take);
          line.isHeld = true;
          return { session: id, epoch: line.epoch, next: line.seq };
        }),
      ),
    renew: async (lease) => ({ ...lease, next: lineUnder(lease).seq }),
    release: async ({ session, epoch }) => {
      const line = lines.get(session);
      if (line?.epoch === epoch) line.isHeld = false;
    },
    remove: (lease) =>
      inTurn(async () => {
        lineUnder(lease);
        await changed(['remove', lease.session]);
        watchers.wake();
      }),
    append: (lease, rows) => inTurn(() => append(lease, rows)),
    read: async (id, options = {}) => chosen(state.rowsOf(lineOf(id)), options),
    watch: (id, signal) => {
      lineOf(id);
      return watchers.watch(signal);
    },
    search: async (text, page) => searched(state, text, page),
    once: (key) =>
      inTurn(async () => {
        if (claimed.has(key)) return false;
        await changed(['once', key]);
        return true;
      }),
    claims: claimsOf(state, (work) => inTurn(() => work(changed)), now),
    descriptions: memoryDescriptions(state.descriptions, { changed: (change) => inTurn(() => changed(change)), now }),
    uploads: uploadTableOver(state.uploads, (work) => inTurn(() => work(changed))),
    requests: memoryRequests(state.requests, {
      changed: (changes) =>
        inTurn(async () => {
          for (const change of changes()) await changed(change, false);
          watchers.wake();
        }),
      watch: watchers.watch,
    }),
    close: () =>
      inTurn(async () => {
        watchers.close();
        await close();
      }),
  };
}

/** A lease is newer than all before it, also those of a program that ended; a full disk keeps nobody from removing. */
function unlessFull(error: unknown): void {
  if (!(error instanceof SightlineError) || error.code !== 'storage') throw error;
}

function chosen(
  all: readonly EntryRow[],
  { after = 0, before = Number.MAX_SAFE_INTEGER, types, limit, newest }: EntryRange,
): EntryRow[] {
  const rows = all.filter(
    (row) => row.id > after && row.id < before && (!types || types.some((type) => type === row.type)),
  );
  return newest === undefined ? rows.slice(0, limit) : rows.toReversed().slice(0, newest);
}

function searched(
  { lines, infoOf }: MemoryState,
  text: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: EntryId },
): SearchHit[] {
  const words = searchWords(text);
  if (words.length === 0) return [];
  const hits: SearchHit[] = [];
  const newestFirst = [...lines.values()]
    .flatMap((line) => line.rows.map((row) => ({ line, row })))
    .filter(({ row }) => row.id < before)
    .toSorted((one, other) => other.row.id - one.row.id);
  for (const { line, row } of newestFirst) {
    if (hits.length >= limit) break;
    const said = wordsOf(readEntry(row));
    if (matches(said, text)) hits.push({ session: infoOf(line), entry: row.id, excerpt: excerptOf(said, words) });
  }
  return hits;
}

type Changing = <T>(
  work: (changed: (change: LogChange, durable?: boolean) => Promise<void>) => Promise<T>,
) => Promise<T>;

/** What is put for a session it holds. */
function applyLease(
  assets: MemoryState['assets'],
  [, leased, time]: Extract<LogChange, ['lease', ...unknown[]]>,
  held: Set<AssetId> | undefined,
): void {
  for (const { id, size } of leased) {
    const { stored = false, lent } = assets.get(id) ?? {};
    assets.set(id, { time, size, stored, lent: held ? lent : time });
    held?.add(id);
  }
}

/** What messages name. */
function namedIn(lines: readonly Line[]): Set<AssetId> {
  return new Set(lines.flatMap(({ named }) => named.filter(({ by }) => by === 'message').map(({ id }) => id)));
}

function claimsOf({ lines, assets, requests, lineOf }: MemoryState, changing: Changing, now: () => number): Claims {
  const counting = (without: readonly string[]): Line[] =>
    [...lines.values()].filter(({ info }) => !without.includes(info.id));
  return {
    lease: (leased, session) =>
      changing(async (changed) => {
        if (session !== undefined) lineOf(session);
        await changed(session === undefined ? ['lease', leased, now()] : ['lease', leased, now(), session], false);
      }),
    stored: (ids) =>
      changing(async (changed) => {
        const news = ids.filter((id) => assets.get(id)?.stored === false);
        if (news.length > 0) await changed(['stored', news], false);
      }),
    missing: async (ids) => new Set(ids.filter((id) => !assets.get(id)?.stored)),
    reachable: async (session) => new Set([...lineOf(session).named.map((one) => one.id), ...lineOf(session).held]),
    named: async (ids, without) => {
      const named = namedIn(counting(without));
      return new Set(ids.filter((id) => named.has(id)));
    },
    needed: async (ids) => {
      const all = new Set(counting([]).flatMap(({ held, named }) => [...held, ...named.map((one) => one.id)]));
      return new Set(ids.filter((id) => all.has(id)));
    },
    bytes: async () => [...assets.values()].reduce((sum, { size, stored }) => sum + (stored ? size : 0), 0),
    collect: ({ idleMs, limit, renditions, without, among }, remove) =>
      changing(async (changed) => {
        const left = counting(without);
        const needed = namedIn(left);
        if (!renditions) {
          for (const { held, named } of left) for (const id of [...held, ...named.map((one) => one.id)]) needed.add(id);
          for (const request of requests.values())
            if (!without.includes(request.conversation)) for (const id of request.assets) needed.add(id);
        }
        const isMeant = (id: AssetId): boolean => !needed.has(id) && (among === undefined || among.includes(id));
        const idle = [...assets]
          .filter(([id, { time, lent = -Infinity }]) => (renditions ? time : lent) <= now() - idleMs && isMeant(id))
          .toSorted(([one, a], [other, b]) => a.time - b.time || (one < other ? -1 : 1))
          .slice(0, limit);
        const ids = idle.map(([id]) => id);
        if (ids.length === 0) return { removed: 0, bytes: 0 };
        await remove(ids);
        await changed(['forget', ids], false);
        return { removed: ids.length, bytes: idle.reduce((sum, [, { size }]) => sum + size, 0) };
      }),
  };
}
