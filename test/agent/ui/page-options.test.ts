// A stream that is pulled: nothing is made before somebody asks, and whoever leaves ends it.
import { expect, test } from 'vitest';
import { streamOf } from '../../../src/agent/ui/page-options.ts';

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
