// What a tool returned is looked at once: the same bytes are never decoded and checked a second time on their way.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Intake } from '../../src/content/intake.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { base64, dataUri, picture } from './samples.ts';
import { wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

/** Begins as a picture does and is none. */
const almost = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  createHash('sha512').update('almost').digest(),
]).toString('base64');
/** Decodes to a known beginning, too short to be meant. */
const token = `JVBERi0${createHash('sha512').update('token').digest('base64url').slice(0, 85)}`;
const long = createHash('sha512').update('long').digest('hex').repeat(200);

const lines = Buffer.concat([Buffer.from(almost, 'base64'), Buffer.from(long)])
  .toString('base64')
  .replace(/.{76}/g, '$&\n');

const values: readonly (readonly [string, unknown])[] = [
  ['a field', { screenshot: almost, url: 'https://example.com' }],
  ['a field that names no medium', { token }],
  ['an element', ['first', token, almost]],
  ['JSON in a text', JSON.stringify({ token, shown: base64(picture) })],
  ['JSON in JSON', { text: JSON.stringify({ token }) }],
  ['a text in a field', { log: `before ${almost} after ${token}` }],
  ['lines of a text', { log: `so:\n${lines}\nend` }],
  ['a long row of letters', { body: long }],
  ['what another framework returns', { content: [{ type: 'text', text: 'ok' }], structuredContent: { token, almost } }],
  ['a picture beside it', { base64: base64(picture), token }],
  ['a data URI', { src: dataUri(picture), token }],
  ['a plain text', `token=${token} picture=${almost}`],
];

function counting(intake: Intake): { intake: Intake; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const check: Intake['check'] = (bytes, hint) => {
    const id = createHash('sha256').update(bytes).digest('hex');
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return intake.check(bytes, hint);
  };
  return { intake: { ...intake, check }, counts };
}

test.each(values)('the same bytes are checked once: %s', async (_name, value) => {
  const { intake, counts } = counting(openTestIntake().intake);
  await normaliseResult(value, intake);
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts.values()]).toEqual([...counts.values()].map(() => 1));
});

test('a picture in the name of a field is found, too', async () => {
  const { intake } = openTestIntake();
  const { content } = await normaliseResult({ [dataUri(picture)]: 'shown', count: 1 }, intake);
  expect(content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect(wordsOf({ content })).not.toContain(base64(picture));
});
