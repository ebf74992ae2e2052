// What has the shape of a key is cut out of words, and words stay words.
import { expect, test } from 'vitest';
import { maskKeys } from '../../src/content/keys.ts';

test.each([
  'Incorrect API key provided: sk-proj-4f8d9a7b6c5e',
  'Authorization: Bearer abcdefghijklmnop',
  'authorization: bearer 9f8e7d6c',
  'AKIAIOSFODNN7EXAMPLE',
])('%j loses its key', (text) => {
  expect(maskKeys(text)).toMatch(/\[key\]$/);
});

test.each([
  'Missing bearer authentication in header',
  'Bearer authorization is required',
  'task-123456789',
  'the class sk-fading-circle',
])('%j stays as it is', (text) => {
  expect(maskKeys(text)).toBe(text);
});
