// Which pictures stay in sight, how many of one message, and what happens when the newest turns alone are too heavy.
import { describe, expect, test } from 'vitest';
import type { Block, ImageBlock } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Draft } from '../../src/window/draft.ts';
import type { Decision } from '../../src/window/decide.ts';
import { batchFor, newestPicture, pictureBefore, picturesOf, surplus } from '../../src/window/retention.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact } from '../../src/window/rendition.ts';
import { cpuMs } from '../cpu.ts';
import { put } from '../laws/world.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');

function shot(name: string, size: Partial<ImageBlock> = {}): ImageBlock {
  return { type: 'image', asset: put(name, 'image/png', `${name}.png`), width: 1280, height: 800, ...size };
}

function turns(contents: readonly Block[][]): Transcript {
  const messages = contents.flatMap((content, turn): Message[] => [
    { role: 'assistant', model: '', content: [{ type: 'call', id: `c${turn}`, name: 'look', input: {} }] },
    { role: 'tool', callId: `c${turn}`, name: 'look', content },
  ]);
  const tools = [{ name: 'view_asset', description: '', inputSchema: { type: 'object' } }];
  return { version: 1, tools, messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, ...messages] };
}

type Done = Extract<PlanResult, { plan: object }>;

function settle(input: PlanInput): Done {
  const facts = new Map<string, Fact>();
  for (let round = 0; round < 4; round++) {
    const result = plan({ ...input, facts });
    if (result.plan) return result;
    if (result.refusal) throw new Error(result.refusal.what);
    for (const need of result.needs) {
      if (need.to === 'bytes' || need.to === 'file') continue;
      const half = { ...shot(`half of ${need.asset.id}`), width: 640, height: 400 };
      const pages = { type: 'document' as const, asset: put(`part of ${need.asset.id}`, 'application/pdf'), pages: 1 };
      const text = { type: 'text' as const, text: 'The words of the document. '.repeat(2000) };
      const made: Block = need.to === 'image' ? half : need.to === 'pdf' ? pages : text;
      facts.set(renditionKey(need), { ok: true, value: [made] });
    }
  }
  throw new Error('asked again and again');
}

function shown({ plan: made }: Done): string[] {
  return [...JSON.stringify(made.items).matchAll(/"type":"image","asset":\{[^}]*"name":"([^"]+)\.png"/g)].map(
    ([, name]) => name ?? '',
  );
}

/** The pictures in sight after each turn of a loop, and whether the prefix moved. */
function walk(count: number, policy: MediaPolicy): { names: string[]; moved: boolean; done: Done }[] {
  let ledger: Ledger | undefined;
  return Array.from({ length: count }, (_, turn) => {
    const contents = Array.from({ length: turn + 1 }, (_one, at) => [shot(`shot-${at}`)]);
    const done = settle({ transcript: turns(contents), profile: claude, policy, ledger });
    ledger = done.ledger;
    return { names: shown(done), moved: done.receipts.some(({ action }) => action === 'checkpoint'), done };
  });
}

function threePages(name: string): Block {
  return { type: 'document', asset: put(name, 'application/pdf', `${name}.pdf`), pages: 3 };
}

describe('imagesToKeep', () => {
  const batched = walk(30, { imagesToKeep: 4 });
  const batch = batchFor(4, claude);

  test('keeps at least so many, and the newest among them', () => {
    for (const [turn, { names }] of batched.entries()) {
      const newest = Array.from({ length: Math.min(4, turn + 1) }, (_, at) => `shot-${turn - at}`).toReversed();
      expect(names.slice(-newest.length)).toEqual(newest);
      expect(names.length).toBeLessThan(4 + batch);
    }
  });

  test('moves the prefix once in a batch', () => {
    const moves = batched.flatMap(({ moved }, turn) => (moved ? [turn] : []));
    expect(moves).toEqual([4 + batch - 1, 4 + 2 * batch - 1]);
    expect(batched.at(-1)?.done.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  });

  test('what went leaves a placeholder that says how to see it again', () => {
    const text = JSON.stringify(batched.at(-1)?.done.plan.items);
    expect(text).toMatch(
      /image \\"shot-0.png\\" 1280×800, asset [0-9a-f]{8}, not shown: the newest 4 pictures are kept, older ones go \d+ at a time; call view_asset to see it\]/,
    );
  });

  test.each([0, 1, 2, 3, 5])('of %i pictures, never more than a batch less one beyond them', (keep) => {
    const most = keep + batchFor(keep, claude) - 1;
    const counts = walk(40, { imagesToKeep: keep }).map(({ names }) => names.length);
    expect(Math.max(...counts)).toBe(most);
    expect(counts.every((count, turn) => count >= Math.min(keep, turn + 1))).toBe(true);
  });

  test('the batch stands in the receipt of what went', () => {
    const told = batched
      .at(-1)
      ?.done.receipts.filter(({ action }) => action === 'words')
      .map(({ why }) => why);
    expect(new Set(told)).toEqual(new Set([`the newest 4 pictures are kept, older ones go ${batch} at a time`]));
  });

  test.each([
    [0, 1],
    [1, 1],
    [2, 5],
  ])('what is best for %i pictures is a batch of %i', (keep, size) => {
    expect(batchFor(keep, claude)).toBe(size);
  });

  test('pages of an older document go together, those of the newest one stay', () => {
    const chat = profileFor('azure-chat/house');
    const facts = new Map<string, Fact>();
    const policy: MediaPolicy = { imagesToKeep: 2, strict: true };
    const planned = (contents: Block[][]): string[] => {
      for (;;) {
        const result = plan({ transcript: turns(contents), profile: chat, policy, facts });
        if (result.plan) return shown(result);
        for (const need of result.needs ?? []) {
          if (need.to === 'bytes' || need.to === 'file') continue;
          const pages = [1, 2, 3].map((page) => shot(`${need.asset.name}-${page}`));
          facts.set(renditionKey(need), { ok: true, value: pages });
        }
      }
    };
    expect(planned([[shot('a')], [threePages('old')], [shot('b')]])).toEqual(['a', 'b']);
    expect(planned([[shot('a')], [threePages('new')]])).toHaveLength(3);
  });

  test('strict keeps exactly so many, on every turn', () => {
    const counts = walk(8, { imagesToKeep: 3, strict: true }).map(({ names }) => names.length);
    expect(counts).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
  });

  test('a mark stands before the pictures that go next, and before those that went', () => {
    for (const { done } of batched.slice(4)) {
      const { items, marks } = done.plan;
      const first = items.findIndex((item) => item.role === 'batch' && JSON.stringify(item).includes('"type":"image"'));
      const early = marks.items.filter((index) => index < first);
      expect(early.length).toBeGreaterThanOrEqual(1);
      expect(marks.items.length).toBeLessThanOrEqual(3);
    }
  });

  test.each([
    ['anthropic/claude-sonnet-4-5', 9],
    ['anthropic/claude-opus-5-5', 13],
    ['anthropic/claude-fable-5-1', 18],
    ['gemini/gemini-2.5-pro', 8],
    ['ollama/qwen3-vl', 9],
  ])('the batch follows from the prices of %s: %i', (model, size) => {
    expect(batchFor(4, profileFor(model))).toBe(size);
  });
});

test('more than ten pictures in one result are named in words', () => {
  const content = Array.from({ length: 13 }, (_, at) => shot(`page-${at}`));
  const done = settle({ transcript: turns([content]), profile: claude });
  expect(shown(done)).toHaveLength(10);
  for (const at of [10, 11, 12]) {
    expect(JSON.stringify(done.plan.items)).toMatch(new RegExp(`"page-${at}.png.{0,80}only the first 10 pictures`));
  }
  expect(
    shown(settle({ transcript: turns([content]), profile: claude, policy: { maxImagesPerMessage: 20 } })),
  ).toHaveLength(13);
});

test.each([
  ['is shown as it is where that is allowed', 1334, [1280], undefined],
  ['is shown half as large where only that is allowed', 1333, [640], 'one picture may cost 1333 tokens at most'],
  ['is named in words where even that is too much', 300, [], 'one picture may cost 300 tokens at most'],
])('a picture of 1,334 tokens %s', (_name, maxImageTokens, widths, told) => {
  const transcript = turns([[shot('large'), shot('small', { width: 100, height: 60 })]]);
  const { plan: made, receipts } = settle({ transcript, profile: claude, policy: { maxImageTokens } });
  const text = JSON.stringify(made.items);
  expect([...text.matchAll(/"width":(\d+)/g)].map(([, width]) => Number(width))).toEqual([...widths, 100]);
  if (told !== undefined) expect(text).toContain(told);
  expect(JSON.stringify(receipts).includes('may cost')).toBe(told !== undefined);
});

test('a screenshot equal to the one before is told in words, when that is asked for', () => {
  const contents = [[shot('a')], [shot('a')], [shot('b')], [shot('a')]];
  const input = { transcript: turns(contents), profile: claude };
  expect(shown(settle(input))).toEqual(['a', 'a', 'b', 'a']);
  const done = settle({ ...input, policy: { unchanged: 'note' } });
  expect(shown(done)).toEqual(['a', 'b', 'a']);
  expect(JSON.stringify(done.plan.items)).toContain('the same as the picture before');
});

test('the same bytes twice in a request are noticed', () => {
  const { receipts } = settle({ transcript: turns([[shot('a')], [shot('b')], [shot('a')]]), profile: claude });
  expect(receipts.map(({ repeated = false }) => repeated)).toEqual([false, false, true]);
});

const large = (at: number): ImageBlock => ({
  ...shot(`small-${at}`, { width: 2000, height: 1250, detail: 'original' }),
  original: { asset: put(`large-${at}`, 'image/png'), width: 4000, height: 2500 },
});

const edges = ({ plan: made }: Done): number[] =>
  [...JSON.stringify(made.items).matchAll(/"width":(\d+)/g)].map(([, width]) => Number(width));

describe('a picture in its original size', () => {
  const profile = profileFor('anthropic/claude-opus-4-7');
  const facts = new Map<string, Fact>();
  const grow = (count: number, ledger?: Ledger): Done => {
    const transcript = turns(Array.from({ length: count }, (_, at) => [large(at)]));
    for (let round = 0; round < 3; round++) {
      const result = plan({ transcript, profile, facts, ledger });
      if (result.plan) return result;
      for (const need of result.needs ?? []) {
        if (need.to === 'bytes' || need.to === 'file') continue;
        const edge = need.to === 'image' ? need.maxEdge : 0;
        facts.set(renditionKey(need), {
          ok: true,
          value: [shot(`of ${need.asset.id} ${edge}`, { width: edge, height: 900 })],
        });
      }
    }
    throw new Error('there is no plan');
  };

  test('is as large as the model sees it, until there are more than 20', () => {
    const twenty = grow(20);
    expect(new Set(edges(twenty))).toEqual(new Set([2576]));
    const more = grow(21, twenty.ledger);
    expect(Math.max(...edges(more))).toBeLessThanOrEqual(2000);
    expect(more.receipts).toContainEqual(expect.objectContaining({ action: 'checkpoint', subject: 'budget' }));
    expect(Math.max(...edges(grow(22, more.ledger)))).toBeLessThanOrEqual(2000);
  });
});

const tight = (content: Block[], tokens: number): Done => {
  return settle({ transcript: turns([content]), profile: claude, budget: { tokens } });
};
const firstAction = ({ receipts }: Done): string => receipts.find(({ asset }) => asset !== undefined)?.action ?? '';

describe('when the newest turn alone is too heavy', () => {
  const paper: Block = { type: 'document', asset: put('paper', 'application/pdf', 'paper.pdf'), pages: 40 };
  test.each([
    ['a picture goes at half its size', [shot('a')], 1200, 'reduced', '"width":640'],
    ['a picture goes as words when even that is too much', [shot('a')], 350, 'words', 'not shown'],
    ['a document goes with as many pages as fit', [paper], 60_000, 'reduced', 'only pages 1-18 follow'],
    ['a document goes with its first pages', [paper], 30_000, 'reduced', 'pages 11-40 are not shown, ask for them'],
    ['a document goes as its text', [paper], 8000, 'text', 'cut down to fit the window'],
    ['a document goes as the beginning of its text', [paper], 1500, 'text', 'characters 1-3'],
    ['a document goes as the least of its text', [paper], 600, 'text', 'characters 1-2000 of'],
    ['a text goes as its beginning', [{ type: 'text', text: 'long words '.repeat(4000) }], 2000, '', 'characters 1-66'],
    [
      'a text goes as the least of it',
      [{ type: 'text', text: 'long words '.repeat(4000) }],
      520,
      '',
      'characters 1-2000 of',
    ],
    [
      'a picture stays where a shorter text makes room',
      [{ type: 'text', text: 'long words '.repeat(4000) }, shot('a')],
      4000,
      'reduced',
      'the rest was left out to fit the window',
    ],
  ] as [string, Block[], number, string, string][])('%s', (_what, content, tokens, expected, words) => {
    const done = tight(content, tokens);
    expect(firstAction(done)).toBe(expected);
    expect(JSON.stringify(done.plan.items)).toContain(words);
    expect(done.totals.used.tokens).toBeLessThanOrEqual(tokens);
  });

  test.each([
    ['a text', { type: 'text', text: 'long words '.repeat(4000) }, 2000],
    ['a document', paper, 60_000],
  ] as [string, Block, number][])(
    'what was left of %s stays as it is while the conversation grows',
    (_what, block, tokens) => {
      const first = tight([block], tokens);
      const grown = turns([[block], [{ type: 'text', text: 'more '.repeat(tokens / 20) }]]);
      const ledger = JSON.parse(JSON.stringify(first.ledger)) as Ledger;
      const next = settle({ transcript: grown, profile: claude, budget: { tokens }, ledger });
      expect(next.plan.items.slice(0, first.plan.items.length)).toEqual(first.plan.items);
      expect(next.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
      expect(next.totals.used.tokens).toBeGreaterThan(first.totals.used.tokens);
    },
  );

  test('less detail comes first where the model knows it', () => {
    const done = settle({
      transcript: turns([[shot('a')]]),
      profile: profileFor('openai/gpt-4.1'),
      budget: { tokens: 400 },
    });
    expect(JSON.stringify(done.plan.items)).toContain('"detail":"low"');
    expect(shown(done)).toEqual(['a']);
  });
});

test('turns that go altogether are told at the beginning, and that moves the prefix', () => {
  const long: Block = { type: 'text', text: 'word '.repeat(300) };
  const contents = Array.from({ length: 40 }, () => [long]);
  const first = settle({ transcript: turns(contents.slice(0, 2)), profile: claude, budget: { tokens: 2500 } });
  const { messages, ...rest } = turns(contents);
  const said = messages.map((message): Message =>
    message.role === 'assistant' ? { ...message, content: [...message.content, long] } : message,
  );
  for (const ledger of [first.ledger, JSON.parse(JSON.stringify(first.ledger)) as Ledger]) {
    const done = settle({ transcript: { ...rest, messages: said }, profile: claude, budget: { tokens: 2500 }, ledger });
    expect(JSON.stringify(done.plan.items[0])).toContain('Earlier messages were left out');
    expect(done.receipts.some(({ action, subject }) => action === 'checkpoint' && subject !== '')).toBe(true);
  }
});

/** A decision that shows so many pictures beside some words. */
function showing(pictures: number, change: Partial<Decision> = {}): Decision {
  const { detail: _, ...picture } = shot('p');
  const words = { type: 'text', text: 'x' } as const;
  return {
    place: 'inside',
    blocks: [words, ...Array.from({ length: pictures }, () => picture)],
    action: 'inside',
    why: '',
    ...change,
  };
}

function drafted(...rows: (Decision[] | Pick<Draft, 'decisions' | 'cut'>)[]): Draft[] {
  const item = { role: 'user', content: [] } as const;
  return rows.map((row) => ({ item: { ...item, content: [] }, ...(Array.isArray(row) ? { decisions: row } : row) }));
}

test('pictures are counted as a model sees them', () => {
  expect(picturesOf(showing(3))).toBe(3);
  expect(picturesOf(showing(3, { place: 'words' }))).toBe(0);
  expect(picturesOf(showing(3, { action: 'tiles' }))).toBe(1);
  expect(picturesOf(showing(0))).toBe(0);
});

test('the newest picture is the last that is really shown', () => {
  expect(newestPicture([])).toBeUndefined();
  expect(newestPicture(drafted([showing(0)], []))).toBeUndefined();
  expect(newestPicture(drafted([showing(1)]))).toEqual([0, 0]);
  expect(newestPicture(drafted([showing(1)], [showing(1), showing(1), showing(0)], [showing(2, { place: 'words' })])))
    .toEqual([1, 1]); // prettier-ignore
});

test('the picture before an item is that of the nearest item that has one', () => {
  const items = turns([
    [shot('first')],
    [shot('second'), shot('third')],
    [{ type: 'text', text: 'none' }],
  ]).messages.map((message) =>
    message.role === 'tool' ? { role: 'batch' as const, calls: [], results: [message] } : message,
  );
  const song: Block = { type: 'audio', asset: put('song', 'audio/wav'), seconds: 1 };
  const heard = { role: 'user' as const, content: [song] };
  const before = (index: number): string | undefined => pictureBefore([...items, heard], index);
  expect([0, 1, 2].map(before)).toEqual([undefined, undefined, undefined]);
  expect(before(3)).toBe(shot('first').asset.id);
  expect([5, 7, 99].map(before)).toEqual(Array.from({ length: 3 }, () => shot('third').asset.id));
});

const idle = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => ({ role: 'user', content: [{ type: 'text', text: `word ${at}` }] }));

const looked = async (count: number): Promise<number> =>
  await cpuMs(() =>
    plan({ transcript: { version: 1, messages: idle(count) }, profile: claude, policy: { unchanged: 'note' } }),
  );

test('a conversation without pictures is not searched for one at each of its messages', async () => {
  await looked(500); // compiled
  const few = await looked(500);
  expect(await looked(8000)).toBeLessThan(200 + 60 * few); // 16 times as many; each looking at each would be 256
});

function media(drafts: Draft[], policy: MediaPolicy): [number, number][] {
  return surplus(drafts, policy, claude).media;
}

describe('what has to go', () => {
  const one = showing(1);

  test('is nothing where nothing is said, or until a batch can go', () => {
    expect(surplus(drafted([one], [one]), {}, claude)).toEqual({ media: [], why: '' });
    const policy = { imagesToKeep: 1, batch: 2 };
    expect(media(drafted([one], [one]), policy)).toEqual([]);
    expect(media(drafted([one], [one], [one]), policy)).toEqual([[0, 0], [1, 0]]); // prettier-ignore
  });

  test('is said in one sentence', () => {
    expect(surplus([], { imagesToKeep: 2, batch: 3 }, claude).why).toBe(
      'the newest 2 pictures are kept, older ones go 3 at a time',
    );
    for (const policy of [
      { imagesToKeep: 2, strict: true },
      { imagesToKeep: 2, batch: 0 },
    ])
      expect(surplus([], policy, claude).why).toBe('the newest 2 pictures are kept, older ones go one by one');
  });

  test('counts no picture whose item is cut, nor what is told in words', () => {
    const policy = { imagesToKeep: 1, strict: true };
    for (const cut of ['text', 'all'] as const)
      expect(media(drafted([one], [one], { decisions: [one, one], cut }), policy)).toEqual([[0, 0]]);
    expect(media(drafted([one], [one], { decisions: [one], cut: 'short' }), policy)).toEqual([[0, 0], [1, 0]]); // prettier-ignore
    expect(media(drafted([one], [one], [showing(1, { place: 'words' })]), policy)).toEqual([[0, 0]]);
  });

  test('the newest stays however many pages it has, unless none is kept; pages stay or go together', () => {
    const strict = { strict: true } as const;
    expect(media(drafted([showing(5)]), { imagesToKeep: 2, ...strict })).toEqual([]);
    expect(media(drafted([showing(5)]), { imagesToKeep: 0, ...strict })).toEqual([[0, 0]]);
    expect(media(drafted([showing(2), one]), { imagesToKeep: 2, ...strict })).toEqual([[0, 0]]);
    expect(media(drafted([one, showing(2), one]), { imagesToKeep: 2, ...strict })).toEqual([[0, 1]]);
  });
});

test('a batch is bounded, also where reading the cache costs nothing', () => {
  const prices = { input: 10, read: 1, write: 12.5, output: 1 };
  expect(batchFor(4, { ...claude, prices: { ...prices, read: 0 } })).toBe(32);
  expect(batchFor(4, { ...claude, prices: { ...prices, read: 0.0001 } })).toBe(32);
  expect(batchFor(1, { ...claude, prices })).toBe(1);
});
