// What a terminal says of itself when it is asked: that it draws sixel, and how large its characters are.
import { getCellDimensions, setCellDimensions } from '../kit.ts';
import type { TuiMainScreen } from '../kit.ts';
import type { Scene } from '../view/view.ts';
import type { CellSize } from './graphics.ts';
import { areaQuestion, cellIn, namesSixel } from './graphics.ts';

/** How large a character is: the terminal library asks, and what it was told is here. */
export function cellSize(): CellSize {
  const { widthPx: width, heightPx: height } = getCellDimensions();
  return { width, height };
}

/** Draws by sixel as soon as the terminal has said that it can and how large its characters are: one of both without the
 * other would be drawn over the words. The terminal library asks what the terminal is and how large a character is, and
 * keeps the answers to itself; some tell only how large all of them are. Ends when called. */
export function hearOfSixel(tui: TuiMainScreen, scene: Scene): () => void {
  const { terminal } = tui;
  let isSixel = false;
  let isMeasured = false;
  const hear = (data: Buffer | string): void => {
    const text = String(data);
    if (!isSixel && namesSixel(text)) {
      isSixel = true;
      terminal.write(areaQuestion);
    }
    const cell = isMeasured ? undefined : cellIn(text, terminal);
    if (cell) {
      setCellDimensions({ widthPx: cell.width, heightPx: cell.height });
      isMeasured = true;
    }
    if (!isSixel || !isMeasured) return;
    scene.graphics = 'sixel';
    scene.redraw();
    process.stdin.off('data', hear);
  };
  process.stdin.on('data', hear);
  const forget = tui.addInputListener((data) => (/^\p{Cc}\[\?[\d;]*S$/u.test(data) ? { consume: true } : undefined));
  return () => {
    process.stdin.off('data', hear);
    forget();
  };
}
