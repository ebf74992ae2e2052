// The text of a request → the text that goes out, turn by turn. What a turn becomes depends on it, the model and
// what the model refused before, on nothing else: so the beginning of a conversation stays the same from request to
// request. A whole that is too much loses its oldest media in one batch, and the conversation keeps it so.
import { abreast } from '../content/few-at-once.ts';
import { isRecord } from '../content/json.ts';
import { sha256 } from '../content/sha256.ts';
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
import { longString } from './body-outline.ts';
import type { MarkedText } from './marked.ts';
import type { Outline } from './body-outline.ts';
import { rebuild } from './rebuild.ts';
import { standInsFor } from './stand-ins.ts';
import type { SpeltPicture, StandIns } from './stand-ins.ts';
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

/** `source` is the text that came, `pieces` what goes out, one after the other. */
export type Made = {
  wire: WireName;
  source: string;
  pieces: string[];
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
  return { wire: profile.wire, source: text, pieces: allPieces(text, parts, marks), parts, receipts, marks };
}

function sentTurns(source: BodySource, memory: FetchMemory, workshop: Workshop): Promise<SentTurn[]> {
  const places = placesOf(source);
  return abreast(source.turns, (turn, at) => sentTurn(source, turn, places[at] ?? '', memory, workshop));
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
  if (known && (known.hash === undefined || known.hash === (await hashOf(raw, known))))
    return { turn, place, name, start, end, known };
  const rules = { calls, profile, list, leftOut, floors, urls, unseen, spent, maxImages: ceiling.images };
  const build = (places: Iterable<SpeltPicture>): Promise<BuiltTurn> =>
    built(raw, standInsFor(raw, places), { rules, marks, workshop, signal });
  const quick = await build(marks.pictures(raw));
  const { pieces, ...rest } = quick.isWhole ? quick.turn : (await build([])).turn;
  const fresh: KnownTurn = {
    ...rest,
    ...(pieces && { pieces }),
    ...((pieces ?? rest.derived) && { hash: await hashOf(raw, { ...rest, pieces }) }),
  };
  memory.known.set(key, fresh);
  return { turn, place, name, start, end, known: fresh };
}

type BuildRules = {
  rules: Omit<Parameters<typeof rebuild>[0], 'items'>;
  marks: MarkedText;
  workshop: Workshop;
  signal: AbortSignal | undefined;
};

/** `isWhole`: no stand-in is left where no picture can be put. */
type BuiltTurn = { turn: Omit<KnownTurn, 'hash'>; isWhole: boolean };

async function built(
  raw: string,
  standIns: StandIns,
  { rules, marks, workshop, signal }: BuildRules,
): Promise<BuiltTurn> {
  const items = (JSON.parse(`[${marks.whole(standIns.text)}]`) as unknown[]).map((item) =>
    isRecord(item) ? item : {},
  );
  const { items: made, ...rest } = await rebuild({ ...rules, items }, standIns, workshop, signal);
  const pieces = made && piecesOf(made, raw, marks, standIns);
  const own = [...(pieces ?? []).filter((piece) => typeof piece === 'string'), JSON.stringify(rest.receipts)];
  const turn = { ...rest, ...(pieces && { pieces }), count: made?.length ?? items.length };
  return { turn, isWhole: !own.some(standIns.isIn) };
}

/** Two turns of one shape are the same turn, unless something was made of its letters: then it must be certain. Those that are only
 * pointed at come anew with each request. */
async function hashOf(raw: string, { pieces = [], derived }: MadeOf): Promise<string> {
  const letters = derived ? raw : notPointedAt(raw, pieces);
  return await sha256(new TextEncoder().encode(letters));
}

type MadeOf = { pieces?: readonly BodyPiece[] | undefined; derived: boolean };

function notPointedAt(raw: string, pieces: readonly BodyPiece[]): string {
  const places = pieces.filter((piece) => typeof piece === 'object' && 'from' in piece);
  const out: string[] = [];
  let at = 0;
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    out.push(raw.slice(at, from));
    at = Math.max(at, to);
  }
  return [...out, raw.slice(at)].join('');
}

function allPieces(text: string, parts: readonly SentTurn[], marks: MarkedText): string[] {
  const out: string[] = [];
  let at = 0;
  for (const { start, end, known } of parts) {
    if (!known.pieces) continue;
    out.push(text.slice(at, start), ...sentPieces({ start, end, known }, text, marks));
    at = end;
  }
  return [...out, text.slice(at)];
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
function piecesOf(
  items: readonly Fields[],
  raw: string,
  { markOf, kept }: MarkedText,
  standIns: StandIns,
): BodyPiece[] {
  const pieces: BodyPiece[] = [];
  let text = '';
  const take = (given: string): void => {
    let cut = standIns.cut(given);
    if (cut) {
      text += '"';
      for (let rest = given; ; rest = cut.after, cut = standIns.cut(rest)) {
        if (!cut) return void (text += inQuotes(rest).slice(1));
        pieces.push(copied(text + inQuotes(cut.before).slice(1, -1)), cut.place);
        text = '';
      }
    }
    const mark = given.slice(0, 200).indexOf(uriMark);
    const body = mark < 0 ? 0 : mark + uriMark.length;
    const letters = given.slice(body);
    const marked = markOf(letters);
    if (marked !== undefined) return void (text += inQuotes(given.slice(0, body) + marked));
    const spelt = isSpeltAsItIs(letters) ? letters : inQuotes(letters).slice(1, -1);
    const found = placeIn(raw, spelt);
    const made = found < 0 && spelt === letters ? kept(letters) : undefined;
    const piece = found < 0 ? made : { from: found, to: found + spelt.length };
    if (!piece) return void (text += inQuotes(given));
    pieces.push(copied(text + inQuotes(given.slice(0, body)).slice(0, -1)), piece);
    text = '"';
  };
  items.forEach((item, at) => {
    if (at > 0) text += ',';
    writeJson(item, (part) => void (text += part), take);
  });
  return [...pieces, copied(text)];
}

/** JSON as the platform writes it, but for long strings: these are handed over as they are. */
function writeJson(value: unknown, write: (part: string) => void, take: (long: string) => void): void {
  if (typeof value === 'string' && value.length > longString) return take(value);
  if (typeof value !== 'object' || value === null) return write(JSON.stringify(value) ?? 'null');
  const isList = Array.isArray(value);
  const fields = Object.entries(value).filter(([, field]) => isList || field !== undefined);
  write(isList ? '[' : '{');
  for (const [at, [name, field]] of fields.entries()) {
    write(`${at > 0 ? ',' : ''}${isList ? '' : `${inQuotes(name)}:`}`);
    writeJson(field, write, take);
  }
  write(isList ? ']' : '}');
}

function inQuotes(text: string): string {
  return JSON.stringify(text);
}

/** Searched for by its beginning first: a text of a million letters is found as quickly as one of a hundred. */
function placeIn(raw: string, part: string): number {
  const head = part.slice(0, 256);
  for (let at = raw.indexOf(head); at >= 0; at = raw.indexOf(head, at + 1))
    if (raw.slice(at, at + part.length) === part) return at;
  return -1;
}

/** Whether JSON spells these letters in no other way. */
function isSpeltAsItIs(letters: string): boolean {
  return letters.isWellFormed() && !/["\\\n\r\t]/.test(letters);
}

/** A text of its own: a slice would keep the whole that it was cut from in memory. */
function copied(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
