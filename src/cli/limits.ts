// The ceilings of reading that the settings set, by the names that reading knows.
import { readSettings, settingsFiles } from '../config/config.ts';
import { lineOf, nearest } from '../config/wrong.ts';
import { SightlineError } from '../content/refusal.ts';
import { limits } from '../media/limits.ts';
import type { Limits } from '../media/limits.ts';

/** Throws a `SightlineError` for a name that means nothing, with its line and what may have been meant. */
export function ownLimits(): Partial<Limits> {
  const own = readSettings().limits;
  const stray = Object.keys(own).find((name) => !Object.hasOwn(limits, name));
  if (stray === undefined) return own;
  const names = Object.keys(limits).map(spelled);
  const meant = nearest(spelled(stray), names);
  const where = settingsFiles().find(({ own: isOwn }) => isOwn);
  const line = where && lineOf(where.text, `limits.${spelled(stray)}`);
  const place = where ? `${where.file}${line === undefined ? '' : `:${line}`}: ` : '';
  const next = meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new SightlineError('config', `${place}unknown key "limits.${spelled(stray)}". ${next}`);
}

/** imageBytes → image_bytes, as settings spell it. */
function spelled(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
