// The sessions of a database in PostgreSQL: how they are found, listed, read and searched.
import { cutText } from '../../content/text.ts';
import { wordsOf } from '../entry.ts';
import type { Entry, EntryId } from '../entry.ts';
import type { EntryRow } from './migrations.ts';
import { readEntry } from './migrations.ts';
import type { EntryLog, EntryRange, SearchHit, SessionInfo } from './port.ts';
import { gone, sessionsPerPage } from './port.ts';
import type { Ask } from './postgres-pool.ts';
import { sessionInfoOf } from './session-row.ts';
import { excerptOf, isUnspaced, searchWords } from './search.ts';
import { maxSearched } from './search-index.ts';

const furthest = Number.MAX_SAFE_INTEGER;

/** What a `SessionInfo` is made of; the session is `s`. */
const infoColumns = `s.id, s.title, s.model, s.created, s.updated, s.messages, s.input, s.output, s.cost, s.fork,
  (SELECT p.id FROM sightline.session p WHERE p.number = s.parent) AS "parentId", m.media, m.bytes`;
const infoMedia = `LEFT JOIN LATERAL (SELECT count(*) AS media, coalesce(sum(a.size), 0)::bigint AS bytes
  FROM sightline.reference r JOIN sightline.asset a ON a.hash = r.hash WHERE r.session = s.number AND r.kind = 2) m ON true`;

/** Sessions whose id begins like this, one that is exactly it first. */
export async function findInPostgres(ask: Ask, id: string): Promise<SessionInfo[]> {
  const like = `${id.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('\0', '')}%`;
  const sql = `SELECT ${infoColumns} FROM (SELECT * FROM sightline.session WHERE NOT removed AND id LIKE $1
    ORDER BY id LIMIT 10) s ${infoMedia} ORDER BY s.id`;
  const rows = (await ask(sql, [like])).map(sessionInfoOf);
  return rows.filter((row) => row.id === id).concat(rows.filter((row) => row.id !== id));
}

/** A page of the list, the newest first. */
export async function listInPostgres(
  ask: Ask,
  { limit = sessionsPerPage, before }: NonNullable<Parameters<EntryLog['list']>[0]>,
): Promise<Awaited<ReturnType<EntryLog['list']>>> {
  const after = before
    ? `AND minute <= $2::bigint / 60000 AND (updated, number) < ($2::bigint, coalesce((SELECT number FROM sightline.session WHERE id = $3), 0))`
    : '';
  const sql = `SELECT ${infoColumns} FROM (SELECT * FROM sightline.session WHERE NOT removed ${after}
    ORDER BY minute DESC, updated DESC, number DESC LIMIT $1) s ${infoMedia} ORDER BY s.updated DESC, s.number DESC`;
  const rows = (await ask(sql, [limit + 1, ...(before ? [before.updated, before.id] : [])])).map(sessionInfoOf);
  const sessions = rows.slice(0, limit);
  const last = sessions.at(-1);
  return { sessions, ...(rows.length > limit && last && { next: { id: last.id, updated: last.updated } }) };
}

/** The entries of a session, with those of the sessions it was forked from. */
export async function readInPostgres(
  ask: Ask,
  id: string,
  { after = 0, before = furthest, types, limit, newest }: EntryRange,
): Promise<EntryRow[]> {
  const filter = types ? ` AND e.type IN (${types.map((type) => `'${type}'`).join(', ')})` : '';
  const most = newest ?? limit;
  // All of a long session would be sorted on the disk there; here it comes in order as good as always.
  const order = most === undefined ? '' : `ORDER BY e.id ${newest === undefined ? '' : 'DESC NULLS LAST'} LIMIT $4`;
  const sql = `SELECT e.* FROM sightline.session s CROSS JOIN LATERAL sightline.line(s.number) l
    LEFT JOIN LATERAL (SELECT e.id, e.parent, e.time, e.version, e.type, e.body, e.checksum FROM sightline.entry e
      WHERE e.session = l.session AND e.id > $2 AND e.id <= least(l.up_to, $3::bigint - 1)${filter} ${order}) e ON true
    WHERE s.id = $1 AND NOT s.removed ${order}`;
  const rows = await ask(sql, [id, after, before, ...(most === undefined ? [] : [most])]);
  if (rows.length === 0 && most !== 0) throw gone(id);
  const found = rows.filter(({ id: entry }) => entry !== null) as unknown as EntryRow[];
  return most === undefined ? found.toSorted((one, other) => one.id - other.id) : found;
}

const longestWord = 250;
/** Bytes of the words of an entry; of a longer list PostgreSQL would mistake one word for another. */
const mostIndexed = 2 ** 20 - 1;

/** Words of an entry as the index holds them; undefined where nothing is looked for. */
export function indexedWords(entry: Entry): string[] | undefined {
  const words = searchWords(cutText(wordsOf(entry), maxSearched)).map((word) =>
    word.slice(0, longestWord).toWellFormed(),
  );
  let room = mostIndexed;
  const kept = [...new Set(words)].filter((word) => (room -= Buffer.byteLength(word)) >= 0);
  return kept.length === 0 ? undefined : kept;
}

/** Entries with these words, the newest first. */
export async function searchInPostgres(
  ask: Ask,
  text: string,
  { limit, before = furthest }: { limit: number; before?: EntryId },
): Promise<SearchHit[]> {
  const words = searchWords(text);
  if (words.length === 0) return [];
  const unspaced = isUnspaced(text);
  const like = JSON.stringify(text.trim())
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
  const query = words.map(
    (word, at) => `'${word.slice(0, longestWord).toWellFormed()}'${at === words.length - 1 ? ':*' : ''}`,
  );
  const found = await ask(
    `SELECT ${infoColumns}, e.id AS entry_id, e.parent, e.time, e.version, e.type, e.body FROM
      (SELECT * FROM sightline.entry WHERE words IS NOT NULL AND id < $2
        AND session NOT IN (SELECT number FROM sightline.session WHERE removed)
        AND ${unspaced ? 'body LIKE $1' : 'words @@ $1::tsquery'} ORDER BY id DESC LIMIT $3) e
      JOIN sightline.session s ON s.number = e.session AND NOT s.removed ${infoMedia} ORDER BY e.id DESC`,
    [unspaced ? `%${like}%` : query.join(' & '), before, limit],
  );
  return found.map((row) => {
    const entry = readEntry({ ...row, id: Number(row['entry_id']) } as unknown as EntryRow);
    return { session: sessionInfoOf(row), entry: entry.id, excerpt: excerptOf(wordsOf(entry), words) };
  });
}
