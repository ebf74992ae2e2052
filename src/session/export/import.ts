// An exported session as JSON, or the stored messages of another program → a new session. What comes from outside is checked like anything else: bytes must have
// the hash they are named by, media pass the intake again, and what this version does not know is left out and counted.
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { assetId } from '../../asset/hash.ts';
import type { Block } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { decodeBase64 } from '../../content/base64.ts';
import { byteText } from '../../content/figures.ts';
import type { Intake, Place } from '../../content/intake.ts';
import { placeholder } from '../../content/words.ts';
import { isRecord, parsed } from '../../content/json.ts';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { openIntake } from '../../media/index.ts';
import { resolveTranscript } from '../../message/check-transcript.ts';
import type { Message } from '../../message/message.ts';
import { parseTranscript } from '../../message/parse-transcript.ts';
import { jsonFormat } from './export.ts';
import { readEntry } from '../log/migrations.ts';
import type { Session } from '../session.ts';
import type { SessionStore } from '../store.ts';

/** The new session, and the one way into it. */
type Into = { session: Session; intake: Intake };

function wayInto(session: Session, place: Place = {}): Into {
  return { session, intake: openIntake({ assets: session.assets, ...place }) };
}

/** `refused` are media that could not be read where a stored result says they are; words stand for them. */
export type Imported = { id: string; messages: number; media: number; skipped: number; refused: number };

/**
 * Reads an exported session line by line; one that was only partly read is not kept. Any other file is read as messages
 * that a program has stored: a list of them, `{ messages }`, or one on each line. The files that results among them name
 * are opened if they lie in `roots`, which is the working directory unless given.
 */
export async function importSession(
  store: SessionStore,
  file: string,
  place: Pick<Place, 'roots'> = {},
): Promise<Read<Imported>> {
  const handle = await opened(file);
  if (!handle.ok) return handle;
  const input = handle.value.createReadStream();
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const iterator = lines[Symbol.asyncIterator]();
  try {
    const head = parsed(`${((await iterator.next()).value ?? '').replace(/,$/, '')}}`);
    if (!isRecord(head) || head['format'] !== jsonFormat) return await importMessages(store, file, place);
    if (head['version'] !== 1) return wrong(`${file} has version ${JSON.stringify(head['version'])}`, '1');
    const session = await store.create();
    const done = await readLines(wayInto(session), { [Symbol.asyncIterator]: () => iterator });
    await session.close();
    if (done !== undefined) return { ok: true, value: { id: session.id, ...done } };
    await store.remove(session.id);
    return wrong(`${file} is cut short or was changed`);
  } finally {
    lines.close();
    input.destroy();
  }
}

const mostBytes = 256 * 1024 * 1024;

/** Messages as another program stored them → a new session. */
async function importMessages(store: SessionStore, file: string, place: Pick<Place, 'roots'>): Promise<Read<Imported>> {
  const { size } = await stat(file);
  if (size > mostBytes) return refuse('too-large', `${file} is too large`, 'Import it in parts.', byteText(mostBytes));
  const stored = messagesIn(await readFile(file, 'utf8'));
  if (!stored) return wrong(`${file} is neither an exported session nor a list of messages`);
  const words = stored.filter(isSystem).map(({ content }) => content);
  const read = parseTranscript({ messages: stored.filter((message) => !isSystem(message)) });
  if (!read.ok) return read;
  const session = await store.create();
  const { intake } = wayInto(session, { roots: place.roots ?? [process.cwd()], base: dirname(file) });
  const { transcript, troubles } = await resolveTranscript(read.value, intake);
  const system = words.filter((text) => typeof text === 'string').join('\n\n');
  if (system !== '') await session.append({ type: 'setup', system, tools: [] });
  const { messages } = transcript;
  await session.appendAll(messages.map((message) => ({ type: 'message', message })));
  await session.close();
  const media = messages.flatMap(({ content }) => content.filter(isMedia)).length;
  return {
    ok: true,
    value: { id: session.id, messages: messages.length, media, skipped: 0, refused: troubles.length },
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
  try {
    return { ok: true, value: await open(file, 'r') };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing) return refuse('not-found', `${file} does not exist`, 'Check the path.');
    return refuse('not-allowed', `${file} cannot be read`, 'Check that it is a file you may read.');
  }
}

function wrong(what: string, limit?: string): Read<never> {
  return refuse('corrupt', what, 'Export it again with "sightline sessions export <id> session.json".', limit);
}

/** Undefined when the file does not end as it should. */
async function readLines(into: Into, lines: AsyncIterable<string>): Promise<Omit<Imported, 'id'> | undefined> {
  const count = { messages: 0, media: 0, skipped: 0, refused: 0 };
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

async function takeAsset({ session }: Into, value: Record<string, unknown>): Promise<'media' | 'skipped'> {
  const { id, mediaType, data } = value;
  const bytes = typeof data === 'string' ? decodeBase64(data) : undefined;
  if (!bytes || typeof mediaType !== 'string' || assetId(bytes) !== id) return 'skipped';
  await session.assets.put(bytes, { mediaType });
  return 'media';
}

async function takeEntry({ session, intake }: Into, value: Record<string, unknown>): Promise<'messages' | 'skipped'> {
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
  const at = typeof time === 'number' ? time : undefined;
  // A ledger belongs to the requests of another home; the next request here is planned anew.
  if (entry.type === 'unknown' || entry.type === 'ledger') return 'skipped';
  if (entry.type !== 'message') {
    await session.append(entry, at);
    return 'skipped';
  }
  await session.append({ type: 'message', message: await checked(intake, entry.message) }, at);
  return 'messages';
}

/** Every medium through the intake again; one that does not pass becomes words. */
async function checked(intake: Intake, message: Message): Promise<Message> {
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
    else content.push({ type: 'text', text: placeholder(block, { why: 'its bytes did not come with the session' }) });
  }
  return { ...message, content };
}
