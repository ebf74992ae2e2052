// Who broke the prefix: breaks planted in bodies that were really prepared are named with the guilty block, and a
// conversation that only grows is never accused.
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Json } from '../../src/content/json.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { PrepareOptions } from '../../src/model/prepared.ts';
import { keptBody, plainElements } from '../../src/record/body.ts';
import type { KeptBody } from '../../src/record/body.ts';
import { bodyDelta, replayed } from '../../src/record/delta.ts';
import { prefixBreak } from '../../src/record/prefix.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { onePerWire } from '../laws/models.ts';
import { shots } from '../model/shots.ts';

const assets = memoryAssets();
const { blocks } = await shots(8, assets);

const tool = (name: string): { name: string; description: string; inputSchema: { type: 'object' } } => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { of: { type: 'string' } } } as { type: 'object' },
});
const transcript = {
  system: 'You look after the harbour. Be brief.',
  tools: [tool('moor'), tool('weigh'), tool('look')],
};

/** So many turns: a call, its result with a picture, a word, a question. */
function conversation(turns: number): MessageInput[] {
  return Array.from({ length: turns }, (_, berth): MessageInput[] => [
    { role: 'user', content: `Which ship lies at berth ${berth}? Look closely.` },
    {
      role: 'assistant',
      content: [{ type: 'call', id: `call_${berth}`, name: 'look', input: { of: `berth ${berth}` } }],
    },
    {
      role: 'tool',
      callId: `call_${berth}`,
      name: 'look',
      content: [
        { type: 'text', text: `Berth ${berth}, taken at dawn, seen from the pier.` },
        blocks[berth % 8] ?? 'nothing',
      ],
    },
    { role: 'assistant', content: `The ship at berth ${berth} is the Ariel.` },
  ]).flat();
}

async function bodyOf(
  model: (typeof onePerWire)[number],
  messages: readonly MessageInput[],
  more: Partial<PrepareOptions> = {},
): Promise<{ body: KeptBody; ledger: Ledger; receipts: readonly { action: string }[] }> {
  const request = await prepare({ ...transcript, messages }, { model, assets, readPictures: false, ...more });
  return {
    body: keptBody(request.outgoing().skeleton().skeleton),
    ledger: request.ledger,
    receipts: request.receipts,
  };
}

type Open = { [field: string]: Json };

/** The body as one value that can be changed. */
function opened({ order, head, lists }: KeptBody): Open {
  const texts = (field: string): Json | undefined => lists[field] && plainElements(lists[field]);
  return structuredClone(Object.fromEntries(order.map((field) => [field, texts(field) ?? head[field] ?? null])));
}

function closed(body: Open, { marks }: KeptBody): KeptBody {
  const fields = Object.entries(body);
  return {
    order: fields.map(([field]) => field),
    head: Object.fromEntries(fields.filter(([, value]) => !Array.isArray(value))),
    lists: Object.fromEntries(
      fields.flatMap(([field, value]) =>
        Array.isArray(value) ? [[field, value.map((is: Json) => JSON.stringify({ is }))]] : [],
      ),
    ),
    marks,
  };
}

type Path = (string | number)[];
type Leaf = { path: Path; value: Json };

function leaves(value: Json, path: Path = []): Leaf[] {
  if (typeof value !== 'object' || value === null || '$asset' in value) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) =>
    leaves(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function at(body: Open, path: Path): Json {
  return path.reduce<Json>((value, key) => (value as { [key: string]: Json })[key] ?? null, body);
}

function put(body: Open, path: Path, value: Json): void {
  const parent = at(body, path.slice(0, -1)) as { [key: string]: Json };
  parent[path.at(-1) ?? ''] = value;
}

const itemsOf = (body: Open): string => ['messages', 'input', 'contents'].find((field) => field in body) ?? '';
const wordsWith = (body: Open, text: string): Leaf => {
  const found = leaves(body).find(({ value }) => typeof value === 'string' && value.includes(text));
  if (!found) throw new Error(`nobody says ${text}`);
  return found;
};
const picture = (body: Open, index: number): Leaf => {
  const found = leaves(body).filter(({ value }) => typeof value === 'object' && value !== null)[index];
  if (!found) throw new Error('there is no picture');
  return found;
};

/** The list that the tools themselves stand in. */
function toolsAt(body: Open): Path {
  const gemini = leaves(body).find(({ path }) => path.includes('functionDeclarations'));
  return gemini
    ? gemini.path.slice(0, gemini.path.indexOf('functionDeclarations') + 1)
    : 'toolConfig' in body
      ? ['toolConfig', 'tools']
      : ['tools'];
}

/** The same with its fields the other way round, those inside of the only one too. */
function reversed(value: Json): Json {
  const entries = Object.entries(value as { [key: string]: Json });
  const [only] = entries;
  if (entries.length === 1 && only) return { [only[0]]: reversed(only[1]) };
  return Object.fromEntries(entries.toReversed());
}

const listAt = (body: Open, path: Path): Json[] => at(body, path) as Json[];
/** The innermost element of a list on the way to a place. */
const blockOf = (path: Path): Path => path.slice(0, path.findLastIndex((key) => typeof key === 'number') + 1);

/** Changes a body and says which block is guilty. */
type Plant = (body: Open) => { block: Path; part: string; kind?: string };

const change =
  (part: string, text: string, to: (words: string) => string): Plant =>
  (body) => {
    const { path, value } = wordsWith(body, text);
    put(body, path, to(typeof value === 'string' ? value : ''));
    const block = blockOf(path);
    return { part, kind: 'changed', block: block.length === 0 ? path.slice(0, 1) : block };
  };

const inItems =
  (act: (items: Json[], field: string) => { index: number; kind: string }): Plant =>
  (body) => {
    const field = itemsOf(body);
    const { index, kind } = act(listAt(body, [field]), field);
    return { part: 'items', kind, block: [field, index] };
  };

const inTools =
  (act: (tools: Json[]) => { index: number; kind: string }): Plant =>
  (body) => {
    const path = toolsAt(body);
    const { index, kind } = act(listAt(body, path));
    return { part: 'tools', kind, block: [...path, index] };
  };

/** Where the conversation stands, past the system prompt that some have as their first item. */
const plants: [string, Plant][] = [
  ['a letter in the description of the second tool', change('tools', 'Does weigh', (words) => words.replace('D', 'd'))],
  ['a property of the last tool renamed', (body) => {
    const { path } = leaves(at(body, [...toolsAt(body), 2])).map((leaf) => ({ ...leaf, path: [...toolsAt(body), 2, ...leaf.path] })).findLast(({ path: each }) => each.includes('of')) ?? { path: [] };
    put(body, path, 'number');
    return { part: 'tools', block: [...toolsAt(body), 2] };
  }],
  ['a tool before the others', inTools((tools) => (tools.unshift({ name: 'new' }), { index: 0, kind: 'inserted' }))],
  ['the first tool gone', inTools((tools) => (tools.shift(), { index: 0, kind: 'removed' }))],
  ['two tools changing places', inTools((tools) => (tools.splice(1, 2, tools[2] ?? null, tools[1] ?? null), { index: 1, kind: 'reordered' }))],
  ['a tool with its fields in another order', inTools((tools) => {
    tools[0] = reversed(tools[0] ?? null);
    return { index: 0, kind: 'key-order' };
  })],
  ['the system prompt with a date', change('system', 'harbour', (words) => `${words} Today is Monday.`)],
  ['a space at the end of the system prompt', change('system', 'harbour', (words) => `${words} `)],
  ['another model', (body) => (body['model'] = 'other', { part: 'model', block: ['model'] })],
  ['thinking switched on', (body) => (body['thinking'] = { budget: 1 }, { part: 'thinking', kind: 'inserted', block: ['thinking'] })],
  ['a tool that must be called', (body) => (body['tool_choice'] = 'required', { part: 'tool choice', kind: 'inserted', block: ['tool_choice'] })],
  ['a form for the answer', (body) => (body['format'] = { type: 'object' }, { part: 'output', kind: 'inserted', block: ['format'] })],
  ['an accent written as two letters', change('items', 'berth 0?', (words) => words.replace('ship', 'shíp'))],
  ['the argument of an old call', change('items', 'berth 1"', (words) => words.replace('1', '9'))],
  ['a question that was edited', change('items', 'berth 2?', (words) => words.replace('Look', 'Gaze'))],
  ['an old result cut short', change('items', 'Berth 1, taken', (words) => words.slice(0, 8))],
  ['an item put in between', inItems((items) => (items.splice(3, 0, { role: 'user', content: 'psst' }), { index: 3, kind: 'inserted' }))],
  ['an item taken out', inItems((items) => (items.splice(4, 1), { index: 4, kind: 'removed' }))],
  ['another picture in the same place', (body) => {
    const { path, value } = picture(body, 1);
    put(body, path, { ...(value as object), $asset: 'sha256:other' });
    return { part: 'items', kind: 'other-bytes', block: blockOf(path) };
  }],
  ['a picture that became words', (body) => {
    const { path } = picture(body, 0);
    const block = blockOf(path);
    const isBlock = block.length > 2 && typeof at(body, block) === 'object' && !('$asset' in (at(body, block) as object));
    put(body, isBlock ? block : path, isBlock ? { type: 'text', text: 'a picture, not shown' } : 'a picture, not shown');
    return { part: 'items', block };
  }],
]; // prettier-ignore

/** Ollama and chat completions spell arguments differently; what is planted must be there. */
const planted = (name: string, body: Open): string =>
  name === 'the argument of an old call'
    ? (leaves(body).find(
        ({ path, value }) =>
          path[0] === itemsOf(body) &&
          /^(?:\{"of":")?berth 1(?:"\})?$/.test(JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')),
      )?.value as string)
    : '';

describe.each(onePerWire)('on %s', (model) => {
  test.each(plants)('%s is named', async (name, plant) => {
    const before = await bodyOf(model, [...conversation(3), { role: 'user', content: 'And now?' }]);
    const now = await bodyOf(model, conversation(4).slice(0, -1), { ledger: before.ledger });
    const open = opened(now.body);
    const old = planted(name, open);
    const expected = old === '' ? plant(open) : change('items', old, (words) => words.replace('1', '9'))(open);
    const found = prefixBreak(before.body, closed(open, now.body), { tokens: 5000 });
    expect(found, 'a break was planted').toBeDefined();
    expect({ part: found?.part, block: found?.block }).toEqual({ part: expected.part, block: expected.block });
    if (expected.kind !== undefined) expect(found?.kind).toBe(expected.kind);
    expect(found?.keptTokens).toBeLessThan(5000);
    expect((found?.keptTokens ?? 0) + (found?.lostTokens ?? 0)).toBe(5000);
  });

  test('80 turns that only grow accuse nobody', async () => {
    let [last, ledger]: [KeptBody | undefined, Ledger | undefined] = [undefined, undefined];
    const messages = conversation(27);
    const alarms: unknown[] = [];
    for (let turn = 1; turn <= 80; turn++) {
      const end = Math.ceil(turn * 1.3);
      const upTo = messages.slice(0, end);
      const whole = upTo.at(-1)?.role === 'assistant' ? [...upTo, { role: 'user' as const, content: 'Go on.' }] : upTo;
      const isLast = whole.length > upTo.length;
      const options = { temperature: (turn % 10) / 10, maxTokens: 1000 + turn, ...(ledger && { ledger }) };
      const made = await bodyOf(model, whole, options);
      const found = last && prefixBreak(last, made.body);
      const own = made.receipts.some(({ action }) => action === 'checkpoint');
      if (found && !own) alarms.push({ turn, found });
      if (!isLast) [last, ledger] = [made.body, made.ledger];
    }
    expect(alarms).toEqual([]);
  });
});

test('marks that were taken away are to blame when nothing else is', async () => {
  const { body } = await bodyOf('anthropic/claude-sonnet-4-5', conversation(2).slice(0, -1));
  expect(body.marks.length).toBeGreaterThan(1);
  const moved = body.marks.map(([path, ...rest]) => [['messages', 0, ...path.slice(2)], ...rest] as const);
  expect(prefixBreak(body, { ...body, marks: moved })).toBeUndefined();
  expect(prefixBreak(body, { ...body, marks: [] })).toMatchObject({ part: 'marks', kind: 'marks', keptTokens: 0 });
});

test('a field with a name that every object knows is new where it was not', () => {
  const before = keptBody({ messages: [{ role: 'user', content: 'Hi.' }] });
  const now = keptBody({ toString: 1, constructor: ['a'], messages: [{ role: 'user', content: 'Hi.' }] });
  expect(prefixBreak(before, now)).toMatchObject({ part: 'options', kind: 'inserted', path: ['toString'] });
  expect(replayed(before, bodyDelta(before, now))).toEqual(now);
});

const because = (subject: string): Receipt => ({ action: 'checkpoint', subject, why: 'the prefix moves' });

test('a checkpoint of ours is named with the break, one that the program made necessary is not ours', async () => {
  const before = await bodyOf('anthropic/claude-sonnet-4-5', conversation(2).slice(0, -1));
  const receipts = [because('budget'), because('system-changed')];
  const open = opened(before.body);
  const plant = plants.find(([name]) => name.includes('date'))?.[1];
  plant?.(open);
  const found = prefixBreak(before.body, closed(open, before.body), { receipts });
  expect(found?.moved).toEqual([because('budget')]);
});
