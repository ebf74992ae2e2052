// What stands on a terminal, with its colours, as SVG: one picture, or many with their times. A row that stands in several
// pictures is written once.

type Cell = {
  text: string;
  ink: string;
  paper: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underlined: boolean;
};
type Palette = { ink: string; paper: string; colours: readonly string[] };

export const dark: Palette = {
  ink: '#d8dce2',
  paper: '#14171c',
  colours:
    '#2a2e35 #f0716b #7ec77b #e0b45c #6ea8f0 #c792ea #5fc7d4 #d8dce2 #6b7280 #ff938a #9be39a #f5d07a #9cc4ff #ddb3f8 #8be3ec #ffffff'.split(
      ' ',
    ),
};
export const light: Palette = {
  ink: '#1d2125',
  paper: '#fbfaf7',
  colours:
    '#1d2125 #b3261e #1d6b3a #8a5a00 #1f4fa3 #7a2fa0 #0f6470 #5d656d #7b838b #d0453c #2d8a50 #a87510 #3a6fd0 #9a4fc4 #17808f #1d2125'.split(
      ' ',
    ),
};

const [wide, high, size] = [8.4, 18, 14];

/** A moment of the screen, and for how many milliseconds it stays. */
export type Frame = { screen: string; ms: number };

/** The frames one after the other, for ever. */
export function moving(frames: readonly Frame[], columns: number, rows: number, palette: Palette): string {
  const known = new Map<string, string>();
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let at = 0;
  const rules: string[] = [];
  const shown = frames.map(({ screen, ms }, index) => {
    const [from, to] = [(at / total) * 100, ((at + ms) / total) * 100];
    at += ms;
    const before = from > 0 ? `0%,${(from - 0.0005).toFixed(4)}%{opacity:0}` : '';
    const after = to < 100 ? `${to.toFixed(4)}%,to{opacity:0}` : '';
    rules.push(`@keyframes f${index}{${before}${from.toFixed(4)}%{opacity:1}${after}}`);
    rules.push(`.f${index}{animation:f${index} ${(total / 1000).toFixed(2)}s infinite step-end}`);
    return `<g class="f${index}" opacity="${index === frames.length - 1 ? 1 : 0}">${rowsOf(screen, rows, palette, known)}</g>`;
  });
  return page(shown.join('\n'), columns, rows, palette, known, rules.join(''));
}

/** One moment. */
export function still(screen: string, columns: number, rows: number, palette: Palette): string {
  const known = new Map<string, string>();
  const shown = rowsOf(screen, rows, palette, known);
  return page(shown, columns, rows, palette, known, '');
}

function page(
  shown: string,
  columns: number,
  rows: number,
  palette: Palette,
  known: Map<string, string>,
  rules: string,
): string {
  const [width, height] = [Math.ceil(columns * wide + 24), rows * high + 24];
  const symbols = [...known].map(([content, id]) => `<g id="${id}">${content}</g>`).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text{white-space:pre}${rules}</style>
<rect width="100%" height="100%" rx="10" fill="${palette.paper}"/>
<defs>${symbols}</defs>
<g transform="translate(12 12)" fill="${palette.ink}" font-size="${size}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" shape-rendering="crispEdges">
${shown}
</g>
</svg>
`;
}

function rowsOf(screen: string, rows: number, palette: Palette, known: Map<string, string>): string {
  return screen
    .split('\n')
    .slice(0, rows)
    .map((line, row) => {
      const content = rowOf(line, palette);
      if (content === '') return '';
      const id = known.get(content) ?? `r${known.size}`;
      known.set(content, id);
      return `<use href="#${id}" y="${row * high}"/>`;
    })
    .join('');
}

/** Grounds below, letters above; half blocks are two rectangles, whatever the font makes of them. */
function rowOf(line: string, palette: Palette): string {
  const runs = cellsOf(line, palette);
  let [grounds, letters, x] = ['', '', 0];
  for (const { text, ink, paper, bold, dim, italic, underlined } of runs) {
    const width = columnsOf(text) * wide;
    const place = `x="${round(x)}" width="${round(width)}"`;
    if (paper !== palette.paper) grounds += `<rect ${place} height="${high}" fill="${paper}"/>`;
    if (/^▀+$/.test(text)) grounds += `<rect ${place} height="${high / 2}" fill="${ink}"/>`;
    else if (text.trim() !== '') {
      const looks = [
        ink === palette.ink ? '' : ` fill="${ink}"`,
        bold ? ' font-weight="700"' : '',
        dim ? ' opacity=".62"' : '',
        italic ? ' font-style="italic"' : '',
        underlined ? ' text-decoration="underline"' : '',
      ].join('');
      letters += `<text x="${round(x)}" y="13.5" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"${looks}>${escapedText(text)}</text>`;
    }
    x += width;
  }
  return grounds + letters;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function columnsOf(text: string): number {
  return Array.from(text).reduce(
    (sum, sign) =>
      sum + (/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u.test(sign) ? 2 : 1),
    0,
  );
}

function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Runs of one look each. */
function cellsOf(line: string, palette: Palette): Cell[] {
  const runs: Cell[] = [];
  let look = plainLook(palette);
  for (const part of line.split(/(\p{Cc}\[[\d;]*m)/u)) {
    const [, codes] = /^\p{Cc}\[([\d;]*)m$/u.exec(part) ?? [];
    if (codes !== undefined) look = changed(look, codes === '' ? [0] : codes.split(';').map(Number), palette);
    else if (part !== '') runs.push({ ...look, text: part });
  }
  const last = runs.at(-1);
  if (last && last.paper === palette.paper) last.text = last.text.trimEnd();
  return runs;
}

type Look = Omit<Cell, 'text'>;

function plainLook({ ink, paper }: Palette): Look {
  return { ink, paper, bold: false, dim: false, italic: false, underlined: false };
}

function changed(before: Look, codes: readonly number[], palette: Palette): Look {
  let look = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const isPaper = code === 48;
    if (code === 38 || isPaper) {
      const [kind, ...more] = codes.slice(at + 1);
      const colour = kind === 2 ? `rgb(${more.slice(0, 3).join(',')})` : (palette.colours[more[0] ?? 7] ?? palette.ink);
      look = isPaper ? { ...look, paper: colour } : { ...look, ink: colour };
      at += kind === 2 ? 4 : 2;
    } else look = { ...look, ...simple(code, look, palette) };
  }
  return look;
}

function simple(code: number, { ink, paper }: Look, palette: Palette): Partial<Look> {
  const within = (start: number): string => palette.colours[code - start] ?? palette.ink;
  if (code === 0) return plainLook(palette);
  if (code >= 30 && code <= 37) return { ink: within(30) };
  if (code >= 90 && code <= 97) return { ink: within(82) };
  if (code >= 40 && code <= 47) return { paper: within(40) };
  const table: Record<number, Partial<Look>> = {
    1: { bold: true },
    2: { dim: true },
    3: { italic: true },
    4: { underlined: true },
    7: { ink: paper, paper: ink },
    22: { bold: false, dim: false },
    23: { italic: false },
    24: { underlined: false },
    27: { ink: palette.ink, paper: palette.paper },
    39: { ink: palette.ink },
    49: { paper: palette.paper },
  };
  return table[code] ?? {};
}
