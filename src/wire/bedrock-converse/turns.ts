// Results are blocks of a message of the user, in which other blocks may follow them. A block is an object with one
// field that says what it is.
import { isMediaKind } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { MediaSlot } from '../../window/decide.ts';
import { list, string } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { carried } from '../same-content.ts';
import { blockText, formerSelves, records } from '../turns.ts';
import type { Call, DecidesReference, Turns } from '../turns.ts';

export const turns: Turns = {
  role(item) {
    if (item['role'] === 'assistant') return 'assistant';
    if (item['role'] !== 'user') return 'other';
    return resultsIn(item).length > 0 ? 'result' : 'user';
  },
  calls: (item) =>
    records(item['content']).flatMap(({ toolUse }) =>
      isRecord(toolUse) && toolUse['type'] !== 'server_tool_use'
        ? [{ id: string(toolUse['toolUseId']), name: string(toolUse['name']) ?? 'tool' }]
        : [],
    ),
  answers: (item) => resultsIn(item).map(({ toolUseId }) => string(toolUseId)),
  opener: (calls) => [
    {
      role: 'assistant',
      content: calls.map(({ id, name }) => ({ toolUse: { toolUseId: id, name, input: {} } })),
    },
  ],
  repair: (items) => items,
  protect: (items, wordFor, decides) => {
    const known = (block: unknown, slot: MediaSlot): unknown =>
      isKnown(block) || isDecided(block, slot, decides) ? block : { text: wordFor(block) };
    return items.map((item) => {
      const { content } = item;
      if (!Array.isArray(content)) return item;
      const blocks = content.map((block: unknown) => {
        const held = resultOf(block);
        if (!held) return known(block, 'user');
        const slot = held['status'] === 'error' ? 'errorResult' : 'result';
        return { toolResult: { ...held, content: list(held['content']).map((inner) => known(inner, slot)) } };
      });
      return { ...item, content: blocks };
    });
  },
  text: blockText,
  media,
  finish,
};

function resultOf(block: unknown): Fields | undefined {
  return isRecord(block) && isRecord(block['toolResult']) ? block['toolResult'] : undefined;
}

function resultsIn(item: Fields): Fields[] {
  return records(item['content'])
    .map(resultOf)
    .filter((held) => held !== undefined);
}

/** Words, or a medium with its bytes. */
function isKnown(block: unknown): boolean {
  if (!isRecord(block)) return false;
  return typeof block['text'] === 'string' || block['json'] !== undefined || mediumIn(block) !== undefined;
}

/** A medium in S3 that cannot stay as it is. */
function isDecided(block: unknown, slot: MediaSlot, decides: DecidesReference): boolean {
  const [kind, held] = isRecord(block) ? (Object.entries(block)[0] ?? []) : [];
  const source = isMediaKind(kind) && isRecord(held) && isRecord(held['source']) ? held['source'] : {};
  const uri = isRecord(source['s3Location']) ? string(source['s3Location']['uri']) : undefined;
  if (!isMediaKind(kind) || uri === undefined) return false;
  return decides({ type: kind, file: { endpoint: 'bedrock', id: uri } }, slot);
}

function mediumIn(block: Fields): Fields | undefined {
  const [kind = '', held] = Object.entries(block)[0] ?? [];
  const source = isMediaKind(kind) && isRecord(held) ? held['source'] : undefined;
  return isRecord(source) && source['bytes'] !== undefined ? block : undefined;
}

function media(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(media);
  if (!isRecord(value)) return [];
  return mediumIn(value) ? [value] : Object.values(value).flatMap(media);
}

function finish(made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]): Fields[] {
  const blocks = came.flatMap((message) => list(message['content']));
  const selves = formerSelves(came.flatMap(resultsIn), ({ toolUseId }) => string(toolUseId), calls);
  const others = blocks.filter((block) => !resultOf(block));
  return made.map((message, index) => {
    const content = list(message['content']);
    const results = records(content).flatMap((block) => {
      const held = resultOf(block);
      if (!held) return [];
      const id = calls[calls.length - selves.length]?.id;
      const former = selves.shift();
      const inner = Array.isArray(former?.['content']) ? carried(former['content'], list(held['content'])) : held['content']; // prettier-ignore
      return [{ toolResult: { ...former, ...held, ...(id !== undefined && { toolUseId: id }), content: inner } }];
    });
    const rest = carried(others, content.filter((block) => !resultOf(block))); // prettier-ignore
    return { ...(index === 0 && came[0]), ...message, content: [...results, ...rest] };
  });
}
