// Compile-time: what we write goes into the official SDKs without a cast. Checked by tsc; it has nothing to run.
import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentParameters } from '@google/genai';
import type { ChatRequest } from 'ollama';
import type OpenAI from 'openai';
import { prepare } from '../../src/model/prepare.ts';
import type { WireOf } from '../../src/model/prepare.ts';
import type { TranscriptInput } from '../../src/message/message.ts';
import type { Prepared } from '../../src/model/prepared.ts';
import type { WireName } from '../../src/window/profile.ts';
import type { AdaptiveParam } from '../../src/wire/anthropic-messages/index.ts';
import type { Bodies, SdkBodies } from '../../src/wire/registry.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Each of these fails to compile unless it is `true`. */
type Claim<Holds extends true> = Holds;

export function bodies(all: SdkBodies): void {
  all['anthropic-messages'] satisfies Anthropic.MessageCreateParamsNonStreaming;
  all['openai-chat'] satisfies OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
  all['openai-responses'] satisfies OpenAI.Responses.ResponseCreateParamsNonStreaming;
  all.gemini satisfies GenerateContentParameters;
  all.ollama satisfies ChatRequest & { stream?: false };
}

/** A field that is still a beta has its own type there. */
export function betas(thinking: AdaptiveParam): void {
  thinking satisfies Anthropic.Beta.Messages.BetaThinkingConfigAdaptive;
}

type Clients = {
  anthropic: Anthropic;
  openai: OpenAI;
  gemini: { models: { generateContent: (parameters: GenerateContentParameters) => Promise<unknown> } };
  ollama: { chat: (request: ChatRequest & { stream?: false }) => Promise<unknown> };
};

export async function calls(transcript: TranscriptInput, clients: Clients): Promise<void> {
  const claude = await prepare(transcript, { model: 'anthropic/claude-sonnet-4-5' });
  await clients.anthropic.messages.create(await claude.json());
  const chat = await prepare(transcript, { model: 'openai-chat/gpt-4.1' });
  await clients.openai.chat.completions.create(await chat.json());
  const responses = await prepare(transcript, { model: 'openai/gpt-5.2' });
  await clients.openai.responses.create(await responses.json());
  const azure = await prepare(transcript, { model: 'azure/deployment' });
  await clients.openai.responses.create(await azure.sdk());
  const gemini = await prepare(transcript, { model: 'gemini/gemini-3-pro-preview' });
  await clients.gemini.models.generateContent(await gemini.sdk());
  const ollama = await prepare(transcript, { model: 'ollama/qwen3-vl' });
  await clients.ollama.chat(await ollama.json());
}

export type Wires = [
  Claim<Same<WireOf<'anthropic/claude-sonnet-4-5'>, 'anthropic-messages'>>,
  Claim<Same<WireOf<'openai/gpt-5.2'>, 'openai-responses'>>,
  Claim<Same<WireOf<'azure/x'>, 'openai-responses'>>,
  Claim<Same<WireOf<'openai-chat/gpt-4.1'>, 'openai-chat'>>,
  Claim<Same<WireOf<'azure-chat/x'>, 'openai-chat'>>,
  Claim<Same<WireOf<'openrouter/anthropic/claude-sonnet-4.5'>, 'openai-chat'>>,
  Claim<Same<WireOf<'compatible/bedrock/us.anthropic.claude'>, 'openai-chat'>>,
  Claim<Same<WireOf<'gemini/gemini-3-pro'>, 'gemini'>>,
  Claim<Same<WireOf<'google/gemini-3-pro'>, 'gemini'>>,
  Claim<Same<WireOf<'ollama/llava'>, 'ollama'>>,
  Claim<Same<WireOf<string>, WireName>>,
  Claim<Same<WireOf<'acme/unheard-of'>, WireName>>,
];

export async function inferred(transcript: TranscriptInput, name: string): Promise<void> {
  const literal = await prepare(transcript, { model: 'anthropic/claude-sonnet-4-5', maxTokens: 5 });
  true satisfies Claim<Same<typeof literal, Prepared<'anthropic-messages'>>>;
  true satisfies Claim<Same<Awaited<ReturnType<typeof literal.json>>, Bodies['anthropic-messages']>>;
  const late = await prepare(transcript, { model: name });
  true satisfies Claim<Same<typeof late, Prepared>>;
  if (late.wire === 'gemini') late.wire satisfies 'gemini';
  // @ts-expect-error a body of an unknown wire is no request of Anthropic's
  (await late.json()) satisfies Anthropic.MessageCreateParamsNonStreaming;
  // @ts-expect-error an effort nobody knows
  await prepare(transcript, { model: 'openai/gpt-5.2', thinking: 'hard' });
}
