// The inspector's door and what lies behind it: who is let in, what each route gives, and what it says when something is gone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AssetId } from '../../src/content/block.ts';
import { inspector } from '../../src/inspect/app.ts';
import { conversationsOf, plannedFor, requestView } from '../../src/inspect/look.ts';
import { openInspector } from '../../src/inspect/open.ts';
import { script, scriptedSend, scriptedServer } from '../../src/model/script/index.ts';
import type { RequestView } from '../../src/page/view.ts';
import { memorySessions, openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { shotBytes } from '../model/shots.ts';
import { rawServer, sha256 } from '../record/raw-server.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-inspect-'));
const host = '127.0.0.1:4000';
const evil = `</title><script>alert(1)</script><img src=x onerror=alert(2)>"' onload='x`;
const planted = 'sk-planted-0123456789abcdef';
let store: SessionStore;
let conversation = '';
let hashes: string[] = [];

beforeAll(async () => {
  const bytes = await shotBytes(2, 640);
  const bad = bytes[0]?.toString('base64') ?? '';
  const check = (request: { body: unknown }): { status: number; message: string } | undefined =>
    JSON.stringify(request.body).includes(bad)
      ? { status: 400, message: `Could not process image ${evil}` }
      : undefined;
  await using server = await scriptedServer(script(Array.from({ length: 9 }, () => ({ text: `Fine. ${evil}` }))), {
    check,
  });
  await using raw = await rawServer(server.url);
  store = openSessions({ home });
  const session = await store.create({ title: evil });
  conversation = session.id;
  const how = { model: 'anthropic/claude-sonnet-4-5', session, baseUrl: raw.url, key: 'k' } as const;
  const picture = { type: 'image' as const, data: bytes[0] ?? new Uint8Array(), name: evil };
  await runAgent({ ...how, system: 'One.', prompt: [`Look. ${evil} ${planted}`, picture] });
  await runAgent({ ...how, system: 'One. It is 16:09.', prompt: 'Again.' });
  await session.close();
  await store.recorder?.end('nobody', { state: 'answered', attempts: [] });
  hashes = [...raw.hashes];
});

afterAll(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

type Headers = Record<string, string>;
const app = inspector({ store: () => store, web: join(home, 'nowhere'), token: 'the-token' });
const cookie = { cookie: 'sightline-4000=the-token' };

function ask(path: string, headers: Headers = cookie, init: RequestInit = {}): Promise<Response> {
  return app.handle(new Request(`http://${host}${path}`, { ...init, headers: { host, ...headers } }));
}

async function jsonOf<Value>(path: string): Promise<Value> {
  const response = await ask(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Value;
}

async function rules(path: string): Promise<string> {
  return (await ask(path)).headers.get('content-security-policy') ?? '';
}

function enter(token: string): Promise<Response> {
  return ask('/api/enter', {}, { method: 'POST', body: JSON.stringify({ token }) });
}

describe('the door', () => {
  const rows: [string, Headers, number][] = [
    ['no token', {}, 401],
    ['another token', { cookie: 'sightline-4000=other' }, 401],
    ['the cookie of another port', { cookie: 'sightline-4001=the-token' }, 401],
    ['a page of another site', { ...cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ['a page on another port of this machine', { ...cookie, 'sec-fetch-site': 'same-site' }, 403],
    ['another origin', { ...cookie, origin: 'http://127.0.0.1:5000' }, 403],
    ['a name that was bound to this address', { ...cookie, host: 'evil.example:4000' }, 403],
    ['its own page', { ...cookie, 'sec-fetch-site': 'same-origin', origin: `http://${host}` }, 200],
  ];
  test.each(rows)('%s', async (_, headers, status) => {
    expect((await ask('/api/conversations', headers)).status).toBe(status);
  });

  test('a token is exchanged for a cookie that no script reads', async () => {
    expect((await enter('wrong')).status).toBe(401);
    const cookieLine = (await enter('the-token')).headers.get('set-cookie');
    expect(cookieLine).toBe('sightline-4000=the-token; HttpOnly; SameSite=Strict; Path=/');
  });

  test('the page runs no script but its own and loads nothing from elsewhere, and a medium may do nothing at all', async () => {
    expect(await rules('/style.css')).toMatch(
      /default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'; trusted-types sightline/,
    );
    const { requests } = await jsonOf<{ requests: { picture?: AssetId }[] }>(`/api/conversations/${conversation}`);
    const picture = requests.find((row) => row.picture)?.picture?.slice('sha256:'.length) ?? '';
    expect(await rules(`/api/assets/${picture}?edge=320`)).toBe("default-src 'none'; sandbox");
    const kept = (await ask(`/api/assets/${picture}?edge=320`)).headers.get('cache-control');
    expect(kept, 'no cache that others share keeps it').toMatch(/^private,/);
  });

  test('a listener on this machine alone answers strangers with words', async () => {
    const opened = await openInspector({ store: () => store });
    try {
      expect(opened.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
      const base = opened.url.split('/#')[0] ?? '';
      expect((await fetch(`${base}/api/conversations`)).status).toBe(401);
      expect((await fetch(`${base}/api/conversations`, { headers: { origin: 'https://evil.example' } })).status).toBe(
        403,
      );
    } finally {
      await opened.close(0);
    }
  });

  test.each(['..%2f..%2fetc%2fpasswd', '%2e%2e', 'sha256:00', '0'.repeat(63), `${'0'.repeat(64)}%00`])(
    'no file is reached by the name %s',
    async (name) => expect((await ask(`/api/assets/${name}`)).status).toBe(404),
  );
});

/** What a listener hears at first. */
async function heard(headers: Headers): Promise<string> {
  const stop = new AbortController();
  const response = await ask('/api/live', { ...cookie, ...headers }, { signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  if (headers['last-event-id']) text += (await reader?.read())?.value ?? '';
  stop.abort();
  return text;
}

describe('behind it', () => {
  test('conversations are listed, and found by words', async () => {
    const [row] = await jsonOf<{ id: string; breaks: number; failed: number; title: string }[]>('/api/conversations');
    expect(row).toMatchObject({ id: conversation, breaks: 1, title: evil });
    expect(row?.failed).toBeGreaterThan(0);
    expect(await jsonOf<unknown[]>('/api/conversations?q=Look')).toHaveLength(1);
    expect(await jsonOf<unknown[]>('/api/conversations?q=nobodysaidthis')).toEqual([]);
  });

  test('every body comes back as the server got it', async () => {
    const { requests } = await jsonOf<{ requests: { id: string }[] }>(`/api/conversations/${conversation}`);
    const bodies = await Promise.all(
      requests.map(async ({ id }) => sha256(await (await ask(`/api/requests/${id}/body`)).bytes())),
    );
    expect(bodies).toEqual(hashes);
  });

  test('a body whose picture is no longer stored is a sentence, not half of its bytes', async () => {
    const { requests } = await jsonOf<{ requests: { id: string; ended?: { state: string } }[] }>(
      `/api/conversations/${conversation}`,
    );
    const assets = { ...store.assets, missing: async (ids: readonly AssetId[]) => new Set(ids) };
    const poor = inspector({ store: () => ({ ...store, assets }), web: home, token: 'the-token' });
    const url = `http://${host}/api/requests/${requests[0]?.id ?? ''}/body`;
    const response = await poor.handle(new Request(url, { headers: { host, ...cookie } }));
    expect(response.status).toBe(410);
    expect(await response.json()).toEqual({
      message: expect.stringMatching(/^Its medium is no longer stored \([0-9a-f]{8}\), so the bytes/),
    });
  });

  test('a healed request tells what was refused, and the last one who broke the prefix', async () => {
    const { requests } = await jsonOf<{ requests: { id: string; repairs: string[] }[] }>(
      `/api/conversations/${conversation}`,
    );
    const healed = requests.find(({ repairs }) => repairs.length > 0);
    const one = await jsonOf<RequestView>(`/api/requests/${healed?.id ?? ''}`);
    expect(one.healing[0]?.what).toBe('Refused, 400');
    expect(one.healing[0]?.text).toMatch(/^.*Could not process image/);
    const last = await jsonOf<RequestView>(`/api/requests/${requests.at(-1)?.id ?? ''}`);
    expect(last.broke).toMatchObject({ part: 'system', is: 'One. It is 16:09.', was: 'One.' });
    expect(last.broke?.dollars).toBeGreaterThan(0);
    expect(last.answer).toMatchObject([{ kind: 'text' }]);
  });

  test('what another model would get is planned, and never sent', async () => {
    const { requests } = await jsonOf<{ requests: { id: string }[] }>(`/api/conversations/${conversation}`);
    const body = JSON.stringify({ model: 'ollama/llama3.1' });
    const response = await ask(`/api/requests/${requests.at(-1)?.id ?? ''}/as`, cookie, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ model: 'ollama/llama3.1', totals: { used: { images: 0 } } });
    expect((await tableRows()).length).toBe(requests.length);
  });

  test('an exported page holds no markup of others, no key and no script', async () => {
    const response = await ask(`/api/conversations/${conversation}/page`);
    const page = await response.text();
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain(planted);
    expect(page).toMatch(/\d+ words that look like keys or name files were masked/);
    expect(page).toContain('data:image/');
  });

  test('who comes again after the connection broke is told at once that something may have changed', async () => {
    expect(await heard({})).toBe('retry: 1000\n\n');
    expect(await heard({ 'last-event-id': '7' })).toBe('retry: 1000\n\nid: 8\nevent: changed\ndata: {}\n\n');
  });

  test('who listens to sessions that cannot be read is let go, and comes again', async () => {
    await using away = openSessions({ url: 'postgres://nobody@127.0.0.1:1/none', readOnly: true });
    const deaf = inspector({ store: () => away, web: home, token: 'the-token' });
    const response = await deaf.handle(new Request(`http://${host}/api/live`, { headers: { host, ...cookie } }));
    expect(await response.text()).toBe('retry: 1000\n\nid: 1\nevent: changed\ndata: {}\n\n');
  });

  test.each(['', '/entries', '/page'])('a conversation that is gone is a sentence: %s', async (what) => {
    const gone = await ask(`/api/conversations/none${what}`);
    const message = 'There is no conversation none. It may have been removed since.';
    expect([gone.status, await gone.json()]).toEqual([404, { message }]);
  });

  test('a request or an asset that is gone is a sentence', async () => {
    const gone = await ask('/api/requests/none');
    expect([gone.status, await gone.json()]).toEqual([
      404,
      { message: 'There is no request none. It may have been removed since.' },
    ]);
    expect((await ask(`/api/assets/${'0'.repeat(64)}`)).status).toBe(404);
    const { requests } = await jsonOf<{ requests: { id: string }[] }>(`/api/conversations/${conversation}`);
    const database = new DatabaseSync(join(home, 'sessions.db'));
    const damaged = requests.at(-1)?.id ?? '';
    const before = database.prepare('SELECT body FROM request WHERE id = ?').get(damaged)?.['body'] ?? '';
    database.prepare("UPDATE request SET body = replace(body, 'Again', 'Agaim') WHERE id = ?").run(damaged);
    expect((await jsonOf<RequestView>(`/api/requests/${damaged}`)).problem).toContain('was altered');
    expect((await ask(`/api/requests/${damaged}/body`)).status).toBe(410);
    database.prepare('UPDATE request SET body = ? WHERE id = ?').run(before, damaged);
    database.close();
  });
});

async function tableRows(): Promise<unknown[]> {
  return (await store.requests?.list(conversation)) ?? [];
}

test('what another model would get begins with the summary that was sent', async () => {
  const sessions = memorySessions();
  const session = await sessions.create();
  const send = scriptedSend(script([{ text: 'One.' }, { text: 'Two.' }]));
  const how = { model: 'openai/gpt-5.2', session, send } as const;
  await runAgent({ ...how, prompt: 'First question.' });
  await session.append({ type: 'summary', text: 'So far: a question.', covers: 2 });
  await runAgent({ ...how, prompt: 'Second question.' });
  const newest = (await session.requests()).at(-1)?.id ?? '';
  const [sent, planned] = await Promise.all([
    requestView(sessions, newest),
    plannedFor(sessions, newest, 'ollama/llama3.1'),
  ]);
  for (const { sections } of [sent, planned]) {
    expect(JSON.stringify(sections)).toContain('So far: a question.');
    expect(JSON.stringify(sections)).not.toContain('First question.');
  }
});

test('a long conversation that says a word very often hides no other one that says it', async () => {
  const sessions = memorySessions();
  for (const [title, times] of [
    ['Short', 1],
    ['Long', 500],
  ] as const) {
    const session = await sessions.create({ title });
    const send = scriptedSend(script([{ text: 'Yes.' }]));
    await runAgent({ model: 'openai/gpt-5.2', session, send, prompt: 'A bird?' });
    await session.appendAll(Array.from({ length: times }, () => ({ type: 'note', text: 'a heron' }) as const));
  }
  const atOnce: number[] = [];
  const search: typeof sessions.search = async (...asked) => {
    const hits = await sessions.search(...asked);
    atOnce.push(hits.length);
    return hits;
  };
  const found = await conversationsOf({ ...sessions, search }, { words: 'heron' });
  expect(found.map(({ title }) => title).toSorted()).toEqual(['Long', 'Short']);
  expect(atOnce).toEqual([200, 200, 101]); // each is read once, and not all of them are held at once
});

test('what goes wrong unforeseen is told, and no key with it', async () => {
  const broken = inspector({
    store: () => {
      throw new Error(`the store said ${planted}`);
    },
    web: home,
    token: 'the-token',
    hide: (text) => text.replaceAll(planted, '[key]'),
  });
  const answer = await broken.handle(new Request(`http://${host}/api/conversations`, { headers: { host, ...cookie } }));
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('This went wrong: the store said [key]. Load the page again');
});
