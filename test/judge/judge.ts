// Judges request bodies by schemas and rules that were not written by those who build the bodies.
// In: a wire and a body. Out: one opinion per judge, either complaints (none = accepted) or why it could not judge.

import { awsModelCheck } from './aws-model.ts';
import { geminiDescriptorCheck } from './gemini-descriptor.ts';
import { geminiDocument, ollamaOpenApi, ollamaSdk } from './document.ts';
import { asSent, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { openApiSchema } from './openapi.ts';
import { ruleCheck } from './rules.ts';
import { schemaCheck } from './schema-judge.ts';
import type { Check } from './schema-judge.ts';
import { sdkSchema, sdkSources } from './sdk-schema.ts';
import type { SdkWire } from './sdk-schema.ts';
import { sharedFile } from './shared-folder.ts';
import type { WireName } from './wire-name.ts';

export type { WireName } from './wire-name.ts';
export { base64InText } from './base64.ts';

export type Opinion =
  | { readonly judge: string; readonly errors: readonly string[] }
  | { readonly judge: string; readonly skipped: string };

export type Verdict = { readonly wire: WireName; readonly opinions: readonly Opinion[] };

type Judge = { readonly name: string; readonly check: Check } | { readonly name: string; readonly skipped: string };

const benches = new Map<WireName, Promise<Judge[]>>();

/** Every judge's opinion of one body, as the body would be sent. */
export async function judge(wire: WireName, body: unknown): Promise<Verdict> {
  const sent = asSent(body);
  const judges = await bench(wire);
  const opinions = judges.map((one): Opinion =>
    'skipped' in one ? { judge: one.name, skipped: one.skipped } : { judge: one.name, errors: one.check(sent) },
  );
  return { wire, opinions };
}

/** All complaints in one list, each with its judge's name in front. Empty: every judge present accepts the body. */
export async function schemaErrors(wire: WireName, body: unknown): Promise<string[]> {
  const { opinions } = await judge(wire, body);
  return opinions.flatMap((one) => ('errors' in one ? one.errors.map((error) => `${one.judge}: ${error}`) : []));
}

/** One line for each specification that is not there, so that a run can say at its start who will be missing. */
export function missingSpecifications(): string[] {
  return Object.values(specification)
    .filter((path) => sharedFile(path) === undefined)
    .map(missing);
}

function bench(wire: WireName): Promise<Judge[]> {
  const known = benches.get(wire);
  if (known !== undefined) return known;
  const called = seat[wire]();
  benches.set(wire, called);
  return called;
}

const seat: Record<WireName, () => Promise<Judge[]>> = {
  'anthropic-messages': async () => [await sdkJudge('anthropic-messages'), rules('anthropic-messages')],
  'openai-chat': async () => [
    openApiJudge('openai', 'CreateChatCompletionRequest'),
    await sdkJudge('openai-chat'),
    rules('openai-chat'),
  ],
  'openai-responses': async () => [
    openApiJudge('openai', 'CreateResponse'),
    await sdkJudge('openai-responses'),
    rules('openai-responses'),
  ],
  gemini: async () => [
    { name: 'gemini sdk', check: schemaCheck(geminiDocument(await sdkSchema('gemini')), 'draft-07') },
    { name: 'gemini descriptor', check: geminiDescriptorCheck() },
    rules('gemini'),
  ],
  ollama: async () => [
    openApiJudge('ollama', 'ChatRequest', ollamaOpenApi),
    { name: 'ollama sdk', check: schemaCheck(ollamaSdk(await sdkSchema('ollama')), 'draft-07') },
    rules('ollama'),
  ],
  'bedrock-converse': async () => [{ name: 'bedrock-converse sdk', check: awsModelCheck() }, rules('bedrock-converse')],
};

function rules(wire: WireName): Judge {
  return { name: `${wire} rules`, check: ruleCheck(wire) };
}

const specification = { openai: 'corpora/spec/openai-openapi.json', ollama: 'corpora/spec/ollama-openapi.yaml' };

function openApiJudge(
  vendor: keyof typeof specification,
  schema: string,
  complete: (document: JsonObject) => JsonObject = (document) => document,
): Judge {
  const name = `${vendor} openapi ${schema}`;
  const path = sharedFile(specification[vendor]);
  if (path === undefined) return { name, skipped: missing(specification[vendor]) };
  return { name, check: schemaCheck(complete(openApiSchema(path, schema)), '2020-12') };
}

function missing(path: string): string {
  return `${path} not found; set SIGHTLINE_SHARED to the folder that has it`;
}

/** For the SDKs that have one type for a plain request and one for a streamed one. */
async function sdkJudge(wire: SdkWire): Promise<Judge> {
  const { definitions = {} } = await sdkSchema(wire);
  const [plain = '', streamed = ''] = sdkSources[wire].types;
  const rooted = (type: string): Check => schemaCheck({ $ref: `#/definitions/${type}`, definitions }, 'draft-07');
  const checks = new Map<string, Check>();
  const check = (body: Json): string[] => {
    const type = isObject(body) && body['stream'] === true ? streamed : plain;
    const known = checks.get(type) ?? rooted(type);
    checks.set(type, known);
    return known(body);
  };
  return { name: `${wire} sdk`, check };
}
