// Files made to hang, flood or crash a reader. Each ends quickly, as a refusal or as a picture that is really one.
// SIGHTLINE_MUTANTS sets how many damaged pictures are tried; SIGHTLINE_SEED repeats a run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Read } from '../../src/content/refusal.ts';
import type { Reading, ReadOptions, Source } from '../../src/media/index.ts';
import { read } from '../../src/media/index.ts';
import { effort } from '../effort.ts';
import { bmp, ico, packed } from './bitmap-make.ts';
import { corpusPath, entries } from './corpus.ts';
import { claimedPng, file, folder, noise, plain } from './make.ts';

const assets = memoryAssets();
const linux = process.platform === 'linux';

async function outcome(source: Source, options: ReadOptions = {}): Promise<string> {
  const result = await read(source, { assets, ...options });
  return result.ok ? 'read' : result.refusal.code;
}

/** A GIF that shows a dot again and again. */
function gif(frames: number, edge: number): Buffer {
  const head = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
  head.writeUInt16LE(edge, 6);
  head.writeUInt16LE(edge, 8);
  const frame = Buffer.from('21f90400010000002c0000000001000100000202440100', 'hex');
  return Buffer.concat([head, Buffer.alloc(frame.length * frames, frame), Buffer.from([0x3b])]);
}

/** The same bytes with something else written at a place. */
function changed(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

const [png, jpeg, webp, lossless] = [
  await noise(60, 40).png().toBuffer(),
  await noise(60, 40).jpeg().toBuffer(),
  await noise(60, 40, 4).webp().toBuffer(),
  await noise(60, 40).webp({ lossless: true }).toBuffer(),
];
const large = await noise(900, 700).png().toBuffer();
const frameHeader = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const endless = Buffer.concat([png.subarray(0, 33), Buffer.from([0x7f, 0xff, 0xff, 0xf0]), Buffer.from('eXIf'), png]);
const dot = packed([[0]], 24);

describe('a hazard', () => {
  test.each([
    ['a PNG of 50000×50000', claimedPng(50_000, 50_000), 'too-many-pixels'],
    ['a PNG with a chunk of two gigabytes', endless, 'corrupt'],
    ['a GIF of 65535×65535', gif(1, 65_535), 'too-many-pixels'],
    ['a GIF of ten thousand frames', gif(10_000, 10), 'read'],
    ['a GIF of ten thousand large frames', gif(10_000, 1000), 'read'],
    ['a JPEG that claims 65500×65500', changed(jpeg, frameHeader + 5, 0xff, 0xdc, 0xff, 0xdc), 'too-many-pixels'],
    ['a JPEG that claims a hundred times its rows', changed(jpeg, frameHeader + 5, 15, 160), 'read'],
    ['a WebP that claims another size', changed(webp, 24, 0xff, 0x3f, 0, 0xff, 0x3f, 0), 'too-many-pixels'],
    ['a WebP that claims to be longer', changed(lossless, 4, 0xff, 0xff, 0xff, 0x7f), 'corrupt'],
    ['a BMP of two pixels less than it says', bmp({ width: 2, height: 2, bits: 24 }, dot), 'corrupt'],
    ['a BMP that packs millions of pixels into four bytes', runs(5000, 4000), 'read'],
    ['an icon that points behind its end', changed(ico({ width: 9, height: 9, bytes: png }), 18, 255, 255), 'corrupt'],
    ['a TIFF with a directory at its own end', Buffer.from('49492a000c000000000000000000ffff', 'hex'), 'corrupt'],
    [
      'a large TIFF with endless entries',
      Buffer.from(`49492b00080000001000000000000000${'ff'.repeat(40)}`, 'hex'),
      'corrupt',
    ],
    [
      'an AVIF with a box of no length',
      Buffer.from('0000001c6674797061766966000000000000000000000000000000006d657461', 'hex'),
      'corrupt',
    ],
    ['nothing', Buffer.alloc(0), 'empty'],
    ['the signature of a PNG', png.subarray(0, 8), 'corrupt'],
    ['the signature of a JPEG', jpeg.subarray(0, 3), 'corrupt'],
    ['the signature of a GIF', gif(1, 1).subarray(0, 6), 'corrupt'],
    ['the signature of a WebP', webp.subarray(0, 12), 'corrupt'],
    ['the signature of an icon', Buffer.from([0, 0, 1, 0]), 'corrupt'],
  ])('of %s ends', async (_what, bytes, code) => {
    expect(await outcome(bytes)).toBe(code);
    expect(await outcome(file('hazard.bin', bytes))).toBe(code);
  });

  test('of a picture that never ends as a stream is left', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(endless),
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
    });
    expect(await outcome(stream, { limits: { imageBytes: 1_000_000 } })).toMatch(/too-large|corrupt/);
  });
});

/** A bitmap of a few bytes whose runs leave nearly everything out. */
function runs(width: number, height: number): Buffer {
  return bmp({ width, height, bits: 8, compression: 1, palette: [[9, 9, 9]] }, Buffer.from([5, 0, 0, 1]));
}

describe.runIf(linux)('a path', () => {
  const inside = join(folder, 'allowed');
  mkdirSync(inside);
  const pipe = join(folder, 'pipe.png');
  execFileSync('mkfifo', [pipe]);
  symlinkSync(join(folder, 'gone.png'), join(inside, 'dangling.png'));
  symlinkSync('/etc/hostname', join(inside, 'out.png'));
  symlinkSync(inside, join(inside, 'round'));
  symlinkSync(join(inside, 'loop.png'), join(inside, 'loop.png'));

  test.each([
    ['a pipe nobody writes to', pipe, 'unsupported'],
    ['a folder', inside, 'unsupported'],
    ['an endless device', '/dev/zero', 'unsupported'],
    ['an empty device', '/dev/null', 'unsupported'],
    ['a link to nothing', join(inside, 'dangling.png'), 'not-found'],
    ['a link to itself', join(inside, 'loop.png'), 'not-found'],
    ['a link out of the allowed folders', join(inside, 'out.png'), 'not-allowed'],
    ['a way out through a link', join(inside, 'round', '..', '..', 'pipe.png'), 'not-allowed'],
  ])('to %s is refused', async (_what, path, code) => {
    const options = code === 'not-allowed' ? { roots: [inside] } : {};
    expect(await outcome(path, options)).toBe(code);
  });
});

describe('a file that changes while it is read', () => {
  test.each([
    ['is cut', (path: string) => truncateSync(path, 4000)],
    ['grows', (path: string) => writeFileSync(path, Buffer.alloc(100_000), { flag: 'a' })],
    ['becomes another', (path: string) => writeFileSync(path, jpeg)],
    ['is emptied', (path: string) => truncateSync(path, 0)],
  ])('and %s ends as a picture or a refusal', async (_what, change) => {
    for (let turns = 0; turns < 8; turns += 1) {
      const path = file('changing.png', large);
      const reading = read(path, { assets });
      for (let waited = 0; waited < turns; waited += 1) await turn();
      change(path);
      await expectSound(await reading);
    }
  });
});

/** A refusal with all its words, or a picture that any decoder takes for what its block says. */
async function expectSound(result: Read<Reading>): Promise<void> {
  if (!result.ok) {
    expect(result.refusal.what).not.toBe('');
    expect(result.refusal.next).not.toBe('');
    return;
  }
  for (const block of result.value.blocks) {
    if (block.type !== 'image') continue;
    const decoded = sharp(await assets.get(block.asset.id), { failOn: 'error' });
    const { width, height, format } = await decoded.metadata();
    expect([width, height, `image/${format}`]).toEqual([block.width, block.height, block.asset.mediaType]);
    await decoded.resize(8, 8, { fit: 'fill' }).raw().toBuffer();
  }
}

/** Numbers that look random and are the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** One to four small damages: bytes changed, numbers made huge, parts cut out, doubled or lost at the end. */
function mutant(bytes: Buffer, roll: (below: number) => number): Buffer {
  let copy = Buffer.from(bytes);
  for (let damages = 1 + roll(4); damages > 0 && copy.length > 8; damages -= 1) {
    const at = roll(roll(2) === 0 ? Math.min(copy.length, 256) : copy.length);
    const kind = roll(6);
    if (kind <= 1) copy[at] = roll(256);
    else if (kind === 2) copy.fill(0xff, at, Math.min(at + 4, copy.length));
    else if (kind === 3) copy = copy.subarray(0, Math.max(1, at));
    else if (kind === 4) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + roll(40))]);
    else copy = Buffer.concat([copy.subarray(0, at), copy.subarray(Math.max(0, at - roll(40)))]);
  }
  return copy;
}

test('damaged pictures end as refusals or as sound pictures', { timeout: 3_600_000 }, async () => {
  const count = effort.mutants;
  const seed = Number(process.env['SIGHTLINE_SEED'] ?? 20_261_115);
  const known = entries('image').filter(({ bytes, expect: { hazard } }) => bytes < 40_000 && hazard === undefined);
  const own = [png, jpeg, webp, lossless, gif(3, 20), await plain(60, 40).tiff().toBuffer(), runs(20, 20)];
  const sources = [...own, ...known.map(({ file: name }) => readFileSync(corpusPath(name)))];
  const roll = dice(seed);
  let sound = 0;
  const mutants = Array.from({ length: count }, (_, at) => ({
    at,
    bytes: mutant(sources[roll(sources.length)] ?? png, roll),
  }));
  const one = async ({ at, bytes }: { at: number; bytes: Buffer }): Promise<void> => {
    try {
      const result = await read(bytes, { assets, limits: { imageMs: 8000, svgMs: 2000 } });
      await expectSound(result);
      sound += result.ok ? 1 : 0;
    } catch (cause) {
      throw new Error(`mutant ${at} of seed ${seed}: ${String(cause)}`, { cause });
    }
  };
  const lane = async (from: number): Promise<void> => {
    for (let at = from; at < mutants.length; at += 4) await one(mutants[at] ?? { at, bytes: png });
  };
  await Promise.all([0, 1, 2, 3].map(lane));
  expect(sound, 'many damages hurt nothing').toBeGreaterThan(count / 20);
  expect(sound, 'many damages hurt').toBeLessThan(count - count / 20);
});
