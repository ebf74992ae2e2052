// Node's Buffer is the judge of every encoding and decoding.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  base64Length,
  decodeBase64,
  encodeBase64,
  encodeBase64Stream,
  encodeByTable,
  parseDataUri,
} from '../../src/content/base64.ts';

const bytes = fc.uint8Array({ maxLength: 400 });

async function streamed(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const out: Uint8Array[] = [];
  for await (const chunk of encodeBase64Stream(chunks)) out.push(chunk);
  return Buffer.concat(out).toString('latin1');
}

/** Cuts an array at the given places. */
function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].toSorted((a, b) => a - b);
  return ends.map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
}

test('encoding gives what Buffer gives, and says its length beforehand', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const wanted = Buffer.from(given).toString('base64');
      expect(encodeBase64(given)).toBe(wanted);
      expect(Buffer.from(encodeByTable(given)).toString('latin1')).toBe(wanted);
      expect(base64Length(given.length)).toBe(wanted.length);
    }),
  );
});

test('a view into a larger buffer is encoded from its own start to its own end', () => {
  const whole = Uint8Array.from({ length: 64 }, (_, at) => at * 3);
  for (let start = 0; start < 5; start++) {
    const view = whole.subarray(start, 40 + start);
    expect(encodeBase64(view)).toBe(Buffer.from(view).toString('base64'));
  }
});

test('a stream gives one base64 text, wherever its chunks are cut', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.nat(), { maxLength: 12 }), async (given, places) => {
      expect(await streamed(cut(given, places))).toBe(Buffer.from(given).toString('base64'));
    }),
  );
});

async function* reusing(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(5);
  for (let round = 0; round < 7; round++) yield buffer.fill(round * 31 + 1);
}

test('a stream may reuse the buffer of its chunks', async () => {
  const whole = Array.from({ length: 35 }, (_, at) => Math.floor(at / 5) * 31 + 1);
  expect(await streamed(reusing())).toBe(Buffer.from(whole).toString('base64'));
});

/** The ways in which people really write base64. */
const spellings: readonly (readonly [string, (plain: string) => string])[] = [
  ['as it is', (plain) => plain],
  ['without padding', (plain) => plain.replaceAll('=', '')],
  ['with the letters for URLs', (plain) => plain.replaceAll('+', '-').replaceAll('/', '_')],
  ['for URLs and without padding', (plain) => plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
  ['wrapped after 76', (plain) => plain.replaceAll(/.{76}/g, '$&\n')],
  ['wrapped after 64 for mail', (plain) => plain.replaceAll(/.{64}/g, '$&\r\n')],
  ['indented', (plain) => plain.replaceAll(/.{20}/g, '$&\n\t  ')],
  ['with a line end', (plain) => `${plain}\n`],
];

test.each(spellings)('base64 %s decodes to its bytes', (_name, spell) => {
  fc.assert(
    fc.property(bytes, (given) => {
      const decoded = decodeBase64(spell(Buffer.from(given).toString('base64')));
      expect(decoded && Buffer.from(decoded)).toEqual(Buffer.from(given));
    }),
  );
});

const rubbish = [
  'A',
  'AAAAA',
  '=',
  '==',
  '====',
  'A===',
  'AA=',
  'AAA==',
  'AAAA=',
  'AAAA====',
  'AA==AA==',
  '=AAA',
  'AA=A',
  'AAA*',
  'AAA.',
  'AAAé',
  'AAA\u0000',
  'AAA\u{1f600}',
  'AAAŁ', // its low byte is a base64 letter
  'data:image/png;base64,AAAA',
  '{"a":1}',
  'hello world!',
];

test.each(rubbish)('%j is refused as base64', (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});

test('what is accepted is what Buffer reads; everything else is refused, nothing throws', () => {
  const letters = fc.constantFrom(...Array.from('ABCxyz019+/-_= \n!.é'));
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 30 }), (text) => {
      const decoded = decodeBase64(text);
      const body = text.replaceAll(/\s/g, '');
      const valid = /^[A-Za-z0-9+/_-]*={0,2}$/.test(body) && body.replaceAll('=', '').length % 4 !== 1;
      const padded = !body.includes('=') || body.length % 4 === 0;
      expect(decoded !== undefined).toBe(valid && padded);
      if (decoded) expect(Buffer.from(decoded)).toEqual(Buffer.from(text, 'base64'));
    }),
    { numRuns: 500 },
  );
});

const uris: readonly (readonly [string, { mediaType: string; data: string } | undefined])[] = [
  ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
  ['DATA:Image/PNG;BASE64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
  ['data:image/svg+xml;charset=utf-8;base64,AAAA', { mediaType: 'image/svg+xml', data: 'AAAA' }],
  ['data:application/pdf;name=a.pdf;base64,AA==', { mediaType: 'application/pdf', data: 'AA==' }],
  ['data:application/vnd.ms-excel;base64,', { mediaType: 'application/vnd.ms-excel', data: '' }],
  ['data:image/jpeg;base64,%2F9j%2f%0d%0A%2BA%3D%3d', { mediaType: 'image/jpeg', data: '/9j/\r\n+A==' }],
  ['data:;base64,AAAA', { mediaType: 'application/octet-stream', data: 'AAAA' }],
  ['data:image/png,AAAA', undefined],
  ['data:text/plain;charset=utf-8,hello', undefined],
  ['data:image/png;base64', undefined],
  [' see data:image/png;base64,AAAA', undefined],
  ['https://example.com/data:image/png;base64,AAAA', undefined],
  ['', undefined],
];

test.each(uris)('the data URI %j is taken apart', (text, wanted) => {
  expect(parseDataUri(text)).toEqual(wanted);
});
