// Where things stand in the bodies of each dialect, by itself: a page in a browser looks at bodies, too, and loads no more than this.
import type { WireName } from '../window/catalog.ts';
import { places as anthropicMessages } from './anthropic-messages/places.ts';
import { places as bedrockConverse } from './bedrock-converse/places.ts';
import { places as gemini } from './gemini/places.ts';
import { places as ollama } from './ollama/places.ts';
import { places as openaiChat } from './openai-chat/places.ts';
import { places as openaiResponses } from './openai-responses/places.ts';
import type { BodyPlaces } from './wire.ts';

const bodyPlaces: Record<WireName, BodyPlaces> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
  ollama,
  'bedrock-converse': bedrockConverse,
};

/** The fields that hold this in one dialect or another; no dialect has one of them for something else. */
export function fieldsFor(what: keyof BodyPlaces): string[] {
  return [...new Set(Object.values(bodyPlaces).flatMap((places) => places[what]))];
}
