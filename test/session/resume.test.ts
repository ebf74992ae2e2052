// Save, restart, resume, on any model: the request is that of a conversation which was never stored. Files that were
// read may be overwritten and deleted meanwhile.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { Block } from '../../src/content/block.ts';
import { read } from '../../src/media/read.ts';
import type { Message } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { openSessions } from '../../src/session/index.ts';
import { docx, paragraph } from '../media/archive.ts';
import { pdfSaying } from '../media/make.ts';
import { assistant, png, result, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-resume-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-2.5-pro',
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'ollama/qwen3-vl',
  'ollama/llama3.1',
] as const;

const files: [string, Uint8Array][] = [
  ['picture.png', png(1)],
  ['report.pdf', pdfSaying('first page', 'second page')],
  ['letter.docx', docx(paragraph('Dear reader'))],
];

async function blocksOf(name: string, bytes: Uint8Array, assets: AssetStore): Promise<Block[]> {
  const path = join(scratch, name);
  writeFileSync(path, bytes);
  const reading = await read(path, { assets });
  if (!reading.ok) throw new Error(reading.refusal.what);
  writeFileSync(path, 'something else'); // the usual fate of a screenshot
  rmSync(path);
  return reading.value.blocks;
}

async function conversation(assets: AssetStore): Promise<Message[]> {
  const sealed = { wire: 'anthropic-messages', endpoint: 'anthropic', model: 'claude-sonnet-4-5' };
  const thinking: Block = {
    type: 'thinking',
    text: 'hm',
    seal: { ...sealed, item: { type: 'thinking', thinking: 'hm', signature: 'sig' } },
  };
  const calls = files.map(([name], at): Block => ({
    type: 'call',
    id: `c${at}`,
    name: 'look',
    input: { name, deep: [1, null] },
  }));
  const results: Message[] = [];
  for (const [at, [name, bytes]] of files.entries())
    results.push({ ...result(`c${at}`, `here is ${name}`, ...(await blocksOf(name, bytes, assets))), details: { at } });
  return [
    user('What is in these? ☃ \u{1F600}'),
    {
      ...assistant('', models[0]),
      content: [thinking, ...calls],
      usage: { inputTokens: 5, outputTokens: 6 },
      stop: 'calls',
    },
    ...results,
    assistant('A picture, a report and a letter.', models[0]),
    user('And now?'),
  ];
}

const setup = {
  system: 'Be brief.',
  tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }],
};

test('a stored session gives every model the body of a fresh conversion', async () => {
  const home = join(scratch, 'home');
  const fresh = memoryAssets();
  const messages = await conversation(fresh);
  const first = openSessions({ home });
  const session = await first.create();
  await session.append({ type: 'setup', ...setup });
  for (const message of await conversation(session.assets)) await session.append({ type: 'message', message });
  await first.close();

  await using store = openSessions({ home });
  const resumed = await store.open(session.id);
  const transcript = await resumed.transcript();
  expect(transcript).toEqual({ version: 1, ...setup, messages });
  for (const model of models) {
    const stored = await prepare(transcript, {
      model,
      assets: resumed.assets,
      ledger: await resumed.ledger(model),
      readPictures: false,
    });
    const direct = await prepare({ ...setup, messages }, { model, assets: fresh, readPictures: false });
    expect(await stored.json()).toEqual(await direct.json());
    await resumed.append({ type: 'ledger', ledger: stored.ledger });
  }
});

test('with the same model the prefix stays, also after a restart and a visit to another model', async () => {
  const home = join(scratch, 'home');
  const store = openSessions({ home });
  const { id } = (await store.list())[0] ?? { id: '' };
  const session = await store.open(id);
  await session.append({ type: 'message', message: assistant('Nothing new.', models[2]) });
  await session.append({ type: 'message', message: user('Sure?') });
  for (const model of models.slice(0, 3)) {
    const options = { model, assets: session.assets, ledger: await session.ledger(model), readPictures: false };
    const { receipts } = await prepare(await session.transcript(), options);
    const moved = receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
    expect(moved).toEqual(['model-changed']); // the last request went to ollama; nothing else has changed
  }
  await store.close();
});
