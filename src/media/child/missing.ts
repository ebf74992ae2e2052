// An error in, the library out that it says is not there, or the refusal that says how to get it.
import type { Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { howToBring, partOf } from '../../config/parts.ts';

const absent = /Cannot find (?:package|module) '([^']+)'|Could not load the "(sharp)" module/;

/** The name it is installed under; a file of our own that is gone is our own package. */
export function missingLibrary(error: unknown): string | undefined {
  const found = absent.exec(error instanceof Error ? error.message : '');
  const named = found?.[1] ?? found?.[2];
  if (named === undefined) return undefined;
  const path = named.split(/node_modules[/\\]/).at(-1) ?? named;
  if (/^(?:[./\\]|file:|[A-Za-z]:)/.test(path)) return 'sightline';
  return path
    .split(/[/\\]/)
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

export function missingDecoder(library: string): { ok: false; refusal: Refusal } {
  const part = partOf(library);
  if (part !== undefined) {
    const what = `This needs ${library}, which is not part of every installation`;
    return refuse('missing-decoder', what, howToBring(part));
  }
  // What sharp is made of lies in packages of its own, one for each system, which some installations leave out.
  const optional = library === 'sharp' ? '--include=optional ' : '';
  const what = `Files of this kind need the library ${library}, which is not installed or not for this system`;
  return refuse('missing-decoder', what, `Install it beside Sightline with: npm install ${optional}${library}`);
}
