// The file in memory between a program and the processes that decode for it.
import { execFile } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { newShared, notShared, sharedIn } from '../../src/media/child/shared.ts';

/** As a message comes out of the channel. */
const sent = (message: object): unknown => deserialize(serialize(message));

test('where there is no such file, bytes stay in their message', () => {
  const message = { bytes: randomBytes(100_000) };
  expect(notShared.put(message)).toBe(message);
  expect(notShared.take(message)).toBe(message);
  expect(notShared.file).toBeUndefined();
});

describe.runIf(process.platform === 'linux')('bytes between two processes', () => {
  test('come back as they were, wherever in a message they lie, and do not go with it', () => {
    const shared = newShared();
    const [one, other] = [randomBytes(70_000), randomBytes(3_000_000)];
    const message = {
      job: 'extract',
      input: { bytes: one, range: [1, 2], pictures: [{ bytes: other, name: 'a', few: new Uint8Array([1, 2]) }, null] },
      more: undefined,
      at: new Date(0),
      none: new Uint8Array(),
    };
    for (let again = 0; again < 2; again++) {
      const put = shared.put(message);
      expect(serialize(put).length).toBeLessThan(1000);
      const taken = shared.take(sent(put)) as typeof message;
      expect(Buffer.compare(taken.input.bytes, one)).toBe(0);
      expect(Buffer.compare(taken.input.pictures[0]?.bytes ?? one, other)).toBe(0);
      const plain = { ...taken, input: { ...taken.input, bytes: one, pictures: [] } };
      expect(plain).toStrictEqual({ ...message, input: { ...message.input, pictures: [] } });
      expect(taken.input.pictures[0]?.few).toEqual(new Uint8Array([1, 2]));
    }
    expect(message.input.bytes).toBe(one);
    shared.close();
  });

  test('take memory no longer than they are needed, if they are many, and none if they are too many', () => {
    const shared = newShared();
    const file = shared.file ?? Number.NaN;
    shared.take(sent(shared.put({ bytes: new Uint8Array(1_000_000) })));
    expect(fstatSync(file).size).toBe(1_000_000);
    const taken = shared.take(sent(shared.put({ bytes: new Uint8Array(10_000_000).fill(7) }))) as { bytes: Uint8Array };
    expect(taken.bytes.every((byte) => byte === 7)).toBe(true);
    expect(fstatSync(file)).toMatchObject({ size: 0, nlink: 0 });
    const many = { one: new Uint8Array(10_000_000), bytes: new Uint8Array(10_000_000) };
    expect((shared.put(many) as typeof many).bytes).toBe(many.bytes);
    expect(fstatSync(file).size).toBe(10_000_000);
    shared.close();
  });

  test('stay in their message when the file takes none', () => {
    const file = openSync('/dev/null', 'r');
    const message = { bytes: randomBytes(100_000) };
    expect(sharedIn(file).put(message)).toEqual(message);
    closeSync(file);
  });

  test('of another realm are told from other values, too', () => {
    const shared = newShared();
    const message = runInNewContext('({ input: { bytes: new Uint8Array(70000).fill(7) } })') as object;
    const put = runInNewContext('copy(value)', { value: shared.put(message), copy: structuredClone }) as object;
    expect(serialize(put).length).toBeLessThan(1000);
    expect(JSON.stringify(shared.take(put))).toBe(JSON.stringify(message));
    shared.close();
  });

  test('that are not there are no bytes', () => {
    const shared = newShared();
    expect(() => shared.take({ bytes: new BigUint64Array([0n, 20_000n]) })).toThrow('gone');
    expect(() => shared.take({ bytes: new BigUint64Array([0n, 2n ** 60n]) })).toThrow('more bytes');
    shared.put({ bytes: new Uint8Array(9_000_000) });
    const places = [0, 1].map(() => new BigUint64Array([0n, 9_000_000n]));
    expect(() => shared.take(places)).toThrow('more bytes');
    shared.close();
  });

  test('are in a file that nobody else can open, and that others of the program do not get', async () => {
    const shared = newShared();
    expect(fstatSync(shared.file ?? Number.NaN).mode & 0o777).toBe(0o600);
    const files = await new Promise(
      (resolve) => void execFile('ls', ['-l', '/proc/self/fd'], (_, text) => resolve(text)),
    );
    expect(files).toContain('->');
    expect(files).not.toContain('/dev/shm');
    shared.close();
  });

  test('reach the process that reads a picture, or go with their message', async () => {
    const program = fileURLToPath(new URL('programs/shared.ts', import.meta.url));
    const limited = ['-c', 'ulimit -f 400; exec "$0" "$1"', process.execPath, program]; // blocks of 512 bytes, or of 1024
    const told = await new Promise<string>((resolve) => void execFile('sh', limited, (_, text) => resolve(text)));
    expect(JSON.parse(told)).toEqual({
      isRead: [true, true],
      shared: [true],
      stayed: [false, true, false],
      size: 50_000,
    });
  });
});
