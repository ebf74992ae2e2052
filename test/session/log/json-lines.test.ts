// The log as lines: what stands in the file, what is read of one that others wrote, who may open it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Disk } from '../../../src/asset/disk.ts';
import { systemDisk } from '../../../src/asset/disk.ts';
import type { StoredRequest } from '../../../src/record/table.ts';
import { jsonLinesLog } from '../../../src/session/log/json-lines.ts';
import type { EntryLog, Lease, NewRow } from '../../../src/session/log/port.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-lines-'));
const newFile = (): string => join(mkdtempSync(join(scratch, 'home-')), 'sessions.jsonl');
afterAll(() => rmSync(scratch, { recursive: true }));

let dead = 0;
beforeAll(() => void (dead = spawnSync('true').pid));

const opened = (file: string, readOnly = false, disk: Disk = systemDisk): EntryLog =>
  jsonLinesLog(file, { readOnly, now: () => 7, disk });
const holder = { host: 'here', process: 1 };
const note = (text: string, more: Partial<NewRow> = {}): NewRow => ({
  type: 'note',
  version: 1,
  time: 1,
  body: JSON.stringify({ text }),
  ...more,
});
const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
const write = (file: string, lines: readonly unknown[]): void =>
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
const asset = (letter: string): `sha256:${string}` => `sha256:${letter.repeat(64)}`;
const textsOf = async (log: EntryLog, id: string): Promise<string[]> =>
  (await log.read(id)).map(({ body }) => (JSON.parse(body) as { text: string }).text);

describe('a file', () => {
  test('is its owner’s alone, has a line for each change, and no lock once it is closed', async () => {
    const file = newFile();
    const log = opened(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.lock`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} [0-9a-f-]{36}$`));
    await log.create('one', 1);
    const lease = await log.take('one', holder);
    await log.append(lease, [note('a')]);
    expect(linesOf(file)).toEqual([
      ['create', 'one', 1],
      ['take', 'one', 1],
      ['append', 'one', [{ ...note('a'), id: 1 }], 1],
    ]);
    await log.close();
    await log.close();
    expect(readdirSync(join(file, '..'))).toEqual(['sessions.jsonl']);
  });

  test('that is only looked at is not made, not locked and not written', async () => {
    const file = newFile();
    expect(() => opened(file, true)).toThrow('ENOENT');
    expect(readdirSync(join(file, '..'))).toEqual([]);
    write(file, [['create', 'one', 1], 'torn']);
    writeFileSync(file, `${readFileSync(file, 'utf8')}["create","two"`);
    const before = readFileSync(file, 'utf8');
    const log = opened(file, true);
    expect((await log.list()).sessions.map(({ id }) => id)).toEqual(['one']);
    await expect(log.create('three', 1)).rejects.toThrow(`${file} cannot be written. Give yourself the right`);
    await log.close();
    await expect(log.create('three', 1)).rejects.toThrow(`${file} was closed. Open the sessions again`);
    expect([readFileSync(file, 'utf8'), readdirSync(join(file, '..'))]).toEqual([before, ['sessions.jsonl']]);
  });

  test('loses a last line that was never whole, and keeps what it does not understand', async () => {
    const file = newFile();
    const strange = ['{torn', '7', '{"create":1}', '[]', '["hologram",1]', '["append","nobody",[],1]'];
    write(file, [...strange, ['create', 'one', 1]]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}["create","two"`);
    const log = opened(file);
    expect((await log.list()).sessions.map(({ id }) => id)).toEqual(['one']);
    const kept = [...strange, '["create","one",1]', ''].join('\n');
    expect(readFileSync(file, 'utf8')).toBe(kept);
    await log.create('gone', 1);
    await log.remove(await log.take('gone', holder));
    expect(readFileSync(file, 'utf8')).toBe(kept);
    await log.close();
  });
});

describe('lines of the first version', () => {
  const [held, other] = [asset('b'), asset('c')];
  const row = { id: 4, ...note('see bbbbbbbb') };
  const lines = [
    ['create', 'one', 1],
    ['lease', { id: held, size: 7 }, 2, 'one'],
    ['lease', { id: other, size: 9 }, 2, 'one'],
    ['append', 'one', row, { firstWords: 'see' }, [{ id: asset('d'), size: 3, by: 'message' }], ['bbbbbbbb']],
    ['append', 'one', { ...note('plain'), id: 5 }],
  ];

  test('are read as they were meant: what was leased is stored, and named by its short id', async () => {
    const file = newFile();
    write(file, lines);
    const log = opened(file);
    expect(await log.claims.missing([held, other, asset('d')])).toEqual(new Set([asset('d')]));
    expect(await log.claims.named([held, other, asset('d')], [])).toEqual(new Set([held, asset('d')]));
    expect((await log.find('one'))[0]).toMatchObject({ title: 'see', media: 2, mediaBytes: 10 });
    expect((await log.read('one')).map(({ id }) => id)).toEqual([4, 5]);
    const lease = await log.take('one', holder);
    expect([lease.next, (await log.append(lease, [note('on')])).ids]).toEqual([2, [6]]);
    await log.close();
  });

  test('lose what was said after what a fork shares', async () => {
    const file = newFile();
    write(file, [...lines, ['create', 'branch', 2, { id: 'one', entry: 4 }]]);
    const log = opened(file);
    await log.remove(await log.take('one', holder));
    expect(linesOf(file)).toEqual([
      lines[0],
      lines[3],
      ['append', 'one', { ...note('plain'), id: 5, body: '' }, {}, [], []],
      ['create', 'branch', 2, { id: 'one', entry: 4 }],
      ['take', 'one', 1],
      ['remove', 'one'],
    ]);
    expect(await textsOf(log, 'branch')).toEqual(['see bbbbbbbb']);
    await log.close();
    const again = opened(file);
    expect(await textsOf(again, 'branch')).toEqual(['see bbbbbbbb']);
    await again.close();
  });
});

const request = (id: string, conversation: string, time = 1): StoredRequest =>
  ({ id, conversation, lane: 'l', time, depth: 0, body: {}, receipts: [], assets: [] }) as unknown as StoredRequest;

describe('what was removed leaves the file', () => {
  test('with all that belongs to it alone', async () => {
    const file = newFile();
    const log = opened(file);
    for (const id of ['one', 'two']) await log.create(id, 1);
    const [one, two] = [await log.take('one', holder), await log.take('two', holder)];
    await log.claims.lease([{ id: asset('a'), size: 1 }], 'one');
    await log.claims.lease([{ id: asset('b'), size: 1 }]);
    await log.append(one, [note('secret')]);
    await log.append(two, [note('kept')]);
    await log.once('x');
    await log.remove(one);
    expect(linesOf(file)).toEqual([
      ['create', 'two', 1],
      ['take', 'two', 1],
      ['lease', [{ id: asset('b'), size: 1 }], 7],
      ['append', 'two', [{ ...note('kept'), id: 2 }], 1],
      ['once', 'x'],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.new`)).toBe(false);
    await log.append({ ...two, next: 1 }, [note('more')]);
    expect(linesOf(file)).toHaveLength(6);
    await log.close();
  });

  test('but for what forks read, and the forks of those', async () => {
    const file = newFile();
    const log = opened(file);
    await log.create('trunk', 1);
    const trunk = await log.take('trunk', holder);
    const change = { firstWords: 'secret', title: 'T' };
    const refers = [{ id: asset('a'), size: 1, by: 'message' as const }];
    const { ids } = await log.append(trunk, [note('a', { change, refers }), note('b', { change, refers }), note('c')]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[1] ?? 0 });
    await log.create('twig', 3, { id: 'branch', entry: ids[0] ?? 0 });
    await log.create('bud', 3, { id: 'branch', entry: ids[0] ?? 0 });
    await log.remove(await log.take('branch', holder));
    await log.remove(trunk);
    const append = linesOf(file).find((line) => Array.isArray(line) && line[0] === 'append') as [unknown, unknown, unknown[]]; // prettier-ignore
    expect(append[2]).toEqual([
      { ...note('a', { change, refers }), id: 1 },
      { ...note('b', { change, refers }), id: 2 },
      { ...note('c'), body: '', change: {}, refers: [], id: 3 },
    ]);
    expect([await textsOf(log, 'twig'), await textsOf(log, 'bud')]).toEqual([['a'], ['a']]);
    for (const id of ['twig', 'bud']) await log.remove(await log.take(id, holder));
    expect(linesOf(file)).toEqual([]);
    await log.close();
  });

  test('and nothing of a session that began under the id of one that was removed', async () => {
    const file = newFile();
    const log = opened(file);
    const begin = async (id: string): Promise<Lease> => {
      await log.create(id, 1);
      return await log.take(id, holder);
    };
    const trunk = await begin('trunk');
    const { ids } = await log.append(trunk, [note('a'), note('secret')]);
    await log.requests?.begin(request('r1', 'trunk'));
    await log.once('trunk began');
    await log.create('branch', 2, { id: 'trunk', entry: ids[0] ?? 0 });
    await log.remove(trunk);
    const again = await begin('trunk');
    await log.append(again, [note('b')]);
    await log.requests?.begin(request('r1', 'trunk', 2));
    await log.once('trunk again');
    await log.remove(await begin('other'));
    await log.close();
    const reopened = opened(file);
    expect([await textsOf(reopened, 'trunk'), await textsOf(reopened, 'branch')]).toEqual([['b'], ['a']]);
    expect((await reopened.requests?.list('trunk'))?.map(({ time }) => time)).toEqual([2]);
    expect([await reopened.once('trunk began'), await reopened.once('trunk again')]).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
    await reopened.close();
  });

  test('or nothing does: a removal for which there was no room takes nothing along that is said later', async () => {
    const file = newFile();
    let isFull = false;
    const disk: Disk = {
      ...systemDisk,
      open: (async (path: string, flags: string, mode?: number) => {
        const handle = await open(path, flags, mode);
        if (isFull && path.endsWith('.new'))
          handle.writeFile = async () => {
            throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          };
        return handle;
      }) as Disk['open'],
    };
    const log = opened(file, false, disk);
    await log.create('one', 1);
    const lease = await log.take('one', holder);
    await log.append(lease, [note('a')]);
    isFull = true;
    await expect(log.remove(lease)).rejects.toThrow('is full');
    expect(existsSync(`${file}.new`)).toBe(false);
    await log.append({ ...lease, next: 1 }, [note('b')]);
    await log.close();
    const again = opened(file);
    expect(await textsOf(again, 'one')).toEqual(['a', 'b']);
    await again.close();
  });

  test('words of a title that gives way go with what was said', async () => {
    const file = newFile();
    const log = opened(file);
    await log.create('trunk', 1);
    const trunk = await log.take('trunk', holder);
    const change = { firstWords: 'secret', title: 'T' };
    const { ids } = await log.append(trunk, [note('a'), note('b', { change })]);
    await log.create('branch', 2, { id: 'trunk', entry: ids[0] ?? 0 });
    await log.remove(trunk);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
    expect(readFileSync(file, 'utf8')).toContain('"change":{"title":"T"}');
    await log.close();
  });

  test('with what was written anew since: records, descriptions, uploads', async () => {
    const file = newFile();
    const log = opened(file);
    await log.create('one', 1);
    const lease = await log.take('one', holder);
    const upload = { account: 'me', asset: asset('a'), endpoint: 'openai', file: 'f', size: 1, created: 1, expires: 2, state: 'ready' } as const; // prettier-ignore
    const ended = { state: 'answered', attempts: [] } as const;
    for (const [id, conversation] of [
      ['a', 'one'],
      ['b', 'talk'],
      ['c', 'talk'],
    ] as const) {
      // prettier-ignore
      await log.requests?.begin(request(id, conversation));
      await log.requests?.end(id, ended);
    }
    await log.requests?.rewrite([request('b', 'talk', 5)], []);
    await log.claims.lease([{ id: asset('a'), size: 1 }], 'one');
    await log.create('two', 1);
    await log.claims.lease([{ id: asset('b'), size: 1 }], 'two');
    await log.descriptions?.keep(`${asset('a')} eyes`, 'gone');
    await log.descriptions?.keep(`${asset('b')} eyes`, 'old');
    await log.descriptions?.keep(`${asset('b')} eyes`, 'new');
    await log.uploads?.keep({ ...upload, file: 'old' });
    await log.uploads?.keep(upload);
    await log.uploads?.keep({ ...upload, account: 'you' });
    await log.uploads?.drop('you', asset('a'));
    await log.requests?.rewrite([], ['c']);
    const kept = [
      ['request', { ...request('b', 'talk', 5), ended }],
      ['request-end', 'b', ended],
    ];
    expect(linesOf(file).filter((line) => JSON.stringify(line).includes('talk'))).toEqual([kept[0]]);
    await log.remove(lease);
    expect(linesOf(file)).toEqual([
      ...kept,
      ['create', 'two', 1],
      ['lease', [{ id: asset('b'), size: 1 }], 7, 'two'],
      ['described', `${asset('b')} eyes`, 'new'],
      ['uploaded', upload],
    ]);
    await log.close();
  });
});

test('what could not be written whole is taken back, and told', async () => {
  const file = newFile();
  let broken: 'appendFile' | 'datasync' | undefined;
  const synced: string[] = [];
  const disk: Disk = {
    ...systemDisk,
    open: (async (path: string, flags: string, mode?: number) => {
      const handle = await open(path, flags, mode);
      const appendFile = handle.appendFile.bind(handle);
      const [datasync, sync] = [handle.datasync.bind(handle), handle.sync.bind(handle)];
      handle.appendFile = async (...given: Parameters<typeof handle.appendFile>) => {
        if (broken === 'appendFile') {
          await appendFile('["torn');
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        }
        await appendFile(...given);
      };
      handle.datasync = async () => {
        synced.push('lines');
        if (broken === 'datasync') throw Object.assign(new Error('broken'), { code: 'EIO' });
        await datasync();
      };
      handle.sync = async () => {
        synced.push(flags === 'r' ? 'folder' : 'new file');
        await sync();
      };
      return handle;
    }) as Disk['open'],
  };
  const log = opened(file, false, disk);
  await log.create('one', 1);
  const lease = await log.take('one', holder);
  expect(synced).toEqual(['folder', 'lines']); // who takes a session is not worth waiting for the disk
  const before = readFileSync(file, 'utf8');
  broken = 'appendFile';
  await expect(log.append(lease, [note('a')])).rejects.toThrow('is full');
  broken = 'datasync';
  await expect(log.append(lease, [note('a')])).rejects.toThrow('broken');
  expect(readFileSync(file, 'utf8')).toBe(before);
  broken = undefined;
  await log.append(lease, [note('b')]);
  expect(await textsOf(log, 'one')).toEqual(['b']);
  synced.length = 0;
  await log.remove(lease);
  expect(synced).toEqual(['new file', 'folder']);
  await log.close();
});

describe('one process at a time', () => {
  test('ourselves are told so', async () => {
    const file = newFile();
    const log = opened(file);
    expect(() => opened(file)).toThrow(`${file} is already open in this program. Use the sessions that are open.`);
    expect(() => opened(file)).toThrow(`${file} is already open in this program. Use the sessions that are open.`);
    await log.close();
    await opened(file).close();
  });

  test('another one is named, also one that we may not ask', () => {
    const file = newFile();
    writeFileSync(`${file}.lock`, `${process.ppid} token`);
    expect(() => opened(file)).toThrow(
      `${file} is open in process ${process.ppid}. Close it there, or remove ${file}.lock if that is another program.`,
    );
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(`${process.ppid} token`);
    writeFileSync(`${file}.lock`, `${dead} token`);
    const asked = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('not yours'), { code: 'EPERM' });
    });
    try {
      expect(() => opened(file)).toThrow(`is open in process ${dead}`);
    } finally {
      asked.mockRestore();
    }
    expect(readdirSync(join(file, '..')).toSorted()).toEqual(['sessions.jsonl.lock']);
  });

  test.each(['token', undefined])('the lock of a dead one is taken over (%s)', async (token) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, token === undefined ? `${dead}` : `${dead} ${token}`);
    const log = opened(file);
    expect(readFileSync(`${file}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    expect(readdirSync(join(file, '..')).toSorted()).toEqual(['sessions.jsonl', 'sessions.jsonl.lock']);
    await log.close();
  });

  test.each(['token', 'first'])('not by two: whoever comes later tries again (%s)', (token) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, token === 'first' ? `${dead}` : `${dead} ${token}`);
    writeFileSync(`${file}.lock.${token}`, `${process.ppid} other`); // somebody claims this very lock
    expect(() => opened(file)).toThrow(`${file} is being opened by another process. Try again.`);
    const left = ['sessions.jsonl.lock', `sessions.jsonl.lock.${token}`];
    expect(readdirSync(join(file, '..')).toSorted()).toEqual(left);
  });

  test('another trouble with the lock is told, and a file that cannot be read leaves none', () => {
    expect(() => opened(join(scratch, 'nowhere', 'sessions.jsonl'))).toThrow('ENOENT');
    const file = newFile();
    mkdirSync(file);
    expect(() => opened(file)).toThrow('EISDIR');
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
