// The text of a request → the text that goes out, turn by turn. What a turn becomes depends on it, the model and
// what the model refused before, on nothing else: so the beginning of a conversation stays the same from request to
// request. A whole that is too much loses its oldest media in one batch, and the conversation keeps it so.
import { isRecord } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { Spent } from '../tool/tool.ts';
import { add } from '../window/budget.ts';
import type { Weight } from '../window/budget.ts';
import { oldestOver } from '../window/evict.ts';
import type { Profile, WireName } from '../window/profile.ts';
import type { UrlPolicy } from '../window/plan-types.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Unseen } from '../window/unseen.ts';
import type { Fields } from '../wire/fields.ts';
import type { KnownTurn, FetchMemory, BodyPiece } from './memory.ts';
import { longStrings } from './body-outline.ts';
import type { MarkedText } from './marked.ts';
import type { Outline } from './body-outline.ts';
import { rebuild } from './rebuild.ts';
import type { Turn } from './turns.ts';
import type { Workshop } from './workshop.ts';

export type BodySource = {
  text: string;
  outline: Outline;
  turns: readonly Turn[];
  list: string;
  profile: Profile;
  ceiling: Weight;
  signal: AbortSignal | undefined;
  /** What marks in the text stand for. */
  marks: MarkedText;
  urls: UrlPolicy;
  /** The ways on which this model saw nothing. */
  unseen: Unseen;
  /** Told what descriptions of pictures took. */
  spent: (spent: Spent) => void;
};

/** A turn on its way out. */
export type SentTurn = {
  turn: Turn;
  /** Names it by the whole conversation up to its end. */
  place: string;
  /** Names it by itself. */
  name: string;
  /** Where it stood in the text, and what becomes of it. */
  start: number;
  end: number;
  known: KnownTurn;
};

/** `source` is the text that came, `text` the one that goes out. */
export type Made = {
  wire: WireName;
  source: string;
  text: string;
  parts: SentTurn[];
  receipts: Receipt[];
  marks: MarkedText;
};

export async function makeBody(source: BodySource, memory: FetchMemory, workshop: Workshop): Promise<Made> {
  const parts = await sentTurns(source, memory, workshop);
  const shown = parts.filter(({ known }) => known.media.length > 0);
  const over = oldestOver(
    shown.map((part) => weigh(part, source)),
    frameOf(parts, source),
    source.ceiling,
  );
  for (const part of shown.slice(0, over)) {
    memory.leftOut.set(part.place, true);
    Object.assign(part, await sentTurn(source, part.turn, part.place, memory, workshop));
  }
  const receipts = parts.flatMap(({ known }) => known.receipts);
  const { text, marks, profile } = source;
  return { wire: profile.wire, source: text, text: joined(text, parts, marks), parts, receipts, marks };
}

/** So many turns are looked at in the same time: while one picture is checked, the next is read. */
const abreast = 4;

async function sentTurns(source: BodySource, memory: FetchMemory, workshop: Workshop): Promise<SentTurn[]> {
  const places = placesOf(source);
  const parts: SentTurn[] = [];
  const left = source.turns.entries();
  const look = async (): Promise<void> => {
    for (const [index, turn] of left)
      parts[index] = await sentTurn(source, turn, places[index] ?? '', memory, workshop);
  };
  await Promise.all(Array.from({ length: abreast }, look));
  return parts;
}

/** What a request weighs without the turns that show media. */
function frameOf(parts: readonly SentTurn[], source: BodySource): Weight {
  const { text, marks } = source;
  const bytes = parts.reduce(
    (left, { start, end }) => left - marks.lengthOf(text.slice(start, end)),
    marks.lengthOf(text),
  );
  const outside = { images: 0, bytes, tokens: Math.ceil(bytes / 4) };
  return parts
    .filter(({ known }) => known.media.length === 0)
    .map((part) => weigh(part, source))
    .reduce(add, outside);
}

function weigh({ start, end, known: { pieces, images, tokens } }: SentTurn, { text, marks }: BodySource): Weight {
  const bytes = pieces?.reduce((sum, piece) => sum + marks.lengthOf(pieceText(piece, text, start, marks)), 0);
  return { images, bytes: bytes ?? marks.lengthOf(text.slice(start, end)), tokens };
}

/** The conversation up to each turn, as a digest. */
function placesOf({ outline, turns, profile }: BodySource): string[] {
  let chain = profile.model;
  let at = 0;
  return turns.map(({ to }) => {
    for (; at < to; at++) chain = digest(chain + digest(outline.items[at]?.outline ?? ''));
    return chain;
  });
}

async function sentTurn(
  source: BodySource,
  turn: Turn,
  place: string,
  memory: FetchMemory,
  workshop: Workshop,
): Promise<SentTurn> {
  const { profile, ceiling, text, list, signal, marks, spent, urls, unseen } = source;
  const { calls } = turn;
  const items = source.outline.items.slice(turn.from, turn.to);
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0];
  const raw = text.slice(start, end);
  const shape = items.map(({ lead, outline }, at) => (at > 0 ? lead : '') + outline).join('');
  const name = `${shape.length} ${digest(shape)} ${digest(JSON.stringify([profile.model, profile.stated, calls]))}`;
  const leftOut = memory.leftOut.get(place) ?? false;
  const floors = memory.floors.get(name) ?? new Map();
  const key = `${name} ${ceiling.images} ${leftOut} ${[...floors].join(' ')} ${JSON.stringify(unseen)}`;
  const known = memory.known.get(key);
  if (known && (known.hash === undefined || known.hash === (await hashOf(raw))))
    return { turn, place, name, start, end, known };
  const given = {
    items: items.map((item) => fieldsAt(text, item, marks)),
    calls,
    profile,
    list,
    leftOut,
    floors,
    urls,
    unseen,
    spent,
  };
  const { items: made, ...rest } = await rebuild({ ...given, maxImages: ceiling.images }, workshop, signal);
  const fresh: KnownTurn = {
    ...rest,
    ...(made && { pieces: piecesOf(made, raw, marks) }),
    count: made?.length ?? items.length,
    ...(rest.derived && { hash: await hashOf(raw) }),
  };
  memory.known.set(key, fresh);
  return { turn, place, name, start, end, known: fresh };
}

function fieldsAt(text: string, { start, end }: { start: number; end: number }, { whole }: MarkedText): Fields {
  const value: unknown = JSON.parse(whole(text.slice(start, end)));
  return isRecord(value) ? value : {};
}

/** Two turns of one shape are the same turn, unless something was made of its bytes: then it must be certain. */
async function hashOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(text: string, parts: readonly SentTurn[], marks: MarkedText): string {
  const out: string[] = [];
  let at = 0;
  for (const { start, end, known } of parts) {
    if (!known.pieces) continue;
    out.push(text.slice(at, start), ...sentPieces({ start, end, known }, text, marks));
    at = end;
  }
  return at === 0 ? text : [...out, text.slice(at)].join('');
}

/** A turn as it goes out. */
export function sentPieces(
  { start, end, known }: Pick<SentTurn, 'start' | 'end' | 'known'>,
  text: string,
  marks: MarkedText,
): string[] {
  if (!known.pieces) return [text.slice(start, end)];
  return known.pieces.map((piece) => pieceText(piece, text, start, marks));
}

function pieceText(piece: BodyPiece, text: string, start: number, { put }: MarkedText): string {
  if (typeof piece === 'string') return piece;
  return 'hash' in piece ? put(piece) : text.slice(start + piece.from, start + piece.to);
}

const uriMark = ';base64,';

/**
 * New items as text, in which media that stand in the old ones are only pointed at: a picture is neither kept nor written
 * anew when it comes again with the next request.
 */
function piecesOf(items: readonly Fields[], raw: string, { marked, kept }: MarkedText): BodyPiece[] {
  const text = marked(items.map((item) => JSON.stringify(item)).join(','));
  const pieces: BodyPiece[] = [];
  let at = 0;
  for (const [start, end] of longStrings(text)) {
    const mark = text.slice(start, start + 200).indexOf(uriMark);
    const body = mark < 0 ? start : start + mark + uriMark.length;
    const letters = text.slice(body, end);
    const found = placeIn(raw, letters);
    const piece = found < 0 ? kept(letters) : { from: found, to: found + end - body };
    if (!piece) continue;
    pieces.push(copied(text.slice(at, body)), piece);
    at = end;
  }
  return [...pieces, copied(text.slice(at))];
}

/** Searched for by its beginning first: a text of a million letters is found as quickly as one of a hundred. */
function placeIn(raw: string, part: string): number {
  const head = part.slice(0, 256);
  for (let at = raw.indexOf(head); at >= 0; at = raw.indexOf(head, at + 1))
    if (raw.slice(at, at + part.length) === part) return at;
  return -1;
}

/** A text of its own: a slice would keep the whole that it was cut from in memory. */
function copied(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
