// What a live tool may name: files below the roots of its run, and nothing else.
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-roots-'));
const inside = join(folder, 'inside');
mkdirSync(inside);
const chart = fileURLToPath(new URL('../../examples/chart.png', import.meta.url));
for (const path of [join(folder, 'secret.png'), join(inside, 'chart.png')]) copyFileSync(chart, path);

/** What a model is told after a tool returned this. */
async function told(value: unknown, options: Partial<AgentOptions> = {}): Promise<ToolMessage> {
  const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => value });
  const { messages } = await runAgent({
    model: 'anthropic/claude-sonnet-4-5',
    prompt: 'Look.',
    tools: [look],
    send: scriptedSend(script([{ calls: [{ name: 'look' }] }, { text: 'Done.' }])),
    ...options,
  }).result();
  const answer = messages.find((message) => message.role === 'tool');
  if (!answer) throw new Error('The call was not answered.');
  return answer;
}

const ways: [how: string, named: (path: string) => unknown][] = [
  ['a block', (path) => ({ type: 'image', path })],
  ['a block in a list', (path) => ['Here it is.', { type: 'image', path }]],
  ['a path and a media type', (path) => ({ path, media_type: 'image/png' })],
  ['an attachment', (path) => ({ text: 'Here.', attachments: [{ mime_type: 'image/png', file_path: path }] })],
  ['a URL', (path) => ({ type: 'image', url: `file://${path}` })],
];

test.each(ways)('%s that names a file outside the working directory is not opened', async (_how, named) => {
  const { content } = await told(named(join(folder, 'secret.png')));
  expect(content.map(({ type }) => type)).not.toContain('image');
});

test('a file outside is refused in a sentence', async () => {
  const { content } = await told({ type: 'image', path: '/etc/hostname' });
  expect(content).toEqual([
    { type: 'text', text: expect.stringContaining('hostname lies outside the allowed folders') },
  ]);
});

test.each(ways)('with roots, %s that names a file below them is shown', async (_how, named) => {
  const { content } = await told(named(join(inside, 'chart.png')), { roots: [inside] });
  expect(content.map(({ type }) => type)).toContain('image');
});

test.each(ways)('with roots, %s that names one in the working directory or beside them is not', async (_how, named) => {
  for (const path of [chart, join(folder, 'secret.png')]) {
    const { content } = await told(named(path), { roots: [inside] });
    expect(content.map(({ type }) => type)).not.toContain('image');
  }
});

test('with a base, relative paths begin there and lead no further', async () => {
  const shown = await told([{ type: 'image', path: 'chart.png' }], { base: inside });
  expect(shown.content.map(({ type }) => type)).toContain('image');
  const refused = await told([{ type: 'image', path: '../secret.png' }], { base: inside });
  expect(refused.content.map(({ type }) => type)).toEqual(['text']);
});

test('a run is given the assets of its session or others, never both', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const run = runAgent({ model: 'openai/gpt-5.2', prompt: 'Look.', session, assets: memoryAssets() });
  const { stop, error } = await run.result();
  expect(stop).toBe('error');
  expect(error?.message).toBe('A session keeps its own assets. Give "session" or "assets", not both.');
});
