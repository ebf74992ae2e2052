// What the files around the tables share: the kinds of references, rows as values, and the two complaints about ids.
import type { SQLOutputValue } from 'node:sqlite';
import type { AssetId } from '../../content/block.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { SessionInfo } from './port.ts';

export type Row = Record<string, SQLOutputValue>;

/** Put by a session and named nowhere yet; named by a ledger; named by a message. The numbers are stored. */
export const referenceKinds = { held: 0, ledger: 1, message: 2 } as const;

/** The row behind a `SessionInfo`; a condition may follow. */
export const infoSql: string = `SELECT s.*, p.id AS parentId,
  (SELECT count(*) FROM reference r WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS media,
  (SELECT sum(a.size) FROM reference r JOIN asset a ON a.hash = r.hash
    WHERE r.session = s.number AND r.kind = ${referenceKinds.message}) AS bytes
  FROM session s LEFT JOIN session p ON p.number = s.parent WHERE s.removed = 0`;

export function hashIn(id: AssetId): string {
  return id.slice('sha256:'.length);
}

export function gone(id: string): SightlineError {
  return new SightlineError('input', `There is no session ${id}. See "sightline sessions list".`);
}

/** Somebody writes to it already: this program, or another process. */
export function written(id: string, by: 'us' | 'others'): SightlineError {
  const where =
    by === 'us' ? 'already open in this program. Close it first' : 'open in another process. Close it there';
  return new SightlineError('storage', `Session ${id} is ${where}, or go on in a copy: sightline sessions fork ${id}`);
}

export function infoOf(row: Row): SessionInfo {
  const text = (key: string): string | undefined => (typeof row[key] === 'string' ? row[key] : undefined);
  const number = (key: string): number => Number(row[key] ?? 0);
  const [title, model, parentId] = [text('title'), text('model'), text('parentId')];
  return {
    id: text('id') ?? '',
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    created: number('created'),
    updated: number('updated'),
    messages: number('messages'),
    media: number('media'),
    mediaBytes: number('bytes'),
    inputTokens: number('input'),
    outputTokens: number('output'),
    ...(typeof row['cost'] === 'number' && { cost: row['cost'] }),
    ...(parentId !== undefined && { forkedFrom: { id: parentId, entry: number('fork') } }),
  };
}
