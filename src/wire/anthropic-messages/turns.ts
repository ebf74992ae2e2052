// Results are blocks of a message of the user, in which other blocks may follow them.
import { isRecord } from '../../content/json.ts';
import type { MediaSlot } from '../../window/decide.ts';
import { list, string } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { carried } from '../same-content.ts';
import { formerSelves, isUnderstood, mediaBlocks, blockText, records } from '../turns.ts';
import type { Call, Turns } from '../turns.ts';

export const turns: Turns = {
  role(item) {
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
  opener: (calls) => [
    { role: 'assistant', content: calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: {} })) },
  ],
  repair: (items) => items,
  protect: (items, wordFor, decides) => {
    const known = (block: unknown, slot: MediaSlot): unknown =>
      isUnderstood(block, slot, decides) ? block : { type: 'text', text: wordFor(block) };
    const each = ({ content, is_error }: Fields): unknown => {
      const slot = is_error === true ? 'errorResult' : 'result';
      return Array.isArray(content) ? content.map((block: unknown) => known(block, slot)) : content;
    };
    return items.map((item) => {
      const { content } = item;
      if (!Array.isArray(content)) return item;
      const blocks = content.map((block: unknown) =>
        isRecord(block) && isToolResult(block) ? { ...block, content: each(block) } : known(block, 'user'),
      );
      return { ...item, content: blocks };
    });
  },
  text: blockText,
  media: mediaBlocks,
  finish,
};

function isToolResult(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'tool_result';
}

function finish(made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]): Fields[] {
  const blocks = came.flatMap((message) => list(message['content']));
  const selves = formerSelves(records(blocks).filter(isToolResult), (block) => string(block['tool_use_id']), calls);
  const others = blocks.filter((block) => !isToolResult(block));
  return made.map((message, index) => {
    const content = list(message['content']);
    const results = records(content)
      .filter(isToolResult)
      .map((block) => {
        const id = calls[calls.length - selves.length]?.id;
        const former = selves.shift();
        const inner = Array.isArray(former?.['content'])
          ? carried(former['content'], list(block['content']))
          : block['content'];
        return { ...former, ...block, ...(id !== undefined && { tool_use_id: id }), content: inner };
      });
    const rest = carried(
      others,
      content.filter((block) => !isToolResult(block)),
    );
    return { ...(index === 0 && came[0]), ...message, content: [...results, ...rest] };
  });
}
