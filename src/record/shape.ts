// A body without its words: digests and lengths stand for every string, so that what broke a prefix can still be named.
import { isRecord } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { digest } from '../content/text.ts';
import type { Receipt } from '../window/receipt.ts';
import { fieldsFor } from '../wire/places.ts';
import { elementsOf } from './body.ts';
import type { KeptBody } from './body.ts';
import type { Ended, RequestRecord } from './record.ts';

/** Words that the API gives, and nobody who talks through it. */
const structural = new Set(['type', 'role', 'media_type', 'mimeType', '$asset', 'mediaType']);

/** The body with `[length, digest]` in place of every string. */
export function bodyShape({ order, head, lists, marks }: KeptBody): KeptBody {
  const shaped = Object.entries(lists).map(([field, texts]): [string, string[]] => [
    field,
    elementsOf(texts).map((element) => {
      const is = 'is' in element ? shapeOf(element.is) : element.text.map((piece) => shapeOf(piece));
      return JSON.stringify({ is });
    }),
  ]);
  const models = new Set(fieldsFor('model'));
  const shown = Object.entries(head).map(([field, value]): [string, Json] => [
    field,
    models.has(field) && typeof value === 'string' ? value : shapeOf(value, field),
  ]);
  return {
    order,
    head: Object.fromEntries(shown),
    lists: Object.fromEntries(shaped),
    marks,
  };
}

function shapeOf(value: Json, key = ''): Json {
  if (typeof value === 'string') return structural.has(key) ? value : { length: value.length, digest: digest(value) };
  if (Array.isArray(value)) return value.map((item: Json) => shapeOf(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item, name)]));
}

/** A record that quotes nobody. */
export function recordShape(record: RequestRecord): RequestRecord {
  const receipts = record.receipts.map(({ subject: _subject, why: _why, ...rest }): Receipt => ({
    ...rest,
    subject: '',
    why: '',
  }));
  return { ...record, receipts, repairs: record.repairs.map(() => '') };
}

/** An end that quotes nobody. */
export function endShape({ error, answer: _answer, attempts, ...rest }: Ended): Ended {
  return {
    ...rest,
    attempts: attempts.map(({ error: why, ...attempt }) => ({ ...attempt, ...(why !== undefined && { error: '' }) })),
    ...(error && { error: { ...error, message: '' } }),
  };
}
