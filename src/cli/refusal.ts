// A refusal as people see it: what is wrong, against which limit, what to do next, each on its own line. Wrong use of
// the library (a model nobody knows) is told the same way.
import { SightlineError } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import type { ExitCode } from './exit.ts';
import { failed } from './exit.ts';
import { wrapped } from './table.ts';
import { sayJson, screenWidth, styled, tell, visibleLine } from './terminal.ts';
import type { Span } from './terminal.ts';

/** A refusal and the place in the transcript that it is about. */
export type ToldRefusal = Omit<Refusal, 'code'> & { code: string; place?: string };

export function tellRefusal({ what, limit, next, place }: ToldRefusal): void {
  tellBeside(styled('red', 'Refused: '), place === undefined ? what : `${place}: ${what}`);
  if (limit !== undefined) tellBeside('  Limit: ', limit);
  tellNext(next);
}

/** What to do about it, below what is wrong. */
export function tellNext(next: string): void {
  tellBeside('  Next:  ', next);
}

/** Words beside their heading, on a narrow terminal in several lines. */
function tellBeside(heading: Span, words: string): void {
  const room = screenWidth(process.stderr) - 9;
  tell(heading, wrapped(visibleLine(words), 0, room).join(`\n${' '.repeat(9)}`));
}

/** The complaint of the library as a refusal: its first sentence says what is wrong, the rest what to do. */
function refusedBy(error: SightlineError): ToldRefusal {
  const end = error.message.indexOf('. ');
  const what = (end < 0 ? error.message : error.message.slice(0, end)).replace(/\.$/, '');
  return { code: error.code, what, next: end < 0 ? 'Change it and try again.' : error.message.slice(end + 2) };
}

/** What is ours to tell; anything else is a bug and goes on. */
export function asRefused(error: unknown): ToldRefusal {
  if (error instanceof SightlineError && error.code !== 'bug') return refusedBy(error);
  throw error;
}

/** Ends a command with a refusal. */
export function refused(refusal: ToldRefusal, json: boolean | undefined): ExitCode {
  if (json) sayJson({ ok: false, refusal });
  else tellRefusal(refusal);
  return failed;
}
