// A provider's prompt cache, played: which tokens of a request it would find, which it would store, and which are
// neither. It matches exact prefixes of blocks. Three kinds: with marks, as Anthropic's; one that stores every request
// whole beside its marks, as OpenAI's does since it charges for writing; one that finds any common beginning, as the
// others do.
import type { Charged } from '../../src/window/prices.ts';
import type { Plan, PlanItem, Said, Shown } from '../../src/window/plan-types.ts';
import type { Profile } from '../../src/window/profile.ts';
import { weightOfFrame, weightOfItem } from '../../src/window/budget.ts';

/** Blocks that a mark looks back over. */
const lookBack = 20;
/** Shorter beginnings are not stored. */
const leastTokens = 1024;

type Cell = { key: number; tokens: number };

export type Cache = (plan: Plan) => Charged;

export function openCache({ cache, breakpoints }: Profile): Cache {
  const kind = cache === 'marks' ? 'marks' : breakpoints ? 'breakpoints' : 'any';
  const places = new Map<number, number>();
  const stored = new Set<number>();
  const step = (from: number, { key }: Cell): number => {
    const name = from * 1e7 + key;
    const place = places.get(name) ?? places.size + 1;
    places.set(name, place);
    return place;
  };
  return (plan) => {
    const { tokens } = weightOfFrame(plan.system, plan.tools);
    let place = step(0, { key: nameOf(`${plan.system} ${JSON.stringify(plan.tools)}`), tokens });
    const path = [{ place, tokens }];
    const ends = [0];
    for (const item of plan.items) {
      for (const cell of cellsOf(item, plan)) {
        place = step(place, cell);
        path.push({ place, tokens: (path.at(-1)?.tokens ?? 0) + cell.tokens });
      }
      ends.push(path.length - 1);
    }
    const total = path.at(-1)?.tokens ?? 0;
    const marks = kind === 'any' ? [] : marked(plan, ends);
    if (kind !== 'marks') marks.push(path.length - 1);
    const reach = kind === 'marks' ? lookBack : path.length;
    const found = Math.max(
      -1,
      ...marks.flatMap((mark) => {
        const low = Math.max(0, mark - reach);
        for (let at = mark; at >= low; at--) if (stored.has(path[at]?.place ?? 0)) return [at];
        return [];
      }),
    );
    const read = found < 0 ? 0 : (path[found]?.tokens ?? 0);
    const last = Math.max(found, ...marks);
    const upTo = last < 0 ? 0 : (path[last]?.tokens ?? 0);
    const written = upTo < leastTokens ? 0 : Math.max(0, upTo - read);
    const keep = kind === 'any' ? path.map((_, at) => at) : marks;
    for (const at of keep) if ((path[at]?.tokens ?? 0) >= leastTokens) stored.add(path[at]?.place ?? 0);
    return { fresh: total - read - written, read, written, output: 0 };
  };
}

function marked({ marks }: Plan, ends: readonly number[]): number[] {
  return [...(marks.system ? [0] : []), ...marks.items.map((item) => ends[item + 1] ?? 0)];
}

const names = new Map<string, number>();

/** A number for each text. */
function nameOf(text: string): number {
  const name = names.get(text) ?? names.size + 1;
  names.set(text, name);
  return name;
}

const cells = new WeakMap<PlanItem, Cell[]>();

function cellsOf(item: PlanItem, { profile }: Plan): Cell[] {
  const known = cells.get(item);
  if (known) return known;
  const parts: PlanItem[] =
    item.role === 'assistant'
      ? item.content.map((block: Said) => ({ role: 'assistant', content: [block] }))
      : blocksOf(item).map((block) => ({ role: 'user', content: [block] }));
  const made = parts.map((part) => ({
    key: nameOf(JSON.stringify(part)),
    tokens: weightOfItem(part, profile.tokens).tokens,
  }));
  cells.set(item, made);
  return made;
}

function blocksOf(item: Exclude<PlanItem, { role: 'assistant' }>): Shown[] {
  return item.role === 'user' ? item.content : [...item.results.flatMap(({ content }) => content), ...item.after];
}
