// The table in docs/tool-results.md: each row is returned by a tool, and what a model gets is what the page says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { describeMedia } from '../../src/content/words.ts';
import { image, text } from '../../src/content/input.ts';
import { isMedia } from '../../src/content/block.ts';
import { read } from '../../src/media/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { ToolContext } from '../../src/tool/tool.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';

const path = 'examples/chart.png';
const bytes = readFileSync(path);
const base64 = bytes.toString('base64');

/** What a tool returns, under the words that the page has for it. */
const returned: readonly (readonly [words: string, run: (context: ToolContext) => unknown])[] = [
  ["'It is 21 degrees.'", () => 'It is 21 degrees.'],
  ['nothing', () => undefined],
  ['{ degrees: 21 }', () => ({ degrees: 21 })],
  ['42', () => 42],
  ['bytes', () => bytes],
  ['new Blob([bytes])', () => new Blob([bytes])],
  ['await fetch(url)', () => new Response(bytes)],
  ["image({ path: 'examples/chart.png' })", () => image({ path })],
  ["[text('Before.'), image(bytes)]", () => [text('Before.'), image(bytes)]],
  ["await read('examples/chart.png', { assets })", ({ assets }) => read(path, { assets })],
  ["await read('examples/report.pdf', { assets })", ({ assets }) => read('examples/report.pdf', { assets })],
  ["await read('gone.pdf')", () => read('gone.pdf')],
  ["{ message: 'Done.', chart: bytes }", () => ({ message: 'Done.', chart: bytes })],
  ["{ message: 'Done.', base64 }", () => ({ message: 'Done.', base64 })],
  ["{ message: 'Done.', image: { base64 } }", () => ({ message: 'Done.', image: { base64 } })],
  [
    "{ success: true, output: 'Done.', content_blocks: [{ type: 'image', source_path }] }",
    () => ({
      success: true,
      output: 'Done.',
      content_blocks: [{ type: 'image', source_path: path }],
    }),
  ],
  [
    "{ text: 'Done.', attachment: { mime_type: 'image/png', content: bytes } }",
    () => ({
      text: 'Done.',
      attachment: { mime_type: 'image/png', content: bytes },
    }),
  ],
  ["{ output: 'Done.', base64_image: base64 }", () => ({ output: 'Done.', base64_image: base64 })],
  [
    "{ content: [{ type: 'image', data: base64, mimeType: 'image/png' }] }",
    () => ({
      content: [{ type: 'image', data: base64, mimeType: 'image/png' }],
    }),
  ],
  ['`data:image/png;base64,${base64}`', () => `data:image/png;base64,${base64}`],
  [
    "throw new Error('No such city.')",
    () => {
      throw new Error('No such city.');
    },
  ],
  ["{ success: false, error: 'No such city.' }", () => ({ success: false, error: 'No such city.' })],
  ['bytes.subarray(0, 2000)', () => bytes.subarray(0, 2000)],
];

/** What a model gets, as the page writes it. */
async function shown(run: (context: ToolContext) => unknown): Promise<string> {
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    run: (_, context) => run(context),
  });
  const call = { type: 'call', id: 'c1', name: 'look', input: {} } as const;
  const { content, isError } = await invokeTool(call, { tools: [tool], assets: memoryAssets(), roots: ['examples'] });
  const blocks = content.map((block) => {
    if (isMedia(block)) return describeMedia(block);
    const words = block.type === 'text' ? block.text.replace(/asset [\da-f]{8}/g, 'asset …') : block.type;
    return `\`${words.replaceAll('\n', ' ↵ ')}\``;
  });
  return `${isError === true ? 'an error: ' : ''}${blocks.join(', ')}`;
}

test('the page says what a model gets for each value, and names no other', async () => {
  const page = readFileSync('docs/tool-results.md', 'utf8');
  const rows = await Promise.all(
    returned.map(async ([words, run]) => {
      const code = words === 'nothing' ? words : words.includes('`') ? `\`\` ${words} \`\`` : `\`${words}\``;
      return `| ${code} | ${await shown(run)} |`;
    }),
  );
  const [, table = ''] = /\| --- \| --- \|\n([^]*?)\n\n/.exec(page) ?? [];
  expect(table.split('\n')).toEqual(rows);
});
