import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { openZip } from '../../src/media/zip/read.ts';
import type { Zip } from '../../src/media/zip/read.ts';
import { cpuMs } from '../cpu.ts';
import type { Entry } from './archive.ts';
import { archive } from './archive.ts';

function opened(bytes: Uint8Array): Zip {
  const zip = openZip(bytes, 'a.zip', limits);
  if (!zip.ok) throw new Error(zip.refusal.what);
  return zip.value;
}

/** What opening an archive and reading all of it ends with. */
function ending(bytes: Uint8Array): { code: string; what: string } {
  const zip = openZip(bytes, 'a.zip', limits);
  const results = zip.ok ? zip.value.names.map((name) => zip.value.read(name)) : [zip];
  const failed = results.find((result) => !result.ok);
  return failed?.ok === false ? failed.refusal : { code: 'read', what: '' };
}

describe('an archive', () => {
  test('gives its entries by name, whatever their case and slashes', () => {
    const zip = opened(
      archive([
        { name: 'Word\\Document.xml', data: 'hello' },
        { name: './a/../b.txt', data: 'b', stored: true },
      ]),
    );
    expect(zip.names).toEqual(['Word/Document.xml', 'b.txt']);
    expect(zip.read('word/document.XML')).toEqual({ ok: true, value: Buffer.from('hello') });
    expect(zip.read('/b.txt')).toMatchObject({ ok: true });
    expect(zip.has('c.txt')).toBe(false);
    expect(zip.read('c.txt')).toMatchObject({
      refusal: { code: 'corrupt', what: 'a.zip is damaged: c.txt is missing in it' },
    });
  });

  test('may have bytes in front of it, a comment behind it, and no entries', () => {
    const moved = Buffer.concat([Buffer.alloc(1000, 7), archive({ a: 'x' })]);
    expect(opened(moved).read('a')).toMatchObject({ ok: true });
    const commented = Buffer.concat([archive({ a: 'x' }), Buffer.from('a comment')]);
    commented.writeUInt16LE(9, commented.length - 11);
    expect(opened(commented).read('a')).toMatchObject({ ok: true });
    expect(opened(archive([])).names).toEqual([]);
  });

  test.each([
    ['', 0],
    [' with bytes in front of it', 100],
  ])('may say in 64 bits where its directory lies, also where that is near%s', (_what, before) => {
    const wide = Buffer.concat([Buffer.alloc(before, 7), withWideEnd(archive({ a: 'x', b: 'y' }))]);
    const zip = opened(wide);
    expect(zip.names).toEqual(['a', 'b']);
    expect(zip.read('b')).toEqual({ ok: true, value: Buffer.from('y') });
  });

  test.each([
    ['Windows writes them', 0, Buffer.from([0x9a, 0x62, 0x65, 0x72, 0x9b])],
    ['Linux and macOS write them', 3, Buffer.from('Überø')],
    ['old programs of Unix wrote them', 3, Buffer.from('Überø', 'latin1')],
  ])('has its names as %s without saying how', (_who, system, name) => {
    const bytes = archive([{ name: '?'.repeat(name.length), data: 'x' }]);
    const directory = bytes.indexOf('PK\u0001\u0002');
    bytes.writeUInt8(system, directory + 5);
    bytes.writeUInt16LE(0, directory + 8);
    name.copy(bytes, directory + 46);
    const zip = opened(bytes);
    expect(zip.names).toEqual(['Überø']);
    expect(zip.read('Überø')).toEqual({ ok: true, value: Buffer.from('x') });
  });

  test('keeps the first of two entries with one name', () => {
    const zip = opened(
      archive([
        { name: 'A', data: 'first' },
        { name: 'a', data: 'second' },
      ]),
    );
    expect(zip.read('a')).toEqual({ ok: true, value: Buffer.from('first') });
  });
});

/** As streaming writers end an archive (Apache Commons Compress, and with it Apache POI): with the record of 64-bit numbers and its
 * place, and the same numbers once more in the last record. */
function withWideEnd(bytes: Buffer): Buffer {
  const end = bytes.length - 22;
  const wide = Buffer.alloc(76);
  wide.write('PK\u0006\u0006', 0, 'latin1');
  wide.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) wide.writeBigUInt64LE(BigInt(bytes.readUInt16LE(end + 10)), at);
  wide.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 12)), 40);
  wide.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48);
  wide.write('PK\u0006\u0007', 56, 'latin1');
  wide.writeBigUInt64LE(BigInt(end), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([bytes.subarray(0, end), wide, bytes.subarray(end)]);
}

const mebibyte = 1024 * 1024;
const zeros = Buffer.alloc(8 * mebibyte);
const huge = archive([{ name: 'bomb.xml', data: 'x', size: 1_500_000_000 }]);
const many = archive(Array.from({ length: 100_000 }, (_, at): Entry => ({ name: `${at}`, data: '', stored: true })));
const sound = archive({ a: 'hello, hello, hello' });

describe('an archive that is refused', () => {
  test.each<[string, Uint8Array, string, RegExp]>([
    ['it declares far too many bytes', huge, 'too-large', /1,500,000,000 bytes/],
    ['it grows a thousand times', archive({ 'bomb.xml': zeros }), 'too-large', /times its size/],
    [
      'it is larger than it declares',
      archive([{ name: 'a', data: zeros, size: 1000 }]),
      'corrupt',
      /cannot be inflated/,
    ],
    ['it is smaller than it declares', archive([{ name: 'a', data: 'x', size: 1000 }]), 'corrupt', /checksum/],
    ['it has too many entries', many, 'too-large', /too many entries/],
    ['a name leads out of it', archive({ '../../etc/passwd': 'x' }), 'corrupt', /leads out/],
    ['an entry is encrypted', archive([{ name: 'a', data: 'x', encrypted: true }]), 'encrypted', /encrypted entry/],
    ['a checksum is wrong', archive([{ name: 'a', data: 'x', crc: 1 }]), 'corrupt', /checksum/],
    ['it is cut off', sound.subarray(0, -30), 'corrupt', /directory/],
    ['its directory points outside of it', broken(sound), 'corrupt', /directory/],
    ['it is no archive', Buffer.from('PK\u0003\u0004 and then nothing of the kind'), 'corrupt', /directory/],
  ])('because %s is refused without much work', async (_why, bytes, code, what) => {
    const taken = await cpuMs(() => expect(ending(bytes)).toMatchObject({ code, what: expect.stringMatching(what) }));
    expect(taken).toBeLessThan(1000);
  });

  test('by what its entries inflate to together', () => {
    const entries = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}`, `${at}`.repeat(100)]));
    const zip = openZip(archive(entries), 'a.zip', { ...limits, inflatedBytes: 400 });
    expect(zip).toMatchObject({
      refusal: { code: 'too-large', limit: '400 bytes', next: expect.stringContaining('Save the part of it') },
    });
  });

  test('is never opened for the archives in it', () => {
    const nested = archive([{ name: 'inner.zip', data: archive({ 'bomb.xml': zeros }), stored: true }]);
    expect(ending(nested)).toMatchObject({ code: 'read' });
  });
});

/** The directory is said to lie far behind the end. */
function broken(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(0x7fffffff, copy.length - 6);
  return copy;
}
