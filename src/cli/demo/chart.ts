// Numbers → a bar chart as a real PNG file.
import { ink, openSheet } from './drawing.ts';
import type { InkColour } from './drawing.ts';

type Bar = { label: string; value: number };

const width = 640;
const height = 400;
const [left, bottom, top] = [70, 340, 80];
const blue: InkColour = [59, 130, 246];
const green: InkColour = [16, 185, 129];

/** Draws the chart; the highest bar stands out. */
export function chartPng(title: string, bars: readonly Bar[]): Uint8Array {
  const { fill, write, png } = openSheet(width, height);
  const most = Math.max(...bars.map((bar) => bar.value));
  const step = Math.floor((width - left - 40) / bars.length);
  write(title, left, 28, 5);
  for (const [at, { label, value }] of bars.entries()) {
    const high = Math.round(((bottom - top) * value) / most);
    const x = left + 24 + at * step;
    fill(x, bottom - high, step - 48, high, value === most ? green : blue);
    write(String(value), x + 12, bottom - high - 24, 4);
    write(label, x + 24, bottom + 16, 4);
  }
  fill(left, top - 20, 3, bottom - top + 20, ink);
  fill(left, bottom, width - left - 40, 3, ink);
  return png();
}
