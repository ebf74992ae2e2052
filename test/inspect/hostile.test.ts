// Records that a disk or another program damaged: each is a sentence where it is looked at, and hides no other.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspector } from '../../src/inspect/app.ts';
import type { Inspector } from '../../src/inspect/app.ts';
import { sawHtml } from '../../src/page/request.ts';
import { placedAmong } from '../../src/page/standing.ts';
import type { SentView } from '../../src/page/view.ts';
import { keptBody } from '../../src/record/body.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-hostile-'));
const host = '127.0.0.1:4000';
const damages: [name: string, change: string][] = [
  ['row-cut', `row = '{"id":"row-cut","conv'`],
  ['row-null', `row = 'null'`],
  ['row-other', `row = '{"id":"row-other","model":7}'`],
  ['body-cut', `body = '{"body":'`],
  ['body-null', `body = 'null'`],
  ['lists', `body = '{"body":{"lists":{"messages":7},"order":["messages"]},"receipts":[],"assets":[]}'`],
  ['order', `body = '{"body":{"order":3},"receipts":[],"assets":[]}'`],
  ['receipts', `body = '{"body":{},"receipts":7,"assets":[]}'`],
];
const blocks = Array.from({ length: 10_000 }, (_, index) => ({ type: 'text', text: `Block ${index}` }));
const named = { constructor: ['a'], toString: 1 };
let store: SessionStore;
let app: Inspector;

beforeAll(async () => {
  {
    await using writing = openSessions({ home });
    for (const id of ['whole', 'ended', 'blocks', 'names', ...damages.map(([name]) => name)]) {
      const about = { purpose: 'answer', via: 'fetch', wire: 'openai-chat', repairs: [], receipts: [] } as const;
      const where = { model: 'openai-chat/gpt-4.1', url: 'https://api.openai.com/v1/chat/completions' };
      const record = { ...about, ...where, version: 1, id, conversation: id, time: Date.now(), bytes: 9 } as const;
      const content = id === 'blocks' ? blocks : `Say ${id}.`;
      const more: object = id === 'names' ? named : {};
      const role = id === 'names' ? 'valueOf' : 'user';
      await writing.recorder?.begin(record, () => keptBody({ messages: [{ role, content }], ...more }));
      await writing.recorder?.end(id, { state: 'answered', attempts: [] });
    }
  }
  const database = new DatabaseSync(join(home, 'sessions.db'));
  for (const [name, change] of damages) database.exec(`UPDATE request SET ${change} WHERE id = '${name}'`);
  database.exec(`UPDATE request SET ended = '{"state":"answered"}' WHERE id = 'ended'`);
  database.close();
  store = openSessions({ home, readOnly: true });
  app = inspector({ store: () => store, web: home, token: 't' });
});
afterAll(async () => {
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

async function at<Value>(path: string): Promise<Value> {
  const headers = { host, cookie: 'sightline-4000=t' };
  const answer = await app.handle(new Request(`http://${host}${path}`, { headers }));
  expect(answer.status, `${path}: ${answer.status === 200 ? '' : await answer.clone().text()}`).toBe(200);
  return (await answer.json()) as Value;
}

test('conversations beside a damaged record are listed, and so is it', async () => {
  const list = await at<{ id: string; title: string }[]>('/api/conversations');
  expect(list.map(({ id }) => id).toSorted()).toEqual(
    ['ended', 'whole', 'blocks', 'names', ...damages.map(([name]) => name)].toSorted(),
  );
  expect(list.find(({ id }) => id === 'whole')?.title).toBe('Say whole.');
});

test.each(damages)('%s: its conversation opens, and a sentence says that it cannot be trusted', async (name) => {
  const { requests } = await at<{ requests: { id: string }[] }>(`/api/conversations/${name}`);
  expect(requests.map(({ id }) => id)).toEqual([name]);
  const view = await at<SentView>(`/api/requests/${name}`);
  expect(view.problem).toBe('What is stored of it was altered, so its body cannot be trusted.');
  await at(`/api/conversations/${name}/entries`);
});

test('of ten thousand parts in one message as many are drawn as a person looks at, and a sentence counts the others', async () => {
  const view = await at<SentView>('/api/requests/blocks');
  const { html } = sawHtml(placedAmong(view, [view.row]), () => undefined);
  expect(html.match(/class="row same"/g)).toHaveLength(500);
  expect(html).toContain('9,500 more parts are left out here; the body has all of them.');
});

test('names that every object knows are shown as others are', async () => {
  const { sections } = await at<SentView>('/api/requests/names');
  expect(sections.map(({ title }) => title)).toContain('valueOf');
});

test('an end of which a part is missing is an end', async () => {
  const { row } = await at<SentView>('/api/requests/ended');
  expect(row.ended).toEqual({ state: 'answered', attempts: [] });
});
