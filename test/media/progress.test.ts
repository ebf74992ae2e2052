// How far a long reading is: held back while it is short, told step by step when it is not, and never in its way.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read, render } from '../../src/media/index.ts';
import type { Progress } from '../../src/media/index.ts';
import { paced, progressWords } from '../../src/media/context.ts';
import { pdfSaying } from './make.ts';

describe('words about progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('are held back for a while, and then told now and again', () => {
    const told: number[] = [];
    const tell = paced(({ done }) => told.push(done), 1000, 200);
    for (let step = 0; step < 20; step += 1) {
      tell({ done: step, of: 20, what: 'pages read' });
      vi.advanceTimersByTime(100);
    }
    expect(told).toEqual([10, 12, 14, 16, 18]);
  });

  test('are one short line', () => {
    expect(progressWords({ done: 3, of: 20, what: 'pages drawn' })).toBe('3 of 20 pages drawn');
  });
});

const steps = (what: string): Progress[] => [0, 1, 2].map((done) => ({ done, of: 3, what }));

describe('a reading', () => {
  const assets = memoryAssets();
  const book = pdfSaying('one', 'two', 'three');

  test.each([
    ['the pages it has read', {}, 'pages read'],
    ['the pages it has drawn', { as: 'image' as const }, 'pages drawn'],
  ])('tells %s', async (_what, options, what) => {
    const told: Progress[] = [];
    const result = await read(book, {
      assets,
      ...options,
      limits: { quietMs: 0 },
      onProgress: (one) => told.push(one),
    });
    expect(result.ok).toBe(true);
    expect(told).toEqual(steps(what));
  });

  test('tells nothing while it is short', async () => {
    const told: Progress[] = [];
    await read(book, { assets, limits: { quietMs: 3_600_000 }, onProgress: (one) => told.push(one) });
    expect(told).toEqual([]);
  });

  test('is not disturbed by a listener that throws', async () => {
    const onProgress = vi.fn(() => {
      throw new Error('mine');
    });
    expect(await read(book, { assets, limits: { quietMs: 0 }, onProgress })).toMatchObject({ ok: true });
    expect(onProgress).toHaveBeenCalledTimes(3);
  });

  test('tells before it is cancelled, and nothing after', async () => {
    const stop = new AbortController();
    const told: Progress[] = [];
    const onProgress = (one: Progress): void => {
      told.push(one);
      stop.abort();
    };
    const result = await read(book, { assets, as: 'image', limits: { quietMs: 0 }, signal: stop.signal, onProgress });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
    expect(told).toHaveLength(1);
  });

  test('of a rendition tells, too', async () => {
    const told: Progress[] = [];
    const asset = await assets.put(book, { mediaType: 'application/pdf', name: 'book.pdf' });
    const options = { assets, limits: { quietMs: 0 }, onProgress: (one: Progress) => void told.push(one) };
    expect(await render({ to: 'text', asset }, options)).toMatchObject({ ok: true });
    expect(told).toEqual(steps('pages read'));
  });
});
