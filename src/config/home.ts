// Where a person's things lie.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

/** Where settings, tools, sessions, assets and parts of a person lie. */
export function homeFolder(environment: Environment = process.env): string {
  return environment['SIGHTLINE_HOME'] || join(homedir(), '.sightline');
}
