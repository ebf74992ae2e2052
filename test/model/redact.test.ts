// Nothing secret and nothing endless in words that people or logs get to see.
import { expect, test } from 'vitest';
import { redact, redactUrl } from '../../src/model/redact.ts';

test.each([
  ['of OpenAI', 'Incorrect API key provided: sk-proj-abcdefgh12345678.', 'Incorrect API key provided: [key].'],
  ['of Google', 'key=AIzaSyA1234567890abcdefghij', 'key=[key]'],
  ['of Groq', 'gsk_12345678abc', '[key]'],
  ['a token', 'Bearer abcdefgh.ijkl', 'Bearer [key]'],
  ['a signed token', 'eyJhbGciOiJIUzI1.eyJzdWIi.c2ln', '[key]'],
])('a key is known by its look: %s', (_name, words, clean) => {
  expect(redact(words)).toBe(clean);
});

test('a key that looks like nothing is known because it was sent', () => {
  expect(redact('the key plain-old-key is wrong, plain-old-key')).toContain('plain-old-key');
  expect(redact('the key plain-old-key is wrong, plain-old-key', ['plain-old-key'])).toBe('the key [key] is wrong, [key]');
  expect(redact('abc', ['abc'])).toBe('abc'); // too short to be one: half the words would go
  expect(redact('abcd', ['abcd'])).toBe('[key]');
}); // prettier-ignore

test('long runs and long words end', () => {
  expect(redact(`data ${'A'.repeat(200)} end`)).toBe('data [200 characters] end');
  expect(redact('A'.repeat(199))).toBe('A'.repeat(199));
  const long = redact('word '.repeat(1000));
  expect(long).toHaveLength(2002);
  expect(long.endsWith(' …')).toBe(true);
});

test('addresses', () => {
  expect(redactUrl('https://me:pass@host/v1?api_key=abc&x=1')).toBe('https://me:key@host/v1?api_key=%5Bkey%5D&x=1');
  expect(redactUrl('https://glpat-0123456789abcdef@host/v1')).toBe('https://key@host/v1');
  expect(redactUrl('no address with sk-12345678')).toBe('no address with [key]');
}); // prettier-ignore
