// Results that are nothing but words in a record.
import { createReadStream, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { normalise } from '../../src/toolbox/invoke.ts';

test.each([
  [{ text: 'It is done.' }, 'It is done.'],
  [{ text: 'It is done.', attachment: null }, 'It is done.'],
  [{ text: 'It is done.', attachments: [] }, 'It is done.'],
  [{ text: 'It is done.', colour: 'red' }, '{"text":"It is done.","colour":"red"}'],
])('%j is its text', async (value, said) => {
  const { content } = await normalise(value);
  expect(
    content.map((block) =>
      block.type === 'text' ? block.text.replaceAll(/\s+(?=["}])/g, '').replaceAll('": "', '":"') : '',
    ),
  ).toEqual([said]);
});

test.each([
  ["Node's", () => createReadStream('package.json', 'utf8')],
  ["the web's", () => new Blob([readFileSync('package.json')]).stream().pipeThrough(new TextDecoderStream())],
])('a stream of text, %s, is its text', async (_whose, open) => {
  const { content, isError } = await normalise(open());
  expect(isError).toBeUndefined();
  expect(JSON.stringify(content)).toContain('Every model sees what your tools see');
});
