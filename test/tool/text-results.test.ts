// Results that are nothing but words in a record.
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
