import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/asset/memory.ts';
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
    [
      'SVG source',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    ['a page of HTML', Buffer.from('<html><p>hi</p></html>'), '<html><p>hi</p></html>'],
    ['bytes that are no text', Buffer.from([0x80, 0x81, 0xfe]), 'refused: unsupported'],
    ['text with a zero byte', Buffer.from('a\u0000b'), 'refused: unsupported'],
  ])('in %s', async (_what, bytes, output) => {
    expect(await shown(bytes)).toBe(output);
  });

  test('of a page of HTML named .png is text all the same', async () => {
    const result = await read(file('error.png', '<!doctype html><h1>404</h1>'), { assets });
    expect(result).toMatchObject({ ok: true, value: { data: { type: 'text' } } });
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
    expect(output.split('\n')[0]).toBe(`[Showing lines 1-${last} of 5000. Use offset=${last + 1} to continue.]`);
    expect(Buffer.from((data.asset && (await assets.get(data.asset.id))) ?? []).toString()).toBe(text);
    const next = await shown(text, { offset: last + 1, limit: 2 });
    expect(next).toBe(
      `[Showing lines ${last + 1}-${last + 2} of 5000. Use offset=${last + 3} to continue.]\nline ${last + 1}\nline ${last + 2}`,
    );
  });

  test('of one endless line is cut between characters', async () => {
    const output = await shown('👋'.repeat(40_000));
    expect(output).toMatch(/^\[Showing the first [\d,]+ of 80,000 characters of line 1 of 1\.\]\n(👋)+$/u);
    expect(output.isWellFormed()).toBe(true);
  });

  test.each([{ offset: 9 }, { offset: 0 }, { offset: -1 }, { offset: 1.5 }, { limit: 0 }])(
    'is refused at %j',
    async (options) => {
      expect(await shown('one\ntwo', options)).toBe('refused: bad-range');
    },
  );

  test('beyond the limit of a text is refused before it is loaded', async () => {
    expect(await shown('x'.repeat(2000), { limits: { textBytes: 1000 } })).toBe('refused: too-large');
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
