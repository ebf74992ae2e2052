// Media that go up once: what travels, what is repeated, and what happens when a store fails, forgets or expires. The stores are
// a server on this machine that speaks the providers' own routes.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Asset, DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import type { AssetStore } from '../../src/content/asset-store.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Message } from '../../src/message/message.ts';
import { uploadWords } from '../../src/cli/uploads.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import { fileUploads } from '../../src/model/uploads/file-uploads.ts';
import { memoryUploadTable } from '../../src/model/uploads/port.ts';
import type { FileUploads } from '../../src/model/uploads/port.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import { refuse } from '../../src/content/refusal.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { effort } from '../effort.ts';
import { schemaErrors } from '../judge/judge.ts';
import { pdf as samplePdf } from '../judge/sample-body.ts';
import { fileServer } from './file-server.ts';
import type { FileServer } from './file-server.ts';
import { hastyClock } from './hasty-clock.ts';

let server: FileServer;
beforeAll(async () => {
  server = await fileServer(() => ({ text: 'Seen.' }));
});
afterAll(() => server.close());
beforeEach(() => {
  server.files.clear();
  server.uploads.length = server.bodies.length = server.faults.length = server.chunks.length = 0;
  Object.assign(server.bytes, { files: 0, requests: 0 });
});

const tools = [{ name: 'shot', description: 'A picture.', inputSchema: { type: 'object' } }];
const models = ['anthropic/claude-sonnet-5', 'openai/gpt-5.2', 'gemini/gemini-2.5-pro'] as const;

async function picture(assets: AssetStore, size = 100_000): Promise<ImageBlock> {
  const asset: Asset = await assets.put(randomBytes(size), { mediaType: 'image/png', name: 'shot.png' });
  return { type: 'image', asset, width: 1280, height: 800 };
}

function step(at: number, block: ImageBlock, model: string): Message[] {
  return [
    { role: 'assistant', model, content: [{ type: 'call', id: `call_${at}`, name: 'shot', input: {} }] },
    { role: 'tool', callId: `call_${at}`, name: 'shot', content: [{ type: 'text', text: `Shot ${at}.` }, block] },
  ];
}

const baseFor = (model: string): string => (/^(?:openai|xai)/.test(model) ? `${server.url}/v1` : server.url);

const uploadsTo = (more: Parameters<typeof fileUploads>[0] = {}, model = 'anthropic'): FileUploads =>
  fileUploads({ key: 'secret', baseUrl: baseFor(model), ...more });

type Turn = { ledger?: Ledger; receipts: Receipt[]; text: string; healed: string[]; error?: string };

/** One answer, with the ledger of the turn before. */
async function ask(
  model: string,
  messages: Message[],
  assets: AssetStore,
  uploads: FileUploads,
  ledger?: Ledger,
): Promise<Turn> {
  const turn: Turn = { receipts: [], text: '', healed: [] };
  const options = {
    model,
    assets,
    uploads,
    ledger,
    baseUrl: baseFor(model),
    key: 'secret',
    clock: hastyClock(),
    tries: 1,
  };
  for await (const event of answer({ tools, messages }, options)) {
    if (event.type === 'request-ready') turn.receipts = event.receipts;
    if (event.type === 'request-healed') turn.healed.push(event.why);
    if (event.type === 'request-accepted') turn.ledger = event.ledger;
    if (event.type === 'block-delta') turn.text += event.text;
    if (event.type === 'message-error') turn.error = event.message;
  }
  return turn;
}

const go: Message = { role: 'user', content: [{ type: 'text', text: 'Look.' }] };

describe.each(models)('%s', (model) => {
  test('a picture goes up once, and by its id from then on; it is taken back when nobody needs it', async () => {
    const assets = memoryAssets();
    const uploads = uploadsTo({}, model);
    const block = await picture(assets);
    const first = [go, ...step(1, block, model)];
    const one = await ask(model, first, assets, uploads);
    expect({ text: one.text, error: one.error }).toEqual({ text: 'Seen.', error: undefined });
    expect(server.uploads).toHaveLength(1);
    expect(server.uploads[0]?.sha256).toBe(block.asset.id.slice(7));
    expect(server.bodies[0]).toContain(server.uploads[0]?.id);
    expect(await schemaErrors(model.startsWith('a') ? 'anthropic-messages' : model.startsWith('o') ? 'openai-responses' : 'gemini', JSON.parse(server.bodies[0] ?? ''))).toEqual([]);
    expect(one.receipts.find(({ asset }) => asset === block.asset.id)).toMatchObject({ carrier: 'file' });
    const second = [...first, { role: 'assistant', model, content: [{ type: 'text', text: 'Seen.' }] } as Message, go];
    const two = await ask(model, second, assets, uploads, one.ledger);
    expect(two.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
    expect(server.uploads).toHaveLength(1);
    expect(server.bodies[1]).toContain(server.uploads[0]?.id);
    expect(JSON.stringify([one.receipts, two.receipts])).not.toContain(server.uploads[0]?.id);
    expect(await uploads.withdraw(new Set([block.asset.id]))).toEqual({ deleted: 1, left: 0 });
    expect(server.files.size).toBe(0);
  });

  test.each([['429, then 500', [429, 500]], ['a line that is cut', ['cut']]] as const)('%s: the upload is tried again', async (_what, faults) => {
    const assets = memoryAssets();
    server.faults.push(...faults);
    const turn = await ask(model, [go, ...step(1, await picture(assets), model)], assets, uploadsTo({ clock: hastyClock() }, model));
    expect({ text: turn.text, healed: turn.healed }).toEqual({ text: 'Seen.', healed: [] });
    expect(server.uploads).toHaveLength(1);
  });

  test('a store that refuses: the picture goes inline', async () => {
    const assets = memoryAssets();
    server.faults.push(413);
    const block = await picture(assets);
    const turn = await ask(model, [go, ...step(1, block, model)], assets, uploadsTo({}, model));
    expect(turn.text).toBe('Seen.');
    expect(turn.receipts.find(({ asset }) => asset === block.asset.id)).toMatchObject({ carrier: 'inline' });
    expect(server.files.size).toBe(0);
  });

  test('a file that the provider forgot is uploaded again, and the answer comes', async () => {
    const assets = memoryAssets();
    const uploads = uploadsTo({}, model);
    const messages = [go, ...step(1, await picture(assets), model)];
    const one = await ask(model, messages, assets, uploads);
    server.files.clear();
    const more = [...messages, { role: 'assistant', model, content: [{ type: 'text', text: 'Seen.' }] } as Message, go];
    const two = await ask(model, more, assets, uploads, one.ledger);
    expect({ text: two.text, healed: two.healed.length }).toEqual({ text: 'Seen.', healed: 1 });
    expect(server.uploads).toHaveLength(2);
    expect(await uploads.withdraw()).toEqual({ deleted: 1, left: 0 });
    expect(server.files.size).toBe(0);
  });

  test.each(['says which', 'does not say which'])('of three files one is deleted, and the provider %s: that one alone goes up again', async (how) => {
    const assets = memoryAssets();
    const uploads = uploadsTo({}, model);
    const steps = await Promise.all([1, 2, 3].map(async (at) => step(at, await picture(assets), model)));
    const messages = [go, ...steps.flat()];
    const one = await ask(model, messages, assets, uploads);
    server.files.delete(server.uploads[1]?.id ?? '');
    server.vague = how !== 'says which';
    const more = [...messages, { role: 'assistant', model, content: [{ type: 'text', text: 'Seen.' }] } as Message, go];
    const two = await ask(model, more, assets, uploads, one.ledger);
    server.vague = false;
    expect({ text: two.text, healed: two.healed.length }).toEqual({ text: 'Seen.', healed: 1 });
    expect(two.healed[0]).not.toMatch(/abc/); // no word of an id
    expect(server.uploads).toHaveLength(4);
    expect(server.uploads[3]?.sha256).toBe(server.uploads[1]?.sha256);
    expect(await uploads.withdraw()).toEqual({ deleted: 3, left: 0 });
    expect(server.files.size).toBe(0);
  });
}); // prettier-ignore

test.each(models)('%s: who uploads hears how much has left, and all of it in the end', async (model) => {
  const told: string[] = [];
  const assets = memoryAssets();
  const { asset } = await picture(assets, 600_000);
  const uploads = uploadsTo({ onProgress: (progress) => told.push(uploadWords(progress)) }, model);
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    const all = (await assets.get(asset.id)) ?? new Uint8Array();
    for (let at = 0; at < all.length; at += 200_000) yield all.subarray(at, at + 200_000);
  };
  expect((await uploads.give(asset, model.split('/')[0] ?? '', bytes)).ok).toBe(true);
  expect(told).toEqual(['200 kB', '400 kB', '600 kB'].map((sent) => `uploading shot.png, ${sent} of 600 kB`));
});

test('a large file goes to Google in pieces of 8 MiB, and on where a line was cut', async () => {
  const assets = memoryAssets();
  const size = 20 * 1024 * 1024 + 7;
  const block = await picture(assets, size);
  server.faults.push('fine', 'cut', 503);
  const uploads = uploadsTo({ clock: hastyClock() }, 'gemini');
  const given = await uploads.give(block.asset, 'gemini', () => assets.stream(block.asset.id));
  expect(given.ok).toBe(true);
  expect(server.uploads).toMatchObject([{ size, sha256: block.asset.id.slice(7), fields: 'upload, finalize' }]);
  const [piece, rest = 0] = [8 * 1024 * 1024, server.chunks[1]];
  expect(server.chunks[0]).toBe(piece);
  expect(rest).toBeLessThan(piece); // what had come before the cut is not sent again
  expect(server.chunks.at(-1)).toBe(size - 2 * piece);
});

test.each(['anthropic', 'gemini'])(
  'a store of %s that takes a file and never answers holds nobody up',
  async (endpoint) => {
    const clock = hastyClock();
    const assets = memoryAssets();
    const asset = await assets.put(randomBytes(1000), { mediaType: 'image/png', name: 'shot.png' });
    server.faults.push('silent');
    server.heardNothing = () => clock.pass(10 * 60_000);
    const given = await uploadsTo({ clock }).give(asset, endpoint, () => assets.stream(asset.id));
    server.heardNothing = () => {};
    expect(given).toMatchObject({ ok: false, refusal: { what: 'The upload failed: Nothing came for 120 seconds.' } });
    expect(server.uploads).toEqual([]); // and it is not tried again: the picture goes inline
  },
);

test('a file that expired is no longer counted; one that is being sent stays, and so does that of another key', async () => {
  const assets = memoryAssets();
  let now = Date.now();
  const table = memoryUploadTable();
  const uploads = uploadsTo({ table, keepHours: 1, clock: { ...hastyClock(), now: () => now } });
  const [old, young] = [await picture(assets), await picture(assets)];
  await uploads.give(old.asset, 'anthropic', () => assets.stream(old.asset.id));
  now += 2 * 3_600_000;
  await uploads.give(young.asset, 'anthropic', () => assets.stream(young.asset.id));
  const theirs = {
    account: 'another',
    asset: young.asset.id,
    endpoint: 'anthropic',
    size: 1,
    created: now,
    expires: now + 3_600_000,
  };
  await table.claim({ ...theirs, file: '', state: 'sending' });
  expect(await uploadsTo({ table, key: 'other', clock: { ...hastyClock(), now: () => now } }).withdraw()).toEqual({ deleted: 0, left: 2 }); // prettier-ignore
  expect(await uploads.withdraw()).toEqual({ deleted: 1, left: 1 });
  expect((await table.rows()).map(({ account }) => account)).toEqual(['another']);
});

const claude = 'anthropic/claude-sonnet-5';

test('an id that expires in the third turn is made anew before it is sent', async () => {
  const assets = memoryAssets();
  let now = Date.now();
  const uploads = uploadsTo({ keepHours: 1, clock: { ...hastyClock(), now: () => now } });
  const messages = [go, ...step(1, await picture(assets), claude)];
  const one = await ask(claude, messages, assets, uploads);
  const said: Message = { role: 'assistant', model: claude, content: [{ type: 'text', text: 'Seen.' }] };
  const two = await ask(claude, [...messages, said, go], assets, uploads, one.ledger);
  now += 55 * 60_000;
  const three = await ask(claude, [...messages, said, go, said, go], assets, uploads, two.ledger);
  expect(three.receipts).toContainEqual(
    expect.objectContaining({ action: 'checkpoint', subject: 'reference-expired' }),
  );
  expect({ healed: three.healed, uploads: server.uploads.length }).toEqual({ healed: [], uploads: 2 });
  expect(server.uploads[0]?.fields).toContain('name="expires_in_seconds"\r\n\r\n3600');
});

test('another key means another account: its ids are its own', async () => {
  const assets = memoryAssets();
  const table = memoryUploadTable();
  const messages = [go, ...step(1, await picture(assets), claude)];
  const one = await ask(claude, messages, assets, uploadsTo({ table }));
  const two = await ask(claude, messages, assets, uploadsTo({ table, key: 'other' }), one.ledger);
  expect(two.receipts).toContainEqual(expect.objectContaining({ action: 'checkpoint', subject: 'account-changed' }));
  expect(server.uploads).toHaveLength(2);
  expect(JSON.stringify(await table.rows())).not.toContain('secret');
  const off = await prepare({ tools, messages }, { model: claude, assets, ledger: two.ledger });
  expect(off.receipts).toContainEqual(expect.objectContaining({ subject: 'account-changed' }));
  expect(JSON.stringify(await off.json())).not.toContain('file_');
});

test('two that upload the same at once, also over one table, send it once', async () => {
  const assets = memoryAssets();
  const table = memoryUploadTable();
  const block = await picture(assets);
  const bytes = (): AsyncIterable<Uint8Array> => assets.stream(block.asset.id);
  const [mine, yours] = [uploadsTo({ table }), uploadsTo({ table })];
  const given = await Promise.all([mine, mine, yours].map((port) => port.give(block.asset, 'anthropic', bytes)));
  expect(new Set(given.map((one) => (one.ok ? one.value.file : 'none'))).size).toBe(1);
  expect(server.uploads).toHaveLength(1);
});

test('who is stopped while a file goes up takes nothing from others who wait for it', async () => {
  const assets = memoryAssets();
  const { asset } = await picture(assets);
  const uploads = uploadsTo();
  const stopping = new AbortController();
  let reads = 0;
  const bytes = (): AsyncIterable<Uint8Array> => {
    if (++reads === 1) stopping.abort();
    return assets.stream(asset.id);
  };
  const [stopped, waiting] = await Promise.all([
    uploads.give(asset, 'anthropic', bytes, stopping.signal),
    uploads.give(asset, 'anthropic', bytes),
  ]);
  expect(stopped).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
  expect(waiting).toMatchObject({ ok: true });
  expect(server.uploads).toHaveLength(1);
});

test('small pictures, single questions and models without a store go inline', async () => {
  const assets = memoryAssets();
  const uploads = uploadsTo();
  const small = await picture(assets, 1000);
  await ask(claude, [go, ...step(1, small, claude)], assets, uploads);
  const large = await picture(assets);
  const single = await prepare({ messages: [{ role: 'user', content: [large] }] }, { model: claude, assets, uploads });
  expect(single.receipts).toMatchObject([{ carrier: 'inline' }]);
  const ollama = await prepare(
    { tools, messages: [go, ...step(1, large, 'a/b')] },
    { model: 'ollama/qwen3-vl', assets, uploads },
  );
  expect(ollama.receipts.find(({ asset }) => asset)).toMatchObject({ carrier: 'inline' });
  expect(server.uploads).toHaveLength(0);
});

const asking = (...papers: DocumentBlock[]): { messages: Message[] } => ({
  messages: [{ role: 'user', content: papers }],
});

test('what does not fit inline goes up even for a single question', async () => {
  const assets = memoryAssets({ maxBytes: 100_000_000 });
  const uploads = uploadsTo();
  const pdf = async (size: number): Promise<DocumentBlock> => {
    const asset = await assets.put(randomBytes(size), { mediaType: 'application/pdf', name: 'paper.pdf' });
    return { type: 'document', asset, pages: 1 };
  };
  const one = await prepare(asking(await pdf(30_000_000)), { model: claude, assets, uploads });
  expect(one.receipts).toMatchObject([{ action: 'inside', carrier: 'file' }]);
  expect(JSON.stringify(await one.json())).toContain(server.uploads[0]?.id);
  const small = [await pdf(100_000), await pdf(100_000)];
  const alone = await prepare(asking(...small), { model: claude, assets, uploads });
  expect(alone.receipts).toMatchObject([{ carrier: 'inline' }, { carrier: 'inline' }]);
  const tight = await prepare(asking(...small), { model: claude, assets, uploads, budget: { bytes: 200_000 } });
  expect(tight.receipts.filter(({ asset }) => asset)).toMatchObject([{ carrier: 'file' }, { carrier: 'file' }]);
}); // prettier-ignore

test('a large document that no store takes goes down the ladder', () => {
  const asset: Asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'application/pdf', size: 30_000_000 };
  const messages: Message[] = [{ role: 'user', content: [{ type: 'document', asset, pages: 1 }] }];
  const input = { transcript: { version: 1 as const, messages }, profile: profileFor(claude), uploads: { account: 'one', stale: new Set<string>() } };
  const [need] = plan(input).needs ?? [];
  expect(need).toMatchObject({ to: 'file', endpoint: 'anthropic' });
  const facts = new Map(need ? [[renditionKey(need), refuse('not-allowed', 'Full', 'Wait.')] as const] : []);
  expect(plan({ ...input, facts }).needs).toMatchObject([{ to: 'pages' }]);
}); // prettier-ignore

const manySteps = effort.isLong ? 200 : 60;

test.each(['anthropic/claude-sonnet-5', 'openai/gpt-5.2'])(`%s: over ${manySteps} steps every picture travels once, and bytes force nothing`, async (model) => {
  const [steps, size] = [manySteps, 286_000];
  const assets = memoryAssets({ maxBytes: 2 * steps * size });
  const uploads = uploadsTo({}, model);
  const messages: Message[] = [go];
  let ledger: Ledger | undefined;
  let [sent, checkpoints] = [0, 0];
  for (let at = 1; at <= steps; at++) {
    messages.push(...step(at, await picture(assets, size), model));
    const request = await prepare({ tools, messages: [...messages] }, { model, assets, uploads, ...(ledger && { ledger }) });
    ({ ledger } = request);
    sent += request.outgoing().contentLength;
    checkpoints += request.receipts.filter(({ action }) => action === 'checkpoint').length;
  }
  const unique = steps * size;
  expect(server.uploads).toHaveLength(steps);
  expect(server.bytes.files / unique).toBeLessThanOrEqual(1.05);
  expect((server.bytes.files + sent) / unique).toBeLessThanOrEqual(1.15);
  expect(checkpoints).toBe(0);
}); // prettier-ignore

test('Grok, which takes no PDF inline, gets one by the id of a file, after the results; without uploads its words', async () => {
  const assets = memoryAssets();
  const model = 'xai/grok-4';
  const asset = await assets.put(Buffer.from(samplePdf, 'base64'), {
    mediaType: 'application/pdf',
    name: 'report.pdf',
  });
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
    { role: 'assistant', model, content: [{ type: 'call', id: 'call_1', name: 'shot', input: {} }] },
    { role: 'tool', callId: 'call_1', name: 'shot', content: [{ type: 'document', asset, pages: 1 }] },
  ];
  const bare = await prepare({ tools, messages }, { model, assets });
  expect(JSON.stringify(await bare.json())).not.toContain('input_file');
  const uploads = uploadsTo({}, model);
  const request = await prepare({ tools, messages }, { model, assets, uploads });
  const [stored] = server.uploads;
  expect(stored?.fields).toMatch(/expires_after\[seconds\]/);
  expect((await request.json()).input.at(-1)).toMatchObject({ role: 'user', content: [{}, {}, { type: 'input_file', file_id: stored?.id }, {}] }); // prettier-ignore
  expect(request.receipts).toMatchObject([
    { action: 'after', carrier: 'file', why: 'grok-4 takes it by a file id alone' },
  ]);
  expect(await uploads.withdraw()).toEqual({ deleted: 1, left: 0 });
});
