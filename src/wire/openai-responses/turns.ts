// Every call and every result is an item of its own, found by its id. Some SDKs write a result as words of the assistant.
import { isRecord } from '../../content/json.ts';
import { string } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { finishEach, isUnderstood, mediaBlocks, blockText, records } from '../turns.ts';
import type { Call, Turns } from '../turns.ts';

export const turns: Turns = {
  role(item) {
    const { type, role } = item;
    if (type === 'function_call_output' || isScreenshot(item) || isMisplaced(item)) return 'result';
    if (role === 'user' && (type === undefined || type === 'message')) return 'user';
    // References, calls of the provider's own tools, instructions: pairs are found by id, so nothing moves past them.
    return 'assistant';
  },
  calls: (item) =>
    item['type'] === 'function_call' || item['type'] === 'computer_call'
      ? [
          {
            id: string(item['call_id']),
            name: string(item['name']) ?? (item['type'] === 'computer_call' ? 'computer' : 'tool'),
          },
        ]
      : [],
  answers: (item) => [string(item['call_id'])],
  opener: (calls) => calls.map(({ id, name }) => ({ type: 'function_call', call_id: id, name, arguments: '{}' })),
  repair: (items, calls) => (items.some(isMisplaced) ? asOutputs(items, calls) : items),
  protect: (items, wordFor, decides) =>
    items.map((item) => {
      const isResult = item['type'] === 'function_call_output';
      const field = isResult ? 'output' : 'content';
      const blocks = item[field];
      if (!Array.isArray(blocks)) return item;
      const known = blocks.map((block: unknown) =>
        isUnderstood(block, isResult ? 'result' : 'user', decides)
          ? block
          : { type: 'input_text', text: wordFor(block) },
      );
      return { ...item, [field]: known };
    }),
  text: blockText,
  media: mediaBlocks,
  finish: (made, came, calls) =>
    finishEach(made, came, calls, { ...turns, id: 'call_id', said: 'content', answered: 'output' }),
};

/** A screenshot with its bytes; one that lies elsewhere is left alone. */
function isScreenshot({ type, output }: Fields): boolean {
  const shot = type === 'computer_call_output' && isRecord(output) ? string(output['image_url']) : undefined;
  return shot?.startsWith('data:') ?? false;
}

/** A result that was written as words of the assistant: only what goes in may be of these types. */
function isMisplaced(item: Fields): boolean {
  const parts = item['role'] === 'assistant' ? records(item['content']) : [];
  return parts.some(({ type }) => type === 'input_image' || type === 'input_file');
}

/** Results that stand as messages of the assistant answer the calls that have no answer, in their order. */
function asOutputs(items: readonly Fields[], calls: readonly Call[]): Fields[] {
  const answered = new Set(items.map((item) => item['call_id']));
  const open = calls.filter(({ id }) => !answered.has(id));
  return items.map((item) => {
    const call = isMisplaced(item) ? open.shift() : undefined;
    if (!call) return item;
    const output = records(item['content']).map((part) =>
      part['type'] === 'output_text' ? { type: 'input_text', text: part['text'] } : part,
    );
    return { type: 'function_call_output', call_id: call.id, output };
  });
}
