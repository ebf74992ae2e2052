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
  // A multiplexer redraws its screen from characters alone.
  if (environment['TMUX'] || /^(?:screen|tmux)/.test(terminal)) return colours;
  const program = (environment['TERM_PROGRAM'] ?? '').toLowerCase();
  if (environment['KITTY_WINDOW_ID'] || terminal.includes('kitty') || kittyPrograms.has(program)) return 'kitty';
  if (program === 'iterm.app' || environment['LC_TERMINAL'] === 'iTerm2') return 'iterm2';
  return sixelTerminals.test(terminal) ? 'sixel' : colours;
}

function isGraphics(word: string): word is Graphics {
  return all.includes(word);
}

export type Cells = { columns: number; rows: number };

/** A character cell is about twice as high as it is wide. */
const cellRatio = 2;

/** The room a picture takes inside a box of cells, its proportions kept; never larger than about its own pixels. */
export function cellsFor(picture: { width: number; height: number }, box: Cells): Cells {
  const natural = Math.ceil(picture.width / 8);
  const columns = Math.max(1, Math.min(box.columns, natural));
  const rows = Math.max(1, Math.round((columns * picture.height) / picture.width / cellRatio));
  if (rows <= box.rows) return { columns, rows };
  const narrow = Math.max(1, Math.round((box.rows * cellRatio * picture.width) / picture.height));
  return { columns: Math.min(box.columns, narrow), rows: box.rows };
}
