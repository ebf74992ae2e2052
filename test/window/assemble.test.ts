// All items as they will be sent: what is put between them, and what is told once.
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import { afterResults, assistantFirst, goOn } from '../../src/content/words.ts';
import type { Item } from '../../src/message/pair.ts';
import { writeAll } from '../../src/window/assemble.ts';
import type { Whole } from '../../src/window/assemble.ts';
import { add, weightless } from '../../src/window/budget.ts';
import { altered, decideItem, openPlanContext, written } from '../../src/window/draft.ts';
import type { Draft } from '../../src/window/draft.ts';
import type { PlanItem } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';

const plain: Profile = { ...profileFor('anthropic/claude-sonnet-4-5'), userLast: false };
const bridging: Profile = { ...plain, dialect: { ...plain.dialect, bridge: true } };

function drafted(item: Item, profile: Profile = plain): Draft {
  const context = openPlanContext({ facts: new Map(), gone: new Set(), tools: [] }, profile);
  return { item, decisions: decideItem(item, context) };
}

const picture = (name: string, width = 28): Block => ({
  type: 'image',
  asset: { id: `sha256:${name.padEnd(64, '0')}`, mediaType: 'image/png', size: 300 },
  width,
  height: 28,
});
const user = (text: string, ...more: Block[]): Item => ({ role: 'user', content: [{ type: 'text', text }, ...more] });
const said = (text: string, more: object = {}): Item => ({
  role: 'assistant',
  model: 'a/b',
  content: [{ type: 'text', text }],
  ...more,
});
const called: Item = {
  role: 'assistant',
  model: 'a/b',
  content: [{ type: 'call', id: 'c1', name: 'shot', input: {} }],
};
const results = (...content: Block[]): Item => ({
  role: 'batch',
  results: [{ role: 'tool', callId: 'c1', name: 'shot', content }],
});
const seen: Block = { type: 'text', text: 'seen' };

function write(items: readonly Item[], profile: Profile = plain, settled = items.length): Whole {
  return writeAll(
    items.map((item) => drafted(item, profile)),
    profile,
    settled,
  );
}

const roles = ({ items }: { items: readonly PlanItem[] }): string[] => items.map(({ role }) => role);
const texts = ({ items }: Whole): string[] =>
  items
    .flatMap((item) => (item.role === 'user' ? item.content : []))
    .flatMap((one) => (one.type === 'text' ? [one.text] : []));

describe('where a conversation begins', () => {
  test('with the assistant, a few words stand before it', () => {
    const whole = write([said('Hello.'), user('Hi.')]);
    expect(roles(whole)).toEqual(['user', 'assistant', 'user']);
    expect(texts(whole)).toEqual([assistantFirst, 'Hi.']);
    expect(whole.receipts[0]).toEqual({
      action: 'repaired',
      subject: assistantFirst,
      why: 'the conversation began with the assistant',
    });
    expect(whole.places).toEqual([1, 2]);
    expect(roles(write([user('Hi.'), said('Hello.')]))).toEqual(['user', 'assistant']);
    expect(write([]).items).toEqual([]);
  });

  test('with what was left out, one line stands for that', () => {
    const drafts = [
      altered(drafted(user('Hi.')), { cut: 'all' as const }),
      drafted(said('Hello.')),
      drafted(user('Go.')),
    ];
    const whole = writeAll(drafts, plain, 3);
    expect(roles(whole)).toEqual(['user', 'assistant', 'user']);
    expect(texts(whole)[0]).not.toBe(assistantFirst);
    expect(whole.receipts.filter(({ subject }) => subject === assistantFirst)).toEqual([]);
    expect(whole.places).toEqual([1, 1, 2]);
  });
});

describe('where a conversation ends', () => {
  const last: Profile = { ...plain, userLast: true };

  test('with the assistant, it is told to go on where an API wants a user there', () => {
    const whole = write([user('Hi.'), said('Hello.')], last);
    expect(texts(whole)).toEqual(['Hi.', goOn]);
    expect(whole.receipts.at(-1)).toEqual({
      action: 'repaired',
      subject: goOn,
      why: 'the conversation ended with the assistant',
    });
    expect(texts(write([user('Hi.'), said('Hello.')]))).toEqual(['Hi.']);
    expect(texts(write([user('Hi.')], last))).toEqual(['Hi.']);
    expect(texts(write([user('Hi.'), said('Hello.'), user('And?')], last))).toEqual(['Hi.', 'And?']);
  });

  test('with an answer that its own model paused, nothing is said', () => {
    const paused = (more: object): string[] => texts(write([user('Hi.'), said('Hello', more)], last));
    expect(paused({ model: last.model, stop: 'paused' })).toEqual(['Hi.']);
    expect(paused({ model: 'a/b', stop: 'paused' })).toEqual(['Hi.', goOn]);
    expect(paused({ model: last.model, stop: 'end' })).toEqual(['Hi.', goOn]);
    const before = said('Hello', { model: last.model, stop: 'paused' });
    expect(texts(write([user('Hi.'), before, user('And?'), said('So.')], last))).toEqual(['Hi.', 'And?', goOn]);
  });
});

const bridgeOf = ({ items }: Whole): unknown[] => items.map((item) => (item.role === 'batch' ? item.bridge : 'none'));

describe('words between results and a user', () => {
  test('stand where a server lets no user speak there', () => {
    const whole = write([user('Hi.'), called, results(seen), user('And?')], bridging);
    expect(bridgeOf(whole)).toEqual(['none', 'none', afterResults, 'none']);
    expect(whole.receipts).toContainEqual({
      action: 'repaired',
      subject: afterResults,
      why: `${bridging.id} lets no user speak right after results`,
    });
    expect(bridgeOf(write([user('Hi.'), called, results(seen), user('And?')]))).toEqual([
      'none',
      'none',
      undefined,
      'none',
    ]);
    expect(bridgeOf(write([user('Hi.'), called, results(seen)], bridging)).at(-1)).toBeUndefined();
    expect(bridgeOf(write([user('Hi.'), user('Again.')], bridging))).toEqual(['none', 'none']);
  });

  test('are not needed where the assistant speaks next', () => {
    const whole = write([user('Hi.'), called, results(seen), said('So.')], bridging);
    expect([bridgeOf(whole), whole.receipts]).toEqual([['none', 'none', undefined, 'none'], []]);
  });

  test('are told again with each request, though the results were settled before', () => {
    const drafts = [user('Hi.'), called, results(seen), user('And?')].map((item) => drafted(item, bridging));
    const first = writeAll(drafts, bridging, 3);
    const again = writeAll(drafts, bridging, 3, first);
    expect(again).toEqual(first);
    expect(again.receipts.map(({ subject }) => subject)).toContain(afterResults);
  });

  test('stand before media that follow the results, once', () => {
    const { image } = bridging.media;
    const after: Profile = { ...bridging, media: { ...bridging.media, image: { ...image, result: 'after' } } };
    const whole = write([user('Hi.'), called, results(picture('a')), user('And?')], after);
    expect(bridgeOf(whole)).toEqual(['none', 'none', afterResults, 'none']);
    expect(whole.receipts.filter(({ subject }) => subject === afterResults)).toHaveLength(1);
    expect(bridgeOf(write([user('Hi.'), called, results(picture('a'))], after)).at(-1)).toBe(afterResults);
  });
});

const repeated = ({ receipts }: Whole): unknown[] => receipts.filter(({ asset }) => asset).map((one) => one.repeated);

describe('a medium whose bytes stand in the request already', () => {
  test('is told as such, among settled items and new ones', () => {
    const items = [user('One', picture('a')), user('Two', picture('a'), picture('b')), user('Three', picture('b'))];
    for (const settled of [0, 1, 2, 3])
      expect(repeated(write(items, plain, settled)), String(settled)).toEqual([undefined, true, undefined, true]);
  });
});

describe('the head', () => {
  const items = [user('One', picture('a', 56)), user('Two', picture('b', 28)), user('Three', picture('c', 280))];

  test('weighs the settled items alone', () => {
    const drafts = items.map((item) => drafted(item));
    const { head, start } = writeAll(drafts, plain, 2);
    const [one, two] = drafts.map((draft) => written(draft, plain).weight);
    expect(head).toMatchObject({
      count: 2,
      weight: add(one ?? weightless, two ?? weightless),
      media: 3,
      edge: 56,
      picture: 0,
    });
    expect(start).toMatchObject({ items: 2 });
    expect(start.shown.size).toBe(2);
    expect(writeAll([drafted(user('No picture.')), ...drafts], plain, 2).head.picture).toBe(1);
    expect(writeAll(drafts, plain, 0).head.picture).toBeUndefined();
  });

  test('is taken over, and what stood behind it is written anew', () => {
    const drafts = items.map((item) => drafted(item));
    const before = writeAll(drafts.slice(0, 2), plain, 1);
    const more = writeAll(drafts, plain, 2, before);
    const anew = writeAll(
      items.map((item) => drafted(item)),
      plain,
      2,
    );
    expect(more).toEqual(anew);
    expect(more.items[0]).toBe(before.items[0]);
    expect(before.items).toHaveLength(2);
    expect(before.start.shown.size).toBe(1);
  });
});
