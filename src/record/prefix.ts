// Two requests that follow each other → where the prefix that a provider has cached stops being the same, and who is to
// blame: first what stands in front of everything, then the conversation, then what only follows from them.
import { canonicalJson, isRecord, ownValue } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import type { CheckpointReason, Receipt } from '../window/receipt.ts';
import { fieldsFor } from '../wire/places.ts';
import { keptAssetsIn, plainElements } from './body.ts';
import type { KeptBody } from './body.ts';

/** How the part of a request changed at which the provider's cache ended. */
export type BreakKind =
  | 'changed'
  | 'inserted'
  | 'removed'
  | 'reordered'
  | 'key-order' // the same fields in another order
  | 'other-bytes' // another medium in the same place
  | 'medium-to-words'
  | 'marks'; // cache marks were taken away, or others stand there

/** Where a prefix broke. */
export type PrefixBreak = {
  /** What the guilty place belongs to. */
  part: 'model' | 'thinking' | 'tool choice' | 'output' | 'tools' | 'system' | 'items' | 'marks' | 'options';
  kind: BreakKind;
  /** To the smallest value that differs, in the newer body; where it was in the older one, when something is gone. */
  path: readonly (string | number)[];
  /** The block that it stands in: the innermost element of a list. */
  block: readonly (string | number)[];
  was?: Json;
  is?: Json;
  /** Estimates: what could still be read from the cache, and what could not. */
  keptTokens: number;
  lostTokens: number;
  /** The receipts by which we moved it ourselves. */
  moved: readonly Receipt[];
};

type Path = readonly (string | number)[];
type Difference = { kind: BreakKind; path: Path; block: Path; was?: Json; is?: Json };
type Sides = { before: KeptBody; now: KeptBody };
type PrefixPart = { part: PrefixBreak['part']; fields: readonly string[] };

/** What stands before the conversation, in the order in which it is to blame. Paths with a dot lie inside a field. */
const parts: readonly PrefixPart[] = [
  { part: 'model', fields: fieldsFor('model') },
  { part: 'thinking', fields: fieldsFor('thinking') },
  { part: 'tool choice', fields: fieldsFor('toolChoice') },
  { part: 'output', fields: fieldsFor('output') },
  { part: 'tools', fields: fieldsFor('tools') },
  { part: 'system', fields: fieldsFor('system') },
  { part: 'items', fields: fieldsFor('items') },
];

const knownFields: ReadonlySet<string> = new Set([
  ...fieldsFor('harmless'),
  ...fieldsFor('maxTokens'),
  ...fieldsFor('answers'),
  ...parts.flatMap(({ fields }) => fields),
]);

/** Where the newer request stops beginning like the older one; undefined where it only grew. */
export function prefixBreak(before: KeptBody, now: KeptBody, about: PrefixFacts = {}): PrefixBreak | undefined {
  const found = firstDifference({ before, now });
  if (!found) return undefined;
  const { part, ...difference } = found;
  return { part, ...difference, ...tokensAround(before, part, difference.path, about), moved: checkpoints(about) };
}

/** What is known besides the bodies. */
export type PrefixFacts = {
  /** What the older request took of the window. */
  tokens?: number | undefined;
  /** Of the newer one. */
  receipts?: readonly Receipt[];
};

/** A prompt, a tool or a message that is another one, and another model, are the doing of whoever asks. */
const reasonsOfOurs: ReadonlySet<string> = new Set<CheckpointReason>([
  'budget',
  'quarantine',
  'upgraded',
  'account-changed',
  'reference-expired',
  'unseen',
]);

function checkpoints({ receipts = [] }: PrefixFacts): Receipt[] {
  return receipts.filter(({ action, subject }) => action === 'checkpoint' && reasonsOfOurs.has(subject));
}

function firstDifference(sides: Sides): (Difference & Pick<PrefixBreak, 'part'>) | undefined {
  for (const { part, fields } of parts)
    for (const field of fields) {
      const found = part === 'items' ? itemsDiffer(sides, field) : fieldDiffers(sides, field);
      if (found) return { part: part === 'items' && isSystem(found, sides) ? 'system' : part, ...found };
    }
  const marks = marksDiffer(sides);
  if (marks) return { part: 'marks', ...marks };
  const names = new Set([...Object.keys(sides.before.head), ...Object.keys(sides.now.head)]);
  for (const field of names) {
    const found = knownFields.has(field) ? undefined : fieldDiffers(sides, field);
    if (found) return { part: 'options', ...found };
  }
  return undefined;
}

/** Some dialects have the system prompt as their first item. */
function isSystem({ path: [field, at] }: Difference, { before, now }: Sides): boolean {
  const roleOf = (body: KeptBody): Json | undefined => {
    const element = plainElements(body.lists[String(field)] ?? [])[Number(at)];
    return isRecord(element) ? element['role'] : undefined;
  };
  return [roleOf(before), roleOf(now)].some((role) => role === 'system' || role === 'developer');
}

function valueAt(body: KeptBody, field: string): Json | undefined {
  const [first = '', ...rest] = field.split('.');
  const texts = ownValue(body.lists, first);
  const whole: Json | undefined = texts ? plainElements(texts) : ownValue(body.head, first);
  return rest.reduce<Json | undefined>((value, key) => (isRecord(value) ? ownValue(value, key) : undefined), whole);
}

function fieldDiffers({ before, now }: Sides, field: string): Difference | undefined {
  return differ(valueAt(before, field), valueAt(now, field), field.split('.'), [field.split('.')[0] ?? '']);
}

/** The older list has to be the beginning of the newer one; its last item may gain parts. */
function itemsDiffer({ before, now }: Sides, field: string): Difference | undefined {
  const [old, young] = [before.lists[field], now.lists[field]];
  if (!old || !young) return old || young ? fieldDiffers({ before, now }, field) : undefined;
  const at = old.findIndex((text, index) => text !== young[index]);
  if (at < 0 || at >= young.length) return undefined; // it only grew, or was cut at its end
  const [was, is] = [plainElements(old.slice(at)), plainElements(young.slice(at))];
  const same = was.findIndex((element, index) => JSON.stringify(element) !== JSON.stringify(is[index]));
  if (same < 0 || same >= is.length) return undefined;
  if (at + same === old.length - 1 && hasGrown(was[same] ?? null, is[same] ?? null)) return undefined;
  return listsDiffer(was, is, [field], at);
}

function hasGrown(was: Json, is: Json): boolean {
  if (!isRecord(was) || !isRecord(is)) return false;
  const keys = Object.keys(was);
  if (keys.join() !== Object.keys(is).join()) return false;
  return keys.every((key) => {
    const [old, young] = [was[key], is[key]];
    if (JSON.stringify(old) === JSON.stringify(young)) return true;
    if (!Array.isArray(old) || !Array.isArray(young)) return false;
    const last = old.length - 1;
    return old.every(
      (element: Json, at) =>
        JSON.stringify(element) === JSON.stringify(young[at]) || (at === last && hasGrown(element, young[at] as Json)),
    );
  });
}

/** Two lists that differ: something was put in, taken out, moved, or is another. `offset` is where they begin. */
function listsDiffer(was: readonly Json[], is: readonly Json[], path: Path, offset = 0): Difference | undefined {
  const [old, young] = [was, is].map((list) => list.map((element) => JSON.stringify(element)));
  if (!old || !young) return undefined;
  const at = old.findIndex((text, index) => text !== young[index]);
  const here = at < 0 ? old.length : at;
  const place = [...path, here + offset];
  if (at < 0) {
    if (young.length === old.length) return undefined;
    return { kind: 'inserted', path: place, block: place, is: is[here] ?? null };
  }
  const [cameFrom, wentTo] = [old.indexOf(young[at] ?? '', at), young.indexOf(old[at] ?? '', at)];
  const sides = { was: was[at] ?? null, ...(at < is.length && { is: is[at] ?? null }) };
  if (cameFrom >= 0 && wentTo >= 0) return { kind: 'reordered', path: place, block: place, ...sides };
  if (wentTo >= 0) return { kind: 'inserted', path: place, block: place, is: is[at] ?? null };
  if (cameFrom >= 0 || at >= young.length) return { kind: 'removed', path: place, block: place, was: was[at] ?? null };
  return differ(was[at], is[at], place, place);
}

function differ(was: Json | undefined, is: Json | undefined, path: Path, block: Path): Difference | undefined {
  if (JSON.stringify(was) === JSON.stringify(is)) return undefined;
  const sides = { ...(was !== undefined && { was }), ...(is !== undefined && { is }) };
  if (was === undefined) return { kind: 'inserted', path, block, ...sides };
  if (is === undefined) return { kind: 'removed', path, block, ...sides };
  if (Array.isArray(was) && Array.isArray(is)) return listsDiffer(was as Json[], is as Json[], path);
  if (!isRecord(was) || !isRecord(is)) return { kind: 'changed', path, block, ...sides };
  if (Object.keys(was).join('\n') !== Object.keys(is).join('\n') && canonicalJson(was) === canonicalJson(is))
    return { kind: 'key-order', path, block, ...sides };
  if ('$asset' in was && '$asset' in is) return { kind: 'other-bytes', path, block, ...sides };
  if (keptAssetsIn(was).length > 0 && keptAssetsIn(is).length === 0 && isWords(is))
    return { kind: 'medium-to-words', path: block, block, ...sides };
  if (was['type'] !== is['type'] || was['role'] !== is['role']) return { kind: 'changed', path, block, ...sides };
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const found = differ(ownValue(was, key), ownValue(is, key), [...path, key], block);
    if (found) return found;
  }
  return undefined;
}

/** Whether a block is nothing but text. */
function isWords(block: Readonly<Record<string, unknown>>): boolean {
  return typeof block['text'] === 'string' && !Object.values(block).some((value) => typeof value === 'object');
}

/** Only where the provider caches what is marked: that all marks are gone, or say something else. */
function marksDiffer({ before, now }: Sides): Difference | undefined {
  if (before.marks.length === 0) return undefined;
  const said = new Set(before.marks.map(([, , key, mark]) => `${key} ${JSON.stringify(mark)}`));
  if (now.marks.some(([, , key, mark]) => said.has(`${key} ${JSON.stringify(mark)}`))) return undefined;
  const [first] = before.marks;
  const [other] = now.marks;
  const path = [...(first?.[0] ?? []), first?.[2] ?? ''];
  return { kind: 'marks', path, block: first?.[0] ?? [], was: first?.[3] ?? null, ...(other && { is: other[3] }) };
}

const charactersPerToken = 4;
/** A medium whose tokens nobody told. */
const mediumTokens = 1000;

/** What the older request weighs before the break and behind it, brought to what it really took. */
function tokensAround(
  before: KeptBody,
  part: PrefixBreak['part'],
  path: Path,
  { tokens, receipts = [] }: PrefixFacts,
): Pick<PrefixBreak, 'keptTokens' | 'lostTokens'> {
  const known = new Map(receipts.flatMap(({ sent = [], tokens: each }) => sent.map((id) => [id, each] as const)));
  const weigh = (value: Json | undefined): number => {
    if (value === undefined) return 0;
    const media = keptAssetsIn(value).reduce((sum, { $asset }) => sum + (known.get($asset) ?? mediumTokens), 0);
    return JSON.stringify(value).length / charactersPerToken + media;
  };
  let [kept, all, isBehind] = [0, 0, !['tools', 'system', 'items'].includes(part)];
  for (const { part: each, fields } of parts) {
    if (each !== 'tools' && each !== 'system' && each !== 'items') continue;
    for (const name of fields) {
      const steps = name.split('.');
      const isHere = steps.every((step, index) => path[index] === step);
      const at = path[steps.length];
      const value = valueAt(before, name);
      const elements = Array.isArray(value) ? (value as Json[]) : value === undefined ? [] : [value];
      for (const [index, element] of elements.entries()) {
        isBehind ||= isHere && (typeof at !== 'number' || index >= at);
        const weight = weigh(element);
        all += weight;
        if (!isBehind) kept += weight;
      }
      isBehind ||= isHere;
    }
  }
  const scale = tokens !== undefined && all > 0 ? tokens / all : 1;
  const keptTokens = part === 'marks' ? 0 : Math.round(kept * scale);
  return { keptTokens, lostTokens: Math.max(0, Math.round(all * scale) - keptTokens) };
}
