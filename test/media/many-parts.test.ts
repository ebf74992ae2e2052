// Files made of very many small things: each is read, or refused in a sentence of its own, and the caller is free meanwhile.
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { imageHeader, structuralFault } from '../../src/media/image/formats.ts';
import { gif } from '../../src/media/image/format/gif.ts';
import { png } from '../../src/media/image/format/png.ts';
import { tiff } from '../../src/media/image/format/tiff.ts';
import { webp } from '../../src/media/image/format/webp.ts';
import { read } from '../../src/media/index.ts';

const assets = memoryAssets();

test('a notebook cell of 130,000 outputs is read', async () => {
  const outputs = Array.from({ length: 130_000 }, () => ({ output_type: 'stream', text: 'x' }));
  const book = { cells: [{ cell_type: 'code', source: '', outputs }], nbformat: 4 };
  const result = await read(Buffer.from(JSON.stringify(book)), { assets, name: 'many.ipynb' });
  expect(result).toMatchObject({ ok: true, value: { data: { type: 'document', kind: 'ipynb' } } });
});

test('a mail whose subject is a million encoded words is read', async () => {
  const mail = `From: a@example.org\nSubject: ${'=?utf-8?q?x?= '.repeat(1_000_000)}\n\nWords.\n`;
  const result = await read(Buffer.from(mail), { assets, name: 'many.eml' });
  expect(result.ok ? '' : result.refusal.what).toBe('');
});

describe('a picture of very many pieces', () => {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const film = Buffer.concat([
    Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u0000\u0000\u0000\u00ff\u00ff\u00ff', 'latin1'),
    ...Array.from({ length: 1_000_000 }, () => frame),
    Buffer.from([0x3b]),
  ]);

  test('a GIF of a million frames shows its first one', async () => {
    const result = await read(film, { assets, name: 'long.gif' });
    expect(result).toMatchObject({
      ok: true,
      value: {
        blocks: [{ type: 'image', width: 1, height: 1, origin: { made: expect.stringContaining('first frame') } }],
      },
    });
  });

  test('the frames are not counted to their end, which would keep the caller busy', () => {
    const result = imageHeader(gif, film);
    expect(result).toMatchObject({ header: { animated: true, rare: 'a film of countless frames' } });
    expect(result).not.toHaveProperty('header.frames');
    expect(structuralFault(gif, film)).toBeUndefined();
  });

  test.each([
    ['PNG', png, pngOf],
    ['WebP', webp, webpOf],
  ])('a %s is walked no further than a hundred thousand chunks', (_name, format, make) => {
    expect(structuralFault(format, make(1_000_000))).toBe('it is made of more than 100000 chunks');
    expect(String(structuralFault(format, make(1000)))).not.toContain('100000');
  });

  test('the pages of a TIFF are not counted where each claims more than any page has', async () => {
    expect(imageHeader(tiff, tiffOf(10_000))).toEqual({ fault: 'it says 65535 things about one page' });
  });
});

function pngOf(chunks: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108000000', 'hex');
  const body = Buffer.from('tEXt', 'latin1');
  const one = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  one.writeUInt32BE(crc32(body), 8);
  const start = Buffer.alloc(33);
  head.copy(start);
  start.writeUInt32BE(crc32(start.subarray(12, 29)), 29);
  return Buffer.concat([start, ...Array.from({ length: chunks }, () => one)]);
}

function webpOf(chunks: number): Buffer {
  const one = Buffer.from('ANMF\u0000\u0000\u0000\u0000', 'latin1');
  const start = Buffer.from(
    `RIFF\u0000\u0000\u0000\u0000WEBPVP8X\u000a\u0000\u0000\u0000\u0002${'\u0000'.repeat(9)}`,
    'latin1',
  );
  const bytes = Buffer.concat([start, ...Array.from({ length: chunks }, () => one)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

/** Pages whose lists of facts lie over one another, each as long as a list can be. */
function tiffOf(pages: number): Buffer {
  const [most, first] = [0xffff, 8];
  const length = 2 + most * 12;
  const bytes = Buffer.alloc(first + length + pages * 6);
  bytes.write('II*\u0000', 'latin1');
  bytes.writeUInt32LE(first, 4);
  for (let page = 0; page < pages; page += 1) {
    const at = first + page * 6;
    bytes.writeUInt16LE(most, at);
    bytes.writeUInt32LE(page + 1 < pages ? at + 6 : 0, at + length);
  }
  return bytes;
}
