// The last resort, step by step: when each applies, what it gives, and what it has to know first.
import { describe, expect, test } from 'vitest';
import type { Block, DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import { pageHeading, pageLabel, pagesHeading, partHeading, reducedToFit } from '../../src/content/words.ts';
import type { Weight } from '../../src/window/budget.ts';
import type { Decision } from '../../src/window/decide.ts';
import { openPlanContext } from '../../src/window/draft.ts';
import type { Medium, PlanContext } from '../../src/window/draft.ts';
import type { Shown } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { fewerPixels, reductions } from '../../src/window/reduce.ts';
import type { Reduction, Spare } from '../../src/window/reduce.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Rendition } from '../../src/window/rendition.ts';

type Tried = (...given: [Medium, Decision, PlanContext, Spare?]) => Decision | undefined;

/** A reduction for which nothing is left, unless somebody says what. */
const tried =
  (reduction: Reduction): Tried =>
  (one, decision, within, spare = spareOf(0)) =>
    reduction(one, decision, within, spare);
const fewer = tried(fewerPixels);
const [noLargerThanRead, inOnePiece, lessDetail, halfSize, fittingPages, firstPages, asText, beginning] =
  reductions.map(tried) as [Tried, Tried, Tried, Tried, Tried, Tried, Tried, Tried];

const claude = profileFor('anthropic/claude-sonnet-4-5');
const gpt = profileFor('openai/gpt-5.2');
const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'image/png', size: 3000 } as const;
const picture: ImageBlock = { type: 'image', asset, width: 640, height: 480 };
const paper: DocumentBlock = { type: 'document', asset: { ...asset, mediaType: 'application/pdf' }, pages: 9 };

const weigh = (blocks: readonly Shown[]): Weight => ({
  tokens: blocks.reduce((sum, one) => sum + weightOne(one), 0),
  bytes: blocks.reduce((sum, one) => sum + ('asset' in one ? one.asset.size : 0), 0),
  images: 0,
});

/** So many tokens are left; letters weigh a token each, pages and pictures a thousand, a byte beside them is one. */
function spareOf(tokens: number, bytes = Infinity): Spare {
  return { left: { tokens, bytes, images: Infinity }, weigh };
}

function weightOne(one: Shown): number {
  if (one.type === 'text') return one.text.length;
  return one.type === 'document' ? (one.pages ?? 0) * 1000 : 1000;
}

function context(profile: Profile = claude, facts: [Rendition, Fact][] = []): PlanContext {
  return openPlanContext(
    { facts: new Map(facts.map(([form, fact]) => [renditionKey(form), fact])), gone: new Set(), tools: [] },
    profile,
  );
}

const medium = (block: Medium['block']): Medium => ({ block, slot: 'user', ordinal: 0 });
const as = (action: Decision['action'], blocks: Shown[], more: Partial<Decision> = {}): Decision => ({
  place: 'inside',
  blocks,
  action,
  why: 'as it was',
  ...more,
});
const shown: Shown = { type: 'image', asset, width: 640, height: 480 };
const made = (...value: Block[]): Fact => ({ ok: true, value });
const refused: Fact = {
  ok: false,
  refusal: { code: 'corrupt', what: 'It cannot be made', next: 'Try something else.' } as never,
};

test('they go from the gentlest to the hardest', () => {
  expect(reductions.map(({ name }) => name)).toEqual([
    'noLargerThanRead', 'inOnePiece', 'lessDetail', 'halfSize', 'fittingPages', 'firstPages', 'asText', 'beginning',
  ]); // prettier-ignore
});

describe('where a request has many pictures', () => {
  const many: Profile = { ...claude, manyImages: { above: 1, maxEdge: 640 } };
  const large: ImageBlock = { ...picture, width: 641 };

  test('one that is too large for that goes as its smaller self', () => {
    const asked = context(many);
    expect(fewer(medium(large), as('inside', [{ ...shown, width: 641 }]), asked)).toBeUndefined();
    expect(asked.needs.size).toBe(1);
    const tall = context(many);
    fewer(medium({ ...picture, height: 900 }), as('inside', [{ ...shown, height: 900 }]), tall);
    expect(tall.needs.size).toBe(1);
    const among = context(many);
    fewer(
      medium(large),
      as('inside', [
        { type: 'text', text: 'beside' },
        { ...shown, width: 641 },
      ]),
      among,
    );
    expect(among.needs.size).toBe(1);
  });

  test('others stay as they are', () => {
    for (const [profile, blocks] of [
      [many, [shown]],
      [many, [{ type: 'text', text: 'words' }]],
      [{ ...claude, manyImages: undefined } as unknown as Profile, [{ ...shown, width: 9000 }]],
    ] as [Profile, Shown[]][]) {
      const asked = context(profile);
      expect(fewer(medium(large), as('inside', blocks), asked)).toBeUndefined();
      expect(asked.needs.size).toBe(0);
    }
  });
});

describe('a picture with large letters', () => {
  const letters: ImageBlock = { ...picture, width: 1400, height: 1000, textPx: 60 };
  const legible = { textPx: 60, ok: true };

  test('goes as small as they allow', () => {
    const asked = context(gpt);
    noLargerThanRead(medium(letters), as('inside', [shown], { legible }), asked);
    expect([...asked.needs.values()]).toMatchObject([{ to: 'image' }]);
  });

  test('only a picture, whose letters are known, in one piece', () => {
    for (const [block, decision] of [
      [paper, as('inside', [shown], { legible })],
      [letters, as('inside', [shown])],
      [letters, as('tiles', [shown], { legible })],
    ] as [Medium['block'], Decision][]) {
      const asked = context(gpt);
      expect(noLargerThanRead(medium(block), decision, asked)).toBeUndefined();
      expect(asked.needs.size).toBe(0);
    }
  });
});

test('what was cut into pieces goes whole; what was not stays', () => {
  const pieces = as('tiles', [shown, shown]);
  expect(inOnePiece(medium({ ...picture, textPx: 2 }), pieces, context())).toMatchObject({
    blocks: [{ type: 'text' }, { asset }],
  });
  expect(inOnePiece(medium({ ...picture, textPx: 2 }), pieces, context())?.action).not.toBe('tiles');
  expect(inOnePiece(medium(picture), as('inside', [shown]), context())).toBeUndefined();
});

describe('less detail', () => {
  const words: Shown = { type: 'text', text: 'beside' };

  test('is asked for where the API knows it, for every picture, once', () => {
    const reduced = lessDetail(medium(picture), as('inside', [words, shown]), context(gpt));
    expect(reduced).toEqual({
      place: 'inside',
      blocks: [words, { ...shown, detail: 'low' }],
      action: 'reduced',
      why: reducedToFit,
    });
    const half = as('inside', [
      { ...shown, detail: 'low' },
      { ...shown, detail: 'high' },
    ]);
    expect(lessDetail(medium(picture), half, context(gpt))?.blocks).toEqual([
      { ...shown, detail: 'low' },
      { ...shown, detail: 'low' },
    ]);
    expect(lessDetail(medium(picture), as('inside', [{ ...shown, detail: 'low' }]), context(gpt))).toBeUndefined();
    expect(lessDetail(medium(picture), as('inside', [words]), context(gpt))).toBeUndefined();
    expect(lessDetail(medium(picture), as('inside', [shown]), context(claude))).toBeUndefined();
  });
});

describe('half the size', () => {
  test('is asked for where a picture is shown', () => {
    const asked = context(gpt);
    expect(halfSize(medium(picture), as('inside', [shown]), asked)).toBeUndefined();
    expect([...asked.needs.values()]).toMatchObject([{ to: 'image', asset, maxEdge: 320 }]);
    for (const [block, decision] of [
      [paper, as('inside', [shown])],
      [picture, as('words', [{ type: 'text', text: 'a picture' }], { place: 'words' })],
    ] as [Medium['block'], Decision][]) {
      const none = context(gpt);
      expect(halfSize(medium(block), decision, none)).toBeUndefined();
      expect(none.needs.size).toBe(0);
    }
  });

  test('keeps the low detail that it had', () => {
    const asked = context(gpt);
    halfSize(medium(picture), as('inside', [shown]), asked);
    const small: ImageBlock = {
      ...picture,
      asset: { ...asset, id: `sha256:${'b'.repeat(64)}` },
      width: 320,
      height: 240,
    };
    const known = context(
      gpt,
      [...asked.needs.values()].map((need) => [need as Rendition, made(small)]),
    );
    const low = halfSize(
      medium(picture),
      as('inside', [
        { type: 'text', text: 'beside' },
        { ...shown, detail: 'low' },
      ]),
      known,
    );
    expect(low?.blocks.find(({ type }) => type === 'image')).toMatchObject({ width: 320, detail: 'low' });
    expect(low?.why).toBe(reducedToFit);
    const usual = halfSize(medium(picture), as('inside', [shown]), known);
    expect(usual?.blocks.find(({ type }) => type === 'image')).not.toMatchObject({ detail: 'low' });
    const never = context(
      gpt,
      [...asked.needs.values()].map((need) => [need as Rendition, refused]),
    );
    expect(halfSize(medium(picture), as('inside', [shown]), never)).toBeUndefined();
  });
});

const text = (length: number): Fact => made(picture, { type: 'text', text: 'q'.repeat(length) });

const letters = (decision: Decision | undefined): number => (JSON.stringify(decision?.blocks).match(/q/g) ?? []).length;

const beside = (...of: number[]): Shown => ({
  type: 'text',
  text: ['[the words]', ...of.map((page) => `${pageHeading(page)}\nwords of ${page}, see --- Page 9 ---`)].join('\n'),
});

describe('a document', () => {
  const whole = as('inside', [
    { type: 'text', text: 'beside' },
    { type: 'document', asset: paper.asset, pages: 9 },
  ]);
  const cut: DocumentBlock = { ...paper, asset: { ...paper.asset, id: `sha256:${'c'.repeat(64)}` } };

  test('goes as the first quarter of its pages, under a heading', () => {
    const asked = context();
    expect(firstPages(medium(paper), whole, asked)).toBeUndefined();
    expect([...asked.needs.values()]).toEqual([{ to: 'pdf', asset: paper.asset, range: [0, 3] }]);
    const known = context(claude, [[{ to: 'pdf', asset: paper.asset, range: [0, 3] }, made(picture, cut)]]);
    const { blocks, action, why } = firstPages(medium(paper), whole, known) ?? { blocks: [] };
    expect(blocks[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/1.*3/) as string });
    expect(blocks[1]).toEqual({ type: 'document', asset: cut.asset, pages: 3 });
    expect([action, why]).toEqual(['reduced', reducedToFit]);
  });

  test('of which a part is shown gives the first pages of that part', () => {
    const asked = context();
    firstPages(medium({ ...paper, range: [4, 9] }), whole, asked);
    expect([...asked.needs.values()]).toEqual([{ to: 'pdf', asset: paper.asset, range: [4, 6] }]);
  });

  test('goes with as many pages as leave some room, where these are more than a quarter', () => {
    for (const [tokens, bytes, pages] of [
      [8999, Infinity, 6],
      [8999, 2000, 4],
      [6000, Infinity, 4],
      [5714, Infinity, undefined],
      [8999, 1400, undefined],
      [0, Infinity, undefined],
      [-5000, Infinity, undefined],
    ] as const) {
      const asked = context();
      expect(fittingPages(medium(paper), whole, asked, spareOf(tokens, bytes))).toBeUndefined();
      const wanted = pages === undefined ? [] : [{ to: 'pdf', asset: paper.asset, range: [0, pages] }];
      expect([...asked.needs.values()], `${tokens} ${bytes}`).toEqual(wanted);
    }
    const known = context(claude, [[{ to: 'pdf', asset: paper.asset, range: [2, 8] }, made(picture, cut)]]);
    const part: DocumentBlock = { ...paper, pages: 20, range: [2, 11] };
    expect(fittingPages(medium(part), whole, known, spareOf(8999))).toEqual({
      ...whole,
      blocks: [
        { type: 'text', text: partHeading(part, 3, 8, 11) },
        { type: 'document', asset: cut.asset, pages: 6 },
      ],
      action: 'reduced',
      why: reducedToFit,
    });
    expect(fittingPages(medium(picture), as('inside', [shown]), known, spareOf(1))).toBeUndefined();
  });

  test('as page pictures goes with the first of them, and with their words where these stand beside', () => {
    const pages = (count: number): Shown[] =>
      Array.from({ length: count }, (_, at): Shown[] => [{ type: 'text', text: pageLabel(at + 4) }, shown]).flat();
    const part: DocumentBlock = { ...paper, pages: 20, range: [3, 12] };
    const heading = (last: number): Shown => ({ type: 'text', text: partHeading(part, 4, last, 12) });
    const warning: Shown = { type: 'text', text: 'small letters' };
    const all = as('pages', [warning, { type: 'text', text: pagesHeading(part) }, ...pages(9)]);
    const none = context();
    expect(fittingPages(medium(part), all, none, spareOf(9000))).toEqual({
      ...all,
      blocks: [warning, heading(9), ...pages(6)],
      why: reducedToFit,
    });
    expect(firstPages(medium(part), all, none)?.blocks).toEqual([warning, heading(6), ...pages(3)]);
    const worded = { ...all, blocks: [...all.blocks, beside(4, 6, 8, 9)] };
    expect(firstPages(medium(part), worded, none)?.blocks.slice(-2)).toEqual([shown, beside(4, 6)]);
    expect(firstPages(medium(part), { ...all, blocks: all.blocks.slice(0, 9) }, none)).toBeDefined();
    expect(firstPages(medium(part), { ...all, blocks: all.blocks.slice(0, 8) }, none)).toBeUndefined();
    expect(firstPages(medium(part), { ...all, blocks: all.blocks.slice(2) }, none)).toBeUndefined();
    expect(firstPages(medium(part), { ...all, blocks: all.blocks.slice(1) }, none)?.blocks[0]).toEqual(heading(6));
    expect(none.needs.size).toBe(0);
    const cutBefore = as('reduced', [{ type: 'document', asset: paper.asset, pages: 6 }]);
    expect(fittingPages(medium(paper), cutBefore, none, spareOf(5999, 2100))).toBeUndefined();
    expect(none.needs.size).toBe(0);
  });

  test('of one page, of unknown length, or that is not shown as one, stays', () => {
    const { pages: _pages, ...unknown } = paper;
    for (const [block, decision] of [
      [{ ...paper, pages: 1 }, whole],
      [{ ...paper, range: [4, 5] }, whole],
      [unknown, whole],
      [paper, as('pages', [shown])],
      [picture, whole],
    ] as [Medium['block'], Decision][]) {
      const asked = context();
      expect(firstPages(medium(block), decision, asked)).toBeUndefined();
      expect(asked.needs.size).toBe(0);
    }
    const two = context();
    firstPages(medium({ ...paper, pages: 2 }), whole, two);
    expect(two.needs.size).toBe(1);
    const broken = context(claude, [[{ to: 'pdf', asset: paper.asset, range: [0, 3] }, refused]]);
    expect(firstPages(medium(paper), whole, broken)).toBeUndefined();
    const other = context(claude, [[{ to: 'pdf', asset: paper.asset, range: [0, 3] }, made(picture)]]);
    expect(firstPages(medium(paper), whole, other)).toBeUndefined();
  });

  test('goes as its text, the beginning of a long one', () => {
    const form: Rendition = { to: 'text', asset: paper.asset };
    const asked = context();
    expect(asText(medium(paper), whole, asked)).toBeUndefined();
    expect([...asked.needs.values()]).toEqual([form]);
    const said = asText(medium(paper), whole, context(claude, [[form, text(30_000)]]));
    expect(said).toMatchObject({ action: 'text', why: reducedToFit });
    expect(letters(said)).toBeGreaterThan(19_000);
    expect(letters(said)).toBeLessThanOrEqual(20_010);
    const roomy = asText(medium(paper), whole, context(claude, [[form, text(30_000)]]), spareOf(31_000));
    expect(letters(roomy)).toBe(30_000);
    const fitting = asText(medium(paper), whole, context(claude, [[form, text(90_000)]]), spareOf(60_000));
    expect(letters(fitting)).toBeGreaterThan(37_000);
    expect(letters(fitting)).toBeLessThanOrEqual(42_010);
    const small = { ...claude, contextTokens: 25_000 };
    expect(letters(asText(medium(paper), whole, context(small, [[form, text(90_000)]]), spareOf(60_000)))).toBe(25_000);
    const part: Rendition = { ...form, range: [1, 2] };
    expect(letters(asText(medium({ ...paper, range: [1, 2] }), whole, context(claude, [[part, text(100)]])))).toBe(100);
  });

  test('not where words stand for it already, where it has no text, or where it is none', () => {
    const form: Rendition = { to: 'text', asset: paper.asset };
    const known = context(claude, [[form, text(10)]]);
    expect(asText(medium(paper), { ...whole, place: 'words' }, known)).toBeUndefined();
    expect(asText(medium(paper), whole, context(claude, [[form, refused]]))).toBeUndefined();
    expect(asText(medium(paper), whole, context(claude, [[form, made(picture)]]))).toBeUndefined();
    const asked = context();
    expect(asText(medium(picture), whole, asked)).toBeUndefined();
    expect(asked.needs.size).toBe(0);
  });

  test('whose text is still too long goes as the beginning of it', () => {
    const form: Rendition = { to: 'text', asset: paper.asset };
    const known = context(claude, [[form, text(30_000)]]);
    const short = beginning(medium(paper), as('text', [{ type: 'text', text: 'long' }]), known);
    expect(letters(short)).toBeGreaterThan(1500);
    expect(letters(short)).toBeLessThanOrEqual(2010);
    const fitting = beginning(medium(paper), as('text', [{ type: 'text', text: 'long' }]), known, spareOf(10_000));
    expect(letters(fitting)).toBeGreaterThan(6000);
    expect(letters(fitting)).toBeLessThanOrEqual(7010);
    expect(beginning(medium(paper), whole, known)).toBeUndefined();
  });
});
