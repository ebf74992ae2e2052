import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ReadOptions } from '../../src/media/index.ts';
import { read } from '../../src/media/index.ts';
import { excerpt } from '../../src/media/text/page.ts';
import { file } from './make.ts';

const assets = memoryAssets();

async function shown(content: Uint8Array | string, options: ReadOptions = {}): Promise<string> {
  const result = await read(file('notes.txt', content), { assets, ...options });
  return result.ok ? result.value.output : `refused: ${result.refusal.code}`;
}

describe('text', () => {
  test.each([
    ['UTF-8', Buffer.from('grüße 👋\n'), 'grüße 👋\n'],
    ['UTF-8 with a mark', Buffer.from('\ufeffhello'), 'hello'],
    ['UTF-16, little end first', Buffer.from('\ufeffhello', 'utf16le'), 'hello'],
    ['UTF-16, big end first', Buffer.from('\ufeffhello', 'utf16le').swap16(), 'hello'],
    ['UTF-16 without a mark', Buffer.from('hello, wörld\n', 'utf16le'), 'hello, wörld\n'],
    ['UTF-16 without a mark, big end first', Buffer.from('hello, wörld\n', 'utf16le').swap16(), 'hello, wörld\n'],
    [
      'Windows-1252, which is told',
      Buffer.from('caf\u00e9 \u0080 5, na\u00efve', 'latin1'),
      '[Read as Windows-1252, because it is no Unicode text. Give encoding to read it as another.]\ncafé € 5, naïve',
    ],
    [
      'SVG source',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    ['bytes that are no text', Buffer.from([0x80, 0x81, 0xfe]), 'refused: unsupported'],
    ['mostly high bytes', Buffer.from('\u00e4\u00f6\u00fc\u00df ab', 'latin1'), 'refused: unsupported'],
    ['control characters and high bytes', Buffer.from('ab\u0001cd\u00e9', 'latin1'), 'refused: unsupported'],
    ['text with a zero byte', Buffer.from('a\u0000b'), 'refused: unsupported'],
  ])('in %s', async (_what, bytes, output) => {
    expect(await shown(bytes)).toBe(output);
  });

  test('of a page of HTML named .png is text all the same', async () => {
    const result = await read(file('error.png', '<!doctype html><h1>404</h1>'), { assets, as: 'text' });
    expect(result).toMatchObject({
      ok: true,
      value: { output: '<!doctype html><h1>404</h1>', data: { type: 'text' } },
    });
  });

  test('is a block of the same words, with its lines counted', async () => {
    expect(await read(file('a.txt', 'one\ntwo\n'), { assets })).toEqual({
      ok: true,
      value: {
        output: 'one\ntwo\n',
        blocks: [{ type: 'text', text: 'one\ntwo\n' }],
        data: { type: 'text', name: 'a.txt', size: 8, lines: 2, shown: [1, 2] },
      },
    });
  });

  test('longer than a reading is cut between lines, says so first, and is kept whole', async () => {
    const text = Array.from({ length: 5000 }, (_, at) => `line ${at + 1}`).join('\n');
    const result = await read(file('log.txt', text), { assets });
    if (!result.ok || result.value.data.type !== 'text') throw new Error('no text');
    const { output, data } = result.value;
    const last = data.shown[1];
    expect(output.length).toBeLessThanOrEqual(30_720);
    expect(output.split('\n')[0]).toBe(`[Lines 1-${last} of 5000. Use offset=${last + 1} to continue.]`);
    expect(Buffer.from((data.asset && (await assets.get(data.asset.id))) ?? []).toString()).toBe(text);
    const next = await shown(text, { offset: last + 1, limit: 2 });
    expect(next).toBe(
      `[Lines ${last + 1}-${last + 2} of 5000. Use offset=${last + 3} to continue.]\nline ${last + 1}\nline ${last + 2}`,
    );
  });

  test('of one endless line is cut between characters', async () => {
    const output = await shown('👋'.repeat(40_000));
    expect(output).toMatch(
      /^\[Line 1 of 1, characters 1-30,500 of 80,000\. Use offset=1 character=30501 to continue\.\]\n(👋)+$/u,
    );
    expect(output.isWellFormed()).toBe(true);
  });

  test.each([{ offset: 9 }, { offset: 0 }, { offset: -1 }, { offset: 1.5 }, { limit: 0 }])(
    'is refused at %j',
    async (options) => {
      expect(await shown('one\ntwo', options)).toBe('refused: bad-range');
    },
  );

  test('has its lines numbered when that is asked for', async () => {
    const ten = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join('\n');
    expect(await shown('a\nb', { lineNumbers: true })).toBe('1\ta\n2\tb');
    expect(await shown(ten, { lineNumbers: true, offset: 9 })).toBe('[Lines 9-10 of 10.]\n 9\tline 9\n10\tline 10');
  });

  test('keeps the beginning of a long line among others, and shows more of it alone', async () => {
    const text = `first\n${'👋'.repeat(20_000)}\nlast`;
    const among = await shown(text);
    expect(among.split('\n')).toEqual([
      '[Lines 1-3 of 3.]',
      'first',
      `${'👋'.repeat(1000)} [38,000 more characters; offset=2 limit=1 shows more]`,
      'last',
    ]);
    const alone = await shown(text, { offset: 2, limit: 1 });
    expect(alone.split('\n')).toEqual([
      '[Line 2 of 3, characters 1-30,500 of 40,000. Use offset=2 character=30501 to continue.]',
      '👋'.repeat(15_250),
    ]);
  });

  test.each([0, 1.5, 10])('with a place that its line does not have is refused: character %j', async (character) => {
    expect(await shown('one\nnine more', { offset: 2, character })).toBe('refused: bad-range');
  });

  test('is read on from a place inside a character as far as that can be shown, and an empty line has its one place', async () => {
    expect(await shown('a👋b', { offset: 1, character: 3 })).toBe('[Line 1 of 1, characters 3-4 of 4.]\n\ufffdb');
    expect(await shown('one\n\nthree', { offset: 2, character: 1 })).toMatch(/^\[Line 2 of 3\./);
    const result = await read(new Blob(['one\n\nthree']), { assets, offset: 2, character: 2 });
    expect(result).toMatchObject({ ok: false, refusal: { next: 'Use a character from 1 to 1.' } });
  });

  test('of one long line that fits is shown whole', async () => {
    expect(await shown('x'.repeat(20_000))).toBe('x'.repeat(20_000));
  });

  test('beyond the limit is refused where it cannot be read in parts', async () => {
    const result = await read(new Blob(['x'.repeat(2000)]).stream(), { limits: { textBytes: 1000 } });
    expect(result).toMatchObject({
      ok: false,
      refusal: { code: 'too-large', next: expect.stringContaining('offset') },
    });
  });
});

const words = (count: number): string => Array.from({ length: count }, (_, at) => `${at}: größe 👋`).join(' ');

describe('a text too long to be held', () => {
  const lines = Array.from({ length: 300_000 }, (_, at) => `line ${at + 1} größe`);
  const path = file('huge.log', `${lines.join('\n')}\n`);
  const limits = { textBytes: 100_000 };
  const part = async (source: string | Blob, options: ReadOptions = {}): Promise<string> => {
    const result = await read(source, { assets, limits, ...options });
    return result.ok ? result.value.output : `refused: ${result.refusal.code}`;
  };

  test('shows the lines asked for and how many there are', async () => {
    expect(await part(path, { offset: 200_001, limit: 2 })).toBe(
      '[Lines 200001-200002 of 300000. Use offset=200003 to continue.]\nline 200001 größe\nline 200002 größe',
    );
    expect(await part(path, { offset: 300_000 })).toBe('[Line 300000 of 300000.]\nline 300000 größe');
    const first = await part(path);
    expect(first.length).toBeLessThanOrEqual(30_720);
    expect(first).toMatch(/^\[Lines 1-\d+ of 300000\. Use offset=\d+ to continue\.\]\nline 1 größe\n/);
  });

  test('shows the same lines as when it is held', async () => {
    for (const options of [{}, { offset: 1000 }, { offset: 299_990 }, { offset: 5, limit: 7, lineNumbers: true }]) {
      const held = await read(path, { assets, ...options });
      expect(await part(path, options)).toBe(held.ok ? held.value.output : '');
    }
  });

  test.each([
    ['that is held', {}],
    ['that is not', { textBytes: 100_000 }],
  ])('with long lines is shown to its end by the notes alone, as one %s', async (_what, own) => {
    const long = [words(9000), 'short', words(7000), 'the end'];
    const [long1 = '', , long3 = ''] = long;
    const source = new Blob([long.join('\n')]);
    let [seen, options] = ['', { offset: 1, limit: 1 } as ReadOptions];
    for (let call = 0; call < 40; call += 1) {
      const result = await read(source, { assets, limits: own, ...options });
      const [note = '', ...shownLines] = result.ok ? result.value.output.split('\n') : [];
      seen += shownLines.join('\n');
      const [, offset, character] = /Use offset=(\d+)(?: character=(\d+))? to continue\.\]$/.exec(note) ?? [];
      if (offset === undefined) break;
      if (character === undefined) seen += '\n';
      options = { offset: Number(offset), limit: 1, ...(character !== undefined && { character: Number(character) }) };
    }
    expect(long1.length).toBeGreaterThan(100_000);
    expect(seen.split('\n').map((line) => line.length)).toEqual(long.map((line) => line.length));
    expect(seen).toBe(long.join('\n'));
    const beyond = await read(source, { assets, limits: own, offset: 3, character: long3.length + 1 });
    expect(beyond).toMatchObject({ ok: false, refusal: { next: `Use a character from 1 to ${long3.length}.` } });
  });

  test.each([{ offset: 300_001 }, { offset: 0 }, { limit: 0 }])('is refused at %j', async (options) => {
    expect(await part(path, options)).toBe('refused: bad-range');
  });

  test('keeps the beginning of a line without end', async () => {
    const endless = new Blob(['a\n', ...Array.from({ length: 64 }, () => '€'.repeat(50_000)), '\nz']);
    expect(await part(endless)).toBe(
      `[Lines 1-3 of 3.]\na\n${'€'.repeat(2000)} [3,198,000 more characters; offset=2 limit=1 shows more]\nz`,
    );
  });

  test('that turns out to be binary is refused, at its head or later', async () => {
    expect(await part(new Blob([new Uint8Array(200_000)]))).toBe('refused: unsupported');
    expect(await part(new Blob(['text\n'.repeat(20_000), new Uint8Array(10), 'text']), { offset: 20_000 })).toBe(
      'refused: unsupported',
    );
  });

  test('stops when nobody wants it any more', async () => {
    const stop = new AbortController();
    const going = part(path, { offset: 299_000, signal: stop.signal });
    stop.abort();
    expect(await going).toBe('refused: cancelled');
  });
});

test('reading on from every note shows every line once', () => {
  const text = fc.array(
    fc.string({ maxLength: 40, unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' ')),
    { minLength: 2, maxLength: 60 },
  );
  fc.assert(
    fc.property(text, (lines) => {
      const whole = `${lines.join('\n')}\n`;
      const seen: string[] = [];
      for (let offset = 1; offset <= lines.length;) {
        const part = excerpt(whole, { offset }, 400);
        if (!part.ok) throw new Error(part.refusal.what);
        if (part.value.whole) return;
        expect(part.value.output.length).toBeLessThanOrEqual(400);
        seen.push(...part.value.output.split('\n').slice(1));
        offset = part.value.shown[1] + 1;
      }
      expect(seen).toEqual(lines);
    }),
  );
});
