// What documents have in common that cannot be read, or only with a password: one sentence for each, whatever the format. Only a PDF that
// is damaged, or asks for its password, says so in words of its own.
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Extract } from './reader.ts';

type Refused = { ok: false; refusal: Refusal };

export function corrupt(name: string, what: string): Refused {
  return refuse(
    'corrupt',
    `${name} is damaged: ${what}`,
    'Get the file again, or open it in its program and save it anew.',
  );
}

/** With this password Office opens files without asking: they are only protected against changes. */
export const officePassword = 'VelvetSweatshop';

/** A file that needs a password. One that was given and did not help is not asked for again. */
export function encrypted(name: string, password: string | undefined): Refused {
  return password === undefined
    ? refuse('encrypted', `${name} is protected with a password`, 'Ask for it and read the file again with `password`.')
    : refuse(
        'encrypted',
        `The password does not open ${name}`,
        'Ask for the right password, or for a copy without one.',
      );
}

/** A file that no password opens, because we do not know its cipher. */
export function unknownCipher(name: string): Refused {
  const next = 'Open it in its program, save a copy without a password, and read that.';
  return refuse('encrypted', `${name} is encrypted in a way that cannot be opened here`, next);
}

/** A reading of a file whose encryption was removed keeps the file as it is now. */
export function withUnlocked(unlocked: Uint8Array, result: Read<Extract>): Read<Extract> {
  return result.ok ? { ok: true, value: { ...result.value, unlocked } } : result;
}
