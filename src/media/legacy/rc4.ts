// What old Office files say about their encryption and a password in, a way to open their bytes out: RC4, with keys made
// by MD5 (Office 97) or by SHA-1 (Office 2002 and 2003, [MS-OFFCRYPTO] 2.3.5 and 2.3.6).
import { hash } from 'node:crypto';

/** Opens the bytes of a numbered block, from its beginning. */
export type OpenBlock = (block: number, sealed: Uint8Array) => Buffer;

/** Undefined when the password is another one, or the encryption one that is not known here. */
export function rc4Way(about: Buffer, password: string): OpenBlock | undefined {
  try {
    const [major, minor] = [about.readUInt16LE(0), about.readUInt16LE(2)];
    if (major === 1 && minor === 1) return md5Way(about, Buffer.from(password, 'utf16le'));
    return minor === 2 ? sha1Way(about, Buffer.from(password, 'utf16le')) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends before it has said all
    throw error;
  }
}

function md5Way(about: Buffer, secret: Buffer): OpenBlock | undefined {
  const salt = about.subarray(4, 20);
  const first = digest('md5', secret).subarray(0, 5);
  const base = digest('md5', ...Array.from({ length: 16 }, () => [first, salt]).flat()).subarray(0, 5);
  const open: OpenBlock = (block, sealed) => rc4(digest('md5', base, counter(block)), sealed);
  const verifier = open(0, about.subarray(20, 52));
  return isRight('md5', verifier) ? open : undefined;
}

const rc4Cipher = 0x6801;

function sha1Way(about: Buffer, secret: Buffer): OpenBlock | undefined {
  const headerSize = about.readUInt32LE(8);
  if (about.readUInt32LE(20) !== rc4Cipher) return undefined;
  const keyBytes = (about.readUInt32LE(28) || 40) / 8;
  const rest = about.subarray(12 + headerSize);
  const base = digest('sha1', rest.subarray(4, 20), secret);
  const open: OpenBlock = (block, sealed) => {
    const key = digest('sha1', base, counter(block)).subarray(0, keyBytes);
    return rc4(keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key, sealed);
  };
  const verifier = open(0, Buffer.concat([rest.subarray(20, 36), rest.subarray(40, 60)]));
  return isRight('sha1', verifier) ? open : undefined;
}

/** Sixteen bytes by chance, and their hash. */
function isRight(algorithm: 'md5' | 'sha1', verifier: Buffer): boolean {
  return verifier.length > 16 && digest(algorithm, verifier.subarray(0, 16)).equals(verifier.subarray(16));
}

function digest(algorithm: 'md5' | 'sha1', ...parts: Uint8Array[]): Buffer {
  return hash(algorithm, Buffer.concat(parts), 'buffer');
}

function counter(block: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(block);
  return bytes;
}

/** OpenSSL no longer has it by default. */
function rc4(key: Uint8Array, sealed: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, other: number): void => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let at = 0, mixed = 0; at < 256; at += 1) {
    mixed = (mixed + (state[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, mixed);
  }
  const opened = Buffer.alloc(sealed.length);
  for (let at = 0, mixed = 0; at < sealed.length; at += 1) {
    const place = (at + 1) & 255;
    mixed = (mixed + (state[place] ?? 0)) & 255;
    swap(place, mixed);
    opened[at] = (sealed[at] ?? 0) ^ (state[((state[place] ?? 0) + (state[mixed] ?? 0)) & 255] ?? 0);
  }
  return opened;
}

const wordBlock = 512;

/** A stream of Word, opened in its blocks; the first bytes were never sealed. */
export function openedStream(sealed: Buffer, plain: number, open: OpenBlock): Buffer {
  const blocks = Array.from({ length: Math.ceil(sealed.length / wordBlock) }, (_, at) =>
    open(at, sealed.subarray(at * wordBlock, (at + 1) * wordBlock)),
  );
  const opened = Buffer.concat(blocks);
  sealed.copy(opened, 0, 0, plain);
  return opened;
}
