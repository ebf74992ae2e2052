// Very many media, and very many numbers: a result stays small, and nothing of it is lost.
import { expect, test } from 'vitest';
import { isMedia } from '../../src/content/block.ts';
import { image } from '../../src/content/input.ts';
import { maxMedia } from '../../src/content/limits.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import type { ToolResult } from '../../src/tool/result.ts';
import { png } from './samples.ts';
import { wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

const pictures = (count: number): Uint8Array[] => Array.from({ length: count }, (_, at) => png(at + 1, 1).bytes);

const ways: [string, (bytes: Uint8Array[]) => unknown][] = [
  ['blocks', (bytes) => bytes.map((one) => image(one))],
  ['blocks beside words', (bytes) => ['Here they are.', ...bytes.map((one) => image(one))]],
  ['base64 in data', (bytes) => ({ shots: bytes.map((one) => Buffer.from(one).toString('base64')) })],
];

test.each(ways)(
  'of more media than a result shows, as %s, the rest is kept and told in one line',
  async (_name, given) => {
    const { intake, assets } = openTestIntake();
    const result = await normaliseResult(given(pictures(maxMedia + 30)), intake);
    expect(result.content.filter(isMedia)).toHaveLength(maxMedia);
    expect(result.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringMatching(
        /^\[130 media came back; the first 100 are shown, the others are kept as assets: (\w{8}, ){20}…\]$/,
      ),
    });
    expect(result.kept).toHaveLength(30);
    for (const { id } of result.kept ?? []) expect(await assets.get(id)).toBeDefined();
  },
);

test('as many media as a result shows are all shown, without a word about it', async () => {
  const result = await normaliseResult(
    pictures(maxMedia).map((one) => image(one)),
    openTestIntake().intake,
  );
  expect(result.content.filter(isMedia)).toHaveLength(maxMedia);
  expect(result.kept).toBeUndefined();
});

const numbers: [string, unknown, unknown][] = [
  ['floats', new Float32Array([1, 2.5, -3]), [1, 2.5, -3]],
  ['whole numbers', { levels: new Int16Array([-1, 300]) }, { levels: [-1, 300] }],
  ['large numbers', { ids: new BigInt64Array([9007199254740993n]) }, { ids: ['9007199254740993'] }],
  ['no numbers at all', { samples: new Float64Array(0) }, { samples: [] }],
  ['what no JSON number is', [new Float64Array([Number.NaN, 1])], [['NaN', 1]]],
];

test.each(numbers)('a typed array of %s is a list', async (_name, given, wanted) => {
  const result: ToolResult = await normaliseResult(given, openTestIntake().intake);
  expect(JSON.parse(wordsOf(result))).toEqual(wanted);
});

test('a typed array of very many numbers is cut like any text', async () => {
  const result = await normaliseResult({ samples: new Float64Array(1_100_000) }, openTestIntake().intake);
  expect(wordsOf(result)).toMatch(
    /^\[The first [\d,]+ of [\d,]+ characters; the whole text is asset \w{8}\.\]\n\{"samples":\[0,0,/,
  );
});
