// What a plan holds besides its media, what it tells, and what it goes on from.
import { describe, expect, test } from 'vitest';
import type { Block, ImageBlock, Seal } from '../../src/content/block.ts';
import { unansweredCall, unchangedPicture } from '../../src/content/words.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import { pair } from '../../src/message/pair.ts';
import { cacheKey } from '../../src/window/cache-marks.ts';
import { digestOf } from '../../src/window/ledger.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan, planFrom } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Need } from '../../src/window/rendition.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');
const bound = profileFor('anthropic/claude-opus-5-5');
const blind = profileFor('ollama/llama3.1');
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];

function picture(name: string, width = 280, size = 300): ImageBlock {
  const asset = { id: `sha256:${name.padEnd(64, '0')}`, mediaType: 'image/png', size, name } as const;
  return { type: 'image', asset, width, height: 280 };
}

const text = (value: string): Block => ({ type: 'text', text: value });
const user = (...content: Block[]): Message => ({ role: 'user', content });
const says = (...content: Block[]): Message => ({ role: 'assistant', model: claude.model, content });
const call = (id: string): Block => ({ type: 'call', id, name: 'look', input: {} });
const answers = (callId: string, ...content: Block[]): Message => ({ role: 'tool', callId, name: 'look', content });

function talk(...messages: Message[]): Transcript {
  return { version: 1, messages };
}

type Planned = Extract<PlanResult, { plan: object }>;

function planned(messages: Message[] | Transcript, input: Partial<PlanInput> = {}): Planned {
  const transcript = Array.isArray(messages) ? talk(...messages) : messages;
  const result = plan({ transcript, profile: claude, ...input });
  if (!result.plan) throw new Error(JSON.stringify(result));
  return result;
}

const told = ({ receipts }: Planned, action: string): string[] =>
  receipts.filter((one) => one.action === action).map(({ subject }) => subject);

describe('around the items', () => {
  test('a plan holds what it was given, and nothing that was not', () => {
    const { plan: made, receipts, totals } = planned([user(text('Hi.'))]);
    expect(made).toStrictEqual({
      profile: claude,
      tools: [],
      items: [{ role: 'user', content: [text('Hi.')] }],
      options: {},
      marks: { system: true, items: [0] },
    });
    expect(receipts).toEqual([]);
    expect(totals.ceiling.tokens).toBe(claude.contextTokens - claude.maxOutputTokens);
    const whole = planned({ ...talk(user(text('Hi.'))), system: 'Be brief.', tools }, { options: { maxTokens: 100 } });
    expect(whole.plan).toMatchObject({ system: 'Be brief.', tools, options: { maxTokens: 100 } });
    expect(whole.totals.ceiling.tokens).toBe(claude.contextTokens - 100);
    expect(whole.totals.used.tokens).toBeGreaterThan(totals.used.tokens);
    expect(planned({ ...talk(user(text('Hi.'))), system: ' \n' }).plan).not.toHaveProperty('system');
    expect(planned([user(text('Hi.'))], { options: { stop: ['x'], topK: 3 } }).receipts).toMatchObject([
      { action: 'ignored', subject: 'topK' },
    ]);
  });

  test('marks stand where requests end and before the first picture; a key routes where the API knows one', () => {
    const long = [user(text('1')), says(text('2')), user(text('3')), says(text('4')), user(text('5')), says(text('6'))];
    const seen = [...long.slice(0, 2), user(picture('a')), ...long.slice(3), user(text('7'))];
    expect(planned([...long, user(text('7'))]).plan.marks).toEqual({ system: true, items: [4, 6] });
    expect(planned(seen).plan.marks).toEqual({ system: true, items: [0, 4, 6] });
    expect(planned(seen, { cache: 'auto' }).plan.marks).toEqual({ system: true, items: [0, 4, 6] });
    expect(planned(seen, { cache: 'off' }).plan.marks).toEqual({ system: false, items: [] });
    const first = pair(seen).items[0];
    const openai = profileFor('openai/gpt-5.2');
    const keyed = planned(seen, { profile: openai }).plan;
    expect(keyed.cacheKey).toBe(cacheKey(talk(...seen), first && digestOf(first)));
    expect(keyed.marks).toEqual({ system: false, items: [] });
    expect(planned(seen, { profile: openai, cache: 'off' }).plan).not.toHaveProperty('cacheKey');
    expect(planned(seen).plan).not.toHaveProperty('cacheKey');
  });

  test('a turn that began without thinking goes on without it', () => {
    const options = { thinking: 'high' } as const;
    const seal: Seal = { wire: claude.wire, endpoint: claude.endpoint, model: claude.id, item: {} };
    const thinks = (messages: Message[]): boolean =>
      planned({ ...talk(...messages), tools }, { options }).plan.options.thinking === 'high';
    const thought: Block = { type: 'thinking', text: 'Hm.', seal };
    expect(thinks([user(text('Go.'))])).toBe(true);
    expect(thinks([user(text('Go.')), says(call('a')), answers('a', text('x'))])).toBe(false);
    expect(thinks([user(text('Go.')), says(text('y'), thought, call('a')), answers('a', text('x'))])).toBe(false);
    expect(thinks([user(text('Go.')), says(thought, call('a')), answers('a', text('x'))])).toBe(true);
    expect(thinks([user(text('Go.')), says(text('Done.')), user(text('And?'))])).toBe(true);
    expect(thinks([user(text('Go.')), says(call('a')), answers('a'), says(text('Done.')), user(text('And?'))])).toBe(
      true,
    );
  });
});

describe('what is told', () => {
  test('a model that nobody knows is planned as another', () => {
    const azure = profileFor('azure/deployment');
    expect(planned([user(text('Hi.'))], { profile: azure }).receipts).toStrictEqual([
      {
        action: 'assumed',
        subject: 'gpt-4.1',
        why: '"deployment" tells nothing about the model behind it; set its capabilities in the configuration',
      },
    ]);
  });

  test('calls and results that were mended, before anything about the items', () => {
    const { receipts } = planned([user(text('Go.'), picture('a')), says(call('a')), user(text('And?'))]);
    expect(receipts[0]).toStrictEqual({
      action: 'repaired',
      subject: 'unanswered',
      why: 'the call of look had no result',
      callId: 'a',
    });
    expect(receipts[1]).toMatchObject({ action: 'inside' });
    expect(JSON.stringify(planned([user(text('Go.')), says(call('a'))]).plan.items)).toContain(unansweredCall);
  });

  test('a profile that changed while the conversation goes on with the one it began with', () => {
    const { ledger } = planned([user(text('Hi.'))]);
    const newer: Profile = { ...claude, maxImages: 7 };
    const later = [user(text('Hi.')), says(text('Hello.')), user(text('And?'))];
    const next = planned(later, { ledger, profile: newer });
    expect(next.receipts).toStrictEqual([
      {
        action: 'frozen',
        subject: claude.model,
        why: 'the conversation goes on with the profile it began with',
      },
    ]);
    expect(next.plan.profile).toEqual(claude);
    expect(planned(later, { ledger, profile: { ...claude } }).receipts).toEqual([]);
    expect(planned(later, { ledger }).receipts).toEqual([]);
  });

  test('why the prefix moves, each reason once', () => {
    const first = planned([user(text('Hi.'), picture('a'))]);
    const edited = planned([user(text('Ho.'))], { ledger: first.ledger });
    expect(edited.receipts).toStrictEqual([
      { action: 'checkpoint', subject: 'history-edited', why: 'the prefix moves' },
    ]);
    const again = [user(text('Hi.'), picture('a'))];
    const { ledger } = first;
    const { id } = picture('a').asset;
    const refused: Fact = { ok: true, value: [] };
    const halves = new Map(
      (plan({ transcript: talk(...again), profile: claude, ledger, lower: new Set([id]) }).needs ?? []).map((need) => [
        renditionKey(need),
        refused,
      ]),
    );
    expect(halves.size).toBe(1);
    const lowered = planned(again, { ledger, lower: new Set([id]), facts: halves });
    expect(told(lowered, 'checkpoint')).toEqual(['quarantine']);
    expect(told(planned(again, { ledger, lower: new Set() }), 'checkpoint')).toEqual([]);
    expect(told(planned(again, { ledger, dropThinking: 0 }), 'checkpoint')).toEqual(['quarantine']);
    const gone = { ledger, gone: new Set([id]), lower: new Set([id]) };
    expect(told(planned(again, gone), 'checkpoint')).toEqual(['quarantine']);
  });

  test('that it moves for want of room', () => {
    const turns = [0, 1, 2, 3].flatMap((turn) => [
      user(text(`ask ${turn}`)),
      says(call(`c${turn}`)),
      answers(`c${turn}`, picture(`shot-${turn}`)),
    ]);
    const first = planned(turns);
    const next = [...turns, says(text('Done.')), user(text('And?'))];
    const tight = planned(next, { ledger: first.ledger, budget: { tokens: first.totals.used.tokens - 1 } });
    expect(told(tight, 'checkpoint')).toEqual(['budget']);
    expect(tight.ledger.entries[claude.model]?.items[2]?.decisions[0]?.action).toBe('words');
    expect(told(planned(next, { ledger: first.ledger }), 'checkpoint')).toEqual([]);
    const fresh = planned(turns, { budget: { tokens: first.totals.used.tokens - 1 } });
    expect(told(fresh, 'checkpoint')).toEqual([]);
    expect(told(fresh, 'words')).toEqual(['image "shot-1" 280×280']);
  });
});

describe('what the ledger keeps', () => {
  const asked = [user(text('Hi.'), picture('a')), says(text('A door.')), user(text('Open?'))];

  test('what was decided is taken word for word, and kept as the same objects', () => {
    const first = planned(asked.slice(0, 1));
    const entry = first.ledger.entries[claude.model];
    const [item] = pair(asked).items;
    expect(entry?.items).toStrictEqual([
      { digest: item && digestOf(item), decisions: [expect.objectContaining({ action: 'inside' })] },
    ]);
    expect(entry?.estimate).toEqual({ tokens: first.totals.used.tokens, factor: 1 });
    const second = planned(asked, { ledger: first.ledger });
    expect(second.ledger.entries[claude.model]?.items[0]).toBe(entry?.items[0]);
    const changed = structuredClone(first.ledger);
    const decision = changed.entries[claude.model]?.items[0]?.decisions[0];
    if (decision) decision.blocks = [{ type: 'text', text: 'what stood there' }];
    expect(JSON.stringify(planned(asked, { ledger: changed }).plan.items)).toContain('what stood there');
  });

  test('what was cut stays cut, with its thinking unbound', () => {
    const { ledger } = planned(asked);
    const [first, second] = ledger.entries[claude.model]?.items ?? [];
    const marked: Ledger = structuredClone(ledger);
    Object.assign(marked.entries[claude.model]?.items[0] ?? {}, { cut: 'all' });
    Object.assign(marked.entries[claude.model]?.items[1] ?? {}, { unbound: true });
    const next = planned([...asked, says(text('It is.')), user(text('Shut it.'))], { ledger: marked });
    expect(next.ledger.entries[claude.model]?.items.slice(0, 2)).toStrictEqual([
      { ...first, cut: 'all' },
      { ...second, unbound: true },
    ]);
    expect(JSON.stringify(next.plan.items)).toContain('Earlier messages were left out');
    const shorter: Ledger = structuredClone(ledger);
    Object.assign(shorter.entries[claude.model]?.items[0] ?? {}, { cut: 'short', keep: 2500 });
    const again = planned([...asked, says(text('It is.'))], { ledger: shorter }).ledger.entries[claude.model];
    expect(again?.items[0]).toStrictEqual({ ...first, cut: 'short', keep: 2500 });
  });

  test('how much the provider was found to take', () => {
    const first = planned(asked, { limits: { contextTokens: 100_000 } });
    expect(first.ledger.entries[claude.model]?.limits).toEqual({ contextTokens: 100_000 });
    expect(first.totals.ceiling.tokens).toBe(100_000 - claude.maxOutputTokens);
    const lower = planned(asked, { ledger: first.ledger, limits: { contextTokens: 90_000, images: 5 } });
    expect(lower.ledger.entries[claude.model]?.limits).toEqual({ contextTokens: 90_000, images: 5 });
    expect(planned(asked, { ledger: lower.ledger }).totals.ceiling).toMatchObject({ images: 5 });
  });

  test('how far estimates were off', () => {
    const long = user(text('word '.repeat(3000)));
    const first = planned([long]);
    const usage = { inputTokens: first.totals.used.tokens * 2, outputTokens: 1 };
    const next = planned([long, { ...says(text('Hm.')), usage } as Message, user(text('And?'))], {
      ledger: first.ledger,
    });
    expect(next.ledger.entries[claude.model]?.estimate.factor).toBe(2);
    expect(next.totals.used.tokens).toBeGreaterThan(first.totals.used.tokens * 1.9);
  });

  test('that the provider was asked to leave out thinking which is bound elsewhere', () => {
    const first = planned(asked, { dropUnbound: true });
    expect(first.plan.options.dropUnbound).toBe(true);
    const next = planned(asked, { ledger: first.ledger });
    expect(next.plan.options.dropUnbound).toBe(true);
    expect(next.ledger.entries[claude.model]?.dropUnbound).toBe(true);
    expect(planned(asked, { ledger: first.ledger, options: { thinking: 'off' } }).plan.options).not.toHaveProperty(
      'dropUnbound',
    );
    expect(planned(asked, { ledger: first.ledger, dropUnbound: false }).plan.options).not.toHaveProperty('dropUnbound');
    expect(planned(asked).plan.options).not.toHaveProperty('dropUnbound');
  });

  test('whose ids uploaded media have', () => {
    const uploads = { account: 'mine', stale: new Set<string>() };
    expect(planned(asked, { uploads }).ledger.entries[claude.model]?.account).toBe('mine');
    expect(planned(asked).ledger.entries[claude.model]).not.toHaveProperty('account');
  });
});

const needsOf = (messages: Message[], input: Partial<PlanInput> = {}): Need[] =>
  plan({ transcript: talk(...messages), profile: claude, ...input }).needs ?? [];

describe('what has to be known first', () => {
  test('renditions of what does not fit, all at once', () => {
    const wide = [user(picture('a', 9000), picture('b', 9000))];
    expect(needsOf(wide).map((need) => 'asset' in need && need.asset.name)).toEqual(['a', 'b']);
    expect(needsOf([user(picture('a'))])).toEqual([]);
    expect(planned(wide, { gone: new Set(['a', 'b'].map((name) => picture(name).asset.id)) }).plan.items).toHaveLength(
      1,
    );
  });

  test('what can be read off pictures or is said of them, for a model that cannot see', () => {
    const seen = [user(picture('a'))];
    expect(needsOf(seen, { profile: blind })).toEqual([]);
    expect(needsOf(seen, { profile: blind, readPictures: true })).toMatchObject([{ to: 'words' }]);
    expect(needsOf(seen, { profile: blind, readPictures: false })).toEqual([]);
    expect(needsOf(seen, { profile: blind, eyes: 'gpt-5.2' })).toMatchObject([{ to: 'description', by: 'gpt-5.2' }]);
    expect(needsOf(seen, { readPictures: true, eyes: 'gpt-5.2' })).toEqual([]);
    const { ledger } = planned(seen, { profile: blind });
    const later = [...seen, says(text('Hm.')), user(picture('b'))];
    expect(needsOf(later, { profile: blind, readPictures: true, ledger })).toMatchObject([
      { to: 'words', asset: { name: 'b' } },
    ]);
  });

  test('ids of media that will be sent again, and of others only where they do not fit', () => {
    const uploads = { account: 'mine', stale: new Set<string>() };
    const heavy = [user(picture('a', 280, 100_000))];
    expect(needsOf(heavy, { uploads })).toEqual([]);
    expect(plan({ transcript: { ...talk(...heavy), tools }, profile: claude, uploads }).needs).toMatchObject([
      { to: 'file', endpoint: 'anthropic' },
    ]);
    const { ledger } = planned([user(text('Hi.'))]);
    expect(needsOf([user(text('Hi.')), says(text('Hm.')), ...heavy], { uploads, ledger })).toMatchObject([
      { to: 'file' },
    ]);
    expect(plan({ transcript: { ...talk(...heavy), tools }, profile: claude }).needs).toBeUndefined();
  });

  test('what addresses hold, where they may be fetched', () => {
    const reference: Block = { type: 'reference', kind: 'image', at: { url: 'https://example.com/a.png' } };
    expect(needsOf([user(reference)])).toEqual([]);
    expect(needsOf([user(reference)], { urls: { pass: 'never', fetch: true } })).toMatchObject([{ to: 'bytes' }]);
  });

  test('or that nothing helps', () => {
    const { refusal, needs } = plan({
      transcript: talk(user(text('word '.repeat(400)))),
      profile: claude,
      budget: { tokens: 10 },
    });
    expect(refusal).toMatchObject({ code: 'too-large', limit: '10 tokens' });
    expect(needs).toBeUndefined();
    const wide = [user(text('See.'), { ...picture('a', 8000), height: 8000 })];
    expect(needsOf(wide, { budget: { tokens: 100 } })).toMatchObject([{ to: 'image', maxEdge: 4000 }]);
  });
});

describe('pictures', () => {
  test('that show the same again are noted where that is wished for', () => {
    const twice = [user(picture('a')), says(text('A door.')), user(picture('a'))];
    const words = unchangedPicture(picture('a'));
    expect(JSON.stringify(planned(twice, { policy: { unchanged: 'note' } }).plan.items)).toContain(
      JSON.stringify(words).slice(1, -1),
    );
    expect(told(planned(twice, { policy: { unchanged: 'send' } }), 'words')).toEqual([]);
    expect(told(planned(twice), 'words')).toEqual([]);
  });
});

const thoughts = ({ plan: { items } }: Planned): boolean[] =>
  items.flatMap((item) => (item.role === 'assistant' ? [item.content.some(({ type }) => type === 'thinking')] : []));

const boundSeal: Seal = { wire: bound.wire, endpoint: bound.endpoint, model: bound.id, item: {} };

const thinks = (id: string): Message => ({
  role: 'assistant',
  model: bound.model,
  content: [{ type: 'thinking', text: 'Hm.', seal: boundSeal }, call(id)],
});

const chat = [
  user(text('Go.')),
  thinks('a'),
  answers('a', picture('p')),
  thinks('b'),
  answers('b', text('y')),
  thinks('c'),
  answers('c', text('z')),
];

const drop = (dropThinking: number | true): boolean[] => thoughts(planned(chat, { profile: bound, dropThinking }));

test('messages in a row, which are one to an API, show no more pictures together than one may hold', () => {
  const bedrock = profileFor('bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0'); // 20 in one message
  const ten = (letter: string): Message => user(...Array.from({ length: 10 }, (_, at) => picture(`${letter}${at}`)));
  const shown = (...messages: Message[]): number[] =>
    planned(messages, { profile: bedrock }).plan.items.map((item) =>
      item.role === 'user' ? item.content.filter(({ type }) => type === 'image').length : 0,
    );
  const more = user(picture('f'), text('And this?'));
  expect(shown(ten('a'), ten('b'), more)).toEqual([10, 10, 0]);
  expect(shown(ten('a'), says(text('Ten.')), ten('b'), more)).toEqual([10, 0, 10, 1]);
  expect(shown(says(text('Ask.')), ten('a'), ten('b'), more).slice(-3)).toEqual([10, 10, 0]);
});

describe('thinking that is bound to what stood before it', () => {
  test('does not go back behind an edit, as far as it was sent', () => {
    const { ledger } = planned(chat.slice(0, 5), { profile: bound });
    expect(thoughts(planned(chat, { profile: bound, ledger }))).toEqual([true, true, true]);
    const edited = [user(text('Begin.')), ...chat.slice(1)];
    expect(thoughts(planned(edited, { profile: bound, ledger }))).toEqual([false, false, true]);
    expect(thoughts(planned(edited, { profile: { ...bound, boundThinking: false }, ledger: undefined }))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('is dropped from where its provider refused it', () => {
    expect(drop(true)).toEqual([false, false, false]);
    expect(drop(0)).toEqual([false, false, false]);
    expect(drop(1)).toEqual([false, false, false]);
    expect(drop(2)).toEqual([true, false, false]);
    expect(drop(5)).toEqual([true, true, false]);
    expect(drop(99)).toEqual([true, true, true]);
  });

  test('is dropped behind a medium that goes another way', () => {
    const { ledger } = planned(chat.slice(0, 5), { profile: bound });
    const lower = new Set([picture('p').asset.id]);
    const half: Fact = { ok: true, value: [{ ...picture('half', 140), height: 140 }] };
    const { needs = [] } = plan({ transcript: talk(...chat), profile: bound, ledger, lower });
    const facts = new Map(needs.map((need) => [renditionKey(need), half]));
    expect(thoughts(planned(chat, { profile: bound, ledger, lower, facts }))).toEqual([true, false, true]);
    const other = { ...bound, boundThinking: false };
    const plain = planned(chat.slice(0, 5), { profile: other });
    const lowered = planned(chat, { profile: other, ledger: plain.ledger, lower, facts });
    expect(thoughts(lowered)).toEqual([true, true, true]);
    const none = new Set([picture('q').asset.id]);
    expect(thoughts(planned(chat, { profile: bound, ledger, lower: none }))).toEqual([true, true, true]);
  });
});

test('what was worked out for one turn holds for the next', () => {
  const transcript = talk(user(text('Go.')), says(call('a')), answers('a', picture('p')), says(text('A door.')), user(text('Open?'))); // prettier-ignore
  const openai = profileFor('openai/gpt-5.2');
  const first = planFrom({ transcript, profile: openai });
  const ledger = first.result.plan ? first.result.ledger : undefined;
  const longer = { ...transcript, messages: [...transcript.messages, says(text('It is.')), user(text('Shut it.'))] };
  const next = planFrom(
    { transcript: longer, profile: openai, ledger },
    { turns: first.worked, frame: first.worked?.frame },
  );
  expect(next.result).toEqual(plan({ transcript: longer, profile: openai, ledger }));
  expect(next.result.plan?.cacheKey).toBe(first.result.plan?.cacheKey);
  expect(next.result.plan?.items[0]).toBe(first.result.plan?.items[0]);
  expect(next.worked?.frame).toEqual(first.worked?.frame);
});
