// How pictures are drawn on the terminal of a command that says something and ends.
import { cellIn, graphicsOf, mayDrawMore, namesSixel, sizeQuestions, whatAreYou } from '../tui/picture/graphics.ts';
import type { CellSize, Graphics } from '../tui/picture/graphics.ts';
import { askTerminal } from './terminal.ts';

export type Drawing = { graphics: Graphics; cell?: CellSize };

/** As the environment says, or better where the terminal says so itself. */
export async function drawingHere(): Promise<Drawing> {
  const graphics = graphicsOf(process.env, process.stdout.isTTY);
  if (!mayDrawMore(process.env, graphics)) return { graphics };
  const answer = await askTerminal(`${sizeQuestions}${whatAreYou}`, /\p{Cc}\[\?[\d;]*c/u);
  const cell = cellIn(answer, process.stdout);
  return namesSixel(answer) && cell ? { graphics: 'sixel', cell } : { graphics };
}
