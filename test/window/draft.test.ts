// What is decided about one item, and what that comes to.
import { describe, expect, test } from 'vitest';
import type { Block, ImageBlock, MediaBlock } from '../../src/content/block.ts';
import {
  earlierLeftOut,
  mostDocuments,
  mostInMessage,
  surplusPicture,
  tooDear,
  unchangedPicture,
} from '../../src/content/words.ts';
import type { Item } from '../../src/message/pair.ts';
import {
  altered,
  countedWeight,
  decideItem,
  leftOutLine,
  mediaOf,
  openPlanContext,
  written,
} from '../../src/window/draft.ts';
import type { Draft, PlanContext } from '../../src/window/draft.ts';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';

const profile = profileFor('anthropic/claude-sonnet-4-5');

function picture(name: string, width = 280): ImageBlock {
  return {
    type: 'image',
    asset: { id: `sha256:${name.padEnd(64, '0')}`, mediaType: 'image/png', size: 300 },
    width,
    height: 280,
  };
}

function context(
  policy?: MediaPolicy,
  more: Partial<Parameters<typeof openPlanContext>[0]> = {},
  by: Profile = profile,
): PlanContext {
  return openPlanContext({ facts: new Map(), gone: new Set(), tools: [], policy, ...more }, by);
}

const paper: MediaBlock = {
  type: 'document',
  asset: { ...picture('p').asset, mediaType: 'application/pdf' },
  pages: 1,
};
const letter: MediaBlock = { ...paper, asset: { ...paper.asset, id: picture('q').asset.id } };
const user = (...content: Block[]): Item => ({ role: 'user', content });
const words: Block = { type: 'text', text: 'Look.' };

const tool = (name: string) => ({ name, description: '', inputSchema: {} });

test('a planning knows what it was given, whether assets can be called back, and gathers what it needs', () => {
  expect(context(undefined, { tools: [tool('look')] }).viewable).toBe(false);
  const open = context(undefined, {
    tools: [tool('look'), tool('view_asset')],
    uploads: 'worth',
    urls: { pass: 'all', fetch: true },
  });
  expect(open).toMatchObject({
    viewable: true,
    policy: {},
    uploads: 'worth',
    urls: { pass: 'all', fetch: true },
    profile,
  });
  const { asset } = picture('a');
  open.need({ to: 'text', asset });
  open.need({ to: 'text', asset });
  open.needMore?.({ to: 'file', asset, endpoint: 'x' });
  expect([...open.needs.keys()]).toEqual([
    renditionKey({ to: 'text', asset }),
    renditionKey({ to: 'file', asset, endpoint: 'x' }),
  ]);
});

test('the media of an item stand in a place and have a number among its pictures', () => {
  const sound: MediaBlock = { type: 'audio', asset: picture('s').asset, seconds: 1 };
  expect(mediaOf(user(words, picture('a'), sound, picture('b')))).toEqual([
    { block: picture('a'), slot: 'user', ordinal: 0 },
    { block: sound, slot: 'user', ordinal: 0 },
    { block: picture('b'), slot: 'user', ordinal: 1 },
  ]);
  const result = (isError: boolean) => ({
    role: 'tool' as const,
    callId: 'c',
    name: 'look',
    content: [picture('a')],
    isError,
  });
  expect(
    mediaOf({ role: 'batch', results: [result(false), result(true)] }).map(({ slot, ordinal }) => [slot, ordinal]),
  ).toEqual([
    ['result', 0],
    ['errorResult', 0],
  ]);
  expect(mediaOf({ role: 'assistant', model: 'm', content: [picture('a')] })).toEqual([]);
});

describe('pictures of one message', () => {
  test('beyond ten, or as many as are wished for, are named in words', () => {
    const eleven = Array.from({ length: 11 }, (_, at) => picture(String(at)));
    const decided = decideItem(user(...eleven), context());
    expect(decided.map(({ place }) => place)).toEqual([...Array.from({ length: 10 }, () => 'inside'), 'words']);
    expect(decided[10]).toEqual({
      place: 'words',
      blocks: [{ type: 'text', text: surplusPicture(picture('10'), 10, false) }],
      action: 'words',
      why: 'one message shows 10 pictures at most',
    });
    const two = decideItem(user(...eleven.slice(0, 3)), context({ maxImagesPerMessage: 2 }));
    expect(two.map(({ place }) => place)).toEqual(['inside', 'inside', 'words']);
    expect(two[2]?.why).toBe('one message shows 2 pictures at most');
  });

  test('a document is no picture and is not counted among them', () => {
    const decided = decideItem(user(picture('a'), paper), context({ maxImagesPerMessage: 1 }));
    expect(decided.map(({ place }) => place)).toEqual(['inside', 'inside']);
  });

  test('one that is the same as the one before becomes words where that is wished for', () => {
    const twice = user(picture('a'), picture('a'), picture('b'), picture('a'));
    const noted = decideItem(twice, context({ unchanged: 'note' }));
    expect(noted.map(({ action }) => action)).toEqual(['inside', 'words', 'inside', 'inside']);
    expect(noted[1]).toEqual({
      place: 'words',
      blocks: [{ type: 'text', text: unchangedPicture(picture('a')) }],
      action: 'words',
      why: 'the same as the picture before',
    });
    for (const policy of [undefined, { unchanged: 'send' as const }])
      expect(decideItem(twice, context(policy)).map(({ action }) => action)).toEqual(
        Array.from({ length: 4 }, () => 'inside'),
      );
    const again = decideItem(user(picture('a')), context({ unchanged: 'note' }), picture('a').asset.id);
    expect(again[0]?.action).toBe('words');
    const between = decideItem(user(picture('a'), paper, letter, picture('a')), context({ unchanged: 'note' }));
    expect(between.map(({ action }) => action)).toEqual(['inside', 'inside', 'inside', 'words']); // of pictures alone
  });
});

describe('a picture that costs too much', () => {
  const large = picture('large', 1120);
  const cost = 400;
  const half = { ...picture('half', 560), height: 140 }; // 100 tokens
  const fact =
    (made: Block) =>
    (asked: PlanContext): PlanContext => {
      decideItem(user(large), asked);
      const facts = new Map([...asked.needs.keys()].map((key) => [key, { ok: true as const, value: [made] }]));
      return context(asked.policy, { facts });
    };

  test('goes as it is while it costs no more than it may', () => {
    expect(decideItem(user(large), context({ maxImageTokens: cost }))).toMatchObject([{ action: 'inside' }]);
    expect(decideItem(user(large), context())).toMatchObject([{ action: 'inside' }]);
  });

  test('goes half as large, or in words when that is too much, too', () => {
    const asked = context({ maxImageTokens: cost - 1 });
    expect(decideItem(user(large), asked)).toEqual([]);
    expect(asked.needs.size).toBe(1);
    const smaller = decideItem(user(large), fact(half)(context({ maxImageTokens: cost - 1 })));
    expect(smaller).toMatchObject([
      { blocks: [{ type: 'text' }, { asset: half.asset }], action: 'reduced', why: tooDear(cost - 1) },
    ]);
    const named = decideItem(user(large), fact(large)(context({ maxImageTokens: cost - 1 })));
    expect(named).toMatchObject([{ place: 'words', action: 'words', why: tooDear(cost - 1) }]);
  });
});

describe('where a message of the API holds only so many of a kind', () => {
  const few: Profile = { ...profile, media: { ...profile.media, image: { ...profile.media.image, maxPerMessage: 2 } } };

  test('what is more goes the next way down, and says why', () => {
    const decided = decideItem(user(picture('a'), picture('b'), picture('c')), context(undefined, {}, few));
    expect(decided.map(({ place }) => place)).toEqual(['inside', 'inside', 'words']);
    expect(decided[2]?.why).toBe(mostInMessage('image', 2));
  });

  test.each([
    [[], ['inside', 'inside']],
    [['c'], ['inside', 'words']],
    [
      ['c', 'd'],
      ['words', 'words'],
    ],
  ])('those of the drafts that stand in the same message are counted: %j', (names, places) => {
    const items = names.map((name) => user(picture(name)));
    const beside = items.map((item) => ({ item, decisions: decideItem(item, context()) }));
    const decided = decideItem(user(picture('a'), picture('b')), context(undefined, {}, few), undefined, beside);
    expect(decided.map(({ place }) => place)).toEqual(places);
  });

  test('those before an answer of the assistant are of another message', () => {
    const answered: Item = { role: 'assistant', content: [words], model: '' };
    const before = [user(picture('a'), picture('b')), answered, user(picture('c'))];
    const beside = before.map((item) => ({ item, decisions: decideItem(item, context()) }));
    const decided = decideItem(user(picture('d'), picture('e')), context(undefined, {}, few), undefined, beside);
    expect(decided.map(({ place }) => place)).toEqual(['inside', 'words']);
  });

  test('other kinds are not counted with them', () => {
    const decided = decideItem(user(picture('a'), paper, picture('b')), context(undefined, {}, few));
    expect(decided.map(({ place }) => place)).toEqual(['inside', 'inside', 'inside']);
  });
});

test('where a request holds only so many documents, newer ones go another way, and those before them stay', () => {
  const bedrock = profileFor('bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0');
  const open = context(undefined, {}, bedrock);
  const sheet = (name: string): MediaBlock => ({ ...paper, asset: { ...paper.asset, id: picture(name).asset.id } });
  const answered: Item = { role: 'assistant', content: [words], model: '' };
  const drafts: Draft[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'a'])
    for (const item of [user(sheet(name)), answered])
      drafts.push({ item, decisions: decideItem(item, open, undefined, drafts) });
  const told = drafts.flatMap(({ decisions }) => decisions.map(({ blocks }) => blocks[0]?.type));
  expect(told.slice(0, 5)).toEqual(['document', 'document', 'document', 'document', 'document']);
  expect(drafts[10]?.decisions).toEqual([]); // its pages are asked for
  expect([...open.needs.values()]).toMatchObject([{ to: 'pages' }]);
  expect(drafts[12]?.decisions).toMatchObject([{ action: 'words', again: { blocks: [{ type: 'document' }] } }]);
  const withPages = context(undefined, { facts: new Map([[[...open.needs.keys()][0] ?? '', { ok: true as const, value: [picture('page')] }]]) }, bedrock); // prettier-ignore
  const sixth = decideItem(user(sheet('f')), withPages, undefined, drafts.slice(0, 10));
  expect(sixth).toMatchObject([{ why: mostDocuments(5) }]);
  expect(sixth[0]?.blocks.some(({ type }) => type === 'image')).toBe(true);
});

describe('a draft', () => {
  const item = user(words, picture('a', 560), picture('b'));
  const draft = (): Draft => ({ item, decisions: decideItem(item, context()) });

  test('is written once, and knows what it weighs', () => {
    const one = draft();
    const made = written(one, profile);
    expect(made).toMatchObject({ profile, edge: 560, media: 200 + 100 });
    expect(made.weight).toMatchObject({ images: 2 });
    expect(made.planned?.role).toBe('user');
    expect(written(one, profile)).toBe(made);
    expect(made.receipts.map(({ asset }) => asset)).toEqual([picture('a').asset.id, picture('b').asset.id]);
    const document: Draft = { item: user(paper), decisions: decideItem(user(paper), context()) };
    expect(written(document, profile)).toMatchObject({ edge: 0, weight: { images: 0 } });
    const empty: Draft = { item: { role: 'assistant', model: 'x', content: [] }, decisions: [], cut: 'all' };
    expect(written(empty, profile)).toMatchObject({
      planned: undefined,
      media: 0,
      edge: 0,
      weight: { tokens: 0, bytes: 0, images: 0 },
    });
  });

  test('weighs what is counted, asked once of whoever counts', () => {
    const one = draft();
    let asked = 0;
    const count = (text: string): number => (asked++, text.length * 100);
    const weight = countedWeight(one, profile, count);
    expect(weight.tokens).toBeGreaterThan(written(one, profile).weight.tokens + 300);
    const before = asked;
    expect(countedWeight(one, profile, count)).toBe(weight);
    expect(asked).toBe(before);
    expect(countedWeight(one, profile, () => 0).tokens).toBeLessThan(weight.tokens);
    const none: Draft = { item, decisions: [], cut: 'all' };
    expect(countedWeight(none, profile, count)).toEqual(written(none, profile).weight);
  });

  test('that is altered is another one, and what was written of it is not taken over', () => {
    const one = draft();
    written(one, profile);
    const other = altered(one, { cut: 'all' });
    expect(other).toEqual({ item, decisions: one.decisions, cut: 'all' });
    expect(altered(other, { unbound: true })).toEqual({ item, decisions: one.decisions, cut: 'all', unbound: true });
    expect(altered(one, {})).toEqual({ item, decisions: one.decisions });
    expect(altered(altered(one, { unbound: true }), { decisions: [] })).toEqual({ item, decisions: [], unbound: true });
  });
});

test('what was left out altogether leaves one line that names its media', () => {
  const result = { role: 'tool' as const, callId: 'c', name: 'look', content: [picture('b')] };
  const drafts: Draft[] = [
    { item: user(words, picture('a')), decisions: [] },
    { item: { role: 'batch', results: [result] }, decisions: [] },
  ];
  const line = leftOutLine(drafts);
  expect(line).toEqual({ role: 'user', content: [{ type: 'text', text: expect.any(String) as string }] });
  const { text } = (line as { content: { text: string }[] }).content[0] ?? { text: '' };
  expect(text).toContain('a0000000');
  expect(text).toContain('b0000000');
  expect(text).not.toBe(earlierLeftOut([]));
});
