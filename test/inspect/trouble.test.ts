// What went wrong with a record is a sentence on the page: a process that died, a request that others are told by, a
// medium that is gone, a clock that was set back, two writers, a home of a newer version.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import { inspector } from '../../src/inspect/app.ts';
import { requestRows, requestView, summaryOf } from '../../src/inspect/look.ts';
import { systemClock } from '../../src/model/http/clock.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Html } from '../../src/page/html.ts';
import { answerHtml, figureAt, sawHtml } from '../../src/page/request.ts';
import type { RequestView } from '../../src/page/view.ts';
import { openSessions } from '../../src/session/store.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-page-trouble-'));
const file = join(home, 'sessions.db');
const model = 'anthropic/claude-sonnet-4-5';
const minutes = 60_000;
let id = '';

/** Three turns, the first with a picture; before the last one the clock is set back by an hour. */
beforeAll(async () => {
  await using store = openSessions({ home });
  const session = await store.create({ title: 'Trouble' });
  ({ id } = session);
  const send = scriptedSend(script([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]));
  const picture = image('examples/chart.png');
  const ended = async (count: number): Promise<void> =>
    await vi.waitFor(async () => expect((await session.requests()).filter((row) => row.ended)).toHaveLength(count), {
      timeout: minutes,
    });
  await runAgent({ model, session, send, prompt: ['First?', picture] });
  await ended(1);
  await runAgent({ model, session, send, prompt: 'Second?' });
  await ended(2);
  const clock = { ...systemClock, now: () => systemClock.now() - 60 * minutes };
  await runAgent({ model, session, send, prompt: 'Third?', clock });
  await session.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function change(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

const words = ({ html }: Html): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const address = (): string => '/x';

/** The request of this number, and what the page says about it. */
async function shown(number: number, later = 0): Promise<{ view: RequestView; saw: string; came: string }> {
  await using store = openSessions({ home, readOnly: true });
  const rows = await requestRows(store, id);
  const view = await requestView(store, rows[number - 1]?.id ?? '');
  const now = Date.now() + later;
  return {
    view,
    saw: words(sawHtml(view, address)),
    came: words(answerHtml(view, figureAt(address, view.missing), now)),
  };
}

test('a clock that was set back is told, and the order is that of recording', async () => {
  expect((await shown(2)).saw).not.toContain('clock');
  expect((await shown(3)).saw).toContain(
    'By its clock it was sent before request 2, which was recorded first: the clock was set back, or it is that of another machine.',
  );
});

test('a conversation whose clock was set back is listed by its latest request, as its pages are', async () => {
  await using store = openSessions({ home, readOnly: true });
  const rows = await requestRows(store, id);
  const [{ updated } = { updated: 0 }] = (await store.requests?.conversations()) ?? [];
  expect(updated).toBeGreaterThan(rows.at(-1)?.time ?? 0);
  expect((await summaryOf(store, id)).updated).toBe(updated);
});

test('a medium that is gone is named where it stood, and so is it for whoever wants the bytes', async () => {
  for (const name of readdirSync(join(home, 'assets'), { recursive: true, encoding: 'utf8' }))
    if (/[0-9a-f]{60}/.test(name)) rmSync(join(home, 'assets', name));
  const { saw, view } = await shown(1);
  expect(saw).toMatch(/image\/png, asset [0-9a-f]{8}, is no longer stored\./);
  await using store = openSessions({ home, readOnly: true });
  const app = inspector({ store: () => store, web: home, token: 'the-token' });
  const headers = { host: '127.0.0.1:4000', cookie: 'sightline-4000=the-token' };
  const answer = await app.handle(new Request(`http://127.0.0.1:4000/api/requests/${view.row.id}/body`, { headers }));
  expect([answer.status, await answer.text()]).toEqual([
    410,
    expect.stringContaining('so the bytes that were sent cannot be put together'),
  ]);
});

test('a request whose process was killed is under way for a while, and then has no end', async () => {
  change('UPDATE request SET ended = NULL WHERE number = 2');
  expect((await shown(2)).came).toContain('under way');
  expect((await shown(2, 20 * minutes)).came).toContain('No end was recorded: its process died');
});

test('of a process on another machine is told what is known: for how long it gave no sign of life', async () => {
  change(`UPDATE request SET ended = NULL, row = json_set(row, '$.by.host', 'worker-7') WHERE number = 2`);
  expect((await shown(2)).came).toContain('under way');
  const { came } = await shown(2, 4 * minutes);
  expect(came).toContain('no sign of life for 4 min');
  expect(came).toContain('It was sent by a process on worker-7, and nothing here tells whether that still runs.');
  expect(came).not.toContain('under way');
  expect((await shown(2, 20 * minutes)).came).toContain('No end was recorded: its process died');
  await using store = openSessions({ home, readOnly: true });
  const listed = async (later: number): Promise<object> => {
    vi.useFakeTimers({ now: Date.now() + later, toFake: ['Date'] });
    return await summaryOf(store, id).finally(() => vi.useRealTimers());
  };
  expect(await listed(4 * minutes)).toMatchObject({ running: 0, silent: 1, endless: 0 });
  expect(await listed(20 * minutes)).toMatchObject({ running: 0, silent: 0, endless: 1 });
});

test('a request of whose chain a part is gone, or was altered, says why its body is not shown', async () => {
  change(`UPDATE request SET body = replace(body, 'Second?', 'Other?') WHERE number = 2`);
  expect((await shown(2)).saw).toContain('What is stored of it was altered, so its body cannot be trusted.');
  change('DELETE FROM request WHERE number = 1');
  expect((await shown(1)).saw).toContain('A request that it is told by is no longer kept');
});

test('a home that a newer version wrote is told on the page that is open', async () => {
  change('PRAGMA user_version = 99');
  const app = inspector({ store: () => openSessions({ home, readOnly: true }), web: home, token: 'the-token' });
  const headers = { host: '127.0.0.1:4000', cookie: 'sightline-4000=the-token' };
  const answer = await app.handle(new Request('http://127.0.0.1:4000/api/conversations', { headers }));
  expect(await answer.json()).toEqual({
    message: expect.stringMatching(/was written by a newer version of sightline\. Update sightline/) as string,
  });
});
