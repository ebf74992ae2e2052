// Long words beside a picture that goes elsewhere: they leave as they came, whatever letters they have.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fetchOver } from '../../src/fetch/fetch.ts';
import { bareWorkshop } from '../../src/fetch/workshop.ts';
import { openKnownStrings, stringsOf } from '../../src/gateway/strings.ts';

const picture = readFileSync('examples/chart.png').toString('base64');
const shown = JSON.stringify({ base64: picture });
const url = 'https://api.anthropic.com/v1/messages';
const numbers = Array.from({ length: 1500 }, () => '1').join(',\n');

/** A request in which a tool gave these texts. */
function bodyOf(texts: readonly string[], more: object = {}): string {
  const content = texts.map((text) => ({ type: 'text', text }));
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }], ...more },
  ];
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
}

/** Every text of a body that was sent. */
function textsIn(body = ''): string[] {
  const texts: string[] = [];
  JSON.parse(body, (_key, value: unknown) => (typeof value === 'string' && texts.push(value), value));
  return texts;
}

test.each([
  ['plain', 'word '.repeat(1000)],
  ['with quotes and backslashes', 'She said "C:\\no". '.repeat(200)],
  ['in lines', 'one\ttwo\r\n'.repeat(400)],
  ['of other scripts', 'größer … 絵 😀 '.repeat(300)],
  ['that read as what stands in the body already', numbers],
  ['that are a data URI of nothing', `data:text/plain;base64,${'"'.repeat(3000)}`],
])('words %s', async (_what, words) => {
  const sent: string[] = [];
  const send = fetchOver(bareWorkshop, {
    fetch: async (_url, init) => (sent.push(init?.body as string), new Response('{}')),
  });
  const body = bodyOf([words, shown], { scores: '@' }).replace('"@"', `[${numbers}]`);
  for (let round = 0; round < 2; round++) await send(url, { method: 'POST', body });
  const [first, again] = sent;
  expect(again).toBe(first);
  const texts = textsIn(first);
  expect(texts).toContain(words);
  expect(texts.filter((text) => text.includes(picture))).toEqual([picture]);
});

test.each([
  ['beside', (words: string) => [words, shown], (words: string) => words],
  ['around', (words: string) => [JSON.stringify({ words, base64: picture })], JSON.stringify],
])('words %s a picture, of which one letter is not that of the request before', async (_where, texts, spelt) => {
  const sent: string[] = [];
  const send = fetchOver(bareWorkshop, {
    fetch: async (_url, init) => (sent.push(init?.body as string), new Response('{}')),
  });
  const lines = 'one two three\n'.repeat(300);
  for (let at = 2000; at < 2100; at++) {
    const words = `${lines.slice(0, at)}#${lines.slice(at + 1)}`;
    await send(url, { method: 'POST', body: bodyOf(texts(words)) });
    expect(textsIn(sent.at(-1)).join()).toContain(spelt(words));
  }
});

test('base64 in lines, which a gateway keeps apart from words, stays what JSON can say', async () => {
  const sent: string[] = [];
  const marks = stringsOf([], openKnownStrings());
  const send = fetchOver(bareWorkshop, {
    fetch: async (_url, init) => (sent.push(marks.whole(init?.body as string)), new Response('{}')),
  });
  const lines = `${'QUJD'.repeat(19)}\n`.repeat(60);
  await send(url, { method: 'POST', body: bodyOf([lines, shown]) }, { marks });
  expect(textsIn(sent[0])).toContain(lines);
});
