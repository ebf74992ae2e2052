// A prefix that is stable and still was not read: what the bodies, the times and the counts tell of it.
import { expect, test } from 'vitest';
import { keptBody } from '../../src/record/body.ts';
import type { KeptBody } from '../../src/record/body.ts';
import { missWords } from '../../src/record/miss.ts';

type Ttl = { ttl?: '1h' };

/** So many blocks of one message, with a cache mark on the last. */
function marked(blocks: number, ttl: Ttl = {}): KeptBody {
  const content = Array.from({ length: blocks }, (_, at) => ({
    type: 'text',
    text: `block ${at}`,
    ...(at === blocks - 1 && { cache_control: { type: 'ephemeral', ...ttl } }),
  }));
  return keptBody({ system: [{ type: 'text', text: 'Be brief.' }], messages: [{ role: 'user', content }] });
}

const minute = 60_000;
const facts = { tokens: 5000, read: 0, gap: minute };

const rows: [string, Parameters<typeof missWords>, RegExp | undefined][] = [
  ['enough was read', [marked(5), marked(9), { ...facts, read: 4900 }], undefined],
  ['nobody counted', [marked(5), marked(9), { ...facts, read: undefined }], undefined],
  ['a short prefix', [marked(5), marked(9), { ...facts, tokens: 900 }], /below 1024 most providers cache nothing/],
  ['a long wait', [marked(5), marked(9), { ...facts, gap: 7 * minute }], /left 420\.0 s earlier.*about 5 minutes/],
  [
    'a longer lifetime',
    [marked(5, { ttl: '1h' }), marked(9, { ttl: '1h' }), { ...facts, gap: 7 * minute }],
    /^Nothing in/,
  ],
  ['20 blocks', [marked(5), marked(25), facts], /^Nothing in/],
  ['21 blocks', [marked(5), marked(26), facts], /it is 21 blocks back .* looks back 20/],
  ['no marks', [keptBody({ messages: [] }), keptBody({ messages: [] }), facts], /^Nothing in/],
];

test.each(rows)('%s', (_, given, words) => {
  const told = missWords(...given);
  if (words) expect(told).toMatch(words);
  else expect(told).toBeUndefined();
});
