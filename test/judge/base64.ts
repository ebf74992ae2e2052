// Finds media that slipped into text: a picture as base64 inside a sentence costs tens of thousands of tokens and is
// never seen. Every string of a body is text unless it stands where its wire keeps media or an opaque token.

import { asSent, below, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import type { WireName } from './wire-name.ts';

const run = /[A-Za-z0-9+/_-]{201,}/g;
const standard = /[A-Za-z0-9+/]{201,}/;

/** Whether the string under `key` of `parent` is media or an opaque token on this wire. */
type MediaPosition = (key: string, parent: JsonObject, grandparentKey: string) => boolean;

const mediaPositions: Record<WireName, MediaPosition> = {
  'anthropic-messages': (key, parent) =>
    (key === 'data' && (parent['type'] === 'base64' || parent['type'] === 'redacted_thinking')) ||
    (key === 'signature' && parent['type'] === 'thinking') ||
    key === 'encrypted_content',
  'openai-chat': (key, _parent, grandparentKey) =>
    (key === 'url' && grandparentKey === 'image_url') ||
    (key === 'file_data' && grandparentKey === 'file') ||
    (key === 'data' && grandparentKey === 'input_audio'),
  'openai-responses': (key, parent) =>
    (key === 'image_url' && (parent['type'] === 'input_image' || parent['type'] === 'computer_screenshot')) ||
    (key === 'file_data' && parent['type'] === 'input_file') ||
    key === 'encrypted_content',
  gemini: (key, _parent, grandparentKey) =>
    (key === 'data' && grandparentKey === 'inlineData') || key === 'thoughtSignature',
  ollama: (_key, _parent, grandparentKey) => grandparentKey === 'images',
  'bedrock-converse': (key) => key === 'bytes' || key === 'signature' || key === 'redactedContent',
};

/** One line for every text of the body that holds an unbroken base64 run longer than 200 characters. */
export function base64InText(wire: WireName, body: unknown): string[] {
  const isMedia = mediaPositions[wire];
  const found: string[] = [];
  const visit = (node: Json, pointer: string, key: string, parent: JsonObject, grandparentKey: string): void => {
    if (typeof node === 'string') {
      if (isMedia(key, parent, grandparentKey)) return;
      const longest = longestRun(node);
      if (longest > 0) found.push(`${pointer}: ${longest} characters of base64 in a text`);
    } else if (Array.isArray(node)) {
      node.forEach((item, index) => visit(item, below(pointer, index), String(index), {}, key));
    } else if (isObject(node)) {
      for (const [name, item] of Object.entries(node)) visit(item, below(pointer, name), name, node, key);
    }
  };
  visit(asSent(body), '', '', {}, '');
  return found;
}

/** The URL-safe alphabet also draws lines and joins words, so there a run must mix all three kinds of character. */
function longestRun(text: string): number {
  const found = [...text.matchAll(run)]
    .map(([match]) => match)
    .filter((match) => standard.test(match) || [/[A-Z]/, /[a-z]/, /[0-9]/].every((kind) => kind.test(match)));
  return Math.max(0, ...found.map((match) => match.length));
}

/** Bare base64 as every wire reads it: the standard alphabet, padded, no line breaks, no `data:` head, not empty. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
