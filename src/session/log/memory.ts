// The same log in memory, for programs that keep nothing and for tests.
import type { AssetId } from '../../content/block.ts';
import { wordsOf } from '../entry.ts';
import type { EntryId } from '../entry.ts';
import type { Claim, EntryLog, Found, Referred, SessionInfo } from './port.ts';
import { readEntry } from './migrations.ts';
import type { EntryRow } from './migrations.ts';
import { excerptOf, matches, searchWords } from './search.ts';
import { gone, written } from './rows.ts';

type Line = {
  info: SessionInfo;
  from?: { line: Line; entry: EntryId };
  rows: EntryRow[];
  held: Set<AssetId>;
  named: (Referred & { entry: EntryId })[];
  locked: boolean;
};

export function memoryLog(): EntryLog {
  const lines = new Map<string, Line>();
  const leases = new Map<AssetId, { time: number; size: number }>();
  let last: EntryId = 0;

  const lineOf = (id: string): Line => {
    const line = lines.get(id);
    if (!line) throw gone(id);
    return line;
  };

  const rowsOf = (line: Line, upTo = Number.MAX_SAFE_INTEGER): EntryRow[] => [
    ...(line.from ? rowsOf(line.from.line, Math.min(upTo, line.from.entry)) : []),
    ...line.rows.filter(({ id }) => id <= upTo),
  ];

  const infoOf = (line: Line): SessionInfo => {
    const media = new Map(line.named.filter(({ by }) => by === 'message').map(({ id, size }) => [id, size]));
    const mediaBytes = [...media.values()].reduce((sum, size) => sum + size, 0);
    return { ...line.info, media: media.size, mediaBytes };
  };

  return {
    create(id, time, from) {
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
      lines.set(id, { info, ...begin, rows: [], held: new Set(), named, locked: false });
    },
    find: (id) => {
      const found = [...lines.keys()].filter((key) => key.startsWith(id)).toSorted();
      return found
        .filter((key) => key === id)
        .concat(found.filter((key) => key !== id))
        .map((key) => infoOf(lineOf(key)));
    },
    list: () =>
      [...lines.values()]
        .toReversed()
        .map(infoOf)
        .toSorted((one, other) => other.updated - one.updated),
    append(id, row, change, referred, shortIds) {
      const line = lineOf(id);
      const parent = line.rows.at(-1)?.id ?? line.from?.entry ?? null;
      const { type, version, time, body } = row;
      const entry = row.id ?? last + 1;
      last = entry;
      line.rows.push({ id: entry, parent, time, version, type, body });
      line.named.push(...referred.map((one) => ({ ...one, entry })));
      for (const { id: asset, size, by } of referred)
        if (by === 'message' && !leases.has(asset)) leases.set(asset, { time, size });
      for (const held of line.held) {
        if (shortIds.includes(held.slice('sha256:'.length, 'sha256:'.length + 8)))
          line.named.push({ id: held, size: 0, by: 'message', entry });
      }
      const { info } = line;
      const title = change.title ?? info.title ?? change.firstWords;
      const cost = change.usage?.cost === undefined ? info.cost : (info.cost ?? 0) + change.usage.cost;
      line.info = {
        ...info,
        updated: time,
        messages: info.messages + (type === 'message' ? 1 : 0),
        inputTokens: info.inputTokens + (change.usage?.inputTokens ?? 0),
        outputTokens: info.outputTokens + (change.usage?.outputTokens ?? 0),
        ...(title !== undefined && { title }),
        ...(change.model !== undefined && { model: change.model }),
        ...(cost !== undefined && { cost }),
      };
      return entry;
    },
    read(id, { after = 0, before = Number.MAX_SAFE_INTEGER, types, newest } = {}) {
      const rows = rowsOf(lineOf(id)).filter(
        (row) => row.id > after && row.id < before && (!types || types.some((type) => type === row.type)),
      );
      return newest === undefined ? rows : rows.toReversed().slice(0, newest);
    },
    remove(id) {
      lineOf(id);
      lines.delete(id); // forks hold on to the line they share
    },
    search(text, limit) {
      const words = searchWords(text);
      if (words.length === 0) return [];
      const all = [...lines.values()].flatMap((line) => line.rows.map((row) => ({ line, row })));
      return all
        .toSorted((one, other) => other.row.id - one.row.id)
        .flatMap(({ line, row }): Found[] => {
          const found = wordsOf(readEntry(row));
          return matches(found, text)
            ? [{ session: infoOf(line), entry: row.id, excerpt: excerptOf(found, words) }]
            : [];
        })
        .slice(0, limit);
    },
    assets: (id) => [...lineOf(id).named.map((one) => one.id), ...lineOf(id).held],
    assetBytes: () => [...leases.values()].reduce((sum, { size }) => sum + size, 0),
    lease({ id, size }, time, session) {
      leases.set(id, { time, size });
      if (session !== undefined) lineOf(session).held.add(id);
    },
    claims: (without) => {
      let known = new Map<AssetId, Claim>();
      return {
        together: (work) => {
          const left = [...lines.values()].filter(({ info }) => !without.includes(info.id));
          known = new Map(left.flatMap(({ held }) => [...held].map((id) => [id, 'held'] as const)));
          for (const by of ['ledger', 'message'] as const)
            for (const { named } of left) for (const one of named) if (one.by === by) known.set(one.id, by);
          work();
        },
        leased: (id) => leases.get(id)?.time ?? 0,
        claim: (id) => known.get(id),
        unnamed: (before) =>
          [...leases].flatMap(([id, { time }]) => (time < before && known.get(id) !== 'message' ? [id] : [])),
        forget: (id) => {
          leases.delete(id);
          for (const line of lines.values()) {
            line.held.delete(id);
            line.named = line.named.filter((one) => one.id !== id);
          }
        },
      };
    },
    lock(id) {
      const line = lineOf(id);
      if (line.locked) throw written(id, 'us');
      line.locked = true;
      return () => {
        line.locked = false;
      };
    },
    close: () => undefined,
  };
}
