// The inspector beside processes of others: what a gateway sends shows while its model still thinks, in the inspector that
// it opened itself and in one of another process, and a request of a gateway that was killed is told to be broken off.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInspector } from '../../src/inspect/open.ts';
import type { RequestRow } from '../../src/record/table.ts';
import { openSessions } from '../../src/session/store.ts';
import { mainFile } from '../cli/run.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-processes-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Page = { base: string; cookie: string };

async function enter(url: string): Promise<Page> {
  const [base = '', token = ''] = url.split('/#token=');
  const body = JSON.stringify({ token });
  const entered = await fetch(`${base}/api/enter`, { method: 'POST', body });
  return { base, cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function jsonAt<Value>({ base, cookie }: Page, path: string): Promise<Value> {
  return (await (await fetch(`${base}${path}`, { headers: { cookie } })).json()) as Value;
}

async function rowsIn(page: Page): Promise<RequestRow[]> {
  const [first] = await jsonAt<{ id: string }[]>(page, '/api/conversations');
  return first ? (await jsonAt<{ requests: RequestRow[] }>(page, `/api/conversations/${first.id}`)).requests : [];
}

test('a request of another process shows while its model thinks, and one whose process was killed is told to be broken off', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1'); // a model that never answers
  await new Promise((resolve) => silent.once('listening', resolve));
  const upstream = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const env = { ...process.env, SIGHTLINE_HOME: home, OPENAI_API_KEY: 'ours', OPENAI_BASE_URL: upstream };
  const words = ['serve', '--inspect', '--port', '0', '-m', 'openai/gpt-5.2'];
  const child = spawn(process.execPath, [mainFile, ...words], { cwd: home, env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const store = openSessions({ home });
  const looking = openSessions({ home, readOnly: true });
  const other = await openInspector({ store: () => looking });
  const stop = new AbortController();
  try {
    await expect.poll(() => said).toMatch(/Inspector: http:\S+\s+Listening on .*\n/);
    const gateway = /Listening on .*?(http:[\w/.:]+)/.exec(said)?.[1] ?? '';
    const own = await enter(/Inspector: (\S+)/.exec(said)?.[1] ?? '');
    const apart = await enter(other.url);
    const live = await fetch(`${apart.base}/api/live`, { headers: { cookie: apart.cookie }, signal: stop.signal });
    const events = live.body?.pipeThrough(new TextDecoderStream()).getReader();
    await events?.read(); // how long to wait before asking again
    const body = JSON.stringify({ model: 'any', max_tokens: 9, messages: [{ role: 'user', content: 'Hello there.' }] });
    const asked = fetch(`${gateway}/v1/messages`, { method: 'POST', body, signal: stop.signal }).catch(() => undefined);
    expect((await events?.read())?.value).toContain('event: changed');
    for (const page of [own, apart]) {
      await expect.poll(async () => (await rowsIn(page)).length).toBe(1);
      const [row] = await rowsIn(page);
      expect(row).toMatchObject({ via: 'gateway', model: 'openai/gpt-5.2' });
      expect(row?.ended).toBeUndefined();
    }
    child.kill('SIGKILL');
    await ended;
    await asked;
    const [left] = await rowsIn(apart);
    expect(left?.ended).toMatchObject({
      state: 'broken',
      error: { message: expect.stringMatching(/process .* is gone/) },
    });
    const { sections } = await jsonAt<{ sections: unknown[] }>(apart, `/api/requests/${left?.id ?? ''}`);
    expect(JSON.stringify(sections)).toContain('Hello there.');
  } finally {
    stop.abort();
    child.kill('SIGKILL');
    await ended;
    await other.close(0);
    await looking.close();
    await store.close();
    silent.closeAllConnections();
    silent.close();
  }
});
