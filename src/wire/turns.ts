// What has to be known of a dialect to change some items of a request and leave the rest alone: who speaks in an item,
// which calls it makes and answers, and how new items take the place of old ones. Each wire says it in its `turns.ts`;
// this is what they share. Items that a wire does not know are nobody's.
import { isMedia } from '../content/block.ts';
import type { MediaInput } from '../content/input.ts';
import { isRecord } from '../content/json.ts';
import { parseBlock } from '../content/parse.ts';
import type { MediaSlot } from '../window/decide.ts';
import { list, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { carried } from './same-content.ts';

export type ItemRole = 'assistant' | 'result' | 'user' | 'other';

/** A call as the dialect has it; some give no ids. */
export type Call = { id: string | undefined; name: string };

export type Turns = {
  role: (item: Fields) => ItemRole;
  calls: (item: Fields) => Call[];
  /** The ids of the calls that an item answers; an answer without an id counts as undefined. */
  answers: (item: Fields) => (string | undefined)[];
  /** SDKs of this dialect send the media of a result without the result. */
  mediaAlone?: true;
  /** The calls in the words of the dialect; they only have to be found by their results. */
  opener: (calls: readonly Call[]) => Fields[];
  /** What SDKs do to results, undone. The same list when there is nothing to undo. */
  repair: (items: readonly Fields[], calls: readonly Call[]) => readonly Fields[];
  /** The items with a text in place of every block that is neither text nor a medium with its bytes, nor one that lies
   * elsewhere and has to be decided about. */
  protect: (items: readonly Fields[], wordFor: (block: unknown) => string, decides: DecidesReference) => Fields[];
  /** Its answers count tokens by the kind of medium. */
  countsKinds?: true;
  /** What a block says that is nothing but text; so the texts of `protect` are found again. */
  text: (block: unknown) => string | undefined;
  /** The media in a part of a request, at any depth, each as the block or the bare base64 that it is. */
  media: (value: unknown) => unknown[];
  /**
   * New items as they go out: every result under the id that its call has in the request, and with the fields that its
   * former self had and nobody here knows. `made` are the results in the order of the calls, then messages of the user:
   * first our own, then those that came.
   */
  finish: (made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]) => Fields[];
};

/** The text of a block that has it in a field of this name, as all but few dialects do. */
export function blockText(block: unknown): string | undefined {
  return isRecord(block) ? string(block['text']) : undefined;
}

/** The media that stand as blocks; a field of one of these names is a list of bare base64. */
export function mediaBlocks(value: unknown, bare: readonly string[] = []): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => mediaBlocks(item, bare));
  if (!isRecord(value)) return [];
  const block = 'type' in value || 'inlineData' in value || 'inline_data' in value ? parseBlock(value) : undefined;
  if (block && isMedia(block)) return [value];
  return Object.entries(value).flatMap(([key, item]) =>
    bare.includes(key) && Array.isArray(item) ? (item as unknown[]) : mediaBlocks(item, bare),
  );
}

export function records(value: unknown): Fields[] {
  return list(value).filter(isRecord);
}

export function idOf({ id }: Call): Fields {
  return id === undefined ? {} : { id };
}

/** Whether a medium that is given by its address or its id cannot stay as it is. */
export type DecidesReference = (given: MediaInput, slot: MediaSlot) => boolean;

/** A text, a medium with its bytes, or one that lies elsewhere and cannot stay as it is. */
export function isUnderstood(block: unknown, slot: MediaSlot, decides: DecidesReference): boolean {
  if (!isRecord(block)) return false;
  const parsed = parseBlock(block);
  if (parsed === undefined || parsed.type === 'text') return parsed !== undefined && isPlain(block);
  if (!isMedia(parsed) || 'asset' in parsed) return false;
  const given: MediaInput = parsed;
  return given.data === undefined ? decides(given, slot) : isPlain(block);
}

/** Some sources are neither bytes nor a place: lists of blocks, plain text. */
function isPlain(block: Fields): boolean {
  const source = isRecord(block['source']) ? block['source'] : {};
  return source['type'] === undefined || source['type'] === 'base64';
}

/** The former self of each result: by its id, or the next one where there are no ids. */
export function formerSelves(
  results: readonly Fields[],
  idIn: (result: Fields) => string | undefined,
  calls: readonly Call[],
): (Fields | undefined)[] {
  const left = [...results];
  return calls.map(({ id }) => {
    const at = left.findIndex((result) => idIn(result) === id);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
}

/** The turns of the two dialects in which a message has calls beside its words, and a result is a message. */
export function roleTurns(
  noArguments: unknown,
): Pick<Turns, 'role' | 'calls' | 'answers' | 'opener' | 'finish' | 'text' | 'media'> {
  const turns = {
    role({ role, tool_calls }: Fields): ItemRole {
      if (role === 'assistant') return 'assistant';
      if (role === 'tool' && tool_calls === undefined) return 'result';
      return role === 'user' ? 'user' : 'other';
    },
    calls: (item: Fields): Call[] =>
      records(item['tool_calls']).map((call) => {
        const called = [call['function'], call['custom']].find(isRecord) ?? {};
        return { id: string(call['id']), name: string(called['name']) ?? 'tool' };
      }),
    answers: (item: Fields): (string | undefined)[] => [string(item['tool_call_id'])],
  };
  return {
    ...turns,
    text: blockText,
    media: mediaBlocks,
    opener: (calls) => [
      {
        role: 'assistant',
        content: '',
        tool_calls: calls.map((call) => ({
          ...idOf(call),
          type: 'function',
          function: { name: call.name, arguments: noArguments },
        })),
      },
    ],
    finish: (made, came, calls) => finishEach(made, came, calls, { ...turns, id: 'tool_call_id', said: 'content' }),
  };
}

/** The fields that hold the id of a result's call, the blocks of a message and those of a result. */
type ItemFields = { id: string; said: string; answered?: string };

/** `finish` where every result is an item of its own. */
export function finishEach(
  made: readonly Fields[],
  came: readonly Fields[],
  calls: readonly Call[],
  { role, answers, id: idField, said, answered }: Pick<Turns, 'role' | 'answers'> & ItemFields,
): Fields[] {
  const results = came.filter((item) => role(item) === 'result');
  const selves = formerSelves(results, (item) => answers(item)[0], calls);
  const users = lastOf(
    made.filter((item) => role(item) === 'user').length,
    came.filter((item) => role(item) === 'user'),
  );
  return made.map((item) => {
    if (role(item) === 'user') return withBlocks(users.shift(), item, said);
    if (role(item) !== 'result') return item;
    const { [idField]: _, ...rest } = item;
    const id = calls[calls.length - selves.length]?.id;
    return { ...withBlocks(selves.shift(), rest, answered), ...(id !== undefined && { [idField]: id }) };
  });
}

function lastOf(count: number, items: readonly Fields[]): (Fields | undefined)[] {
  return Array.from({ length: count }, (_, at) => items[items.length - count + at]);
}

/** An item with the fields of its former self; blocks that came just so keep all of theirs. */
function withBlocks(came: Fields | undefined, made: Fields, field: string | undefined): Fields {
  const [before, now] = field === undefined ? [] : [came?.[field], made[field]];
  const blocks = field !== undefined &&
    Array.isArray(before) &&
    Array.isArray(now) && { [field]: carried(before, now) };
  return { ...came, ...made, ...blocks };
}
