// Where a person's things lie.
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SightlineError } from '../content/refusal.ts';
import type { Environment } from './environment.ts';

/** Where settings, tools, sessions, assets and parts of a person lie. */
export function homeFolder(environment: Environment = process.env): string {
  return environment['SIGHTLINE_HOME'] || join(personFolder(), '.sightline');
}

/** A person's own folder. A HOME that is empty or relative names no place: then what the system knows of the person does. */
export function personFolder(): string {
  try {
    const named = homedir();
    return isAbsolute(named) ? named : userInfo().homedir;
  } catch (error) {
    throw new SightlineError('config', 'HOME is not set, and the system knows no folder of yours. Set HOME.', {
      cause: error,
    });
  }
}

/** Where a path leads that a person wrote in a folder: `~` is her own one. */
export function pathFrom(folder: string, path: string): string {
  return resolve(folder, /^~(?=\/|$)/.test(path) ? join(personFolder(), path.slice(1)) : path);
}
