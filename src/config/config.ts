// The only reader of settings: files and environment in, one plain record out. The library reads none of this unless
// asked. A project's `sightline.toml` goes over the user's `config.toml`; the environment goes over both.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { Detail } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Capabilities, Dialect, ProfileOverrides } from '../window/profile.ts';
import { mcpTable } from './mcp.ts';
import type { McpServer } from './mcp.ts';
import { mergeTools, toolTable } from './tools.ts';
import type { ToolSettings } from './tools.ts';

/** A model under a name of the user's own. */
export type ModelSettings = {
  model: string;
  baseUrl?: string;
  apiVersion?: string;
  /** The key to send; empty when none may be sent, not even the environment's. */
  key?: string;
  temperature?: number;
  overrides: ProfileOverrides;
};

export type Settings = {
  model?: string;
  models: Record<string, ModelSettings>;
  mcp: Record<string, McpServer>;
  tools: Record<string, ToolSettings>;
};

type Environment = Record<string, string | undefined>;

/** Where settings, tools, sessions and assets of a person lie. */
export function homeFolder(environment: Environment = process.env): string {
  return environment['SIGHTLINE_HOME'] || join(homedir(), '.sightline');
}

/** Reads the settings that hold in a folder. A file that cannot be understood is an error that names it. */
export function readSettings(environment: Environment = process.env, folder: string = process.cwd()): Settings {
  const home = homeFolder(environment);
  const files = [join(home, 'config.toml'), join(folder, 'sightline.toml')];
  const models: Settings['models'] = {};
  const mcp: Settings['mcp'] = {};
  let tools: Settings['tools'] = {};
  let model: string | undefined;
  for (const file of files) {
    const table = readToml(file);
    if (!table) continue;
    model = string(table, 'model', file) ?? model;
    Object.assign(models, modelTable(table['models'], file, file === files[0] ? environment : undefined));
    Object.assign(mcp, mcpTable(table['mcp'], file, file === files[0] ? undefined : folder));
    tools = mergeTools(tools, toolTable(table['tools'], file, file === files[0]));
  }
  const chosen = environment['SIGHTLINE_MODEL'] || model;
  return { models, mcp, tools, ...(chosen !== undefined && { model: chosen }) };
}

/** A name of the user's own, or `endpoint/model` as it stands. */
export function modelNamed(name: string, settings: Pick<Settings, 'models'>): ModelSettings {
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

/** `environment` may give keys, to models of the home alone: a project is written by others. */
function modelTable(value: unknown, file: string, environment: Environment | undefined): Settings['models'] {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'models', 'a table such as [models.mine]');
  return Object.fromEntries(Object.entries(value).map(([name, row]) => [name, modelRow(name, row, file, environment)]));
}

function modelRow(name: string, row: unknown, file: string, environment: Environment | undefined): ModelSettings {
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
  const dialect = dialectTable(row['dialect'], file, at);
  const apiVersion = string(row, 'api_version', file, at);
  const key = keyOf(row, file, at, environment);
  const { temperature } = row;
  if (temperature !== undefined && !isTemperature(temperature))
    throw wrong(file, `${at}.temperature`, 'a number from 0 to 2');
  return {
    model: provider === undefined ? model : `${provider.replaceAll('_', '-')}/${model}`,
    ...(baseUrl && { baseUrl }),
    ...(apiVersion && { apiVersion }),
    ...(key !== undefined && { key }),
    ...(temperature !== undefined && { temperature }),
    overrides: {
      ...(as !== undefined && { as }),
      ...(detail !== undefined && { imageDetail: detail }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(capabilities && { capabilities }),
      ...(dialect && { dialect }),
    },
  };
}

function isTemperature(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 2;
}

/** The key of a row. An address that a project names gets no key of the user's, unless the project brings its own. */
function keyOf(
  row: Record<string, unknown>,
  file: string,
  at: string,
  environment: Environment | undefined,
): string | undefined {
  const key = string(row, 'api_key', file, at);
  if (key) return key;
  const variable = string(row, 'api_key_env', file, at);
  if (variable !== undefined && !environment)
    throw wrong(file, `${at}.api_key_env`, 'in config.toml of your home; a project may not choose among your keys');
  const named = variable === undefined ? undefined : environment?.[variable];
  if (variable !== undefined && !named) throw wrong(file, `${at}.api_key_env`, `a variable that is set (${variable} is not)`);
  return named ?? (!environment && row['base_url'] ? '' : undefined);
}

const dialectNames = { tool_name: 'toolName', bridge: 'bridge', stream_usage: 'streamUsage' } as const;

function dialectTable(value: unknown, file: string, at: string): Partial<Dialect> | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw wrong(file, `${at}.dialect`, 'a table');
  const dialect: Partial<Dialect> = {};
  for (const [name, given] of Object.entries(value)) {
    const place = `${at}.dialect.${name}`;
    if (name === 'reasoning') {
      if (typeof given !== 'string') throw wrong(file, place, 'the name of a field');
      dialect.reasoning = given;
    } else if (name === 'tool_name' || name === 'bridge' || name === 'stream_usage') {
      if (typeof given !== 'boolean') throw wrong(file, place, 'true or false');
      dialect[dialectNames[name]] = given;
    } else throw wrong(file, place, `one of ${Object.keys(dialectNames).join(', ')}, reasoning`);
  }
  return dialect;
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
