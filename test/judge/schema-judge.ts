// A judge made of a JSON Schema: Ajv gives the verdict, `explain` the words.

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { explain } from './explain.ts';
import type { LeafCheck } from './explain.ts';
import type { Json, JsonObject } from './json.ts';

/** The complaints about one body, none if it is accepted. */
export type Check = (body: Json) => string[];

export type Draft = 'draft-07' | '2020-12';

/** Compiles a document (a root `$ref` beside its definitions) into a check. */
export function schemaCheck(document: JsonObject, draft: Draft): Check {
  const ajv = validator(draft);
  const accepts = ajv.compile(document);
  const leaf = leafCheck(ajv);
  return (body) => {
    if (accepts(body)) return [];
    const problems = explain(document, body, leaf);
    return problems.length > 0 ? problems : (accepts.errors ?? []).slice(0, 5).map(sentence);
  };
}

function validator(draft: Draft): Ajv {
  // Not strict: the documents carry keywords of their own (x-…, example, discriminator) that say nothing about validity.
  // Each check runs a few times only: code that is made quickly is worth more than code that runs quickly.
  const settings = { strict: false, logger: false, code: { optimize: false } } as const;
  const ajv = draft === 'draft-07' ? new Ajv(settings) : new Ajv2020(settings);
  // The fast pattern for `uri` reads a data URL of several megabytes in one pass; the full one backtracks over it.
  addFormats.default(ajv, { mode: 'fast' });
  return ajv;
}

function leafCheck(ajv: Ajv): LeafCheck {
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const accepts = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, accepts);
    return accepts(value) ? [] : (accepts.errors ?? []).map(sentence);
  };
}

function sentence(error: ErrorObject): string {
  const allowed: unknown = error.params['allowedValues'] ?? error.params['allowedValue'];
  const message = `${error.instancePath} ${error.message ?? error.keyword}`.trim();
  return allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}`.slice(0, 240);
}
