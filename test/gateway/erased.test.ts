// What is kept of a client's conversation goes with it, wherever it was kept: its records, answers with their seals, what was
// decided, what was said of its pictures. A word that only it holds is found nowhere afterwards.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionsOptions, SessionStore } from '../../src/session/store.ts';
import { run } from '../cli/run.ts';
import { shotBytes } from '../model/shots.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function holding(home: string, words: string): string[] {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name));
  return files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(words));
}

function mediaIn(home: string): string[] {
  return readdirSync(join(home, 'assets'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{60}/.test(name),
  );
}

/** How much is kept of conversations besides their records. */
function rowsIn(home: string): Record<string, number> {
  const database = new DatabaseSync(join(home, 'sessions.db'), { readOnly: true });
  const tables = ['gateway_said', 'gateway_ledger', 'description'];
  const count = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE text IS NOT NULL`).get()?.['rows']);
  const counted = Object.fromEntries(tables.map((table) => [table, count(table)]));
  database.close();
  return counted;
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sightline-erased-'));
  homes.push(home);
  return home;
}

async function talkedOf(words: readonly string[]): Promise<string> {
  const home = newHome();
  await talk(words, { home }, join(home, 'sessions.db'));
  return home;
}

/** A client that shows a picture to a model that cannot see, in one conversation for each word. */
async function talk(words: readonly string[], place: SessionsOptions, database: string): Promise<void> {
  const pictures = await shotBytes(words.length, 320);
  await using server = await scriptedServer(
    script(({ transcript }) => {
      const said = JSON.stringify(transcript);
      const word = words.find((one) => said.includes(one)) ?? 'none';
      return { thinking: `I think of ${word}.`, text: `It shows a ${word}.` };
    }),
  );
  await using store = openSessions(place);
  const { recorder, assets } = store;
  const baseUrl = server.url;
  const models = {
    blind: { model: 'anthropic/claude-sonnet-5', baseUrl, key: 'k', profile: { capabilities: { vision: false } } },
  };
  const eyes = { model: 'openai-chat/gpt-4.1', baseUrl, key: 'k' };
  await using gateway = await openGateway({ port: 0, models, eyes, database, assets, ...(recorder && { recorder }) });
  for (const [at, word] of words.entries()) {
    const url = `data:image/png;base64,${pictures[at]?.toString('base64')}`;
    const content = [
      { type: 'text', text: `Is that a ${word}?` },
      { type: 'image_url', image_url: { url } },
    ];
    const messages: object[] = [{ role: 'user', content }];
    for (const question of ['', `And another ${word}?`]) {
      if (question !== '') messages.push({ role: 'user', content: question });
      const body = JSON.stringify({ model: 'blind', messages });
      const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body });
      const { choices } = (await response.json()) as { choices: { message: object }[] };
      messages.push(choices[0]?.message ?? {});
    }
  }
}

async function conversationOf(store: SessionStore, word: string): Promise<string> {
  for (const { conversation } of (await store.requests?.conversations()) ?? []) {
    const rows = (await store.requests?.list(conversation)) ?? [];
    const chains = await Promise.all(rows.map(async ({ id }) => await store.requests?.chain(id)));
    if (JSON.stringify(chains).includes(word)) return conversation;
  }
  throw new Error(`nobody spoke of ${word}`);
}

test('a conversation that is removed leaves no word of it, and takes none of another', async () => {
  const home = await talkedOf(['walrus', 'penguin']);
  expect([holding(home, 'walrus').length > 0, holding(home, 'penguin').length > 0]).toEqual([true, true]);
  const before = rowsIn(home);
  expect(before).toEqual({ gateway_said: 4, gateway_ledger: 4, description: 2 });
  const pictures = mediaIn(home);
  const store = openSessions({ home, readOnly: true });
  const id = await conversationOf(store, 'walrus');
  await store.close();
  const { code, stderr } = await run(['sessions', 'rm', id], { env: { SIGHTLINE_HOME: home } });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Removed ${id}, with the media`)]);
  expect(holding(home, 'walrus')).toEqual([]);
  expect(holding(home, 'penguin')).not.toEqual([]);
  expect(pictures).toHaveLength(2);
  expect(mediaIn(home)).toHaveLength(1); // of the other one
  expect(rowsIn(home)).toEqual({ gateway_said: 2, gateway_ledger: 2, description: 1 });
});

test('so does one that nobody went on with, and one that is older than records are kept', async () => {
  const unused = await talkedOf(['walrus']);
  await using store = openSessions({ home: unused });
  await store.gc({ unusedMs: 0 });
  await store.close();
  expect(holding(unused, 'walrus')).toEqual([]);
  const old = await talkedOf(['penguin']);
  await using later = openSessions({ home: old, now: () => Date.now() + 31 * 24 * 60 * 60 * 1000 });
  await later.gc();
  await later.close();
  expect(holding(old, 'penguin')).toEqual([]);
});

/** How many rows of each table hold this, as words or as bytes. */
async function tablesWith(words: string, server: PostgresServer, url: string): Promise<Record<string, number>> {
  const tables = await server.ask("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'sightline'", url);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const hex = Buffer.from(words).toString('hex');
    const sql = `SELECT count(*)::integer AS rows FROM sightline.${String(name)} t
      WHERE t::text LIKE '%${words}%' OR t::text LIKE '%${hex}%'`;
    const rows = Number((await server.ask(sql, url))[0]?.['rows']);
    if (rows > 0) found[String(name)] = rows;
  }
  return found;
}

test('in PostgreSQL as well: records, what gateways keep and what was said of pictures go with their conversation', async () => {
  const server = await startPostgres();
  try {
    const url = await server.newDatabase();
    await talk(['walrus', 'penguin'], { url }, url);
    const held = { request: 2, kept: 4, description: 1 };
    const before = await tablesWith('walrus', server, url);
    expect(before).toEqual(held);
    const mediaRows = async (): Promise<number> =>
      Number((await server.ask('SELECT count(*)::integer AS rows FROM sightline.content', url))[0]?.['rows']);
    const media = await mediaRows();
    const store = openSessions({ url, readOnly: true });
    const id = await conversationOf(store, 'walrus');
    await store.close();
    const home = newHome();
    writeFileSync(join(home, 'config.toml'), `[store]\nsessions = "${url}"\n`);
    const { code, stderr } = await run(['sessions', 'rm', id], { cwd: home, env: { SIGHTLINE_HOME: home } });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Removed ${id}, with the media`)]);
    expect(await tablesWith('walrus', server, url)).toEqual({});
    expect(await tablesWith('penguin', server, url)).toEqual(held);
    expect([media, await mediaRows()]).toEqual([2, 1]);
    await using later = openSessions({ url, now: () => Date.now() + 31 * 24 * 60 * 60 * 1000 });
    await later.gc();
    expect(await tablesWith('penguin', server, url)).toEqual({});
  } finally {
    server.close();
  }
});
