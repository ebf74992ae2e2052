// An Office file with a password in, the words of what it protects out, when the password is right. Without one only
// the password that Office itself tries first is tried. Refused: missing and wrong passwords, ciphers nobody uses.
import { refuse } from '../../content/refusal.ts';
import { zipKind } from '../container.ts';
import type { DocumentReader } from '../document/reader.ts';
import { readers } from '../document/readers.ts';
import { corrupt, encrypted, officePassword, unknownCipher, withUnlocked } from '../document/refusals.ts';
import { openCompound } from '../legacy/compound.ts';
import { decryptPackage } from './decrypt.ts';

/** Reads .docx, .pptx and .xlsx files that need a password. */
export const readEncrypted: DocumentReader = async (bytes, options) => {
  const { name, password, limits } = options;
  const container = openCompound(bytes);
  const [about, sealed] = [container?.stream('EncryptionInfo'), container?.stream('EncryptedPackage')];
  if (sealed === undefined) {
    return corrupt(name, 'its encryption is incomplete');
  }
  // A document whose rights a server manages says nothing of a password.
  if (about === undefined) return unknownCipher(name);
  const unlocked = decryptPackage(about, sealed, password ?? officePassword, limits);
  if (unlocked === 'unknown-cipher') return unknownCipher(name);
  if (unlocked === 'wrong-password') return encrypted(name, password);
  const kind = zipKind(unlocked);
  const reader = kind === undefined || kind === 'none' ? undefined : await readers[kind]();
  if (reader === undefined)
    return refuse('unsupported', `${name} holds no document we know`, 'Save it as .docx or PDF.');
  return withUnlocked(unlocked, await reader(unlocked, options));
};
