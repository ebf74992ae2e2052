// Exported pages: whole, offline, and safe whatever the session holds.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { afterAll, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import { openIntake } from '../../src/media/index.ts';
import { exportSession, importSession, memorySessions, openSessions } from '../../src/session/index.ts';
import type { Session } from '../../src/session/index.ts';
import { answer } from '../../src/model/answer.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { run } from '../cli/run.ts';
import { all } from '../model/all.ts';
import { pdfSaying } from '../media/make.ts';
import { assistant, image, png, result, user } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const evil = `</title></style></pre><script>alert(1)</script><img src=x onerror=alert(2)>"' onload='alert(3) \u202E\u001B[2J`;

async function evilSession(): Promise<Session> {
  const session = await memorySessions().create({ title: evil, model: evil });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png', name: evil });
  const odd = await session.assets.put(png(2), { mediaType: 'text/html" onerror="alert(1)', name: 'x' });
  const gone = { id: `sha256:${'0'.repeat(64)}`, mediaType: 'image/png', size: 3, name: evil } as const;
  const media: Block[] = [image(asset), image(odd), image(gone), { ...image(asset), fallback: evil }];
  const marked = `# ${evil}\n- ${evil}\n> ${evil}\n\`${evil}\`\n**${evil}**\n| ${evil} |\n| - |\n| ${evil} |\n[x](javascript:alert(1)) [${evil}](https://e.x/"onclick="a)\n\`\`\`${evil}\n${evil}`;
  const call: Block = { type: 'call', id: evil, name: evil, input: { [evil]: evil } };
  const thinking: Block = { type: 'thinking', text: evil };
  await session.append({ type: 'message', message: user(marked, ...media) });
  await session.append({
    type: 'message',
    message: { ...assistant(marked, evil), content: [thinking, { type: 'text', text: marked }, call] },
  });
  await session.append({
    type: 'message',
    message: { ...result(evil, evil.repeat(20), ...media), name: evil, isError: true },
  });
  await session.append({ type: 'message', message: { ...result('late', evil), name: evil } });
  await session.append({ type: 'note', text: evil });
  await session.append({ type: 'quarantine', asset: asset.id, model: evil, why: evil });
  return session;
}

const tags = new Set(
  'html head meta title style body main header h1 ul ol li b time section div span p br h4 em strong code pre blockquote table tr th td details summary figure figcaption img audio a footer'.split(
    ' ',
  ),
);
const attributes = new Set(
  'lang charset name content http-equiv datetime class src alt width height style href rel title'.split(' '),
);

test('what models write as Markdown is shown as it is meant', async () => {
  const session = await memorySessions().create({ title: 'a table' });
  const said = 'Sales *rose*:\n| year | sum |\n| :-- | --: |\n| 2025 | **7** |\n\nThat is all.';
  await session.append({ type: 'message', message: user('How are sales?') });
  await session.append({ type: 'message', message: assistant(said, 'a/b') });
  const file = join(folder, 'table.html');
  await exportSession(session, file);
  const page = readFileSync(file, 'utf8').replaceAll(/>\s+</g, '><');
  expect(page).toContain('<p>Sales <em>rose</em>:</p><table><tr><th>year</th><th>sum</th></tr>');
  expect(page).toContain('<tr><td>2025</td><td><strong>7</strong></td></tr></table><p>That is all.</p>');
});

test('nothing in a session becomes markup', async () => {
  const file = join(folder, 'evil.html');
  await exportSession(await evilSession(), file);
  const page = readFileSync(file, 'utf8');
  const [found, given, links] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const parser = new Parser({
    onopentag: (name, values) => {
      found.add(name);
      for (const [key, value] of Object.entries(values)) {
        given.add(key);
        if (key === 'href' || key === 'src') links.add(value.replace(/,.*/s, ''));
      }
    },
  });
  parser.end(page);
  expect([...found].filter((name) => !tags.has(name))).toEqual([]);
  expect([...given].filter((name) => !attributes.has(name))).toEqual([]);
  expect([...links].toSorted()).toEqual(['data:image/png;base64', 'https://e.x/"onclick="a']);
  expect(page).not.toContain('\u202E');
  expect(page).not.toContain('\u001B');
  expect(page).toContain('default-src &#39;none&#39;; img-src data:');
});

test('a page holds the pictures, the pages of a PDF, folded thinking and the calls, and needs nothing else', async () => {
  const session = await memorySessions().create({ title: 'A walk', model: 'anthropic/claude-sonnet-4-5' });
  const intake = openIntake({ assets: session.assets });
  const [picture, report] = await Promise.all([
    intake.check(png(1), { name: 'tree.png' }),
    intake.check(pdfSaying('one', 'two'), { name: 'report.pdf' }),
  ]);
  if (!picture.ok || !report.ok) throw new Error('unread');
  const call: Block = { type: 'call', id: 'c1', name: 'walk', input: { far: true } };
  const thinking: Block = { type: 'thinking', text: 'Where to?' };
  const model = 'anthropic/claude-sonnet-4-5';
  await session.append({ type: 'message', message: user('Take a walk.') });
  await session.append({ type: 'message', message: { ...assistant('', model), content: [thinking, call] } });
  await session.append({ type: 'message', message: result('c1', 'seen', picture.value, report.value) });
  const { recorder, assets } = session;
  const send = scriptedSend(script([{ text: 'A **tree**.' }]));
  await all(answer(await session.transcript(), { model, assets, send, ...(recorder && { recorder }) }));
  await session.append({ type: 'message', message: assistant('A **tree**.', model) });
  await expect.poll(() => session.sent()).toBeDefined(); // records are written behind the answer
  const file = join(folder, 'walk.html');
  await exportSession(session, file);
  const page = readFileSync(file, 'utf8');
  expect(page.match(/<img src="data:image\/(png|jpeg);base64,/g)).toHaveLength(3);
  expect(page).toMatch(/<details class="thinking"><summary>Thinking<\/summary><p>Where to\?/);
  expect(page).toContain('<b>walk</b><span class="input">{&quot;far&quot;:true}</span><span class="state">done</span>');
  expect(page).toMatch(/tree\.png&quot; 8×8<span class="went"[^>]*> · sent in the result, about \d+ tokens/);
  expect(page).toContain('A <strong>tree</strong>.');
  expect(page).toContain('in the newest request (3 receipts)');
  expect(page).not.toMatch(/(?:src|href)="(?!data:)/);

  await exportSession(session, join(folder, 'walk.md'));
  const text = readFileSync(join(folder, 'walk.md'), 'utf8');
  const links = [...text.matchAll(/\]\(walk-media\/([^)]+)\)/g)].map(([, name]) => name);
  expect(readdirSync(join(folder, 'walk-media')).toSorted()).toEqual(
    links.toSorted((one = '', other = '') => one.localeCompare(other)),
  );
  expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC · /m);
  expect(text).toMatch(/## You\n\nTake a walk\.[^]*\*\*Calls walk\*\*[^]*!\[image "tree\.png" 8×8\]/);
});

test('a single receipt is counted as one', async () => {
  const session = await memorySessions().create({ title: 'A tree' });
  const picture = await openIntake({ assets: session.assets }).check(png(1), { name: 'tree.png' });
  if (!picture.ok) throw new Error('unread');
  await session.append({ type: 'message', message: user('What is it?', picture.value) });
  const { recorder, assets } = session;
  const send = scriptedSend(script([{ text: 'A tree.' }]));
  const model = 'anthropic/claude-sonnet-4-5';
  await all(answer(await session.transcript(), { model, assets, send, ...(recorder && { recorder }) }));
  await expect.poll(() => session.sent()).toBeDefined();
  const file = join(folder, 'tree.html');
  await exportSession(session, file);
  expect(readFileSync(file, 'utf8')).toContain('in the newest request (1 receipt)');
});

test('what must not leave is hidden in every form, however the form spells its signs', async () => {
  const secret = `sk_live_<4242>&'quoted"_#1`;
  const session = await memorySessions().create({ title: `Use ${secret}` });
  await session.append({ type: 'note', text: `The key was ${secret}.` });
  await session.append({ type: 'message', message: user(`It is ${secret}.`) });
  await session.append({ type: 'message', message: { ...result('c', secret), name: `look_${secret}` } });
  const hide = (text: string): string => text.replaceAll(secret, '[key]');
  for (const end of ['md', 'html', 'json']) {
    const file = join(folder, `hidden.${end}`);
    await exportSession(session, file, undefined, { hide });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/4242|quoted/);
    expect(text.match(/\[key|\[key\]/g)?.length).toBeGreaterThanOrEqual(4);
  }
});

test('a session exported as JSON comes back whole in another store', async () => {
  const session = await memorySessions().create({ title: 'A walk' });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png', name: 'tree.png' });
  await session.append({ type: 'message', message: user('look', image(asset)) }, 1234);
  await session.append({ type: 'message', message: { ...result('c', 'x'), details: { text: 'y'.repeat(100_000) } } });
  await session.append({ type: 'usage', model: 'm/x', usage: { inputTokens: 7, outputTokens: 1 }, cost: 2 });
  const file = join(folder, 'walk.json');
  await exportSession(session, file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'sightline-session', version: 1 });
  const store = memorySessions();
  const imported = await importSession(store, file);
  expect(imported).toMatchObject({ ok: true, value: { messages: 2, media: 2 } });
  const copy = await store.read(imported.ok ? imported.value.id : '');
  expect(await copy.messages()).toEqual(await session.messages());
  expect(await copy.info()).toMatchObject({ title: 'A walk', media: 2, cost: 2 });
  expect((await copy.entries({ types: ['message'] }))[0]?.time).toBe(1234);
  expect(await copy.losses()).toEqual([]);
});

test('words with whatever ends a line elsewhere go out and come in again', async () => {
  const session = await memorySessions().create({ title: 'A\u2028walk' });
  const words = 'one\u2028two\u2029three\u0085four\r\nfive\rsix\u2028';
  await session.append({ type: 'message', message: user(words) });
  const file = join(folder, 'lines.json');
  await exportSession(session, file);
  for (const end of ['\n', '\r\n']) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', end));
    const store = memorySessions();
    const imported = await importSession(store, file);
    expect(imported).toMatchObject({ ok: true, value: { messages: 1 } });
    const copy = await store.read(imported.ok ? imported.value.id : '');
    expect(await copy.messages()).toEqual(await session.messages());
    expect((await copy.info()).title).toBe('A\u2028walk');
  }
});

test('an import of a folder is refused, and one for which there was no room leaves nothing behind', async () => {
  const refused = await importSession(memorySessions(), folder);
  expect(refused).toMatchObject({ ok: false, refusal: { what: `${folder} cannot be read` } });
  const session = await memorySessions().create({ title: 'A walk' });
  const asset = await session.assets.put(png(1), { mediaType: 'image/png', name: 'tree.png' });
  await session.append({ type: 'message', message: user('look', image(asset)) });
  const file = join(folder, 'room.json');
  await exportSession(session, file);
  const home = mkdtempSync(join(folder, 'home-'));
  {
    await using small = openSessions({ home, quotaBytes: 10 });
    await expect(importSession(small, file)).rejects.toThrow('Assets take all');
    await expect(small.read(session.id)).rejects.toThrow('There is no session');
  }
  await using store = openSessions({ home });
  const imported = await importSession(store, file);
  expect(imported).toMatchObject({ ok: true, value: { id: session.id, media: 1 } });
  expect(imported.ok && 'instead' in imported.value).toBe(false);
});

test.each(['1.5', '-0.5', '9e15', '"soon"', 'null'])('an entry of the time %s comes in as one of now', async (time) => {
  const session = await memorySessions().create({ title: 'A walk' });
  await session.append({ type: 'message', message: user('look') }, 1234);
  const file = join(folder, 'time.json');
  await exportSession(session, file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"time":1234', `"time":${time}`));
  await using store = openSessions({ home: mkdtempSync(join(folder, 'home-')), now: () => 5678 });
  const imported = await importSession(store, file);
  const copy = await store.read(imported.ok ? imported.value.id : '');
  expect((await copy.entries()).at(-1)).toMatchObject({ type: 'message', time: 5678 });
});

test('entries that came in are numbered and dated as their own store does, and go out again as they were', async () => {
  const session = await memorySessions().create({ title: 'A walk', model: 'm/x' });
  await session.append({ type: 'setup', system: 'Walk.' }, 1000);
  await session.append({ type: 'message', message: user('look') }, 2000);
  await session.append({ type: 'note', text: 'rain' }, 3000);
  await session.append({ type: 'summary', text: 'so far', covers: 1 }, 4000);
  const file = join(folder, 'numbered.json');
  await exportSession(session, file);
  const store = memorySessions();
  const imported = await importSession(store, file);
  const copy = await store.read(imported.ok ? imported.value.id : '');
  const [before, entries] = [await session.entries(), await copy.entries()];
  expect(entries).toEqual(before.map((entry, at) => ({ ...entry, id: at + 1, parent: at === 0 ? undefined : at })));
  expect(entries.at(-1)?.time).toBe(4000);
  expect((await store.search('rain')).map(({ entry }) => entry)).toEqual([5]);
  await exportSession(copy, join(folder, 'again.json'));
  expect(readFileSync(join(folder, 'again.json'), 'utf8')).toBe(readFileSync(file, 'utf8'));
});

test('entries that a program copies from another session get numbers of their own', async () => {
  const [from, to] = [await memorySessions().create({ title: 'A walk' }), await memorySessions().create()];
  await from.append({ type: 'note', text: 'rain' }, 1000);
  for (const entry of await from.entries()) if (entry.type === 'note') await to.append(entry, 5000);
  expect(await to.entries()).toEqual([
    { id: 1, parent: undefined, time: 5000, version: 1, type: 'note', text: 'rain' },
  ]);
});

test.each<[string, (json: string) => string, RegExp]>([
  ['no JSON', () => 'hello', /is neither an exported session nor a list of messages/],
  ['another format', () => '{"format":"x"}\n', /is neither an exported session nor a list of messages/],
  ['a newer version', (json) => json.replace('"version":1', '"version":7'), /has version 7/],
  ['cut short', (json) => json.slice(0, -40), /cut short or was changed/],
])('an import of %s is refused and leaves nothing behind', async (name, change, message) => {
  const session = await memorySessions().create({ title: 'A walk' });
  await session.append({ type: 'message', message: user('look') });
  const file = join(folder, `${name}.json`);
  await exportSession(session, file);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const store = memorySessions();
  const imported = await importSession(store, file);
  expect(imported.ok ? '' : imported.refusal.what).toMatch(message);
  expect(await store.list()).toEqual([]);
});

test('bytes that are not what they are named do not come in, and pictures that are none come in as what they are', async () => {
  const session = await memorySessions().create({ title: 't' });
  const [good, bad] = [
    await session.assets.put(png(1), { mediaType: 'image/png', name: 'good.png' }),
    await session.assets.put(Buffer.from('<html>login</html>'), { mediaType: 'image/png', name: 'bad.png' }),
  ];
  const swapped = await session.assets.put(png(3), { mediaType: 'image/png', name: 'swapped.png' });
  await session.append({ type: 'message', message: user('look', image(good), image(bad), image(swapped)) });
  const file = join(folder, 'swapped.json');
  await exportSession(session, file);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(Buffer.from(png(3)).toString('base64'), Buffer.from(png(4)).toString('base64')),
  );
  const store = memorySessions();
  const imported = await importSession(store, file);
  const copy = await store.read(imported.ok ? imported.value.id : '');
  const [message] = await copy.messages();
  const kinds = message?.content.map((block) => (block.type === 'text' ? block.text.slice(0, 30) : block.type));
  expect(kinds).toEqual([
    'look',
    'image',
    'document', // bytes decide: it is a web page
    expect.stringContaining('[image "swapped.png"'),
  ]);
});

test('an import keeps the id and the times of a session, and tells when the id is taken', async () => {
  let now = Date.UTC(2024, 1, 2);
  const old = memorySessions({ now: () => now });
  const session = await old.create({ title: 'A walk' });
  now += 60_000;
  await session.append({ type: 'message', message: user('look') });
  const file = join(folder, 'kept.json');
  await exportSession(session, file);
  const store = memorySessions();
  expect(await importSession(store, file)).toMatchObject({ ok: true, value: { id: session.id } });
  const { created, updated } = await (await store.read(session.id)).info();
  expect({ created, updated }).toEqual({ created: Date.UTC(2024, 1, 2), updated: now });
  const again = await importSession(store, file);
  expect(again).toMatchObject({ ok: true, value: { instead: session.id } });
  expect(again.ok && again.value.id).not.toBe(session.id);
});

test.each(['../../etc/x', 'ABC', '', 'l'.repeat(12), 7])(
  'an id that is none of ours (%j) is not taken over',
  async (id) => {
    const session = await memorySessions().create({ title: 'A walk' });
    await session.append({ type: 'message', message: user('look') });
    const file = join(folder, 'strange.json');
    await exportSession(session, file);
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"id":"${session.id}"`, `"id":${JSON.stringify(id)}`));
    const imported = await importSession(memorySessions(), file);
    expect(imported.ok && imported.value.id).toMatch(/^[0-9a-z]{12}$/);
    expect(imported.ok && imported.value.id).not.toBe(id);
  },
);

test('an import tells of media whose bytes are not those they are named by', async () => {
  const session = await memorySessions().create({ title: 't' });
  const asset = await session.assets.put(png(3), { mediaType: 'image/png', name: 'swapped.png' });
  await session.append({ type: 'message', message: user('look', image(asset)) });
  const file = join(folder, 'damaged.json');
  await exportSession(session, file);
  const [old, other] = [png(3), png(4)].map((bytes) => Buffer.from(bytes).toString('base64'));
  writeFileSync(file, readFileSync(file, 'utf8').replace(old ?? '', other ?? ''));
  const store = memorySessions();
  const imported = await importSession(store, file);
  expect(imported).toMatchObject({ ok: true, value: { media: 0, damaged: 1, refused: 1 } });
  const [message] = await (await store.read(imported.ok ? imported.value.id : '')).messages();
  expect(JSON.stringify(message)).toContain('its bytes are not those that it was named by');
  const env = { SIGHTLINE_HOME: mkdtempSync(join(folder, 'home-')) };
  const { code, stderr } = await run(['sessions', 'import', file], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('1 medium failed its hash') as string });
});
