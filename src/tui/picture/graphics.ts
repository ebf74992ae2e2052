// What a terminal can show of a picture: a protocol of its own, or characters in many colours, or only words.

/** `blocks` are half-block characters in 24-bit colour. */
export type Graphics = 'kitty' | 'iterm2' | 'sixel' | 'blocks' | 'none';

const all: readonly string[] = ['kitty', 'iterm2', 'sixel', 'blocks', 'none'] satisfies Graphics[];

const kittyPrograms = new Set(['ghostty', 'wezterm', 'kitty']);
const sixelTerminals = /^(?:foot|mlterm|yaft|contour)|sixel/;

/** By what the terminal says of itself in the environment; `SIGHTLINE_GRAPHICS` knows better. */
export function graphicsOf(environment: NodeJS.ProcessEnv, isTerminal: boolean): Graphics {
  const wish = environment['SIGHTLINE_GRAPHICS'] ?? '';
  if (isGraphics(wish)) return wish;
  const terminal = environment['TERM'] ?? '';
  if (!isTerminal || terminal === 'dumb' || environment['NO_COLOR']) return 'none';
  const colours = /truecolor|24bit/i.test(environment['COLORTERM'] ?? '') ? 'blocks' : 'none';
  if (isMultiplexed(environment)) return colours;
  const program = (environment['TERM_PROGRAM'] ?? '').toLowerCase();
  if (environment['KITTY_WINDOW_ID'] || terminal.includes('kitty') || kittyPrograms.has(program)) return 'kitty';
  if (program === 'iterm.app' || environment['LC_TERMINAL'] === 'iTerm2') return 'iterm2';
  return sixelTerminals.test(terminal) ? 'sixel' : colours;
}

/** A multiplexer redraws its screen from characters alone. */
function isMultiplexed(environment: NodeJS.ProcessEnv): boolean {
  return Boolean(environment['TMUX']) || /^(?:screen|tmux)/.test(environment['TERM'] ?? '');
}

/** Whether a terminal may be able to do more than its environment says; it tells when it is asked what it is. */
export function mayDrawMore(environment: NodeJS.ProcessEnv, known: Graphics): boolean {
  const isTold = isGraphics(environment['SIGHTLINE_GRAPHICS'] ?? '') || Boolean(environment['NO_COLOR']);
  return (known === 'blocks' || known === 'none') && !isTold && !isMultiplexed(environment);
}

/** Whether the answer to "what are you" names sixel: attribute 4. */
export function namesSixel(answer: string): boolean {
  const [, attributes = ''] = /\p{Cc}\[\?([\d;]+)c/u.exec(answer) ?? [];
  return attributes.split(';').slice(1).includes('4');
}

function isGraphics(word: string): word is Graphics {
  return all.includes(word);
}

export type Cells = { columns: number; rows: number };

/** The pixels of one character; about these where the terminal does not tell. */
export type CellSize = { width: number; height: number };

export const usualCell: CellSize = { width: 9, height: 18 };

/** Asks how large all characters are, in pixels; some terminals answer only this. */
export const areaQuestion = '\u001B[?2;1;0S';
/** Asks both ways how large a character is. */
export const sizeQuestions: string = `\u001B[16t${areaQuestion}`;
/** Asks a terminal what it is; nearly every one answers, and after what it was asked before. */
export const whatAreYou = '\u001B[c';

/** How large a character is by an answer to either question, on a screen of so many. */
export function cellIn(answer: string, { columns, rows }: Cells): CellSize | undefined {
  const [, tall, wide] = /\p{Cc}\[6;(\d+);(\d+)t/u.exec(answer) ?? [];
  const [, across, down] = /\p{Cc}\[\?2;0;(\d+);(\d+)S/u.exec(answer) ?? [];
  const [width, height] =
    tall === undefined
      ? [Math.floor(Number(across) / columns), Math.floor(Number(down) / rows)]
      : [Number(wide), Number(tall)];
  return width > 1 && height > 1 ? { width, height } : undefined;
}

/** The room a picture takes inside a box of cells, its proportions kept; never larger than about its own pixels. */
export function cellsFor(picture: { width: number; height: number }, box: Cells, cell: CellSize = usualCell): Cells {
  const cellRatio = cell.height / cell.width;
  const natural = Math.ceil(picture.width / cell.width);
  const columns = Math.max(1, Math.min(box.columns, natural));
  const rows = Math.max(1, Math.round((columns * picture.height) / picture.width / cellRatio));
  if (rows <= box.rows) return { columns, rows };
  const narrow = Math.max(1, Math.round((box.rows * cellRatio * picture.width) / picture.height));
  return { columns: Math.min(box.columns, narrow), rows: box.rows };
}
