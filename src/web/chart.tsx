// Input over the requests of a conversation: read, written and neither as columns, cost as a line, a sign at each break.
import { grouped, money, shortCount } from '../content/figures.ts';
import type { RequestRow } from '../record/table.ts';
import type { ComponentChildren, JSX } from './kit.ts';

const [height, left, bottom, top] = [230, 44, 22, 24];

type Column = { id: string; read: number; written: number; rest: number; cost: number; broke?: string };
/** A column of the chart: one request, or the mean of some that follow each other. */
type Bar = Column & { name: string; ids: readonly string[] };

const mostBars = 500;

function barsOf(columns: readonly Column[]): Bar[] {
  const each = Math.ceil(columns.length / mostBars);
  return Array.from({ length: Math.ceil(columns.length / Math.max(1, each)) }, (_, at): Bar => {
    const own = columns.slice(at * each, (at + 1) * each);
    const mean = (of: (one: Column) => number): number =>
      own.reduce((sum, one) => sum + of(one), 0) / Math.max(1, own.length);
    const broken = own.find(({ broke }) => broke !== undefined);
    const first = at * each + 1;
    return {
      id: (broken ?? own[0])?.id ?? '',
      ids: own.map(({ id }) => id),
      name: each === 1 ? `Request ${first}` : `Requests ${first} to ${first + own.length - 1}, on average`,
      read: Math.round(mean(({ read }) => read)),
      written: Math.round(mean(({ written }) => written)),
      rest: Math.round(mean(({ rest }) => rest)),
      cost: mean(({ cost }) => cost),
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
    cost: ended?.cost ?? 0,
    ...(broke && { broke: broke.part }),
  };
}

/** The next round number, which four lines below it can name. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8].find((times) => times * unit >= value) ?? 10) * unit;
}

export function Chart({
  rows,
  chosen,
  open,
}: {
  rows: RequestRow[];
  chosen: string | undefined;
  open: (id: string) => void;
}): JSX.Element {
  const screen = document.documentElement.clientWidth; // letters stay as large on a small one
  const width = screen < 700 ? Math.max(300, screen - 60) : screen < 1000 ? screen - 80 : 1000;
  const all = rows.map(columnOf);
  const columns = barsOf(all);
  const most = roundUp(Math.max(1, ...columns.map(({ read, written, rest }) => read + written + rest)));
  const dearest = Math.max(1e-9, ...columns.map(({ cost }) => cost));
  const room = (width - left - 54) / Math.max(1, columns.length);
  const bar = Math.max(0.6, Math.min(46, room * 0.7));
  const tall = height - bottom - top;
  const middle = (at: number): number => left + room * at + room / 2;
  const line = columns.map(
    ({ cost }, at) => `${middle(at).toFixed(1)},${(top + tall - (cost / dearest) * tall).toFixed(1)}`,
  );
  const total = all.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Input of ${rows.length} requests; ${money(total)} in all`}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <line class="grid" x1={left} x2={width - 54} y1={top + tall * (1 - share)} y2={top + tall * (1 - share)} />
            <text x={left - 6} y={top + 4 + tall * (1 - share)} text-anchor="end">
              {shortCount(Math.round(most * share))}
            </text>
          </g>
        ))}
        {columns.map(({ id, ids, name, read, written, rest, broke }, at) => {
          const scale = tall / most;
          const x = middle(at) - bar / 2;
          const [a, b, c] = [read * scale, written * scale, rest * scale];
          return (
            <g
              key={id}
              class={chosen !== undefined && ids.includes(chosen) ? 'column chosen' : 'column'}
              onClick={() => open(id)}
            >
              <title>{`${name}: ${grouped(read)} read, ${grouped(written)} written, ${grouped(rest)} neither`}</title>
              <rect class="hit" x={left + room * at} y="0" width={room} height={height - bottom} />
              <rect class="read" x={x} y={top + tall - a} width={bar} height={a} />
              <rect class="written" x={x} y={top + tall - a - b} width={bar} height={b} />
              <rect class="rest" x={x} y={top + tall - a - b - c} width={bar} height={c} />
              {broke && (
                <text class="cut" x={Math.min(width - 40, Math.max(40, middle(at)))} y="14" text-anchor="middle">
                  {columns.length <= 40 ? `✂ ${broke}` : '✂'}
                </text>
              )}
              {columns.length <= 40 && (
                <text x={middle(at)} y={height - 6} text-anchor="middle">
                  {at + 1}
                </text>
              )}
            </g>
          );
        })}
        <polyline class="cost" points={line.join(' ')} />
        {columns.length <= 60 &&
          columns.map(({ id, cost }, at) => (
            <circle key={id} class="dot" cx={middle(at)} cy={top + tall - (cost / dearest) * tall} r="2.6" />
          ))}
        <text x={width - 50} y={top + 4}>
          {dearest > 1e-9 ? money(dearest) : ''}
        </text>
      </svg>
      <figcaption>
        <Legend of="read">read from cache</Legend> <Legend of="written">written</Legend>{' '}
        <Legend of="rest">neither</Legend> <Legend of="line">cost, {money(total)} in all</Legend>{' '}
        {all.some(({ broke }) => broke !== undefined) && <span class="item">✂ prefix broke</span>}
      </figcaption>
    </figure>
  );
}

export function Legend({ of, children }: { of: string; children: ComponentChildren }): JSX.Element {
  return (
    <span class="item">
      <span class={`key ${of}`} /> {children}
    </span>
  );
}
