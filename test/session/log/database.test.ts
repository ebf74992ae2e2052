// The one way to SQLite: how a file is opened, what goes wrong in words.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { SightlineError } from '../../../src/content/refusal.ts';
import {
  closed,
  explained,
  explainedLater,
  freeBytes,
  isBusy,
  isFull,
  openDatabase,
  openForReading,
  prepared,
  relaxed,
  sqlite,
  transaction,
} from '../../../src/session/log/database.ts';
import { schemaSteps } from '../../../src/session/log/migrations.ts';
import { noSmallDisk, openSmallDisk } from '../../small-disk.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline database ü-'));
const newFile = (): string => join(mkdtempSync(join(scratch, 'home-')), 'sessions.db');
afterAll(() => rmSync(scratch, { recursive: true }));

const asked = (database: DatabaseSync, name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]; // prettier-ignore

test('it is loaded without the word that it is new, and other warnings are heard', () => {
  const heard: unknown[] = [];
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation((what) => void heard.push(what));
  const load = process.getBuiltinModule.bind(process);
  const loaded = vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) => {
    process.emitWarning('SQLite is an experimental feature and might change at any time');
    process.emitWarning('something else');
    return load(name);
  });
  try {
    expect(sqlite().DatabaseSync).toBe(DatabaseSync);
    process.emitWarning('SQLite is an experimental feature');
  } finally {
    loaded.mockRestore();
    emitted.mockRestore();
  }
  expect(heard).toEqual(['something else', 'SQLite is an experimental feature']);
});

describe('a file is opened', () => {
  test('for its owner alone, in the shape of today, waiting for others and for the disk', () => {
    const file = newFile();
    const database = openDatabase(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([asked(database, 'journal_mode'), asked(database, 'synchronous')]).toEqual(['wal', 2]);
    expect([asked(database, 'user_version'), asked(database, 'locking_mode')]).toEqual([schemaSteps.length, 'normal']);
    expect(asked(database, 'busy_timeout')).toBe(10_000);
    database.close();
  });

  test('again as it is, and from where an older version left it', () => {
    const file = newFile();
    const before = new DatabaseSync(file);
    for (const step of schemaSteps.slice(0, 2)) before.exec(step);
    before.exec("PRAGMA user_version = 2; INSERT INTO session (id, created, updated) VALUES ('a', 1, 120000)");
    before.close();
    const looking = openForReading(file);
    expect([asked(looking, 'user_version'), asked(looking, 'busy_timeout')]).toEqual([2, 2000]);
    expect(() => looking.exec("UPDATE session SET id = 'b'")).toThrow(/readonly/);
    looking.close();
    for (let round = 0; round < 2; round++) {
      const database = openDatabase(file);
      expect(asked(database, 'user_version')).toBe(schemaSteps.length);
      expect(database.prepare('SELECT id, minute FROM session').all()).toEqual([{ id: 'a', minute: 2 }]);
      database.close();
    }
  });

  test('when a newer version wrote it: not at all', () => {
    const file = newFile();
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${schemaSteps.length + 1}`);
    newer.close();
    const words = `${file} was written by a newer version of sightline. Update sightline, or set SIGHTLINE_HOME to another folder.`;
    for (const open of [openDatabase, openForReading]) {
      const error = failing(() => open(file));
      expect([error.code, error.message]).toEqual(['storage', words]);
    }
  });

  test('on a full disk alone, without what processes share', (context) => {
    using disk = openSmallDisk(2);
    if (disk === undefined) return context.skip(noSmallDisk);
    const file = join(disk.folder, 'sessions.db');
    const before = openDatabase(file);
    before.exec("INSERT INTO session (id, created, updated) VALUES ('a', 1, 1)");
    before.close();
    disk.fill();
    const database = openDatabase(file);
    expect(asked(database, 'locking_mode')).toBe('exclusive');
    database.close();
    const looking = openForReading(file);
    expect([asked(looking, 'query_only'), looking.prepare('SELECT id FROM session').all()]).toEqual([1, [{ id: 'a' }]]);
    looking.close();
  });

  test('for looking on a disk that cannot be written, where nothing lies beside it', (context) => {
    using disk = openSmallDisk(2);
    if (disk === undefined) return context.skip(noSmallDisk);
    const file = join(disk.folder, 'a # file?.db');
    const before = openDatabase(file);
    before.exec("INSERT INTO session (id, created, updated) VALUES ('a', 1, 1)");
    before.close();
    disk.remount('ro');
    for (const path of [file, relative(process.cwd(), file)]) {
      const looking = openForReading(path);
      expect(looking.prepare('SELECT id FROM session').all()).toEqual([{ id: 'a' }]);
      looking.close();
    }
    expect(() => openDatabase(file)).toThrow(/cannot be (?:written|opened)/);
  });

  test('not at all where there is none for looking, or a log lies beside it that cannot be read', () => {
    expect(failing(() => openForReading(newFile())).message).toMatch(/sessions\.db cannot be opened\. Check that/);
    const file = newFile();
    mkdirSync(`${file}-wal`);
    expect(failing(() => openForReading(file)).message).toMatch(/sessions\.db cannot be opened\. Check that/);
  });
});

test('a statement is compiled once for each database', () => {
  const [one, other] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
  const statement = prepared(one, 'SELECT 1');
  expect(prepared(one, 'SELECT 1')).toBe(statement);
  expect(prepared(one, 'SELECT 2')).not.toBe(statement);
  expect(prepared(other, 'SELECT 1')).not.toBe(statement);
});

test('a transaction is all or nothing', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE door (id INTEGER)');
  expect(transaction(database, () => database.prepare('INSERT INTO door VALUES (1)').run().changes)).toBe(1);
  const half = (): never => {
    database.exec('INSERT INTO door VALUES (2)');
    expect(database.isTransaction).toBe(true);
    throw new Error('broken');
  };
  expect(() => transaction(database, half)).toThrow('broken');
  expect(database.isTransaction).toBe(false);
  const rolledBack = (): never => {
    database.exec('ROLLBACK');
    throw new Error('rolled back before');
  };
  expect(() => transaction(database, rolledBack)).toThrow('rolled back before');
  expect(database.prepare('SELECT id FROM door').all()).toEqual([{ id: 1 }]);
});

const broken = (): never => {
  throw new Error('broken');
};

test('what a power cut may forget does not wait for the disk; what follows does', () => {
  const database = new DatabaseSync(newFile());
  expect(relaxed(database, () => asked(database, 'synchronous'))).toBe(1);
  expect(asked(database, 'synchronous')).toBe(2);
  expect(() => relaxed(database, broken)).toThrow('broken');
  expect(asked(database, 'synchronous')).toBe(2);
  database.close();
});

function failing(work: () => unknown): SightlineError {
  try {
    work();
  } catch (error) {
    return error as SightlineError;
  }
  throw new Error('it did not fail');
}

describe('what goes wrong is told in words', () => {
  const file = join(scratch, 'x.db');
  const told = (error: unknown): SightlineError =>
    failing(() =>
      explained(file, () => {
        throw error;
      }),
    );

  const write = 'cannot be written. Give yourself the right to write there, or set SIGHTLINE_HOME.';
  const damaged = 'is damaged. Run "sightline sessions doctor --repair": it saves what can be read.';
  test.each([
    [{ errcode: 5 }, `${file} is in use by another process for too long. Try again when it is done.`],
    [{ errcode: 5 + 256 }, `${file} is in use by another process for too long. Try again when it is done.`],
    [{ errcode: 8 }, `${file} ${write}`],
    [{ errcode: 10 }, `${file} could not be read or written. Check the disk and its free space.`],
    [{ errcode: 14 }, `${file} cannot be opened. Check that its folder exists and that you may write there.`],
    [{ errcode: 11 }, `${file} ${damaged}`],
    [{ errcode: 26 }, `${file} ${damaged}`],
    [{ code: 'EACCES' }, `${file} ${write}`],
    [{ code: 'EPERM' }, `${file} ${write}`],
    [{ code: 'EROFS' }, `${file} ${write}`],
    [{ code: 'EEXIST' }, `The folder of ${file} is not a folder. Set SIGHTLINE_HOME to another one.`],
    [{ code: 'ENOENT', syscall: 'mkdir' }, `No folder can be made at ${file}. Set SIGHTLINE_HOME to another one.`],
    [{ code: 'ENOTDIR' }, `The folder of ${file} is not a folder. Set SIGHTLINE_HOME to another one.`],
  ])('%o', (error, words) => {
    const { code, message, cause } = told(error);
    expect([code, message, cause]).toEqual(['storage', words, error]);
  });

  test.each([{ errcode: 13 }, { errcode: 4874 }, { errcode: 5386 }, { code: 'ENOSPC' }, { code: 'EDQUOT' }])(
    'a full disk, with the room that is left: %o',
    async (error) => {
      const { code, message } = told(error);
      expect(code).toBe('storage');
      expect(message).toMatch(/^The disk that holds .*x\.db is full \(\d+ kB are free\)\. Make room for at least 1 MB and try again: "sightline sessions gc" and "sessions rm" work on a full disk too\. Nothing that was stored is lost\.$/); // prettier-ignore
      const nowhere = explainedLater('/nowhere/at/all.db', async () => {
        throw error;
      });
      await expect(nowhere).rejects.toThrow('The disk that holds /nowhere/at/all.db is full. Make room');
      expect(isFull(error)).toBe(true);
      expect(isFull(told(error))).toBe(true);
    },
  );

  test('sessions that were closed', async () => {
    const cause = { code: 'ERR_INVALID_STATE' };
    const later = await explainedLater(file, async () => {
      throw cause;
    }).catch((error: unknown) => error as SightlineError);
    for (const error of [told(cause), later, closed(file, cause)])
      expect([error.code, error.message, error.cause]).toEqual([
        'input',
        `${file} was closed. Open the sessions again before you use them.`,
        cause,
      ]);
  });

  test('whatever else, as it is', () => {
    const full = new SightlineError('storage', 'said already', { cause: { errcode: 13 } });
    const code = Object.assign(new SightlineError('input', 'mine'), { code: 'EACCES' });
    for (const error of [
      { errcode: 1 },
      { code: 'EIO' },
      { code: 'ENOENT', syscall: 'open' },
      { code: 'EIO', syscall: 'mkdir' },
      new Error('x'),
      'words',
      undefined,
      full,
      code,
    ])
      expect(told(error)).toBe(error);
  });

  test('a value that nothing went wrong with', async () => {
    expect(explained(file, () => 7)).toBe(7);
    expect(await explainedLater(file, async () => 8)).toBe(8);
  });
});

test('who is busy and what is full is told from anything else', () => {
  expect([{ errcode: 5 }, { errcode: 261 }, { errcode: 6 }, { errcode: '5' }, 'busy', undefined].map(isBusy)).toEqual([true, true, false, false, false, false]); // prettier-ignore
  const wrapped = { cause: { errcode: 13 } };
  expect([{ errcode: 12 }, { errcode: 10 }, { code: 'EIO' }, wrapped, 'full', undefined, new SightlineError('bug', 'x')].map(isFull)).not.toContain(true); // prettier-ignore
});

test('the room on a disk is that of its folder; nobody knows it where there is none', () => {
  expect(freeBytes(scratch)).toBeGreaterThan(4096);
  expect(freeBytes(join(scratch, 'nowhere'))).toBeUndefined();
});
