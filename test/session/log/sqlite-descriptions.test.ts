// Descriptions of pictures in a database: one of those who ask makes each, and it goes with its picture.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { forgetDescriptions, sqliteDescriptions } from '../../../src/session/log/sqlite-descriptions.ts';

function opened(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const step of schemaSteps) database.exec(step);
  return database;
}

const [red, blue] = ['a'.repeat(64), 'b'.repeat(64)];

test('one claims it; a claim that nothing came of lapses after a minute', async () => {
  let clock = 1_000_000;
  const table = sqliteDescriptions(opened(), () => clock);
  expect([await table.claim('k'), await table.claim('k'), await table.claim('other')]).toEqual([true, false, true]);
  clock += 60_000;
  expect(await table.claim('k')).toBe(false);
  clock += 1;
  expect([await table.claim('k'), await table.claim('k')]).toEqual([true, false]);
  await table.free('k');
  expect(await table.claim('k')).toBe(true);
});

test('what was kept is found, claimed no more, and not freed', async () => {
  let clock = 1;
  const table = sqliteDescriptions(opened(), () => clock);
  await table.claim('k');
  expect(await table.find('k')).toBeUndefined();
  await table.keep('k', 'A red square.');
  clock += 1_000_000;
  expect(await table.claim('k')).toBe(false);
  await table.free('k');
  expect([await table.find('k'), await table.find('other')]).toEqual(['A red square.', undefined]);
});

test('a name stands for the key where one is made of it', async () => {
  const database = opened();
  const table = sqliteDescriptions(database, () => 7, (key) => `named ${key.length}`); // prettier-ignore
  await table.claim(`sha256:${red} eyes`);
  const row = { key: 'named 76', text: null, at: 7, asset: red };
  expect(database.prepare('SELECT * FROM description').all()).toEqual([row]);
  await table.keep(`sha256:${red} eyes`, 'Red.');
  expect(await table.find(`sha256:${red} eyes`)).toBe('Red.');
  await table.claim('no picture');
  await table.free('no picture');
  expect(database.prepare('SELECT key, text FROM description').all()).toEqual([{ key: 'named 76', text: 'Red.' }]);
});

test('what nothing names any more is forgotten', async () => {
  const database = opened();
  const table = sqliteDescriptions(database, () => 7);
  for (const hash of [red, blue, 'c'.repeat(64), 'd'.repeat(64)]) await table.claim(`sha256:${hash} eyes`);
  database.exec(`INSERT INTO reference VALUES (1, '${blue}', 0, 0)`);
  database.exec(`INSERT INTO request_asset VALUES (1, '${'c'.repeat(64)}')`);
  forgetDescriptions(database, [red, blue, 'c'.repeat(64)]);
  const left = database.prepare('SELECT asset FROM description ORDER BY asset').all();
  expect(left.map(({ asset }) => String(asset)[0])).toEqual(['b', 'c', 'd']);
});
