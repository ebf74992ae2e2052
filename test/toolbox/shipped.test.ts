// The list of shipped tools, as those who offer them read it.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { invokeTool, normalise, prepare } from '../../src/index.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { plain } from '../media/make.ts';
import { words } from './caller.ts';

test('each tool says its group and what it does to the world', () => {
  const { list } = shippedTools({ roots: ['.'] });
  expect(list.map(({ tool, group, reach }) => `${tool.name}: ${group}, ${reach}`)).toEqual([
    'read_file: read, reads',
    'list_files: read, reads',
    'search_files: read, reads',
    'view_asset: assets, reads',
    'list_assets: assets, reads',
    'read_asset_text: assets, reads',
    'query_json: assets, reads',
    'attach_to_response: assets, reads',
    'fetch_url: web, reaches-out',
    'screenshot_webpage: browser, reaches-out',
    'compare_screenshots: browser, reaches-out',
    'browser_session_create: browser, reaches-out',
    'browser_session_list: browser, reaches-out',
    'browser_session_navigate: browser, reaches-out',
    'browser_session_inspect: browser, reaches-out',
    'browser_session_interact: browser, reaches-out',
    'browser_session_screenshot: browser, reaches-out',
    'browser_session_destroy: browser, reaches-out',
    'screenshot: screen, reads',
  ]);
});

test('what only looks says so to those who run calls again, and to MCP clients', () => {
  const { list } = shippedTools({ roots: ['.'] });
  const acting = list.filter(({ tool }) => tool.effect !== 'read').map(({ tool }) => tool.name);
  expect(acting).toEqual([
    'attach_to_response',
    'browser_session_create',
    'browser_session_navigate',
    'browser_session_interact',
    'browser_session_destroy',
    'screenshot',
  ]);
});

test.each([
  [
    ['browser', 'fetch_url', 'screen'],
    [
      'read_file',
      'list_files',
      'search_files',
      'view_asset',
      'list_assets',
      'read_asset_text',
      'query_json',
      'attach_to_response',
    ],
  ],
  [
    ['assets', 'browser', 'web', 'screen'],
    ['read_file', 'list_files', 'search_files'],
  ],
  [['read', 'assets', 'browser', 'web', 'screen'], []],
])('without %j there are %j', (off, names) => {
  expect(shippedTools({ roots: ['.'], off }).tools.map(({ name }) => name)).toEqual(names);
});

test('a wrong name to leave out is told', () => {
  expect(() => shippedTools({ roots: ['.'], off: ['brwser'] })).toThrow(/There is no tool or group "brwser"/);
});

test('the asset tools see the conversation that a call belongs to, and nothing without one', async () => {
  const assets = memoryAssets();
  const { tools } = shippedTools({ roots: ['.'] });
  const seen = await normalise(await plain(8, 6).png().toBuffer(), { assets });
  const call = { type: 'call', id: 'c', name: 'list_assets', input: {} } as const;
  const inside = await invokeTool(call, { tools, assets, conversation: () => [seen] });
  expect(words(inside)).toMatch(/^\[Assets 1-1 of 1, newest first\.\]\n[0-9a-f]{8} {2}image "image\.png" 8×6, /);
  expect(words(await invokeTool(call, { tools, assets }))).toBe('This conversation has no assets yet.');
});

test('saving pictures makes the screenshot a tool that writes', () => {
  const { list } = shippedTools({ roots: ['.'], screen: { folder: '.' } });
  expect(list.at(-1)).toMatchObject({ reach: 'writes', tool: { inputSchema: { properties: { output: {} } } } });
});

test.each([
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-2.5-pro',
  'ollama/qwen3-vl',
])('the definitions can be sent to %s', async (model) => {
  const { tools } = shippedTools({ roots: ['.'] });
  const { json } = await prepare({ tools, messages: [{ role: 'user', content: 'hello' }] }, { model });
  expect(JSON.stringify(await json())).toContain('browser_session_interact');
});
