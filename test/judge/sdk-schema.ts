// Turns the request types of the providers' own SDKs into JSON Schema, by ts-json-schema-generator.
// An SDK type has no index signature, so every object is closed and a misspelt field is an error.
// Generation takes seconds and is kept in .cache/judge/, keyed by everything that could change the result.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bringAll } from '../../scripts/bring.ts';
import { isObject, parseJson, textOf } from './json.ts';
import type { JsonObject } from './json.ts';
import { repositoryFolder } from './shared-folder.ts';
import type { WireName } from './wire-name.ts';

/** Those whose SDK says in types alone what it takes; Amazon's brings a model. */
export type SdkWire = Exclude<WireName, 'bedrock-converse'>;

type SdkSource = { readonly package: string; readonly declarations: string; readonly types: readonly string[] };

// The streaming and the plain request differ only in `stream`; the judge picks the one the body asks for.
export const sdkSources: Record<SdkWire, SdkSource> = {
  'anthropic-messages': {
    package: '@anthropic-ai/sdk',
    declarations: 'resources/messages/messages.d.ts',
    types: ['MessageCreateParamsNonStreaming', 'MessageCreateParamsStreaming'],
  },
  'openai-chat': {
    package: 'openai',
    declarations: 'resources/chat/completions/completions.d.ts',
    types: ['ChatCompletionCreateParamsNonStreaming', 'ChatCompletionCreateParamsStreaming'],
  },
  'openai-responses': {
    package: 'openai',
    declarations: 'resources/responses/responses.d.ts',
    types: ['ResponseCreateParamsNonStreaming', 'ResponseCreateParamsStreaming'],
  },
  gemini: {
    package: '@google/genai',
    declarations: 'dist/genai.d.ts',
    types: ['Content', 'Tool', 'ToolConfig', 'GenerationConfig', 'SafetySetting'],
  },
  ollama: { package: 'ollama', declarations: 'dist/index.d.ts', types: ['ChatRequest'] },
};

type Generator = { createSchema(type: string): object };
type Library = { createGenerator: (options: object) => Generator };

const options = {
  additionalProperties: false,
  encodeRefs: true,
  expose: 'all',
  jsDoc: 'none', // comments such as "@default" must not become schema keywords
  skipTypeCheck: true, // the declarations are the vendor's business, not ours
  sortProps: false,
  topRef: true,
};

const cacheFolder = join(repositoryFolder, '.cache/judge');
const theirs = join(repositoryFolder, 'node_modules');
const own = join(repositoryFolder, 'test/judge/node_modules');

/** A draft-07 document whose `definitions` hold every type named for the wire; the caller picks the root. */
export async function sdkSchema(wire: SdkWire): Promise<JsonObject> {
  if (!existsSync(own)) bringAll(['test/judge']); // scripts judge, too, in a clone whose tests never ran
  const path = join(cacheFolder, `${wire}-${cacheKey(wire)}.json`);
  if (existsSync(path)) return readDocument(path);
  const document = await generate(sdkSources[wire]);
  // Written aside and renamed: a second worker sees the whole file or none.
  const aside = `${path}.${randomUUID()}`;
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(aside, JSON.stringify(document));
  renameSync(aside, path);
  return document;
}

async function generate(source: SdkSource): Promise<JsonObject> {
  // Loaded only here, because it brings a whole TypeScript compiler with it.
  const library = pathToFileURL(join(own, 'ts-json-schema-generator/dist/index.js')).href;
  const { createGenerator } = (await import(library)) as Library;
  const generator = createGenerator({
    ...options,
    path: join(theirs, source.package, source.declarations),
    tsconfig: join(repositoryFolder, 'test/judge/sdk.tsconfig.json'),
  });
  const definitions: JsonObject = {};
  for (const type of source.types) {
    const schema = parseJson(JSON.stringify(generator.createSchema(type)));
    if (isObject(schema) && isObject(schema['definitions'])) Object.assign(definitions, schema['definitions']);
  }
  return { definitions };
}

function cacheKey(wire: SdkWire): string {
  const source = sdkSources[wire];
  const parts = [source, version(theirs, source.package), version(own, 'ts-json-schema-generator'), options];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

function version(folder: string, packageName: string): string {
  return textOf(readDocument(join(folder, packageName, 'package.json'))['version']);
}

function readDocument(path: string): JsonObject {
  const document = parseJson(readFileSync(path, 'utf8'));
  if (!isObject(document)) throw new Error(`${path} does not hold a JSON object. Delete it and run again.`);
  return document;
}
