// Input over the requests of a conversation: read, written and neither as columns, cost as a line, a sign at each break.
import { grouped, money, shortCount } from '../content/figures.ts';
import type { RequestRow } from '../record/table.ts';
import { useMemo } from './kit.ts';
import type { ComponentChildren, JSX } from './kit.ts';

const [height, left, right, bottom, top] = [230, 44, 66, 22, 24]; // at the right stands what the dearest one cost
const tall = height - bottom - top;

/** `cost` is undefined where nobody knows it. */
type Column = { id: string; read: number; written: number; rest: number; cost: number | undefined; broke?: string };
/** A column of the chart: one request, or the mean of some that follow each other. */
type Bar = Column & { name: string; ids: readonly string[] };

const mostBars = 500;

function barsOf(columns: readonly Column[]): Bar[] {
  const each = Math.ceil(columns.length / mostBars);
  return Array.from({ length: Math.ceil(columns.length / Math.max(1, each)) }, (_, at): Bar => {
    const own = columns.slice(at * each, (at + 1) * each);
    const mean = (of: (one: Column) => number): number =>
      own.reduce((sum, one) => sum + of(one), 0) / Math.max(1, own.length);
    const costs = own.flatMap(({ cost }) => cost ?? []);
    const broken = own.find(({ broke }) => broke !== undefined);
    const first = at * each + 1;
    return {
      id: (broken ?? own[0])?.id ?? '',
      ids: own.map(({ id }) => id),
      name: each === 1 ? `Request ${first}` : `Requests ${first} to ${first + own.length - 1}, on average`,
      read: Math.round(mean(({ read }) => read)),
      written: Math.round(mean(({ written }) => written)),
      rest: Math.round(mean(({ rest }) => rest)),
      cost: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
      ...(broken?.broke !== undefined && { broke: broken.broke }),
    };
  });
}

function columnOf({ id, ended, totals, broke }: RequestRow): Column {
  const usage = ended?.usage;
  const input = usage?.inputTokens ?? totals?.used.tokens ?? 0;
  const [read, written] = [usage?.cachedTokens ?? 0, usage?.writtenTokens ?? 0];
  return {
    id,
    read,
    written,
    rest: Math.max(0, input - read - written),
    cost: ended?.cost ?? (ended && !usage ? 0 : undefined), // what was refused costs nothing
    ...(broke && { broke: broke.part }),
  };
}

/** The next round number, which four lines below it can name. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8].find((times) => times * unit >= value) ?? 10) * unit;
}

type ChartFacts = { rows: RequestRow[]; chosen: string | undefined; open: (id: string) => void };

/** The columns are drawn once; which of them is chosen is a ground behind them. */
export function Chart({ rows, chosen, open }: ChartFacts): JSX.Element {
  const screen = document.documentElement.clientWidth; // letters stay as large on a small one
  const width = screen < 700 ? Math.max(300, screen - 60) : screen < 1000 ? screen - 80 : 1000;
  const chart = useMemo(() => drawnChart(rows, width, open), [rows, width]);
  if (!chart)
    return (
      <figure class="chart">
        <p class="none">Nothing was counted yet.</p>
      </figure>
    );
  const { drawn, legend, places, label } = chart;
  const ground = chosen === undefined ? undefined : places.get(chosen);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {ground && <rect class="chosen" x={ground.x} y="0" width={ground.width} height={height - bottom} />}
        {drawn}
      </svg>
      {legend}
    </figure>
  );
}

type DrawnChart = {
  drawn: JSX.Element;
  legend: JSX.Element;
  /** Where the column of a request stands. */
  places: ReadonlyMap<string, { x: number; width: number }>;
  label: string;
};

function drawnChart(rows: readonly RequestRow[], width: number, open: ChartFacts['open']): DrawnChart | undefined {
  const all = rows.map(columnOf);
  const isCounted = all.some(({ read, written, rest }) => read + written + rest > 0);
  if (!isCounted && !rows.some(({ ended }) => ended)) return undefined;
  const bars = barsOf(all);
  const most = roundUp(Math.max(1, ...bars.map(({ read, written, rest }) => read + written + rest)));
  const dearest = Math.max(1e-9, ...bars.map(({ cost = 0 }) => cost));
  const room = (width - left - right) / Math.max(1, bars.length);
  const middle = (at: number): number => left + room * at + room / 2;
  const high = (cost: number): number => top + tall - (cost / dearest) * tall;
  const dots = bars.map(({ cost }, at) => cost !== undefined && { x: middle(at), y: high(cost) });
  const total = all.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const isKnown = all.some(({ cost }) => cost !== undefined);
  const scale = { width, room, middle, perToken: tall / most, isFew: bars.length <= 40 };
  const drawn = (
    <g>
      <Grid width={width} most={most} />
      {bars.map((bar, at) => (
        <ChartColumn key={bar.id} bar={bar} at={at} scale={scale} open={open} />
      ))}
      {linesOf(dots).map((line) => (
        <polyline key={line} class="cost" points={line} />
      ))}
      {room > 10 && dots.map((dot) => dot && <circle key={dot.x} class="dot" cx={dot.x} cy={dot.y} r="2.6" />)}
      <text x={width - right + 4} y={top + 4}>
        {dearest > 1e-9 ? money(dearest) : ''}
      </text>
    </g>
  );
  const legend = (
    <figcaption>
      <Legend of="read">read from cache</Legend> <Legend of="written">written</Legend>{' '}
      <Legend of="rest">neither</Legend>{' '}
      <Legend of="line">{isKnown ? `cost, ${money(total)} in all` : 'its cost is not known'}</Legend>{' '}
      {all.some(({ broke }) => broke !== undefined) && <span class="item">✂ prefix broke</span>}
    </figcaption>
  );
  const places = new Map(
    bars.flatMap(({ ids }, at) => ids.map((id) => [id, { x: left + room * at, width: room }] as const)),
  );
  return { drawn, legend, places, label: `Input of ${rows.length} requests; ${money(total)} in all` };
}

/** A line through what follows each other; a gap ends it. */
function linesOf(dots: readonly ({ x: number; y: number } | false)[]): string[] {
  const lines: string[][] = [[]];
  for (const dot of dots)
    if (dot) lines.at(-1)?.push(`${dot.x.toFixed(1)},${dot.y.toFixed(1)}`);
    else lines.push([]);
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '));
}

function Grid({ width, most }: { width: number; most: number }): JSX.Element {
  return (
    <g>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line class="grid" x1={left} x2={width - right} y1={top + tall * (1 - share)} y2={top + tall * (1 - share)} />
          <text x={left - 6} y={top + 4 + tall * (1 - share)} text-anchor="end">
            {share === 0 || most > 1 ? shortCount(Math.round(most * share)) : ''}
          </text>
        </g>
      ))}
    </g>
  );
}

type Scale = { width: number; room: number; middle: (at: number) => number; perToken: number; isFew: boolean };

function ChartColumn({
  bar: { id, name, read, written, rest, broke },
  at,
  scale: { width, room, middle, perToken, isFew },
  open,
}: {
  bar: Bar;
  at: number;
  scale: Scale;
  open: ChartFacts['open'];
}): JSX.Element {
  const wide = Math.max(0.6, Math.min(46, room * 0.7));
  const x = middle(at) - wide / 2;
  const [a, b, c] = [read * perToken, written * perToken, rest * perToken];
  return (
    <g class="column" onClick={() => open(id)}>
      <title>{`${name}: ${grouped(read)} read, ${grouped(written)} written, ${grouped(rest)} neither`}</title>
      <rect class="hit" x={left + room * at} y="0" width={room} height={height - bottom} />
      <rect class="read" x={x} y={top + tall - a} width={wide} height={a} />
      <rect class="written" x={x} y={top + tall - a - b} width={wide} height={b} />
      <rect class="rest" x={x} y={top + tall - a - b - c} width={wide} height={c} />
      {broke && (
        <text class="cut" x={Math.min(width - 40, Math.max(40, middle(at)))} y="14" text-anchor="middle">
          {isFew ? `✂ ${broke}` : '✂'}
        </text>
      )}
      {isFew && (
        <text x={middle(at)} y={height - 6} text-anchor="middle">
          {at + 1}
        </text>
      )}
    </g>
  );
}

export function Legend({ of, children }: { of: string; children: ComponentChildren }): JSX.Element {
  return (
    <span class="item">
      <span class={`key ${of}`} /> {children}
    </span>
  );
}
