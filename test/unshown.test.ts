// Media that cannot be shown, on every path to a model: it reads what it was and why, and base64 never stands as text.
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../src/content/memory-assets.ts';
import { sightlineFetch } from '../src/fetch/index.ts';
import { mcpResult } from '../src/mcp/content.ts';
import { prepare } from '../src/model/prepare.ts';
import { script, scriptedServer } from '../src/model/script/index.ts';
import type { ScriptedServer } from '../src/model/script/index.ts';
import { openIntake } from '../src/media/index.ts';
import { answerOf } from '../src/toolbox/executable/answer.ts';
import { invokeTool, normalise } from '../src/toolbox/invoke.ts';
import { readAssetTextTool } from '../src/toolbox/assets/text.ts';
import { onlySome } from './some.ts';

onlySome(30);

const chart = readFileSync(new URL('../examples/chart.png', import.meta.url));

/** The picture with other figures in its header, which is valid. */
function sized(width: number, height: number): Buffer {
  const bytes = Buffer.from(chart);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

const artefacts: [what: string, bytes: Buffer, why: RegExp][] = [
  ['a cut picture', chart.subarray(0, chart.length >> 1), /image\.png is damaged/],
  ['a picture above 20 MiB', Buffer.concat([chart, Buffer.alloc(21 * 1024 * 1024, 7)]), /limit: 20,971,520 bytes/],
  ['a picture of too many pixels', sized(30_000, 30_000), /pixels/],
  ['a zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(60_000, 7)]), /zip archive/],
  [
    'a damaged HEIC picture',
    Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'), Buffer.alloc(60_000, 7)]),
    /image\.heic is damaged/,
  ],
];

const shapes: [shape: string, value: (base64: string) => object][] = [
  ['{ success, base64, message }', (base64) => ({ success: true, base64, message: 'Taken.' })],
  ['{ image: { base64 } }', (base64) => ({ image: { base64, media_type: 'image/png' }, message: 'Taken.' })],
];

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer(script(() => ({ text: 'Good.' })));
});
afterAll(() => server.close());

async function sent(path: string, body: object): Promise<unknown> {
  const response = await sightlineFetch()(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  return server.requests.at(-1)?.body;
}

function prepared(content: string, model: string): ReturnType<typeof prepare> {
  return prepare(
    {
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'call', id: 'c1', name: 'look', input: {} }] },
        { role: 'tool', callId: 'c1', name: 'look', content },
      ],
    },
    { model },
  );
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const use = { type: 'tool_use', id: 'c1', name: 'look', input: {} };

/** Each gives what a model, or a client that asks for one, is handed. */
const ways: [way: string, handed: (value: object) => Promise<unknown>][] = [
  ['normalise', async (value) => (await normalise(value)).content],
  ['normalise, as a string', async (value) => (await normalise(JSON.stringify(value))).content],
  [
    'an executable',
    async (value) => {
      const stdout = Buffer.from(JSON.stringify(value));
      const how = { name: 'look', timeoutMs: 1, outputBytes: 1, folder: '/', intake: openIntake() };
      return (await answerOf({ end: { type: 'exited', code: 0 }, stdout, stderr: '' }, how)).content;
    },
  ],
  [
    'MCP',
    async (value) =>
      (await mcpResult(await normalise(value), { assets: memoryAssets(), offer: () => undefined })).content,
  ],
  ['prepare for Chat', async (value) => (await prepared(JSON.stringify(value), 'openai-chat/gpt-4.1')).json()],
  [
    'prepare for Anthropic',
    async (value) => (await prepared(JSON.stringify(value), 'anthropic/claude-sonnet-5')).json(),
  ],
  [
    'sightlineFetch under Chat',
    (value) =>
      sent('/v1/chat/completions', {
        model: 'gpt-4.1',
        messages: [
          { role: 'user', content: 'Look.' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c1', content: JSON.stringify(value) },
        ],
      }),
  ],
  [
    'sightlineFetch under Anthropic',
    (value) =>
      sent('/v1/messages', {
        model: 'claude-sonnet-4-5',
        max_tokens: 100,
        messages: [
          { role: 'user', content: 'Look.' },
          { role: 'assistant', content: [use] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: JSON.stringify(value) }] },
        ],
      }),
  ],
];

describe.each(artefacts)('%s', (_what, bytes, why) => {
  describe.each(shapes)('in %s', (_shape, value) => {
    test.each(ways)('by way of %s is told in words', async (_way, handed) => {
      const base64 = bytes.toString('base64');
      const given = JSON.stringify(await handed(value(base64)));
      expect(given.includes(base64.slice(0, 60))).toBe(false);
      expect(given.slice(0, 5000)).toContain('not shown');
      expect(given.slice(0, 5000)).toMatch(why);
      expect(given.slice(0, 5000)).toContain('Taken.');
    });
  });

  test('is in a receipt where there is a plan', async () => {
    const { receipts } = await prepared(JSON.stringify({ base64: bytes.toString('base64') }), 'openai-chat/gpt-4.1');
    expect(receipts.map((receipt) => receipt.why ?? '').join('\n')).toMatch(why);
  });
});

const letters: [what: string, text: string][] = [
  ['a hex dump', Buffer.alloc(30_000, 'sight').toString('hex')],
  ['DNA', 'ACGTTGCA'.repeat(6000)],
  ['protein', 'MKVLAAGIVPLLW'.repeat(4000)],
  ['digits', '31415926535897932384'.repeat(2500)],
  ['a key', Buffer.from('a key of many letters '.repeat(2000)).toString('base64url')],
];

test.each(letters)('%s of more than 16 KiB stays text and can be read in parts', async (_what, text) => {
  const assets = memoryAssets();
  const result = await normalise({ sequence: text }, { assets });
  expect(result.content).toHaveLength(1);
  expect(JSON.stringify(result.content)).toContain(text.slice(0, 20_000));
  const [whole] = result.kept ?? [];
  expect(new TextDecoder().decode(whole && (await assets.get(whole.id)))).toContain(text);
  const read = await invokeTool(
    { type: 'call', id: 'c2', name: 'read_asset_text', input: { asset: whole?.id ?? '', offset: 10 } },
    {
      tools: [readAssetTextTool({ assets })],
      assets,
      conversation: () => [{ content: result.content, kept: result.kept ?? [] }],
    },
  );
  expect(JSON.stringify(read.content)).toContain(text.slice(20_500, 21_500));
});
