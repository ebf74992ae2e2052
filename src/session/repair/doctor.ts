// Looks after the health of a home: the database, each session's calls and results, its media, and entries of other
// versions. Finds without changing; repairs on a copy, and keeps what was damaged.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AssetKeeper, AssetStore } from '../../asset/store.ts';
import { isMedia } from '../../content/block.ts';
import { placeholder } from '../../content/words.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { Message } from '../../message/message.ts';
import { pair } from '../../message/pair.ts';
import type { Loss } from '../assets.ts';
import { openForReading } from '../log/database.ts';
import { isAltered } from '../log/migrations.ts';
import { assetsOf, messagesIn } from '../entry.ts';
import type { Entry, EntryId } from '../entry.ts';
import type { Salvaged } from './salvage.ts';
import { salvage } from './salvage.ts';
import type { SessionReader } from '../reader.ts';
import type { SessionStore } from '../store.ts';

/** Something that `doctor` found in stored sessions. */
export type Problem = {
  /** `database` keeps others from reading it; `altered` are words that can be read and are not those that were stored. */
  kind: 'database' | 'altered' | 'pairing' | 'asset' | 'version';
  session?: string;
  /** What is wrong, for a person. */
  what: string;
};

/**
 * What is wrong with the database as a file. Never throws for that.
 *
 * @example
 * for (const { what } of examineDatabase('.sightline')) console.log(what);
 */
export function examineDatabase(home: string): Problem[] {
  const file = join(home, 'sessions.db');
  if (!existsSync(file)) return [];
  try {
    const database = openForReading(file);
    try {
      const rows = database.prepare('PRAGMA integrity_check(20)').all();
      const wrong = rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok');
      const broken = wrong.map((line): Problem => ({ kind: 'database', what: `${file}: ${line}` }));
      return [...broken, ...alteredIn(database)];
    } finally {
      database.close();
    }
  } catch (error) {
    const what = error instanceof SightlineError ? error.message : `${file} cannot be read: ${String(error)}`;
    return [{ kind: 'database', what }];
  }
}

/** What is told of an entry that is not as it was stored. */
export function alteredWords(entry: EntryId): string {
  return `entry ${entry}: its words are not those that were stored`;
}

/** Entries whose words are not those that were stored; those of the first version bear no checksum. */
function alteredIn(database: DatabaseSync): Problem[] {
  const columns = database.prepare("SELECT name FROM pragma_table_info('entry')").all();
  if (!columns.some(({ name }) => name === 'checksum')) return [];
  const altered: Problem[] = [];
  for (const { id, body, checksum } of database.prepare('SELECT id, body, checksum FROM entry').iterate())
    if (isAltered({ body: String(body), checksum: checksum === null ? null : Number(checksum) }))
      altered.push({ kind: 'altered', what: alteredWords(Number(id)) });
  return altered;
}

/**
 * Saves what can be read of a damaged database.
 *
 * @example
 * const salvaged = repairDatabase('.sightline');
 */
export function repairDatabase(home: string, now: number = Date.now()): Salvaged {
  return salvage(join(home, 'sessions.db'), now);
}

/**
 * What is wrong in one session. Every medium is read and compared with its hash.
 *
 * @example
 * const problems = await examineSession(await store.read(id), store.assets);
 */
export async function examineSession(session: SessionReader, assets: AssetStore): Promise<Problem[]> {
  const entries = await session.entries();
  const problem = (kind: Problem['kind'], what: string): Problem => ({ kind, session: session.id, what });
  const unknown = entries.filter((entry) => entry.type === 'unknown');
  const { repairs } = pair(messagesIn(entries));
  const losses = await lossesIn(entries, assets);
  return [
    ...unknown.map((entry) => problem('version', `entry ${entry.id} (${entry.was}) is not understood by this version`)),
    ...repairs.map((repair) => problem('pairing', `${repair.what} (call ${repair.callId})`)),
    ...losses.map(({ id, name, state }) => problem('asset', `${name ?? 'a medium'} (${id.slice(7, 15)}) is ${state}`)),
  ];
}

async function lossesIn(entries: readonly Entry[], assets: AssetStore | AssetKeeper): Promise<Loss[]> {
  const named = new Map(messagesIn(entries).flatMap((message) => assetsOf(message).map((asset) => [asset.id, asset])));
  const missing = await assets.missing([...named.keys()]);
  const losses: Loss[] = [];
  for (const { id, name } of named.values()) {
    const state = 'verify' in assets ? await assets.verify(id) : missing.has(id) ? 'missing' : 'whole';
    if (state !== 'whole') losses.push({ id, ...(name !== undefined && { name }), state });
  }
  return losses;
}

/**
 * A copy of a session in which every call is answered in order and words stand for what is lost.
 *
 * @example
 * const copy = await repairSession(store, id);
 */
export async function repairSession(store: SessionStore, id: string): Promise<string> {
  const reader = await store.read(id);
  const entries = await reader.entries();
  const lost = new Set((await lossesIn(entries, store.assets)).map((loss) => loss.id));
  const { title } = await reader.info();
  const copy = await store.create({ title: `${title ?? id} (repaired)` });
  const [setup] = entries.filter((entry) => entry.type === 'setup').slice(-1);
  if (setup?.type === 'setup') await copy.append(setup, setup.time);
  for (const item of pair(messagesIn(entries)).items) {
    const messages: Message[] = item.role === 'batch' ? item.results : [item];
    for (const message of messages) {
      const content = message.content.map((block) =>
        isMedia(block) && lost.has(block.asset.id)
          ? { type: 'text' as const, text: placeholder(block, { why: 'it is lost' }) }
          : block,
      );
      for (const { id: asset, mediaType } of assetsOf({ ...message, content })) {
        const bytes = await reader.assets.get(asset);
        if (bytes) await copy.assets.put(bytes, { mediaType }); // stored once; the copy now refers to it, too
      }
      await copy.append({ type: 'message', message: { ...message, content } });
    }
  }
  await copy.close();
  return copy.id;
}
