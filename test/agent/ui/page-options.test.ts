// A stream that is pulled: nothing is made before somebody asks, and whoever leaves ends it.
import { expect, test } from 'vitest';
import { streamOf as streamFor } from '../../../src/agent/ui/page-options.ts';

const streamOf = <Value>(values: AsyncIterable<Value>): ReadableStream<Value> => streamFor(values, (value) => [value]);

test('values come one by one as they are asked for, then the end', async () => {
  let made = 0;
  const reader = streamOf(
    (async function* () {
      for (; made < 2;) yield ++made;
    })(),
  ).getReader();
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(0);
  expect(await reader.read()).toEqual({ done: false, value: 1 });
  expect(made).toBe(1);
  expect(await reader.read()).toEqual({ done: false, value: 2 });
  expect(await reader.read()).toEqual({ done: true, value: undefined });
});

test('who stops reading stops what is read; what cannot be stopped is left', async () => {
  let over = false;
  const reader = streamOf(
    (async function* () {
      try {
        for (;;) yield 1;
      } finally {
        over = true;
      }
    })(),
  ).getReader();
  await reader.read();
  await reader.cancel();
  expect(over).toBe(true);
  const endless = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false as const, value: 1 }) }) };
  await streamOf(endless).cancel();
});

test('who leaves while the next value is waited for is not kept waiting, through any number of streams', async () => {
  let left = false;
  const slow = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise<IteratorResult<number>>(() => undefined),
      return: async () => ({ done: (left = true) as true, value: undefined }),
    }),
  };
  const reader = streamOf(streamOf(streamOf(slow))).getReader();
  void reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  await reader.cancel();
  expect(left).toBe(true);
});

test('a value may become several, or none; one that cannot be told ends both', async () => {
  let over = false;
  const counting = async function* (): AsyncGenerator<number> {
    try {
      for (let at = 0; ; at++) yield at;
    } finally {
      over = true;
    }
  };
  const told = streamFor(counting(), (at) => (at > 4 ? untellable() : Array.from({ length: at % 3 }, () => at)), [9]);
  const values: number[] = [];
  const all = async (): Promise<void> => {
    for await (const value of told) values.push(value);
  };
  await expect(all()).rejects.toThrow('no words');
  expect([values, over]).toEqual([[9, 1, 2, 2, 4], true]);
});

function untellable(): number[] {
  throw new Error('no words');
}
