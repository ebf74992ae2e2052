// Messages that Loom has stored come in as a session: results as the JSON of `to_json`, thinking beside the answer.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportSession, importSession, memorySessions } from '../../src/session/index.ts';
import { prepare } from '../../src/index.ts';
import type { Message } from '../../src/message/message.ts';
import { pdfSaying } from '../media/make.ts';
import { png, user } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-stored-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inside = join(folder, 'project');
mkdirSync(inside);
writeFileSync(join(inside, 'diagram.png'), png(1));
writeFileSync(join(inside, 'report.pdf'), pdfSaying('one', 'two', 'three'));
writeFileSync(join(folder, 'secret.png'), png(2));

/** As `ToolResult.to_json` writes it. */
function toJson(output: string, blocks?: object[], error: string | null = null): string {
  const payload = { success: error === null, output, error, files_changed: [] };
  return JSON.stringify({ ...payload, ...(blocks && { content_blocks: blocks }) }, undefined, 1);
}

function picture(path: string): object {
  return {
    type: 'image',
    source_path: path,
    media_type: 'image/png',
    width: 8,
    height: 8,
    size_bytes: 70,
    text_fallback: '[Image: diagram.png, 8x8, 70 bytes, .png]',
  };
}

const report = {
  type: 'document',
  source_path: join(inside, 'report.pdf'),
  media_type: 'application/pdf',
  page_count: 3,
  size_bytes: 900,
  page_range: [0, 2],
  text_fallback: '[PDF: report.pdf, pages 1-2 of 3]',
};

function call(id: string, path: string): object {
  return { id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } };
}

const records = [
  { role: 'system', content: 'You are Loom.' },
  { role: 'user', content: 'Look at both.' },
  {
    role: 'assistant',
    model: 'anthropic/claude-sonnet-4-5',
    content: 'Looking.',
    thinking_blocks: [
      { thinking: 'I have to see them.', signature: 'c2lnbmVk' },
      { thinking: '[redacted]', signature: 'b3BhcXVl' },
    ],
    tool_calls: [call('t1', 'diagram.png'), call('t2', 'report.pdf'), call('t3', '../secret.png'), call('t4', 'x')],
  },
  { role: 'tool', tool_call_id: 't1', content: toJson('[Image: diagram.png]', [picture(join(inside, 'diagram.png'))]) },
  { role: 'tool', tool_call_id: 't2', content: toJson('[PDF: report.pdf]', [report]) },
  { role: 'tool', tool_call_id: 't3', content: toJson('[Image: secret.png]', [picture(join(folder, 'secret.png'))]) },
  { role: 'tool', tool_call_id: 't4', content: toJson('', undefined, 'File not found: x') },
  { role: 'assistant', content: 'Seen.' },
];

test.each([
  ['a list', JSON.stringify(records, undefined, 2)],
  ['an object with messages', JSON.stringify({ messages: records })],
  ['lines', records.map((record) => JSON.stringify(record)).join('\n')],
])('%s of stored records is a session, with pictures inside the roots only', async (name, text) => {
  const file = join(inside, `${name}.json`);
  writeFileSync(file, text);
  const store = memorySessions();
  const imported = await importSession(store, file, { roots: [inside] });
  expect(imported).toMatchObject({ ok: true, value: { messages: 7, media: 2, refused: 1 } });
  const session = await store.read(imported.ok ? imported.value.id : '');
  const messages = await session.messages();
  expect(messages.map(kinds)).toEqual([
    'user: text',
    'assistant: thinking thinking text call call call call',
    'tool: text image',
    'tool: text document',
    'tool: text text',
    'tool: text (error)',
    'assistant: text',
  ]);
  expect(messages[3]?.content[1]).toMatchObject({ type: 'document', pages: 3, range: [0, 2] });
  expect(JSON.stringify(messages[4])).toMatch(/outside/);
  expect(messages[5]).toMatchObject({ isError: true, content: [{ text: 'Error: File not found: x' }] });
  const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', assets: session.assets });
  const sent = JSON.stringify(await request.json());
  expect(sent).toContain('"signature":"c2lnbmVk"');
  expect(sent).toContain('{"type":"redacted_thinking","data":"b3BhcXVl"}');
  expect(sent).not.toContain('content_blocks');
});

function kinds({ role, content, ...rest }: Message): string {
  const failed = 'isError' in rest && rest.isError ? ' (error)' : '';
  return `${role}: ${content.map(({ type }) => type).join(' ')}${failed}`;
}

test('thinking of a model that nobody named is kept as words that go to no model', async () => {
  const file = join(inside, 'nameless.json');
  writeFileSync(
    file,
    JSON.stringify([
      { role: 'user', content: 'Hm?' },
      { role: 'assistant', content: 'Yes.', thinking_blocks: [{ thinking: 'Let me see.', signature: '' }] },
      { role: 'user', content: 'Go on.' },
    ]),
  );
  const store = memorySessions();
  const imported = await importSession(store, file);
  const session = await store.read(imported.ok ? imported.value.id : '');
  const messages = await session.messages();
  expect(messages[1]?.content[0]).toEqual({ type: 'thinking', text: 'Let me see.' });
  const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', assets: session.assets });
  expect(JSON.stringify(await request.json())).not.toContain('Let me see.');
});

test('a session whose words hold line ends of every kind comes back as it was', async () => {
  const file = join(inside, 'ends.json');
  const [from, to] = [memorySessions(), memorySessions()];
  const session = await from.create({ title: 'one\u2028two' });
  const message = user('one\u2028two\u2029three\u0085four\rfive\r\nsix\nseven');
  await session.append({ type: 'message', message });
  await exportSession(session, file);
  for (const text of [readFileSync(file, 'utf8'), readFileSync(file, 'utf8').replaceAll('\n', '\r\n')]) {
    writeFileSync(file, text);
    const imported = await importSession(to, file);
    expect(imported).toMatchObject({ ok: true, value: { messages: 1 } });
    expect(await (await to.read(imported.ok ? imported.value.id : '')).messages()).toEqual([message]);
  }
});
