// Requests as they leave → rows of a table, each a delta to the last answered request of its lane. It holds the bodies of
// the newest lanes; the others are read again when they go on.
import { isRecord } from '../content/json.ts';
import { digest } from '../content/text.ts';
import { identify } from '../message/identity.ts';
import type { WireName } from '../window/profile.ts';
import { fieldsFor } from '../wire/places.ts';
import { wires } from '../wire/registry.ts';
import { bodyDigest, plainElements } from './body.ts';
import type { KeptBody, KnownElements } from './body.ts';
import type { BegunRecord, Ended, Recorder, RequestRecord, SentBody } from './record.ts';
import { bodyShape, endShape, recordShape } from './shape.ts';
import { labelOf } from './label.ts';
import { replayChain, rowParts } from './table.ts';
import type { RecordMode, RequestRow, RequestTable, RowBreak, StoredRequest } from './table.ts';
import type { Receipt } from '../window/receipt.ts';
import { prefixBreak } from './prefix.ts';

export type KeeperOptions = {
  record: RecordMode;
  /** What must not be written down, wherever it stands. */
  mask?: (text: string) => string;
  /** The process that sends. */
  by?: StoredRequest['by'];
};

type Last = { id: string; body: KeptBody; receipts: readonly string[]; depth: number; tokens?: number | undefined };
type Lane = { last: Last | undefined; under: Map<string, Last>; known: KnownElements; digests: Map<string, string> };

const maxLanes = 64;
/** So many are looked at for the one that a conversation goes on from. */
const fewLanes = 8;
/** A request that stands alone, every so many: so much has to be read at most. */
const maxDepth = 255;

/** The recorder over a table. Whatever it is told stands in line, so that rows follow each other. */
export function keeper(
  table: Pick<RequestTable, 'begin' | 'end' | 'chain' | 'last' | 'list'>,
  options: KeeperOptions,
): Recorder {
  const { record: mode, mask = (text) => text, by } = options;
  const lanes = new Map<string, Lane>();
  const laneOf = new Map<string, string>(); // of requests under way
  let line: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = line.then(work);
    line = turn.catch(() => undefined);
    return turn;
  };

  const openLane = async (conversation: string, lane: string): Promise<Lane> => {
    const key = `${conversation} ${lane}`;
    const known = lanes.get(key) ?? {
      last: await lastOf(table, conversation, lane),
      under: new Map(),
      known: new Map(),
      digests: new Map(),
    };
    lanes.delete(key);
    lanes.set(key, known); // the newest is the last
    for (const [oldest] of lanes) {
      if (lanes.size <= maxLanes) break;
      lanes.delete(oldest);
    }
    return known;
  };

  /** The last answered request that this one goes on from under a system prompt that begins in another way. */
  const underOther = async (conversation: string, record: RequestRecord, body: KeptBody): Promise<Last | undefined> => {
    const isBeside = ({ lane, purpose, ended }: RequestRow): boolean =>
      lane.slice(0, lane.lastIndexOf(' ')) === laneName(record) && purpose === 'answer' && ended?.state === 'answered';
    const rows = (await table.list(conversation)).filter(isBeside).toReversed();
    for (const lane of [...new Set(rows.map((row) => row.lane))].slice(0, fewLanes)) {
      const last = lanes.get(`${conversation} ${lane}`)?.last ?? (await lastOf(table, conversation, lane));
      if (last && goesOnFrom(record.wire, last.body, body)) return last;
    }
    return undefined;
  };

  const begin = async (record: RequestRecord, sent: SentBody): Promise<BegunRecord> => {
    const elements: KnownElements = new Map();
    const first = record.conversation === undefined ? await sent(elements) : undefined;
    const conversation = record.conversation ?? conversationOf(record.wire, first);
    const lane = first ? `${laneName(record)} ${systemBeginning(first)}` : laneName(record);
    const open = await openLane(conversation, lane);
    const masked = maskBody(first ?? (await sent(open.known)), (text) => (open.digests.has(text) ? text : mask(text)));
    const body = mode === 'shape' ? bodyShape(masked.body) : masked.body;
    const { receipts, conversation: _, ...rest } = mode === 'shape' ? recordShape(record) : record;
    const texts = receipts.map((receipt) => mask(JSON.stringify(receipt)));
    if (first && record.purpose === 'answer') open.last ??= await underOther(conversation, record, body);
    const before = open.last && open.last.depth < maxDepth ? open.last : undefined;
    const broke = open.last && record.purpose === 'answer' ? breakOf(open.last, body, receipts) : undefined;
    const parts = rowParts(before, { body, receipts: texts });
    const row: StoredRequest = {
      ...rest,
      ...(mode === 'all' && labelOf(parts.body, parts.receipts)),
      url: mask(record.url),
      repairs: rest.repairs.map(mask),
      conversation,
      lane,
      ...(open.last && { before: open.last.id }),
      record: mode,
      ...(by && { by }),
      digest: bodyDigest(body, open.digests),
      ...(masked.count > 0 && { masked: masked.count }),
      ...(broke && { broke }),
      depth: before ? before.depth + 1 : 0,
      ...parts,
    };
    if (record.purpose === 'answer') {
      open.under.set(record.id, {
        id: record.id,
        body,
        receipts: texts,
        depth: row.depth,
        tokens: record.totals?.used.tokens,
      });
      laneOf.set(record.id, `${conversation} ${lane}`);
    }
    forgetElements(open, body);
    await table.begin(row);
    return broke ? { broke: `${broke.part} ${broke.kind}: ${broke.path.join('.')}` } : {};
  };

  const end = async (id: string, given: Ended): Promise<void> => {
    const key = laneOf.get(id);
    const lane = key === undefined ? undefined : lanes.get(key);
    laneOf.delete(id);
    const last = lane?.under.get(id);
    lane?.under.delete(id);
    if (lane && last && given.state === 'answered') lane.last = last; // what was refused is in no cache
    const ended = mode === 'shape' ? endShape(given) : given;
    await table.end(id, JSON.parse(mask(JSON.stringify(ended))) as Ended);
  };

  return {
    begin: (record, body) => inTurn(() => begin(record, body)),
    end: (id, ended) => inTurn(() => end(id, ended)),
  };
}

async function lastOf(
  table: Pick<RequestTable, 'chain' | 'last'>,
  conversation: string,
  lane: string,
): Promise<Last | undefined> {
  const id = await table.last(conversation, lane);
  if (id === undefined) return undefined;
  const chain = await table.chain(id);
  const [whole, row] = [replayChain(chain), chain.at(-1)];
  if (typeof whole === 'string' || !row) return undefined;
  const receipts = whole.receipts.map((receipt) => JSON.stringify(receipt));
  return { id, body: whole.body, receipts, depth: row.depth, tokens: row.totals?.used.tokens };
}

function breakOf({ body: before, tokens }: Last, body: KeptBody, receipts: readonly Receipt[]): RowBreak | undefined {
  const found = prefixBreak(before, body, { tokens, receipts });
  if (!found) return undefined;
  const { part, kind, path, keptTokens, lostTokens, moved } = found;
  return { part, kind, path, keptTokens, lostTokens, own: moved.length > 0 };
}

/** Those who share a prefix with a provider. */
function laneName({ wire, url, model }: RequestRecord): string {
  return `${wire} ${URL.parse(url)?.host ?? ''} ${model}`;
}

/** Whether a body has all that was said in another one, and then the answer to it, whatever their system prompts say. */
function goesOnFrom(wire: WireName, before: KeptBody, now: KeptBody): boolean {
  const { places, turns } = wires[wire];
  const [old, young] = [before, now].map(({ lists }) =>
    plainElements(lists[places.items] ?? []).filter(
      (item) => !isRecord(item) || (item['role'] !== 'system' && item['role'] !== 'developer'),
    ),
  );
  const next = young?.[old?.length ?? 0];
  if (!old || !young || old.length === 0 || !isRecord(next) || turns.role(next) === 'user') return false;
  return old.every((item, at) => JSON.stringify(item) === JSON.stringify(young[at]));
}

/** A conversation that nobody named is known by what its user said first, in whichever dialect. */
function conversationOf(wire: WireName, body: KeptBody | undefined): string {
  const { accept, places, turns } = wires[wire];
  const texts = body?.lists[places.items];
  const items = plainElements(texts ?? []);
  const first = items.findIndex((item) => isRecord(item) && turns.role(item) === 'user');
  const begin = texts ? items.slice(0, first + 1) : (body?.head[places.items] ?? null);
  const read = accept({ [places.items]: begin });
  const [chain] = read.ok ? identify(read.value.transcript.messages, '').slice(-1) : [];
  return `c${chain ?? digest(JSON.stringify(begin))}`;
}

const fewLetters = 80;

/** Programs ask beside a conversation under other instructions (for a title, a topic): those share no prefix with it. */
function systemBeginning({ lists, head }: KeptBody): string {
  const field = fieldsFor('system').find((name) => name in lists || name in head) ?? '';
  const items = fieldsFor('items').flatMap((name) => lists[name] ?? []);
  const spoken = items.filter((text) => /"role":"(?:system|developer)"/.test(text)).slice(0, 1);
  const text = JSON.stringify(lists[field] ?? head[field] ?? spoken);
  return digest(text.slice(0, fewLetters));
}

function maskBody(body: KeptBody, mask: (text: string) => string): { body: KeptBody; count: number } {
  let count = 0;
  const clean = (text: string): string => {
    const masked = mask(text);
    if (masked !== text) count++;
    return masked;
  };
  const lists = Object.fromEntries(Object.entries(body.lists).map(([field, texts]) => [field, texts.map(clean)]));
  const frame = body.frame?.map(clean); // what stands in the head stands here, too, and is counted once
  const head = JSON.parse((frame ? mask : clean)(JSON.stringify(body.head))) as KeptBody['head'];
  return count === 0 ? { body, count } : { body: { ...body, head, lists, ...(frame && { frame }) }, count };
}

/** Only the elements of the newest body are known: a lane holds no more than one. */
function forgetElements({ known, digests }: Lane, { lists }: KeptBody): void {
  const texts = new Set(Object.values(lists).flat());
  for (const [element, text] of known) if (!texts.has(text)) known.delete(element);
  for (const text of digests.keys()) if (!texts.has(text)) digests.delete(text);
}
