// Says why a value does not fit a schema, in a few lines a person can use.
// A validator reports every branch of a union; a request body has unions of forty branches inside unions of six.
// This walks schema and value together and, at a union, follows only the branch the value most plausibly meant.

import { below, isObject, items } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** Checks the keywords of one schema node that need no walking: type, enum, length, pattern and so on. */
export type LeafCheck = (schema: JsonObject, value: Json) => string[];

type Place = { readonly document: JsonObject; readonly leaf: LeafCheck };

const walked = new Set(
  '$ref allOf anyOf oneOf properties required additionalProperties items definitions components'.split(' '),
);
const mostLines = 12;

export function explain(document: JsonObject, value: Json, leaf: LeafCheck): string[] {
  const problems = [...new Set(walk(document, value, '', { document, leaf }))];
  const rest = problems.length - mostLines;
  return rest > 0 ? [...problems.slice(0, mostLines), `… and ${rest} more`] : problems;
}

function walk(schema: Json | undefined, value: Json, pointer: string, place: Place): string[] {
  if (schema === false) return [`${pointer}: nothing may stand here`];
  if (!isObject(schema)) return [];
  const own = place.leaf(withoutWalked(schema), value).map((message) => `${pointer || '/'}: ${message}`);
  if (own.length > 0) return own;
  const problems: string[] = [];
  if (typeof schema['$ref'] === 'string') problems.push(...walk(resolve(schema['$ref'], place), value, pointer, place));
  for (const part of items(schema['allOf'])) problems.push(...walk(part, value, pointer, place));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = items(schema[keyword]);
    if (branches.length > 0) problems.push(...walkUnion(branches, value, pointer, place));
  }
  if (isObject(value)) problems.push(...walkObject(schema, value, pointer, place));
  const each = schema['items'];
  if (Array.isArray(value) && isObject(each)) {
    problems.push(...value.flatMap((item, index) => walk(each, item, below(pointer, index), place)));
  }
  return problems;
}

function walkObject(schema: JsonObject, value: JsonObject, pointer: string, place: Place): string[] {
  const problems: string[] = [];
  for (const name of items(schema['required'])) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      problems.push(`${pointer || '/'}: required field "${name}" is missing`);
    }
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) problems.push(...walk(properties[name], item, below(pointer, name), place));
    else if (schema['additionalProperties'] === false) problems.push(`${pointer || '/'}: unknown field "${name}"`);
    else problems.push(...walk(schema['additionalProperties'], item, below(pointer, name), place));
  }
  return problems;
}

function walkUnion(branches: Json[], value: Json, pointer: string, place: Place): string[] {
  const flat = branches.flatMap((branch) => flatten(branch, place));
  const sameKind = flat.filter((branch) => fitsKind(branch, value));
  if (sameKind.length === 0) return [`${pointer || '/'}: ${kindOf(value)} is not allowed here`];
  const sameTags = sameKind.filter((branch) => wrongTags(branch, value).length === 0);
  if (sameTags.length === 0) {
    // The branch with the fewest wrong tags; a missing field or a wrong one elsewhere would only be noise.
    const fewest = Math.min(...sameKind.map((branch) => wrongTags(branch, value).length));
    const nearest = sameKind.filter((branch) => wrongTags(branch, value).length === fewest);
    const tags = [...new Set(nearest.flatMap((branch) => wrongTags(branch, value)))];
    return tags.map((tag) => {
      const allowed = [...new Set(nearest.flatMap((branch) => tagValues(branch, tag)))].map((one) =>
        JSON.stringify(one),
      );
      const found = isObject(value) ? JSON.stringify(value[tag]).slice(0, 60) : '';
      return `${below(pointer, tag)}: ${found} is none of ${allowed.join(', ')}`.slice(0, 240);
    });
  }
  const accounts = sameTags.map((branch) => walk(branch, value, pointer, place));
  return accounts.reduce((best, account) => (account.length < best.length ? account : best));
}

/** A union whose branches are unions is one union. */
function flatten(schema: Json, place: Place): JsonObject[] {
  if (!isObject(schema)) return [];
  if (typeof schema['$ref'] === 'string') return flatten(resolve(schema['$ref'], place) ?? null, place);
  const inner = [...items(schema['anyOf']), ...items(schema['oneOf'])];
  if (inner.length === 0 || isObject(schema['properties'])) return [schema];
  return inner.flatMap((branch) => flatten(branch, place));
}

function wrongTags(branch: JsonObject, value: Json): string[] {
  if (!isObject(value) || !isObject(branch['properties'])) return [];
  return Object.keys(branch['properties']).filter((name) => {
    const allowed = tagValues(branch, name);
    const found = value[name];
    return allowed.length > 0 && typeof found === 'string' && !allowed.includes(found);
  });
}

/** What a field that names the branch may say: `type` and `role`, where the branch fixes it. */
function tagValues(branch: JsonObject, name: string): Json[] {
  if ((name !== 'type' && name !== 'role') || !isObject(branch['properties'])) return [];
  const tag = branch['properties'][name];
  return isObject(tag) ? [tag, ...items(tag['anyOf'])].flatMap(fixedValues) : [];
}

function fixedValues(schema: Json): Json[] {
  if (!isObject(schema)) return [];
  return schema['const'] === undefined ? items(schema['enum']) : [schema['const']];
}

function fitsKind(branch: JsonObject, value: Json): boolean {
  const type = branch['type'];
  if (type === undefined) return !isObject(branch['properties']) || isObject(value);
  const allowed = Array.isArray(type) ? type : [type];
  const kind = kindOf(value);
  return allowed.includes(kind) || (kind === 'number' && allowed.includes('integer'));
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function resolve(reference: string, place: Place): Json | undefined {
  let node: Json | undefined = place.document;
  for (const step of reference.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[name] : undefined;
  }
  return node;
}

function withoutWalked(schema: JsonObject): JsonObject {
  const tuple = Array.isArray(schema['items']);
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !walked.has(name) || (tuple && name === 'items')),
  );
}
