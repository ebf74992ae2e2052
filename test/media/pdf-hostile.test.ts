// PDFs made to exhaust a reader, made on the spot. Each is read or refused within its time; the next one is read well.
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { read } from '../../src/media/index.ts';
import { some } from '../some.ts';
import { pdfSaying } from './make.ts';
import { pdfOf, streamOf } from './pdf-make.ts';

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const pages = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const page = (more = ''): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R ${more} >>`;
const drawing = '/Resources << /XObject << /I 5 0 R >> >>';

/** A gigabyte of spaces, compressed; it takes a megabyte. One of its megabytes is packed, and stands there as often. */
function packGigabyte(): Buffer {
  const megabyte = deflateRawSync(Buffer.alloc(1 << 20, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const [begin, end] = [Buffer.from([0x78, 0x01]), Buffer.from([0x03, 0x00])];
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(sumOfSpaces(1n << 30n));
  return Buffer.concat([begin, ...Array.from({ length: 1024 }, () => megabyte), end, sum]);
}

/** The checksum with which such a stream ends (Adler-32). */
function sumOfSpaces(count: bigint): number {
  const [low, high] = [1n + 32n * count, count + 16n * count * (count + 1n)].map((one) => one % 65_521n);
  return Number(((high ?? 0n) << 16n) | (low ?? 0n));
}

const gigabytePacked = packGigabyte();

/** The gigabyte as a stream object. */
function gigabyte(entries = ''): Buffer {
  const head = `<< /Length ${gigabytePacked.length} /Filter /FlateDecode ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), gigabytePacked, Buffer.from('\nendstream')]);
}

const branch = (at: number): string => `<< /Type /Pages /Kids [${at + 3} 0 R] /Count 1 /Parent ${at + 1} 0 R >>`;
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

const annotated = (count: number, note: string, more = ''): Buffer =>
  pdfOf([
    catalog.replace('>>', `${more} >>`),
    pages,
    page(`/Annots [${'5 0 R '.repeat(count)}]`),
    streamOf(''),
    `<< /Type /Annot /Rect [1 1 9 9] ${note} >>`,
  ]);

const rows: [string, () => Buffer, string[]][] = [
  ['a page tree that holds itself', () => pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R] /Count 5 >>']), ['corrupt']],
  [
    'a page tree in a circle',
    () => pdfOf([catalog, pages, '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 1 /Parent 2 0 R >>']),
    ['corrupt'],
  ],
  [
    'a page tree that never ends',
    () => {
      return pdfOf([catalog, ...Array.from({ length: 50_000 }, (_, at) => branch(at)), page()]);
    },
    ['corrupt', 'read'],
  ],
  [
    'two thousand million pages',
    () => pdfOf([catalog, pages.replace('/Count 1', '/Count 2000000000'), page(), streamOf('')]),
    ['read', 'corrupt'],
  ],
  ['a million comments', () => annotated(1_000_000, '/Subtype /Text /Contents (x)'), ['read']],
  [
    'a million links',
    () => annotated(1_000_000, '/Subtype /Link /A << /S /URI /URI (https://example.com/) >>'),
    ['read'],
  ],
  [
    'a million fields',
    () => annotated(1_000_000, '/Subtype /Widget /FT /Tx /T (a) /V (b)', '/AcroForm << /Fields [5 0 R] >>'),
    ['read'],
  ],
  [
    'bookmarks in bookmarks',
    () => {
      const deep = Array.from(
        { length: 50_000 },
        (_, at) => `<< /Title (b) /Parent ${at + 4} 0 R /First ${at + 6} 0 R >>`,
      );
      return pdfOf([catalog.replace('>>', '/Outlines 5 0 R >>'), pages, page(), streamOf(''), ...deep]);
    },
    ['read'],
  ],
  [
    'a page as large as a country',
    () => pdfOf([catalog, pages, page().replace('300 400', '1000000000 1000000000'), streamOf('')]),
    ['read'],
  ],
  ['a page of a gigabyte', () => pdfOf([catalog, pages, page(), gigabyte()]), ['corrupt', 'too-large', 'timed-out']],
  [
    'a picture of a gigabyte',
    () => {
      const entries =
        '/Type /XObject /Subtype /Image /Width 32768 /Height 32768 /ColorSpace /DeviceGray /BitsPerComponent 8';
      return pdfOf([catalog, pages, page(drawing), streamOf('q 300 0 0 400 0 0 cm /I Do Q'), gigabyte(entries)]);
    },
    ['read', 'corrupt', 'too-large', 'timed-out'],
  ],
  [
    'lists in lists',
    () => pdfOf([catalog, pages, page(`/X ${nested('[', ']', 200_000)}`), streamOf(nested('[', ']', 500_000))]),
    ['read', 'corrupt'],
  ],
  [
    'a drawing that draws itself twice',
    () => {
      const entries = `/Type /XObject /Subtype /Form /BBox [0 0 300 400] ${drawing}`;
      return pdfOf([catalog, pages, page(drawing), streamOf('/I Do'), streamOf('/I Do /I Do', entries)]);
    },
    ['read', 'corrupt', 'too-large', 'timed-out'],
  ],
];

describe.each(some(rows, 4))('a PDF with %s', (_what, make, outcomes) => {
  test('is read or refused in time', async () => {
    const bytes = make();
    const pdfMs = outcomes.includes('timed-out') ? 2000 : 120_000;
    for (const as of ['auto', 'image'] as const) {
      const result = await read(bytes, { name: 'bad.pdf', as, limits: { pdfMs, pageMs: 0 } });
      expect(outcomes).toContain(result.ok ? 'read' : result.refusal.code);
      if (!result.ok) expect(result.refusal.what).toContain('bad.pdf');
    }
    expect(await read(pdfSaying('sound'), { as: 'text' })).toMatchObject({ ok: true });
  });
});
