// New items as they go out: every result under the id that its call has in the request, and with the fields that its
// former self had and nobody here knows.
import { isRecord } from '../content/json.ts';
import type { WireName } from '../window/profile.ts';
import { list, spelt, string } from '../wire/fields.ts';
import type { Fields } from '../wire/fields.ts';
import { dialects, isMisplaced, isToolResult, records, responsesIn } from './dialect.ts';
import type { Call } from './dialect.ts';
import { carried, merged } from './same-content.ts';

/** `made` are the results in the order of the calls, then messages of the user: first our own, then those that came. */
export function finish(
  made: readonly Fields[],
  came: readonly Fields[],
  calls: readonly Call[],
  wire: WireName,
): Fields[] {
  switch (wire) {
    case 'anthropic-messages':
      return finishAnthropic(made, came, calls);
    case 'gemini':
      return finishGemini(made, came, calls);
    default:
      return finishFlat(made, came, calls, wire);
  }
}

/** The former self of each result: by its id, or the next one where there are no ids. */
function formerSelves(
  results: readonly Fields[],
  idOf: (result: Fields) => string | undefined,
  calls: readonly Call[],
): (Fields | undefined)[] {
  const left = [...results];
  return calls.map(({ id }) => {
    const at = left.findIndex((result) => idOf(result) === id);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
}

function finishFlat(
  made: readonly Fields[],
  came: readonly Fields[],
  calls: readonly Call[],
  wire: WireName,
): Fields[] {
  const { speaker, answers } = dialects[wire];
  const idField = wire === 'openai-responses' ? 'call_id' : 'tool_call_id';
  const results = came.filter((item) => speaker(item) === 'result' && !isMisplaced(item));
  const selves = formerSelves(results, (item) => answers(item)[0], calls);
  const users = usersFromEnd(
    made.filter((item) => speaker(item) === 'user').length,
    came.filter((item) => speaker(item) === 'user'),
  );
  return made.map((item) => {
    if (speaker(item) === 'user') return withContent(users.shift(), item, 'content');
    if (speaker(item) !== 'result') return item;
    const { [idField]: _, ...rest } = item;
    const id = calls[calls.length - selves.length]?.id;
    const former = selves.shift();
    const output =
      Array.isArray(item['output']) && Array.isArray(former?.['output'])
        ? { output: carried(former['output'], item['output']) }
        : {};
    return merged(former, { ...rest, ...(id !== undefined && { [idField]: id }), ...output });
  });
}

function usersFromEnd(count: number, users: readonly Fields[]): (Fields | undefined)[] {
  return Array.from({ length: count }, (_, at) => users[users.length - count + at]);
}

function withContent(came: Fields | undefined, made: Fields, field: string): Fields {
  const before = came?.[field];
  const now = made[field];
  return merged(came, {
    ...made,
    ...(Array.isArray(before) && Array.isArray(now) && { [field]: carried(before, now) }),
  });
}

function finishAnthropic(made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]): Fields[] {
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
        return merged(former, { ...block, ...(id !== undefined && { tool_use_id: id }), content: inner });
      });
    const rest = carried(
      others,
      content.filter((block) => !isToolResult(block)),
    );
    return merged(index === 0 ? came[0] : undefined, { ...message, content: [...results, ...rest] });
  });
}

function finishGemini(made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]): Fields[] {
  const former = formerSelves(came.flatMap(responsesIn), (response) => string(response['id']), calls);
  const users = came.flatMap((content) => list(content['parts']));
  const first = came.find((content) => responsesIn(content).length > 0) ?? (calls.length > 0 ? {} : came[0]);
  return made.map((content, index) => {
    const parts = records(content['parts']).map((part) => {
      const response = part['functionResponse'];
      if (!isRecord(response)) return part;
      const id = calls[calls.length - former.length]?.id;
      const { id: _, ...rest } = response;
      const self = former.shift();
      const kept = self ? Object.fromEntries(Object.entries(spelt(self)).filter(([key]) => key !== 'parts')) : {};
      return { ...part, functionResponse: { ...kept, ...(id !== undefined && { id }), ...rest } };
    });
    return merged(index === 0 ? first : undefined, { ...content, parts: carried(users, parts) });
  });
}
