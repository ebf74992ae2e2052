// What live trials taught about models: kept in the home, below what the settings say.
import { join } from 'node:path';
import { isRecord } from '../content/json.ts';
import type { Capabilities } from '../window/profile.ts';
import { homeFolder } from './home.ts';
import { remember, remembered } from './remembered.ts';

/** Where a model is asked, and what it is called there. */
type Tried = { model: string; baseUrl?: string | undefined };

const file = 'trials.json';

/** Whoever removes it forgets every trial. */
export function trialsFile(): string {
  return join(homeFolder(), file);
}

function keyOf({ model, baseUrl = '' }: Tried): string {
  return `${model} ${baseUrl}`.trim();
}

/** What a trial of this model taught; nothing where there was none. */
export function triedCapabilities(tried: Tried): Partial<Capabilities> {
  const found = remembered(file)[keyOf(tried)];
  if (!isRecord(found)) return {};
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'boolean'));
}

/** Keeps what a trial taught, in place of what one taught before. */
export function keepTrial(tried: Tried, capabilities: Partial<Capabilities>): void {
  remember(file, keyOf(tried), capabilities);
}
