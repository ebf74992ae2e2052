// Pictures on terminals: what is written is read back, as the terminal would.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { read } from '../../src/media/index.ts';
import { halfBlocks, iterm2, kitty, sixel } from '../../src/tui/picture/encode.ts';
import type { PixelData } from '../../src/tui/picture/encode.ts';
import type { Graphics } from '../../src/tui/picture/graphics.ts';
import { cellIn, cellsFor, graphicsOf, mayDrawMore, namesSixel } from '../../src/tui/picture/graphics.ts';
import { pictureLines } from '../../src/tui/picture/picture.ts';

const escape = '\u001B';
const chart = new URL('../../examples/chart.png', import.meta.url);

function gradient(width: number, height: number): PixelData {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    data.set([Math.round((x * 255) / width), Math.round((y * 255) / height), (x * y) % 256], at * 3);
  }
  return { data, width, height };
}

test('half blocks hold every pixel of the picture', () => {
  const pixels = gradient(7, 5);
  const lines = halfBlocks(pixels);
  expect(lines).toHaveLength(3);
  const seen = lines.flatMap((line) => {
    const [upper, lower]: [number[], number[]] = [[], []];
    let colours = { above: [0], below: [0] };
    for (const [, above = '', below = ''] of line.matchAll(/(?:\[38;2;([\d;]+);48;2;([\d;]+)m)?▀/g)) {
      if (above) colours = { above: above.split(';').map(Number), below: below.split(';').map(Number) };
      upper.push(...colours.above);
      lower.push(...colours.below);
    }
    return [upper, lower];
  });
  expect(seen.slice(0, 5).flat()).toEqual([...pixels.data]);
});

test('Kitty gets the PNG in pieces that it can take, and as many rows as it fills', () => {
  const png = readFileSync(chart);
  const [sequence = '', ...rest] = kitty(png, { columns: 40, rows: 12 }, 7);
  expect(rest).toEqual(Array.from({ length: 11 }, () => ''));
  const pieces = [...sequence.matchAll(new RegExp(String.raw`${escape}_G([^;]*);([^${escape}]*)${escape}\\`, 'g'))];
  expect(pieces.map(([all]) => all).join('')).toBe(sequence);
  expect(Math.max(...pieces.map(([, , data = '']) => data.length))).toBeLessThanOrEqual(4096);
  expect(pieces[0]?.[1]).toContain('f=100');
  expect(pieces[0]?.[1]).toContain('c=40,r=12');
  expect(pieces.map(([, controls = '']) => controls.includes('m=1'))).toEqual(
    pieces.map((_, at) => at < pieces.length - 1),
  );
  expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64').equals(png)).toBe(true);
});

test.each([
  ['its own size', `${escape}[6;18;9t${escape}[?62;4c`, { width: 9, height: 18 }],
  ['the size of all', `${escape}[?2;0;720;384S${escape}[?62;4c`, { width: 9, height: 16 }],
  ['its own size first', `${escape}[6;20;10t${escape}[?2;0;720;384S`, { width: 10, height: 20 }],
  ['neither', `${escape}[?62;4c`, undefined],
  ['a size that no character has', `${escape}[6;0;0t`, undefined],
])('how large a character is, from a terminal that tells %s', (_, answer, cell) => {
  expect(cellIn(answer, { columns: 80, rows: 24 })).toEqual(cell);
});

test('iTerm2 gets the bytes with their length', () => {
  const png = readFileSync(chart);
  const lines = iterm2(png, { columns: 30, rows: 9 });
  expect(lines).toHaveLength(9);
  const [, size, data = ''] =
    /File=inline=1;size=(\d+);width=30;height=9[^:]*:([\w+/=]*)\p{Cc}$/u.exec(lines[8] ?? '') ?? [];
  expect(Number(size)).toBe(png.length);
  expect(Buffer.from(data, 'base64').equals(png)).toBe(true);
});

/** What a sixel terminal would paint. */
function paintSixel(text: string): PixelData {
  const [, width = 0, height = 0] = (/Pq"1;1;(\d+);(\d+)/.exec(text) ?? []).map(Number);
  const data = new Uint8Array(width * height * 3);
  const colours = new Map<number, number[]>();
  let [x, top, colour] = [0, 0, 0];
  const body = text.slice(text.indexOf(`${width};${height}`) + `${width};${height}`.length, -2);
  for (const [all, number, red, green, blue, count, sign] of body.matchAll(
    /#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(?:!(\d+))?([?-~])|\$|-/g,
  )) {
    if (number !== undefined) {
      colour = Number(number);
      if (red !== undefined)
        colours.set(
          colour,
          [red, green, blue].map((part) => (Number(part) * 255) / 100),
        );
    } else if (all === '$') x = 0;
    else if (all === '-') [x, top] = [0, top + 6];
    else if (sign !== undefined) {
      const bits = sign.charCodeAt(0) - 63;
      for (let run = Number(count ?? 1); run > 0; run--, x++) {
        for (let y = 0; y < 6; y++)
          if (bits & (1 << y)) data.set(colours.get(colour) ?? [], ((top + y) * width + x) * 3);
      }
    }
  }
  return { data, width, height };
}

function mean(data: Uint8Array): number {
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}

test('a sixel picture painted again looks like the picture', () => {
  const pixels = gradient(64, 33);
  const painted = paintSixel(sixel(pixels));
  expect([painted.width, painted.height]).toEqual([64, 33]);
  const difference = pixels.data.reduce((sum, value, at) => sum + Math.abs(value - (painted.data[at] ?? 0)), 0);
  expect(difference / pixels.data.length).toBeLessThan(26); // half a step of the palette
  expect(Math.abs(mean(painted.data) - mean(pixels.data))).toBeLessThan(4);
});

test.each<[NodeJS.ProcessEnv, Graphics]>([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'kitty'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ TERM: 'foot', COLORTERM: 'truecolor' }, 'sixel'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'blocks'],
  [{ TERM: 'xterm-256color' }, 'none'],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1', COLORTERM: 'truecolor' }, 'blocks'],
  [{ TERM: 'xterm-kitty', NO_COLOR: '1' }, 'none'],
  [{ TERM: 'dumb' }, 'none'],
  [{ TERM: 'dumb', SIGHTLINE_GRAPHICS: 'sixel' }, 'sixel'],
])('%j shows pictures by %s', (environment, graphics) => {
  expect(graphicsOf(environment, true)).toBe(graphics);
});

test.each([
  ['\u001B[?63;1;2;4;6;9;15;22c', true],
  ['\u001B[?62;4c', true],
  ['\u001B[?4c', false], // the first number is the class of the terminal
  ['\u001B[?62;14;40c', false],
  ['a key', false],
])('%j says whether sixel is drawn: %s', (answer, is) => {
  expect(namesSixel(answer)).toBe(is);
});

test('a terminal is asked for more only where nobody knows better', () => {
  const rows: [NodeJS.ProcessEnv, boolean][] = [
    [{ TERM: 'xterm' }, true],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, true],
    [{ TERM: 'xterm-kitty' }, false],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/x', COLORTERM: 'truecolor' }, false],
    [{ TERM: 'xterm', NO_COLOR: '1' }, false],
    [{ TERM: 'xterm', SIGHTLINE_GRAPHICS: 'blocks' }, false],
  ];
  for (const [environment, may] of rows)
    expect([environment, mayDrawMore(environment, graphicsOf(environment, true))]).toEqual([environment, may]);
});

test('a picture keeps its proportions in cells', () => {
  expect(cellsFor({ width: 1600, height: 800 }, { columns: 80, rows: 30 })).toEqual({ columns: 80, rows: 20 });
  expect(cellsFor({ width: 400, height: 4000 }, { columns: 80, rows: 30 })).toEqual({ columns: 6, rows: 30 });
  expect(cellsFor({ width: 16, height: 16 }, { columns: 80, rows: 30 })).toEqual({ columns: 2, rows: 1 });
});

test('a file from disk arrives on every kind of terminal, and as nothing where there is none', async () => {
  const assets = memoryAssets();
  const reading = await read(chart, { assets });
  const block = reading.ok ? reading.value.blocks.find((item): item is ImageBlock => item.type === 'image') : undefined;
  if (!block) throw new Error('the chart is no picture');
  const box = { columns: 40, rows: 20 };
  const lines = async (graphics: Graphics): Promise<string[]> => await pictureLines(block, graphics, box, assets);
  expect(await lines('none')).toEqual([]);
  const blocks = await lines('blocks');
  expect(blocks).toHaveLength(cellsFor(block, box).rows);
  expect(blocks.every((line) => line.match(/▀/g)?.length === cellsFor(block, box).columns)).toBe(true);
  expect((await lines('kitty'))[0]).toContain('\u001B_Ga=T,f=100');
  expect((await lines('iterm2')).at(-1)).toContain('1337;File=');
  const drawn = await lines('sixel');
  expect(drawn).toHaveLength(blocks.length);
  const [, , high = 0] = (/Pq"1;1;(\d+);(\d+)/.exec(drawn.at(-1) ?? '') ?? []).map(Number);
  expect(high % 6).toBe(0); // a band more, and a terminal at its last line would scroll
  expect(high).toBeLessThan(blocks.length * 18);
});
