// Random transcripts. A shape is drawn first and knows no model; `transcriptOf` makes messages of it for one model, so
// that its seals are that model's own or a stranger's, and every text, seal and detail carries a mark.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Block, CallBlock, MediaBlock } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import type { Profile } from '../../src/window/profile.ts';
import { contentOf, contentShape, marks, medium, textOf, textShape } from './blocks.ts';
import type { ContentShape, Marks, TextShape } from './blocks.ts';
import { sealed, sealedCall, sealedText, strangers, thinking } from './seals.ts';
import type { Owner } from './seals.ts';

type ResultShape = { content: ContentShape; isError: boolean; details: boolean };

type CallShape = {
  id: string;
  tool: string;
  input: unknown;
  owner: Owner;
  result: ResultShape;
  arrives: 'in time' | 'never' | 'late' | 'twice';
};

type TurnShape = {
  thoughts: Owner[];
  sealed: Owner;
  texts: { text: TextShape; owner: Owner }[];
  media: MediaBlock[];
  calls: CallShape[];
  order: number;
  between: ContentShape | undefined;
  user: ContentShape | undefined;
};

export type Shape = { system: boolean; tools: boolean; first: ContentShape; turns: TurnShape[] };

const owner: Arbitrary<Owner> = fc.constantFrom('own', 'own', 'none', ...strangers);

/** Ids as models and gateways really give them, and worse. */
const oddIds = [
  '',
  'same',
  'a/1',
  'b/1',
  'functions.read:0',
  'call_x|fc_'.padEnd(90, 'y'),
  'two\nlines',
  'ид-1',
  'half \ud800',
];

const result: Arbitrary<ResultShape> = fc.record({
  content: contentShape,
  isError: fc.boolean(),
  details: fc.boolean(),
});

function callShape(arrives: readonly CallShape['arrives'][], ids: Arbitrary<string>): Arbitrary<CallShape> {
  return fc.record({
    id: ids,
    tool: fc.constantFrom('shot', 'read'),
    input: fc.constantFrom<unknown>({}, { path: 'a.png' }, { deep: [{ x: null }] }, undefined, null, 'words', [1, 2]),
    owner,
    result,
    arrives: fc.constantFrom(...arrives),
  });
}

const freshIds = fc.constant('fresh');
const anyIds = fc.oneof({ weight: 2, arbitrary: freshIds }, { weight: 1, arbitrary: fc.constantFrom(...oddIds) });

function turn(calls: Arbitrary<CallShape[]>, orderly: boolean): Arbitrary<TurnShape> {
  return fc.record({
    thoughts: fc.array(owner, { maxLength: 2 }),
    sealed: fc.oneof({ weight: 4, arbitrary: fc.constant<Owner>('none') }, { weight: 1, arbitrary: owner }),
    texts: fc.array(fc.record({ text: textShape, owner }), { maxLength: 2 }),
    media: fc.array(medium, { maxLength: orderly ? 0 : 1 }),
    calls,
    order: orderly ? fc.constant(0) : fc.nat({ max: 3 }),
    between: orderly ? fc.constant(undefined) : fc.option(contentShape, { nil: undefined, freq: 4 }),
    user: orderly ? contentShape : fc.option(contentShape, { nil: undefined, freq: 2 }),
  });
}

function shapes(calls: Arbitrary<CallShape[]>, orderly: boolean): Arbitrary<Shape> {
  return fc.record({
    system: fc.boolean(),
    tools: fc.boolean(),
    first: contentShape,
    turns: fc.array(turn(calls, orderly), { minLength: 1, maxLength: 4 }),
  });
}

/** Anything that may be found in a store: results missing, late, twice, out of order, ids odd or used again. */
export const anyShape: Arbitrary<Shape> = shapes(
  fc.array(callShape(['in time', 'in time', 'in time', 'never', 'late', 'twice'], anyIds), { maxLength: 4 }),
  false,
);

/** What a sound loop writes: every call answered at once and in order, ids all different, users between the turns. */
export const orderlyShape: Arbitrary<Shape> = shapes(
  fc.array(callShape(['in time'], freshIds), { maxLength: 3 }),
  true,
);

export const tools: NonNullable<Transcript['tools']> = [
  { name: 'shot', description: 'Takes a picture', inputSchema: { type: 'object', properties: {} } },
  { name: 'read', description: '', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
];

export type Built = Transcript & {
  /** How many messages each request of the conversation had, for conversations that grow. */
  cuts: number[];
};

export function transcriptOf(shape: Shape, profile: Profile): Built {
  const mark = marks();
  const messages: Message[] = [{ role: 'user', content: contentOf(shape.first, mark) }];
  const cuts = [1];
  let late: ToolMessage[] = [];
  for (const [index, one] of shape.turns.entries()) {
    const calls = one.calls.map((item, at) => callOf(item, `c${index}-${at}`, mark, profile));
    messages.push({
      role: 'assistant',
      model: modelOf(one, profile),
      content: assistantContent(one, calls, mark, profile),
    });
    messages.push(...late);
    late = [];
    const results: Message[] = [];
    for (const [at, item] of one.calls.entries()) {
      const answer = resultOf(item, calls[at]?.id ?? '', mark);
      if (item.arrives === 'in time' || item.arrives === 'twice') results.push(answer);
      if (item.arrives === 'twice') results.push(resultOf(item, answer.callId, mark));
      if (item.arrives === 'late') late.push(answer);
    }
    for (let step = 0; step < one.order && results.length > 1; step++) results.push(...results.splice(0, 1));
    if (one.between) results.splice(1, 0, { role: 'user', content: contentOf(one.between, mark) });
    messages.push(...results);
    if (results.length > 0) cuts.push(messages.length);
    if (one.user) cuts.push(messages.push({ role: 'user', content: contentOf(one.user, mark) }));
  }
  messages.push(...late);
  if (messages.at(-1)?.role === 'assistant')
    messages.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
  return {
    version: 1,
    ...(shape.system && { system: 'You see what tools see.' }),
    ...(shape.tools && { tools }),
    messages,
    cuts: [...cuts.filter((cut) => cut < messages.length), messages.length],
  };
}

function modelOf(one: TurnShape, profile: Profile): string {
  return one.thoughts.includes('own') ? profile.model : 'somewhere/else';
}

function callOf(item: CallShape, fresh: string, mark: Marks, profile: Profile): CallBlock {
  const id = item.id === 'fresh' ? fresh : item.id;
  const call: CallBlock = { type: 'call', id, name: item.tool, input: item.input };
  return sealedCall(call, item.owner, mark(item.owner === 'own' ? 'OWN' : 'FOE'), profile);
}

function assistantContent(one: TurnShape, calls: CallBlock[], mark: Marks, profile: Profile): Block[] {
  const thoughts = profile.wire === 'openai-chat' ? one.thoughts.slice(0, 1) : one.thoughts; // it has one field for them
  const own = (who: Owner): string => mark(who === 'own' ? 'OWN' : 'FOE');
  const item = one.sealed === 'none' ? undefined : sealed(one.sealed, own(one.sealed), profile);
  const texts = one.texts.map(({ text, owner: who }): Block => {
    const block = textOf(text, mark);
    return block.type === 'text' && !text.blank ? sealedText(block.text.toWellFormed(), who, own(who), profile) : block;
  });
  return [
    ...thoughts.map((who) => thinking(who, own(who), profile)),
    ...(item ? [item] : []),
    ...texts,
    ...one.media,
    ...calls,
  ];
}

function resultOf(
  { tool, result: { content, isError, details } }: CallShape,
  callId: string,
  mark: Marks,
): ToolMessage {
  return {
    role: 'tool',
    callId,
    name: tool,
    content: contentOf(content, mark),
    ...(isError && { isError }),
    ...(details && { details: { secret: mark('DET') } }),
  };
}

/** Under another name the same bytes are another document: here one that stands under several names has none. */
export function withOneName(messages: readonly Message[]): Message[] {
  const names = new Map<string, Set<string | undefined>>();
  for (const block of messages.flatMap(({ content }) => content))
    if (block.type === 'document')
      names.set(block.asset.id, (names.get(block.asset.id) ?? new Set()).add(block.asset.name));
  const nameless = (block: Block): Block => {
    if (block.type !== 'document' || (names.get(block.asset.id)?.size ?? 0) < 2) return block;
    const { name: _, ...asset } = block.asset;
    return { ...block, asset };
  };
  return messages.map((message): Message => ({ ...message, content: message.content.map(nameless) }));
}
