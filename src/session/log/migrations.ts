// How old stores and old entries become new ones; the only file that knows what they looked like. A step is never
// changed once it was released: a change of shape is a new step at the end.
import { isMediaKind } from '../../content/block.ts';
import { parseBlock } from '../../content/parse.ts';
import { isRecord } from '../../content/json.ts';
import type { Json } from '../../content/json.ts';
import type { Entry, EntryBody, EntryId, EntryType } from '../entry.ts';
import { entryVersion } from '../entry.ts';

/** The tables, step by step; the number of steps done is the database's `user_version`. */
export const schemaSteps: readonly string[] = [
  `
  CREATE TABLE session (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    parent INTEGER,                     -- the session it was forked from,
    fork INTEGER NOT NULL DEFAULT 0,    -- and the last entry it shares with it
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    title TEXT,
    model TEXT,
    messages INTEGER NOT NULL DEFAULT 0,
    input INTEGER NOT NULL DEFAULT 0,
    output INTEGER NOT NULL DEFAULT 0,
    cost REAL,
    removed INTEGER NOT NULL DEFAULT 0  -- 1: only its forks still need it
  ) STRICT;
  CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    parent INTEGER,
    time INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entry_of_session ON entry (session);
  CREATE INDEX ledger_of_session ON entry (session) WHERE type = 'ledger';
  -- Words are indexed many entries at a time; the number is that of the last entry that is.
  CREATE TABLE indexed (last INTEGER NOT NULL) STRICT;
  INSERT INTO indexed VALUES (0);
  CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2');
  -- An asset that was put here; its time is that of the last put, and so a lease against collection.
  CREATE TABLE asset (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- Who refers to it: 0 put by the session and named nowhere yet, 1 named by a ledger, 2 named by a message.
  CREATE TABLE reference (
    session INTEGER NOT NULL, hash TEXT NOT NULL, kind INTEGER NOT NULL, entry INTEGER NOT NULL,
    PRIMARY KEY (session, hash, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reference_of_asset ON reference (hash);
  `,
  `
  -- Who may write: every taking raises the epoch, and seq counts the rows that were handed over.
  ALTER TABLE session ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE session ADD COLUMN holder TEXT;
  ALTER TABLE entry ADD COLUMN key TEXT;   -- appended once per session
  ALTER TABLE entry ADD COLUMN checksum INTEGER;  -- of the body; entries of the first version have none
  CREATE UNIQUE INDEX entry_by_key ON entry (session, key) WHERE key IS NOT NULL;
  ALTER TABLE asset ADD COLUMN stored INTEGER NOT NULL DEFAULT 1;  -- 0: put, but its bytes may never have arrived
  CREATE TABLE once (key TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- The minute of \`updated\`: an index by it changes once a minute, and not with every append.
  ALTER TABLE session ADD COLUMN minute INTEGER NOT NULL DEFAULT 0;
  UPDATE session SET minute = updated / 60000;
  CREATE INDEX session_by_minute ON session (minute) WHERE removed = 0;
  `,
  `
  -- What was asked of providers: each request a delta to one before it, with a life of its own.
  CREATE TABLE request (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL,     -- the id of a session, or how a conversation begins that has none
    lane TEXT NOT NULL,
    before TEXT,                    -- the request it is a delta to
    depth INTEGER NOT NULL,
    time INTEGER NOT NULL,
    row TEXT NOT NULL,              -- what lists need
    body TEXT NOT NULL,             -- what changed: the body, and the receipts
    ended TEXT,                     -- null: it is under way, or its process died
    answer TEXT,                    -- where no session holds it
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX request_of_conversation ON request (conversation);
  CREATE INDEX request_by_time ON request (time);
  CREATE TABLE request_asset (
    number INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (number, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX request_by_asset ON request_asset (hash);
  `,
  `
  -- What the gateway keeps of conversations: answers with their seals, and what was decided on the way to them.
  CREATE TABLE gateway_said (digest TEXT PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE gateway_ledger (digest TEXT PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  -- What keys have spent in a period, and what is put aside for requests under way.
  CREATE TABLE gateway_spent (place TEXT PRIMARY KEY, dollars REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE gateway_reserved (id TEXT PRIMARY KEY, place TEXT NOT NULL, dollars REAL NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- What models that see have said of pictures; no text yet: somebody is looking since then.
  CREATE TABLE description (key TEXT PRIMARY KEY, text TEXT, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- What goes with a conversation: the request that a row of the gateway comes from, the picture that a description is of.
  ALTER TABLE gateway_said ADD COLUMN request TEXT;
  ALTER TABLE gateway_ledger ADD COLUMN request TEXT;
  CREATE INDEX gateway_said_of_request ON gateway_said (request);
  CREATE INDEX gateway_ledger_of_request ON gateway_ledger (request);
  ALTER TABLE description ADD COLUMN asset TEXT;
  CREATE INDEX description_of_asset ON description (asset);
  `,
  `
  -- Media among somebody's files at a provider; no file yet: its upload began then, and nobody knows what came of it.
  CREATE TABLE upload (
    account TEXT NOT NULL, hash TEXT NOT NULL, endpoint TEXT NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL,
    created INTEGER NOT NULL, expires INTEGER NOT NULL, PRIMARY KEY (account, hash)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What was put for no session, and when last: a lease against collection. What a session puts is held by the session.
  CREATE TABLE lent (hash TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO lent SELECT hash, time FROM asset;
  `,
  `
  -- What is old is found without reading all that is kept.
  CREATE INDEX gateway_said_by_time ON gateway_said (at);
  CREATE INDEX gateway_ledger_by_time ON gateway_ledger (at);
  `,
];

/** Index n brings the body of an entry from version n to n + 1. There was no version 0, and 1 is today's. */
const entrySteps: readonly ((body: Record<string, unknown>) => Record<string, unknown>)[] = [(body) => body];

/** An entry as a log stores it. */
export type EntryRow = {
  id: EntryId;
  parent: EntryId | null;
  time: number;
  version: number;
  type: string;
  body: string;
  /** Of the body when it was written, where the log keeps one. */
  checksum?: number | null;
};

/** Whether its words are not those that were stored. */
export function isAltered({ body, checksum }: Pick<EntryRow, 'body' | 'checksum'>): boolean {
  return typeof checksum === 'number' && process.getBuiltinModule('node:zlib').crc32(body) !== checksum;
}

/** Never throws: a row that cannot be understood is an unknown entry. */
export function readEntry(row: EntryRow): Entry {
  const { id, parent, time, version, type } = row;
  const frame = { id, parent: parent ?? undefined, time, version };
  const body = parsed(row.body);
  const steps = version <= entryVersion ? entrySteps.slice(version) : undefined;
  if (!steps || !isRecord(body)) return { ...frame, type: 'unknown', was: type, body };
  const upgraded = steps.reduce((now, step) => step(now), body as Record<string, unknown>);
  if (!isEntryType(type) || !shapes[type](upgraded)) return { ...frame, type: 'unknown', was: type, body };
  return { ...(upgraded as EntryBody), ...frame, type } as Entry;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

type Body = Record<string, unknown>;

const text =
  (...keys: string[]) =>
  (body: Body): boolean =>
    keys.every((key) => typeof body[key] === 'string');

/** What the rest of the program reads of a block without asking. */
function isBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const { type, asset, original } = block;
  if (type === 'call') return text('id', 'name')(block);
  if (type === 'text' || type === 'thinking') return text('text')(block);
  if (type === 'sealed') return isRecord(block['seal']);
  if (type === 'reference') return parseBlock(block)?.type === 'reference';
  if (!isMediaKind(type)) return false;
  return isAsset(asset) && (original === undefined || (isRecord(original) && isAsset(original['asset'])));
}

function isAsset(value: unknown): boolean {
  return isRecord(value) && text('id', 'mediaType')(value) && typeof value['size'] === 'number';
}

/** The least that an entry must have for the rest of the program to rely on it. */
const shapes: Record<EntryType, (body: Body) => boolean> = {
  message: ({ message }) =>
    isRecord(message) &&
    ['user', 'assistant', 'tool'].includes(String(message['role'])) &&
    Array.isArray(message['content']) &&
    message['content'].every(isBlock) &&
    (message['role'] !== 'tool' || text('callId', 'name')(message)),
  ledger: (body) => text('model')(body) && typeof body['keep'] === 'number' && Array.isArray(body['items']),
  quarantine: text('asset', 'model', 'why'),
  usage: (body) => text('model')(body) && isRecord(body['usage']),
  model: text('model'),
  title: text('title'),
  setup: ({ system, tools }) =>
    (system === undefined || typeof system === 'string') && (tools === undefined || Array.isArray(tools)),
  summary: (body) => text('text')(body) && Number.isSafeInteger(body['covers']),
  note: text('text'),
};

function isEntryType(type: string): type is EntryType {
  return Object.hasOwn(shapes, type);
}
