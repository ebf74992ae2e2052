// What the AI SDK's packages write of a prompt: whose API each speaks, and which media it leaves inside a tool result.
// The others put base64 in words there, or nothing; in a user message each of them writes what its API takes.
import type { MediaKind } from '../content/block.ts';
import { isEndpoint } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import { profileFor } from '../window/profile.ts';
import type { Profile, ProfileOverrides } from '../window/profile.ts';
import type { MediumRule } from '../window/rules.ts';

type Converter = {
  /** How it calls itself. */
  provider: RegExp;
  endpoint: EndpointName;
  inside: readonly MediaKind[];
};

const pictures: readonly MediaKind[] = ['image'];
const pages: readonly MediaKind[] = ['image', 'document'];

const converters: readonly Converter[] = [
  { provider: /^vertex\.anthropic\.messages$/, endpoint: 'vertex-claude', inside: pages },
  { provider: /^bedrock\.anthropic\.messages$/, endpoint: 'bedrock-claude', inside: pages },
  { provider: /^(?:.+\.)?anthropic\.messages$/, endpoint: 'anthropic', inside: pages },
  { provider: /^amazon-bedrock$/, endpoint: 'bedrock-claude', inside: pictures }, // Claude sees no PDF in a result there
  { provider: /^azure.*\.chat$/, endpoint: 'azure-chat', inside: [] },
  { provider: /^azure.*\.responses$/, endpoint: 'azure', inside: pages },
  { provider: /^openai\.chat$/, endpoint: 'openai-chat', inside: [] },
  { provider: /^bedrock-mantle\.responses$/, endpoint: 'bedrock-openai', inside: pages },
  { provider: /^openai\.responses$/, endpoint: 'openai', inside: pages },
  { provider: /^google\.vertex/, endpoint: 'vertex', inside: pages },
  { provider: /^google\./, endpoint: 'gemini', inside: pages },
  { provider: /^xai\./, endpoint: 'xai', inside: pictures },
  { provider: /^ollama/, endpoint: 'ollama', inside: pictures },
  { provider: /^gateway$/, endpoint: 'openrouter', inside: [] }, // it routes likewise: by names such as openai/gpt-4.1
];

/** What a model takes that is reached through a package of the AI SDK. `named` is the same as `endpoint/model`. */
export function profileBehind(
  { provider, modelId }: { provider: string; modelId: string },
  named: string | undefined,
  overrides: ProfileOverrides | undefined,
): Profile {
  const known = converters.find((row) => row.provider.test(provider));
  const vendor = provider.split('.')[0] ?? '';
  const endpoint = known?.endpoint ?? (isEndpoint(vendor) ? vendor : 'compatible');
  const profile = profileFor(named ?? `${endpoint}/${modelId}`, overrides);
  const inside = known?.inside ?? [];
  const rule = (kind: MediaKind): MediumRule => {
    const own = profile.media[kind];
    const result = own.result === 'inside' && !inside.includes(kind) ? 'after' : own.result;
    // A result that failed is words or JSON in the AI SDK.
    return { ...own, result, errorResult: own.errorResult === 'inside' ? 'after' : own.errorResult };
  };
  const media = { image: rule('image'), document: rule('document'), audio: rule('audio'), video: rule('video') };
  return { ...profile, media };
}
