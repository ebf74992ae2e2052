// What live trials taught about models: kept in the home, below what the settings say.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../content/json.ts';
import type { Capabilities } from '../window/profile.ts';
import { homeFolder } from './home.ts';

/** Where a model is asked, and what it is called there. */
type Tried = { model: string; baseUrl?: string | undefined };

const fileName = 'trials.json';

function keyOf({ model, baseUrl = '' }: Tried): string {
  return `${model} ${baseUrl}`.trim();
}

/** What a trial of this model taught; nothing where there was none, or where the file cannot be read. */
export function triedCapabilities(tried: Tried, home: string = homeFolder()): Partial<Capabilities> {
  const found = trialsIn(home)[keyOf(tried)];
  if (!isRecord(found)) return {};
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'boolean'));
}

/** Keeps what a trial taught, in place of what one taught before. */
export function keepTrial(tried: Tried, capabilities: Partial<Capabilities>, home: string = homeFolder()): void {
  const file = join(home, fileName);
  const fresh = `${file}.${process.pid}.new`;
  mkdirSync(home, { recursive: true });
  const trials = { ...trialsIn(home), [keyOf(tried)]: capabilities };
  writeFileSync(fresh, `${JSON.stringify({ version: 1, trials }, null, 2)}\n`);
  renameSync(fresh, file);
}

function trialsIn(home: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'));
    return isRecord(value) && value['version'] === 1 && isRecord(value['trials']) ? value['trials'] : {};
  } catch {
    return {};
  }
}
