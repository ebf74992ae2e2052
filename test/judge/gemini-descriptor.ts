// Judges a Gemini body by Google's protobuf descriptors (npm @google-ai/generativelanguage, v1beta).
// protobufjs would convert what it can and drop what it does not know; a judge must refuse, so the message types are
// walked here: unknown fields, wrong types, two members of a oneof, missing required fields, bytes that are not base64.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, isObject, items, parseJson, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import type { Check } from './schema-judge.ts';
import { repositoryFolder } from './shared-folder.ts';

// Fields the API has and this descriptor (3.7.1) does not have yet. Sources: @google/genai 2.32.0, ai.google.dev.
// Everything else about these messages stays strict.
const newerFields: Record<string, JsonObject> = {
  Part: { mediaResolution: { type: 'PartMediaResolution' } }, // "Media resolution" guide, Gemini 3
  FunctionResponseBlob: { displayName: { type: 'string' } }, // "Function calling" guide, multimodal responses
  ThinkingConfig: { thinkingLevel: { type: 'ThinkingLevel' } }, // "Thinking" guide, Gemini 3
};
const newerTypes: JsonObject = {
  PartMediaResolution: { fields: { level: { type: 'PartMediaResolutionLevel' }, numTokens: { type: 'int32' } } },
  PartMediaResolutionLevel: {
    values: {
      MEDIA_RESOLUTION_UNSPECIFIED: 0,
      MEDIA_RESOLUTION_LOW: 1,
      MEDIA_RESOLUTION_MEDIUM: 2,
      MEDIA_RESOLUTION_HIGH: 3,
      MEDIA_RESOLUTION_ULTRA_HIGH: 4,
    },
  },
  ThinkingLevel: { values: { THINKING_LEVEL_UNSPECIFIED: 0, LOW: 1, MEDIUM: 2, HIGH: 3, MINIMAL: 4 } },
};

// Required by the descriptor, but part of the address in REST.
const inTheAddress = new Set(['GenerateContentRequest.model']);

type Place = { readonly types: JsonObject; readonly scope: JsonObject; readonly pointer: string };

export function geminiDescriptorCheck(): Check {
  const path = join(repositoryFolder, 'test/judge/node_modules/@google-ai/generativelanguage/build/protos/protos.json');
  let node: Json | undefined = parseJson(readFileSync(path, 'utf8'));
  for (const step of ['google', 'ai', 'generativelanguage', 'v1beta']) {
    const nested: Json | undefined = isObject(node) ? node['nested'] : undefined;
    node = isObject(nested) ? nested[step] : undefined;
  }
  if (!isObject(node) || !isObject(node['nested']))
    throw new Error(`${path} has no google.ai.generativelanguage.v1beta`);
  const types = { ...newerTypes, ...node['nested'] };
  return (body) => value(body, 'GenerateContentRequest', { types, scope: {}, pointer: '' });
}

function message(body: JsonObject, name: string, type: JsonObject, place: Place): string[] {
  const known = { ...newerFields[name], ...record(type['fields']) };
  const scope = record(type['nested']);
  const problems = Object.entries(body).flatMap(([key, item]) => {
    const field = known[key];
    if (!isObject(field)) return [`${place.pointer || '/'}: ${name} has no field "${key}"`];
    return fieldValue(item, field, { ...place, scope, pointer: below(place.pointer, key) });
  });
  for (const [key, field] of Object.entries(known)) {
    if (isRequired(field) && !(key in body) && !inTheAddress.has(`${name}.${key}`)) {
      problems.push(`${place.pointer || '/'}: ${name} requires "${key}"`);
    }
  }
  for (const oneof of Object.values(record(type['oneofs']))) {
    const set = items(record(oneof)['oneof'])
      .map(textOf)
      .filter((key) => key in body);
    if (set.length > 1) problems.push(`${place.pointer || '/'}: only one of ${set.join(', ')} may be set`);
  }
  return problems;
}

function fieldValue(item: Json, field: JsonObject, place: Place): string[] {
  const type = textOf(field['type']);
  if (field['keyType'] !== undefined) {
    if (!isObject(item)) return [`${place.pointer}: must be an object`];
    return Object.entries(item).flatMap(([key, one]) =>
      value(one, type, { ...place, pointer: below(place.pointer, key) }),
    );
  }
  if (field['rule'] !== 'repeated') return value(item, type, place);
  if (!Array.isArray(item)) return [`${place.pointer}: must be an array`];
  return item.flatMap((one, index) => value(one, type, { ...place, pointer: below(place.pointer, index) }));
}

const scalars: Record<string, (item: Json) => boolean> = {
  string: (item) => typeof item === 'string',
  bool: (item) => typeof item === 'boolean',
  float: (item) => typeof item === 'number',
  double: (item) => typeof item === 'number',
  int32: (item) => Number.isInteger(item),
  int64: (item) => Number.isInteger(item) || (typeof item === 'string' && /^-?\d+$/.test(item)),
  bytes: (item) => typeof item === 'string' && isBase64(item),
  'google.protobuf.Struct': (item) => isObject(item),
  'google.protobuf.Value': () => true,
  'google.protobuf.Duration': (item) => typeof item === 'string' && /^-?\d+(\.\d{1,9})?s$/.test(item),
  'google.protobuf.Timestamp': (item) => typeof item === 'string' && !Number.isNaN(Date.parse(item)),
};

function value(item: Json, typeName: string, place: Place): string[] {
  const scalar = scalars[typeName];
  if (scalar !== undefined) return scalar(item) ? [] : [`${place.pointer}: is not ${typeName}`];
  const type = place.scope[typeName] ?? place.types[typeName];
  if (!isObject(type)) return [`${place.pointer}: the judge does not know the type ${typeName}`];
  if (isObject(type['values'])) {
    const allowed = Object.keys(type['values']);
    if (typeof item === 'string' && allowed.includes(item)) return [];
    return [`${place.pointer}: ${JSON.stringify(item).slice(0, 60)} is none of ${allowed.join(', ')}`];
  }
  if (!isObject(item)) return [`${place.pointer || '/'}: must be an object (${typeName})`];
  return message(item, typeName, type, place);
}

/** Both alphabets, padding optional: what protobuf's JSON reader takes for bytes. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={0,2}$/, '');
  return digits.length % 4 !== 1 && /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)$/.test(digits);
}

function isRequired(field: Json): boolean {
  return record(record(field)['options'])['(google.api.field_behavior)'] === 'REQUIRED';
}

function record(node: Json | undefined): JsonObject {
  return isObject(node) ? node : {};
}
