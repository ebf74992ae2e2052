// What a person sees of a request: each medium beside what was made of it, words that stand for one included, every page of a
// document, and where it stands.
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { document, image } from '../../src/content/input.ts';
import { requestView } from '../../src/inspect/look.ts';
import { script } from '../../src/model/script/script.ts';
import { scriptedSend } from '../../src/model/script/send.ts';
import { sawHtml } from '../../src/page/request.ts';
import { memorySessions } from '../../src/session/store.ts';
import { pdfSaying } from '../media/make.ts';
import { shotBytes } from '../model/shots.ts';

const [shot = new Uint8Array()] = await shotBytes(1, 120);
const picture = image(shot, { name: 'chart.png' });
const report = document(pdfSaying('One', 'Two', 'Three'), { name: 'report.pdf' });

async function rowsFor(model: string): Promise<string[]> {
  const store = memorySessions();
  const session = await store.create();
  const send = scriptedSend(script([{ text: 'Seen.' }]));
  const run = await runAgent({ model, session, send, prompt: ['Look.', picture, report] });
  expect(run.error).toBeUndefined();
  await store.recorder?.end('nobody', { state: 'answered', attempts: [] }); // what was recorded before it is written
  const [row] = (await store.requests?.list(session.id)) ?? [];
  const view = await requestView(store, row?.id ?? '');
  await session.close();
  const { html } = sawHtml(view, (id, _type, page = 1) => `/asset/${id.slice(-8)}/${page}`);
  return html.split('<div class="row').slice(1);
}

test('words that stand for a picture or a document are shown beside it, with what was decided and why', async () => {
  const rows = await rowsFor('ollama/llama3.1');
  const told = rows.find((row) => row.includes('not shown')) ?? '';
  expect(told).toMatch(/<img src="\/asset\/[0-9a-f]{8}\/1" alt="chart\.png, 120×48/);
  expect(told).toContain('<span class="pill words">in words</span>');
  expect(told).toContain('takes no pictures');
  const text = rows.find((row) => row.includes('Three')) ?? '';
  expect(text).toContain('report.pdf');
  expect(text).toContain('<span class="pill text">as its text</span>');
  expect(rows.join('')).not.toContain('said by nobody');
});

test('every page of a document is shown, in the original and as it was sent', async () => {
  const row = (await rowsFor('anthropic/claude-sonnet-4-5')).find((one) => one.includes('report.pdf')) ?? '';
  expect(row.match(/\/asset\/[0-9a-f]{8}\/[123]"/g)).toHaveLength(6);
  expect(row).toContain('report.pdf · 3 pages');
  expect(row).toContain('in its message'); // it was no result of a tool
});

test('what was sent as it was said is one thing for a small screen', async () => {
  const [, words = '', shown = ''] = await rowsFor('anthropic/claude-sonnet-4-5');
  expect(words).toMatch(/^ same"><div><p class="words">Look\./);
  expect(shown).not.toMatch(/^ same/);
  expect(shown).toContain('<code>messages<wbr />[0]<wbr />.content<wbr />[1]<wbr />.source<wbr />.data</code>');
});
