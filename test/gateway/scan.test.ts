// The scanner: whatever the chunks, the text with marks and its strings are the body again, byte for byte.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openScan } from '../../src/gateway/scan.ts';
import { openKnownStrings, restored, stringMark, stringsOf } from '../../src/gateway/strings.ts';
import type { BodyStrings, KnownStrings } from '../../src/gateway/strings.ts';

const picture = randomBytes(9001).toString('base64');
const other = randomBytes(6000).toString('base64url');
const bodies: Record<string, string> = {
  'a picture': JSON.stringify({ model: 'x', messages: [{ content: [{ url: `data:image/png;base64,${picture}` }] }] }),
  'the same twice, and bare': JSON.stringify([picture, { a: picture, b: `data:image/png;base64,${picture}` }]),
  'letters that are no base64 again': JSON.stringify({
    url: other,
    cut: picture.slice(0, -3),
    wide: picture.replaceAll('A', 'A '),
  }),
  'escapes around quotes': JSON.stringify({
    a: '\\',
    b: '\\"',
    c: `"${'\\"'.repeat(2000)}`,
    d: `${picture}\\`,
    'k"': 1,
  }),
  'slashes that are escaped': JSON.stringify({ a: picture }).replaceAll('/', String.raw`\/`),
  'words of many scripts': JSON.stringify({ a: 'Grüße, 世界 🌍 '.repeat(500), b: picture, c: '🌍'.repeat(900) }),
  'words that begin like base64': JSON.stringify({ a: `${'A'.repeat(90)} Grüße, 世界 `.repeat(40), b: picture }),
  'white space everywhere': JSON.stringify({ a: [picture, { b: [] }] }, undefined, 3),
  'cut inside a string': JSON.stringify({ a: picture }).slice(0, -100),
  'cut behind a backslash': '{"a":"\\',
  'no JSON at all': 'not json "at all',
  nothing: '',
};

function scanned(body: Buffer, known: KnownStrings, cut: () => number): { text: string; strings: BodyStrings } {
  const scan = openScan(known);
  for (let at = 0; at < body.length;) {
    const to = Math.min(body.length, at + cut());
    scan.push(body.subarray(at, to));
    at = to;
  }
  const { outline, strings } = scan.end();
  return { text: outline.toString(), strings: stringsOf(strings, known) };
}

test.each(Object.entries(bodies))('%s', (_name, text) => {
  const known = openKnownStrings();
  const body = Buffer.from(text);
  for (let round = 0; round < 20; round++) {
    const most = 1 + Math.floor(Math.random() ** 3 * 20_000);
    const { text: marked, strings } = scanned(body, known, () => 1 + Math.floor(Math.random() * most));
    expect(strings.whole(marked)).toBe(text);
    expect(Buffer.concat([...strings.chunks(marked)]).equals(body)).toBe(true);
    expect(strings.lengthOf(marked)).toBe(text.length);
    for (const [hash] of strings.all) expect(strings.markOf(strings.whole(stringMark(hash)))).toBe(stringMark(hash));
  }
});

test('what is long stands as a mark, what was seen before is known at once, and marks of others mean nothing', () => {
  const known = openKnownStrings();
  const body = Buffer.from(bodies['the same twice, and bare'] ?? '');
  const first = scanned(body, known, () => 1000);
  expect(first.text.length).toBeLessThan(500);
  expect([...first.strings.all.values()].map((one) => one.known?.letters.length)).toEqual([picture.length]);
  const again = openScan(known);
  again.push(body);
  expect(again.end().strings.map((one) => one.known !== undefined)).toEqual([true, true, true]);
  const foreign = first.text; // a client that knew a mark of ours would still get nothing for it
  const { text, strings } = scanned(Buffer.from(foreign), openKnownStrings(), () => 100);
  expect(strings.whole(text)).toBe(foreign);
  expect(restored({ a: [picture, 1, null] }, first.strings)).toEqual({ a: [picture, 1, null] });
});

test('strings that look the same at a glance are told apart', () => {
  const known = openKnownStrings();
  const at = Math.floor(picture.length / 4);
  const twin = picture.slice(0, at) + (picture[at] === 'A' ? 'B' : 'A') + picture.slice(at + 1);
  for (const letters of [picture, twin, picture, picture, twin, twin]) {
    const body = JSON.stringify({ url: `data:image/png;base64,${letters}` });
    const { text, strings } = scanned(Buffer.from(body), known, () => 1000);
    expect(strings.whole(text)).toBe(body);
  }
});
