// A question about a picture, for a model that cannot see.
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { askAssetTool } from '../../src/agent/ask-asset.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { Block } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { descriptionHeading, pictureQuestion, shortId } from '../../src/content/words.ts';
import { read } from '../../src/media/index.ts';
import { intakeOf } from '../../src/model/intake.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Spent, ToolContext } from '../../src/tool/tool.ts';

const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
let asked = 0;
const server = await scriptedServer(script(() => ({ text: `It says ${++asked}.` })));
afterAll(() => server.close());
beforeEach(() => {
  asked = 0;
});
const eyes = { model: 'openai-chat/gpt-4.1', baseUrl: `${server.url}/v1`, apiKey: 'k' };
const tool = askAssetTool(eyes);

async function pictureIn(assets: AssetStore, name = 'chart.png'): Promise<Extract<Block, { type: 'image' }>> {
  const found = await read(chart, { assets, name });
  const [block] = found.ok ? found.value.blocks : [];
  if (block?.type !== 'image') throw new Error('no picture');
  return block;
}

/** What the tool gives for some arguments in a conversation, and what it spent. */
async function ask(assets: AssetStore, content: Block[], input: object): Promise<{ given: unknown; spent: Spent[] }> {
  const spent: Spent[] = [];
  const { signal } = new AbortController();
  const context: ToolContext = {
    signal,
    callId: 'c1',
    key: 'c1',
    assets,
    intake: intakeOf({ assets }),
    conversation: () => [{ content }],
    progress: () => undefined,
    spent: (one) => void spent.push(one),
    context: undefined,
  };
  return { given: await tool.run(input, context), spent };
}

test('is told as a tool that only reads, with what it needs', () => {
  expect(tool).toMatchObject({
    name: 'ask_asset',
    effect: 'read',
    description: expect.stringMatching(
      /^Ask a model that sees .* Use it for what the description .* leaves open\.$/,
    ) as string,
    inputSchema: {
      type: 'object',
      properties: {
        asset: { type: 'string', description: 'The name of the asset, such as ab12cd34' },
        question: { type: 'string', description: 'What you want to know' },
        region: { description: expect.stringContaining('in pixels of the original picture') as string },
      },
      required: ['asset', 'question'],
    },
  });
});

test('the eyes answer, under the heading of the picture, and what they took is told', async () => {
  const assets = memoryAssets();
  const block = await pictureIn(assets);
  const { given, spent } = await ask(assets, [block], { asset: shortId(block.asset.id), question: 'Which year?' });
  expect(given).toEqual({
    content: [descriptionHeading(block, 'openai-chat/gpt-4.1'), { type: 'text', text: 'It says 1.' }],
  });
  expect(spent).toMatchObject([{ model: 'openai-chat/gpt-4.1' }]);
  const sent = JSON.stringify(server.requests.at(-1)?.transcript?.messages);
  expect(sent).toContain(JSON.stringify(pictureQuestion('Which year?')).slice(1, -1));
});

test('a region is cut out of the original first', async () => {
  const assets = memoryAssets();
  const block = await pictureIn(assets);
  const region = { x: 0, y: 0, width: 64, height: 40 };
  const input = { asset: shortId(block.asset.id), question: 'Which year?', region };
  expect((await ask(assets, [block], input)).given).toMatchObject({ content: [{}, { text: 'It says 1.' }] });
  const shown = server.requests.at(-1)?.transcript?.messages[0]?.content;
  expect(JSON.stringify(shown)).toMatch(/chart\.png.*64×40/);
  const { name: _name, ...nameless } = block.asset;
  const other = { ...block, asset: nameless };
  await ask(assets, [other], { ...input, question: 'And now?' });
  expect(JSON.stringify(server.requests.at(-1)?.transcript?.messages[0]?.content)).toMatch(/\\"picture[^"]*\\".*64×40/);
  const original = await pictureIn(assets, 'original.png');
  const gone = {
    ...block,
    original: { asset: { ...original.asset, id: `sha256:${'f'.repeat(64)}` } as const, width: 640, height: 400 },
  };
  expect((await ask(assets, [gone], input)).given).toMatchObject({
    ok: false,
    refusal: {
      code: 'not-found',
      what: 'The bytes of asset ffffffff are no longer stored',
      next: 'Read it again.',
    },
  });
});

test('what is no picture, or unknown, is refused before anybody is asked', async () => {
  const assets = memoryAssets();
  const asset = { id: `sha256:${'b'.repeat(64)}`, mediaType: 'audio/wav', size: 3 } as const;
  const sound: Block = { type: 'audio', asset, seconds: 1 };
  const given = async (name: unknown): Promise<unknown> =>
    (await ask(assets, [sound], { asset: name, question: '?' })).given;
  expect(await given('bbbbbbbb')).toEqual({
    ok: false,
    refusal: {
      code: 'unsupported',
      what: 'asset bbbbbbbb is no picture',
      next: 'Call read_asset_text for its words.',
    },
  });
  expect(await given('cccccccc')).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
  expect(await given(undefined)).toMatchObject({ ok: false, refusal: { what: '"" is no asset' } });
  expect(asked).toBe(0);
});

test('what the eyes cannot answer is a refusal', async () => {
  const assets = memoryAssets();
  const block = await pictureIn(assets);
  const blind = askAssetTool({ ...eyes, model: 'compatible/unheard-of' });
  const context = {
    assets,
    signal: AbortSignal.timeout(60_000),
    spent: () => undefined,
    conversation: () => [{ content: [block] }],
  };
  const given = await blind.run({ asset: shortId(block.asset.id), question: '?' }, context as unknown as ToolContext);
  expect(given).toMatchObject({
    ok: false,
    refusal: { what: expect.stringContaining('could not describe it') as string },
  });
});
