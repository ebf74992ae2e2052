// Files handed over with words, and long conversations summed up.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attach } from '../../src/agent/attach.ts';
import { namedFiles, pastedFiles, pastedPath } from '../../src/agent/mentions.ts';
import { runAgent } from '../../src/agent/run.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Message } from '../../src/message/message.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { memorySessions } from '../../src/session/index.ts';
import { readAssetTextTool } from '../../src/toolbox/assets/text.ts';

const chart = readFileSync(new URL('../../examples/chart.png', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-attach-'));
mkdirSync(join(folder, 'sub'));
for (const name of ['a.png', 'b c.png', 'sub/d.txt']) writeFileSync(join(folder, name), chart);

test.each<[words: string, files: string[], notices: string[]]>([
  ['look at @a.png', ['a.png'], []],
  ['@"b c.png" and @sub/d.txt.', ['b c.png', 'd.txt'], []],
  ['(see @a.png), twice @a.png!', ['a.png'], []],
  [`@${folder}/a.png`, ['a.png'], []],
  ['mail me@a.png or ask @alice', [], []],
  ['what is in @absent.png?', [], ['There is no file absent.png, so it is sent as text.']],
  ['what is on @b\\ c.png?', ['b c.png'], []],
  [
    'see @/absent/place and @~/absent, not @scope/package',
    [],
    ['/absent/place', '~/absent'].map((name) => `There is no file ${name}, so it is sent as text.`),
  ],
  ['@sub is a folder', ['sub'], []],
  ['see "@a.png"', ['a.png'], []],
  ["see '@a.png', and (@sub/d.txt)", ['a.png', 'd.txt'], []],
  ['sum up "@b c.png" please', ['b c.png'], []],
  ["sum up '@b c.png', “@b c.png” and @'b c.png'", ['b c.png'], []],
  ['they said "compare @a.png and @sub/d.txt", "@a.png is red"', ['a.png', 'd.txt'], []],
  [
    'see "@gone.png" and “@no way.png”',
    [],
    ['gone.png', 'no way.png'].map((name) => `There is no file ${name}, so it is sent as text.`),
  ],
  ['what is on @b c.png?', [], ['b is no file; write @"b c.png" to attach that one.']],
  ['"@alice" wrote to "@scope/package"', [], []],
])('%j names %j', (words, files, notices) => {
  const found = namedFiles(words, folder);
  expect(found.files.map(({ name }) => name)).toEqual(files);
  expect(found.notices).toEqual(notices);
});

test.each([
  [`${folder}/a.png`, `@${folder}/a.png`],
  [`${folder}/a.png \n`, `@${folder}/a.png`],
  [`'${folder}/b c.png'`, `@"${folder}/b c.png"`],
  [`${folder}/b\\ c.png`, `@"${folder}/b c.png"`],
  [`file://${folder}/b%20c.png`, `@"${folder}/b c.png"`],
  ['./a.png', '@./a.png'],
  [`${folder}/absent.png`, undefined],
  ['a.png', undefined],
  [`${folder}/a.png\n${folder}/a.png`, undefined],
  ['', undefined],
])('a paste of %j is %j', (paste, as) => {
  expect(pastedPath(paste, folder)).toBe(as);
});

test('pictures pasted as data URIs become files with a name in the words', async () => {
  const uri = `data:image/png;base64,${chart.toString('base64')}`;
  const { words, files } = pastedFiles(`compare ${uri} with ${uri}`);
  expect(words).toBe('compare [pasted-1.png] with [pasted-2.png]');
  const content = await attach(words, files, { assets: memoryAssets() });
  expect(content.ok && content.value.map(({ type }) => type)).toEqual(['text', 'image', 'text', 'image', 'text']);
});

test('each file stands behind its name, the words stand last, and one refusal refuses all', async () => {
  const { files } = namedFiles('@a.png', folder);
  const content = await attach('what?', files, { assets: memoryAssets() });
  expect(content).toMatchObject({
    value: [{ text: '[attached: a.png]' }, { type: 'image', width: 640 }, { text: 'what?' }],
  });
  const absent = await attach('what?', [...files, { source: join(folder, 'no.png'), name: 'no.png' }], {});
  expect(absent).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
  expect(await attach(' ', [], {})).toMatchObject({ ok: false, refusal: { what: 'There is no question' } });
});

test('a folder is handed over as the list of what lies in it, a name that is neither as what is missing', async () => {
  const content = await attach('what?', [{ source: folder, name: 'things' }], { assets: memoryAssets() });
  expect(content).toEqual({
    ok: true,
    value: [
      { type: 'text', text: '[attached: things]' },
      { type: 'text', text: expect.stringMatching(/a\.png[^]*b c\.png[^]*sub/) as string },
      { type: 'text', text: 'what?' },
    ],
  });
  const listed = JSON.stringify(content);
  expect(listed).not.toContain(folder);
});

test('of a long text the beginning goes, with where the whole of it is; nobody need hear of it', async () => {
  const lines = Array.from({ length: 9000 }, (_, at) => `line ${at} of many`).join('\n');
  const files = [{ source: Buffer.from(lines), name: 'long.txt' }];
  const said: string[] = [];
  const quiet = await attach('what?', files, { assets: memoryAssets() });
  const told = await attach('what?', files, { assets: memoryAssets(), notice: (line) => void said.push(line) });
  expect(told).toEqual(quiet);
  expect(said).toEqual([
    expect.stringMatching(
      /^long\.txt, [\d.]+ kB: the model sees lines 1 to [\d,]+ of 9,000 now; it can read and search the rest with read_asset_text\.$/,
    ),
  ]);
  const short = await attach('what?', [{ source: Buffer.from('one line'), name: 'short.txt' }], {
    assets: memoryAssets(),
    notice: (line) => void said.push(line),
  });
  expect([short.ok, said.length]).toEqual([true, 1]);
});

test('ceilings of the caller hold', async () => {
  const { files } = namedFiles('@a.png', folder);
  const content = await attach('what?', files, { assets: memoryAssets(), limits: { imageBytes: 1000 } });
  expect(content).toMatchObject({ ok: false, refusal: { code: 'too-large', limit: '1,000 bytes' } });
});

/** Three questions and their answers; the last answer nearly filled the window. */
function longTalk(inputTokens: number): Message[] {
  return ['one', 'two', 'three'].flatMap((word): Message[] => [
    { role: 'user', content: [{ type: 'text', text: `question ${word}` }] },
    {
      role: 'assistant',
      model: 'anthropic/claude-sonnet-4-5',
      content: [{ type: 'text', text: `answer ${word}` }],
      usage: { inputTokens, outputTokens: 10 },
    },
  ]);
}

test('a conversation that nearly fills its window is summed up before the next question is answered', async () => {
  const asked: string[] = [];
  const send = scriptedSend(
    script(({ transcript }) => {
      const text = JSON.stringify(transcript.messages);
      asked.push(text);
      return { text: text.includes('Sum up the conversation') ? 'They counted.' : 'Four.' };
    }),
  );
  const sessions = memorySessions();
  const session = await sessions.create();
  for (const message of longTalk(190_000)) await session.append({ type: 'message', message });
  const go = (prompt: string) => runAgent({ model: 'anthropic/claude-sonnet-4-5', session, prompt, send }).result();
  const first = await go('question four');
  expect(first).toMatchObject({ text: 'Four.', stop: 'end' });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain('They counted.');
  expect(asked[1]).not.toContain('question one');
  expect(asked[1]).toContain('question three');
  expect(await session.summary()).toMatchObject({ covers: 4 });
  // The history itself stays whole, and the summary is made once.
  expect(await session.messages()).toHaveLength(8);
  await go('question five');
  expect(asked).toHaveLength(3);
  expect(asked[2]).toContain('They counted.');
});

test('a conversation with room is sent as it is', async () => {
  let requests = 0;
  const send = scriptedSend(
    script(() => {
      requests += 1;
      return { text: 'Four.' };
    }),
  );
  await runAgent({ model: 'anthropic/claude-sonnet-4-5', messages: longTalk(1000), prompt: 'four', send }).result();
  expect(requests).toBe(1);
});

test('of a long text the model can read the rest, and the person is told what it sees', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const log = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`).join('\n');
  const notices: string[] = [];
  const options = { assets: session.assets, notice: (text: string) => void notices.push(text) };
  const content = await attach('why?', [{ source: Buffer.from(log), name: 'stdin' }], options);
  if (!content.ok) throw new Error('refused');
  expect(notices).toEqual([
    expect.stringMatching(/^stdin, \d+ kB: the model sees lines 1 to [\d,]+ of 20,000 now; it can/),
  ]);
  const [, asset = ''] = /whole text is asset ([0-9a-f]{8})/.exec(JSON.stringify(content.value)) ?? [];
  const call = { name: 'read_asset_text', input: { asset, offset: 19_999 } };
  const { messages } = await runAgent({
    model: 'anthropic/claude-sonnet-4-5',
    session,
    prompt: content.value,
    tools: [readAssetTextTool({})],
    send: scriptedSend(script([{ calls: [call] }, { text: 'I see.' }])),
  }).result();
  expect(JSON.stringify(messages.find(({ role }) => role === 'tool'))).toContain('line 19999\\nline 20000');
  const none = await attach('why?', [{ source: Buffer.from(log), name: 'stdin' }], {
    ...options,
    hasTool: async () => false,
  });
  expect(notices[1]).toContain('without the tool read_asset_text, nothing of the rest');
  expect(JSON.stringify(none)).not.toContain('read_asset_text');
});

test('an archive in the words is kept as an asset, and the person is told', async () => {
  const notices: string[] = [];
  const options = { assets: memoryAssets(), notice: (text: string) => void notices.push(text) };
  const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(89_996, 7)]).toString('base64');
  const content = await attach(`what is ${zip}?`, [], options);
  expect(notices).toEqual([
    expect.stringMatching(/^Your question: about 119,\d+ characters without a space .* \(asset [0-9a-f]{8}\)/),
  ]);
  expect(content).toMatchObject({ value: [{ type: 'text', kept: [{ size: 90_000 }] }] });
  expect(await attach(`what is ${zip}?`, [], { assets: memoryAssets() })).toEqual(content); // nobody need hear of it
});

test('of a text that is one long line the person is told, too', async () => {
  const notices: string[] = [];
  const options = { assets: memoryAssets(), notice: (text: string) => void notices.push(text) };
  await attach('why?', [{ source: Buffer.from('word '.repeat(20_000)), name: 'one.txt' }], options);
  expect(notices).toEqual([
    expect.stringContaining('one.txt, 100 kB: the model sees the beginning of its long lines now'),
  ]);
});
