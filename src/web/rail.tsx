// The requests of a conversation, one below the other. Of very many only those are made that can be seen.
import { money } from '../content/figures.ts';
import { isOpen, stateOf, stateWords } from '../page/view.ts';
import type { ShownRow } from '../page/view.ts';
import { clockTime } from './clock.ts';
import { signal, useEffect, useMemo, useRef } from './kit.ts';
import type { JSX, Signal } from './kit.ts';
import { place, viewAddress } from './state.ts';

const groupSize = 50;
/** About as high as a row is, until it is made. */
const rowRem = 3.1;

export function Rail({ rows }: { rows: ShownRow[] }): JSX.Element {
  const { conversation: id = '', request, tab } = place.value;
  const drawn = useMemo(() => rowDrawer(rows), [rows]);
  useEffect(() => document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest' }), [request]);
  const groups = Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, at) => at * groupSize);
  return (
    <>
      {groups.map((from) => {
        const own = rows.slice(from, from + groupSize);
        const isNear = own.some((row) => row.id === request);
        return (
          <RailGroup key={from} from={from} count={own.length} isNear={isNear}>
            {() =>
              own.map((row, at) => (
                <li key={row.id}>
                  <a href={viewAddress(id, row.id, tab)} aria-current={row.id === request ? 'true' : undefined}>
                    {drawn(from + at)}
                  </a>
                </li>
              ))
            }
          </RailGroup>
        );
      })}
    </>
  );
}

/** What stands in a row, drawn once: which of them is chosen changes nothing in it. */
function rowDrawer(rows: readonly ShownRow[]): (at: number) => JSX.Element | undefined {
  const most = mostOf(rows);
  const known: (JSX.Element | undefined)[] = [];
  return (at) => {
    const row = rows[at];
    return row && (known[at] ??= <RailRow row={row} number={at + 1} most={most} model={modelAt(rows, at)} />);
  };
}

type Group = { from: number; count: number; isNear: boolean; children: () => JSX.Element[] };

/** Some rows: made while they are near what is seen, and as much empty room while they are not. */
function RailGroup({ from, count, isNear, children }: Group): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const isSeen = useRef<Signal<boolean>>(signal(from === 0)).current;
  useEffect(() => {
    const watch = new IntersectionObserver(
      (seen) => (isSeen.value = seen.some(({ isIntersecting }) => isIntersecting)),
      { root: list.current?.closest('.rail') ?? null, rootMargin: '600px' },
    );
    if (list.current) watch.observe(list.current);
    return () => watch.disconnect();
  }, []);
  const isMade = isSeen.value || isNear;
  return (
    <ol ref={list} start={from + 1} style={isMade ? {} : { height: `${count * rowRem}rem` }}>
      {isMade ? children() : []}
    </ol>
  );
}

function mostOf(rows: readonly ShownRow[]): number {
  return rows.reduce(
    (most, { ended, totals }) => Math.max(most, ended?.usage?.inputTokens ?? totals?.used.tokens ?? 0),
    1,
  );
}

/** Named where it is another one than before. */
function modelAt(rows: readonly ShownRow[], at: number): string | undefined {
  const [before, now] = [rows[at - 1]?.model, rows[at]?.model];
  return at > 0 && before !== now ? now : undefined;
}

type RailFacts = { row: ShownRow; number: number; most: number; model: string | undefined };

function RailRow({ row, number, most, model }: RailFacts): JSX.Element {
  const { ended, totals, purpose, broke, repairs, time, label } = row;
  const usage = ended?.usage;
  const input = usage?.inputTokens ?? totals?.used.tokens ?? 0;
  const [read, written] = [usage?.cachedTokens ?? 0, usage?.writtenTokens ?? 0];
  const scale = 100 / most;
  const state = stateOf(row, Date.now());
  const when = clockTime(time);
  return (
    <>
      <span class="number">{number}</span>
      <span class="label" title={`${row.model}, ${when}`}>
        {label ?? when}
      </span>
      <span class="price">{ended?.cost === undefined ? '' : money(ended.cost)}</span>
      {model !== undefined && <span class="model">{model}</span>}
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="4" />
        <rect class="rest" width={input * scale} height="4" />
        <rect class="written" width={(read + written) * scale} height="4" />
        <rect class="read" width={read * scale} height="4" />
      </svg>
      <span class="marks">
        {purpose !== 'answer' && <span class="pill probe">{purpose}</span>}
        {isOpen(row, Date.now()) && (
          <span class={`pill ${state}`}>
            {state === 'running' && '● '}
            {stateWords(row, Date.now())}
          </span>
        )}
        {state !== 'answered' && !isOpen(row, Date.now()) && <span class="pill refused">{state}</span>}
        {repairs.length > 0 && <span class="pill healed">healed</span>}
        {broke && <span class="pill broke">✂ {broke.part}</span>}
      </span>
    </>
  );
}
