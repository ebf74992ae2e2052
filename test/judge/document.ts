// The three documents that need more than a root: Gemini's REST body, which no single SDK type describes,
// and Ollama's two, which lag behind the server and are completed here field by field.

import { isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** The body of `generateContent` in REST spelling, put together from the SDK's types for its fields. */
export function geminiDocument(sdk: JsonObject): JsonObject {
  const document = structuredClone(sdk);
  // The SDK says `string` for 64-bit numbers, as protobuf's JSON writes them; the server reads plain integers as well.
  const schema = fields(document, 'definitions', 'Schema', 'properties');
  for (const name of ['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties']) {
    schema[name] = { type: ['string', 'integer'] };
  }
  return {
    ...document,
    type: 'object',
    required: ['contents'],
    additionalProperties: false,
    properties: {
      contents: { type: 'array', items: { $ref: '#/definitions/Content' } },
      systemInstruction: { $ref: '#/definitions/Content' },
      tools: { type: 'array', items: { $ref: '#/definitions/Tool' } },
      toolConfig: { $ref: '#/definitions/ToolConfig' },
      generationConfig: { $ref: '#/definitions/GenerationConfig' },
      safetySettings: { type: 'array', items: { $ref: '#/definitions/SafetySetting' } },
      cachedContent: { type: 'string' },
    },
  };
}

// What the server reads (ollama api/types.go, August 2026) and one or both documents lack.
const messageFields: JsonObject = {
  thinking: { type: 'string' },
  tool_name: { type: 'string' },
  tool_call_id: { type: 'string' },
};
const requestFields: JsonObject = { truncate: { type: 'boolean' }, shift: { type: 'boolean' } };
const callFields: JsonObject = { id: { type: 'string' } };
const callFunctionFields: JsonObject = { index: { type: 'integer' } };

/** Ollama's OpenAPI leaves every object open; with the missing fields added it can be closed, so a misspelling shows. */
export function ollamaOpenApi(openApi: JsonObject): JsonObject {
  const document = structuredClone(openApi);
  const schema = (...path: string[]): JsonObject => fields(document, 'components', 'schemas', ...path);
  Object.assign(schema('ChatRequest', 'properties'), requestFields);
  Object.assign(schema('ChatMessage', 'properties'), messageFields);
  Object.assign(schema('ToolCall', 'properties'), callFields);
  Object.assign(schema('ToolCall', 'properties', 'function', 'properties'), callFunctionFields);
  for (const closed of [
    schema('ChatRequest'),
    schema('ChatMessage'),
    schema('ToolCall'),
    schema('ToolCall', 'properties', 'function'),
    schema('ToolDefinition'),
    schema('ToolDefinition', 'properties', 'function'),
  ]) {
    closed['additionalProperties'] = false;
  }
  return document;
}

/** The npm client's own request type, completed the same way. */
export function ollamaSdk(sdk: JsonObject): JsonObject {
  const document = structuredClone(sdk);
  const schema = (...path: string[]): JsonObject => fields(document, 'definitions', ...path);
  Object.assign(schema('ChatRequest', 'properties'), requestFields);
  Object.assign(schema('Message', 'properties'), messageFields);
  Object.assign(schema('ToolCall', 'properties'), callFields);
  Object.assign(schema('ToolCall', 'properties', 'function', 'properties'), callFunctionFields);
  // The server also takes "max" (api/types.go, ThinkValue).
  schema('ChatRequest', 'properties')['think'] = {
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['low', 'medium', 'high', 'max'] }],
  };
  // The client types one level of JSON Schema by hand; the server passes any schema on to the template.
  schema('Tool', 'properties', 'function', 'properties')['parameters'] = { type: 'object' };
  return { $ref: '#/definitions/ChatRequest', ...document };
}

/** The object at a path that must be there: if a new version moved it, this file has to follow. */
function fields(document: JsonObject, ...path: string[]): JsonObject {
  let node: Json | undefined = document;
  for (const step of path) node = isObject(node) ? node[step] : undefined;
  if (!isObject(node)) throw new Error(`The schema has no ${path.join('.')} any more; see how it is called now.`);
  return node;
}
