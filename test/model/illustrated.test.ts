// Slides with pictures in them, as a user gives them: the pictures reach every model that sees, in their places.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/asset/memory.ts';
import { prepare } from '../../src/model/prepare.ts';
import { viewAssetTool } from '../../src/toolbox/assets/view.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { caller, pictures, words } from '../toolbox/caller.ts';
import { shortId } from '../../src/content/words.ts';
import { line, pptx, shape } from '../media/archive.ts';
import { noise, plain } from '../media/make.ts';

const picture = (id: string): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="3" name="x" descr="${id}"/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;

const relations: [string, string, string][] = [
  ['chart', 'image', '../media/chart.png'],
  ['dot', 'image', '../media/dot.png'],
  ['wall', 'image', '../media/wall.png'],
  ['logo', 'image', '../media/logo.png'],
];
const slides = [
  { shapes: shape(line('Sales'), 'title') + picture('chart') + picture('logo'), relations },
  { shapes: shape(line('Plans'), 'title') + picture('dot') + picture('logo'), relations },
  { shapes: shape(line('End'), 'title') + picture('wall') + picture('logo'), relations },
];
const deck = pptx(slides, {
  'media/chart.png': await noise(200, 100).png().toBuffer(),
  'media/logo.png': await noise(90, 90).png().toBuffer(),
  'media/dot.png': await noise(12, 12).png().toBuffer(),
  'media/wall.png': await plain(300, 300).png().toBuffer(),
});

const assets = memoryAssets();
const asked = [
  {
    role: 'user' as const,
    content: [{ type: 'document' as const, data: deck, name: 'deck.pptx' }, 'What does it say?'],
  },
];

/** The kinds of blocks and the words of a request, in their order. */
async function sent(model: string): Promise<string[]> {
  const request = await prepare({ messages: asked }, { model, assets });
  const body = JSON.stringify(await request.json());
  return [
    ...body.matchAll(
      /"type":"(image|image_url|input_image)"|(## Slide \d)|(\[the picture [\w.]+ is not shown: [^;]+)/g,
    ),
  ].map(([, image, slide, note]) => (image === undefined ? (slide ?? note ?? '') : 'picture'));
}

const told = [
  '## Slide 1',
  'picture',
  '[the picture logo.png is not shown: it stands in 3 places and only decorates',
  '## Slide 2',
  '[the picture dot.png is not shown: it is tiny and only decorates',
  '## Slide 3',
  '[the picture wall.png is not shown: it is of one colour',
];

test.each(['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-5', 'openai/gpt-5'])(
  'the pictures of slides reach %s where they stand, and decoration is told',
  async (model) => {
    expect((await sent(model)).filter((one, at, all) => one !== 'picture' || all[at - 1] !== 'picture')).toEqual(told);
  },
);

test('a model without sight reads the words alone', async () => {
  expect(await sent('deepseek/deepseek-chat')).toEqual(['## Slide 1', '## Slide 2', '## Slide 3']);
});

test('view_asset shows a picture of a slide by its name', async () => {
  const give = defineTool({
    name: 'give',
    description: 'gives slides',
    input: { type: 'object' },
    run: () => ({ type: 'document', data: deck, name: 'deck.pptx' }),
  });
  const { call } = caller((conversation) => [give, viewAssetTool({ conversation })]);
  const { content } = await call('give', {});
  const block = content.find((one) => one.type === 'document');
  const asset = block?.type === 'document' ? shortId(block.asset.id) : '';
  const seen = await call('view_asset', { asset, picture: 'chart.png' });
  expect(pictures(seen)).toMatchObject([{ width: 200, height: 100 }]);
  expect(words(await call('view_asset', { asset, picture: 'none.png' }))).toContain('chart.png, logo.png');
});
