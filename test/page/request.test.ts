// What a person sees of a request: each medium beside what was made of it, words that stand for one included, every page of a
// document, and where it stands.
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { document, image } from '../../src/content/input.ts';
import { requestView } from '../../src/inspect/look.ts';
import { timelineOf } from '../../src/inspect/timeline.ts';
import { answer } from '../../src/model/answer.ts';
import { script } from '../../src/model/script/script.ts';
import { scriptedSend } from '../../src/model/script/send.ts';
import { sawHtml } from '../../src/page/request.ts';
import { memorySessions } from '../../src/session/store.ts';
import { pdfSaying } from '../media/make.ts';
import { all } from '../model/all.ts';
import { shotBytes } from '../model/shots.ts';

const [shot = new Uint8Array()] = await shotBytes(1, 120);
const [large = new Uint8Array()] = await shotBytes(1, 4000);
const wide = image(large, { name: 'wide.png' });
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

test.each([
  ['words before it', ['Which suppliers were late?', wide], ['Which suppliers were late?']],
  ['words behind it', [wide, 'Which suppliers were late?'], ['Which suppliers were late?']],
  ['words on both sides', ['This is it.', wide, 'Is it late?'], ['This is it.', 'Is it late?']],
  ['a line in brackets', [wide, '[image] of\n[the "suppliers"]'], ['[image] of\n[the "suppliers"]']],
])('our line about a picture is ours where a dialect joins it to others, with %s', async (_, content, said) => {
  const how = { model: 'ollama/qwen3-vl', send: scriptedSend(script([{ text: 'Seen.' }])) } as const;
  const messages = [{ role: 'user' as const, content }];
  for (const from of ['a stranger', 'a session']) {
    await using store = memorySessions();
    const { recorder } = store;
    const session = from === 'a session' ? await store.create() : undefined;
    if (session) await runAgent({ ...how, session, prompt: content }).result();
    else await all(answer({ messages }, { ...how, ...(recorder && { recorder }) }));
    await recorder?.end('nobody', { state: 'answered', attempts: [] }); // what was recorded before it is written
    const conversation = (await store.requests?.conversations())?.[0]?.conversation ?? '';
    const [row] = (await store.requests?.list(conversation)) ?? [];
    const { sections } = await requestView(store, row?.id ?? '');
    const texts = sections.flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.kind === 'text' ? [leaf] : [])));
    expect(texts.flatMap(({ ours, text, original }) => (ours ? (original ?? []) : text))).toEqual(said);
    const ours = texts.flatMap(({ ours: own, text, original = '' }) =>
      own ? [text.slice(original.length).trim()] : [],
    );
    expect(ours.join()).toMatch(
      /^\[image "wide\.png" \d+×\d+, scaled from 4000×48 .*multiply coordinates by [\d.]+\]$/,
    );
    const [turn] = (await timelineOf(store, conversation, { count: 9 })).turns;
    expect(turn?.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))).toEqual(said);
  }
});
