// Long results: shown to a bound, kept whole, and never cut without words.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import { maxText } from '../../src/content/limits.ts';
import { linesIn } from '../../src/content/text.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { cpuMs } from '../cpu.ts';
import { base64, picture } from './samples.ts';
import { mediaOf, wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1} of a log`).join('\n');

function textsOf(content: readonly Block[]): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

describe('a text that is too long', () => {
  test('is shown to its bound with the note first, and kept whole as an asset', async () => {
    const { intake, assets } = openTestIntake();
    const text = lines(9000);
    const result = await normaliseResult(text, intake, { canReadOn: true });
    const [shown = ''] = textsOf(result.content);
    expect(shown.length).toBeLessThanOrEqual(maxText);
    expect(shown.length).toBeGreaterThan(maxText * 0.95);
    expect(shown).toMatch(
      /^\[The first [\d,]+ of [\d,]+ characters; the whole text is asset [0-9a-f]{8}\. Call read_asset_text with offset=\d+ to read on, or with grep to search it\.\]\nline 1 of a log\n/,
    );
    const [kept] = result.kept ?? [];
    expect(shown).toContain(`asset ${kept?.id.slice(7, 15)}`);
    expect(kept).toMatchObject({ mediaType: 'text/plain', size: text.length });
    expect(new TextDecoder().decode(kept && (await assets.get(kept.id)))).toBe(text);
    const next = Number(/offset=(\d+)/.exec(shown)?.[1]);
    expect(shown.split('\n').slice(1)).toEqual(text.split('\n').slice(0, next - 1));
  });

  test('names no tool that the model does not have', async () => {
    const [shown] = textsOf((await normaliseResult(lines(9000), openTestIntake().intake)).content);
    expect(shown).toMatch(/^\[The first [\d,]+ of [\d,]+ characters; the whole text is asset [0-9a-f]{8}\.\]\n/);
  });

  test.each([
    ['one long line', 'x '.repeat(60_000)],
    ['long lines after short ones', `${lines(1000)}\n${'word '.repeat(20_000)}`],
    ['characters of two halves', '😀'.repeat(40_000)],
    ['characters of two halves at odd places', `x${'😀'.repeat(40_000)}`],
  ])('can be read on from where it ends: %s', async (_name, text) => {
    const [shown = ''] = textsOf((await normaliseResult(text, openTestIntake().intake, { canReadOn: true })).content);
    const next = Number(/offset=(\d+)/.exec(shown)?.[1]);
    const head = shown.slice(shown.indexOf('\n') + 1);
    const [before, after] = [linesIn(text).slice(0, next - 1), linesIn(text).slice(next - 1)];
    expect(head.replaceAll('\n', '')).toBe(before.join('').replaceAll('\n', ''));
    expect(after.length).toBeGreaterThan(0);
    expect(shown.isWellFormed()).toBe(true);
  });

  test('beside short ones leaves those whole, and media stay where they stood', async () => {
    const { intake } = openTestIntake();
    const value = ['Page 1:', { type: 'image', data: base64(picture) }, 'Page 2:', lines(9000), 'The end.'];
    const result = await normaliseResult(value, intake);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'text', 'text']);
    const texts = textsOf(result.content);
    expect([texts[0], texts[1], texts[3]]).toEqual(['Page 1:', 'Page 2:', 'The end.']);
    expect(texts.join('').length).toBeLessThanOrEqual(maxText);
    expect(result.kept).toHaveLength(1);
  });

  test('in very many pieces becomes one, and all media follow it', async () => {
    const { intake, assets } = openTestIntake();
    const pieces = Array.from({ length: 5000 }, (_, at) => ({ type: 'text', text: `piece ${at} ${'x'.repeat(90)}` }));
    const result = await normaliseResult({ content: [...pieces, { type: 'image', data: base64(picture) }] }, intake);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(wordsOf(result).length).toBeLessThanOrEqual(maxText + 1);
    const [kept] = result.kept ?? [];
    const whole = new TextDecoder().decode(kept && (await assets.get(kept.id)));
    expect(whole).toBe(pieces.map(({ text }) => text).join('\n'));
  });

  test('as data is kept as JSON that can be parsed', async () => {
    const { intake, assets } = openTestIntake();
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, name: `row ${id}` }));
    const result = await normaliseResult({ rows, shot: { base64: base64(picture) } }, intake);
    expect(mediaOf(result)).toEqual([picture.id]);
    const [kept] = result.kept ?? [];
    expect(kept?.mediaType).toBe('application/json');
    const whole: unknown = JSON.parse(new TextDecoder().decode(kept && (await assets.get(kept.id))));
    expect(whole).toMatchObject({ rows });
  });

  test('has the bound that the program gives it', async () => {
    const text = lines(200);
    expect(await normaliseResult(text, openTestIntake().intake, { maxText: 10_000 })).toEqual({
      content: [{ type: 'text', text }],
    });
    const [shown = ''] = textsOf((await normaliseResult(text, openTestIntake().intake, { maxText: 2000 })).content);
    expect(shown.length).toBeLessThanOrEqual(2000);
  });
});

test('no text is lost, whatever its pieces are', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 50 }),
    fc.integer({ min: 1, max: 30_000 }).map((count) => 'ab c\n'.repeat(count).slice(0, count)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      const { intake, assets } = openTestIntake();
      const blocks = pieces.map((text) => ({ type: 'text', text }));
      const result = await normaliseResult(blocks, intake, { maxText: 5000 });
      const shown = wordsOf(result);
      const kept = await Promise.all(
        (result.kept ?? []).map(async ({ id }) => new TextDecoder().decode(await assets.get(id))),
      );
      expect(textsOf(result.content).join('').length).toBeLessThanOrEqual(5000);
      for (const text of pieces) {
        if (text.trim() === '') continue;
        const well = text.toWellFormed();
        expect(shown.includes(well) || kept.some((whole) => whole.includes(well))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

describe('bytes that no model can be shown', () => {
  test('are named in the words and listed beside them', async () => {
    const { intake } = openTestIntake();
    const result = await normaliseResult({ archive: new Uint8Array([80, 75, 3, 4, 0, 0, 1, 2]) }, intake);
    expect(wordsOf(result)).toContain('input.zip is a zip archive');
    expect(result.kept).toHaveLength(1);
    expect(wordsOf(result)).toContain(result.kept?.[0]?.id.slice(7, 15));
  });
});

test('a text that cannot be stored is shown as far as it goes, and says so', async () => {
  const { intake } = openTestIntake();
  const full = { ...intake, keep: () => Promise.reject(new Error('no space left')) };
  const result = await normaliseResult(lines(9000), full);
  expect(wordsOf(result)).toMatch(
    /^\[The first [\d,]+ of [\d,]+ characters; the rest could not be stored\.\]\nline 1 of a log\n/,
  );
  expect(result.isError).toBeUndefined();
});

test('bytes that are named beyond the cut are still known', async () => {
  const { intake } = openTestIntake();
  const value = { log: 'some words\n'.repeat(5000), last: new Uint8Array([80, 75, 3, 4, 0, 0, 1, 2]) };
  const result = await normaliseResult(value, intake);
  expect(wordsOf(result)).not.toContain('input.zip is a zip archive');
  expect(result.kept?.map(({ mediaType }) => mediaType)).toEqual(['application/octet-stream', 'application/json']);
});

describe('values of very many parts', () => {
  test.each([
    ['a list of over a million numbers', Array.from({ length: 1_100_000 }, (_, at) => at)],
    ['a text of twenty million characters', 'some words in a line of a log\n'.repeat(700_000)],
    [
      'JSON of twenty million characters',
      JSON.stringify(Array.from({ length: 360_000 }, (_, id) => ({ id, name: `the name of row ${id}`, ok: true }))),
    ],
  ])('are kept whole with bounded work: %s', async (_name, value) => {
    const whole = typeof value === 'string' ? value : JSON.stringify(value);
    const taken = await cpuMs(async () => {
      const result = await normaliseResult(value, openTestIntake().intake);
      expect(wordsOf(result).length).toBeLessThanOrEqual(maxText + 1);
      expect(result.kept?.[0]?.size).toBe(whole.length);
    });
    expect(taken).toBeLessThan(20_000);
  });

  test('still give up the pictures in them', async () => {
    const { intake } = openTestIntake();
    const value = { shot: base64(picture), rows: Array.from({ length: 1_100_000 }, (_, at) => at) };
    expect(mediaOf(await normaliseResult(value, intake))).toEqual([picture.id]);
    expect(
      mediaOf(await normaliseResult(JSON.stringify({ ...value, pad: 'some words '.repeat(1_600_000) }), intake)),
    ).toEqual([picture.id]);
  });

  test('still hold what JSON would write as nothing: maps, errors, bytes', async () => {
    const { intake } = openTestIntake();
    const value = {
      summary: new Map([['peak', new Set(['at 440 Hz'])]]),
      warning: new Error('clipped'),
      plot: new Uint8Array(picture.bytes),
      samples: new Float32Array(1_100_000),
    };
    const result = await normaliseResult(value, intake);
    expect(mediaOf(result)).toEqual([picture.id]);
    const [shown = ''] = wordsOf(result).split('0,0,0');
    expect(shown).toContain(
      '{"summary":{"peak":["at 440 Hz"]},"warning":"Error: clipped","plot":[1. image "image.png"',
    );
  });

  test('may stand beside a file that is named by its path', async () => {
    const { intake } = openTestIntake({ 'plot.png': picture.bytes });
    const plot = { path: 'plot.png', mime_type: 'image/png', samples: new Float32Array(1_100_000) };
    const result = await normaliseResult({ images: [plot] }, intake);
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).toContain(String.raw`"beside":"{\"samples\":[0,0,0,`);
  });

  test.each([9, 130])('that stand in it again and again, %s levels of them, have an end', async (levels) => {
    let laughs: unknown = 'lol'; // what YAML makes of aliases
    for (let level = 0; level < levels; level++) laughs = Array.from({ length: levels === 9 ? 9 : 2 }, () => laughs);
    const taken = await cpuMs(async () => {
      const result = await normaliseResult({ title: 'A small file', laughs }, openTestIntake().intake);
      expect(wordsOf(result)).toContain('A small file');
    });
    expect(taken).toBeLessThan(20_000);
  });
});
