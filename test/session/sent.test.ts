// What was sent is read, never planned again: exports, `show --raw` and `wire` say what the model really got.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { exportSession } from '../../src/session/export/export.ts';
import { openSessions } from '../../src/session/store.ts';
import { run } from '../cli/run.ts';
import { shotBytes } from '../model/shots.ts';
import { rawServer, sha256 } from '../record/raw-server.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-sent-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('after another model was chosen, everything still says what was sent', async () => {
  await using server = await scriptedServer(script([{ text: 'A red one.' }]));
  await using raw = await rawServer(server.url);
  const [picture] = await shotBytes(1);
  const model = 'anthropic/claude-sonnet-4-5';
  const prompt = ['What is this?', { type: 'image' as const, data: picture ?? new Uint8Array(), name: 'red.png' }];
  let id = '';
  {
    await using store = openSessions({ home });
    const session = await store.create();
    id = session.id;
    await runAgent({ model, session, prompt, baseUrl: raw.url, key: 'k' });
    await session.append({ type: 'model', model: 'openai-chat/gpt-4.1' });
    await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Later.' }] } });
    await expect.poll(() => session.sent()).toBeDefined(); // records are written behind the answer
    const sent = await session.sent();
    expect(sent?.row.model).toBe(model);
    expect(sha256(await new Response(sent?.stream()).bytes())).toBe(raw.hashes[0]);
    await exportSession(session, join(home, 'page.html'));
    const fork = await store.fork(id);
    expect((await fork.requests()).map(({ id: request }) => request)).toEqual([sent?.row.id]);
  }
  const page = readFileSync(join(home, 'page.html'), 'utf8');
  expect(page).toContain(`What ${model} was given`);
  expect(page).not.toContain('What openai-chat/gpt-4.1 was given');
  const env = { SIGHTLINE_HOME: home };
  const [full, shown, planned] = await Promise.all([
    run(['wire', id, '--full'], { env }),
    run(['sessions', 'show', id, '--raw'], { env }),
    run(['sessions', 'show', id, '--raw', '-m', 'openai-chat/gpt-4.1'], { env }),
  ]);
  expect(sha256(full.stdout)).toBe(raw.hashes[0]);
  expect(shown.stdout).toContain(`Sent to ${raw.url}`);
  expect(shown.stdout).toContain('red.png');
  expect(planned.stdout).toContain('Would be sent to https://api.openai.com');
});

test('an exported page says that a record was altered', async () => {
  const own = mkdtempSync(join(home, 'altered-'));
  await using server = await scriptedServer(script([{ text: 'Yes.' }]));
  await using store = openSessions({ home: own });
  const session = await store.create();
  await runAgent({ model: 'anthropic/claude-sonnet-4-5', session, prompt: 'Again?', baseUrl: server.url, key: 'k' });
  const database = new DatabaseSync(join(own, 'sessions.db'));
  database.exec("UPDATE request SET body = replace(body, 'Again', 'Agaim')");
  database.close();
  await exportSession(session, join(own, 'page.html'));
  const page = readFileSync(join(own, 'page.html'), 'utf8');
  expect(page).toContain('What is stored of it was altered');
  expect(page).toContain('Again?');
});

test('a run that goes on without a new word is told by what was said before it, also in a fork', async () => {
  const own = mkdtempSync(join(home, 'resumed-'));
  await using server = await scriptedServer(script([{ text: 'One.' }, { text: 'Two.' }]));
  const how = { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url, key: 'k' } as const;
  let id = '';
  {
    await using store = openSessions({ home: own });
    const session = await store.create();
    id = session.id;
    await runAgent({ ...how, session, prompt: 'First?' });
    await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Second?' }] } });
  }
  await using store = openSessions({ home: own });
  const session = await store.open(id);
  const asked = (await session.entries()).at(-1)?.id;
  await runAgent({ ...how, session });
  expect((await session.requests()).map(({ upTo }) => upTo).at(-1)).toBe(asked);
  const fork = await store.fork(id);
  expect((await fork.requests()).map((row) => row.id)).toEqual((await session.requests()).map((row) => row.id));
});
