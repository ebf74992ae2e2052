// What a person types into a search, and where it is found.
import { describe, expect, test } from 'vitest';
import { excerptOf, isUnspaced, matches, matchQuery, searchWords } from '../../../src/session/log/search.ts';

test.each([
  ['Größe der Tür, 2. Etage!', ['große', 'der', 'tur', '2', 'etage']],
  ['ÉCOLE naïve', ['ecole', 'naive']],
  ['a_b-c', ['a', 'b', 'c']],
  ['…', []],
  ['', []],
])('the words of %j are %j', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test.each(['门', 'ひ', 'カ', 'ประตู', 'ປະຕູ', 'ទ្វារ', 'the 门'])('%j is written without spaces', (text) => {
  expect(isUnspaced(text)).toBe(true);
});

test.each(['door', 'дверь', '문', '12', ''])('%j is not', (text) => expect(isUnspaced(text)).toBe(false));

test('a query wants all words, of which the last may go on', () => {
  expect(matchQuery(['red', 'do'])).toBe('"red" "do"*');
  expect(matchQuery(['red'])).toBe('"red"*');
  expect(matchQuery([])).toBe('');
});

test.each([
  ['The red door is open.', 'door red', true],
  ['The red door is open.', 'red doo', true],
  ['The red door is open.', 're door', false],
  ['The red door is open.', 'red window', false],
  ['The red door is open.', '…', false],
  ['Die Tür', 'tur', true],
  ['门上写着请勿打扰', ' 请勿 ', true],
  ['门上写着请勿打扰', '请打', false],
])('%j asked for %j: %s', (text, query, found) => {
  expect(matches(text, query)).toBe(found);
});

describe('an excerpt', () => {
  const long = `${'before '.repeat(20)}DOOR ${'after '.repeat(60)}`.trim();

  test('is one line around the first of the words', () => {
    const at = long.indexOf('DOOR') - 60;
    expect(excerptOf(long, ['door', 'before'])).toBe(`…${long.slice(at, at + 180)}…`);
    expect(excerptOf('a  red\n\tdoor ', ['red'])).toBe('a red door');
  });

  test('begins there also where the word is written with accents, or in parts of a letter', () => {
    const rows = [
      ['Überweisung', 'uberweisung'],
      ['мой', 'мои'],
      ['문서를', '문서'.normalize('NFD')],
    ] as const;
    for (const [word, asked] of rows)
      expect(excerptOf(`${'x '.repeat(100)}${word} and so on`, [asked])).toBe(`…${'x '.repeat(30)}${word} and so on`);
  });

  test('says where it was cut, and only there', () => {
    expect(excerptOf(long, ['nothing'])).toBe(`${long.slice(0, 180)}…`);
    expect(excerptOf(long, [])).toBe(`${long.slice(0, 180)}…`);
    const end = `${'x'.repeat(70)} door`;
    expect(excerptOf(end, ['door'])).toBe(`…${end.slice(11)}`);
    expect(excerptOf('x'.repeat(180), ['x'])).toBe('x'.repeat(180));
    expect(excerptOf(`${'x'.repeat(60)}door`, ['door'])).toBe(`${'x'.repeat(60)}door`);
  });

  test('has no half of a character', () => {
    expect(excerptOf(`${'😀'.repeat(40)}door`, ['door']).isWellFormed()).toBe(true);
    const odd = `x${'😀'.repeat(200)}`;
    expect(excerptOf(odd, ['x'])).toBe(`x${'😀'.repeat(89)}…`);
  });
});
