// What the wrapper has to know of each dialect to find its way in a list of items: who speaks in one, which calls it
// makes, which calls it answers. Items it does not know are nobody's, and are never moved out of their place.
import { isRecord } from '../content/json.ts';
import type { WireName } from '../window/profile.ts';
import { list, spelt, string } from '../wire/fields.ts';
import type { Fields } from '../wire/fields.ts';

type Speaker = 'assistant' | 'result' | 'user' | 'other';

/** A call as the dialect has it; some give no ids. */
export type Call = { id: string | undefined; name: string };

type Dialect = {
  speaker: (item: Fields) => Speaker;
  calls: (item: Fields) => Call[];
  /** The ids of the calls that an item answers; an answer without an id counts as undefined. */
  answers: (item: Fields) => (string | undefined)[];
};

export const dialects: Record<WireName, Dialect> = {
  'anthropic-messages': {
    speaker: (item) => {
      if (item['role'] === 'assistant') return 'assistant';
      if (item['role'] !== 'user') return 'other';
      return list(item['content']).some(isToolResult) ? 'result' : 'user';
    },
    calls: (item) =>
      records(item['content']).flatMap((block) =>
        block['type'] === 'tool_use' ? [{ id: string(block['id']), name: string(block['name']) ?? 'tool' }] : [],
      ),
    answers: (item) =>
      records(item['content'])
        .filter(isToolResult)
        .map((block) => string(block['tool_use_id'])),
  },
  'openai-chat': { speaker: byRole, calls: toolCalls, answers: (item) => [string(item['tool_call_id'])] },
  ollama: { speaker: byRole, calls: toolCalls, answers: (item) => [string(item['tool_call_id'])] },
  'openai-responses': {
    speaker: (item) => {
      const { type, role } = item;
      if (type === 'function_call_output' || isMisplaced(item)) return 'result';
      if (role === 'user' && (type === undefined || type === 'message')) return 'user';
      if (role === 'assistant' || type === 'function_call' || type === 'reasoning') return 'assistant';
      return 'other';
    },
    calls: (item) =>
      item['type'] === 'function_call' ? [{ id: string(item['call_id']), name: string(item['name']) ?? 'tool' }] : [],
    answers: (item) => [string(item['call_id'])],
  },
  gemini: {
    speaker: (item) => {
      if (item['role'] === 'model') return 'assistant';
      return responsesIn(item).length > 0 ? 'result' : 'user';
    },
    calls: (item) =>
      records(item['parts']).flatMap((part) => {
        const call = spelt(part)['functionCall'];
        return isRecord(call) ? [{ id: string(call['id']), name: string(call['name']) ?? 'tool' }] : [];
      }),
    answers: (item) => responsesIn(item).map((response) => string(response['id'])),
  },
};

function byRole({ role, tool_calls }: Fields): Speaker {
  if (role === 'assistant') return 'assistant';
  if (role === 'tool' && tool_calls === undefined) return 'result';
  return role === 'user' ? 'user' : 'other';
}

function toolCalls(item: Fields): Call[] {
  return records(item['tool_calls']).map((call) => {
    const called = [call['function'], call['custom']].find(isRecord) ?? {};
    return { id: string(call['id']), name: string(called['name']) ?? 'tool' };
  });
}

export function records(value: unknown): Fields[] {
  return list(value).filter(isRecord);
}

export function isToolResult(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'tool_result';
}

/** A result that was written as words of the assistant: only what goes in may be of these types. */
export function isMisplaced(item: Fields): boolean {
  const parts = item['role'] === 'assistant' ? records(item['content']) : [];
  return parts.some(({ type }) => type === 'input_image' || type === 'input_file');
}

export function responsesIn(content: Fields): Fields[] {
  return records(content['parts']).flatMap((part) => {
    const response = spelt(part)['functionResponse'];
    return isRecord(response) ? [response] : [];
  });
}

/** The calls in the words of the dialect; they only have to be found by their results. */
export function openerOf(calls: readonly Call[], wire: WireName): Fields[] {
  if (calls.length === 0) return [];
  switch (wire) {
    case 'anthropic-messages':
      return [{ role: 'assistant', content: calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })) }];
    case 'openai-responses':
      return calls.map(({ id, name }) => ({ type: 'function_call', call_id: id, name, arguments: '{}' }));
    case 'gemini':
      return [
        {
          role: 'model',
          parts: calls.map((call) => ({ functionCall: { ...idOf(call), name: call.name, args: {} } })),
        },
      ];
    case 'openai-chat':
    case 'ollama': {
      const input = wire === 'ollama' ? {} : '{}';
      const made = calls.map((call) => ({
        ...idOf(call),
        type: 'function',
        function: { name: call.name, arguments: input },
      }));
      return [{ role: 'assistant', content: '', tool_calls: made }];
    }
  }
}

function idOf({ id }: Call): Fields {
  return id === undefined ? {} : { id };
}
