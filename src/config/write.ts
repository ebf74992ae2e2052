// Writes into the user's config.toml: the default model, and models of her own. Everything else in the file stays as it is,
// comments included.
import { readFileSync, realpathSync } from 'node:fs';
import { SightlineError } from '../content/refusal.ts';
import { errorCode, writePrivately } from './system.ts';

/** Sets `model` of a settings file, which need not exist yet. */
export function writeDefaultModel(file: string, model: string): void {
  write(file, withModel(textOf(file), model));
}

/** A server of one's own: its address, the variable that holds its key, and whether its model sees. */
type OwnModel = { name: string; model: string; baseUrl: string; variable?: string; vision: boolean };

/** Adds `[models.NAME]` at the end of a settings file, which need not exist yet. */
export function addModelTable(file: string, { name, model, baseUrl, variable, vision }: OwnModel): void {
  const before = textOf(file).trimEnd();
  const rows = [
    `[models.${name}]`,
    `model = ${JSON.stringify(model)}`,
    `base_url = ${JSON.stringify(baseUrl)}`,
    ...(variable === undefined ? [] : [`api_key_env = ${JSON.stringify(variable)}`]),
    `capabilities = { vision = ${vision} }`,
  ];
  write(file, `${before === '' ? '' : `${before}\n\n`}${rows.join('\n')}\n`);
}

function write(file: string, text: string): void {
  try {
    writePrivately(behindLinks(file), text);
  } catch (error) {
    throw new SightlineError(
      'config',
      `${file} cannot be written. Give yourself the right to write there, or set SIGHTLINE_HOME.`,
      { cause: error },
    );
  }
}

/** The file itself, where a link leads to it: some keep their settings with others, in a folder of their own. */
export function behindLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // it is not there yet
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw new SightlineError('config', `${file} cannot be read. Give yourself the right to read it.`, { cause: error });
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
