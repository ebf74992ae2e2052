// An exported session as JSON, or the stored messages of another program → a new session. What comes from outside is checked like anything else: bytes must have
// the hash they are named by, media pass the intake again, and what this version does not know is left out and counted.
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wholeLines } from '../../content/lines.ts';
import { errorCode } from '../../config/system.ts';
import { assetId } from '../../asset/hash.ts';
import type { Block } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { decodeBase64 } from '../../content/base64.ts';
import { byteText } from '../../content/figures.ts';
import type { Intake, Place } from '../../content/intake.ts';
import { placeholder } from '../../content/words.ts';
import { isRecord, parsed } from '../../content/json.ts';
import { refuse, SightlineError } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { resolveTranscript } from '../../message/check-transcript.ts';
import type { Message } from '../../message/message.ts';
import { intakeOf } from '../../model/intake.ts';
import { parseTranscript } from '../../wire/parse-transcript.ts';
import { jsonFormat } from './export.ts';
import { readEntry } from '../log/migrations.ts';
import { closeOpenCalls } from '../open-calls.ts';
import type { Session } from '../session.ts';
import type { SessionStore } from '../store.ts';

/** The new session, and the one way into it. */
type Into = { session: Session; intake: Intake; count: Tallied; damaged: Set<unknown> };

type Tallied = Omit<Imported, 'id' | 'instead'>;

function wayInto(session: Session, place: Place = {}): Into {
  const count = { messages: 0, media: 0, skipped: 0, refused: 0, damaged: 0 };
  return { session, intake: intakeOf({ assets: session.assets, ...place }), count, damaged: new Set() };
}

/** What came in, and what did not. */
export type Imported = {
  /** That of the exported session, unless it is taken here. */
  id: string;
  /** The id it had, where it has another one now. */
  instead?: string;
  messages: number;
  media: number;
  /** What is no message and no medium, or not known here. */
  skipped: number;
  /** Media of messages that did not come, or could not be read where a stored result says they are; words stand for them. */
  refused: number;
  /** Media that came with bytes which are not those that they are named by. */
  damaged: number;
};

/**
 * Reads an exported session line by line; one that was only partly read is not kept. Any other file is read as messages
 * that a program has stored: a list of them, `{ messages }`, or one on each line. The files that results among them name
 * are opened if they lie in `roots`, which is the working directory unless given.
 *
 * @example
 * const imported = await importSession(store, 'talk.json');
 * if (!imported.ok) console.log(imported.refusal.what);
 */
export async function importSession(
  store: SessionStore,
  file: string,
  place: Pick<Place, 'roots'> = {},
): Promise<Read<Imported>> {
  const handle = await opened(file);
  if (!handle.ok) return handle;
  const isFile = (await handle.value.stat()).isFile(); // else a pipe, whose folder holds no files
  const base = isFile ? dirname(file) : process.cwd();
  return await importFrom(store, { name: file, chunks: handle.value.createReadStream() }, { base, ...place });
}

type Incoming = { name: string; chunks: AsyncIterable<Uint8Array> };

/** What comes from anywhere, read once; the paths in it begin at `base`. */
export async function importFrom(
  store: SessionStore,
  { name: file, chunks }: Incoming,
  place: Pick<Place, 'roots' | 'base'> = {},
): Promise<Read<Imported>> {
  const room = { left: mostBytes };
  const lines = wholeLines(within(room, chunks));
  try {
    const { value: first = '' } = await lines.next();
    const head = parsed(`${first.replace(/,$/, '')}}`);
    if (!isRecord(head) || head['format'] !== jsonFormat) {
      const all = [first];
      for await (const line of lines) all.push(line);
      if (room.left < 0) return refuse('too-large', `${file} is too large`, 'Import it in parts.', byteText(mostBytes));
      return await importMessages(store, { file, all: all.join('\n') }, place);
    }
    room.left = Infinity;
    if (head['version'] !== 1) return wrong(`${file} has version ${JSON.stringify(head['version'])}`, '1');
    const about = isRecord(head['session']) ? head['session'] : {};
    const session = await sessionLike(store, about);
    let done: Tallied | undefined;
    try {
      done = await readLines(wayInto(session), lines);
      if (done) await closeOpenCalls(session);
    } finally {
      await session.close();
      if (done === undefined) await store.remove(session.id);
    }
    const { id } = session;
    const instead = typeof about['id'] === 'string' && about['id'] !== id ? { instead: about['id'] } : {};
    if (done === undefined) return wrong(`${file} is cut short or was changed`);
    return { ok: true, value: { id, ...instead, ...done } };
  } finally {
    await lines.return(undefined);
  }
}

/** What a date can tell. */
function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(Number(value)).getTime());
}

/** With its id and the time of its beginning, where they can be kept: a session of this id may be here already. */
async function sessionLike(store: SessionStore, { id, created }: Record<string, unknown>): Promise<Session> {
  const since = isTime(created) ? { created } : {};
  try {
    return await store.create({ ...since, ...(typeof id === 'string' && { id }) });
  } catch (error) {
    if (!(error instanceof SightlineError) || error.code !== 'input') throw error;
    return await store.create(since);
  }
}

/** Messages as another program stored them; a session comes line by line, and may be larger. */
const mostBytes = 256 * 1024 * 1024;

/** Ends where the room ends. */
async function* within(room: { left: number }, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    room.left -= chunk.length;
    if (room.left < 0) return;
    yield chunk;
  }
}

async function importMessages(
  store: SessionStore,
  { file, all }: { file: string; all: string },
  place: Pick<Place, 'roots' | 'base'>,
): Promise<Read<Imported>> {
  const stored = messagesIn(all);
  if (!stored) return wrong(`${file} is neither an exported session nor a list of messages`);
  const words = stored.filter(isSystem).map(({ content }) => content);
  const read = parseTranscript({ messages: stored.filter((message) => !isSystem(message)) });
  if (!read.ok) return read;
  await using session = await store.create();
  const { intake } = wayInto(session, { ...place, roots: place.roots ?? [process.cwd()] });
  const { transcript, troubles } = await resolveTranscript(read.value, intake);
  const system = words.filter((text) => typeof text === 'string').join('\n\n');
  if (system !== '') await session.append({ type: 'setup', system, tools: [] });
  const { messages } = transcript;
  await session.appendAll(messages.map((message) => ({ type: 'message', message })));
  await closeOpenCalls(session);
  const media = messages.flatMap(({ content }) => content.filter(isMedia)).length;
  return {
    ok: true,
    value: { id: session.id, messages: messages.length, media, skipped: 0, refused: troubles.length, damaged: 0 },
  };
}

function isSystem(message: unknown): message is { content?: unknown } {
  return isRecord(message) && message['role'] === 'system';
}

/** A list, `{ messages }`, or one message on each line. */
function messagesIn(text: string): unknown[] | undefined {
  const whole = parsed(text);
  const listed = isRecord(whole) ? whole['messages'] : whole;
  if (Array.isArray(listed)) return listed;
  const rows = text.split('\n').filter((line) => line.trim() !== '');
  const lines = rows.map(parsed);
  return lines.length > 0 && lines.every((line) => isRecord(line) && 'role' in line) ? lines : undefined;
}

async function opened(file: string): Promise<Read<FileHandle>> {
  const unreadable = refuse('not-allowed', `${file} cannot be read`, 'Check that it is a file you may read.');
  try {
    const handle = await open(file, 'r');
    if (!(await handle.stat()).isDirectory()) return { ok: true, value: handle };
    await handle.close();
    return unreadable;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return refuse('not-found', `${file} does not exist`, 'Check the path.');
    return unreadable;
  }
}

function wrong(what: string, limit?: string): Read<never> {
  return refuse('corrupt', what, 'Export it again with "sightline sessions export <id> session.json".', limit);
}

/** Undefined when the file does not end as it should. */
async function readLines(into: Into, lines: AsyncIterable<string>): Promise<Tallied | undefined> {
  const { count } = into;
  let part: 'assets' | 'entries' | undefined;
  for await (const line of lines) {
    if (line === '"assets":[') part = 'assets';
    else if (line === '"entries":[') part = 'entries';
    else if (line === ']}') return count;
    else if (line !== '' && line !== '],') {
      const value = parsed(line.replace(/,$/, ''));
      if (!isRecord(value)) return undefined;
      const kept = part === 'assets' ? await takeAsset(into, value) : await takeEntry(into, value);
      count[kept]++;
    }
  }
  return undefined;
}

type TakenAsset = 'media' | 'damaged' | 'skipped';

async function takeAsset({ session, damaged }: Into, value: Record<string, unknown>): Promise<TakenAsset> {
  const { id, mediaType, data } = value;
  if (typeof data !== 'string' || typeof mediaType !== 'string') return 'skipped';
  const bytes = decodeBase64(data);
  if (!bytes || assetId(bytes) !== id) {
    damaged.add(id);
    return 'damaged';
  }
  await session.assets.put(bytes, { mediaType });
  return 'media';
}

async function takeEntry(into: Into, value: Record<string, unknown>): Promise<'messages' | 'skipped'> {
  const { session } = into;
  const { id: _id, parent: _parent, time, version, type, ...body } = value;
  const row = {
    id: 0,
    parent: null,
    time: 0,
    version: Number(version),
    type: String(type),
    body: JSON.stringify(body),
  };
  const entry = readEntry(row);
  const at = isTime(time) ? time : undefined;
  // A ledger belongs to the requests of another home; the next request here is planned anew.
  if (entry.type === 'unknown' || entry.type === 'ledger') return 'skipped';
  if (entry.type !== 'message') {
    await session.append(entry, at);
    return 'skipped';
  }
  await session.append({ type: 'message', message: await checked(into, entry.message) }, at);
  return 'messages';
}

/** Every medium through the intake again; one that does not pass becomes words. */
async function checked({ intake, damaged, count }: Into, message: Message): Promise<Message> {
  const content: Block[] = [];
  for (const block of message.content) {
    if (!isMedia(block)) {
      content.push(block);
      continue;
    }
    const bytes = await intake.stored(block.asset.id);
    const { name } = block.asset;
    const read = bytes && (await intake.check(bytes, name === undefined ? {} : { name }));
    const same = read?.ok && read.value.type === block.type && read.value.asset.id === block.asset.id;
    if (same) content.push(block);
    else if (read?.ok) content.push(read.value);
    else {
      const came = damaged.has(block.asset.id);
      const why = came ? 'its bytes are not those that it was named by' : 'its bytes did not come with the session';
      content.push({ type: 'text', text: placeholder(block, { why }) });
      count.refused++;
    }
  }
  return { ...message, content };
}
