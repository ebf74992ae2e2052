// 200 is not "seen": an answer whose own count of tokens holds nothing of the pictures in the request. The server here counts as Google
// does, and does not look at media that come a way the test names.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { isRecord } from '../../src/content/json.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import type { Message } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import { noise } from '../media/make.ts';
import { memorySessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { FileUploads } from '../../src/model/uploads/port.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { Receipt } from '../../src/window/receipt.ts';

type Way = 'file' | 'inside' | 'everything';
let blindTo: Way | undefined;
let ways: string[][] = [];
let calls = 0;
let server: Server;
let baseUrl = '';

/** How media stand in a body: `inline` or `file`, with `inside` for those in results. */
function waysIn(value: unknown, inside: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => waysIn(one, inside));
  if (!isRecord(value)) return [];
  const own = 'inlineData' in value ? ['inline'] : 'fileData' in value ? ['file'] : [];
  const inner = Object.entries(value).flatMap(([key, one]) => waysIn(one, inside || key === 'functionResponse'));
  return [...own.map((way) => (inside ? `${way} inside` : way)), ...inner];
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = waysIn(JSON.parse(Buffer.concat(chunks).toString()), false);
    ways.push(sent);
    const seen = sent.filter((way) => blindTo !== 'everything' && !way.includes(blindTo ?? '-')).length;
    const modalities = [{ modality: 'TEXT', tokenCount: 40 }, ...(seen > 0 ? [{ modality: 'IMAGE', tokenCount: 258 * seen }] : [])];
    const part = calls-- > 0 ? { functionCall: { name: 'shot', args: {} } } : { text: seen > 0 ? 'A kiwi.' : 'A fluffy white dog.' };
    const usageMetadata = { promptTokenCount: 40 + 258 * seen, candidatesTokenCount: 4, promptTokensDetails: modalities };
    const event = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], usageMetadata };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(event)}\n\n`);
  }); // prettier-ignore
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  [blindTo, ways, calls] = [undefined, [], 0];
});

const tools = [{ name: 'shot', description: 'A picture.', inputSchema: { type: 'object' } }];
const go: Message = { role: 'user', content: [{ type: 'text', text: 'Look.' }] };

/** Ids without a provider: what a store gives is not what this is about. */
const uploads: FileUploads = {
  account: async () => 'account',
  give: async ({ id }) => ({ ok: true, value: { file: `https://generativelanguage.googleapis.com/v1beta/files/${id.slice(7, 19)}`, expires: Infinity } }),
  stale: async () => new Set(),
  forget: async () => 0,
  withdraw: async () => ({ deleted: 0, left: 0 }),
}; // prettier-ignore

async function picture(assets: AssetStore): Promise<ImageBlock> {
  const asset = await assets.put(randomBytes(100_000), { mediaType: 'image/png', name: 'kiwi.png' });
  return { type: 'image', asset, width: 640, height: 480 };
}

function conversation(block: ImageBlock, model: string, turns: number): Message[] {
  const said: Message = { role: 'assistant', model, content: [{ type: 'text', text: 'Hm.' }] };
  return [
    go,
    { role: 'assistant', model, content: [{ type: 'call', id: 'c1', name: 'shot', input: {} }] },
    { role: 'tool', callId: 'c1', name: 'shot', content: [block] },
    ...Array.from({ length: turns }, () => [said, go]).flat(),
  ];
}

type Turn = { receipts: Receipt[]; unseen: Receipt[]; why: string; ledger?: Ledger };

async function ask(model: string, messages: Message[], assets: AssetStore, ledger?: Ledger, up?: FileUploads): Promise<Turn> {
  const turn: Turn = { receipts: [], unseen: [], why: '' };
  const options = { model, assets, baseUrl, key: 'secret', ledger, uploads: up, tries: 1 };
  for await (const event of answer({ tools, messages }, options)) {
    if (event.type === 'request-ready') turn.receipts = event.receipts;
    if (event.type === 'request-unseen') Object.assign(turn, { unseen: event.receipts, why: event.why });
    if (event.type === 'request-accepted') turn.ledger = event.ledger;
    if (event.type === 'message-error') throw new Error(event.message);
  }
  return turn;
} // prettier-ignore

test.each([
  ['by its id', 'gemini/gemini-2.5-pro', 'file', uploads, ['file'], ['inline']],
  ['inside a result', 'gemini/gemini-3-pro-preview', 'inside', undefined, ['inline inside'], ['inline']],
] as const)('a picture %s that was not seen is told, and goes another way from then on', async (_what, model, way, up, first, then) => {
  const assets = memoryAssets();
  const block = await picture(assets);
  blindTo = way;
  const one = await ask(model, conversation(block, model, 0), assets, undefined, up);
  expect(one.unseen).toMatchObject([{ action: 'unseen', subject: '1 image', sent: [block.asset.id] }]);
  expect(one.why).toMatch(/^Not seen: 1 image\. gemini-\S+ answered and counts no tokens of this kind: .* goes another way/);
  const stored = JSON.parse(JSON.stringify(one.ledger)) as Ledger;
  const two = await ask(model, conversation(block, model, 1), assets, stored, up);
  expect(two.receipts).toContainEqual(expect.objectContaining({ action: 'checkpoint', subject: 'unseen' }));
  expect(two.unseen).toEqual([]);
  const three = await ask(model, conversation(block, model, 2), assets, two.ledger, up);
  expect(three.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  expect(ways).toEqual([first, then, then]);
}); // prettier-ignore

test('what was seen is not told, and what goes no other way is told without a promise', async () => {
  const [assets, model] = [memoryAssets(), 'gemini/gemini-2.5-pro'];
  const block = await picture(assets);
  expect((await ask(model, conversation(block, model, 0), assets)).unseen).toEqual([]);
  expect((await ask(model, [go], assets)).unseen).toEqual([]);
  blindTo = 'everything';
  const blind = await ask(model, conversation(block, model, 0), assets);
  expect(blind.why).toContain('there is no other way to send it');
  const again = await ask(model, conversation(block, model, 1), assets, blind.ledger);
  expect(again.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
});

test('a run tells it, and its session keeps it for the next', async () => {
  await using store = memorySessions();
  await using session = await store.create();
  const kiwi = await noise(64, 48).png().toBuffer();
  const shot = defineTool({ name: 'shot', description: 'A picture.', input: { type: 'object' }, run: () => kiwi });
  const model = { model: 'gemini/gemini-3-pro-preview', baseUrl, key: 'secret' };
  [blindTo, calls] = ['inside', 1];
  const events: string[] = [];
  for await (const event of runAgent({ model, session, tools: [shot], prompt: 'Look.' })) events.push(event.type);
  expect(events).toContain('request-unseen');
  await runAgent({ model, session, tools: [shot], prompt: 'And now?' }).result();
  expect(ways).toEqual([[], ['inline inside'], ['inline']]);
});
