// A conversation's requests as one file: no key in it wherever it stood, each picture where it was new, and whatever is left out told.
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { demoSessions } from '../../src/cli/inspect/demo.ts';
import { exportedPage } from '../../src/inspect/export.ts';
import type { ExportLimits } from '../../src/inspect/export.ts';
import { script } from '../../src/model/script/script.ts';
import { scriptedSend } from '../../src/model/script/send.ts';
import { memorySessions } from '../../src/session/store.ts';
import { shotBytes } from '../model/shots.ts';

const model = 'anthropic/claude-sonnet-4-5';

async function pageOf(turns: number, limits?: ExportLimits, words = 'Look.', title = 'Shots'): Promise<string> {
  const store = memorySessions();
  const session = await store.create({ title });
  const send = scriptedSend(script(Array.from({ length: turns }, () => ({ text: 'Seen.' }))));
  for (const data of await shotBytes(turns, 120))
    await runAgent({ model, session, send, prompt: [words, { type: 'image', data }] });
  await session.close();
  await store.recorder?.end('nobody', { state: 'answered', attempts: [] }); // what was recorded before it is written
  return await (await exportedPage(store, session.id, undefined, limits)).text();
}

test.each([
  ['behind the word "data:"', 'The file says data: KEY and no more', 'sk-planted-0123456789abcdef'],
  ['of Google', 'KEY', 'AIzaSyA1234567890abcdefghijklmnopq'],
  ['of GitHub', 'KEY', 'github_pat_11ABCDEFG0abcdefghij_klmnopqrstuvwxyz'],
  ['of Amazon', 'KEY', 'AKIAIOSFODNN7EXAMPLE'],
  ['a signed token', 'Bearer KEY', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['by its name alone', '{"password": "KEY"}', 'correct-horse-battery'],
  ['by its name in a file of settings', 'DB_PASSWORD=KEY', 'correct-horse-battery'],
])('a key leaves with nobody: %s', async (_, words, key) => {
  const said = words.replace('KEY', key);
  const page = await pageOf(1, undefined, said, said);
  expect(page).not.toContain(key);
  expect(page).toContain('[key]');
  expect(page).toMatch(/\d+ words that look like keys or name files were masked/); // in the title and in what was said
  expect(page.match(/src="data:image\/[a-z]+;base64,[\w+/=]+"/g)?.length).toBeGreaterThan(0);
});

test('names of columns and of settings are no keys', async () => {
  const words = 'sk_learn_pipeline pk_orders token: unknown "max_tokens": 16000000 keyboard=mechanical';
  expect(await pageOf(1, undefined, words)).toContain('Nothing was masked.');
});

test('a picture stands where it was new, and later requests name that one', async () => {
  const page = await pageOf(12);
  const pictures = page.match(/src="data:[^"]+"/g) ?? [];
  expect(new Set(pictures).size).toBe(12);
  expect(pictures.length).toBeLessThanOrEqual(4 * 12);
  expect(page).toContain('unchanged since <a href="#request-11">request 11</a>');
  expect(page).toContain('id="request-11"');
  expect(page).not.toContain('Loading');
});

test('what a tool showed stands beside its call, and is left out nowhere', async () => {
  const store = await demoSessions();
  await store.recorder?.end('nobody', { state: 'answered', attempts: [] });
  const [talk] = (await store.requests?.conversations()) ?? [];
  const page = await (await exportedPage(store, talk?.conversation ?? '')).text();
  expect(page).toMatch(/<div class="card">.{0,400}<img src="data:image/s);
  expect(page).not.toContain('left out of this page');
});

test('what is too much is left out with a sentence', async () => {
  const page = await pageOf(6, { requests: 4, bytes: 3000 });
  expect(page).toContain('the newest 4 of 6 requests, as they were sent');
  expect(page).not.toContain('id="request-2"');
  expect(page).not.toContain('href="#request-2"');
  expect(page).toMatch(/\d+ pictures were left out of this page to keep it small/);
});
