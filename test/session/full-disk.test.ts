// A disk that is full to its last byte: what is there can be read, listed and removed, and whoever stores hears how much
// room that takes. The disk is one in memory, so this needs the right to mount one.
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSessions } from '../../src/session/index.ts';
import type { SessionStore } from '../../src/session/index.ts';
import { openSmallDisk } from '../small-disk.ts';
import { image, user } from './samples.ts';

const mounted = openSmallDisk(24);
const isMounted = mounted !== undefined;
const disk = mounted?.folder ?? '';
afterAll(() => mounted?.[Symbol.dispose]());

let makeRoom = (): void => undefined;

function fill(): void {
  makeRoom = mounted?.fill() ?? makeRoom;
  expect(statfsSync(disk).bavail).toBe(0);
}

describe.skipIf(!isMounted)('on a full disk', () => {
  const home = join(disk, 'home');
  const ids: string[] = [];
  const use = async <T>(work: (store: SessionStore) => Promise<T>, readOnly = false): Promise<T> => {
    await using store = openSessions({ home, leaseMs: 0, readOnly });
    return await work(store);
  };

  beforeAll(async () => {
    await use(async (store) => {
      for (const pictures of [1, 0, 1]) {
        await using session = await store.create({ title: `with ${pictures}` });
        for (let at = 0; at < pictures; at++) {
          const asset = await session.assets.put(randomBytes(300_000), { mediaType: 'image/png' });
          await session.append({ type: 'message', message: user('a picture', image(asset)) });
        }
        for (let at = 0; at < 40; at++)
          await session.append({ type: 'message', message: user(`${'words '.repeat(300)} number ${at}`) });
        ids.push(session.id);
      }
      await store.assets.put(randomBytes(200_000), { mediaType: 'image/png' }); // nobody needs it
    });
  });

  test.each([true, false])('sessions are listed, read and searched (for looking only: %s)', async (readOnly) => {
    fill();
    await use(async (store) => {
      expect((await store.list()).map(({ id }) => id)).toEqual(ids.toReversed());
      expect(await (await store.read(ids[0] ?? '')).messages()).toHaveLength(41);
      expect(await store.search('number 7', 10)).toHaveLength(3);
    }, readOnly);
  });

  test('whoever stores hears how much room that takes, and what is stored stays', async () => {
    fill();
    const said = /is full \(0 kB are free\)\. Make room for at least 1 MB and try again/;
    await use(async (store) => {
      await expect(store.create()).rejects.toThrow(said);
      expect(await (await store.read(ids[1] ?? '')).messages()).toHaveLength(40);
    });
  });

  test('media that nobody needs are collected', async () => {
    fill();
    expect(await use((store) => store.gc())).toMatchObject({ removed: 1, bytes: 200_000, left: 2 });
    expect(statfsSync(disk).bavail).toBeGreaterThan(0);
  });

  test.each([
    ['with media', 0],
    ['of words alone', 1],
  ])('a session %s is removed', async (_, at) => {
    fill();
    await use((store) => store.remove(ids[at] ?? ''));
    await use(async (store) => expect((await store.list()).map(({ id }) => id)).not.toContain(ids[at]));
  });

  test('one of many words alone is removed, too, whatever that has to write', async () => {
    makeRoom();
    const long = await use(async (store) => {
      await using session = await store.create({ title: 'long' });
      for (let at = 0; at < 60; at++) {
        const text = Array.from(
          { length: 1000 },
          (_, word) => `w${at}x${word}y${randomBytes(40).toString('hex')}`,
        ).join(' ');
        await session.appendAll([{ type: 'message', message: user(text) }]);
      }
      return session.id;
    });
    fill();
    await use((store) => store.remove(long));
    await use(async (store) => expect((await store.list()).map(({ id }) => id)).not.toContain(long));
  });

  test('and then there is room again', async () => {
    await use(async (store) => {
      await using session = await store.open(ids[2] ?? '');
      await session.append({ type: 'message', message: user('still here') });
      expect(await session.messages()).toHaveLength(42);
    });
  });
});
