// The ladders, one decision at a time: what is asked for, what stands in place of a medium, and the reason that is told.
import { describe, expect, test } from 'vitest';
import type {
  Block,
  CarriedBlock,
  DocumentBlock,
  ImageBlock,
  MediaBlock,
  SoundBlock,
} from '../../src/content/block.ts';
import { refuse } from '../../src/content/refusal.ts';
import {
  behindCut,
  caption,
  descriptionHeading,
  doesNotFit,
  firstPagesHeading,
  illegible,
  innerPictureNote,
  innerPicturesNote,
  overviewLabel,
  pageHeading,
  pageLabel,
  pagesAsWords,
  pagesHeading,
  partNote,
  pictureLabel,
  refusedByProvider,
  sightless,
  smallPagesAsWords,
  takesNoDocument,
  tooManyBytes,
  tooManyPages,
  uncutPages,
  takesNone,
  textHeading,
  unstored,
  wordlessDocument,
  words,
} from '../../src/content/words.ts';
import { decide, halved, rungOf, textDecision } from '../../src/window/decide.ts';
import type { DecideContext, Decision, MediaSlot } from '../../src/window/decide.ts';
import type { PlannedMedia, SentDetail, Shown } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import type { Action } from '../../src/window/receipt.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Rendition } from '../../src/window/rendition.ts';
import { formOf, sentDetail } from '../../src/window/tiles.ts';
import type { ReadableForm } from '../../src/window/tiles.ts';
import { mcpClient } from '../../src/window/viewer.ts';
import type { Viewer } from '../../src/window/viewer.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');
const opus = profileFor('anthropic/claude-opus-4-7');
const gpt = profileFor('openai/gpt-5.4');
const gemini = profileFor('gemini/gemini-3-pro-preview');
const llava = profileFor('ollama/llava');
const blind = profileFor('ollama/llama3.1');

const text = (value: string): Block & Shown => ({ type: 'text', text: value });

function asset(name: string, mediaType: string, size = 300): MediaBlock['asset'] {
  return { id: `sha256:${name.padEnd(64, '0')}`, mediaType, size, name };
}

function picture(name: string, width = 640, height = 480): ImageBlock {
  return { type: 'image', asset: asset(name, 'image/png'), width, height };
}

function shownAs({ asset: of, width, height }: ImageBlock, detail?: SentDetail): PlannedMedia {
  return { type: 'image', asset: of, width, height, ...(detail && { detail }) };
}

const paper: DocumentBlock = { type: 'document', asset: asset('spec.pdf', 'application/pdf'), pages: 3 };
const letter: DocumentBlock = { type: 'document', asset: asset('letter.docx', 'application/x-letter') };
const refused: Fact = refuse('corrupt', 'It is broken', 'Use another one.');
const gives = (...value: Block[]): Fact => ({ ok: true, value });

type Setting = Partial<Omit<DecideContext, 'profile' | 'facts' | 'need'>> & {
  /** What becomes of each rendition, by its kind or by the asset it is of; refused where nothing is said. */
  facts?: { [kind: string]: Fact };
  slot?: MediaSlot;
};

/** What is decided in the end, and all that had to be asked for on the way. */
function settle(
  profile: Viewer,
  block: MediaBlock,
  { facts = {}, slot = 'result', ...more }: Setting = {},
): { decision: Decision; asked: Rendition[] } {
  const known = new Map<string, Fact>();
  const asked: Rendition[] = [];
  for (let round = 0; round < 5; round++) {
    const needed: Rendition[] = [];
    const need = (one: Rendition): void => void needed.push(one);
    const context: DecideContext = { gone: new Set(), viewable: false, ...more, profile, facts: known, need };
    const decision = decide(block, slot, context);
    if (decision) {
      expect(needed).toEqual([]);
      return { decision, asked };
    }
    expect(needed).not.toEqual([]);
    asked.push(...needed);
    for (const one of needed)
      known.set(renditionKey(one), facts[`${one.to} ${one.asset.name ?? ''}`] ?? facts[one.to] ?? refused);
  }
  throw new Error('It asks again and again.');
}

const decided = (...of: Parameters<typeof settle>): Decision => settle(...of).decision;

function inWords(block: CarriedBlock, why: string, viewable = false): Decision {
  return { place: 'words', blocks: [text(words(block, { why, viewable }))], action: 'words', why };
}

const floor = (block: MediaBlock, rung: number): Setting => ({ floors: new Map([[block.asset.id, rung]]) });

describe('a picture', () => {
  const block = picture('door.png');

  test('that fits goes as it is, inside or behind the results, with what was done to it', () => {
    const native: Decision = {
      place: 'inside',
      blocks: [shownAs(block)],
      action: 'inside',
      why: `${claude.id} takes it there`,
    };
    expect(settle(claude, block)).toStrictEqual({ decision: native, asked: [] });
    expect(decided(claude, block, { slot: 'user' })).toStrictEqual(native);
    expect(decided(claude, block, { slot: 'errorResult' })).toStrictEqual({
      ...native,
      place: 'after',
      action: 'after',
    });
    expect(decided(gpt, block).blocks).toStrictEqual([shownAs(block, 'high')]);
    const scaled: ImageBlock = { ...block, origin: { source: 'x', made: 'scaled by 2' } };
    expect(decided(claude, scaled).blocks).toStrictEqual([text(caption(scaled) ?? ''), shownAs(block)]);
  });

  test('whose bytes are gone is words, as for who cannot see', () => {
    expect(decided(claude, block, { gone: new Set([block.asset.id]) })).toStrictEqual(inWords(block, unstored));
    expect(decided(claude, block, { gone: new Set([paper.asset.id]) }).action).toBe('inside');
    expect(settle(blind, block)).toStrictEqual({ decision: inWords(block, sightless), asked: [] });
    expect(decided(blind, block, { viewable: true })).toStrictEqual(inWords(block, sightless, true));
    expect(decided({ ...blind, withheld: 'kept back' }, block)).toStrictEqual(inWords(block, 'kept back'));
  });

  const { types, maxBase64 } = claude.media.image;
  const most = (maxBase64 / 4) * 3;
  const sized = (size: number): ImageBlock => ({ ...block, asset: { ...block.asset, size } });
  const typed = (mediaType: string): ImageBlock => ({ ...block, asset: { ...block.asset, mediaType } });

  test.each<[string, ImageBlock, boolean]>([
    ['as wide as may be', { ...block, width: 8000 }, true],
    ['wider', { ...block, width: 8001 }, false],
    ['as high as may be', { ...block, height: 8000 }, true],
    ['higher', { ...block, height: 8001 }, false],
    ['as heavy as may be', sized(most), true],
    ['heavier', sized(most + 1), false],
    ['of another type', typed('image/tiff'), false],
  ])('%s goes as it is or is made to fit', (_name, given, fits) => {
    expect(settle(claude, given).asked).toStrictEqual(
      fits ? [] : [{ to: 'image', asset: given.asset, types, maxEdge: 2000, maxBase64 }],
    );
  });

  test('that is made to fit tells of all that was done to it; where it cannot be, words stand for it', () => {
    const wide: ImageBlock = { ...picture('wide.png', 9000), origin: { source: 'x', made: 'cropped' } };
    const small: ImageBlock = { ...picture('small.png'), origin: { source: 'y', made: 'scaled' } };
    const told = { ...small, origin: { source: '', made: 'cropped; then scaled' } };
    expect(decided(claude, wide, { facts: { image: gives(text('x'), small) } })).toStrictEqual({
      place: 'inside',
      blocks: [text(caption(told) ?? ''), shownAs(small)],
      action: 'reduced',
      why: `made to fit ${claude.id}`,
    });
    const plain = decided(claude, picture('wide.png', 9000), { facts: { image: gives(picture('small.png')) } });
    expect(plain.blocks).toStrictEqual([shownAs(picture('small.png'))]);
    const once = decided(claude, picture('wide.png', 9000), { facts: { image: gives(small) } });
    expect(once.blocks[0]).toStrictEqual(text(caption(small) ?? ''));
    for (const fact of [refused, gives(), gives(text('x'))])
      expect(decided(claude, wide, { facts: { image: fact } })).toStrictEqual(inWords(wide, doesNotFit(claude.id)));
  });

  test('among many may not be as large as one alone', () => {
    const large = picture('large.png', 2001);
    expect(settle(claude, large).asked).toEqual([]);
    expect(settle(claude, large, { many: true }).asked).toMatchObject([{ to: 'image', maxEdge: 2000 }]);
    expect(settle(claude, picture('a.png', 2000), { many: true }).asked).toEqual([]);
    const { manyImages: _many, ...rest } = claude;
    expect(settle(rest, large, { many: true }).asked).toEqual([]);
    const strict: Profile = { ...claude, manyImages: { above: 20, maxEdge: 500 } };
    expect(settle(strict, block, { many: true }).asked).toMatchObject([{ maxEdge: 500 }]);
    const narrow: Profile = {
      ...claude,
      media: { ...claude.media, image: { ...claude.media.image, maxEdge: 600 } },
    };
    expect(settle(narrow, block, { many: true }).asked).toMatchObject([{ maxEdge: 600 }]);
  });

  describe('whose original is asked for', () => {
    const original = { asset: asset('original.tiff', 'image/tiff'), width: 5000, height: 4000 };
    const asked: ImageBlock = { ...block, detail: 'original', original };
    const rendition = { to: 'image', asset: original.asset, maxEdge: gpt.largeEdge, types: gpt.media.image.types };

    test('is made from it where a model sees more than usual, and goes as it is where that fails', () => {
      const large = picture('large.png', 5000, 4000);
      const fits = settle(gpt, asked, { facts: { image: gives(large) } });
      expect(fits.asked).toMatchObject([rendition]);
      expect(fits.decision).toStrictEqual({
        place: 'inside',
        blocks: [shownAs(large, 'original')],
        action: 'inside',
        why: `made to fit ${gpt.id}`,
      });
      expect(decided(gpt, asked)).toStrictEqual({
        place: 'inside',
        blocks: [shownAs(asked, 'original')],
        action: 'inside',
        why: 'its original could not be used',
      });
    });

    test('goes as usual where there is no more to see, too many pictures, or no original', () => {
      const { largeEdge: _edge, ...usual } = gpt;
      const { detail: _detail, ...unasked } = asked;
      expect(settle(usual, asked).asked).toEqual([]);
      expect(settle(gpt, asked, { many: true }).asked).toEqual([]);
      expect(settle(gpt, unasked).asked).toEqual([]);
      expect(settle(gpt, { ...block, detail: 'original' }).asked).toEqual([]);
      expect(settle({ ...gpt, defaultDetail: 'original' }, unasked).asked).toMatchObject([rendition]);
    });

    test('is what is made to fit when the picture itself does not, and the picture where it cannot be read', () => {
      const wide = { ...asked, width: 9000 };
      expect(settle(gpt, wide).asked).toMatchObject([rendition, { ...rendition, asset: wide.asset }]);
      expect(decided(gpt, wide)).toStrictEqual(inWords(wide, doesNotFit(gpt.id)));
    });
  });

  describe('that was refused', () => {
    test('is made half as large from its original, and tells of one scaling', () => {
      const original = { asset: asset('original.png', 'image/png'), width: 1280, height: 960 };
      const shrunk: ImageBlock = { ...block, original, origin: { source: 'x', made: 'scaled to half' } };
      const small = { ...picture('half.png', 320, 240), origin: { source: 'y', made: 'scaled to a quarter' } };
      const { asked, decision } = settle(claude, shrunk, { ...floor(shrunk, 1), facts: { image: gives(small) } });
      const smaller = { to: 'image', maxEdge: 320 };
      expect(asked).toMatchObject([
        { ...smaller, asset: shrunk.asset },
        { ...smaller, asset: original.asset },
      ]);
      expect(decision?.blocks[0]).toMatchObject({ text: expect.stringMatching(/scaled to a quarter; the provider/) });
      expect(JSON.stringify(decision)).not.toContain('scaled to half');
    });

    test('goes half as large and written anew, then in words', () => {
      const small = { ...picture('half.png', 320, 240), origin: { source: 'y', made: 'scaled' } };
      const { asked, decision } = settle(claude, block, { ...floor(block, 1), facts: { image: gives(small) } });
      expect(asked).toStrictEqual([
        {
          to: 'image',
          asset: block.asset,
          types: ['image/jpeg', 'image/png'],
          maxEdge: 320,
          maxBase64: 1024 * 1024,
        },
      ]);
      const told = { ...small, origin: { source: '', made: `scaled; ${refusedByProvider}` } };
      expect(decision).toStrictEqual({
        place: 'inside',
        blocks: [text(caption(told) ?? ''), shownAs(small)],
        action: 'reduced',
        why: refusedByProvider,
      });
      expect(decided(claude, block, floor(block, 1))).toStrictEqual(inWords(block, refusedByProvider));
      expect(settle(claude, block, floor(block, 2))).toStrictEqual({
        decision: inWords(block, refusedByProvider),
        asked: [],
      });
      expect(decided(claude, block, floor(paper, 2)).action).toBe('inside');
    });
  });
});

const context = (facts: DecideContext['facts'], profile: Viewer = claude): DecideContext => ({
  profile,
  facts,
  gone: new Set(),
  viewable: false,
  need: () => undefined,
});

describe('half a picture', () => {
  const none = context(new Map());
  const half = (block: ImageBlock, made: Fact, profile: Viewer = claude): Decision | false | undefined => {
    const answers = { get: () => made } as unknown as DecideContext['facts'];
    return halved(block, 'inside', 'to save', context(answers, profile));
  };

  test('is none where it would be smaller than letters, or no common type is read', () => {
    expect(halved(picture('a', 31, 16), 'inside', 'x', none)).toBe(false);
    expect(halved(picture('a', 16, 31), 'inside', 'x', none)).toBe(false);
    expect(halved(picture('a', 32, 16), 'inside', 'x', none)).toBeUndefined();
    const webp: Profile = {
      ...claude,
      media: { ...claude.media, image: { ...claude.media.image, types: ['image/webp'] } },
    };
    expect(halved(picture('a'), 'inside', 'x', context(new Map(), webp))).toBe(false);
  });

  test('is rounded up, and never larger than the rule', () => {
    const edges: number[] = [];
    const asking = (profile: Viewer): DecideContext => ({
      ...context(new Map(), profile),
      need: (one) => void edges.push('maxEdge' in one ? one.maxEdge : -1),
    });
    halved(picture('a', 641, 100), 'inside', 'x', asking(claude));
    halved(picture('a', 100, 643), 'inside', 'x', asking(claude));
    const narrow: Profile = { ...claude, media: { ...claude.media, image: { ...claude.media.image, maxEdge: 100 } } };
    halved(picture('a', 641, 100), 'inside', 'x', asking(narrow));
    expect(edges).toEqual([321, 322, 100]);
  });

  test('says that it was made smaller, and goes in the detail that was asked for', () => {
    const small = picture('s', 320, 240);
    const told = { ...small, origin: { source: '', made: 'made smaller; to save' } };
    expect(half(picture('a'), gives(small))).toStrictEqual({
      place: 'inside',
      blocks: [text(caption(told) ?? ''), shownAs(small)],
      action: 'reduced',
      why: 'to save',
    });
    const detail = (asked: ImageBlock['detail']): unknown => {
      const made = half({ ...picture('a'), ...(asked && { detail: asked }) }, gives(small), gpt);
      return made && made.blocks.map((one) => (one.type === 'image' ? one.detail : undefined)).at(-1);
    };
    expect([detail('low'), detail('original'), detail(undefined)]).toEqual(['low', 'high', 'high']);
  });

  test('is none where it cannot be made, or does not fit either', () => {
    for (const fact of [refused, gives(), gives(text('x')), gives(picture('s', 9000))])
      expect(half(picture('a'), fact)).toBe(false);
  });
});

function form<To extends ReadableForm['to']>(
  to: To,
  block: ImageBlock,
  profile: Viewer,
  policy: DecideContext['policy'] = {},
): ReadableForm & { to: To } {
  const found = formOf(block, sentDetail(block.detail, profile), profile, policy);
  if (found?.to !== to) throw new Error(`${found?.to ?? 'nothing'}, not ${to}`);
  return found as ReadableForm & { to: To };
}

const px = (value: number): Decision['legible'] => ({ textPx: Number(value.toFixed(1)), ok: value >= 9 });

describe('a picture with writing', () => {
  const tall: ImageBlock = {
    ...picture('page.png', 427, 2000),
    original: { asset: asset('page.tiff', 'image/tiff'), width: 1280, height: 6000 },
    textPx: 14,
  };
  const desk: ImageBlock = {
    ...picture('desk.png', 2000, 1125),
    original: { asset: asset('desk.tiff', 'image/tiff'), width: 3200, height: 1800 },
    textPx: 13,
  };
  const slide: ImageBlock = { ...picture('slide.png', 1500, 1000), textPx: 30 };
  const tiles = { 'tiles page.png': refused };
  const pieces = [1, 2].map((at): ImageBlock => ({
    ...picture(`piece-${at}.png`),
    origin: { source: 'x', made: `part ${at} of 2` },
  }));
  const labelled = pieces.flatMap((one): Shown[] => [text(`[${one.origin?.made ?? ''}]`), shownAs(one)]);

  test('too small to read goes in strips of its original, each with its place', () => {
    const { grid, tokens, textPx } = form('tiles', tall, claude);
    expect(grid.columns).toBe(1);
    const { types, maxBase64 } = claude.media.image;
    const { asked, decision } = settle(claude, tall, { facts: { tiles: gives(text('x'), ...pieces) } });
    expect(asked).toStrictEqual([{ to: 'tiles', asset: tall.original?.asset, grid, types, maxBase64 }]);
    expect(decision).toStrictEqual({
      place: 'inside',
      blocks: labelled,
      action: 'tiles',
      why: `2 strips, about ${tokens.toLocaleString('en-US')} tokens: its writing is ${textPx.toFixed(1)} px high then`,
      legible: px(textPx),
    });
    expect(tokens).toBeGreaterThan(999);
    const nameless = { ...picture('piece-1.png') };
    expect(decided(claude, tall, { facts: { tiles: gives(nameless) } }).blocks[0]).toStrictEqual(text('[]'));
    const { original: _original, ...alone } = { ...tall, width: 1280, height: 6000 };
    expect(settle(claude, alone, { facts: { tiles: gives(...pieces) } }).asked).toMatchObject([
      { to: 'tiles', asset: alone.asset },
    ]);
  });

  test('in a grid comes behind a small picture of the whole', () => {
    const policy = { tiles: 'auto' } as const;
    const { grid, overview, tokens, textPx } = form('tiles', desk, claude, policy);
    expect([grid.columns > 1, overview]).toEqual([true, expect.any(Number)]);
    const { types, maxBase64 } = claude.media.image;
    const small = picture('whole.png');
    const facts = { tiles: gives(...pieces), image: gives(text('x'), small) };
    const { asked, decision } = settle(claude, desk, { policy, facts });
    expect(asked).toStrictEqual([
      { to: 'tiles', asset: desk.original?.asset, grid, types, maxBase64 },
      { to: 'image', asset: desk.asset, types, maxEdge: overview, maxBase64 },
    ]);
    expect(decision).toStrictEqual({
      place: 'inside',
      blocks: [text(overviewLabel(desk, 2)), shownAs(small), ...labelled],
      action: 'tiles',
      why: `2 tiles, about ${tokens.toLocaleString('en-US')} tokens: its writing is ${textPx.toFixed(1)} px high then`,
      legible: px(textPx),
    });
    const without = decided(claude, desk, { policy, facts: { tiles: gives(...pieces) } });
    expect(without.blocks).toStrictEqual(labelled);
  });

  test('that cannot be cut goes whole, and tells that it can hardly be read', () => {
    const { wholePx } = form('tiles', tall, claude);
    for (const fact of [refused, gives(), gives(text('x'))])
      for (const viewable of [false, true])
        expect(decided(claude, tall, { viewable, facts: { ...tiles, tiles: fact } })).toStrictEqual({
          place: 'inside',
          blocks: [text(illegible(wholePx, viewable)), shownAs(tall)],
          action: 'inside',
          why: `${claude.id} takes it there`,
          legible: px(wholePx),
        });
  });

  test('that would be too dear in pieces says so', () => {
    const policy = { maxImageTokens: 1000 };
    const { wholePx } = form('whole', tall, claude, policy);
    expect(decided(claude, tall, { policy })).toStrictEqual({
      place: 'inside',
      blocks: [text(illegible(wholePx, false)), shownAs(tall)],
      action: 'inside',
      why: `${claude.id} takes it there; in pieces that can be read it would take more than 1,000 tokens or 12 pictures`,
      legible: px(wholePx),
    });
  });

  test('is told as legible from 9 px on; from 7 px on no sentence warns', () => {
    const at = (high: number): Decision => {
      const block = { ...picture('a.png', 500, 500), textPx: high };
      return decided(claude, block, { policy: { tiles: 'off' } });
    };
    expect([at(9).legible, at(8.96).legible, at(8.94).legible]).toEqual([
      { textPx: 9, ok: true },
      { textPx: 9, ok: false },
      { textPx: 8.9, ok: false },
    ]);
    expect([at(7).blocks.length, at(6.9).blocks.length]).toEqual([1, 2]);
    const wordless = { ...picture('a.tiff', 500, 500), textPx: 8 };
    wordless.asset = asset('a.tiff', 'image/tiff');
    expect(decided(claude, wordless)).toStrictEqual(inWords(wordless, doesNotFit(claude.id)));
  });

  test('is made anew from its original where a model sees more of it', () => {
    const { maxEdge, textPx } = form('resized', tall, gemini);
    const { types, maxBase64 } = gemini.media.image;
    const large = picture('large.png', 1000, 4000);
    const { asked, decision } = settle(gemini, tall, { facts: { image: gives(text('x'), large) } });
    expect(asked).toStrictEqual([{ to: 'image', asset: tall.original?.asset, types, maxEdge, maxBase64 }]);
    expect(decision).toStrictEqual({
      place: 'inside',
      blocks: [shownAs(large)],
      action: 'inside',
      why: `from its original: its writing is ${textPx.toFixed(1)} px high then`,
      legible: px(textPx),
    });
    const { wholePx } = form('resized', tall, gemini);
    for (const fact of [refused, gives(text('x')), gives({ ...large, width: 9000 })])
      expect(decided(gemini, tall, { facts: { image: fact } })).toMatchObject({
        why: `${gemini.id} takes it there`,
        legible: px(wholePx),
      });
  });

  test('goes as small as its letters allow where that is wished for, under its own name', () => {
    const policy = { legibility: 'thrifty' } as const;
    const { maxEdge } = form('resized', slide, opus, policy);
    const small: ImageBlock = { ...picture('made.png', 600, 400), origin: { source: 'y', made: 'scaled' } };
    const { asked, decision } = settle(opus, slide, { policy, facts: { image: gives(small) } });
    expect(asked).toMatchObject([{ to: 'image', asset: slide.asset, maxEdge }]);
    const named = { ...small, asset: { ...small.asset, name: 'slide.png' } };
    expect(decision).toStrictEqual({
      place: 'inside',
      blocks: [text(caption(named) ?? ''), shownAs(small)],
      action: 'reduced',
      why: 'smaller: its writing is 12.0 px high then',
      legible: { textPx: 12, ok: true },
    });
    const { name: _name, ...nameless } = slide.asset;
    const other = decided(opus, { ...slide, asset: nameless }, { policy, facts: { image: gives(small) } });
    expect(other.blocks[0]).toStrictEqual(text(caption(small) ?? ''));
  });
});

const planned = ({ asset: of, pages }: DocumentBlock): Shown => ({
  type: 'document',
  asset: of,
  ...(pages !== undefined && { pages }),
});

describe('a document', () => {
  const { maxBase64, maxPages } = claude.media.document;

  test('that fits goes as it is', () => {
    const native = (block: DocumentBlock): Decision => ({
      place: 'inside',
      blocks: [planned(block)],
      action: 'inside',
      why: `${claude.id} takes it there`,
    });
    const { pages: _pages, ...uncounted } = paper;
    for (const block of [paper, uncounted, { ...paper, pages: maxPages }])
      expect(settle(claude, block)).toStrictEqual({ decision: native(block), asked: [] });
    const heaviest = { ...paper, asset: { ...paper.asset, size: (maxBase64 / 4) * 3 } };
    expect(settle(claude, heaviest).asked).toEqual([]);
    expect(decided(claude, { ...paper, range: [0, 3] }).blocks).toStrictEqual([planned(paper)]);
    expect(decided(claude, paper, { slot: 'errorResult' }).action).toBe('after');
  });

  const most = (maxBase64 / 4) * 3;
  test.each<[string, DocumentBlock, string]>([
    ['with too many pages', { ...paper, pages: maxPages + 1 }, tooManyPages(maxPages + 1, claude.id, maxPages)],
    [
      'that is too heavy',
      { ...paper, asset: { ...paper.asset, size: most + 1 } },
      tooManyBytes(most + 1, claude.id, most),
    ],
    ['of another type', letter, takesNoDocument(claude.id)],
  ])('%s goes as what is in it, and the receipt says why', (_name, block, why) => {
    const { asked, decision } = settle(claude, block, { facts: { text: gives(text('hello')) } });
    expect(asked.at(-1)).toEqual({ to: 'text', asset: block.asset });
    expect(decision).toStrictEqual({
      place: 'words',
      blocks: [text(`${textHeading(block)}\nhello`)],
      action: 'text',
      why,
    });
    if (block === letter) return;
    const pages = gives(picture('one.png'));
    expect(decided(claude, { ...block, range: [0, block.pages ?? 1] }, { facts: { pages } }).why).toContain(why);
    expect(decided(claude, block)).toStrictEqual(inWords(block, wordlessDocument(why)));
  });

  test('of which some pages are wanted is cut; what cannot be cut goes another way', () => {
    const part: DocumentBlock = { ...paper, range: [1, 3] };
    const cut: DocumentBlock = { type: 'document', asset: asset('cut.pdf', 'application/pdf'), pages: 2 };
    const { asked, decision } = settle(claude, part, { facts: { pdf: gives(text('x'), cut) } });
    expect(asked).toStrictEqual([{ to: 'pdf', asset: paper.asset, range: [1, 3] }]);
    expect(decision.blocks).toStrictEqual([planned(cut)]);
    expect(settle(claude, { ...paper, range: [0, 2] }).asked[0]).toMatchObject({ to: 'pdf', range: [0, 2] });
    expect(settle(claude, part, { facts: { pdf: gives(text('x')) } }).asked.map(({ to }) => to)).toEqual([
      'pdf',
      'pages',
      'text',
    ]);
    const heavy = { ...cut, pages: maxPages + 1 };
    expect(decided(claude, part, { facts: { pdf: refused, text: gives(text('x')) } }).why).toBe(uncutPages);
    expect(settle(claude, part, { facts: { pdf: gives(heavy) } }).asked.map(({ to }) => to)).toEqual([
      'pdf',
      'pages',
      'text',
    ]);
  });

  test('that was refused goes down rung by rung', () => {
    const pages = gives(picture('one.png'), picture('two.png'));
    const down = (rung: number, facts: Setting['facts'] = {}): Decision =>
      decided(claude, paper, { ...floor(paper, rung), facts });
    const facts = { pages, text: gives(text('hello')) };
    expect(down(0, facts).action).toBe('inside');
    expect(down(1, facts)).toStrictEqual({
      place: 'inside',
      blocks: [
        text(pagesHeading(paper, refusedByProvider)),
        text(pageLabel(1)),
        shownAs(picture('one.png')),
        text(pageLabel(2)),
        shownAs(picture('two.png')),
      ],
      action: 'pages',
      why: refusedByProvider,
    });
    expect(down(2, facts)).toStrictEqual({
      place: 'words',
      blocks: [text(`${textHeading(paper, refusedByProvider)}\nhello`)],
      action: 'text',
      why: refusedByProvider,
    });
    expect(settle(claude, paper, { ...floor(paper, 3), facts })).toStrictEqual({
      decision: inWords(paper, refusedByProvider),
      asked: [],
    });
  });

  test('of which nothing can be had is words', () => {
    expect(settle(blind, paper)).toMatchObject({ asked: [{ to: 'text' }] });
    for (const fact of [refused, gives(), gives(picture('a')), gives(text(' \n'))])
      expect(decided(blind, paper, { facts: { text: fact } })).toStrictEqual(
        inWords(paper, wordlessDocument(takesNoDocument(blind.id))),
      );
    expect(decided({ ...blind, withheld: 'kept back' }, paper)).toStrictEqual(inWords(paper, 'kept back'));
  });

  test('as text says why, and which of its pages', () => {
    const part: DocumentBlock = { ...paper, range: [1, 3] };
    const facts = { text: gives(text(' '), text('hello')) };
    expect(settle(blind, part, { facts }).asked).toStrictEqual([{ to: 'text', asset: paper.asset, range: [1, 3] }]);
    expect(decided({ ...blind, withheld: 'kept back' }, paper, { facts })).toStrictEqual({
      place: 'words',
      blocks: [text(`${textHeading(paper, 'kept back')}\nhello`)],
      action: 'text',
      why: 'kept back',
    });
    const wished = decided(llava, paper, { policy: { pages: 'text' }, facts });
    expect(wished).toMatchObject({ action: 'text', why: takesNoDocument(llava.id) });
    expect(settle(llava, paper, { policy: { pages: 'text' } }).asked.map(({ to }) => to)).toEqual(['text', 'pages']);
  });
});

describe('pages as pictures', () => {
  const one = picture('one.png');
  const two = picture('two.png');

  test('stand where pictures do, under a heading, each with its number', () => {
    const { asked, decision } = settle(llava, paper, { facts: { pages: gives(text('x'), one, two) } });
    expect(asked).toStrictEqual([{ to: 'pages', asset: paper.asset, maxEdge: 1568 }]);
    expect(decision).toStrictEqual({
      place: 'after',
      blocks: [text(pagesHeading(paper)), text(pageLabel(1)), shownAs(one), text(pageLabel(2)), shownAs(two)],
      action: 'pages',
      why: `${llava.id} takes pictures but no PDF`,
    });
    const part: DocumentBlock = { ...paper, range: [1, 3] };
    const second = settle(llava, part, { facts: { pages: gives(one) } });
    expect(second.asked).toMatchObject([{ to: 'pages', range: [1, 3] }]);
    expect(second.decision.blocks[1]).toStrictEqual(text(pageLabel(2)));
    const narrow: Profile = { ...llava, media: { ...llava.media, image: { ...llava.media.image, maxEdge: 700 } } };
    expect(settle(narrow, paper).asked[0]).toMatchObject({ maxEdge: 700 });
  });

  test.each<[string, Viewer, DocumentBlock, Setting]>([
    ['no picture is taken', blind, paper, {}],
    ['it is no PDF', llava, { ...letter, pages: 3 }, {}],
    ['nobody knows how many', llava, { type: 'document', asset: paper.asset }, {}],
    ['there are none', llava, { ...paper, pages: 0 }, {}],
    ['there are too many', llava, { ...paper, pages: 21 }, {}],
    ['they were refused', llava, paper, floor(paper, 2)],
  ])('are not asked for where %s', (_name, profile, block, setting) => {
    expect(settle(profile, block, setting).asked.map(({ to }) => to)).not.toContain('pages');
  });

  test('are twenty at most', () => {
    expect(settle(llava, { ...paper, pages: 20 }).asked[0]?.to).toBe('pages');
    expect(settle(llava, { ...paper, pages: 90, range: [5, 25] }).asked[0]?.to).toBe('pages');
  });

  test('that are none, or do not fit, are not shown', () => {
    const facts = { text: gives(text('hello')) };
    for (const fact of [refused, gives(), gives(text('x')), gives(one, picture('wide.png', 9000))])
      expect(decided(llava, paper, { facts: { ...facts, pages: fact } }).action).toBe('text');
  });

  test('are only the first few for who reads text first and finds none', () => {
    const long: DocumentBlock = { ...paper, pages: 30 };
    const { asked, decision } = settle(mcpClient, long, { facts: { pages: gives(one, two) } });
    expect(asked).toStrictEqual([
      { to: 'text', asset: paper.asset },
      { to: 'pages', asset: paper.asset, maxEdge: 1568, range: [0, 5] },
    ]);
    expect(decision.blocks[0]).toStrictEqual(text(firstPagesHeading(long, 1, 5, 30)));
    expect(decision.why).toBe(`${mcpClient.id} takes pictures but no PDF`);
    const few = settle(mcpClient, { ...paper, pages: 5 }, { facts: { pages: gives(one) } });
    expect(few.asked[1]).toStrictEqual({ to: 'pages', asset: paper.asset, maxEdge: 1568 });
    expect(few.decision.blocks[0]).toStrictEqual(text(pagesHeading({ ...paper, pages: 5 })));
    const later = settle(mcpClient, { ...paper, pages: 30, range: [10, 30] }, { facts: { pages: gives(one) } });
    expect(later.asked[1]).toMatchObject({ range: [10, 15] });
    expect(later.decision.blocks[0]).toStrictEqual(
      text(firstPagesHeading({ ...paper, pages: 30, range: [10, 30] }, 11, 15, 30)),
    );
    expect(decided(mcpClient, paper, { facts: { text: gives(text('hello')) } }).action).toBe('text');
  });

  describe('with small letters', () => {
    const gemma = profileFor('ollama/gemma3');
    const small: ImageBlock = { ...picture('small.png', 1200, 1600), textPx: 11 };
    const many = 'word '.repeat(49) + 'word';
    const facts = (said: string): NonNullable<Setting['facts']> => ({ pages: gives(small), text: gives(text(said)) });
    const last = (setting: Setting): unknown => decided(gemma, { ...paper, pages: 1 }, setting).blocks.at(-1);

    test('have their words beside them, where these are more than a picture has', () => {
      const { asked, decision } = settle(gemma, { ...paper, pages: 1 }, { facts: facts(many) });
      expect(asked.map(({ to }) => to)).toEqual(['pages', 'text']);
      expect(decision.blocks).toStrictEqual([
        text(pagesHeading({ ...paper, pages: 1 })),
        text(pageLabel(1)),
        shownAs(small),
        text(`${smallPagesAsWords}\n${many}`),
      ]);
      expect(decision.why).toBe(`${gemma.id} takes pictures but no PDF`);
      expect(decision).not.toHaveProperty('legible');
      const few = { ...facts('word '.repeat(48) + 'word'), tiles: refused };
      expect(last({ facts: few, policy: { tiles: 'off' } })).toStrictEqual(shownAs(small));
    });

    test('are asked for their words only where somebody wants them', () => {
      const large = { ...small, textPx: 40 };
      const wants = (policy: DecideContext['policy'], page: ImageBlock): string[] =>
        settle(gemma, { ...paper, pages: 1 }, { policy, facts: { ...facts('short'), pages: gives(page) } }).asked.map(
          ({ to }) => to,
        );
      expect(wants({}, large)).toEqual(['pages']);
      expect(wants({ pages: 'picture+text' }, large)).toEqual(['pages', 'text']);
      expect(wants({ pages: 'picture', tiles: 'off' }, small)).toEqual(['pages']);
      expect(last({ policy: { pages: 'picture+text' }, facts: { ...facts('short'), pages: gives(large) } })).toEqual(
        text(`${pagesAsWords}\nshort`),
      );
      expect(last({ policy: { pages: 'picture+text' }, facts: facts('short') })).toEqual(
        text(`${smallPagesAsWords}\nshort`),
      );
      const cut = settle(
        { ...gemma, contextTokens: 3 },
        { ...paper, pages: 2, range: [0, 1] },
        { policy: { pages: 'picture+text' }, facts: facts('short') },
      );
      expect(cut.decision.blocks.at(-1)).toEqual(text(`${smallPagesAsWords}\nsho`));
      expect(cut.asked.at(-1)).toEqual({ to: 'text', asset: paper.asset, range: [0, 1] });
      for (const fact of [refused, gives(text(' ')), gives(small)])
        expect(last({ policy: { pages: 'picture+text' }, facts: { pages: gives(large), text: fact } })).toStrictEqual(
          shownAs(large),
        );
    });

    test('and no words come in pieces, unless pictures are not to be cut or would be too many', () => {
      const pieces = gives({ ...picture('piece.png'), origin: { source: 'x', made: 'part 1 of 2' } });
      const scan = { pages: gives(small), tiles: pieces, image: gives(picture('whole.png')) };
      const block = { ...paper, pages: 1 };
      const { asked, decision } = settle(gemma, block, { facts: scan });
      expect(asked.map(({ to }) => to).slice(0, 3)).toEqual(['pages', 'text', 'tiles']);
      expect(decision.why).toBe(`${gemma.id} takes pictures but no PDF; in pieces, for its letters are small`);
      expect(JSON.stringify(decision.blocks)).toContain('part 1 of 2');
      expect(decision.blocks.slice(0, 2)).toStrictEqual([text(pagesHeading(block)), text(pageLabel(1))]);
      const wholePx = formOf(small, undefined, gemma, { tiles: 'off' })?.wholePx ?? 0;
      const whole: Partial<Decision> = {
        action: 'pages',
        why: `${gemma.id} takes pictures but no PDF`,
        legible: { textPx: Number(wholePx.toFixed(1)), ok: false },
      };
      expect(decided(gemma, block, { facts: scan, policy: { tiles: 'off' } })).toMatchObject(whole);
      expect(decided(gemma, block, { facts: { ...scan, tiles: refused } })).toMatchObject(whole);
      expect(decided({ ...gemma, maxImages: 2 }, block, { facts: scan })).toMatchObject(whole);
      const twenty = Array.from({ length: 12 }, (_, at) => ({ ...small, asset: asset(`p${at}.png`, 'image/png') }));
      const dozen = { ...scan, pages: gives(...twenty) };
      expect(decided(gemma, { ...paper, pages: 12 }, { facts: dozen })).toMatchObject(whole);
      const mixed = { ...scan, pages: gives(small, { ...picture('large.png', 1200, 1600), textPx: 40 }) };
      const both = decided(gemma, { ...paper, pages: 2 }, { facts: mixed });
      expect(both.blocks.at(-1)).toStrictEqual(shownAs(picture('large.png', 1200, 1600)));
      expect(both.why).toContain('in pieces');
    });
  });
});

const asks = (profile: Viewer, block: DocumentBlock, setting: Setting = {}): boolean =>
  settle(profile, block, setting).asked.some(({ to }) => to === 'illustrated');

describe('words with their pictures', () => {
  const inner = picture('inner.png');
  const wide = picture('wide.png', 9000);

  test('stand in their order, each picture with its name', () => {
    const facts = { illustrated: gives(text('One '), inner, text(''), text('two')) };
    const { asked, decision } = settle(claude, letter, { facts });
    expect(asked).toStrictEqual([{ to: 'illustrated', asset: letter.asset }]);
    expect(decision).toStrictEqual({
      place: 'inside',
      blocks: [text(textHeading(letter)), text('One '), text(pictureLabel(inner)), shownAs(inner), text('two')],
      action: 'text',
      why: takesNoDocument(claude.id),
    });
    expect(decided(gpt, letter, { facts }).blocks[3]).toStrictEqual(shownAs(inner, 'high'));
  });

  test('are asked for only where pictures are shown and nothing was refused', () => {
    expect(asks(claude, letter)).toBe(true);
    expect(asks(blind, letter)).toBe(false);
    expect(asks(llava, { ...paper, pages: 50 })).toBe(false);
    expect(asks(claude, letter, floor(letter, 1))).toBe(true);
    expect(asks(claude, letter, floor(letter, 2))).toBe(false);
    for (const fact of [refused, gives(text('no picture'))])
      expect(
        decided(claude, letter, { facts: { illustrated: fact, text: gives(text('hello')) } }).blocks,
      ).toStrictEqual([text(`${textHeading(letter)}\nhello`)]);
    const lower = decided(claude, letter, { ...floor(letter, 1), facts: { illustrated: gives(inner) } });
    expect(lower).toMatchObject({
      why: refusedByProvider,
      blocks: [text(textHeading(letter, refusedByProvider)), {}, {}],
    });
  });

  test('tell of pictures that do not fit, once they could not be made to', () => {
    const facts = { illustrated: gives(text('One'), wide, inner) };
    const { types, maxBase64 } = claude.media.image;
    const { asked, decision } = settle(claude, letter, { facts });
    expect(asked.slice(1)).toStrictEqual([{ to: 'image', asset: wide.asset, types, maxEdge: 2000, maxBase64 }]);
    expect(decision.blocks[2]).toStrictEqual(text(innerPictureNote('wide.png', doesNotFit(claude.id))));
    expect(decision.why).toBe(`${takesNoDocument(claude.id)}; 1 of its pictures do not fit it`);
    expect(decision.place).toBe('inside');
    const small = picture('small.png');
    const made = decided(claude, letter, { facts: { ...facts, image: gives(text('x'), small) } });
    expect(made.blocks.slice(2, 4)).toStrictEqual([text(pictureLabel(small)), shownAs(small)]);
    expect(made.why).toBe(takesNoDocument(claude.id));
    const none = decided(claude, letter, { facts: { illustrated: gives(wide), image: gives(wide) } });
    expect(none.place).toBe('words');
    const { name: _name, ...nameless } = wide.asset;
    const other = decided(claude, letter, { facts: { illustrated: gives({ ...wide, asset: nameless }) } });
    expect(other.blocks[1]).toStrictEqual(text(innerPictureNote('picture', doesNotFit(claude.id))));
    const narrow: Profile = { ...claude, media: { ...claude.media, image: { ...claude.media.image, maxEdge: 600 } } };
    expect(settle(narrow, letter, { facts: { illustrated: gives(inner) } }).asked[1]).toMatchObject({ maxEdge: 600 });
  });

  test('are cut where they are more than the window, and name the pictures behind the cut', () => {
    const short: Viewer = { ...claude, contextTokens: 5 };
    const second = picture('second.png');
    const cut = decided(short, letter, {
      facts: { illustrated: gives(text('abc'), inner, text('defg'), second, text('hi')) },
    });
    expect(cut).toStrictEqual({
      place: 'inside',
      blocks: [
        text([textHeading(letter), partNote('abcde', 9), innerPicturesNote(['second.png'], behindCut)].join('\n')),
        text('abc'),
        text(pictureLabel(inner)),
        shownAs(inner),
        text('de'),
      ],
      action: 'text',
      why: `${takesNoDocument(claude.id)}; 1 of its pictures stand behind the cut`,
    });
    const facts = { illustrated: gives(text('abc'), inner, text('defg'), second, text('all that follows'), second) };
    const behind = decided(short, letter, { facts }).blocks.slice(1);
    expect(behind).toStrictEqual([text('abc'), text(pictureLabel(inner)), shownAs(inner), text('de')]);
    const whole = decided(short, letter, { facts: { illustrated: gives(text('abcde'), inner) } });
    expect(whole.blocks.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'image']);
    expect(whole.blocks[0]).toStrictEqual(text(textHeading(letter)));
    const broken = decided(claude, letter, { facts: { illustrated: gives(text('half \ud800'), inner) } });
    expect(broken.blocks[1]).toStrictEqual(text('half \ufffd'));
  });
});

describe('for who cannot see', () => {
  const block = picture('door.png');
  const eyes = { by: 'gpt-5.2', media: new Set([block.asset.id]) };
  const legible = new Set([block.asset.id]);

  test('the words of the author come before anything that could be read off', () => {
    const own = { ...block, fallback: 'A red door.' };
    expect(settle(blind, own, { eyes, legible })).toStrictEqual({ decision: inWords(own, sightless), asked: [] });
  });

  test('another model describes the picture', () => {
    const facts = { description: gives(picture('x'), text('A half \ud800 door.')) };
    const { asked, decision } = settle(blind, block, { eyes, facts });
    expect(asked).toStrictEqual([{ to: 'description', asset: block.asset, picture: block, by: 'gpt-5.2' }]);
    expect(decision).toStrictEqual({
      place: 'words',
      blocks: [text(`${descriptionHeading(block, 'gpt-5.2')}\nA half \ufffd door.`)],
      action: 'text',
      why: 'described by gpt-5.2',
    });
    expect(settle(blind, picture('other.png'), { eyes }).asked).toEqual([]);
    const scan = { by: 'gpt-5.2', media: new Set([paper.asset.id]) };
    expect(settle(blind, paper, { eyes: scan }).asked.map(({ to }) => to)).toEqual(['text']);
  });

  test('what could not be described is read off or named, and the reason told', () => {
    expect(decided(blind, block, { eyes })).toStrictEqual({
      ...inWords(block, sightless),
      why: `${sightless}; It is broken`,
    });
    expect(decided(blind, block, { eyes, facts: { description: gives() } })).toStrictEqual(inWords(block, sightless));
    const read = settle(blind, block, { eyes, legible, facts: { words: gives(text('EXIT')) } });
    expect(read.asked.map(({ to }) => to)).toEqual(['description', 'words']);
    expect(read.decision).toMatchObject({ action: 'text', why: `${sightless}; It is broken` });
  });

  test('words are read off where they may be', () => {
    const { asked, decision } = settle(blind, block, { legible, facts: { words: gives(block, text('EXIT')) } });
    expect(asked).toStrictEqual([{ to: 'words', asset: block.asset }]);
    expect(decision).toStrictEqual({
      place: 'words',
      blocks: [text(`${textHeading(block)}\nEXIT`)],
      action: 'text',
      why: sightless,
    });
    for (const fact of [refused, gives(block)])
      expect(decided(blind, block, { legible, facts: { words: fact } })).toStrictEqual(inWords(block, sightless));
    const part: DocumentBlock = { ...paper, range: [1, 3] };
    const pages = settle(blind, part, { legible: new Set([paper.asset.id]), facts: { words: gives(text('EXIT')) } });
    expect(pages.asked[1]).toStrictEqual({ to: 'words', asset: paper.asset, range: [1, 3] });
    expect(settle(blind, paper, { legible: new Set([paper.asset.id]) }).asked[1]).toStrictEqual({
      to: 'words',
      asset: paper.asset,
    });
    const long = decided({ ...blind, contextTokens: 2 }, block, { legible, facts: { words: gives(text('EXIT')) } });
    expect(long.blocks).toStrictEqual([text(`${textHeading(block)}\n${partNote('EX', 4)}\nEX`)]);
  });
});

describe('sound and film', () => {
  const song: SoundBlock = { type: 'audio', asset: asset('song.wav', 'audio/wav'), seconds: 2 };
  const film: SoundBlock = { type: 'video', asset: asset('film.mp4', 'video/mp4'), seconds: 3 };

  test.each([song, film])('go where the rule says', (block) => {
    expect(settle(gemini, block)).toStrictEqual({
      decision: {
        place: 'after',
        blocks: [{ type: block.type, asset: block.asset, seconds: block.seconds }],
        action: 'after',
        why: `${gemini.id} takes it there`,
      },
      asked: [],
    });
    expect(decided(gemini, block, { slot: 'user' })).toMatchObject({ place: 'inside', action: 'inside' });
    expect(decided(gemini, block, floor(block, 1))).toStrictEqual(inWords(block, refusedByProvider));
    expect(decided(claude, block)).toStrictEqual(inWords(block, takesNone(block.type)));
    expect(decided({ ...claude, withheld: 'kept back' }, block)).toStrictEqual(inWords(block, 'kept back'));
  });

  test('of another type, or too heavy, are words', () => {
    const rule = { ...gemini.media.audio, maxBase64: 400 };
    const light: Profile = { ...gemini, media: { ...gemini.media, audio: rule } };
    const sized = (size: number): SoundBlock => ({ ...song, asset: { ...song.asset, size } });
    expect(decided(light, sized(300)).action).toBe('after');
    expect(decided(light, sized(301))).toStrictEqual(inWords(sized(301), takesNone('audio')));
    const odd = { ...song, asset: asset('song.mod', 'audio/mod') };
    expect(decided(gemini, odd)).toStrictEqual(inWords(odd, takesNone('audio')));
    expect(decided(mcpClient, odd).action).toBe('inside');
  });
});

describe('a text in place of a medium', () => {
  test('is cut between letters, and says so first', () => {
    expect(textDecision(paper, 'hello', 5, 'so')).toStrictEqual({
      place: 'words',
      blocks: [text(`${textHeading(paper)}\nhello`)],
      action: 'text',
      why: 'so',
    });
    expect(textDecision(paper, 'hello', 4, 'so', 'told').blocks).toStrictEqual([
      text(`${textHeading(paper, 'told')}\n${partNote('hell', 5)}\nhell`),
    ]);
    const pages = `${pageHeading(5)}\nwords`;
    expect(textDecision(paper, pages, 16, 'so').blocks).toStrictEqual([
      text(`${textHeading(paper)}\n${partNote(pages.slice(0, 16), pages.length)}\n${pages.slice(0, 16)}`),
    ]);
    expect(textDecision(paper, 'a\ud800', 5, 'so').blocks).toStrictEqual([text(`${textHeading(paper)}\na\ufffd`)]);
  });
});

const reference: CarriedBlock = { type: 'reference', kind: 'image', at: { url: 'https://a.b/c.png' } };
const remote: Shown = { type: 'remote', kind: 'image', at: { url: 'https://a.b/c.png' } };
const song: SoundBlock = { type: 'audio', asset: asset('song.wav', 'audio/wav'), seconds: 2 };

test.each<[CarriedBlock, Action, Shown[], number, number]>([
  [reference, 'inside', [remote], 5, 0],
  [reference, 'words', [text('x')], 0, 1],
  [reference, 'fetched', [shownAs(picture('a'))], 1, 2],
  [paper, 'inside', [], 5, 0],
  [paper, 'after', [], 5, 0],
  [paper, 'pages', [shownAs(picture('a'))], 0, 1],
  [paper, 'text', [text('x')], 0, 2],
  [paper, 'text', [text('x'), shownAs(picture('a'))], 0, 1],
  [paper, 'inside', [shownAs(picture('a'))], 0, 0],
  [paper, 'words', [text('x')], 0, 3],
  [picture('a'), 'inside', [], 0, 0],
  [picture('a'), 'reduced', [], 1, 1],
  [picture('a'), 'text', [], 0, 2],
  [picture('a'), 'words', [], 0, 2],
  [song, 'after', [], 3, 0],
  [song, 'words', [], 0, 1],
])('where a medium stands, from the top (%#)', (block, action, blocks, above, rung) => {
  expect(rungOf(block, { place: 'inside', blocks, action, why: '' }, above)).toBe(rung);
});
