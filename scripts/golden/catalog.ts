// What the catalog says: every endpoint, and what is made of the names of models there.
import * as catalog from '../../src/window/catalog.ts';
import { mediaKinds } from '../../src/content/block.ts';
import { findFamily } from '../../src/window/profile.ts';
import type { Case, Group } from './case.ts';

const wireNames = Object.keys(catalog.wires) as catalog.WireName[];

/** Names as people write them, and some that only look like one that is known. */
const names =
  `claude-2.1 claude-3-haiku-20240307 claude-3-5-sonnet-20241022 claude-3-7-sonnet-latest claude-sonnet-4-20250514
claude-opus-4-1 claude-opus-4 claude-opus-4-0 claude-haiku-4-5 claude-sonnet-4-5-20250929 claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-7
claude-opus-4-8 claude-sonnet-4-7 claude-opus-5 claude-sonnet-5 claude-haiku-5 claude-sonnet-6 claude-haiku-9 claude-opus-5-5
claude-sonnet-5-5 claude-haiku-5-5 claude-fable-5-2 claude-mythos claude-instant-1.2 my-claude-opus-4-7 my-claude-3-opus
my-claude-sonnet-5 my-claude-fable my-claude-haiku-5-5 my-claude-opus-5-5 my-claude-opus-4-6 my-claude-3-7 my-claude-haiku-4
gpt-audio gpt-4o-audio-preview gpt-4o-mini-audio-preview gpt-4o-transcribe gpt-4o-mini-transcribe gpt-4o-mini-tts gpt-4o-realtime
gpt-realtime whisper-1 tts-1 my-gpt-audio my-whisper gpt-6-astra gpt-9 gpt-5.6-sol gpt-5.9 gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.3 gpt-5.2
gpt-5.1 gpt-5.0 gpt-5-nano gpt-5-mini gpt-5 gpt-5-2025-08-07 gpt-5-codex gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4.5-preview gpt-4.2 gpt-4o
gpt-4o-mini gpt-4o-2024-08-06 chatgpt-4o-latest gpt-4-turbo gpt-4-turbo-preview gpt-4-vision-preview gpt-4-1106-preview gpt-4 gpt-4-32k
gpt-3.5-turbo my-gpt-6 my-gpt-5 my-gpt-5.1 my-gpt-5.2 my-gpt-5.4 my-gpt-5-nano my-gpt-5-mini my-gpt-4.1 my-gpt-4.1-nano my-gpt-4.1-mini
my-gpt-4o my-gpt-4o-mini my-gpt-4-turbo gpt-5x1 gpt-5x2 gpt-5x4 gpt-5x6 gpt-4x1 gpt-4x1-nano gpt-4x1-mini
o1 o1-mini o1-preview o1-pro o3 o3-mini o3-pro o4-mini o4-mini-high o1x my-o1 my-o3-mini my-o4-mini gpt-oss-120b my-gpt-oss davinci-002
gemini-1.5-pro gemini-2.0-flash gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-pro gemini-2x5-pro gemini-2x5-flash gemini-3-pro-preview
gemini-3-flash-preview gemini-3.8-flash gemini-4-argon gemini-10-pro gemini-pro-latest gemini-flash-latest gemini-flash-lite-latest gemini-embedding-001
my-gemini-3-pro my-gemini-3 my-gemini-2.5-flash my-gemini-2.5-pro my-gemini-2 gemini-1a gemini-a1
gemma-3-27b gemma-3n-e4b gemma-4-31b my-gemma-3 my-gemma-4 grok-4 grok-9 grok-3 grok-2-vision grok-2 my-grok-4
nova-2-lite nova-micro nova-lite nova-pro nova-premier nova-sonic my-nova-2 my-nova-micro my-nova-pro llama4-maverick llama3 my-llama4
pixtral-12b my-pixtral mistral-large ministral-8b mixtral-8x7b magistral-small mistral-small3.1 mistral-medium-latest my-mistral my-magistral qwen3-32b my-qwen3
qwen3-vl:8b qwen-3-vl qwen3.5 qwen-3.9 qwen3x5 my-qwen3-vl my-qwen3.5 gemma4 gemma-4 glm-ocr lfm2-vl lfm-2.5-vl lfm2 my-gemma4 my-glm-ocr my-lfm2-vl
gemma3:4b gemma-3:4b gemma3:1b gemma3-270m gemma3n my-gemma3 llava llava:13b bakllava smolvlm llama3.2-vision llama-3.2-vision:11b llama3x2-vision
llama-4-scout moondream minicpm-v qwen2-vl qwen2.5vl:7b qwen-2.5-vl-72b mistral-small-latest granite3.2-vision internvl3 kimi-vl deepseek-ocr
glm-4.6v glm-4.1v:9b glm-4v-flash qwen3:8b qwen-3 qwq deepseek-r1:8b glm-4.6 nemotron my-llava my-qwq unheard-of`.split(
    /\s+/,
  );

const plain = [
  'stop', 'topP', 'topK', 'seed', 'parallelCalls', 'verbosity', 'user', 'among', 'mustAmong', 'noCalls', 'json',
] as const; // prettier-ignore

/** What holds for all models of an endpoint. */
function endpointValues(endpoint: string): unknown[] {
  const row = catalog.isEndpoint(endpoint) ? catalog.endpoints[endpoint] : undefined;
  return [
    row,
    mediaKinds.map((kind) => catalog.carriersAt(endpoint, kind)),
    names.map((name) => catalog.outputRule(endpoint, name)),
    row && plain.map((option) => catalog.takesOption(option, endpoint, row.wire)),
    [catalog.ownerOfFiles(endpoint), catalog.ownerOfFiles(`${endpoint}.eu`)],
  ];
}

/** The family that a name means on every wire. */
function familiesOf(name: string): unknown[] {
  return wireNames.map((wire) => findFamily(name, wire)?.name);
}

function rest(): unknown[] {
  const { wires, providerNames, knownModels, usualModels, placeVariables, safeFamily, localServer } = catalog;
  return [
    { wires, providerNames, knownModels, usualModels, placeVariables, safeFamily: safeFamily.name, localServer },
    catalog.families.map((family) => ({ ...family, match: String(family.match) })),
    wireNames.map((wire) => [catalog.leastOutputTokens(wire), catalog.mostStops(wire)]),
    [catalog.medium([], 'words'), catalog.medium(['a/b'], 'inside'), catalog.medium(['a/b'], 'after', { maxPages: 1 })],
    [catalog.isEndpoint('toString'), catalog.ownerOfFiles('acme.x'), safeFamily.match.test('anything')],
  ];
}

export const catalogGroup: Group = {
  name: 'catalog',
  about: 'what the catalog says of endpoints, and of models by their names',
  columns: ['value'],
  async *cases(): AsyncGenerator<Case> {
    for (const endpoint of [...Object.keys(catalog.endpoints), 'acme'])
      yield { name: `endpoint ${endpoint}`, make: async () => endpointValues(endpoint) };
    for (const name of names) yield { name: `model ${name}`, make: async () => [familiesOf(name)] };
    yield { name: 'the rest', make: async () => rest() };
  },
};
