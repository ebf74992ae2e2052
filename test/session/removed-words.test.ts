// What `rm` promises: the bytes of what was said are not in the files any more, but for what a fork shares.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSessions } from '../../src/session/index.ts';
import { user } from './samples.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-removed-'));
afterAll(() => rmSync(home, { recursive: true }));

function onDisk(words: string): boolean {
  const files = readdirSync(home, { recursive: true }).map((name) => join(home, String(name)));
  return files.some((file) => statSync(file).isFile() && readFileSync(file).includes(words));
}

test('words of a removed session are overwritten, those that a fork shares stay', async () => {
  const store = openSessions({ home });
  const trunk = await store.create();
  await trunk.append({ type: 'message', message: user('shared walrus') });
  const fork = await store.fork(trunk.id);
  await trunk.append({ type: 'message', message: user(`lonely penguin ${'x'.repeat(20_000)}`) });
  await Promise.all([trunk.close(), fork.close()]);
  expect([onDisk('shared walrus'), onDisk('lonely penguin')]).toEqual([true, true]);
  await store.remove(trunk.id);
  await store.close();
  expect([onDisk('shared walrus'), onDisk('lonely penguin')]).toEqual([true, false]);
});
