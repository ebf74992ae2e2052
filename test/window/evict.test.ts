// What goes first when a conversation outgrows its budget: a sweep from a roomy budget down to one that needs the newest turns cut.
import { describe, expect, test } from 'vitest';
import type { Block, ImageBlock } from '../../src/content/block.ts';
import { leftOutMedium, shortId } from '../../src/content/words.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Item } from '../../src/message/pair.ts';
import { add, weightless, weightOfItem } from '../../src/window/budget.ts';
import type { Weight } from '../../src/window/budget.ts';
import { countedWeight, decideItem, leftOutLine, openPlanContext, written } from '../../src/window/draft.ts';
import type { Draft, PlanContext } from '../../src/window/draft.ts';
import { fitBudget, oldestOver } from '../../src/window/evict.ts';
import { plan } from '../../src/window/plan.ts';
import type { MediaPolicy, PlanItem } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Need } from '../../src/window/rendition.ts';
import { put } from '../laws/world.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');
const count = 7;
const old = [0, 1, 2, 3, 4]; // the last two turns are protected
const long = 'word '.repeat(300);

function picture(name: string): ImageBlock {
  return { type: 'image', asset: put(name, 'image/png', `${name}.png`), width: 1280, height: 800 };
}

const text = (value: string): Block => ({ type: 'text', text: `${value} ${long}` });

/** Seven turns of a user with a picture, words and a call of the assistant, and a result with words and a picture. */
const transcript: Transcript = {
  version: 1,
  messages: Array.from({ length: count }, (_, turn): Message[] => [
    { role: 'user', content: [text(`ask-${turn}`), picture(`asked-${turn}`)] },
    {
      role: 'assistant',
      model: '',
      content: [text(`said-${turn}`), { type: 'call', id: `c${turn}`, name: 'look', input: {} }],
    },
    { role: 'tool', callId: `c${turn}`, name: 'look', content: [text(`found-${turn}`), picture(`shot-${turn}`)] },
  ]).flat(),
};

/** A plan for some budget, as one text to look into. */
type Planned = { items: readonly PlanItem[]; json: string; told: string; spare: number };

/** Plans for ever smaller budgets, as long as the last two turns can stay as they are. */
function sweep(policy: MediaPolicy = {}): Planned[] {
  const plans: Planned[] = [];
  for (let tokens = 28_000; ; tokens -= 250) {
    const result = plan({ transcript, profile: claude, policy, budget: { tokens } });
    if (!result.plan) return plans;
    const { items } = result.plan;
    const { used, ceiling } = result.totals;
    const [json, told] = [JSON.stringify(items), JSON.stringify(result.receipts)];
    plans.push({ items, json, told, spare: ceiling.tokens - used.tokens });
  }
}

function holds({ json }: Planned, name: string): boolean {
  return json.includes(`"name":"${name}.png"`) || json.includes(`"${name} word`);
}

/** All that can go, in the order in which it has to. */
const order = [
  ...old.map((turn) => `shot-${turn}`),
  ...old.map((turn) => `found-${turn}`),
  ...old.map((turn) => `asked-${turn}`),
  ...old.flatMap((turn) => [`ask-${turn}`, `said-${turn}`]),
];

describe('what goes when a conversation outgrows its budget', () => {
  test('goes in this order, oldest first: media of results, their words, media of the user, whole turns', () => {
    const lengths = sweep().map((made) => {
      const gone = order.filter((name) => !holds(made, name));
      expect(gone).toEqual(order.slice(0, gone.length));
      if (gone.length > 0) expect(made.told).toContain('to fit the window');
      return gone.length;
    });
    expect(lengths[0]).toBe(0);
    expect(lengths.at(-1)).toBe(order.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  });

  test('is never part of the last two turns, and always enough', () => {
    const newest = [5, 6].flatMap((turn) => ['ask', 'asked', 'said', 'found', 'shot'].map((name) => `${name}-${turn}`));
    for (const made of sweep()) {
      expect(newest.filter((name) => !holds(made, name))).toEqual([]);
      expect(made.spare).toBeGreaterThanOrEqual(0);
    }
  });

  test('leaves every call with its one result right behind it', () => {
    for (const { items } of sweep()) {
      const calls = items.map((item) =>
        item.role === 'assistant' ? item.content.flatMap((block) => (block.type === 'call' ? [block.id] : [])) : [],
      );
      const answers = items.map((item) => (item.role === 'batch' ? item.results.map(({ callId }) => callId) : []));
      expect([[], ...calls]).toEqual([...answers, []]);
    }
  });
});

test('the number of pictures comes first, then the budget', () => {
  for (const made of sweep({ imagesToKeep: 4, strict: true })) {
    const shown = Array.from({ length: count }, (_, turn) => [`asked-${turn}`, `shot-${turn}`]).flat();
    expect(shown.filter((name) => holds(made, name))).toEqual(['asked-5', 'shot-5', 'asked-6', 'shot-6']);
  }
});

function counting(content: Block[], tokens: number): { counted: boolean; near: boolean } | undefined {
  const messages: Message[] = [{ role: 'user', content }];
  const { totals } = plan({
    transcript: { version: 1, messages },
    profile: claude,
    budget: { tokens },
    countText: (value) => value.length / 4,
  });
  return totals && { counted: totals.counted, near: totals.near };
}

describe('texts are counted', () => {
  test('when they might be too much, were they twice what they are taken for', () => {
    const words = [text('once')]; // about 300 tokens
    expect(counting(words, 450)).toEqual({ counted: true, near: true });
    expect(counting(words, 1000)).toEqual({ counted: false, near: false });
  });

  test('not because of pictures, whose tokens follow from their sizes', () => {
    const shown = [text('once'), picture('a'), picture('b'), picture('c')]; // about 4000 tokens
    expect(counting(shown, 5000)).toEqual({ counted: false, near: false });
    expect(counting(shown, 4650)).toEqual({ counted: true, near: true });
  });
});

const one = { tokens: 100, bytes: 1000, images: 1 };
const none = { tokens: 0, bytes: 0, images: 0 };
const roomy = { tokens: Infinity, bytes: Infinity, images: Infinity };

const overs: [string, number, typeof one, typeof one, number][] = [
  ['nothing while nothing is passed', 10, none, { ...roomy, images: 10 }, 0],
  ['pictures down to seven tenths', 11, none, { ...roomy, images: 10 }, 4],
  ['bytes, with those of the frame', 10, { ...none, bytes: 500 }, { ...roomy, bytes: 10_000 }, 4],
  ['tokens alone: what is not passed is no reason', 10, none, { tokens: 900, bytes: 10_000, images: 10 }, 4],
  ['all but the newest when even that is too much', 5, { ...none, bytes: 9000 }, { ...roomy, bytes: 5000 }, 4],
  ['nothing of nothing', 0, { ...none, bytes: 9000 }, { ...roomy, bytes: 5000 }, 0],
];

test.each(overs)('what a foreign request gives up: %s', (_what, length, frame, ceiling, out) => {
  expect(
    oldestOver(
      Array.from({ length }, () => one),
      frame,
      ceiling,
    ),
  ).toBe(out);
});

describe('whatever goes whole is named', () => {
  const kept = put('all of the log', 'text/plain', 'log.txt');
  const named = { ...transcript, messages: [...transcript.messages] };
  const first = named.messages[2];
  if (first?.role === 'tool') named.messages[2] = { ...first, kept: [kept] };

  /** For ever smaller budgets: what stands in place of the oldest result, and what opens the conversation. */
  const seen = (): { answer: string; opening: string }[] =>
    Array.from({ length: 70 }, (_, step) => {
      const tokens = 28_000 - step * 400;
      const result = plan({ transcript: named, profile: claude, budget: { tokens } });
      const items = result.plan?.items ?? [];
      const batch = items.find((item) => item.role === 'batch');
      const answer = batch?.role === 'batch' ? JSON.stringify(batch.results[0]?.content) : '';
      return { answer, opening: JSON.stringify(items[0] ?? '') };
    });
  const shot = shortId(picture('shot-0').asset.id);

  test('a result by the assets that it held', () => {
    const gone = seen().filter(({ answer }) => answer.includes('This result was left out'));
    expect(gone.length).toBeGreaterThan(0);
    const ofFirst = gone.filter(({ opening }) => !opening.includes('Earlier messages'));
    expect(ofFirst.length).toBeGreaterThan(0);
    for (const { answer } of ofFirst) {
      expect(answer).toContain(shot);
      expect(answer).toContain(shortId(kept.id));
    }
  });

  test('turns by the assets of all of them', () => {
    const gone = seen().filter(({ opening }) => opening.includes('Earlier messages were left out'));
    expect(gone.length).toBeGreaterThan(0);
    for (const { opening } of gone) expect(opening).toContain(shortId(picture('asked-0').asset.id));
    for (const id of [shot, shortId(kept.id)]) expect(gone.at(-1)?.opening).toContain(id);
  });
});

/** A small picture of a hundred tokens at Claude. */
function small(name: string, size = 300): ImageBlock {
  const asset = { id: `sha256:${name.padEnd(64, '0')}`, mediaType: 'image/png', size, name } as const;
  return { type: 'image', asset, width: 280, height: 280 };
}

const said = (value: string): Block => ({ type: 'text', text: value });

/** A question, a call, and its result with a picture; with another picture beside the question where that is wished for. */
function turnOf(turn: number, size = 300, shown = false): Item[] {
  return [
    { role: 'user', content: [said(`ask-${turn}`), ...(shown ? [small(`asked-${turn}`, size)] : [])] },
    { role: 'assistant', model: '', content: [{ type: 'call', id: `c${turn}`, name: 'look', input: {} }] },
    {
      role: 'batch',
      results: [
        { role: 'tool', callId: `c${turn}`, name: 'look', content: [said('found'), small(`shot-${turn}`, size)] },
      ],
    },
  ];
}

const fourTurns = (size?: number, shown?: boolean): Item[] => [0, 1, 2, 3].flatMap((turn) => turnOf(turn, size, shown));

type Fit = Partial<Parameters<typeof fitBudget>[1]> & {
  profile?: Profile;
  policy?: MediaPolicy;
  uploads?: PlanContext['uploads'];
  facts?: ReadonlyMap<string, Fact>;
};

function opened({ profile = claude, policy, uploads, facts = new Map() }: Fit): PlanContext {
  return openPlanContext({ facts, gone: new Set(), tools: [], policy, uploads }, profile);
}

function draftsOf(items: readonly Item[], context: PlanContext): Draft[] {
  return items.map((item) => ({ item, decisions: decideItem(item, context) }));
}

type Fitted = Extract<ReturnType<typeof fitBudget>, { ok: true }>;

/** The drafts, and what becomes of them within some ceilings. */
function fit(
  items: readonly Item[],
  ceiling: Partial<Weight>,
  more: Fit = {},
): { drafts: Draft[]; made: ReturnType<typeof fitBudget> } {
  const { profile: _profile, policy: _policy, uploads: _uploads, facts: _facts, ...given } = more;
  const context = more.context ?? opened(more);
  const drafts = draftsOf(items, context);
  const input = { frame: weightless, sent: 0, correction: 1, ...given, context, ceiling: { ...roomy, ...ceiling } };
  return { drafts, made: fitBudget(drafts, input) };
}

function fitted(...of: Parameters<typeof fit>): Fitted {
  const { made } = fit(...of);
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made;
}

/** The same, with what it needs made as somebody says. */
function fittedWith(
  make: (need: Need) => Fact,
  items: readonly Item[],
  ceiling: Partial<Weight>,
  more: Fit = {},
): Fitted {
  const { made } = fit(items, ceiling, more);
  if (made.ok) throw new Error('It needs nothing.');
  if ('refusal' in made) throw new Error(made.refusal.what);
  return fitted(items, ceiling, {
    ...more,
    facts: new Map(made.needs.map((need) => [renditionKey(need), make(need)])),
  });
}

function weightOf(drafts: readonly Draft[], start: Weight = weightless, profile: Profile = claude): Weight {
  return drafts.reduce((sum, draft) => add(sum, written(draft, profile).weight), start);
}

const actions = ({ drafts }: { drafts: readonly Draft[] }): string[] =>
  drafts.flatMap(({ decisions }) => decisions.map(({ action }) => action));
const cuts = ({ drafts }: { drafts: readonly Draft[] }): unknown[] => drafts.map(({ cut }) => cut);

const dear = (value: string): number => value.length * 3;

describe('a conversation within its ceilings', () => {
  test('stays as it is, up to the last token, and is weighed with its frame', () => {
    const frame = { tokens: 7, bytes: 11, images: 0 };
    const { drafts } = fit(fourTurns(), {});
    const total = weightOf(drafts, frame);
    const { made } = fit(fourTurns(), total, { frame, sent: 12 });
    expect(made).toStrictEqual({ ok: true, drafts, total, near: true, counted: false });
    expect(fitted(fourTurns(), {}, { frame })).toMatchObject({ near: false, total });
  });

  test('is measured by what estimates were off before', () => {
    const { drafts } = fit(fourTurns(), {});
    const { tokens } = weightOf(drafts);
    expect(actions(fitted(fourTurns(), { tokens: tokens * 2 }, { correction: 2 }))).not.toContain('words');
    expect(actions(fitted(fourTurns(), { tokens: tokens * 2 - 1 }, { correction: 2 }))).toContain('words');
  });

  test('is weighed with what is known of its beginning', () => {
    const { drafts } = fit(fourTurns(), {});
    const known = { count: 6, weight: weightOf(drafts.slice(0, 6)), media: 200, edge: 280 };
    const total = weightOf(drafts);
    expect(fitted(fourTurns(), {}, { head: known }).total).toEqual(total);
    const heavier = { ...known, weight: add(known.weight, one) };
    expect(fitted(fourTurns(), {}, { head: heavier }).total).toEqual(add(total, one));
    const texts = total.tokens * 2 - 400;
    expect(fitted(fourTurns(), { tokens: texts }, { head: known }).near).toBe(false);
    expect(fitted(fourTurns(), { tokens: texts - 1 }, { head: known }).near).toBe(true);
    expect(fitted(fourTurns(), { tokens: texts - 1 }, { head: { ...known, media: 201 } }).near).toBe(false);
  });

  test('has its texts counted where that may matter, and is cut by that count', () => {
    const { drafts } = fit(fourTurns(), {});
    const counted = drafts.reduce((sum, draft) => add(sum, countedWeight(draft, claude, dear)), weightless);
    const near = { tokens: counted.tokens, bytes: 1e9, images: 10 };
    const made = fitted(fourTurns(), near, { countText: dear });
    expect(made).toMatchObject({ near: counted.tokens < weightOf(drafts).tokens * 2 - 400 });
    const tight = { tokens: weightOf(drafts).tokens + 100 };
    expect(tight.tokens).toBeLessThan(counted.tokens);
    expect(fitted(fourTurns(), tight)).toMatchObject({ near: true, counted: false });
    expect(actions(fitted(fourTurns(), tight))).not.toContain('words');
    const cut = fitted(fourTurns(), tight, { countText: dear });
    expect(cut).toMatchObject({ near: true, counted: true });
    expect(actions(cut)).toContain('words');
    const sum = cut.drafts.reduce((weight, draft) => add(weight, countedWeight(draft, claude, dear)), weightless);
    expect(cut.total).toEqual(cuts(cut).includes('all') ? expect.anything() : sum);
  });
});

const tokensOfAll = (): number => weightOf(fit(fourTurns(), {}).drafts).tokens;

describe('where the prefix moves', () => {
  test('is told when something that was sent before changes', () => {
    const over = { tokens: tokensOfAll() - 1 };
    const made = fitted(fourTurns(), over, { sent: 12 });
    expect(made.firstCut).toBe(2);
    expect(made.drafts[2]?.decisions).toStrictEqual([
      {
        place: 'words',
        blocks: [{ type: 'text', text: leftOutMedium(small('shot-0'), false) }],
        action: 'words',
        why: `left out to fit the window of ${claude.id}`,
      },
    ]);
    expect(made.total).toEqual(weightOf(made.drafts));
    expect(fitted(fourTurns(), over, { sent: 3 }).firstCut).toBe(2);
    expect(fitted(fourTurns(), over, { sent: 2 })).not.toHaveProperty('firstCut');
    expect(made.drafts.some(({ unbound }) => unbound)).toBe(false);
  });

  test('what is bound to what stood before it is unbound, as far as it was sent', () => {
    const bound: Profile = { ...claude, boundThinking: true };
    const made = fitted(fourTurns(), { tokens: tokensOfAll() - 1 }, { sent: 5, profile: bound });
    expect(made.drafts.map(({ unbound = false }) => unbound).indexOf(true)).toBe(2);
    expect(made.drafts.filter(({ unbound }) => unbound)).toHaveLength(3);
  });

  test('whole turns leave one line at the beginning, weighed as long as it is, and calls go with their results', () => {
    const tokens = tokensOfAll();
    for (let room = tokens - 1; room > tokens / 3; room -= 7) {
      const { made } = fit(fourTurns(), { tokens: room }, { sent: 12 });
      if (!made.ok) break;
      const gone = made.drafts.filter(({ cut }) => cut === 'all');
      const line = gone.length > 0 ? weightOfItem(leftOutLine(gone), claude.tokens) : weightless;
      expect(made.total).toEqual(weightOf(made.drafts, line));
      expect(made.total.tokens).toBeLessThanOrEqual(room);
      expect(made.firstCut).toBe(gone.length > 0 ? 0 : 2);
      for (const [at, { item, cut }] of made.drafts.entries())
        if (item.role === 'assistant' && cut === 'all') expect(made.drafts[at + 1]?.cut).toBe('all');
    }
  });

  test('the line of what went before is weighed again, and nothing moves for it', () => {
    const context = opened({});
    const drafts = draftsOf(fourTurns(), context).map((draft, at) =>
      at < 3 ? { ...draft, cut: 'all' as const } : draft,
    );
    const line = weightOfItem(leftOutLine(drafts.slice(0, 3)), claude.tokens);
    const input = { frame: weightless, sent: 12, correction: 1, context, ceiling: roomy };
    expect(fitBudget(drafts, input)).toStrictEqual({
      ok: true,
      drafts,
      total: weightOf(drafts, line),
      near: false,
      counted: false,
    });
  });

  test('the newest picture stays as long as its message does', () => {
    const [first, ...others] = fourTurns(300, true);
    const items = [first as Item, ...others.map((item): Item => {
      if (item.role === 'user') return { ...item, content: [said('ask')] };
      return item.role === 'batch' ? { ...item, results: item.results.map((answer) => ({ ...answer, content: [said('found '.repeat(20))] })) } : item;
    })]; // prettier-ignore
    const whole = weightOf(fit(items, {}).drafts).tokens;
    let went = false;
    for (let room = whole; ; room -= 5) {
      const { made } = fit(items, { tokens: room });
      if (!made.ok) break;
      if (made.drafts[0]?.cut === undefined) expect(made.drafts[0]?.decisions[0]?.action).toBe('inside');
      else went = true;
    }
    expect(went).toBe(true);
  });
});

test('what would weigh more as words stays', () => {
  const blind = profileFor('ollama/llama3.1');
  const paper: Block = {
    type: 'document',
    asset: { ...small('paper').asset, mediaType: 'application/pdf' },
    pages: 1,
  };
  const items = fourTurns().map((item): Item => {
    if (item.role !== 'batch') return item;
    return { ...item, results: item.results.map((answer) => ({ ...answer, content: [paper] })) };
  });
  const fact: Fact = { ok: true, value: [{ type: 'text', text: 'x' }] };
  const facts = new Map([[renditionKey({ to: 'text', asset: paper.asset }), fact]]);
  const { tokens } = weightOf(fit(items, {}, { profile: blind, facts }).drafts, weightless, blind);
  const made = fitted(items, { tokens: tokens - 1 }, { profile: blind, facts });
  expect(actions(made)).not.toContain('words');
});

const shownIn = (images: number): string[] =>
  fitted(fourTurns(300, true), { images }).drafts.flatMap(({ decisions }) =>
    decisions.flatMap(({ blocks }) => blocks.flatMap((block) => ('asset' in block ? [block.asset.name ?? ''] : []))),
  );

const smallerOf = (need: Need): Fact => ({
  ok: true,
  value: [{ ...small(`half of ${'asset' in need ? (need.asset.name ?? '') : ''}`), width: 200, height: 200 }],
});

describe('pictures beyond what a request may have', () => {
  test('go oldest first: those of results, of the user, of the last turns, the newest last', () => {
    const recent = ['asked-2', 'shot-2', 'asked-3', 'shot-3'];
    expect(shownIn(8)).toHaveLength(8);
    expect(shownIn(7)).toEqual(recent);
    expect(shownIn(4)).toEqual(recent);
    expect(shownIn(3)).toEqual(recent.slice(1));
    expect(shownIn(1)).toEqual(['shot-3']);
    expect(shownIn(0)).toEqual([]);
    const nine = fourTurns(300, true);
    const made = fitted([...turnOf(9, 300, true), ...nine], { images: 9 });
    expect(actions(made).slice(0, 6)).toEqual(['words', 'words', 'inside', 'words', 'inside', 'words']);
  });

  test('that are pieces of one come together first', () => {
    const context = opened({});
    const block = { ...small('tall'), textPx: 4 };
    const pieces = [1, 2, 3].map((at) => {
      const { asset, width, height } = small(`piece-${at}`);
      return { type: 'image' as const, asset, width, height };
    });
    const draft: Draft = {
      item: { role: 'user', content: [block] },
      decisions: [{ place: 'inside', blocks: pieces, action: 'tiles', why: '' }],
    };
    const input = { frame: weightless, sent: 0, correction: 1, context };
    const made = fitBudget([draft], { ...input, ceiling: { ...roomy, images: 2 } });
    expect(made.ok && made.drafts[0]?.decisions).toMatchObject([{ action: 'inside' }]);
    expect(made.ok && made.total.images).toBe(1);
    const room = fitBudget([draft], { ...input, ceiling: { ...roomy, images: 3 } });
    expect(room.ok && room.drafts[0]).toBe(draft);
  });

  test('of those that are kept in sight go with the reason, whatever words weigh', () => {
    const tiny = fourTurns().map((item): Item => {
      if (item.role !== 'batch') return item;
      const content = [{ ...small('tiny', 3), width: 28, height: 28 }];
      return { ...item, results: item.results.map((answer) => ({ ...answer, content })) };
    });
    const made = fitted(tiny, {}, { policy: { imagesToKeep: 1, strict: true } });
    expect(actions(made)).toEqual(['words', 'words', 'words', 'inside']);
    expect(made.drafts[2]?.decisions[0]?.why).toBe('the newest 1 pictures are kept, older ones go one by one');
    expect(made.total).toEqual(weightOf(made.drafts));
  });

  test('or of many that are too large for that are made smaller', () => {
    const strict: Profile = { ...claude, manyImages: { above: 3, maxEdge: 200 } };
    const made = fittedWith(smallerOf, fourTurns(), {}, { profile: strict, sent: 12 });
    expect(actions(made)).toEqual(['reduced', 'reduced', 'reduced', 'reduced']);
    expect(made.firstCut).toBe(2);
    const rows: [Profile['manyImages'], Fit][] = [
      [{ above: 4, maxEdge: 200 }, {}],
      [{ above: 3, maxEdge: 280 }, {}],
      [strict.manyImages, { head: { count: 12, weight: { ...weightless, images: 4 }, media: 0, edge: 200 } }],
    ];
    for (const [manyImages, more] of rows)
      expect(
        actions(fitted(fourTurns(), {}, { ...more, profile: { ...claude, ...(manyImages && { manyImages }) } })),
      ).toEqual(['inside', 'inside', 'inside', 'inside']);
  });
});

const uploaded = (need: Need): Fact => ({
  ok: true,
  value: [{ type: 'reference', kind: 'image', at: { file: { endpoint: 'anthropic', id: `file of ${need.to}` } } }],
});

const byFile = ({ drafts }: Fitted): boolean[] =>
  drafts.flatMap(({ decisions }) =>
    decisions.map(({ blocks }) => blocks.some((block) => 'asset' in block && block.at !== undefined)),
  );

const heavy = fourTurns(100_000);

const within = (bytes: number): Fitted => fittedWith(uploaded, heavy, { bytes }, { uploads: 'needed', sent: 12 });

describe('where bytes are too many and media can be uploaded', () => {
  test('those of old turns go by their ids, and newer ones as far as that is needed', () => {
    expect(byFile(within(300_000))).toEqual([true, true, false, false]);
    expect(byFile(within(200_000))).toEqual([true, true, true, false]);
    expect(byFile(within(100_000))).toEqual([true, true, true, true]);
    expect(within(300_000).firstCut).toBe(2);
    expect(actions(within(300_000))).toEqual(['inside', 'inside', 'inside', 'inside']);
  });

  test('nothing is uploaded while there is room, or where nobody may', () => {
    expect(byFile(fitted(heavy, { bytes: 600_000 }, { uploads: 'needed' }))).toEqual([false, false, false, false]);
    expect(actions(fitted(heavy, { bytes: 300_000 }))).toEqual(['words', 'words', 'inside', 'inside']);
  });
});

/** A turn with so many words and a picture in its result. */
const wordy = (length: number): Item[] => [
  ...turnOf(0).slice(0, 2),
  {
    role: 'batch',
    results: [{ role: 'tool', callId: 'c0', name: 'look', content: [said('word '.repeat(length)), small('shot')] }],
  },
];

const no = (): Fact => ({ ok: false, refusal: { code: 'corrupt', what: 'No', next: 'Go on.' } });

describe('when the last turns alone are too much', () => {
  const alone: Item[] = [{ role: 'user', content: [said('See.'), small('alone')] }];
  const half = (): Fact => ({ ok: true, value: [{ ...small('half'), width: 56, height: 56 }] });

  test('a picture goes smaller first, then in words, and else it is refused with what it weighs', () => {
    const whole = weightOf(fit(alone, {}).drafts);
    const needs = fit(alone, { tokens: whole.tokens - 1 }).made;
    expect(needs).toMatchObject({ ok: false, needs: [{ to: 'image', maxEdge: 140 }] });
    const gentle = fittedWith(half, alone, { tokens: whole.tokens - 1 });
    expect(actions(gentle)).toEqual(['reduced']);
    expect(gentle.total).toEqual(weightOf(gentle.drafts));
    const less = fittedWith(half, alone, { tokens: gentle.total.tokens - 1 });
    expect(actions(less)).toEqual(['words']);
    const facts = new Map([...('needs' in needs ? needs.needs : [])].map((need) => [renditionKey(need), half()]));
    const { made } = fit(alone, { tokens: 2, bytes: 10 }, { facts });
    const least = weightOf(less.drafts);
    expect(made).toStrictEqual({
      ok: false,
      refusal: {
        code: 'too-large',
        what: `The request does not fit ${claude.model}, even with everything old left out: about ${least.tokens} tokens, ${least.bytes} bytes`,
        limit: '2 tokens, 10 bytes',
        next: 'Shorten the system prompt, the tools or the newest messages, or use a model with a larger window.',
      },
    });
  });

  test('pictures that a model made itself are never taken from it', () => {
    const seal = { wire: claude.wire, endpoint: claude.endpoint, model: claude.id, item: {} };
    const own: Item[] = [{ role: 'assistant', model: claude.model, content: [{ ...small('own'), seal }] }];
    expect(fit(own, { images: 0 }).made).toMatchObject({
      refusal: { what: expect.stringContaining('about 1 pictures') as string, limit: '0 pictures' },
    });
  });

  test('a picture goes only where shorter texts are not enough, and then they stay as long as they may', () => {
    const enough = fittedWith(no, wordy(2000), { tokens: 1500 });
    expect([actions(enough), cuts(enough).at(-1)]).toEqual([['inside'], 'short']);
    expect(enough.total.tokens).toBeGreaterThan(900);
    const tooLittle = fittedWith(no, wordy(2000), { tokens: 520 });
    expect([actions(tooLittle), cuts(tooLittle).at(-1)]).toEqual([['words'], 'short']);
    const few = fittedWith(no, wordy(300), { tokens: 400 });
    expect([actions(few), cuts(few).at(-1)]).toEqual([['words'], undefined]);
  });

  test('results are shortened before they are left out', () => {
    const words = 'x'.repeat(9000);
    const items = turnOf(0).map((item): Item => {
      if (item.role !== 'batch') return item;
      return { ...item, results: item.results.map((answer) => ({ ...answer, content: [said(words)] })) };
    });
    const whole = weightOf(fit(items, {}).drafts);
    expect(cuts(fitted(items, { tokens: whole.tokens - 1 }))).toEqual([undefined, undefined, 'short']);
    const lengths = [1, 100, 200, 400, 600].map((less) => {
      const { drafts, total } = fitted(items, { tokens: whole.tokens - less });
      expect(total.tokens).toBeLessThan((whole.tokens - less) * 0.75);
      return drafts.at(-1)?.keep ?? 0;
    });
    expect(lengths).toEqual(lengths.toSorted((less, more) => more - less));
    expect(lengths[0]).toBeGreaterThan(5500);
    const [first, second, { item, decisions }] = fit(items, {}).drafts as [Draft, Draft, Draft];
    const short = weightOf([first, second, { item, decisions, cut: 'short' }]).tokens;
    const shortest = fitted(items, { tokens: short });
    expect(cuts(shortest)).toEqual([undefined, undefined, 'short']);
    expect(shortest.drafts.at(-1)?.keep).toBe(2000);
    const least = fitted(items, { tokens: short - 1 });
    expect(cuts(least)).toEqual([undefined, undefined, 'text']);
    expect(fit(items, { tokens: least.total.tokens - 1 }).made).toMatchObject({ ok: false, refusal: {} });
  });
});
