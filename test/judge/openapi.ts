// Reads the request schemas of OpenAI's and Ollama's OpenAPI documents and repairs what keeps them from being
// used as JSON Schema. Each repair says why; none removes a constraint that could catch a wrong body.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { asSent, isObject, parseJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';

const prefix = '#/components/schemas/';

/** The schema `name` of a document and everything it refers to, rooted at `name`. */
export function openApiSchema(path: string, name: string): JsonObject {
  const text = readFileSync(path, 'utf8');
  const document = path.endsWith('.yaml') ? asSent(parse(text)) : parseJson(text);
  const components = isObject(document) ? document['components'] : undefined;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  if (!isObject(schemas)) throw new Error(`${path} has no components.schemas`);
  const reached: JsonObject = {};
  reach(name, schemas, reached);
  return { $ref: prefix + name, components: { schemas: reached } };
}

function reach(name: string, schemas: JsonObject, reached: JsonObject): void {
  const schema = schemas[name];
  if (name in reached || schema === undefined) return;
  reached[name] = repair(schema, name);
  for (const reference of references(schema)) reach(reference, schemas, reached);
}

function references(node: Json): string[] {
  if (Array.isArray(node)) return node.flatMap(references);
  if (!isObject(node)) return [];
  const own = node['$ref'];
  const here = typeof own === 'string' && own.startsWith(prefix) ? [own.slice(prefix.length)] : [];
  return [...here, ...Object.values(node).flatMap(references)];
}

function repair(node: Json, owner: string): Json {
  if (Array.isArray(node)) return node.map((item) => repair(item, owner));
  if (!isObject(node)) return node;
  const schema: JsonObject = {};
  for (const [key, value] of Object.entries(node)) schema[key] = repair(value, owner);
  // The branches of a `oneOf` overlap all over the OpenAI document: {"role":"user","content":"…"} is an EasyInputMessage
  // and an InputMessage, since objects are left open. Read as it was meant: at least one branch has to fit.
  if (Array.isArray(schema['oneOf'])) {
    schema['anyOf'] = schema['oneOf'];
    delete schema['oneOf'];
  }
  // A filter inside a filter, in the words of an older draft.
  if (schema['$recursiveRef'] === '#') {
    schema['$ref'] = prefix + owner;
    delete schema['$recursiveRef'];
  }
  if (schema['$recursiveAnchor'] === true) delete schema['$recursiveAnchor'];
  // `nullable` is OpenAPI 3.0 inside a 3.1 document, and Ajv refuses it where no `type` stands beside it.
  if (schema['nullable'] === true) {
    delete schema['nullable'];
    return { anyOf: [schema, { type: 'null' }] };
  }
  return schema;
}
