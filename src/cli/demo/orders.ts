// A page of a shop as a person sees it on a large screen: many orders in small letters, far more pixels than a model takes.
import { openSheet } from './drawing.ts';
import type { InkColour } from './drawing.ts';

const [width, height, columns, perColumn] = [2880, 1800, 3, 34];
const towns = ['LYON', 'GHENT', 'TURIN', 'BASEL', 'PORTO', 'MALMO', 'GRAZ', 'DELFT'];
const [head, late, line]: InkColour[] = [
  [37, 99, 235],
  [254, 226, 226],
  [229, 231, 235],
];

/** The screenshot; what is late stands on red. */
export function ordersPng(): Uint8Array {
  const { fill, write, png } = openSheet(width, height);
  fill(0, 0, width, 26, head ?? [0, 0, 0]);
  write('ORDERS THAT WAIT', 60, 60, 9);
  const wide = Math.floor((width - 120) / columns);
  for (let at = 0; at < columns * perColumn; at++) {
    const [x, y] = [60 + Math.floor(at / perColumn) * wide, 160 + (at % perColumn) * 47];
    const days = (at * 37) % 19;
    if (days > 14) fill(x - 8, y - 10, wide - 40, 40, late ?? [0, 0, 0]);
    fill(x - 8, y + 33, wide - 40, 2, line ?? [0, 0, 0]);
    const order = `${10_400 + at * 7}  ${(towns[(at * 5) % towns.length] ?? '').padEnd(8)} ${String(3 + ((at * 11) % 60)).padStart(2)} BOXES`;
    write(`${order}  ${days > 14 ? `${days} DAYS LATE` : `${days} DAYS`}`, x, y, 4);
  }
  return png();
}
