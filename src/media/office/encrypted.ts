// An Office file with a password in, the words of what it protects out, when the password is right. Without one only
// the password that Office itself tries first is tried. Refused: missing and wrong passwords, ciphers nobody uses.
import { refuse } from '../../content/refusal.ts';
import { zipKind } from '../container.ts';
import type { DocumentReader } from '../document/reader.ts';
import { readers } from '../document/readers.ts';
import { openCompound } from '../legacy/compound.ts';
import { decryptPackage } from './decrypt.ts';

/** Files that are only protected against changes are encrypted with this, and open without a question. */
const openPassword = 'VelvetSweatshop';

/** Reads .docx, .pptx and .xlsx files that need a password. */
export const readEncrypted: DocumentReader = async (bytes, options) => {
  const { name, password, limits } = options;
  const container = openCompound(bytes);
  const [about, sealed] = [container?.stream('EncryptionInfo'), container?.stream('EncryptedPackage')];
  if (about === undefined || sealed === undefined) {
    return refuse('corrupt', `${name} is damaged: its encryption is incomplete`, 'Get the file again.');
  }
  const unlocked = decryptPackage(about, sealed, password ?? openPassword, limits);
  if (unlocked === 'unknown-cipher') {
    return refuse(
      'encrypted',
      `${name} is encrypted in an unusual way`,
      'Open it in Office and save it without a password.',
    );
  }
  if (unlocked === 'wrong-password') {
    return password === undefined
      ? refuse(
          'encrypted',
          `${name} is protected with a password`,
          'Ask for it and read the file again with `password`.',
        )
      : refuse('encrypted', `The password does not open ${name}`, 'Ask for the right password.');
  }
  const kind = zipKind(unlocked);
  const reader = kind === undefined || kind === 'none' ? undefined : await readers[kind]();
  if (reader === undefined)
    return refuse('unsupported', `${name} holds no document we know`, 'Save it as .docx or PDF.');
  const result = await reader(unlocked, options);
  return result.ok ? { ok: true, value: { ...result.value, unlocked } } : result;
};
