// A schema of zod 3 → JSON Schema. Newer versions write their own; this one is read by its definitions, so that tools
// made with it run without a converter.
import { isRecord } from '../content/json.ts';

type Json = Record<string, unknown>;

/** Schemas that hold themselves are written to here, and anything is taken below. */
const maxDepth = 12;

/** The schema as JSON Schema; undefined when it is none of zod 3. */
export function zod3Schema(schema: unknown): Json | undefined {
  return definitionOf(schema) && written(schema, 0);
}

function definitionOf(schema: unknown): (Json & { typeName: string }) | undefined {
  const definition = isRecord(schema) ? schema['_def'] : undefined;
  return isRecord(definition) && typeof definition['typeName'] === 'string'
    ? { ...definition, typeName: definition['typeName'] }
    : undefined;
}

function written(schema: unknown, depth: number): Json {
  const definition = definitionOf(schema);
  if (!definition || depth > maxDepth) return {};
  const { description } = definition;
  return { ...formOf(definition, depth + 1), ...(typeof description === 'string' && { description }) };
}

/** Types that say nothing of their own: what they hold is what a model has to give. */
const wrappers: { [type: string]: string } = {
  ZodOptional: 'innerType',
  ZodCatch: 'innerType',
  ZodReadonly: 'innerType',
  ZodEffects: 'schema',
  ZodBranded: 'type',
  ZodPipeline: 'in',
};

function formOf(definition: Json & { typeName: string }, depth: number): Json {
  const { typeName } = definition;
  const inner = (key: string): Json => written(definition[key], depth);
  const wrapped = wrappers[typeName];
  if (wrapped !== undefined) return inner(wrapped);
  switch (typeName) {
    case 'ZodString':
      return { type: 'string', ...checksOf(definition['checks'], 'Length') };
    case 'ZodNumber':
      return { type: 'number', ...checksOf(definition['checks'], '') };
    case 'ZodBigInt':
      return { type: 'integer' };
    case 'ZodBoolean':
      return { type: 'boolean' };
    case 'ZodDate':
      return { type: 'string', format: 'date-time' };
    case 'ZodNull':
      return { type: 'null' };
    case 'ZodLiteral':
      return { const: definition['value'] };
    case 'ZodEnum':
      return { type: 'string', enum: definition['values'] };
    case 'ZodNativeEnum':
      return { enum: enumValues(definition['values']) };
    case 'ZodArray':
    case 'ZodSet': {
      const item = typeName === 'ZodSet' ? 'valueType' : 'type';
      return { type: 'array', items: inner(item), ...sizesOf(definition) };
    }
    case 'ZodTuple': {
      const items = listOf(definition['items']);
      const prefixItems = items.map((one) => written(one, depth));
      return { type: 'array', prefixItems, minItems: items.length, ...(!definition['rest'] && { items: false }) };
    }
    case 'ZodRecord':
      return { type: 'object', additionalProperties: inner('valueType') };
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return { anyOf: listOf(definition['options']).map((one) => written(one, depth)) };
    case 'ZodIntersection':
      return { allOf: [inner('left'), inner('right')] };
    case 'ZodNullable':
      return { anyOf: [inner('innerType'), { type: 'null' }] };
    case 'ZodDefault':
      return { ...inner('innerType'), default: callOf(definition['defaultValue']) };
    case 'ZodLazy':
      return written(callOf(definition['getter']), depth);
    case 'ZodObject':
      return objectOf(definition, depth);
    default:
      return {};
  }
}

function objectOf(definition: Json, depth: number): Json {
  const shape = callOf(definition['shape']);
  const fields = isRecord(shape) ? Object.entries(shape) : [];
  const required = fields.flatMap(([name, field]) => (isOptional(field) ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, written(field, depth)])),
    ...(required.length > 0 && { required }),
    ...(definition['unknownKeys'] === 'strict' && { additionalProperties: false }),
  };
}

/** Whether a field may be left out: it says so itself, as every schema of zod 3 can. */
function isOptional(field: unknown): boolean {
  const ask = isRecord(field) ? field['isOptional'] : undefined;
  return typeof ask === 'function' && ask.call(field) === true;
}

/** Of the checks those that have a word in JSON Schema; zod itself makes all of them when the call comes. */
function checksOf(checks: unknown, unit: 'Length' | ''): Json {
  const found: Json = {};
  for (const check of listOf(checks).filter(isRecord)) {
    const { kind, value, inclusive, regex } = check;
    if (kind === 'int') found['type'] = 'integer';
    else if (kind === 'multipleOf') found['multipleOf'] = value;
    else if (kind === 'regex' && regex instanceof RegExp) found['pattern'] = regex.source;
    else if (kind === 'email' || kind === 'uuid') found['format'] = kind;
    else if (kind === 'url') found['format'] = 'uri';
    else if (kind === 'length') Object.assign(found, { minLength: value, maxLength: value });
    else if (kind === 'min' || kind === 'max') {
      const word = unit === 'Length' ? `${kind}Length` : `${kind}imum`;
      found[unit === '' && inclusive === false ? `exclusive${kind === 'min' ? 'Minimum' : 'Maximum'}` : word] = value;
    }
  }
  return found;
}

function sizesOf(definition: Json): Json {
  const exact = valueIn(definition['exactLength']);
  const least = exact ?? valueIn(definition['minLength'] ?? definition['minSize']);
  const most = exact ?? valueIn(definition['maxLength'] ?? definition['maxSize']);
  return { ...(least !== undefined && { minItems: least }), ...(most !== undefined && { maxItems: most }) };
}

function valueIn(limit: unknown): unknown {
  return isRecord(limit) ? limit['value'] : undefined;
}

/** An enum of numbers names its values, too; the names are no values. */
function enumValues(values: unknown): unknown[] {
  if (!isRecord(values)) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && values[value] === Number(name) ? [] : [value],
  );
}

/** A union's options may be a list or a map of them. */
function listOf(value: unknown): unknown[] {
  if (value instanceof Map) return [...value.values()] as unknown[];
  return Array.isArray(value) ? value : [];
}

function callOf(value: unknown): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}
