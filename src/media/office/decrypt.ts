// The two ways in which Office encrypts its files since 2007 ([MS-OFFCRYPTO] 2.3.4.5 "standard", 2.3.4.10 "agile"):
// the description of the encryption, the sealed bytes and a password in; the package, or why not, out.
import type { Hash } from 'node:crypto';
import { createDecipheriv, createHash, hash } from 'node:crypto';
import { errorCode } from '../../config/system.ts';
import type { Limits } from '../limits.ts';
import type { XmlNode } from '../xml/tree.ts';
import { descendants, xmlTree } from '../xml/tree.ts';

type Unlocked = Uint8Array | 'wrong-password' | 'unknown-cipher';

const maxSpins = 1_000_000;
const segment = 4096;

/** Checks the password against the verifier in the file before anything else is decrypted. */
export function decryptPackage(about: Buffer, sealed: Buffer, password: string, limits: Limits): Unlocked {
  try {
    const secret = Buffer.from(password, 'utf16le');
    const agile = about.readUInt16LE(0) === 4 && about.readUInt16LE(2) === 4;
    const open = agile ? agileWay(about, secret, limits) : standardWay(about, secret);
    if (typeof open === 'string') return open;
    const size = Number(sealed.readBigUInt64LE(0));
    const whole = sealed.length - 8 - ((sealed.length - 8) % 16); // some writers leave half a block at the end
    return open(sealed.subarray(8, 8 + whole)).subarray(0, size);
  } catch (error) {
    // What the file says about sizes and ciphers is not true; the cipher library and the buffer say so by throwing.
    if (error instanceof RangeError || error instanceof TypeError || isCipherError(error)) return 'unknown-cipher';
    throw error;
  }
}

function isCipherError(error: unknown): boolean {
  return errorCode(error)?.startsWith('ERR_') === true;
}

type Way = ((sealed: Buffer) => Buffer) | 'wrong-password' | 'unknown-cipher';

function standardWay(about: Buffer, secret: Buffer): Way {
  const headerSize = about.readUInt32LE(8);
  const [algorithm, keyBytes] = [about.readUInt32LE(20), about.readUInt32LE(28) / 8];
  if (algorithm < 0x660e || algorithm > 0x6610) return 'unknown-cipher';
  const verifier = about.subarray(12 + headerSize);
  const spun = spin('sha1', verifier.subarray(4, 20), secret, 50_000);
  const last = digest('sha1', spun, number(0));
  const mixed = (fill: number): Buffer => {
    const block = Buffer.alloc(64, fill);
    for (const [at, byte] of last.entries()) block[at] = byte ^ fill;
    return digest('sha1', block);
  };
  const key = Buffer.concat([mixed(0x36), mixed(0x5c)]).subarray(0, keyBytes);
  const open = (sealed: Buffer): Buffer => decipher(`aes-${keyBytes * 8}-ecb`, key, null, sealed);
  const right = digest('sha1', open(verifier.subarray(20, 36)));
  return open(verifier.subarray(40, 72)).subarray(0, 20).equals(right) ? open : 'wrong-password';
}

function agileWay(about: Buffer, secret: Buffer, limits: Limits): Way {
  const tree = xmlTree(about.subarray(8), 'The encryption', limits);
  const data = tree.ok ? descendants(tree.value, 'keyData')[0] : undefined;
  const keys = tree.ok ? descendants(tree.value, 'encryptedKey')[0] : undefined;
  if (data === undefined || keys === undefined) return 'unknown-cipher';
  const spins = Number(keys.attributes['spinCount']);
  const both = [data, keys].every(({ attributes }) => attributes['cipherAlgorithm'] === 'AES');
  if (!both || !(spins <= maxSpins)) return 'unknown-cipher';
  const spun = spin(hashOf(keys), field(keys, 'saltValue'), secret, spins);
  const unseal = (name: string, block: string): Buffer => {
    const key = fitted(digest(hashOf(keys), spun, Buffer.from(block, 'hex')), Number(keys.attributes['keyBits']) / 8);
    return decipher(modeOf(keys), key, fitted(field(keys, 'saltValue'), 16), field(keys, name));
  };
  const right = digest(
    hashOf(keys),
    unseal('encryptedVerifierHashInput', 'fea7d2763b4b9e79').subarray(0, Number(keys.attributes['saltSize'])),
  );
  const stored = unseal('encryptedVerifierHashValue', 'd7aa0f6d3061344e').subarray(0, right.length);
  if (!stored.equals(right)) return 'wrong-password';
  const key = unseal('encryptedKeyValue', '146e0be7abacd0d6').subarray(0, Number(data.attributes['keyBits']) / 8);
  return (sealed) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at * segment < sealed.length; at += 1) {
      const vector = fitted(digest(hashOf(data), field(data, 'saltValue'), number(at)), 16);
      const piece = sealed.subarray(at * segment, (at + 1) * segment);
      pieces.push(decipher(modeOf(data), key, vector, piece));
    }
    return Buffer.concat(pieces);
  };
}

function modeOf({ attributes }: XmlNode): string {
  return `aes-${Number(attributes['keyBits'])}-${attributes['cipherChaining'] === 'ChainingModeCFB' ? 'cfb' : 'cbc'}`;
}

function hashOf({ attributes }: XmlNode): string {
  return (attributes['hashAlgorithm'] ?? '').toLowerCase().replace('-', '');
}

function field({ attributes }: XmlNode, name: string): Buffer {
  return Buffer.from(attributes[name] ?? '', 'base64');
}

/** The slow part, on purpose of those who designed it: every guess of a password costs this much. */
function spin(algorithm: string, salt: Buffer, secret: Buffer, times: number): Buffer {
  let value = digest(algorithm, salt, secret);
  const block = Buffer.alloc(4 + value.length);
  for (let at = 0; at < times; at += 1) {
    block.writeUInt32LE(at);
    block.set(value, 4);
    value = hash(algorithm, block, 'buffer');
  }
  return value;
}

function digest(algorithm: string, ...parts: Buffer[]): Buffer {
  return parts.reduce<Hash>((all, part) => all.update(part), createHash(algorithm)).digest();
}

function decipher(mode: string, key: Buffer, vector: Buffer | null, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(mode, key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Cut, or filled up as the format prescribes. */
function fitted(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)]);
}
