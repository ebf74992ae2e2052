// Writes the default model into the user's config.toml. Everything else in the file stays as it is, comments included.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';

/** Sets `model` of a settings file, which need not exist yet. */
export function writeDefaultModel(file: string, model: string): void {
  const text = withModel(textOf(file), model);
  const fresh = `${file}.${process.pid}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, file);
  } catch (error) {
    throw new SightlineError(
      'config',
      `${file} cannot be written. Give yourself the right to write there, or set SIGHTLINE_HOME.`,
      { cause: error },
    );
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return '';
    throw new SightlineError('config', `${file} cannot be read.`, { cause: error });
  }
}

/** The key stands before the first table; there it is replaced, or written as the first line. */
export function withModel(text: string, model: string): string {
  const line = `model = ${JSON.stringify(model)}`;
  const table = /^[ \t]*\[/m.exec(text)?.index ?? text.length;
  const head = text.slice(0, table);
  const before = /^([ \t]*)(?:model|"model"|'model')[ \t]*=[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m;
  if (before.test(head))
    return head.replace(before, (_whole, indent: string) => `${indent}${line}`) + text.slice(table);
  return text === '' ? `${line}\n` : `${line}\n${text}`;
}
