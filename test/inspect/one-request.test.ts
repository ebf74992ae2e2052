// Opening one request costs what is in it: the others of its conversation are not read for it, and what was said in a session
// is read once. Its place among them comes from the rows that the page has.
import { expect, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { inspector } from '../../src/inspect/app.ts';
import type { Inspector } from '../../src/inspect/app.ts';
import { requestView } from '../../src/inspect/look.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { placedAmong } from '../../src/page/standing.ts';
import type { SentView } from '../../src/page/view.ts';
import type { EntryRange } from '../../src/session/log/port.ts';
import { memorySessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';

const host = '127.0.0.1:4000';

async function openedFrom(app: Inspector, id: string): Promise<SentView> {
  const url = `http://${host}/api/requests/${id}`;
  const answer = await app.handle(new Request(url, { headers: { host, cookie: 'sightline-4000=t' } }));
  expect(answer.status).toBe(200);
  return (await answer.json()) as SentView;
}

test('no other request is listed for one, entries are read once, and it stands where it stood', async () => {
  const store = memorySessions();
  const session = await store.create({ title: 'Three turns' });
  const send = scriptedSend(script([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]));
  const written = (count: number): Promise<void> =>
    vi.waitFor(async () => expect((await session.requests()).filter(({ ended }) => ended)).toHaveLength(count));
  for (const [at, prompt] of ['First?', 'Second?', 'Third?'].entries()) {
    await runAgent({ model: 'anthropic/claude-sonnet-4-5', session, send, prompt });
    await written(at + 1);
  }
  const rows = await session.requests();
  let listed = 0;
  const asked: EntryRange[] = [];
  const watched: SessionStore = {
    ...store,
    read: async (id) => {
      const reader = await store.read(id);
      return {
        ...reader,
        entries: (range = {}) => (asked.push(range), reader.entries(range)),
        requests: () => (listed++, reader.requests()),
      };
    },
  };
  const app = inspector({ store: () => watched, web: '/nowhere', token: 't' });
  const views: SentView[] = [];
  for (const { id } of rows) views.push(await openedFrom(app, id));
  expect(listed).toBe(0);
  expect(asked.map(({ after }) => after !== undefined)).toEqual([false, true, true]);
  for (const [at, view] of views.entries()) {
    const placed = placedAmong(view, rows);
    expect(placed).toEqual(JSON.parse(JSON.stringify(await requestView(store, rows[at]?.id ?? '', false))));
    expect([placed.number, placed.before?.number]).toEqual([at + 1, at === 0 ? undefined : at]);
  }
  const [, second] = views;
  expect(JSON.stringify(second?.answer)).toContain('Two.');
  const more = scriptedSend(script([{ text: 'Four.' }]));
  await runAgent({ model: 'anthropic/claude-sonnet-4-5', session, send: more, prompt: 'Fourth?' });
  await written(4);
  const fourth = await openedFrom(app, (await session.requests())[3]?.id ?? '');
  expect(JSON.stringify(fourth.answer)).toContain('Four.'); // what was said since is read, too
  const ours = fourth.sections.flatMap(({ leaves }) => leaves.filter((leaf) => leaf.kind === 'text' && leaf.ours));
  expect(ours).toEqual([]);
  await session.close();
});
