// Loose blocks as programs hand them over, through the real intake: pictures in any SDK's spelling stay pictures.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { BlockInput } from '../../src/content/input.ts';
import { resolveBlock } from '../../src/content/intake.ts';
import { openIntake } from '../../src/media/intake.ts';

const data = readFileSync('examples/chart.png').toString('base64');
const uri = `data:image/png;base64,${data}`;

test.each<[string, unknown]>([
  ['ours', { type: 'image', data }],
  ['OpenAI Chat', { type: 'image_url', image_url: { url: uri } }],
  ['OpenAI Responses', { type: 'input_image', image_url: uri }],
  ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
  ['Gemini', { inlineData: { mimeType: 'image/png', data } }],
  ['MCP', { type: 'image', data, mimeType: 'image/png' }],
  ['the AI SDK', { type: 'file', mediaType: 'image/png', data }],
  ['the AI SDK, in bytes', { type: 'file', mediaType: 'image/png', data: Buffer.from(data, 'base64') }],
  ['the AI SDK of before, in bytes', { type: 'image', image: Buffer.from(data, 'base64') }],
  ['Scrapybara', { type: 'image', image: data }],
])('a picture in the spelling of %s is a picture', async (_who, block) => {
  const read = await resolveBlock(block as BlockInput, openIntake({ assets: memoryAssets() }), 'tool');
  expect(read).toMatchObject({ ok: true, value: { type: 'image', width: 640, height: 400 } });
});

test('a block that nobody knows is kept as its JSON', async () => {
  const block = { type: 'hologram', depth: 3 } as unknown as BlockInput;
  const read = await resolveBlock(block, openIntake({ assets: memoryAssets() }), 'tool');
  expect(read).toEqual({ ok: true, value: { type: 'text', text: '{"type":"hologram","depth":3}' } });
});

test.each([[null], [5], [[137, 80, 78, 71]], [JSON.parse(JSON.stringify(Buffer.from('a')))]])(
  'data that is %j is refused, and what to give is said',
  async (given: unknown) => {
    const block = { type: 'image', data: given } as BlockInput;
    const read = await resolveBlock(block, openIntake({ assets: memoryAssets() }), 'person');
    expect(read).toMatchObject({
      ok: false,
      refusal: {
        code: 'bad-base64',
        what: expect.stringContaining('of the type'),
        next: expect.stringContaining('Uint8Array'),
      },
    });
  },
);
