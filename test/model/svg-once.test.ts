// The source of a drawing reaches a model without sight once, and one that sees gets the drawing besides.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { defineTool } from '../../src/tool/tool.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><title>One red square</title><rect width="40" height="40" fill="red"/></svg>';

test.each([
  ['deepseek/deepseek-chat', 1, false],
  ['ollama/llama3.1', 1, false],
  ['openai/gpt-5.4', 1, true],
  ['anthropic/claude-sonnet-4-5', 1, true],
])('%s', async (model, times, sees) => {
  const assets = memoryAssets();
  const give = defineTool({
    name: 'give',
    description: 'gives a drawing',
    input: { type: 'object' },
    run: () => read(Buffer.from(svg), { name: 'square.svg', assets }),
  });
  const call = { type: 'call' as const, id: 'c1', name: 'give', input: {} };
  const result = await invokeTool(call, { tools: [give], assets });
  const messages = [
    { role: 'user' as const, content: 'Look.' },
    { role: 'assistant' as const, content: [call] },
    result,
  ];
  const request = await prepare({ messages }, { model, assets, readPictures: false });
  const body = JSON.stringify(await request.json());
  expect(body.split('One red square').length - 1).toBe(times);
  expect(body.includes('iVBORw0KGgo')).toBe(sees);
  expect(body).toContain('square.svg');
});
