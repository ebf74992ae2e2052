// Events on their way to a page: line by line, without what only a provider can read.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../../src/agent/run.ts';
import { toSSE } from '../../../src/agent/ui/sse.ts';
import type { PageOptions } from '../../../src/agent/ui/page-options.ts';
import { memoryAssets } from '../../../src/content/memory-assets.ts';
import { script, scriptedSend } from '../../../src/model/script/index.ts';
import { defineTool } from '../../../src/tool/tool.ts';

async function* told(events: readonly object[]): AsyncGenerator<{ type: string }> {
  for (const event of events) yield event as { type: string };
}

/** What a page reads, event by event. */
async function read(events: readonly object[], options?: PageOptions): Promise<unknown[]> {
  const text = await toSSE(told(events), options).text();
  expect(text === '' || text.endsWith('\n\n')).toBe(true);
  const lines = text.split('\n\n').filter((line) => line !== '');
  for (const line of lines) expect(line.startsWith('data: {')).toBe(true);
  return lines.map((line) => JSON.parse(line.slice(6)) as unknown);
}

test('is a stream of events that nobody keeps back', () => {
  expect(Object.fromEntries(toSSE(told([])).headers)).toEqual({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    'x-vercel-ai-ui-message-stream': 'v1',
  });
});

test('every event is a line; what only the provider knows stays', async () => {
  expect(await read([{ type: 'text', text: 'Hi' }, { type: 'message-extra', raw: 1 }, { type: 'run-end' }])).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'run-end' },
  ]);
  const block = { type: 'thinking', text: 'hm', seal: { item: { secret: 1 } } };
  expect(await read([{ type: 'x', block }])).toEqual([{ type: 'x', block: { type: 'thinking', text: 'hm' } }]);
  const animal = { type: 'x', input: { seal: { of: 'Greenland' }, other: { item: 1 } }, seal: 'wax' };
  expect(await read([animal])).toEqual([animal]);
});

test('what a schema makes of arguments may be nothing that JSON holds', async () => {
  const cities = new Map<string, object>([['7', {}]]);
  for (const city of cities.values()) Object.assign(city, { name: 'Oslo', itself: city });
  const find = defineTool({
    name: 'find',
    description: 'Finds.',
    input: z.object({ id: z.string().transform(BigInt), city: z.string().transform((key) => cities.get(key)) }),
    run: () => 'found',
  });
  const send = scriptedSend(script([{ calls: [{ name: 'find', input: { id: '12', city: '7' } }] }, { text: 'Done.' }]));
  const run = runAgent({ model: 'openai/gpt-5.2', prompt: 'Go.', tools: [find], assets: memoryAssets(), send });
  const text = await toSSE(run).text();
  expect(await run).toMatchObject({ stop: 'end', text: 'Done.' });
  expect(text).toContain('"checked":{"type":"call"');
  expect(text).toContain('{"id":"12","city":{"name":"Oslo","itself":"[circular]"}}');
  expect(text).toContain('"type":"run-end"');
});

const mediaUrl = ({ id }: { id: string }): string => `/media/${id}`;

test('a medium has the address that is said for it, unless it has one', async () => {
  const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1 };
  const picture = { type: 'image', asset, width: 1, height: 1 };
  const content = [
    picture,
    { ...picture, url: '/mine' },
    { type: 'text', text: 'a' },
    { type: 'image', asset: 'none' },
  ];
  expect(await read([{ type: 'x', content }], { mediaUrl })).toEqual([
    { type: 'x', content: [{ ...picture, url: '/media/sha256:aa' }, ...content.slice(1)] },
  ]);
  expect(await read([{ type: 'x', content }])).toEqual([{ type: 'x', content }]);
});

test('a decision is told once, however often requests repeat it', async () => {
  const [one, other] = [
    { action: 'inside', subject: 'a' },
    { action: 'words', subject: 'b' },
  ];
  const events = [
    { type: 'request', receipts: [one] },
    { type: 'request', receipts: [one, other] },
    { type: 'y', receipts: 'all' },
  ];
  expect(await read(events)).toEqual([
    { type: 'request', receipts: [one] },
    { type: 'request', receipts: [other] },
    { type: 'y', receipts: 'all' },
  ]);
});

test('files that go with an answer have an address, and other things with assets have none', async () => {
  const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'text/csv', size: 3 };
  const end = { type: 'run-end', attachments: [{ type: 'file', asset }], other: [{ type: 'note', asset }] };
  expect(await read([end], { mediaUrl })).toEqual([
    { ...end, attachments: [{ type: 'file', asset, url: `/media/${asset.id}` }] },
  ]);
});
