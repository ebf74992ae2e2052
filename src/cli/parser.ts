// The option parser, for the whole program: the only file that imports it, and the few options that commands share.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from './exit.ts';

export { Command, CommanderError, InvalidArgumentError, Option };

/** Adds a command's arguments, options, examples and action. `finish` takes the exit code. */
export type Define = (command: Command, finish: (code: ExitCode) => void) => void;

export type ModelFlags = { model?: string[]; for?: string[] };

/** A model, or several: `a/b,c/d`, and the option again for more. */
export function modelOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(addModels);
}

function addModels(value: string, before: string[] = []): string[] {
  return [...before, ...value.split(',').map((name) => name.trim())].filter((name) => name !== '');
}

export function modelsOf({ model = [], for: alias = [] }: ModelFlags): string[] {
  return [...model, ...alias];
}

/** US dollars. */
export function moneyAmount(value: string): number {
  const number = Number(value.replace(/^\$/, ''));
  if (!(number > 0 && number < Infinity))
    throw new InvalidArgumentError('It must be an amount of dollars, such as 0.50.');
  return number;
}

/** The value of an option that counts something. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}
