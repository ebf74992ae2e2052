// What old Office files have in common when they cannot be read, or only with a password.
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Extract } from '../document/reader.ts';

export function corrupt(name: string, what: string): { ok: false; refusal: Refusal } {
  return refuse('corrupt', `${name} is damaged: ${what}`, 'Get the file again, or open it in Office and save it anew.');
}

/** A password that was given and did not help is not asked for again. */
export function encrypted(name: string, password: string | undefined): { ok: false; refusal: Refusal } {
  if (password === undefined)
    return refuse(
      'encrypted',
      `${name} is protected with a password`,
      'Ask for it and read the file again with `password`.',
    );
  const next = 'Ask for the right password, or for a copy without one.';
  return refuse('encrypted', `${name} is protected with a password, and the one given does not open it here`, next);
}

/** A reading of a file whose encryption was removed keeps the file as it is now. */
export function withUnlocked(unlocked: Uint8Array, result: Read<Extract>): Read<Extract> {
  return result.ok ? { ok: true, value: { ...result.value, unlocked } } : result;
}
