// Blocks that the wrapper has no business with, such as a citation, a file by its id, a picture by its URL. Each is
// swapped for a word before a message is read and put back, as the very same JSON, after it was written.
import { isMedia } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { parseBlock } from '../content/parse.ts';
import type { WireName } from '../window/profile.ts';
import { spelt } from '../wire/fields.ts';
import type { Fields } from '../wire/fields.ts';
import { isToolResult } from './dialect.ts';

export type Keepsakes = Map<string, unknown>;

/** The items with a word in place of every block that is neither text nor a medium with its bytes. */
export function putAside(items: readonly Fields[], wire: WireName, kept: Keepsakes): Fields[] {
  const aside = (block: unknown): unknown => {
    if (isUnderstood(block, wire)) return block;
    const word = `\u0001kept ${kept.size}`;
    kept.set(word, block);
    return wire === 'gemini' ? { text: word } : { type: textType(wire), text: word };
  };
  const each = (value: unknown): unknown => (Array.isArray(value) ? value.map(aside) : value);
  return items.map((item) => {
    switch (wire) {
      case 'anthropic-messages': {
        const { content } = item;
        if (!Array.isArray(content)) return item;
        const blocks = content.map((block: unknown) =>
          isRecord(block) && isToolResult(block) ? { ...block, content: each(block['content']) } : aside(block),
        );
        return { ...item, content: blocks };
      }
      case 'openai-chat':
        return item['role'] === 'user' ? { ...item, content: each(item['content']) } : item;
      case 'openai-responses':
        if (item['type'] === 'function_call_output') return { ...item, output: each(item['output']) };
        return { ...item, content: each(item['content']) };
      case 'gemini':
        return { ...item, parts: each(item['parts']) };
      case 'ollama':
        return item;
    }
  });
}

function textType(wire: WireName): string {
  return wire === 'openai-responses' ? 'input_text' : 'text';
}

function isUnderstood(block: unknown, wire: WireName): boolean {
  if (!isRecord(block)) return false;
  if (wire === 'gemini') {
    const part = spelt(block);
    if ('functionResponse' in part) return true;
    const [first, ...more] = Object.keys(part);
    return first === 'text' && more.length === 0 ? true : 'inlineData' in part && !('thought' in part);
  }
  const source = isRecord(block['source']) ? block['source'] : {};
  if (source['type'] !== undefined && source['type'] !== 'base64') return false;
  const parsed = parseBlock(block);
  if (!parsed) return false;
  return parsed.type === 'text' || (isMedia(parsed) && 'data' in parsed);
}

/** Puts everything back, at any depth. */
export function putBack(value: unknown, kept: Keepsakes): unknown {
  if (kept.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => putBack(item, kept));
  if (!isRecord(value)) return value;
  const word = value['text'];
  if (typeof word === 'string' && kept.has(word)) return kept.get(word);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, putBack(item, kept)]));
}
