// The only reader of settings: files and environment in, one plain record out. The library reads none of this unless
// asked. A project's `sightline.toml` goes over the user's `config.toml`; the environment goes over both.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { Detail } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Capabilities, ProfileOverrides } from '../window/profile.ts';

/** A model under a name of the user's own. */
export type ModelSettings = { model: string; baseUrl?: string; overrides: ProfileOverrides };

export type Settings = { model?: string; models: Record<string, ModelSettings> };

type Environment = Record<string, string | undefined>;

/** Reads the settings that hold in a folder. A file that cannot be understood is an error that names it. */
export function readSettings(environment: Environment = process.env, folder: string = process.cwd()): Settings {
  const home = environment['SIGHTLINE_HOME'] ?? join(homedir(), '.sightline');
  const files = [join(home, 'config.toml'), join(folder, 'sightline.toml')];
  const models: Settings['models'] = {};
  let model: string | undefined;
  for (const file of files) {
    const table = readToml(file);
    if (!table) continue;
    model = string(table, 'model', file) ?? model;
    Object.assign(models, modelTable(table['models'], file));
  }
  const chosen = environment['SIGHTLINE_MODEL'] || model;
  return { models, ...(chosen !== undefined && { model: chosen }) };
}

/** A name of the user's own, or `endpoint/model` as it stands. */
export function modelNamed(name: string, settings: Settings): ModelSettings {
  const own = Object.hasOwn(settings.models, name) ? settings.models[name] : undefined;
  return own ?? { model: name, overrides: {} };
}

function readToml(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isRecord(error) && (error['code'] === 'ENOENT' || error['code'] === 'ENOTDIR')) return undefined;
    throw new SightlineError('config', `${file} cannot be read.`, { cause: error });
  }
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new SightlineError('config', `${file} is not valid TOML: ${why}`, { cause: error });
  }
}

function modelTable(value: unknown, file: string): Settings['models'] {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'models', 'a table such as [models.mine]');
  return Object.fromEntries(Object.entries(value).map(([name, row]) => [name, modelRow(name, row, file)]));
}

function modelRow(name: string, row: unknown, file: string): ModelSettings {
  const at = `models.${name}`;
  if (!isRecord(row)) throw wrong(file, at, 'a table');
  const model = string(row, 'model', file, at);
  const provider = string(row, 'provider', file, at);
  if (model === undefined) throw wrong(file, `${at}.model`, 'endpoint/model, such as "azure/my-deployment"');
  const baseUrl = string(row, 'base_url', file, at);
  const as = string(row, 'as', file, at);
  const detail = string(row, 'image_detail', file, at);
  if (detail !== undefined && !isDetail(detail)) throw wrong(file, `${at}.image_detail`, 'low, high, original or auto');
  const contextTokens = count(row, 'context_tokens', file, at);
  const maxOutputTokens = count(row, 'max_tokens', file, at);
  const capabilities = capabilityTable(row['capabilities'], file, at);
  return {
    model: provider === undefined ? model : `${provider.replaceAll('_', '-')}/${model}`,
    ...(baseUrl && { baseUrl }),
    overrides: {
      ...(as !== undefined && { as }),
      ...(detail !== undefined && { imageDetail: detail }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(capabilities && { capabilities }),
    },
  };
}

const capabilityNames: Record<string, keyof Capabilities> = {
  vision: 'vision',
  native_pdf: 'nativePdf',
  thinking: 'thinking',
  audio_input: 'audioInput',
  video_input: 'videoInput',
  tool_media: 'toolMedia',
};

function capabilityTable(value: unknown, file: string, at: string): Partial<Capabilities> | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw wrong(file, `${at}.capabilities`, 'a table');
  const capabilities: Partial<Capabilities> = {};
  for (const [name, on] of Object.entries(value)) {
    const known = capabilityNames[name];
    if (!known) throw wrong(file, `${at}.capabilities.${name}`, `one of ${Object.keys(capabilityNames).join(', ')}`);
    if (typeof on !== 'boolean') throw wrong(file, `${at}.capabilities.${name}`, 'true or false');
    capabilities[known] = on;
  }
  return capabilities;
}

function isDetail(value: string): value is Detail {
  return value === 'low' || value === 'high' || value === 'original' || value === 'auto';
}

function string(table: Record<string, unknown>, key: string, file: string, at?: string): string | undefined {
  const value = table[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(file, at === undefined ? key : `${at}.${key}`, 'a string');
}

function count(table: Record<string, unknown>, key: string, file: string, at: string): number | undefined {
  const value = table[key];
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return value;
  throw wrong(file, `${at}.${key}`, 'a whole number above 0');
}

function wrong(file: string, key: string, expected: string): SightlineError {
  return new SightlineError('config', `${file}: "${key}" must be ${expected}.`);
}
