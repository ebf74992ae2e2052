// A picture that was sent by the id of a file is shown as the picture, inside results and in messages of the user, in the page and
// in what is exported; and the export holds no id.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { inspector } from '../../src/inspect/app.ts';
import { requestView } from '../../src/inspect/look.ts';
import { fileUploads } from '../../src/model/uploads/file-uploads.ts';
import { image } from '../../src/content/input.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { fileServer } from '../model/file-server.ts';
import type { FileServer } from '../model/file-server.ts';
import { noise } from '../media/make.ts';

const first = await noise(300, 200).png().toBuffer();
const second = await noise(310, 200).png().toBuffer();
const home = mkdtempSync(join(tmpdir(), 'sightline-uploaded-'));
let store: SessionStore;
let server: FileServer;
let calls = 0;

beforeAll(async () => {
  store = openSessions({ home });
  server = await fileServer(() => (calls-- > 0 ? { calls: [{ name: 'shot', input: {} }] } : { text: 'Seen.' }));
});
afterAll(async () => {
  await server.close();
  await store.close();
  rmSync(home, { recursive: true, force: true });
});

test.each([
  ['anthropic/claude-sonnet-5', ''],
  ['openai/gpt-5.2', '/v1'],
  ['gemini/gemini-3-pro-preview', ''],
])('%s', async (model, path) => {
  const shot = defineTool({ name: 'shot', description: 'A picture.', run: () => image({ data: second }) });
  calls = 1;
  const how = { model, baseUrl: `${server.url}${path}`, key: 'k' };
  const session = await store.create();
  if (!store.uploads) throw new Error('there is no table of uploads');
  const uploads = fileUploads({ key: 'k', baseUrl: how.baseUrl, table: store.uploads });
  const run = await runAgent({ ...how, session, uploads, tools: [shot], prompt: ['Look.', image({ data: first })] }); // prettier-ignore
  expect(run.error).toBeUndefined();
  await session.close();
  const newest = (await store.requests?.list(session.id))?.at(-1)?.id ?? '';
  const view = await requestView(store, newest);
  const leaves = view.sections.flatMap((section) => section.leaves);
  const media = leaves.flatMap((leaf) => (leaf.kind === 'medium' ? [leaf] : []));
  const ids = [...server.files.keys()].filter((id) => server.bodies.at(-1)?.includes(id));
  expect(ids.length).toBeGreaterThan(0);
  expect(media).toHaveLength(2);
  expect(media.filter(({ byId }) => byId)).toHaveLength(ids.length);
  expect(media.map(({ medium }) => medium.size)).toEqual([first.length, second.length]);
  for (const { medium, receipt } of media) {
    expect(medium.mediaType).toBe('image/png');
    expect(receipt?.sent).toEqual([medium.$asset]);
  }
  const app = inspector({ store: () => store, web: home, token: 't' });
  const headers = { host: '127.0.0.1:4000', cookie: 'sightline-4000=t' };
  const page = await app.handle(new Request(`http://127.0.0.1:4000/api/conversations/${session.id}/page`, { headers })); // prettier-ignore
  const html = await page.text();
  expect(page.status, html).toBe(200);
  expect(html).toContain('by its file id');
  for (const id of ids) expect(html).not.toContain(id);
});
