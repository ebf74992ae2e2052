// The wires by name, and what each of them writes. A new wire is its folder, one line in each list here, and its rows
// in the catalog.
import { anthropicMessages, anthropicMessagesClient } from './anthropic-messages/index.ts';
import type { AnthropicBody } from './anthropic-messages/types.ts';
import { bedrockConverse, bedrockConverseClient } from './bedrock-converse/index.ts';
import type { ConverseBody, ConverseSdkBody } from './bedrock-converse/types.ts';
import { gemini, geminiClient } from './gemini/index.ts';
import type { GeminiBody, GeminiSdkBody } from './gemini/types.ts';
import { ollama, ollamaClient } from './ollama/index.ts';
import type { OllamaBody } from './ollama/types.ts';
import { openaiChat, openaiChatClient } from './openai-chat/index.ts';
import type { ChatBody } from './openai-chat/types.ts';
import { openaiResponses, openaiResponsesClient } from './openai-responses/index.ts';
import type { ResponsesBody } from './openai-responses/types.ts';
import type { WireName } from '../window/catalog.ts';
import type { Inquiry } from './served.ts';
import type { Wire, WireClient } from './wire.ts';

type BodyList = {
  'anthropic-messages': AnthropicBody;
  'openai-chat': ChatBody;
  'openai-responses': ResponsesBody;
  gemini: GeminiBody;
  ollama: OllamaBody;
  'bedrock-converse': ConverseBody;
};

/** The request bodies by wire. One that is missing in the list is missed here, and nowhere else. */
export type Bodies = BodyList & Record<Exclude<WireName, keyof BodyList>, object>;

/** What the vendor's own SDK takes; Gemini's and Amazon's differ from the REST body. */
export type SdkBodies = Omit<Bodies, 'gemini' | 'bedrock-converse'> & {
  gemini: GeminiSdkBody;
  'bedrock-converse': ConverseSdkBody;
};

export const wires: { [Name in WireName]: Wire<Bodies[Name], SdkBodies[Name]> } = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  ollama,
  'bedrock-converse': bedrockConverse,
};

/** The same for programs that only ask: `sightline/core` has no other, and is smaller by what answering takes. */
export const wireClients: { [Name in WireName]: WireClient<Bodies[Name], SdkBodies[Name]> } = {
  'anthropic-messages': anthropicMessagesClient,
  'openai-chat': openaiChatClient,
  'openai-responses': openaiResponsesClient,
  gemini: geminiClient,
  ollama: ollamaClient,
  'bedrock-converse': bedrockConverseClient,
};

/** The dialect of whoever asks, whatever it is that is asked. */
export function wireMeantBy(asked: Pick<Inquiry, 'url' | 'headers'>): WireName | undefined {
  return Object.values(wires).find(({ served }) => served.isMeant?.(asked))?.name;
}

/** A request to an address of this wire, with what the address says of it. */
export type Matched = { wire: WireName; model?: string; streamed?: boolean; behind?: string };

/** Which wire is spoken at an address, whatever stands before its end: vendors, gateways and Azure have prefixes. */
export function matchRoute(url: URL): Matched | undefined {
  for (const { name, route } of Object.values(wires)) {
    const found = route.match(url);
    if (found) return { wire: name, ...found };
  }
  return undefined;
}
