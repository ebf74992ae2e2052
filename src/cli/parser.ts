// The option parser, for the whole program: the only file that imports it, and the few options that commands share.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isHost } from '../config/web.ts';
import { efforts } from '../window/rules.ts';
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

/** Hosts on this machine that the web tools may reach, and the option again for more. */
export function allowHostOption(): Option {
  const option = new Option(
    '--allow-host <host>',
    'let the web tools reach this host of yours, such as localhost:5173',
  );
  return option.argParser((value: string, before: string[] | undefined) => {
    if (!isHost(value)) throw new InvalidArgumentError('It must be a host, such as localhost:5173.');
    return [...(before ?? []), value];
  });
}

/** Whether media go into the person's files at the provider. */
export function uploadsOption(): Option {
  return new Option(
    '--uploads',
    'put media into your files at the provider, so that each travels once; they stay for a day',
  );
}

/** How hard a model shall think. */
export function thinkingOption(): Option {
  return new Option('--thinking <effort>', 'how hard the model thinks before it answers').choices(efforts);
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
