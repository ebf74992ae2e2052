// A disk that forgets, when the power goes, whatever was not synced: bytes of files, and names in folders.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Disk } from '../../src/asset/disk.ts';
import { fileAssets } from '../../src/asset/files.ts';
import { jsonLinesLog } from '../../src/session/log/json-lines.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-disk-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The real disk, with a memory of what is certain. */
function forgetfulDisk(): { disk: Disk; powerCut: () => void } {
  const certain = new Map<string, number>(); // how many bytes of a file
  const written = new Set<string>();
  let names: { path: string; undo: () => void }[] = [];
  const named = (path: string, undo: () => void): void => void names.push({ path, undo });
  const opened = (async (path: string, flags: string, mode?: number): Promise<FileHandle> => {
    const isNew = !existsSync(path);
    const handle = await open(path, flags, mode);
    if (flags === 'r') {
      handle.sync = async () => {
        names = names.filter((name) => dirname(name.path) !== path && name.path !== path);
      };
      return handle;
    }
    written.add(path);
    if (isNew) named(path, () => rmSync(path, { force: true }));
    const sync = async (): Promise<void> => void certain.set(path, (await handle.stat()).size);
    handle.sync = sync;
    handle.datasync = sync;
    return handle;
  }) as typeof open;
  const moved = (async (from: string, to: string): Promise<void> => {
    const before = existsSync(to) ? `${to}.before` : undefined;
    if (before !== undefined) renameSync(to, before);
    await rename(from, to);
    const bytes = certain.get(from) ?? 0;
    names = names.filter(({ path }) => path !== from);
    written.delete(from);
    written.add(to);
    certain.set(to, bytes);
    named(to, () => (before === undefined ? rmSync(to) : renameSync(before, to)));
  }) as typeof rename;
  return {
    disk: { open: opened, rename: moved },
    powerCut: () => {
      for (const path of written) if (existsSync(path)) truncateSync(path, certain.get(path) ?? 0);
      for (const { undo } of names.toReversed()) undo();
    },
  };
}

test('what an asset store has answered is there after a power cut, under its name', async () => {
  const { disk, powerCut } = forgetfulDisk();
  const folder = mkdtempSync(join(scratch, 'assets-'));
  const { id } = await fileAssets(folder, disk).put(Buffer.alloc(5000, 7), { mediaType: 'image/png' });
  powerCut();
  expect(await fileAssets(folder).verify(id)).toBe('whole');
});

test('what a log of lines has answered is there after a power cut, also when a session was removed', async () => {
  const { disk, powerCut } = forgetfulDisk();
  const file = join(mkdtempSync(join(scratch, 'lines-')), 'sessions.jsonl');
  rmSync(file, { force: true });
  const log = jsonLinesLog(file, { readOnly: false, now: () => 1, disk });
  const holder = { host: 'here', process: 1 };
  for (const id of ['one', 'two']) await log.create(id, 1);
  const [one, two] = [await log.take('one', holder), await log.take('two', holder)];
  const row = { type: 'note', version: 1, time: 1, body: '{"text":"kept"}' } as const;
  await log.append(one, [row]);
  await log.append(two, [row]);
  await log.remove(two);
  await log.append({ ...one, next: 1 }, [row]);
  powerCut();
  await log.close();
  expect(basename(file)).toBe('sessions.jsonl');
  const again = jsonLinesLog(file, { readOnly: true, now: () => 1 });
  expect((await again.read('one')).map(({ body }) => body)).toEqual([row.body, row.body]);
  expect(readFileSync(file, 'utf8')).not.toContain('"two"');
});
