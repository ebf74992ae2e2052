// Reads an outlined body of any wire back into one plain form, so that a law can be stated once for all of them.
import { fieldsFor } from '../../src/wire/places.ts';
import type { WireName } from '../../src/window/profile.ts';

export type Part = { text: string } | { media: string };
export type Result = { id: string; text: string; parts: Part[]; isError: boolean };
export type Entry =
  | { role: 'user'; parts: Part[] }
  | { role: 'assistant'; text: string; calls: { id: string; name: string }[] }
  | { role: 'results'; results: Result[] };

type Node = { readonly [key: string]: unknown };

export function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

export function list(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(node) : [];
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The items of a body that a provider's cache compares: messages, contents or input. */
export function itemsOf(body: Node): Node[] {
  return fieldsFor('items').flatMap((field) => list(body[field]));
}

const noteOfMedia = /<[\d,]+ characters of base64, asset ([0-9a-f]{8})>/;

/** The short id of the asset that stands at this place, wherever in the part its base64 would be. */
function part(value: unknown): Part {
  const found = noteOfMedia.exec(JSON.stringify(value));
  return found?.[1] === undefined ? { text: string(node(value)['text']) } : { media: found[1] };
}

function parts(value: unknown): Part[] {
  return typeof value === 'string' ? [{ text: value }] : list(value).map(part);
}

function images(message: Node): Part[] {
  return Array.isArray(message['images']) ? message['images'].map((one: unknown) => part({ one })) : [];
}

export function words(all: readonly Part[]): string {
  return all.flatMap((one) => ('text' in one ? [one.text] : [])).join('\n');
}

export function mediaIn(all: readonly Part[]): string[] {
  return all.flatMap((one) => ('media' in one ? [one.media] : []));
}

export function read(wire: WireName, body: Node): Entry[] {
  return grouped(itemsOf(body).flatMap((item) => readers[wire](item)));
}

/** Results that stand side by side are one turn's. */
function grouped(entries: readonly Entry[]): Entry[] {
  const out: Entry[] = [];
  for (const entry of entries) {
    const last = out.at(-1);
    if (entry.role === 'results' && last?.role === 'results') last.results.push(...entry.results);
    else if (entry.role === 'assistant' && last?.role === 'assistant') {
      last.text += entry.text;
      last.calls.push(...entry.calls);
    } else if (entry.role !== 'results' || entry.results.length > 0) out.push(entry);
  }
  return out;
}

function answer(id: unknown, all: Part[], isError = false): Entry {
  return { role: 'results', results: [{ id: string(id), text: words(all), parts: all, isError }] };
}

const readers: Record<WireName, (item: Node) => Entry[]> = {
  'anthropic-messages': (item) => {
    const content = list(item['content']);
    if (item['role'] === 'assistant') {
      const calls = content.filter((block) => block['type'] === 'tool_use');
      return [
        {
          role: 'assistant',
          text: words(content.map(part)),
          calls: calls.map(({ id, name }) => ({ id: string(id), name: string(name) })),
        },
      ];
    }
    const results = content.filter((block) => block['type'] === 'tool_result');
    const rest = content.filter((block) => block['type'] !== 'tool_result').map(part);
    return [
      ...results.map((one) => answer(one['tool_use_id'], parts(one['content']), one['is_error'] === true)),
      ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : []),
    ];
  },
  'openai-chat': (item) => {
    if (item['role'] === 'assistant') {
      const calls = list(item['tool_calls']).map((one) => ({
        id: string(one['id']),
        name: string(node(one['function'])['name']),
      }));
      return [{ role: 'assistant', text: string(item['content']), calls }];
    }
    if (item['role'] === 'tool')
      return [answer(item['tool_call_id'], parts(item['content']), /^error/i.test(string(item['content'])))];
    return item['role'] === 'user' ? [{ role: 'user', parts: parts(item['content']) }] : [];
  },
  'openai-responses': (item) => {
    if (item['type'] === 'function_call') {
      return [{ role: 'assistant', text: '', calls: [{ id: string(item['call_id']), name: string(item['name']) }] }];
    }
    if (item['type'] === 'function_call_output') {
      const all = parts(item['output']);
      return [answer(item['call_id'], all, /^error/i.test(words(all)))];
    }
    if (item['role'] === 'user') return [{ role: 'user', parts: parts(item['content']) }];
    return [{ role: 'assistant', text: words(parts(item['content'])), calls: [] }];
  },
  gemini: (item) => {
    const all = list(item['parts']);
    if (item['role'] === 'model') {
      const calls = all.flatMap((one) => ('functionCall' in one ? [node(one['functionCall'])] : []));
      return [
        {
          role: 'assistant',
          text: words(all.map(part)),
          calls: calls.map(({ id, name }) => ({ id: string(id), name: string(name) })),
        },
      ];
    }
    const responses = all.flatMap((one) => ('functionResponse' in one ? [node(one['functionResponse'])] : []));
    const rest = all.filter((one) => !('functionResponse' in one)).map(part);
    return [
      ...responses.map((one) => {
        const given = node(one['response']);
        const said = 'error' in given ? given['error'] : (given['output'] ?? given);
        const text = typeof said === 'string' ? said : JSON.stringify(said);
        return answer(one['id'], [{ text }, ...parts(one['parts'])], 'error' in given);
      }),
      ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : []),
    ];
  },
  ollama: (item) => {
    const all = [{ text: string(item['content']) }, ...images(item)];
    if (item['role'] === 'assistant') {
      const calls = list(item['tool_calls']).map((one) => ({
        id: string(one['id']),
        name: string(node(one['function'])['name']),
      }));
      return [{ role: 'assistant', text: string(item['content']), calls }];
    }
    if (item['role'] === 'tool') return [answer(item['tool_call_id'], all, /^error/i.test(string(item['content'])))];
    return item['role'] === 'user' ? [{ role: 'user', parts: all }] : [];
  },
  'bedrock-converse': (item) => {
    const content = list(item['content']).filter((block) => !('cachePoint' in block));
    if (item['role'] === 'assistant') {
      const calls = content.flatMap((one) => ('toolUse' in one ? [node(one['toolUse'])] : []));
      return [
        {
          role: 'assistant',
          text: words(content.map(part)),
          calls: calls.map(({ toolUseId, name }) => ({ id: string(toolUseId), name: string(name) })),
        },
      ];
    }
    const results = content.flatMap((one) => ('toolResult' in one ? [node(one['toolResult'])] : []));
    const rest = content.filter((one) => !('toolResult' in one)).map(part);
    return [
      ...results.map((one) => answer(one['toolUseId'], parts(one['content']), one['status'] === 'error')),
      ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : []),
    ];
  },
};
