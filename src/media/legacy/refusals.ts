// The two refusals that old Office files have in common.
import type { Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

export function corrupt(name: string, what: string): { ok: false; refusal: Refusal } {
  return refuse('corrupt', `${name} is damaged: ${what}`, 'Get the file again, or open it in Office and save it anew.');
}

/** A password that was given and did not help is not asked for again. */
export function encrypted(name: string, password: string | undefined): { ok: false; refusal: Refusal } {
  const what =
    password === undefined
      ? `${name} is protected with a password`
      : `${name} is protected with a password, and the one given does not open it here`;
  return refuse('encrypted', what, 'Open it in Office, save a copy without a password, and read that.');
}
