// The rules of the six wires that no schema knows: who answers whom, in what order, and what may not stand together.
// Each wire's own file has its rules; a violation here is a body the provider answers with status 400.

import { anthropicRules } from './rules-anthropic.ts';
import { base64InText } from './base64.ts';
import { converseRules } from './rules-converse.ts';
import { geminiRules } from './rules-gemini.ts';
import type { Json, JsonObject } from './json.ts';
import { isObject } from './json.ts';
import { ollamaRules } from './rules-ollama.ts';
import { chatRules, responsesRules } from './rules-openai.ts';
import type { Check } from './schema-judge.ts';
import type { WireName } from './wire-name.ts';

const rules: Record<WireName, (body: JsonObject) => string[]> = {
  'anthropic-messages': anthropicRules,
  'openai-chat': chatRules,
  'openai-responses': responsesRules,
  gemini: geminiRules,
  ollama: ollamaRules,
  'bedrock-converse': converseRules,
};

/** The rules of one wire, and the one rule of all: no base64 in text. */
export function ruleCheck(wire: WireName): Check {
  return (body: Json) =>
    isObject(body) ? [...rules[wire](body), ...base64InText(wire, body)] : ['/: must be an object'];
}
