// `sightline config`: the settings that hold here, each with the file or the variable it comes from; secrets masked.
import { join } from 'node:path';
import { readSettings, settingsFiles } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import { isRecord } from '../../content/json.ts';
import { redact, redactUrl } from '../../model/redact.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { ownLimits } from '../limits.ts';
import { say, sayJson, styled, tell } from '../terminal.ts';

type Row = { key: string; value: unknown; from: string };

export function configCommand({ json }: { json?: true }): ExitCode {
  const rows = new Map<string, Row>();
  for (const { file, table } of settingsFiles()) {
    for (const [key, value] of leaves(table, '')) rows.set(key, { key, value: masked(key, value), from: file });
  }
  const wish = process.env['SIGHTLINE_MODEL'];
  if (wish) rows.set('model', { key: 'model', value: wish, from: 'SIGHTLINE_MODEL' });
  readSettings(); // says what is wrong with the files, if anything is
  ownLimits();
  const sorted = [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  if (json) sayJson(sorted);
  else if (sorted.length === 0)
    tell(`Nothing is set. Write ${join(homeFolder(), 'config.toml')}, beginning with: model = "openai/gpt-5.2"`);
  else
    for (const { key, value, from } of sorted)
      say(styled('bold', key), ` = ${JSON.stringify(value)}  `, styled('dim', from));
  return done;
}

function leaves(value: unknown, at: string): [string, unknown][] {
  if (!isRecord(value)) return [[at, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, at === '' ? key : `${at}.${key}`));
}

/** Whatever may be a secret: keys, what is handed to servers, and what looks like one. */
function masked(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(key, item));
  if (typeof value !== 'string' || /^\$\{\w+\}$/.test(value)) return value;
  const secret = /(?:^|\.)api_key$/.test(key) || /^mcp\.[^.]+\.(?:headers|env)\./.test(key);
  if (secret) return value.length < 12 ? '…' : `${value.slice(0, 3)}…`;
  return key.endsWith('url') ? redactUrl(value) : redact(value);
}
