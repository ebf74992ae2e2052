// Text is not a picture, and no picture is text.
import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Block } from '../../src/content/block.ts';
import { openIntake } from '../../src/media/index.ts';
import { maxRun } from '../../src/content/limits.ts';
import { checkBlocks, checkText as guardText } from '../../src/tool/check.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { cpuMs } from '../cpu.ts';
import {
  animation,
  base64,
  dataUri,
  holds,
  kinds,
  otherPicture,
  paper,
  photo,
  picture,
  png,
  urlSafe,
  wrapped,
} from './samples.ts';
import { mediaOf, shape, wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

/** Bytes that look random and are the same in every run. */
function noise(length: number, seed = 'seed'): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at * 32 < length; at++) parts.push(createHash('sha256').update(`${seed}${at}`).digest());
  return Buffer.concat(parts).subarray(0, length);
}

const zip = (length: number): Buffer =>
  Buffer.concat([Buffer.from('PK\u0003\u0004\u0014\u0000', 'latin1'), noise(length)]);
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const fold = (text: string, width: number): string => (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');

const minified = `!function(e,t){"use strict";${lines(300, (at) => `var a${at}=function(n){return n?e.call(this,t[${at}]||0x${at.toString(16)}):void 0};`).replaceAll('\n', '')}}(window,[]);`;
const hexdump = lines(
  400,
  (at) =>
    `${(at * 16).toString(16).padStart(8, '0')}  ${noise(16, `${at}`).toString('hex').replaceAll(/../g, '$& ')} |................|`,
);
const jwt = [
  { alg: 'RS256', typ: 'JWT' },
  { sub: '1234567890', name: 'Ada', scope: 'read write '.repeat(40) },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')
  .concat('.', noise(256, 'jwt').toString('base64url'));
const certificate = `-----BEGIN CERTIFICATE-----\n${fold(noise(1500, 'pem').toString('base64'), 64)}\n-----END CERTIFICATE-----\n`;
const log = lines(
  1800,
  (at) =>
    `2026-11-15T06:00:${String(at % 60).padStart(2, '0')}Z INFO worker[${at}] decoded base64 payload image/png id=${noise(16, `log${at}`).toString('hex')} data:none`,
);
const source = `export function decode(text: string): Uint8Array {\n  // data:image/png;base64,… and /9j/ heads\n  const head = 'iVBORw0KGgo';\n${lines(500, (at) => `  const veryLongIdentifierNumber${at}_thatNobodyWouldEverWriteByHandButGeneratorsDo_${at}: number = ${at};`)}\n}\n`;
const svg = `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M${lines(500, (at) => `${at} ${at * 2}L`).replaceAll('\n', '')}"/></svg>`;
const key = `ssh-rsa ${Buffer.concat([Buffer.from('\u0000\u0000\u0000\u0007ssh-rsa'), noise(500, 'ssh')]).toString('base64')} me@host`;
const lock = lines(200, (at) => `    "integrity": "sha512-${createHash('sha512').update(`${at}`).digest('base64')}",`);
const sourceMap = `x();\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify({ version: 3, mappings: 'AAAA;'.repeat(300) })).toString('base64')}\n`;

const corpus: readonly (readonly [string, string])[] = [
  ['minified JavaScript', minified],
  ['a hex dump', hexdump],
  ['hex without breaks', noise(4000, 'hex').toString('hex')],
  ['a JWT', jwt],
  ['a PEM certificate', certificate],
  ['a private key', certificate.replaceAll('CERTIFICATE', 'RSA PRIVATE KEY')],
  ['an SSH key', key],
  ['a lock file', lock],
  ['a source map', sourceMap],
  ['base64 of a small zip', zip(3000).toString('base64')],
  ['base64 of a zip, wrapped', fold(zip(60_000).toString('base64'), 76)],
  ['base64 of compressed text', deflateRawSync(Buffer.from(log)).subarray(0, 9000).toString('base64')],
  ['a data URI of text', `see data:text/plain;base64,${Buffer.from('hello '.repeat(50)).toString('base64')} there`],
  ['a log of 200 kB with the word base64', log],
  ['source code', source],
  ['SVG source', svg],
  ['a short DNA sequence', 'ACGT'.repeat(4000)],
  ['a FASTA file', `>seq1\n${lines(2000, (at) => 'ACGTTGCA'.repeat(8).slice(at % 4))}`],
  [
    'long URLs',
    lines(
      50,
      (at) =>
        `https://example.com/a/b/${noise(90, `url${at}`).toString('base64url')}?q=${noise(60, `q${at}`).toString('hex')}`,
    ),
  ],
  [
    'paths',
    lines(
      100,
      (at) =>
        `/home/user/projects/some-very-long-folder-name/another_long_folder/node_modules/package-${at}/dist/index`,
    ),
  ],
  ['rules', ['-', '_', '=', '*', '/', '+', '#'].map((letter) => letter.repeat(200)).join('\n')],
  ['a table with rules', `${'-'.repeat(79)}\n| a | b |\n${'-'.repeat(79)}\n`],
  [
    'the first letters of pictures',
    lines(
      1,
      () =>
        `iVBORw0KGgo${'A'.repeat(500)}\n/9j/${'B'.repeat(500)}\nR0lGOD${'C'.repeat(500)}\nUklGR${'D'.repeat(500)}\nJVBERi0${'E'.repeat(500)}`,
    ),
  ],
  ['a broken data URI', `data:image/png;base64,${'A'.repeat(300)}`],
  ['a template', '<img src="data:image/png;base64,{{ data }}"> data:image/jpeg;base64, data:;base64,'],
  [
    'a list of UUIDs',
    lines(300, (at) =>
      noise(16, `uuid${at}`)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    ),
  ],
  ['words of many scripts', 'Größe 大小 размер حجم גודל 😀👩‍👩‍👧 '.repeat(200)],
  ['Windows line ends', 'a line\r\n'.repeat(500)],
  [
    'JSON as text',
    JSON.stringify({ a: noise(200).toString('hex'), b: [{ data: noise(200).toString('base64') }] }, undefined, 4),
  ],
];

describe('text passes byte for byte:', () => {
  test.each(corpus)('%s', async (_name, text) => {
    const { intake } = openTestIntake();
    expect(await guardText(text, intake)).toEqual({ text, media: [], refused: [] });
    expect(await normaliseResult(text, intake, { maxText: text.length })).toEqual({
      content: [{ type: 'text', text }],
    });
    const block: Block = { type: 'text', text };
    expect((await checkBlocks([block], intake)).content[0]).toBe(block);
  });

  test('through the real intake too', async () => {
    const intake = openIntake({ assets: memoryAssets() });
    for (const [, text] of corpus) {
      expect(await normaliseResult(text, intake, { maxText: text.length })).toEqual({
        content: [{ type: 'text', text }],
      });
    }
  });

  const data = corpus.filter(([name]) => !name.includes('zip')); // an archive in a field that is called base64 is one
  test.each(data)('inside an object: %s', async (_name, text) => {
    const value = { file: 'a.txt', content: text, base64: text, screenshot: text };
    const result = await normaliseResult(value, openTestIntake().intake);
    expect(mediaOf(result)).toEqual([]);
    expect(result.details).toEqual(value);
  });

  test('any text without media', async () => {
    const { intake } = openTestIntake();
    const run = fc.string({ unit: fc.constantFrom(...Array.from('ACGTacgt0129+/-_')), maxLength: 300 });
    const headed = fc.tuple(
      fc.constantFrom('iVBORw0KGgo', '/9j/', 'R0lGOD', 'data:image/png;base64,', 'data:', ''),
      run,
    );
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      headed.map(([head, tail]) => head + tail),
      fc.constantFrom('\n', '\r\n', '=', '==', '\\n', ' ', '\u0000'),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        expect(await guardText(given, intake)).toEqual({ text: given, media: [], refused: [] });
        fc.pre(given.trim() !== '');
        expect(await normaliseResult(given, intake)).toEqual({ content: [{ type: 'text', text: given }] });
      }),
      { numRuns: 300 },
    );
  });
});

describe('a long unbroken run that is no medium', () => {
  test('stays text, however long it is', async () => {
    const { intake } = openTestIntake();
    const letters = noise(maxRun * 2, 'limit')
      .toString('base64')
      .replaceAll('=', '');
    const text = `a ${letters} z`;
    expect(await guardText(text, intake)).toEqual({ text, media: [], refused: [] });
  });

  test('of a zip can be fetched from the store, and the text around it stays', async () => {
    const { intake, assets } = openTestIntake();
    const bytes = zip(40_000);
    const { id } = await openTestIntake().assets.put(bytes, { mediaType: 'x/y' });
    const result = await normaliseResult(`Archive:\n${bytes.toString('base64')}\nDone.`, intake);
    expect(wordsOf(result)).toBe(
      `Archive:\n[not shown: input.zip is a zip archive, which is not supported. Convert it. Kept as asset ${id.slice(7, 15)}, 40,006 bytes.]\nDone.`,
    );
    expect(Buffer.from((await assets.get(id)) ?? []).equals(bytes)).toBe(true);
  });

  const runs: readonly (readonly [string, string])[] = [
    ['DNA', 'ACGT'.repeat(5000)],
    ['DNA of an odd length', `${'ACGT'.repeat(5000)}AC`],
    ['DNA of another odd length', `${'ACGT'.repeat(5000)}ACG`],
    ['DNA that cannot be base64', `${'ACGT'.repeat(5000)}A`],
    ['hex', noise(20_000, 'hex').toString('hex')],
    ['base64 for URLs', noise(20_000, 'url').toString('base64url')],
    ['one letter', 'A'.repeat(50_000)],
  ];

  test.each(runs)('loses no letter and can be read on: %s', async (_name, run) => {
    const { intake, assets } = openTestIntake();
    const whole = `before ${run} after`;
    expect((await guardText(whole, intake)).text).toBe(whole);
    const { content, kept = [] } = await normaliseResult(whole, intake, { maxText: 5000, canReadOn: true });
    expect(wordsOf({ content })).toMatch(
      /^\[The first [\d,]+ of [\d,]+ characters; .*Call read_asset_text[^]*\nbefore /,
    );
    expect(Buffer.from((kept[0] && (await assets.get(kept[0].id))) ?? []).toString()).toBe(whole);
  });
});

test.each([0, 1, 2, 3])(
  'a picture cut by a limit leaves no letters behind, %i letters past a group of four',
  async (spare) => {
    const intake = openIntake({ assets: memoryAssets() });
    const letters = base64(png(3, 2, 3000)).slice(0, 3600 + spare);
    for (const value of [
      `Here: ${letters}`,
      `Here: ${letters}\n\n… cut`,
      { screenshot: letters },
      { log: `a ${letters}` },
      `> ${fold(letters, 76).replaceAll('\n', '\n> ')}`,
    ]) {
      const said = wordsOf(await normaliseResult(value, intake));
      expect(said).toContain('[not shown: ');
      expect(said.length).toBeLessThan(300);
    }
  },
);

test('the word behind a small picture that is cut stays', async () => {
  const letters = base64(png(3, 2, 600)).slice(0, 604);
  const result = await normaliseResult(`see ${letters} which ends`, openIntake({ assets: memoryAssets() }));
  expect(wordsOf(result)).toMatch(/^see \[not shown: [^\]]*\] which ends$/);
});

describe('a medium inside text is lifted out', () => {
  const places: readonly (readonly [string, (letters: string) => string, (note: string) => string])[] = [
    ['between words', (x) => `see ${x} there`, (x) => `see ${x} there`],
    ['alone', (x) => x, (x) => x],
    ['in quotes', (x) => `src="${x}"`, (x) => `src="${x}"`],
    ['in brackets', (x) => `url(${x})`, (x) => `url(${x})`],
    ['after an equals sign', (x) => `shot=${x};`, (x) => `shot=${x};`],
    ['on a line of its own', (x) => `a\n${x}\nb`, (x) => `a\n${x}\nb`],
    ['under a rule of dashes', (x) => `${'-'.repeat(70)}\n${x}`, (x) => `${'-'.repeat(70)}\n${x}`],
    ['under a rule of underscores', (x) => `${'_'.repeat(70)}\n${x}`, (x) => `${'_'.repeat(70)}\n${x}`],
    ['under a rule of slashes', (x) => `${'/'.repeat(70)}\n${x}`, (x) => `${'/'.repeat(70)}\n${x}`],
    ['above a rule of dashes', (x) => `${x}\n${'-'.repeat(70)}`, (x) => `${x}\n${'-'.repeat(70)}`],
    [
      'under a long path',
      (x) => `/home/user/${'folder/'.repeat(9)}x\n${x}`,
      (x) => `/home/user/${'folder/'.repeat(9)}x\n${x}`,
    ],
    [
      'above a long path',
      (x) => `${x}\n/home/user/${'folder/'.repeat(9)}x`,
      (x) => `${x}\n/home/user/${'folder/'.repeat(9)}x`,
    ],
    ['above a long name', (x) => `${x}\nScreenshotSavedSuccessfully`, (x) => `${x}\nScreenshotSavedSuccessfully`],
    ['above a word', (x) => `${x}\nDone`, (x) => `${x}\nDone`],
    ['in a Markdown picture', (x) => `![shot](${x})`, (x) => `![shot](${x})`],
    ['in a Python literal', (x) => `b'${x}'`, (x) => `b'${x}'`],
    ['after a line break written in JSON', (x) => `{"a":"Saved.\\n${x}"}!`, (x) => `{"a":"Saved.\\n${x}"}!`],
    ['after a tab written in JSON', (x) => `{"a":"Saved.\\t${x}"}!`, (x) => `{"a":"Saved.\\t${x}"}!`],
    ['with Windows line ends', (x) => `a\r\n${x}\r\nb`, (x) => `a\r\n${x}\r\nb`],
  ];
  const note = '[1. image "image.png" 3×2]';

  // Pictures whose base64 ends with two, one and no signs of padding.
  const endings = [0, 1, 2].map((spare) => png(3, 2, spare));

  test.each(places)('%s', async (_name, place, wanted) => {
    for (const one of endings) {
      for (const letters of [
        base64(one),
        dataUri(one),
        urlSafe(one),
        dataUri(one).replace('data:image/png;base64', 'DATA:Image/PNG;BASE64'),
      ]) {
        const found = await guardText(place(letters), openTestIntake().intake);
        expect(found.media.map(({ asset }) => asset.id)).toEqual([one.id]);
        expect(found.text).toBe(wanted(note));
      }
    }
  });

  test.each(['\n', '\r\n', '\r', '\\n', '\\r\\n', '\\\\n', '\n  ', '\r\n\t', ' \n', '\n> ', '\n> > ', ' ', '  '])(
    'when it was wrapped with %j, however long its last line is',
    async (end) => {
      for (const width of [64, 76]) {
        for (let spare = 0; spare < 60; spare++) {
          const one = png(3, 2, spare);
          const found = await guardText(`Here:\n${wrapped(one, width, end)}\n\nDone.`, openTestIntake().intake);
          expect(found.media.map(({ asset }) => asset.id)).toEqual([one.id]);
          expect(found.text).toBe(`Here:\n${note}\n\nDone.`);
        }
      }
    },
  );

  test.each(['\n', '\n  ', '\n> ', ' '])('with the words that stand right behind its last line and %j', async (end) => {
    for (let spare = 0; spare < 60; spare++) {
      const one = png(3, 2, spare);
      for (const after of ['Done', 'Saved', 'ScreenshotSavedSuccessfully', `/home/user/${'x'.repeat(80)}`]) {
        const found = await guardText(`${wrapped(one, 76, end)}${end}${after}`, openTestIntake().intake);
        expect(found.media.map(({ asset }) => asset.id)).toEqual([one.id]);
        expect(found.text).toBe(`${note}${end}${after}`);
      }
    }
  });

  test('as the bytes of a Buffer in JSON, among words and in JSON within JSON', async () => {
    const json = JSON.stringify({ pic: picture.bytes, n: 1 });
    for (const text of [
      `Result: ${json}!`,
      JSON.stringify({ text: json }),
      JSON.stringify({ pic: picture.bytes }, null, 2),
    ]) {
      const found = await guardText(`${text} ${base64(photo)}`, openTestIntake().intake);
      expect(found.media.map(({ asset }) => asset.id)).toEqual([picture.id, photo.id]);
      expect(found.text).toMatch(/^[^\d]*\[1\. image "image\.png" 3×2\][^[]*\[2\. image "image\.jpeg" 6×5\]$/);
    }
    const text = `see {"type":"Buffer","data":[104,105]} and {"type":"Buffer","data":[1,2 and ${JSON.stringify(Buffer.from('hi there'))}`;
    expect(await guardText(text, openTestIntake().intake)).toEqual({ text, media: [], refused: [] });
  });

  test('with each of its neighbours, in order', async () => {
    for (const first of endings) {
      for (const between of ['\n', ' ', '\r\n', '","', '\n\n', '\\n']) {
        const several = [first, photo, animation, otherPicture, paper];
        const found = await guardText(several.map(base64).join(between), openTestIntake().intake);
        expect(found.media.map(({ asset }) => asset.id)).toEqual(several.map(({ id }) => id));
        expect(found.text.match(/\d+(?=\. (?:image|PDF))/g)).toEqual(['1', '2', '3', '4', '5']);
      }
    }
  });

  test.each(kinds)('whatever it is: a %s', async (_name, one) => {
    for (const letters of [base64(one), dataUri(one), wrapped(one), urlSafe(one)]) {
      const result = await normaliseResult(`see\n${letters}\nthere`, openTestIntake().intake);
      expect(mediaOf(result)).toEqual([one.id]);
      expect(holds(wordsOf(result), one)).toBe(false);
      expect(shape(result)[0]).toMatch(/^see\n\[1\. [^\]]+\]\nthere$/);
    }
  });

  test('of many millions of letters', async () => {
    const large = png(3, 2, 12_000_000);
    const result = await normaliseResult(`see ${base64(large)}\nthere`, openTestIntake().intake);
    expect(mediaOf(result)).toEqual([large.id]);
    expect(shape(result)).toEqual([`see ${note}\nthere`, '‹image/png 3×2›']);
  });

  test('of very many lines, in a time that grows with them and not with their square', async () => {
    for (const [spare, mostMs] of [
      [300_000, 5000],
      [9_000_000, 30_000],
    ] as const) {
      // the small one first: it ends
      const large = png(3, 2, spare);
      const text = `see ${wrapped(large, 60)}\nthere`;
      const taken = await cpuMs(async () => {
        const result = await normaliseResult(text, openTestIntake().intake);
        expect(mediaOf(result)).toEqual([large.id]);
        expect(shape(result)).toEqual([`see ${note}\nthere`, '‹image/png 3×2›']);
      });
      expect(taken).toBeLessThan(mostMs);
    }
  });

  test('so that megabytes of other text take no time', async () => {
    for (const text of [
      'A'.repeat(6_000_000),
      `${'A'.repeat(59)}\n`.repeat(100_000),
      'data:a;'.repeat(300_000),
      `iVBORw0KGgo${'A'.repeat(60)}${' '.repeat(60)}`.repeat(30_000),
      `iVBORw0KGgo${'A'.repeat(60)}${'\\'.repeat(2_000_000)}`,
      `data:image/png;base64,${'%2F%0A '.repeat(500_000)}`,
      '{"type":"Buffer","data":[1,'.repeat(150_000),
      `{"type":"Buffer","data":[${'1,'.repeat(2_000_000)}`,
      '-'.repeat(3_000_000),
    ]) {
      expect(await cpuMs(() => guardText(text, openTestIntake().intake)), text.slice(0, 8)).toBeLessThan(10_000);
    }
  });

  test('and once lifted out, the text is left alone', async () => {
    const { intake } = openTestIntake();
    const text = `a ${base64(picture)} b ${zip(20_000).toString('base64')} c ${randomBytes(9).toString('hex')}`;
    const once = await guardText(text, intake);
    expect(await guardText(once.text, intake)).toEqual({ text: once.text, media: [], refused: [] });
  });
});

test('in a message, each text keeps its place and its media follow it, counted through', async () => {
  const { intake } = openTestIntake();
  const call: Block = { type: 'call', id: 'c', name: 'n', input: { shot: base64(picture) } };
  const { content: found } = await checkBlocks(
    [{ type: 'text', text: `one ${base64(picture)}` }, call, { type: 'text', text: `two ${base64(photo)}` }],
    intake,
  );
  expect(shape({ content: found })).toEqual([
    'one [1. image "image.png" 3×2]',
    '‹image/png 3×2›',
    '‹call›',
    'two [2. image "image.jpeg" 6×5]',
    '‹image/jpeg 6×5›',
  ]);
  expect(found[2]).toBe(call);
});
