// `[requests]` → what is recorded of the requests that leave, and for how long.
import { isCount, isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

export type RequestSettings = { record?: 'all' | 'shape' | 'off'; keepMs?: number; maxBytes?: number };

const keys = [
  'record', // "all" unless set; "shape" keeps digests and lengths in place of words, "off" nothing
  'keep_days', // days that records are kept; 30 unless set
  'max_mb', // MB that all records may take, without media; 256 unless set
];
const dayMs = 24 * 60 * 60 * 1000;

export function requestTable(value: unknown, file: string): RequestSettings {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'requests', 'a table');
  onlyKnown(value, keys, file, 'requests');
  const { record, keep_days: days, max_mb: megabytes } = value;
  if (record !== undefined && record !== 'all' && record !== 'shape' && record !== 'off')
    throw wrong(file, 'requests.record', '"all", "shape" or "off"');
  for (const [name, number] of Object.entries({ keep_days: days, max_mb: megabytes }))
    if (number !== undefined && !isCount(number)) throw wrong(file, `requests.${name}`, 'a whole number of 0 or more');
  return {
    ...(record !== undefined && { record }),
    ...(isCount(days) && { keepMs: days * dayMs }),
    ...(isCount(megabytes) && { maxBytes: megabytes * 1_000_000 }),
  };
}
