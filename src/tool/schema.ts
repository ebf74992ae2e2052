// The arguments of a call against the schema of its tool. The errors are written for the model that made the call.
// Plain JSON Schema is checked here (the keywords tools really use; unknown ones are let pass); a Standard Schema
// checks itself and may transform what it accepts.
import { canonicalJson, isRecord } from '../content/json.ts';

/** Plain JSON Schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The part of the Standard Schema and Standard JSON Schema contracts that we use. */
export type StandardSchema<Output = unknown> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: { target: 'draft-2020-12' }) => Record<string, unknown> };
  };
};

/** What a Standard Schema answers: the value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** What a Standard Schema finds wrong, and where. */
export type StandardIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** A schema that refers to itself in two places doubles with each step, so the steps are few. */
const maxDepth = 24;

/** So many faults of one call are told: a list with a wrong type has one an item. */
const mostErrors = 10;

/** A value that fits a schema, or what is wrong with it. */
export type Checked<Value = unknown> = { ok: true; value: Value } | { ok: false; errors: string[] };

/** Anything that JSON calls an object. */
type AnyObject = { readonly [key: string]: unknown };

/** What fits plain JSON Schema written `as const`; `unknown` where it refers elsewhere or is nested more than 8 deep. */
export type FromJsonSchema<Schema, Deep extends readonly 0[] = []> = Deep['length'] extends 8
  ? unknown
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer Option)[] } | { readonly oneOf: readonly (infer Option)[] }
        ? FromJsonSchema<Option, [...Deep, 0]>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? FromType<Type, Schema, Deep>
          : Schema extends { readonly type: infer Type }
            ? FromType<Type, Schema, Deep>
            : unknown;

type FromType<Type, Schema, Deep extends readonly 0[]> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ArrayFromJsonSchema<Schema, Deep>
          : Type extends 'object'
            ? ObjectFromJsonSchema<Schema, Deep>
            : unknown;

type ArrayFromJsonSchema<Schema, Deep extends readonly 0[]> = Schema extends { readonly prefixItems: unknown }
  ? unknown[]
  : Schema extends { readonly items: infer Item }
    ? FromJsonSchema<Item, [...Deep, 0]>[]
    : unknown[];

/** What fits the properties of an object schema. */
export type ObjectFromJsonSchema<Schema, Deep extends readonly 0[] = []> = Schema extends {
  readonly properties: infer Properties extends AnyObject;
}
  ? string extends keyof Properties
    ? AnyObject
    : Flat<
        { -readonly [Key in keyof Properties & RequiredBy<Schema>]: FromJsonSchema<Properties[Key], [...Deep, 0]> } & {
          -readonly [Key in Exclude<keyof Properties, RequiredBy<Schema>>]?: FromJsonSchema<
            Properties[Key],
            [...Deep, 0]
          >;
        }
      >
  : Schema extends { readonly additionalProperties: infer Rest extends AnyObject }
    ? { readonly [key: string]: FromJsonSchema<Rest, [...Deep, 0]> }
    : AnyObject;

/** A list that is not written out as literals says nothing. */
type RequiredBy<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? string extends Key
    ? never
    : Key
  : never;

type Flat<Fields> = { [Key in keyof Fields]: Fields[Key] };

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}

/** Runs a Standard Schema; what it threw is an error of the arguments, not of the run. */
export async function checkStandard(schema: StandardSchema, input: unknown): Promise<Checked> {
  const result = await schema['~standard'].validate(input);
  if (result.issues === undefined) return { ok: true, value: result.value };
  const issues = result.issues.slice(0, mostErrors);
  return { ok: false, errors: issues.map((issue) => `${issuePath(issue)}: ${issue.message}`) };
}

function issuePath(issue: StandardIssue): string {
  const keys = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
  return keys.length === 0 ? 'input' : keys.join('.');
}

/** Checks a value against JSON Schema and names each fault by its path. */
export function checkJsonSchema(schema: JsonSchema, input: unknown): Checked {
  const errors = faults(schema, input, 'input', schema, 0);
  return errors.length === 0 ? { ok: true, value: input } : { ok: false, errors: errors.slice(0, mostErrors) };
}

/** The arguments without nulls that stand for "not given", as models write them that have to name every property: those of optional
 * properties whose schema takes no null. */
export function withoutNulls(schema: unknown, value: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || !isRecord(root) || depth > maxDepth) return value;
  if (typeof schema['$ref'] === 'string') return withoutNulls(schemaAt(schema['$ref'], root), value, root, depth + 1);
  const inner = (rule: unknown, item: unknown): unknown => withoutNulls(rule, item, root, depth + 1);
  if (Array.isArray(value)) {
    const items = value.map((item) => inner(schema['items'], item));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  if (!isRecord(value)) return value;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isAbsent = (key: string): boolean =>
    value[key] === null && !required.includes(key) && faults(properties[key], null, key, root, 0).length > 0;
  const changed = Object.keys(properties).filter(
    (key) => Object.hasOwn(value, key) && (isAbsent(key) || inner(properties[key], value[key]) !== value[key]),
  );
  if (changed.length === 0) return value;
  const kept = Object.entries(value).filter(([key]) => !changed.includes(key) || !isAbsent(key));
  return Object.fromEntries(
    kept.map(([key, item]) => [key, changed.includes(key) ? inner(properties[key], item) : item]),
  );
}

function faults(schema: unknown, value: unknown, path: string, root: JsonSchema, depth: number): string[] {
  if (!isRecord(schema) || depth > maxDepth) return schema === false ? [`${path}: not allowed`] : [];
  if (typeof schema['$ref'] === 'string') {
    return faults(schemaAt(schema['$ref'], root), value, path, root, depth + 1);
  }
  const errors: string[] = [];
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return [`${path}: expected ${types.join(' or ')}, got ${typeName(value)}`];
  }
  if (Array.isArray(schema['enum']) && !schema['enum'].some((option) => same(option, value))) {
    errors.push(`${path}: expected one of ${schema['enum'].map((option) => JSON.stringify(option)).join(', ')}`);
  }
  if ('const' in schema && !same(schema['const'], value))
    errors.push(`${path}: expected ${JSON.stringify(schema['const'])}`);
  errors.push(...combinationFaults(schema, value, path, root, depth));
  if (typeof value === 'number') errors.push(...numberFaults(schema, value, path));
  if (typeof value === 'string') errors.push(...stringFaults(schema, value, path));
  if (Array.isArray(value)) errors.push(...arrayFaults(schema, value, path, root, depth));
  if (isRecord(value)) errors.push(...objectFaults(schema, value, path, root, depth));
  return errors;
}

function combinationFaults(
  schema: JsonSchema,
  value: unknown,
  path: string,
  root: JsonSchema,
  depth: number,
): string[] {
  const check = (option: unknown): string[] => faults(option, value, path, root, depth + 1);
  const all = Array.isArray(schema['allOf']) ? schema['allOf'].flatMap(check) : [];
  const options = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as unknown[] | undefined;
  if (!options) return all;
  const tried = options.map(check);
  if (tried.some((errors) => errors.length === 0)) return all;
  const nearest = tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return [...all, ...nearest];
}

function numberFaults(schema: JsonSchema, value: number, path: string): string[] {
  const rules: [string, (limit: number) => boolean, string][] = [
    ['minimum', (limit) => value >= limit, 'at least'],
    ['maximum', (limit) => value <= limit, 'at most'],
    ['exclusiveMinimum', (limit) => value > limit, 'more than'],
    ['exclusiveMaximum', (limit) => value < limit, 'less than'],
    ['multipleOf', (limit) => isMultiple(value, limit), 'a multiple of'],
  ];
  return limitFaults(schema, rules, path);
}

/** Decimals are not exact: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function stringFaults(schema: JsonSchema, value: string, path: string): string[] {
  const length = Array.from(value).length; // JSON Schema counts code points
  const errors = limitFaults(
    schema,
    [
      ['minLength', (limit) => length >= limit, 'characters: at least'],
      ['maxLength', (limit) => length <= limit, 'characters: at most'],
    ],
    path,
  );
  const pattern = schema['pattern'];
  if (typeof pattern === 'string' && !matches(pattern, value)) errors.push(`${path}: must match ${pattern}`);
  return errors;
}

function limitFaults(
  schema: JsonSchema,
  rules: [string, (limit: number) => boolean, string][],
  path: string,
): string[] {
  return rules.flatMap(([key, holds, words]) => {
    const limit = schema[key];
    return typeof limit === 'number' && !holds(limit) ? [`${path}: must be ${words} ${limit}`] : [];
  });
}

function arrayFaults(schema: JsonSchema, value: unknown[], path: string, root: JsonSchema, depth: number): string[] {
  const sizes: [string, (limit: number) => boolean, string][] = [
    ['minItems', (limit) => value.length >= limit, 'items: at least'],
    ['maxItems', (limit) => value.length <= limit, 'items: at most'],
  ];
  const fixed = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const rest = schema['items'];
  const items = value.flatMap((item, index) =>
    faults(index < fixed.length ? fixed[index] : rest, item, `${path}[${index}]`, root, depth + 1),
  );
  return [...limitFaults(schema, sizes, path), ...items];
}

function objectFaults(schema: JsonSchema, value: JsonSchema, path: string, root: JsonSchema, depth: number): string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = required.filter((key) => typeof key === 'string' && !Object.hasOwn(value, key));
  const errors = missing.map((key) => `${path}.${String(key)}: required, but missing`);
  const patterns = isRecord(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  for (const [key, item] of Object.entries(value)) {
    const at = `${path}.${key}`;
    const rules = patterns.filter(([pattern]) => matches(pattern, key)).map(([, rule]) => rule);
    if (Object.hasOwn(properties, key)) rules.push(properties[key]);
    if (rules.length > 0) errors.push(...rules.flatMap((rule) => faults(rule, item, at, root, depth + 1)));
    else if (schema['additionalProperties'] === false) {
      errors.push(`${at}: unknown; known are ${Object.keys(properties).join(', ') || 'none'}`);
    } else errors.push(...faults(schema['additionalProperties'], item, at, root, depth + 1));
  }
  return errors;
}

/** What a reference in a schema points to; all there is, where that lies outside. */
export function schemaAt(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return true;
  const steps = reference.slice(1).split('/').filter(Boolean);
  return steps.reduce<unknown>((at, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(at) ? at[key] : undefined;
  }, root);
}

/** Keywords that hold schemas by name, and those that hold plain values. */
export const namedKeywords: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
export const valueKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'default', 'examples']);

/** A schema with something done to each that is in it, and to itself. */
export function eachSchema(schema: unknown, change: (schema: JsonSchema) => JsonSchema, byName = false): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => eachSchema(one, change));
  if (!isRecord(schema)) return schema;
  const inner = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (byName) return [key, eachSchema(value, change)];
    return [key, valueKeywords.has(key) ? value : eachSchema(value, change, namedKeywords.has(key))];
  });
  return byName ? Object.fromEntries(inner) : change(Object.fromEntries(inner));
}

/** The same where every list says what it holds, if only anything: OpenAI refuses a tool with a list that does not. */
export function withItems(schema: JsonSchema): JsonSchema {
  return eachSchema(schema, (one) => {
    const isList = [one['type']].flat().includes('array');
    return isList && !('items' in one) && !('prefixItems' in one) ? { ...one, items: {} } : one;
  }) as JsonSchema;
}

const unions = ['oneOf', 'anyOf', 'allOf'] as const;

/** The same with one object at its top: a union there, which some APIs refuse, becomes one with the fields of all its branches. */
export function oneObject(schema: JsonSchema): JsonSchema {
  if (!unions.some((word) => word in schema)) return schema;
  const { oneOf: _one, anyOf: _any, allOf: _all, required: _own, ...rest } = schema;
  const { fields, required } = fieldsWith(schema, schema, new Map());
  const properties = Object.fromEntries([...fields].map(([name, given]) => [name, eitherOf(given)]));
  return { ...rest, type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** What an object may hold, each field as its branches say, and what it has to. */
type ObjectFields = { fields: ReadonlyMap<string, ReadonlySet<unknown>>; required: readonly string[] };

const noFields: ObjectFields = { fields: new Map(), required: [] };

/** The fields of an object and its branches. Its own go over theirs, and each definition is looked at once. */
function fieldsWith(schema: unknown, root: JsonSchema, known: Map<unknown, ObjectFields>): ObjectFields {
  if (!isRecord(schema)) return noFields;
  const found = known.get(schema);
  if (found) return found;
  known.set(schema, noFields); // where it leads back to itself
  const inside = (word: string): ObjectFields[] =>
    (Array.isArray(schema[word]) ? schema[word] : []).map((one) => fieldsWith(one, root, known));
  const named = typeof schema['$ref'] === 'string' ? [fieldsWith(schemaAt(schema['$ref'], root), root, known)] : [];
  const either = [...inside('oneOf'), ...inside('anyOf')];
  const together = [...named, ...inside('allOf')];
  const fields = new Map<string, Set<unknown>>();
  for (const branch of either) {
    for (const [name, given] of branch.fields) {
      const all = fields.get(name) ?? new Set();
      for (const one of given) all.add(one);
      fields.set(name, all);
    }
  }
  for (const branch of together) for (const [name, given] of branch.fields) fields.set(name, new Set(given));
  const { properties, required } = schema;
  for (const [name, given] of Object.entries(isRecord(properties) ? properties : {}))
    fields.set(name, new Set([given]));
  const own = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const shared = either[0]?.required.filter((name) => either.every((branch) => branch.required.includes(name))) ?? [];
  const needed = new Set([...own, ...together.flatMap((branch) => branch.required), ...shared]);
  const all = { fields, required: [...needed] };
  known.set(schema, all);
  return all;
}

/** One schema for what several say of the same field. */
function eitherOf(given: ReadonlySet<unknown>): unknown {
  const distinct = [...new Map([...given].map((one) => [canonicalJson(one), one])).values()];
  if (distinct.length === 1) return distinct[0];
  const values = distinct.map(valuesOnly);
  const types = new Set(distinct.map((one) => isRecord(one) && one['type']));
  if (types.size > 1 || values.includes(undefined)) return { anyOf: distinct };
  const [type] = types;
  return { ...(typeof type === 'string' && { type }), enum: [...new Set(values.flat())] };
}

/** The values of a schema that says nothing else. */
function valuesOnly(schema: unknown): unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const { type: _, const: only, enum: listed, ...more } = schema;
  if (Object.keys(more).length > 0) return undefined;
  if (Array.isArray(listed)) return listed;
  return only === undefined ? undefined : [only];
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true; // a pattern of another dialect cannot judge
  }
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isRecord(value);
  return typeName(value) === type;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
