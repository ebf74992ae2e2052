// Records of requests in PostgreSQL.
import { hashIn } from '../../content/block.ts';
import type { RequestTable, StoredRequest } from '../../record/table.ts';
import type { PgRow, Postgres } from './postgres-pool.ts';
import { requestRowOf, storedRequestOf, textsOf } from './request-texts.ts';

const furthest = Number.MAX_SAFE_INTEGER;

/** The row of a request, and what it names. */
const insert = `WITH added AS (
    INSERT INTO sightline.request (id, conversation, lane, purpose, before, depth, time, row, body, bytes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING number),
  named AS (INSERT INTO sightline.request_asset SELECT number, decode(h, 'hex') FROM added, unnest($11::text[]) h)
  SELECT sightline.request_changed()`;

function valuesOf(request: StoredRequest): unknown[] {
  const { id, conversation, lane, purpose, before = null, depth, time, assets } = request;
  const { row, body } = textsOf(request);
  const hashes = [...new Set(assets.map(hashIn))];
  return [id, conversation, lane, purpose, before, depth, time, row, body, row.length + body.length, hashes];
}

/** The table over a database; whoever watches is told by `watch`. */
export function postgresRequests({ ask, transaction }: Postgres, watch: RequestTable['watch']): RequestTable {
  return {
    watch,
    begin: async (request) => void (await ask(insert, valuesOf(request))),
    end: async (id, { answer, ...ended }) =>
      void (await ask(
        `WITH done AS (UPDATE sightline.request SET ended = $2, state = $3, answer = $4 WHERE id = $1)
          SELECT sightline.request_changed()`,
        [id, JSON.stringify(ended), ended.state, answer === undefined ? null : JSON.stringify(answer)],
      )),
    list: async (conversation) =>
      (
        await ask(
          'SELECT id, conversation, lane, time, row, ended FROM sightline.request WHERE conversation = $1 ORDER BY number',
          [conversation],
        )
      ).map(requestRowOf),
    conversations: async ({ limit = furthest, before = furthest } = {}) =>
      (
        await ask(
          `SELECT conversation, count(*) AS requests, min(time) AS began, max(time) AS updated FROM sightline.request
            GROUP BY conversation HAVING max(time) < $1 ORDER BY max(time) DESC, max(number) DESC LIMIT $2`,
          [before, limit],
        )
      ).map((row) => ({
        conversation: String(row['conversation']),
        requests: Number(row['requests']),
        began: Number(row['began']),
        updated: Number(row['updated']),
      })),
    chain: async (id) =>
      (
        await ask(
          `WITH RECURSIVE line (id, before, depth) AS (
            SELECT id, before, depth FROM sightline.request WHERE id = $1
            UNION SELECT r.id, r.before, r.depth FROM line l JOIN sightline.request r ON r.id = l.before WHERE l.depth > 0)
          SELECT r.* FROM sightline.request r JOIN line l ON l.id = r.id ORDER BY r.depth`,
          [id],
        )
      ).map(storedRequestOf),
    last: async (conversation, lane) => {
      const sql = `SELECT id FROM sightline.request WHERE conversation = $1 AND lane = $2 AND state = 'answered'
        AND purpose = 'answer' ORDER BY number DESC LIMIT 1`;
      const id = (await ask(sql, [conversation, lane]))[0]?.['id'];
      return typeof id === 'string' ? id : undefined;
    },
    rewrite: (rows, gone) =>
      transaction(async (within) => {
        for (const row of rows) await rewritten(within, row);
        await within('DELETE FROM sightline.request WHERE id = ANY($1::text[])', [gone]);
        await within('SELECT sightline.request_changed()');
      }),
    sizes: async () => {
      const sql = `SELECT id, time, bytes, CASE WHEN depth > 0 THEN before END AS before FROM sightline.request ORDER BY number`;
      return (await ask(sql)).map(({ id, time, bytes, before }: PgRow) => ({
        id: String(id),
        time: Number(time),
        bytes: Number(bytes),
        ...(typeof before === 'string' && { before }),
      }));
    },
    forget: async (conversation) =>
      void (await ask(
        `WITH gone AS (DELETE FROM sightline.request WHERE conversation = $1) SELECT sightline.request_changed()`,
        [conversation],
      )),
  };
}

async function rewritten(within: Postgres['ask'], request: StoredRequest): Promise<void> {
  const { before = null, depth, id, assets } = request;
  const { row, body } = textsOf(request);
  const sql = `UPDATE sightline.request SET before = $1, depth = $2, row = $3, body = $4, bytes = $5 WHERE id = $6 RETURNING number`;
  const number = (await within(sql, [before, depth, row, body, row.length + body.length, id]))[0]?.['number'];
  if (number === undefined) return;
  await within('DELETE FROM sightline.request_asset WHERE number = $1', [number]);
  const name = `INSERT INTO sightline.request_asset SELECT $1, decode(h, 'hex') FROM unnest($2::text[]) h`;
  await within(name, [number, [...new Set(assets.map(hashIn))]]);
}
