// Who looks at a session is woken: at once by this program, now and then for what others wrote.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watching } from '../../../src/session/log/watch.ts';
import type { Watchers } from '../../../src/session/log/watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Looking = { count: () => number; stop: () => void; over: Promise<void> };

function look(watchers: Watchers): Looking {
  const controller = new AbortController();
  let count = 0;
  const over = (async () => {
    for await (const _ of watchers.watch(controller.signal)) count++;
  })();
  return { count: () => count, stop: () => controller.abort(), over };
}

test('everybody who looks is woken by each change, and by nothing else', async () => {
  const watchers = watching();
  const [one, other] = [look(watchers), look(watchers)];
  await vi.advanceTimersByTimeAsync(2000);
  expect([one.count(), other.count()]).toEqual([0, 0]);
  watchers.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([one.count(), other.count()]).toEqual([1, 1]);
  watchers.wake();
  watchers.wake(); // before it has come back: once is enough
  await vi.advanceTimersByTimeAsync(0);
  expect(one.count()).toBe(2);
  one.stop();
  await one.over;
  watchers.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([one.count(), other.count()]).toEqual([2, 3]);
  watchers.close();
  await other.over;
  expect(vi.getTimerCount()).toBe(0);
});

test('what others wrote is found within a quarter of a second, once', async () => {
  let version = 7;
  const watchers = watching(() => version);
  const looking = look(watchers);
  await vi.advanceTimersByTimeAsync(1000);
  expect(looking.count()).toBe(0);
  version = 8;
  await vi.advanceTimersByTimeAsync(249);
  expect(looking.count()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(looking.count()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(looking.count()).toBe(1);
  looking.stop();
  await looking.over;
  expect(vi.getTimerCount()).toBe(0);
});

test('what cannot be read wakes once, and again when it can', async () => {
  let version: number | undefined = 7;
  const watchers = watching(() => {
    if (version === undefined) throw new Error('in use');
    return version;
  });
  const looking = look(watchers);
  version = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  expect(looking.count()).toBe(1);
  version = 7;
  await vi.advanceTimersByTimeAsync(1000);
  expect(looking.count()).toBe(2);
  looking.stop();
  await looking.over;
});

test('a log that is closed is asked no more, and ends all that look', async () => {
  let asked = 0;
  const watchers = watching(() => asked++);
  const looking = look(watchers);
  watchers.close();
  await looking.over;
  const before = asked;
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(before);
  const late = watchers.watch(new AbortController().signal)[Symbol.asyncIterator]();
  watchers.wake();
  const ended = late.next(); // whoever comes later is told that it is over
  await vi.advanceTimersByTimeAsync(300);
  watchers.wake();
  expect(await ended).toEqual({ done: true, value: undefined });
  expect(asked).toBe(before + 1);
});

test('whoever comes when it is over, or has left before, does not wait', async () => {
  const watchers = watching();
  const gone = watchers.watch(AbortSignal.abort())[Symbol.asyncIterator]();
  expect(await gone.next()).toEqual({ done: true, value: undefined });
  const looking = look(watchers);
  looking.stop();
  await looking.over;
  watchers.close();
  await look(watchers).over;
  expect(vi.getTimerCount()).toBe(0);
});

test('a change while somebody is busy with the last one is not missed', async () => {
  const watchers = watching();
  const loop = watchers.watch(new AbortController().signal)[Symbol.asyncIterator]();
  const first = loop.next();
  watchers.wake();
  await first;
  watchers.wake(); // nobody waits just now
  expect((await loop.next()).done).toBe(false);
  await loop.return?.();
});

test('leaving in the middle takes everything back', async () => {
  const watchers = watching();
  const controller = new AbortController();
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  const loop = watchers.watch(controller.signal)[Symbol.asyncIterator]();
  const next = loop.next();
  watchers.wake();
  await next;
  await loop.return?.();
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  expect(vi.getTimerCount()).toBe(0);
});
