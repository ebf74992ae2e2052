// The same walk over a value that was just parsed from JSON: there is nothing in it but JSON, and nobody else has it. So only
// what stands around a medium is copied, and the rest is shared.
import { toJsonText } from '../content/json.ts';
import { isCandidate, isJsonBuffer, maxDepth, maxParts, mediaIn } from './walk.ts';
import type { Holding, MediumPlace, ValuePlace, WalkedValue } from './walk.ts';

/** What a value becomes whose place is kept for a medium. */
const open = Symbol('open');

export function walkJson(value: unknown, place: ValuePlace, asFields = false): WalkedValue | undefined {
  const above = [...place.above];
  const slots: MediumPlace[] = [];
  let [parts, named] = [0, false];
  let waiting: Holding = { type: 'text', text: '' };

  const later = (found: Holding): typeof open => {
    waiting = found;
    return open;
  };

  const visit = (item: unknown, key: string, fields = false): unknown => {
    parts++;
    if (typeof item === 'string') return isCandidate(item, key) ? later({ type: 'string', text: item }) : item;
    if (typeof item === 'number') return Number.isFinite(item) ? item : String(item);
    if (typeof item !== 'object' || item === null || parts > maxParts) return item;
    const isList = Array.isArray(item);
    const isPlain = fields || isList;
    if (!isPlain && isJsonBuffer(item)) return later({ type: 'bytes', value: item });
    if (above.length > maxDepth) return later({ type: 'text', text: toJsonText(item) });
    const block = isPlain ? undefined : mediaIn(item);
    if (block) return later({ type: 'block', block, value: item });
    above.push(item);
    const made = isList ? inList(item, key) : inFields(item as Record<string, unknown>);
    above.pop();
    return made;
  };

  const inList = (list: readonly unknown[], key: string): unknown => {
    let copy: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const made = visit(list[at], key);
      if (made === list[at]) continue;
      copy ??= [...list];
      put(copy, at, made, key);
    }
    return copy ?? list;
  };

  const inFields = (fields: Record<string, unknown>): unknown => {
    let copy: Record<string, unknown> | undefined;
    for (const field of Object.keys(fields)) {
      named ||= isCandidate(field, '');
      const made = visit(fields[field], field);
      if (made === fields[field]) continue;
      copy ??= { ...fields };
      put(copy, field, made, field);
    }
    return copy ?? fields;
  };

  const put = (holder: object, at: string | number, made: unknown, key: string): void => {
    const set = (filled: unknown): void =>
      void Object.defineProperty(holder, at, { value: filled, enumerable: true, configurable: true, writable: true });
    set(made === open ? null : made);
    if (made === open) slots.push({ ...waiting, key, above: [...above], put: set });
  };

  const root: WalkedValue['root'] = {};
  const made = visit(value, place.key, asFields);
  put(root, 'value', made, place.key);
  return parts > maxParts ? undefined : { root, slots, named };
}
