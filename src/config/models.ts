// `[models.NAME]` tables → models under names of the user's own: where they are, what they can, how they are asked.
import { isCount, isRecord } from '../content/json.ts';
import type { Capabilities, ProfileOverrides } from '../window/profile.ts';
import type { RequestOptions } from '../window/plan-types.ts';
import type { Dialect } from '../window/rules.ts';
import { wrongOption } from '../window/wrong-option.ts';
import type { Environment } from './environment.ts';
import { isDetail, sightTable } from './window.ts';
import type { SightPolicy } from '../window/sight-policy.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** A model under a name of the user's own. */
export type ModelSettings = {
  model: string;
  baseUrl?: string;
  apiVersion?: string;
  /** The key to send; empty when none may be sent, not even the environment's. */
  key?: string;
  /** The variable that should hold its key and is not set; who asks this model is told, everybody else works on. */
  unset?: string;
  temperature?: number;
  /** What else it is always asked for. */
  options: Pick<RequestOptions, (typeof optionKeys)[keyof typeof optionKeys]>;
  /** What the user wants it for; programs choose by it. */
  roles?: readonly string[];
  /** Its class, from 0 on; programs choose by it. */
  tier?: number;
  /** The model that describes pictures for it. */
  eyes?: string;
  /** How pictures with writing go to it. */
  sight: SightPolicy;
  overrides: ProfileOverrides;
};

const optionKeys = {
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  stop: 'stop',
  verbosity: 'verbosity',
  thinking: 'thinking',
  parallel_calls: 'parallelCalls',
  user: 'user',
} as const;

const rowKeys = [
  'model', // endpoint/model, such as "azure/my-deployment"; must be given
  'provider', // the endpoint, if "model" does not name it
  'base_url', // its address, if not the vendor's usual one
  'api_key', // its key, if not in the vendor's usual variable
  'api_key_env', // the variable that holds its key, and no other is then sent; in config.toml only
  'api_version', // the API version, for Azure's routes before v1
  'as', // the model behind a deployment or another name, such as "gpt-5.2"
  'image_detail', // how closely it looks at pictures: low, high, original or auto
  'media_lead', // words that open media which follow the results of tools; in config.toml only
  'tiles', // when pictures are cut so that their writing can be read: careful, auto or off
  'legibility', // thrifty: pictures no larger than their letters need
  'pages', // how pages of a PDF are sent if it takes no PDF: picture, picture+text or text
  'eyes', // the model that describes pictures for it if it cannot see them; in config.toml only
  'context_tokens', // its window
  'max_tokens', // how long an answer may be
  'temperature', // from 0 to 2
  'top_p', // it chooses among the likeliest words that make up this share, from 0 to 1
  'top_k', // it chooses among this many of the likeliest words
  'seed', // the same number gives the same answer, as far as a model can promise that
  'stop', // a list of texts at which an answer ends
  'verbosity', // how much it says: low, medium or high
  'thinking', // how much it thinks: off, low, medium, high, xhigh or max
  'parallel_calls', // whether it may make several calls at once
  'user', // who asks, for the provider's abuse checks
  'roles', // labels, for programs that choose a model by its purpose
  'tier', // a whole number, for programs that choose a model by its class
  'capabilities', // what it takes, see below
  'dialect', // habits of strict servers, see below
];

/** `environment` may give keys, to models of the home alone: a project is written by others. */
export function modelTable(
  value: unknown,
  file: string,
  environment: Environment | undefined,
): Record<string, ModelSettings> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'models', 'a table such as [models.mine]');
  return Object.fromEntries(Object.entries(value).map(([name, row]) => [name, modelRow(name, row, file, environment)]));
}

/** Loom writes its providers with lines below, and has one of another name. */
function endpointNamed(provider: string): string {
  return provider === 'openai_compatible' ? 'compatible' : provider.replaceAll('_', '-');
}

function modelRow(name: string, row: unknown, file: string, environment: Environment | undefined): ModelSettings {
  const at = `models.${name}`;
  if (!isRecord(row)) throw wrong(file, at, 'a table');
  onlyKnown(row, rowKeys, file, at);
  const model = string(row, 'model', file, at);
  const provider = string(row, 'provider', file, at);
  if (model === undefined) throw wrong(file, `${at}.model`, 'endpoint/model, such as "azure/my-deployment"');
  const baseUrl = string(row, 'base_url', file, at);
  const as = string(row, 'as', file, at);
  const detail = string(row, 'image_detail', file, at);
  if (detail !== undefined && !isDetail(detail)) throw wrong(file, `${at}.image_detail`, 'low, high, original or auto');
  const mediaLead = string(row, 'media_lead', file, at);
  if (mediaLead !== undefined && (!environment || mediaLead.trim() === ''))
    throw wrong(file, `${at}.media_lead`, 'words, in config.toml of your home; a project may not speak for you');
  const contextTokens = count(row, 'context_tokens', file, at);
  const maxOutputTokens = count(row, 'max_tokens', file, at);
  const capabilities = capabilityTable(row['capabilities'], file, at);
  const dialect = dialectTable(row['dialect'], file, at);
  const apiVersion = string(row, 'api_version', file, at);
  const key = keyIn(row, file, at, environment);
  const eyes = string(row, 'eyes', file, at);
  if (eyes !== undefined && !environment)
    throw wrong(file, `${at}.eyes`, 'in config.toml of your home; a project may not send your pictures to another');
  const { temperature } = row;
  if (temperature !== undefined && !isTemperature(temperature))
    throw wrong(file, `${at}.temperature`, 'a number from 0 to 2');
  const options = optionsOf(row, file, at);
  const { roles } = row;
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => typeof role === 'string')))
    throw wrong(file, `${at}.roles`, 'a list of words');
  const { tier } = row;
  if (tier !== undefined && !isCount(tier)) throw wrong(file, `${at}.tier`, 'a whole number of 0 or more');
  return {
    model: provider === undefined ? model : `${endpointNamed(provider)}/${model}`,
    ...(baseUrl && { baseUrl }),
    ...(apiVersion && { apiVersion }),
    ...key,
    ...(temperature !== undefined && { temperature }),
    options,
    ...(Array.isArray(roles) && { roles }),
    ...(tier !== undefined && { tier }),
    ...(eyes && { eyes }),
    sight: sightTable(row, file, at),
    overrides: {
      ...(as !== undefined && { as }),
      ...(detail !== undefined && { imageDetail: detail }),
      ...(mediaLead !== undefined && { mediaLead }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(capabilities && { capabilities }),
      ...(dialect && { dialect }),
    },
  };
}

function optionsOf(row: Readonly<Record<string, unknown>>, file: string, at: string): ModelSettings['options'] {
  const given = Object.entries(optionKeys).flatMap(([key, name]) => (row[key] === undefined ? [] : [[name, row[key]]]));
  const options = Object.fromEntries(given) as ModelSettings['options'];
  const trouble = wrongOption(options);
  const key = Object.entries(optionKeys).find(([, name]) => name === trouble?.name)?.[0];
  if (trouble) throw wrong(file, `${at}.${key}`, trouble.words);
  return options;
}

function isTemperature(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 2;
}

/** The key of a row. An address that a project names gets no key of the user's, unless the project brings its own. */
function keyIn(
  row: Record<string, unknown>,
  file: string,
  at: string,
  environment: Environment | undefined,
): Pick<ModelSettings, 'key' | 'unset'> {
  const key = string(row, 'api_key', file, at);
  if (key) return { key };
  const variable = string(row, 'api_key_env', file, at);
  if (variable !== undefined && !environment)
    throw wrong(file, `${at}.api_key_env`, 'in config.toml of your home; a project may not choose among your keys');
  if (variable === '') throw wrong(file, `${at}.api_key_env`, 'the name of a variable');
  const named = variable === undefined ? undefined : environment?.[variable];
  if (variable !== undefined) return named ? { key: named } : { key: '', unset: variable };
  return !environment && row['base_url'] ? { key: '' } : {};
}

const dialectNames = {
  tool_name: 'toolName', // a tool message names its tool
  bridge: 'bridge', // an assistant message is put between tool messages and a user message
  stream_usage: 'streamUsage', // whether usage is asked for
} as const;

function dialectTable(value: unknown, file: string, at: string): Partial<Dialect> | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw wrong(file, `${at}.dialect`, 'a table');
  onlyKnown(value, [...Object.keys(dialectNames), 'reasoning'], file, `${at}.dialect`);
  const dialect: Partial<Dialect> = {};
  for (const [name, given] of Object.entries(value)) {
    const place = `${at}.dialect.${name}`;
    if (name === 'reasoning') {
      if (typeof given !== 'string') throw wrong(file, place, 'the name of a field');
      dialect.reasoning = given;
    } else if (name === 'tool_name' || name === 'bridge' || name === 'stream_usage') {
      if (typeof given !== 'boolean') throw wrong(file, place, 'true or false');
      dialect[dialectNames[name]] = given;
    }
  }
  return dialect;
}

const capabilityNames: Record<string, keyof Capabilities | undefined> = {
  vision: 'vision', // it sees pictures
  native_pdf: 'nativePdf', // it takes PDFs as they are
  thinking: 'thinking', // it thinks before it answers
  audio_input: 'audioInput', // it hears
  audio_output: undefined, // it speaks; accepted, but without effect: answers are asked for as words
  video_input: 'videoInput', // it watches
  citations: 'citations', // it names its sources in documents when asked to
  tool_media: 'toolMedia', // tool results may contain media
};

function capabilityTable(value: unknown, file: string, at: string): Partial<Capabilities> | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw wrong(file, `${at}.capabilities`, 'a table');
  onlyKnown(value, Object.keys(capabilityNames), file, `${at}.capabilities`);
  const capabilities: Partial<Capabilities> = {};
  for (const [name, on] of Object.entries(value)) {
    if (typeof on !== 'boolean') throw wrong(file, `${at}.capabilities.${name}`, 'true or false');
    const known = capabilityNames[name];
    if (known) capabilities[known] = on;
  }
  return capabilities;
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
