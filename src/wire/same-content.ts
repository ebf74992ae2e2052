// Whether what we would write says the same as what came. Then what came is sent: an SDK that did well is left alone,
// with all the fields that only it knows.
import { isRecord } from '../content/json.ts';

/** Fields that say nothing the model could not do without: what came may lack them. */
const optional = new Set(['detail', 'title', 'filename']);

/** Whether everything that was made stands in what came, at the least. */
export function covers(came: unknown, made: unknown): boolean {
  if (Array.isArray(made))
    return Array.isArray(came) && came.length === made.length && made.every((item, at) => covers(came[at], item));
  if (!isRecord(made)) return came === made;
  if (!isRecord(came)) return false;
  return Object.entries(made).every(([key, value]) =>
    key in came ? covers(came[key], value) : optional.has(key) || value === undefined,
  );
}

/** Blocks as they were made, but for those that came just so: these keep all of their fields. */
export function carried(came: readonly unknown[], made: readonly unknown[]): unknown[] {
  const left = [...came];
  const out = made.map((block) => {
    const at = left.findIndex((one) => covers(one, block));
    return at < 0 ? block : left.splice(at, 1)[0];
  });
  const mark = left.filter(isRecord).find((block) => block['cache_control'])?.['cache_control'];
  const last = out.at(-1);
  if (mark === undefined || !isRecord(last) || 'cache_control' in last) return out;
  return [...out.slice(0, -1), { ...last, cache_control: mark }];
}
