// Requests that real providers accepted (status 200), from recordings of another project's test suite.
// A judge that refuses one of them is wrong, or recorded-exceptions.json says in words why not.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceptions from './recorded-exceptions.json' with { type: 'json' };
import { isObject, items, parseJson, textOf } from './json.ts';
import type { Json } from './json.ts';
import { sharedFile } from './shared-folder.ts';
import type { WireName } from './wire-name.ts';

export type Recorded = { readonly name: string; readonly wire: WireName; readonly body: Json };

const addresses: readonly (readonly [WireName, RegExp])[] = [
  ['anthropic-messages', /^https:\/\/api\.anthropic\.com\/v1\/messages/],
  ['openai-chat', /^https:\/\/api\.openai\.com\/v1\/chat\/completions/],
  ['openai-responses', /^https:\/\/api\.openai\.com\/v1\/responses/],
  ['bedrock-converse', /^https:\/\/bedrock-runtime\.[\w-]+\.amazonaws\.com\/model\/.*\/converse/],
  ['gemini', /^https:\/\/(generativelanguage|aiplatform)\.googleapis\.com\/.*:generateContent/],
];

/** Every accepted request of the five wires that were recorded; none in a clone without the recordings. */
export function recordedRequests(): Recorded[] {
  const folder = sharedFile('corpora/wire');
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const recording = parseJson(readFileSync(join(folder, file), 'utf8'));
      return items(isObject(recording) ? recording['exchanges'] : []).flatMap((exchange, index) => {
        if (!isObject(exchange) || exchange['status'] !== 200) return [];
        const wire = addresses.find(([, address]) => address.test(textOf(exchange['url'])))?.[0];
        const request = exchange['request'];
        if (wire === undefined || request === undefined || request === null) return [];
        return [
          { name: `${file}#${index}`, wire, body: wire === 'gemini' ? camelCase(restore(request)) : restore(request) },
        ];
      });
    });
}

/** A small medium in place of a marker. `$json` marks a JSON text that held base64, `$b64` the base64 itself. */
function restore(node: Json): Json {
  if (Array.isArray(node)) return node.map(restore);
  if (!isObject(node)) return node;
  if ('$b64' in node) return `${typeof node['prefix'] === 'string' ? node['prefix'] : ''}iVBORw0KGgo=`;
  if ('$json' in node) return JSON.stringify(restore(node['$json'] ?? null));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, restore(value)]));
}

// Free-form JSON of the user's keeps its spelling.
const freeForm = new Set(['args', 'response', 'parametersJsonSchema']);

function camelCase(node: Json): Json {
  if (Array.isArray(node)) return node.map(camelCase);
  if (!isObject(node)) return node;
  const names: Record<string, string> = exceptions.respelled.names;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const name = names[key] ?? key;
      return [name, freeForm.has(name) ? value : camelCase(value)];
    }),
  );
}
