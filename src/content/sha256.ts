// Bytes in, their SHA-256 in hex out. Node's own where there is one, at once: that of the Web copies what it is given, which
// takes as long as the hash itself. What is long goes to the Web's, in another thread, and so does everything elsewhere.

type NodeHash = { update(bytes: Uint8Array): { digest(encoding: 'hex'): string } };
type Platform = {
  process?: { getBuiltinModule?: (name: 'node:crypto') => { createHash(name: 'sha256'): NodeHash } | undefined };
};

/** So many bytes take two milliseconds. */
const atOnce = 4 * 1024 * 1024;

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { process: node } = globalThis as Platform;
  const native = bytes.length > atOnce ? undefined : node?.getBuiltinModule?.('node:crypto');
  if (native) return native.createHash('sha256').update(bytes).digest('hex');
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
