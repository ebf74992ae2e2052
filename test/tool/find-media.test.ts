// Real media planted at random places of random data: all of them are found, in order, and nothing else changes.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMedia } from '../../src/tool/find-media.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { walkJson } from '../../src/tool/walk-json.ts';
import type { Sample } from './samples.ts';
import {
  animation,
  base64,
  dataUri,
  holds,
  otherPicture,
  paper,
  pdf,
  photo,
  picture,
  png,
  uriOfCodes,
  urlSafe,
  web,
  wrapped,
} from './samples.ts';
import { leaves, mediaOf, wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

const samples: readonly Sample[] = [
  picture,
  otherPicture,
  photo,
  animation,
  web,
  paper,
  png(9, 9, 1),
  png(4, 9, 2),
  pdf(3),
];

function shared({ bytes }: Sample): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

/** All the forms in which a medium hides in a value. */
const forms: readonly ((one: Sample) => unknown)[] = [
  base64,
  dataUri,
  urlSafe,
  (one) => wrapped(one),
  (one) => wrapped(one, 64, '\r\n'),
  (one) => `image: !!binary |\n  ${wrapped(one, 76, '\n  ')}\n`,
  (one) => `> ${wrapped(one, 76, '\n> ')}`,
  (one) => `Pieces: ${wrapped(one, 64, ' ')}`,
  (one) => wrapped(one, 76, '\r'),
  (one) => `so: ${wrapped(one, 76, '\\\\n')}`,
  (one) => uriOfCodes(one),
  (one) => `<img src="${uriOfCodes(one, wrapped(one, 60, '\r\n'))}">`,
  (one) => `Here it is: ${base64(one)} and more`,
  (one) => `Saved.\n\n${wrapped(one)}\n\nBye.`,
  (one) => new Uint8Array(one.bytes),
  (one) => new Uint8Array(one.bytes).buffer,
  (one) => shared(one),
  (one): unknown => JSON.parse(JSON.stringify(one.bytes)),
  (one) => `Result: ${JSON.stringify({ pic: one.bytes })}`,
  (one) => `Result: ${JSON.stringify({ said: JSON.stringify({ pic: one.bytes }, undefined, 1) })}`,
  (one) => JSON.stringify({ shot: base64(one) }),
  (one) => JSON.stringify([JSON.stringify({ shot: dataUri(one) })]),
  (one) => ({ type: one.kind, source: { type: 'base64', media_type: one.mediaType, data: base64(one) } }),
  (one) => ({ type: 'image', data: base64(one), mimeType: 'image/png' }),
  (one) => ({ inlineData: { mimeType: one.mediaType, data: base64(one) } }),
  (one) => ({ base64: base64(one), media_type: one.mediaType }),
];

class Plant {
  readonly one: Sample;
  readonly form: number;
  constructor(one: Sample, form: number) {
    this.one = one;
    this.form = form;
  }
}

const plant = fc
  .tuple(fc.constantFrom(...samples), fc.nat(forms.length - 1))
  .map(([one, form]): unknown => new Plant(one, form));
const names = ['base64', 'image', 'screenshot', 'data', 'blob', 'images', 'result', 'x'];
const key = fc.oneof(
  fc.constantFrom(...names),
  fc.string({ maxLength: 5 }).filter((name) => !['type', '__proto__'].includes(name)),
);
const plain = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.integer(), fc.boolean(), fc.constant(null));
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    plain,
    plant,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(key, tie('node'), { maxKeys: 4 }),
  ),
})).node;

/** Puts the media into their places and tells which they are, in the order in which they stand. */
function grow(node: unknown, planted: Sample[]): unknown {
  if (node instanceof Plant) {
    planted.push(node.one);
    return forms[node.form]?.(node.one);
  }
  if (Array.isArray(node)) return node.map((item) => grow(item, planted));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, item]) => [name, grow(item, planted)]));
}

test('exactly the planted media are found, in their order, and none of their letters stay behind', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom('object', 'list', 'string'), async (node, shell) => {
      const planted: Sample[] = [];
      const grown = grow(node, planted);
      const bytesInside = shell === 'string' && JSON.stringify(grown) !== undefined;
      const value = shell === 'list' ? [{ node: grown }, 7] : { node: grown, n: 7 };
      const { intake, assets } = openTestIntake();
      fc.pre(!bytesInside || !hasBytes(grown));
      const result = await normaliseResult(bytesInside ? JSON.stringify(value) : value, intake);
      expect(mediaOf(result)).toEqual(planted.map(({ id }) => id));
      const said = wordsOf(result);
      for (const one of planted) {
        expect(holds(said + leaves(result.details), one)).toBe(false);
        expect(await assets.missing([one.id])).toEqual(new Set());
      }
      const notes = [...said.matchAll(/\[(\d+)\. (?:image|PDF) [^\]]*\]/g)].map(([, ordinal]) => Number(ordinal));
      expect(notes).toEqual(planted.map((_, at) => at + 1));
      expect(result.isError).toBeUndefined();
    }),
    { numRuns: 250 },
  );
});

function hasBytes(value: unknown): boolean {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBytes);
}

test('what was just parsed is searched like any value, and is itself not changed', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (node) => {
      const grown = grow(node, []);
      fc.pre(!hasBytes(grown));
      const text = JSON.stringify({ node: grown, odd: [{ type: 'image', data: 'no picture at all, of some length' }] });
      const [given, parsed]: unknown[] = [JSON.parse(text), JSON.parse(text)];
      const one = await findMedia(given, openTestIntake().intake);
      expect(await findMedia(parsed, openTestIntake().intake, 1, walkJson)).toEqual(one);
      expect(JSON.stringify(one.value)).toContain('no picture at all');
      expect(JSON.stringify([given, parsed])).toBe(`[${text},${text}]`);
    }),
    { numRuns: 100 },
  );
});

test('data without media comes through as the same JSON', async () => {
  const { intake } = openTestIntake();
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      const given: unknown = JSON.parse(JSON.stringify({ value }));
      const [block] = (await normaliseResult(given, intake)).content;
      expect(block?.type === 'text' && JSON.parse(block.text)).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

test('no value at all makes it throw or leave a result empty', async () => {
  const { intake } = openTestIntake();
  const odd = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  await fc.assert(
    fc.asyncProperty(odd, async (value) => {
      const { content } = await normaliseResult(value, intake);
      expect(content.length).toBeGreaterThan(0);
      for (const block of content)
        expect(block.type === 'text' && block.text.trim() !== '' && block.text.isWellFormed()).toBe(true);
    }),
    { numRuns: 400 },
  );
});
