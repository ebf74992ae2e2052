// Entries as they are read: what the program relies on is there, or the entry is unknown.
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isAltered, readEntry, schemaSteps } from '../../../src/session/log/migrations.ts';

const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'image/png', size: 3 };
const call = { type: 'call', id: 'c', name: 'look', input: {} };
const image = { type: 'image', asset, width: 1, height: 1 };
const reference = { type: 'reference', kind: 'image', at: { url: 'https://example.org/a.png' } };

const row = (type: string, body: unknown, more: object = {}) => ({
  id: 2,
  parent: 1,
  time: 3,
  version: 1,
  type,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
});

const message = (...content: unknown[]): unknown => ({ message: { role: 'user', content } });
const from = (role: unknown, more: object = {}): unknown => ({ message: { role, content: [], ...more } });
const without = (value: object, key: string): object => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)); // prettier-ignore

describe('is understood:', () => {
  const usage = { model: 'm', usage: {} };
  const ledger = { model: 'm', keep: 0, items: [] };
  test.each([
    ['message', message()],
    ['message', from('assistant')],
    ['message', from('tool', { callId: 'c', name: 'look' })],
    ['message', message({ type: 'text', text: '' }, { type: 'thinking', text: 'hm' }, call)],
    ['message', message({ type: 'sealed', seal: {} }, image, reference)],
    ['message', message({ ...image, original: { asset } })],
    ['message', message({ type: 'document', asset }, { type: 'audio', asset }, { type: 'video', asset })],
    ['ledger', ledger],
    ['quarantine', { asset: 'a', model: 'm', why: 'w' }],
    ['usage', usage],
    ['model', { model: 'm' }],
    ['title', { title: 't' }],
    ['setup', {}],
    ['setup', { system: 's', tools: [] }],
    ['summary', { text: 't', covers: 3 }],
    ['note', { text: 't' }],
  ])('%s %j', (type, body) => {
    expect(readEntry(row(type, body))).toEqual({ id: 2, parent: 1, time: 3, version: 1, type, ...(body as object) });
  });

  test('and one that comes after none has no parent', () => {
    expect(readEntry(row('note', { text: 't' }, { parent: null }))).toHaveProperty('parent', undefined);
  });

  test('and its number and time are those of its row, whatever its body says', () => {
    const body = { id: 0, parent: 7, time: 0, version: 9, text: 't' };
    expect(readEntry(row('note', body))).toEqual({ id: 2, parent: 1, time: 3, version: 1, type: 'note', text: 't' });
  });
});

describe('is not:', () => {
  const tool = { callId: 'c', name: 'look' };
  test.each([
    ['message', {}],
    ['message', { message: 'words' }],
    ['message', from('system')],
    ['message', { message: { role: 'user' } }],
    ['message', { message: { role: 'user', content: {} } }],
    ['message', from('tool')],
    ['message', from('tool', without(tool, 'name'))],
    ['message', from('tool', without(tool, 'callId'))],
    ['message', message('words')],
    ['message', message({ type: 'text', text: 'ok' }, { type: 'text' })],
    ['message', message({ type: 'thinking' })],
    ['message', message(without(call, 'id'))],
    ['message', message(without(call, 'name'))],
    ['message', message({ type: 'sealed' })],
    ['message', message({ ...reference, at: 7 })],
    ['message', message({ type: 'hologram', text: 't', asset })],
    ['message', message({ type: 'image' })],
    ['message', message({ ...image, asset: without(asset, 'id') })],
    ['message', message({ ...image, asset: without(asset, 'mediaType') })],
    ['message', message({ ...image, asset: without(asset, 'size') })],
    ['message', message({ ...image, original: null })],
    ['message', message({ ...image, original: {} })],
    ['message', message({ asset, original: { asset } })],
    ['ledger', { keep: 0, items: [] }],
    ['ledger', { model: 'm', items: [] }],
    ['ledger', { model: 'm', keep: 0 }],
    ['quarantine', { model: 'm', why: 'w' }],
    ['quarantine', { asset: 'a', why: 'w' }],
    ['quarantine', { asset: 'a', model: 'm' }],
    ['usage', { usage: {} }],
    ['usage', { model: 'm' }],
    ['model', {}],
    ['title', { title: 7 }],
    ['setup', { system: 7 }],
    ['setup', { tools: {} }],
    ['summary', { covers: 3 }],
    ['summary', { text: 't', covers: 0.5 }],
    ['note', {}],
    ['hologram', { text: 't' }],
    ['toString', { text: 't' }],
    ['note', []],
    ['note', null],
  ])('%s %j', (type, body) => {
    expect(readEntry(row(type, body))).toEqual({ id: 2, parent: 1, time: 3, version: 1, type: 'unknown', was: type, body }); // prettier-ignore
  });

  test('what is no JSON, and what a newer version wrote', () => {
    expect(readEntry(row('note', '{torn'))).toMatchObject({ type: 'unknown', was: 'note', body: '{torn' });
    expect(readEntry(row('note', { text: 't' }, { version: 2 }))).toMatchObject({ type: 'unknown', version: 2 });
    expect(readEntry(row('note', { text: 't' }, { version: 0 }))).toMatchObject({ type: 'note', version: 0 });
  });
});

test('words that are not those that were stored are told, where that can be known', () => {
  expect(isAltered({ body: 'a', checksum: crc32('a') })).toBe(false);
  expect(isAltered({ body: 'b', checksum: crc32('a') })).toBe(true);
  expect(isAltered({ body: 'b', checksum: null })).toBe(false);
  expect(isAltered({ body: 'b' })).toBe(false);
});

test('the tables grow step by step', () => {
  const database = new DatabaseSync(':memory:');
  const grown = schemaSteps.map((step) => {
    database.exec(step);
    const columns = database.prepare(`SELECT count(*) AS count FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'words%' AND m.name NOT LIKE 'sqlite%'`); // prettier-ignore
    return columns.get()?.['count'];
  });
  expect(grown).toEqual([28, 36, 37, 51, 63, 66, 69, 76, 78, 78]);
});
