// The text of a request → the text that goes out, stretch by stretch. What a stretch becomes depends on it, the model
// and what the model refused before, on nothing else: so the beginning of a conversation stays the same from request to
// request. A whole that is too much loses its oldest media in one batch, and the conversation keeps it so.
import { isRecord } from '../content/json.ts';
import { digest } from '../content/text.ts';
import { add } from '../window/budget.ts';
import type { Weight } from '../window/budget.ts';
import { oldestOver } from '../window/evict.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Fields } from '../wire/fields.ts';
import type { Known, Memory, Piece } from './memory.ts';
import type { Outline } from './body-outline.ts';
import { piecesOf } from './pieces.ts';
import { rebuild } from './rebuild.ts';
import type { Segment } from './segment.ts';
import type { Workshop } from './workshop.ts';

export type Source = {
  text: string;
  outline: Outline;
  segments: readonly Segment[];
  list: string;
  profile: Profile;
  ceiling: Weight;
  signal: AbortSignal | undefined;
};

/** A stretch on its way out. */
export type Part = {
  segment: Segment;
  /** Names it by the whole conversation up to its end. */
  place: string;
  /** Names it by itself. */
  name: string;
  /** Where it stood in the text, and what becomes of it. */
  start: number;
  end: number;
  known: Known;
};

/** `source` is the text that came, `text` the one that goes out. */
export type Made = { source: string; text: string; parts: Part[]; receipts: Receipt[] };

export async function makeBody(source: Source, memory: Memory, workshop: Workshop): Promise<Made> {
  const places = placesOf(source);
  const parts: Part[] = [];
  for (const [index, segment] of source.segments.entries())
    parts.push(await partOf(source, segment, places[index] ?? '', memory, workshop));
  const shown = parts.filter(({ known }) => known.media.length > 0);
  const over = oldestOver(shown.map(weigh), frameOf(parts, source.text.length), source.ceiling);
  for (const part of shown.slice(0, over)) {
    memory.leftOut.set(part.place, true);
    Object.assign(part, await partOf(source, part.segment, part.place, memory, workshop));
  }
  const receipts = parts.flatMap(({ known }) => known.receipts);
  return { source: source.text, text: joined(source.text, parts), parts, receipts };
}

/** What a request weighs without the stretches that show media. */
function frameOf(parts: readonly Part[], length: number): Weight {
  const bytes = parts.reduce((left, { start, end }) => left - (end - start), length);
  const outside = { images: 0, bytes, tokens: Math.ceil(bytes / 4) };
  return parts
    .filter(({ known }) => known.media.length === 0)
    .map(weigh)
    .reduce(add, outside);
}

function weigh({ start, end, known: { pieces, images, tokens } }: Part): Weight {
  const bytes = pieces?.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.to - piece.from),
    0,
  );
  return { images, bytes: bytes ?? end - start, tokens };
}

/** The conversation up to each stretch, as a digest. */
function placesOf({ outline, segments, profile }: Source): string[] {
  let chain = profile.model;
  let at = 0;
  return segments.map(({ to }) => {
    for (; at < to; at++) chain = digest(chain + digest(outline.items[at]?.outline ?? ''));
    return chain;
  });
}

async function partOf(
  source: Source,
  segment: Segment,
  place: string,
  memory: Memory,
  workshop: Workshop,
): Promise<Part> {
  const { profile, ceiling, text, list, signal } = source;
  const { calls } = segment;
  const items = source.outline.items.slice(segment.from, segment.to);
  const [start, end] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0];
  const raw = text.slice(start, end);
  const shape = items.map(({ lead, outline }, at) => (at > 0 ? lead : '') + outline).join('');
  const name = `${shape.length} ${digest(shape)} ${digest(JSON.stringify([profile.model, profile.stated, calls]))}`;
  const leftOut = memory.leftOut.get(place) ?? false;
  const floors = memory.floors.get(name) ?? new Map();
  const key = `${name} ${ceiling.images} ${leftOut} ${[...floors].join(' ')}`;
  const known = memory.known.get(key);
  if (known && (known.hash === undefined || known.hash === (await hashOf(raw))))
    return { segment, place, name, start, end, known };
  const stretch = { items: items.map((item) => fieldsAt(text, item)), calls, profile, list, leftOut, floors };
  const { items: made, ...rest } = await rebuild({ ...stretch, maxImages: ceiling.images }, workshop, signal);
  const fresh: Known = {
    ...rest,
    ...(made && { pieces: piecesOf(made, raw) }),
    count: made?.length ?? items.length,
    ...(rest.derived && { hash: await hashOf(raw) }),
  };
  memory.known.set(key, fresh);
  return { segment, place, name, start, end, known: fresh };
}

function fieldsAt(text: string, { start, end }: { start: number; end: number }): Fields {
  const value: unknown = JSON.parse(text.slice(start, end));
  return isRecord(value) ? value : {};
}

/** Two stretches of one shape are the same stretch, unless something was made of its bytes: then it must be certain. */
async function hashOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(text: string, parts: readonly Part[]): string {
  const out: string[] = [];
  let at = 0;
  for (const { start, end, known } of parts) {
    if (!known.pieces) continue;
    out.push(text.slice(at, start), ...sentPieces({ start, end, known }, text));
    at = end;
  }
  return at === 0 ? text : [...out, text.slice(at)].join('');
}

/** A stretch as it goes out. */
export function sentPieces({ start, end, known }: Pick<Part, 'start' | 'end' | 'known'>, text: string): string[] {
  if (!known.pieces) return [text.slice(start, end)];
  return known.pieces.map((piece: Piece) =>
    typeof piece === 'string' ? piece : text.slice(start + piece.from, start + piece.to),
  );
}
