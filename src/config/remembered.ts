// Small tables of the home that programs write and people may delete: what live trials taught, what was allowed where.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../content/json.ts';
import { homeFolder } from './home.ts';
import { writePrivately } from './system.ts';

/** The rows of such a file; none where it is not there or cannot be read. */
export function remembered(file: string, home: string = homeFolder()): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(home, file), 'utf8'));
    return isRecord(value) && value['version'] === 1 && isRecord(value['rows']) ? value['rows'] : {};
  } catch {
    return {};
  }
}

/** Writes one row, in place of what it was. */
export function remember(file: string, key: string, row: unknown, home: string = homeFolder()): void {
  const rows = { ...remembered(file, home), [key]: row };
  writePrivately(join(home, file), `${JSON.stringify({ version: 1, rows }, null, 2)}\n`);
}
