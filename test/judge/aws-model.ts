// Judges a body of Converse by the model that Amazon's own SDK serialises with: every structure lists its members, a union
// has exactly one of them, and bytes are base64.

import { createRequire } from 'node:module';
import { isBase64 } from './base64.ts';
import { below, isObject } from './json.ts';
import type { Json } from './json.ts';
import type { Check } from './schema-judge.ts';

type Sdk = { ConverseRequest$: Schema } & Record<string, unknown>;

/** A number for what is simple, a tuple for what has members, a function or a pair around either. */
type Schema = unknown;

const numbers: Readonly<Record<number, (value: Json) => boolean>> = {
  0: (value) => typeof value === 'string',
  1: (value) => typeof value === 'number',
  2: (value) => typeof value === 'boolean',
  15: () => true,
  21: (value) => typeof value === 'string' && isBase64(value),
};

/** The words that a member may have, by its structure. */
const words: Readonly<Record<string, string>> = {
  'ImageBlock.format': 'ImageFormat',
  'DocumentBlock.format': 'DocumentFormat',
  'VideoBlock.format': 'VideoFormat',
  'Message.role': 'ConversationRole',
  'ToolResultBlock.status': 'ToolResultStatus',
  'CachePointBlock.type': 'CachePointType',
  'OutputFormat.type': 'OutputFormatType',
};

/** The check that the vendor's model makes; the model's name stands in the address and counts as given. */
export function awsModelCheck(): Check {
  const sdk = createRequire(import.meta.url)('@aws-sdk/client-bedrock-runtime') as Sdk;
  return (body) =>
    isObject(body) ? walk(sdk.ConverseRequest$, { modelId: 'm', ...body }, '', sdk) : ['/: must be an object'];
}

function bare(schema: Schema): Schema {
  if (typeof schema === 'function') return bare((schema as () => Schema)());
  return Array.isArray(schema) && typeof schema[0] !== 'number' ? bare(schema[0]) : plain(schema);
}

/** `[0, 1]` is a simple schema with traits. */
function plain(schema: Schema): Schema {
  return Array.isArray(schema) && schema.length === 2 && typeof schema[0] === 'number' ? schema[0] : schema;
}

function walk(given: Schema, value: Json, at: string, sdk: Sdk): string[] {
  const schema = bare(given);
  if (typeof schema === 'number') return simple(schema, value, at);
  const [kind, , name, , members, types, needed] = schema as [
    number,
    string,
    string,
    unknown,
    unknown,
    unknown,
    number?,
  ];
  if (kind === 0) return simple(bare(members) as number, value, at);
  if (kind === 1) {
    if (!Array.isArray(value)) return [`${at}: must be a list`];
    return value.flatMap((item, index) => walk(members, item, below(at, index), sdk));
  }
  if (!isObject(value)) return [`${at || '/'}: must be an object`];
  const entries = Object.entries(value);
  if (kind === 2) return entries.flatMap(([key, item]) => walk(types, item, below(at, key), sdk));
  const names = members as string[];
  const unknown = entries
    .filter(([key]) => !names.includes(key))
    .map(([key]) => `${below(at, key)}: ${name} has no such member`);
  const isUnion = kind === 4;
  if (isUnion && entries.length !== 1) unknown.push(`${at}: ${name} has one member, not ${entries.length}`);
  const missing = names.slice(0, isUnion ? 0 : (needed ?? 0)).filter((key) => !(key in value));
  return [
    ...unknown,
    ...missing.map((key) => `${at}: ${name} needs ${key}`),
    ...entries.flatMap(([key, item]) => {
      const index = names.indexOf(key);
      return index < 0
        ? []
        : [...walk((types as Schema[])[index], item, below(at, key), sdk), ...word(name, key, item, at, sdk)];
    }),
  ];
}

function simple(schema: number, value: Json, at: string): string[] {
  if (schema >= 128 && isObject(value))
    return Object.entries(value).flatMap(([key, item]) => simple(schema - 128, item, below(at, key)));
  if (schema >= 64 && Array.isArray(value))
    return value.flatMap((item, index) => simple(schema - 64, item, below(at, index)));
  const good = numbers[schema]?.(value) ?? false;
  return good ? [] : [`${at}: ${JSON.stringify(value).slice(0, 40)} is of the wrong kind`];
}

function word(name: string, key: string, value: Json, at: string, sdk: Sdk): string[] {
  const known = words[`${name}.${key}`];
  if (known === undefined) return [];
  const allowed = Object.values((sdk[known] ?? {}) as Record<string, string>);
  const said = JSON.stringify(value);
  return allowed.some((one) => JSON.stringify(one) === said)
    ? []
    : [`${below(at, key)}: ${said} is none of ${allowed.join(', ')}`];
}
