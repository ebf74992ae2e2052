import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exifOrientation } from '../../src/media/image/exif.ts';
import type { ImageFormat } from '../../src/media/image/format.ts';
import { avif } from '../../src/media/image/format/avif.ts';
import { bmp as bmpFormat } from '../../src/media/image/format/bmp.ts';
import { gif } from '../../src/media/image/format/gif.ts';
import { ico as icoFormat } from '../../src/media/image/format/ico.ts';
import { jpeg } from '../../src/media/image/format/jpeg.ts';
import { png } from '../../src/media/image/format/png.ts';
import { tiff } from '../../src/media/image/format/tiff.ts';
import { webp } from '../../src/media/image/format/webp.ts';
import type { HeaderResult } from '../../src/media/image/formats.ts';
import { imageHeader, structuralFault, withoutMetadata } from '../../src/media/image/formats.ts';
import { bmp, dib, ico, packed } from './bitmap-make.ts';
import { chunk, noise, plain } from './make.ts';

const sources: [string, ImageFormat, Buffer][] = [
  ['a PNG', png, await noise(131, 77).png().toBuffer()],
  ['an interlaced PNG with a palette', png, await plain(131, 77).png({ palette: true, progressive: true }).toBuffer()],
  ['a PNG of sixteen bits', png, await noise(131, 77).toColourspace('rgb16').png().toBuffer()],
  ['a baseline JPEG', jpeg, await noise(131, 77).jpeg().toBuffer()],
  ['a progressive JPEG', jpeg, await noise(131, 77).jpeg({ progressive: true }).toBuffer()],
  ['a grey JPEG', jpeg, await noise(131, 77).greyscale().jpeg().toBuffer()],
  ['a GIF', gif, await noise(131, 77).gif().toBuffer()],
  ['a lossy WebP', webp, await noise(131, 77).webp().toBuffer()],
  ['a lossless WebP', webp, await noise(131, 77).webp({ lossless: true }).toBuffer()],
  ['a WebP with alpha', webp, await noise(131, 77, 4).webp().toBuffer()],
];

/** As a file is read: a short head first, longer ones only when the parser asks. */
function grow(format: ImageFormat, bytes: Buffer): { result: HeaderResult; read: number } {
  let read = Math.min(32, bytes.length);
  let result = imageHeader(format, bytes.subarray(0, read));
  while ('need' in result && read < bytes.length) {
    read = Math.min(bytes.length, result.need);
    result = imageHeader(format, bytes.subarray(0, read));
  }
  return { result, read };
}

describe.each(sources)('%s', (_what, format, bytes) => {
  test('is measured from its head alone', () => {
    const { result, read } = grow(format, bytes);
    expect(result).toMatchObject({ header: { type: format.type, width: 131, height: 77, orientation: 1 } });
    expect(read).toBeLessThan(bytes.length);
  });

  test('has a sound structure, also without its metadata', () => {
    expect(structuralFault(format, bytes)).toBeUndefined();
    expect(structuralFault(format, withoutMetadata(format, bytes))).toBeUndefined();
  });

  test('is known to be cut wherever it is cut', () => {
    for (let length = 40; length < bytes.length; length += Math.ceil(bytes.length / 400)) {
      expect(structuralFault(format, bytes.subarray(0, length)), `cut at ${length}`).toBeTypeOf('string');
    }
  });

  test('never throws, whatever bytes are changed', () => {
    const change = fc.record({
      at: fc.nat(bytes.length - 1),
      value: fc.nat(255),
      length: fc.integer({ min: 12, max: bytes.length }),
    });
    fc.assert(
      fc.property(change, ({ at, value, length }) => {
        const changed = Buffer.from(bytes);
        changed[Math.max(at, 12)] = value;
        imageHeader(format, changed.subarray(0, length));
        structuralFault(format, changed.subarray(0, length));
        withoutMetadata(format, changed.subarray(0, length));
      }),
    );
  });
});

const row = Array.from({ length: 131 }, () => 0x12_3456);
const rows = packed(
  Array.from({ length: 77 }, () => row),
  24,
);
const mask = Buffer.alloc(20 * 77);
const converted: [string, ImageFormat, Buffer][] = [
  ['an AVIF', avif, await noise(131, 77).avif().toBuffer()],
  ['a TIFF', tiff, await noise(131, 77).tiff().toBuffer()],
  ['a large TIFF', tiff, await noise(131, 77).tiff({ bigtiff: true }).toBuffer()],
  ['a BMP', bmpFormat, bmp({ width: 131, height: -77, bits: 24 }, rows)],
  ['an icon', icoFormat, ico({ width: 131, height: 77, bytes: await noise(131, 77).png().toBuffer() })],
  [
    'an icon with a bitmap',
    icoFormat,
    ico({ width: 131, height: 77, bytes: dib({ width: 131, height: 154, bits: 24 }, Buffer.concat([rows, mask])) }),
  ],
];

describe.each(converted)('%s', (_what, format, bytes) => {
  test('is measured without decoding', () => {
    expect(grow(format, bytes).result).toMatchObject({
      header: { type: format.type, width: 131, height: 77, orientation: 1 },
    });
    expect(structuralFault(format, bytes)).toBeUndefined();
  });

  test('never throws, whatever bytes are changed', () => {
    const change = fc.record({
      at: fc.nat(Math.min(bytes.length - 1, 400)),
      value: fc.nat(255),
      length: fc.integer({ min: 12, max: bytes.length }),
    });
    fc.assert(
      fc.property(change, ({ at, value, length }) => {
        const changed = Buffer.from(bytes);
        changed[Math.max(at, 4)] = value;
        imageHeader(format, changed.subarray(0, length));
        structuralFault(format, changed.subarray(0, length));
        imageHeader(format, changed);
        structuralFault(format, changed);
      }),
    );
  });
});

test.each([
  [
    'little-endian',
    'II*\u0000\u0008\u0000\u0000\u0000\u0001\u0000\u0012\u0001\u0003\u0000\u0001\u0000\u0000\u0000\u0006\u0000\u0000\u0000',
    6,
  ],
  [
    'big-endian',
    'MM\u0000*\u0000\u0000\u0000\u0008\u0000\u0001\u0001\u0012\u0000\u0003\u0000\u0000\u0000\u0001\u0000\u0003\u0000\u0000',
    3,
  ],
  [
    'an impossible value',
    'II*\u0000\u0008\u0000\u0000\u0000\u0001\u0000\u0012\u0001\u0003\u0000\u0001\u0000\u0000\u0000\u0009\u0000\u0000\u0000',
    1,
  ],
  ['a directory beyond the end', 'II*\u0000\u00ff\u0000\u0000\u0000', 1],
  ['nothing', '', 1],
])('the orientation of EXIF with %s is read', (_what, exif, orientation) => {
  expect(exifOrientation(Buffer.from(exif, 'latin1'))).toBe(orientation);
});

/** A segment of a JPEG behind two fill bytes. */
function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xff, 0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 4);
  return Buffer.concat([head, data]);
}

test('a JPEG is walked past fill bytes, foreign segments and thumbnails inside EXIF', async () => {
  const thumbnail = await plain(8, 8).jpeg().toBuffer();
  const exif = Buffer.concat([
    Buffer.from('Exif\u0000\u0000II*\u0000\u0008\u0000\u0000\u0000\u0000\u0000', 'latin1'),
    thumbnail,
  ]);
  const photo = await noise(131, 77).jpeg().toBuffer();
  const parts = [
    photo.subarray(0, 2),
    segment(0xe1, exif),
    segment(0xe7, Buffer.alloc(60_000, 0xff)),
    photo.subarray(2),
  ];
  const bytes = Buffer.concat(parts);
  expect(grow(jpeg, bytes).result).toMatchObject({ header: { width: 131, height: 77 } });
  expect(structuralFault(jpeg, bytes)).toBeUndefined();
  expect(withoutMetadata(jpeg, bytes).length).toBeLessThanOrEqual(photo.length);
});

test('a picture without metadata comes back byte for byte', () => {
  for (const [what, format, bytes] of sources) {
    const once = withoutMetadata(format, bytes);
    expect(withoutMetadata(format, once), what).toBe(once);
  }
});

test('words, dates and what follows the end are cut from a PNG, its colours stay', async () => {
  const picture = await noise(9, 9).png().toBuffer();
  const secret = [
    chunk('tEXt', Buffer.from('Author\u0000somebody')),
    chunk('tIME', Buffer.alloc(7)),
    chunk('gAMA', Buffer.from([0, 0, 177, 143])),
  ];
  const bytes = Buffer.concat([
    picture.subarray(0, 33),
    ...secret,
    picture.subarray(33),
    Buffer.from('trailing somebody'),
  ]);
  const cut = Buffer.from(withoutMetadata(png, bytes));
  expect(cut.includes('somebody')).toBe(false);
  expect(cut.includes('gAMA')).toBe(true);
});
