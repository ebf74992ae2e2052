// What the page hands out as the exact body is what a server got, byte by byte: on every wire, from an agent, a plain
// answer and another SDK's fetch, refused, probed and healed; after a restart, a fork, retention and an upgrade.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { inspector } from '../../src/inspect/app.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { retain } from '../../src/record/table.ts';
import { schemaSteps } from '../../src/session/log/migrations.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { onePerWire } from '../laws/models.ts';
import { all } from '../model/all.ts';
import { shotBytes } from '../model/shots.ts';
import { rawServer, sha256 } from '../record/raw-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-bodies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pictures = await shotBytes(3, 300);

/** The SHA-256 of what the page gives for each request, by its id. */
async function handedOut(store: SessionStore): Promise<Map<string, string>> {
  const app = inspector({ store: () => store, web: folder, token: 't' });
  const headers = { host: '127.0.0.1:4000', cookie: 'sightline-4000=t' };
  const out = new Map<string, string>();
  for (const { id } of (await store.requests?.sizes()) ?? []) {
    const url = `http://127.0.0.1:4000/api/requests/${encodeURIComponent(id)}/body`;
    const response = await app.handle(new Request(url, { headers }));
    expect(response.status, id).toBe(200);
    out.set(id, sha256(await response.bytes()));
  }
  return out;
}

function tablesIn(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return rows.map(({ name }) => String(name));
}

/** As a program of an earlier version left it: without the tables that came later. */
function downgrade(home: string): void {
  const steps = schemaSteps.findIndex((step) => step.includes('CREATE TABLE request ')) + 1;
  const before = new DatabaseSync(':memory:');
  for (const step of schemaSteps.slice(0, steps)) before.exec(step);
  const database = new DatabaseSync(join(home, 'sessions.db'));
  const old = new Set(tablesIn(before));
  for (const name of tablesIn(database)) if (!old.has(name)) database.exec(`DROP TABLE ${name}`);
  database.exec(`PRAGMA user_version = ${steps}`);
  database.close();
  before.close();
}

test.each(onePerWire)('%s', async (model) => {
  const home = join(folder, model.replaceAll('/', '-'));
  const bad = pictures[1]?.toString('base64') ?? '';
  const check = (request: { body: unknown }): { status: number; message: string } | undefined =>
    JSON.stringify(request.body).includes(bad) ? { status: 400, message: 'Could not process image' } : undefined;
  await using server = await scriptedServer(
    script(() => ({ text: 'Fine. ½' })),
    { check },
  );
  await using raw = await rawServer(server.url);
  const how = { model, baseUrl: raw.url, key: 'k' } as const;
  let forked = '';
  {
    await using store = openSessions({ home });
    const session = await store.create();
    const prompt = pictures.map((data) => ({ type: 'image' as const, data, name: 'a "b".png' }));
    expect((await runAgent({ ...how, session, prompt })).stop).toBe('end');
    await session.close();
    const fork = await store.fork(session.id);
    forked = fork.id;
    expect((await runAgent({ ...how, session: fork, prompt: 'And now? {"$asset":1}' })).stop).toBe('end');
    await fork.close();
    const { assets, recorder } = store;
    if (!recorder) throw new Error('there is no recorder');
    const shown = { type: 'image' as const, data: pictures[0] ?? new Uint8Array() };
    const call = { type: 'call' as const, id: 'call_1', name: 'look', input: {} };
    const said = [
      { role: 'user' as const, content: 'Look.' },
      { role: 'assistant' as const, content: [call] },
      { role: 'tool' as const, callId: 'call_1', name: 'look', content: [shown] },
    ];
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' as const } }];
    await all(answer({ messages: said, tools }, { ...how, assets, recorder }));
    const foreign = sightlineFetch({ recorder, assets });
    for (const data of [pictures[0], pictures[1]]) {
      const shot = { type: 'image' as const, data: data ?? new Uint8Array() };
      const turn = said.map((message) => (message.role === 'tool' ? { ...message, content: [shot] } : message));
      const request = await prepare({ messages: turn, tools }, how);
      const body = JSON.stringify(await request.json(), undefined, 1).replace('{', '{ ');
      const response = await foreign(new URL(new URL(request.url).pathname, raw.url), { method: 'POST', body });
      await response.text();
    }
    await recorder.end('nobody', { state: 'answered', attempts: [] }); // stands in line behind the rest
  }
  const states = new Set<string>();
  const looked = async (): Promise<Map<string, string>> => {
    await using store = openSessions({ home, readOnly: true });
    for (const { conversation } of (await store.requests?.conversations()) ?? [])
      for (const { purpose, via, ended } of (await store.requests?.list(conversation)) ?? [])
        states.add(`${via} ${purpose} ${ended?.state}`);
    return await handedOut(store);
  };
  const first = await looked();
  expect([...first.values()]).toEqual(raw.hashes);
  expect([...states].toSorted()).toEqual(
    expect.arrayContaining([
      'agent answer answered', 'agent answer refused', 'agent probe answered', 'agent probe refused',
      'answer answer answered', 'fetch answer answered', 'fetch answer refused',
    ]), // prettier-ignore
  );
  downgrade(home);
  {
    await using store = openSessions({ home });
    expect(await handedOut(store), 'after an upgrade').toEqual(first);
    const shared = await (await store.read(forked)).requests();
    expect(shared.length).toBeGreaterThan(3);
    const rows = (await store.requests?.sizes()) ?? [];
    const until = rows[Math.floor(rows.length / 2)]?.time ?? 0;
    if (store.requests) expect(await retain(store.requests, { until, maxBytes: Infinity })).toBeGreaterThan(0);
  }
  const kept = await looked();
  expect(kept.size).toBeGreaterThan(2);
  for (const [id, hash] of kept) expect(hash, `${id}, after retention`).toBe(first.get(id));
});
