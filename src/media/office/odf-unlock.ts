// An OpenDocument archive with a password in, the same archive without one out. Each entry has a key of its own; its
// manifest says how it was made (OpenDocument 1.2, part 3, 3.4). Refused: missing and wrong passwords, other ciphers
// than AES in blocks, damage.
import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { errorCode } from '../../config/system.ts';
import type { Read } from '../../content/refusal.ts';
import type { ReaderOptions } from '../document/reader.ts';
import { corrupt, encrypted, unknownCipher } from '../document/refusals.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements, xmlTree } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { storedZip } from '../zip/write.ts';

const manifestPath = 'META-INF/manifest.xml';
const mostRounds = 1_000_000;
const checked = 1024;

/** How one entry is sealed. */
type Sealing = {
  rounds: number;
  size: number;
  salt: Buffer;
  vector: Buffer;
  hash: string;
  checksum: Buffer;
  checksumHash: string;
};

/** The archive without its encryption, as bytes; nothing when it has none. */
export function unlockedOdf(zip: Zip, options: ReaderOptions): Read<Uint8Array> | undefined {
  const { name, password, limits } = options;
  const data = zip.has(manifestPath) ? zip.read(manifestPath) : undefined;
  const manifest = data?.ok === true ? xmlTree(data.value, name, limits) : undefined;
  if (manifest?.ok !== true) return undefined;
  const sealed = new Map<string, Sealing>();
  for (const entry of elements(manifest.value, 'file-entry')) {
    const about = element(entry, 'encryption-data');
    const sealing = about === undefined ? undefined : sealingOf(about);
    if (about !== undefined && sealing === undefined) return unknownCipher(name);
    if (sealing !== undefined) sealed.set(entry.attributes['full-path'] ?? '', sealing);
  }
  if (sealed.size === 0) return undefined;
  return password === undefined ? encrypted(name, password) : unlocked(zip, sealed, password, options);
}

/** Nothing for ciphers other than AES in blocks. */
function sealingOf(about: XmlNode): Sealing | undefined {
  const of = (part: string, attribute: string): string => element(about, part)?.attributes[attribute] ?? '';
  const rounds = Number(of('key-derivation', 'iteration-count'));
  const size = Number(of('key-derivation', 'key-size') || 16);
  const isAes = /#aes(?:128|192|256)-cbc$/.test(of('algorithm', 'algorithm-name'));
  const isKnown = isAes && /pbkdf2$/i.test(of('key-derivation', 'key-derivation-name'));
  if (!isKnown || ![16, 24, 32].includes(size) || !(rounds >= 1 && rounds <= mostRounds)) return undefined;
  return {
    rounds,
    size,
    salt: Buffer.from(of('key-derivation', 'salt'), 'base64'),
    vector: Buffer.from(of('algorithm', 'initialisation-vector'), 'base64'),
    hash: hashNamed(of('start-key-generation', 'start-key-generation-name')),
    checksum: Buffer.from(about.attributes['checksum'] ?? '', 'base64'),
    checksumHash: hashNamed(about.attributes['checksum-type'] ?? ''),
  };
}

function hashNamed(name: string): string {
  return /sha-?256/i.test(name) ? 'sha256' : 'sha1';
}

function unlocked(
  zip: Zip,
  sealed: ReadonlyMap<string, Sealing>,
  password: string,
  { name, limits }: ReaderOptions,
): Read<Uint8Array> {
  const entries: { path: string; content: Uint8Array }[] = [];
  let room = limits.inflatedBytes;
  for (const path of zip.names) {
    if (path === manifestPath) continue; // it would still say that everything is sealed
    const content = zip.read(path);
    if (!content.ok) return content;
    const sealing = sealed.get(path);
    const plain = sealing === undefined ? content.value : opened(content.value, sealing, password, room);
    if (plain === 'wrong') return encrypted(name, password);
    if (plain === 'damaged') return corrupt(name, `${path} cannot be opened`);
    room -= plain.length;
    entries.push({ path, content: plain });
  }
  return { ok: true, value: storedZip(entries) };
}

/** One entry: its key from the password, its packed bytes from the cipher, checked before they are unpacked. */
function opened(bytes: Uint8Array, sealing: Sealing, password: string, room: number): Uint8Array | 'wrong' | 'damaged' {
  const { rounds, size, salt, vector, hash, checksum, checksumHash } = sealing;
  try {
    const secret = createHash(hash).update(password).digest();
    const decipher = createDecipheriv(`aes-${size * 8}-cbc`, pbkdf2Sync(secret, salt, rounds, size, 'sha1'), vector);
    const padded = Buffer.concat([decipher.setAutoPadding(false).update(bytes), decipher.final()]);
    const packed = padded.subarray(0, Math.max(0, padded.length - (padded.at(-1) ?? 0)));
    const sum = createHash(checksumHash).update(packed.subarray(0, checked)).digest();
    return sum.equals(checksum) ? inflateRawSync(packed, { maxOutputLength: Math.max(1, room) }) : 'wrong';
  } catch (error) {
    // A length or a size that is not true; the libraries say so by throwing.
    if (errorCode(error) !== undefined) return 'damaged';
    throw error;
  }
}
