// What logs share: what somebody hears whom they refuse, what several rows change together, how one waits.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SightlineError } from '../../../src/content/refusal.ts';
import {
  changeOf,
  checkKeys,
  fenced,
  gone,
  isSameRow,
  outOfStep,
  sessionsPerPage,
  taken,
  untilFree,
  writtenElsewhere,
} from '../../../src/session/log/port.ts';
import type { NewRow } from '../../../src/session/log/port.ts';

const note = (more: Partial<NewRow> = {}): NewRow => ({ type: 'note', version: 1, time: 1, body: '{}', ...more });
const lease = { session: 's', epoch: 2, next: 5 };

test.each([
  [gone('s'), 'input', 'There is no session s. See "sightline sessions list".'],
  [taken('s'), 'input', 'There is a session s already. Take another id, or open that one.'],
  [writtenElsewhere('s', 'us'), 'storage', 'Session s is already open in this program. Close it first, or go on in a copy: sightline sessions fork s'],
  [writtenElsewhere('s', 'others'), 'storage', 'Session s is open in another process. Close it there, or go on in a copy: sightline sessions fork s'],
  [fenced(lease), 'storage', 'Session s has another writer now, or was closed. Nothing more is stored from here: read what is there, and open it again.'],
  [fenced(lease, 'host 7'), 'storage', 'Session s has another writer now: host 7. Nothing more is stored from here: read what is there, and open it again.'],
  [outOfStep(lease, 9), 'storage', 'Session s has 9 rows, and the next one was to be number 5. Open it again, and look which of them are there.'],
] as const)('%s', (error, code, words) => {
  expect(error).toBeInstanceOf(SightlineError);
  expect([error.code, error.message]).toEqual([code, words]);
}); // prettier-ignore

test('two rows of a batch have two keys, or none', () => {
  checkKeys([note(), note(), note({ key: 'a' }), note({ key: 'b' }), note({ key: '' })]);
  const twice = [note({ key: 'a' }), note({ key: 'b' }), note({ key: 'b' })];
  const words = 'Two rows of one append have the key "b". Give each row its own.';
  expect(() => checkKeys(twice)).toThrow(new SightlineError('input', words));
  expect(sessionsPerPage).toBe(50);
});

test('a row is the same when what it says, its kind and its time are', () => {
  const stored = { id: 1, parent: null, time: 1, version: 1, type: 'note', body: '{}' };
  expect(isSameRow(stored, note())).toBe(true);
  expect(isSameRow(stored, note({ time: 2 }))).toBe(false);
  expect(isSameRow(stored, note({ body: '[]' }))).toBe(false);
  expect(isSameRow(stored, note({ type: 'title' }))).toBe(false);
  expect(isSameRow(undefined, note())).toBe(false);
});

describe('what rows change', () => {
  test('nothing, but for their number and the time of the last', () => {
    expect(changeOf([])).toStrictEqual({ messages: 0, updated: 0 });
    expect(changeOf([note({ time: 9 }), note({ time: 7 })])).toStrictEqual({ messages: 0, updated: 7 });
    expect(changeOf([note({ type: 'message' }), note(), note({ type: 'message' })]).messages).toBe(2);
  });

  test('the last title and model, the first words, and the sum of what was used', () => {
    const used = (inputTokens: number, outputTokens: number, cost?: number): NewRow =>
      note({ change: { usage: { inputTokens, outputTokens, ...(cost !== undefined && { cost }) } } });
    const rows = [
      note({ change: { title: 'a', model: 'm/a', firstWords: '' } }),
      note({ change: { title: 'b', model: 'm/b', firstWords: 'later' } }),
      note({ change: { title: '', model: '' } }),
      note(),
    ];
    const told = { messages: 0, updated: 1, title: 'b', model: 'm/b', firstWords: '' };
    expect(changeOf(rows)).toStrictEqual(told);
    expect(changeOf([used(1, 2), used(3, 4)])).toStrictEqual({
      messages: 0,
      updated: 1,
      usage: { inputTokens: 4, outputTokens: 6 },
    });
    expect(changeOf([used(1, 2, 0.5), used(3, 4), used(5, 6, 0.25)]).usage).toStrictEqual({
      inputTokens: 9,
      outputTokens: 12,
      cost: 0.75,
    });
  });
});

const trying = (waitMs: number, error: Error, failures: number): { tries: () => number; done: Promise<unknown> } => {
  let tries = 0;
  const done = untilFree(waitMs, () => {
    if (++tries > failures) return 'taken';
    throw error;
  }).catch((thrown: unknown) => thrown);
  return { tries: () => tries, done };
};

describe('who waits for a session', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('tries every now and then until it is free', async () => {
    const { tries, done } = trying(1000, writtenElsewhere('s', 'us'), 3);
    await vi.advanceTimersByTimeAsync(24);
    expect(tries()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries()).toBe(2);
    await vi.advanceTimersByTimeAsync(50);
    expect(await done).toBe('taken');
  });

  test('gives up when the time is over, and at once when none was given', async () => {
    const error = writtenElsewhere('s', 'us');
    const [never, soon] = [trying(0, error, 99), trying(50, error, 99)];
    await vi.advanceTimersByTimeAsync(1000);
    expect([await never.done, never.tries()]).toEqual([error, 1]);
    expect([await soon.done, soon.tries()]).toEqual([error, 3]);
  });

  test.each([gone('s'), Object.assign(new Error('disk'), { code: 'storage' })])('does not for %s', async (error) => {
    const { tries, done } = trying(1000, error, 99);
    await vi.advanceTimersByTimeAsync(1000);
    expect([await done, tries()]).toEqual([error, 1]);
  });
});
