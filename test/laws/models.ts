// The models the laws are tried on: every wire, and on each the profiles that place media differently.
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';

export const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'openai-chat/gpt-4o-audio-preview',
  'azure/deployment',
  'azure-chat/deployment',
  'gemini/gemini-2.5-pro',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'ollama/llava',
  'ollama/llama3.1',
  'openrouter/anthropic/claude-sonnet-4.5',
  'compatible/nobody-knows-it',
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'bedrock/us.meta.llama4-maverick-17b-instruct-v1:0',
  'bedrock/us.mistral.pixtral-large-2502-v1:0',
] as const;

export type ModelName = (typeof models)[number];

/** One model for each wire, for what is the same on all profiles of a wire. */
export const onePerWire: readonly ModelName[] = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
];

/** A window without end: what happens when a conversation outgrows it is a law of its own. */
const endless = { contextTokens: 1e12 };

export const profiles: ReadonlyMap<string, Profile> = new Map(
  models.map((model) => [model, { ...profileFor(model, endless), requestBytes: 1e15, maxImages: 1e9 }]),
);

export function profileOf(model: string): Profile {
  return profiles.get(model) ?? profileFor(model);
}
