// Pictures whose writing a model would not see large enough go in pieces that lead back to the whole; all others as before.
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/content/asset-store.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { read } from '../../src/media/index.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { PrepareOptions, Prepared } from '../../src/model/prepared.ts';
import type { PlannedImage, Shown } from '../../src/window/plan-types.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { effort } from '../effort.ts';
import { onlySome, some } from '../some.ts';
import { writing } from '../media/writing.ts';
import { noise, pdf } from '../media/make.ts';
import { scanOf } from '../media/pdf-make.ts';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { shortId } from '../../src/content/words.ts';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { viewAssetTool } from '../../src/toolbox/assets/view.ts';
import { canReadPictures, render } from '../../src/media/index.ts';
import { sightOf } from '../../src/window/sight.ts';
import { gridFor } from '../../src/window/tiles.ts';
import { scripts } from '../media/writing.ts';

onlySome(12);

const hasFonts = existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
const assets = memoryAssets();
let tall: ImageBlock;
let desk: ImageBlock;
let large: ImageBlock;
let photo: ImageBlock;

async function pictureOf(bytes: Uint8Array, name: string, store: AssetStore = assets): Promise<ImageBlock> {
  const result = await read(bytes, { assets: store, name });
  const [block] = result.ok ? result.value.blocks : [];
  if (block?.type !== 'image') throw new Error('no picture');
  return block;
}

let page: Buffer;

/** Writing over a larger area than is quickly drawn. */
async function repeated(drawn: Sharp, width: number, height: number): Promise<Buffer> {
  const small = sharp(await drawn.png().toBuffer());
  const { width: across, height: down } = await small.metadata();
  return await small
    .extend({ right: width - across, bottom: height - down, extendWith: 'repeat' })
    .png()
    .toBuffer();
}

beforeAll(async () => {
  if (!hasFonts) return;
  page = await repeated(writing({ px: 14, width: 1280, height: 750 }), 1280, 6000);
  tall = await pictureOf(page, 'page.png');
  const screen = await repeated(writing({ px: 13, width: 800, height: 600, dark: true }), 3200, 1800);
  desk = await pictureOf(screen, 'desk.png');
  large = await pictureOf(await writing({ px: 30, width: 1500, height: 1000 }).png().toBuffer(), 'slide.png');
  photo = await pictureOf(await noise(2400, 1600).jpeg({ quality: 60 }).toBuffer(), 'photo.jpg');
});

type Options = Partial<PrepareOptions>;

async function prepared(model: string, block: ImageBlock, options: Options = {}): Promise<Prepared> {
  const messages: MessageInput[] = [{ role: 'user', content: [block, 'What does it say?'] }];
  return await prepare({ messages }, { model, assets, ...options });
}

function shownIn({ plan }: Prepared): Shown[] {
  return plan.items.flatMap((item) => (item.role === 'user' ? item.content : []));
}

function picturesIn(request: Prepared): PlannedImage[] {
  return shownIn(request).filter((one) => one.type === 'image');
}

function receiptOf({ receipts }: Prepared): Receipt {
  const found = receipts.find(({ asset }) => asset !== undefined);
  if (!found) throw new Error('no receipt');
  return found;
}

/** How much each of several stretches shares with the one before it. */
function shared(all: readonly [number, number][]): number[] {
  return all.slice(1).map(([start], at) => (all[at]?.[1] ?? 0) - start);
}

describe.runIf(hasFonts)('writing that would be too small', () => {
  test.each([
    ['anthropic/claude-sonnet-4-5', 'tiles', 3],
    ['anthropic/claude-opus-4-7', 'tiles', 2],
    ['openai/gpt-5.4', 'tiles', 2],
    ['openai/gpt-4.1', 'tiles', 4],
    ['ollama/gemma3', 'tiles', 4],
    ['gemini/gemini-3-pro-preview', 'inside', 1],
  ] as const)('%s gets a tall page as %s', async (model, action, fewest) => {
    const request = await prepared(model, tall);
    const receipt = receiptOf(request);
    expect(receipt.action).toBe(action);
    expect(receipt.legible?.textPx).toBeGreaterThanOrEqual(6);
    expect(picturesIn(request).length).toBeGreaterThanOrEqual(fewest);
    expect(picturesIn(request).length).toBeLessThanOrEqual(12);
    expect(receipt.tokens).toBeLessThanOrEqual(6000);
  });

  test('the pieces of a grid come behind a small picture of the whole, and lead back to it within a pixel', async () => {
    const request = await prepared('anthropic/claude-sonnet-4-5', desk, { tiles: 'auto' });
    const shown = shownIn(request);
    expect(receiptOf(request)).toMatchObject({ action: 'tiles', legible: { ok: true } });
    const [first] = shown;
    expect(first?.type === 'text' && first.text).toMatch(/^\[image "desk\.png".*the whole of it small; \d+ tiles/);
    const covered = { right: 0, bottom: 0 };
    for (const [at, one] of shown.entries()) {
      const label =
        one.type === 'text'
          ? /^\[tile .* x (\d+)-(\d+), y (\d+)-(\d+), shown at (\d+)×(\d+); (.*)\]$/.exec(one.text)
          : null;
      if (!label) continue;
      const [left = 0, right = 0, top = 0, bottom = 0, width = 0, height = 0] = label.slice(1, 7).map(Number);
      const picture = shown[at + 1];
      expect(picture).toMatchObject({ type: 'image', width, height });
      const [both, x, y] = ['coordinates by', 'x by', 'and y by'].map((words) =>
        Number(new RegExp(`${words} ([\\d.]+)`).exec(label[7] ?? '')?.[1] ?? Number.NaN),
      );
      const across = Number.isNaN(both) ? (x ?? 1) : (both ?? 1);
      const down = Number.isNaN(both) ? (y ?? 1) : (both ?? 1);
      for (const part of [0, 0.31, 0.77, 1]) {
        const truth = { x: left + part * (right - left), y: top + part * (bottom - top) };
        expect(Math.abs(part * width * across + left - truth.x)).toBeLessThanOrEqual(1);
        expect(Math.abs(part * height * down + top - truth.y)).toBeLessThanOrEqual(1);
      }
      covered.right = Math.max(covered.right, right);
      covered.bottom = Math.max(covered.bottom, bottom);
    }
    expect(covered).toEqual({ right: 3200, bottom: 1800 });
  });

  test('view_asset shows a piece by the number of its label', async () => {
    const calls = [2, 9].map((tile) => ({ name: 'view_asset', input: { asset: shortId(tall.asset.id), tile } }));
    await using server = await scriptedServer(script([{ calls }, { text: 'Read.' }]));
    const run = await runAgent({
      model: { model: 'anthropic/claude-sonnet-4-5', baseUrl: server.url, apiKey: 'k' },
      prompt: [tall, 'What does it say?'],
      tools: [viewAssetTool({})],
      assets,
    });
    expect(run).toMatchObject({ stop: 'end', text: 'Read.' });
    const [, second] = picturesIn(await prepared('anthropic/claude-sonnet-4-5', tall));
    const results = run.messages.filter(({ role }) => role === 'tool');
    expect(results[0]?.content).toMatchObject([
      { text: expect.stringMatching(/image "page\.png"/) as string },
      {
        type: 'image',
        asset: { id: second?.asset.id },
        origin: { made: expect.stringMatching(/^part 2 of \d/) as string },
      },
    ]);
    expect(JSON.stringify(results[1]?.content)).toContain('Ask for 1 to ');
  });

  test('a word that a cut goes through is whole on one of two neighbours, as a line is', async () => {
    const letters = desk.textPx ?? Number.NaN;
    for (const model of ['openai/gpt-4.1', 'ollama/gemma3']) {
      const labels = shownIn(await prepared(model, desk, { tiles: 'auto' })).flatMap((one) =>
        one.type === 'text'
          ? [/^\[tile .* x (\d+)-(\d+), y (\d+)-(\d+)/.exec(one.text)?.slice(1).map(Number) ?? []]
          : [],
      );
      const spans = (from: 0 | 2): [number, number][] => {
        const all = labels.flatMap((label): [number, number][] =>
          label.length ? [[label[from] ?? 0, label[from + 1] ?? 0]] : [],
        );
        return [...new Map(all).entries()].toSorted(([one], [other]) => one - other);
      };
      expect(spans(0).length, model).toBeGreaterThan(1);
      for (const one of shared(spans(0))) expect(one, model).toBeGreaterThanOrEqual(Math.floor(5.5 * letters));
      for (const one of shared(spans(2))) expect(one, model).toBeGreaterThanOrEqual(Math.floor(1.5 * letters));
    }
  });

  test('a very tall page comes in strips as large as the budget allows; where none can be read, its receipt says why', async () => {
    const bytes = await repeated(writing({ px: 12, width: 1280, height: 750 }), 1280, 12_000);
    const block = await pictureOf(bytes, 'long.png');
    const model = 'anthropic/claude-sonnet-4-5';
    const strips = await prepared(model, block);
    expect(receiptOf(strips)).toMatchObject({ action: 'tiles', legible: { ok: false } });
    expect(receiptOf(strips).legible?.textPx).toBeGreaterThanOrEqual(6);
    expect(receiptOf(strips).tokens).toBeLessThanOrEqual(6000);
    expect(JSON.stringify(shownIn(strips))).toContain('may be unreadable');
    const whole = receiptOf(await prepared(model, block, { maxImageTokens: 3000 }));
    expect(whole).toMatchObject({ action: 'inside', legible: { ok: false } });
    expect(whole.why).toContain('in pieces that can be read it would take more than 3,000 tokens or 12 pictures');
  });

  test('pieces stay within their tokens wherever they end, though tokens go by steps', () => {
    const profile = profileFor('openai/gpt-4.1');
    const rule = profile.tokens.image;
    for (const [width, height] of [
      [3840, 2160],
      [2560, 1440],
      [1280, 9000],
      [2880, 5000],
    ] as const)
      for (let textPx = 9; textPx < 24; textPx += 0.7) {
        const block: ImageBlock = { type: 'image', asset: tall.asset, width, height, textPx };
        const grid = gridFor(block, profile, { tiles: 'auto' });
        if (!grid) continue;
        const { columns, rows, scale, overlap } = grid;
        const most = (length: number, count: number, common: number): number =>
          Math.round((count === 1 ? length : (length / count) * 1.06 + common) * scale);
        const largest = [most(width, columns, overlap.columns), most(height, rows, overlap.rows)] as const;
        const cost = columns * rows * sightOf(rule, ...largest, 'high').tokens + (columns > 1 ? 255 : 0);
        expect(cost, `${width}×${height}, ${textPx.toFixed(1)} px`).toBeLessThanOrEqual(6000);
      }
  });

  test('careful, auto and off', async () => {
    const model = 'openai/gpt-4.1';
    const between = receiptOf(await prepared(model, desk));
    expect(between.action).toBe(between.legible && between.legible.textPx < 6 ? 'tiles' : 'inside');
    expect(receiptOf(await prepared(model, desk, { tiles: 'auto' })).action).toBe('tiles');
    const off = await prepared(model, tall, { tiles: 'off' });
    expect(receiptOf(off)).toMatchObject({ action: 'inside', legible: { ok: false } });
    expect(JSON.stringify(shownIn(off))).toMatch(
      /writing on this picture is about \d px high as shown and may be unreadable\]/,
    );
  });

  test('a screen that is clicked on is never cut, and tells what cannot be read on it', async () => {
    const request = await prepared('anthropic/claude-sonnet-4-5', { ...tall, detail: 'whole' });
    expect(picturesIn(request)).toHaveLength(1);
    expect(receiptOf(request).legible?.ok).toBe(false);
    expect(JSON.stringify(await request.json())).not.toContain('whole');
  });

  test('an original that is gone leaves the picture that stands in the conversation, told as hard to read', async () => {
    const store = memoryAssets();
    const block = await pictureOf(page, 'page.png', store);
    const forgetful = {
      ...store,
      get: (id: ImageBlock['asset']['id']) =>
        id === block.original?.asset.id ? Promise.resolve(undefined) : store.get(id),
    };
    const request = await prepared('anthropic/claude-sonnet-4-5', block, { assets: forgetful });
    expect(picturesIn(request)).toMatchObject([{ asset: block.asset }]);
    expect(receiptOf(request)).toMatchObject({ action: 'inside', legible: { ok: false } });
  });

  test('no more pieces than an endpoint takes pictures, and whole where there is no room for them', async () => {
    const few = await prepared('groq/meta-llama/llama-4-scout', tall);
    expect(picturesIn(few).length).toBeLessThanOrEqual(5);
    const one = await prepared('anthropic/claude-sonnet-4-5', tall, { budget: { images: 1 } });
    expect(picturesIn(one)).toHaveLength(1);
    const dear = await prepared('anthropic/claude-sonnet-4-5', tall, { budget: { tokens: 2500 } });
    expect(picturesIn(dear)).toHaveLength(1);
  });

  test('pieces of one picture count as one for those that are kept', async () => {
    const messages: MessageInput[] = [
      { role: 'user', content: [tall] },
      { role: 'assistant', content: 'Seen.' },
      { role: 'user', content: [large] },
    ];
    const kept = await prepare(
      { messages },
      { model: 'anthropic/claude-sonnet-4-5', assets, imagesToKeep: 2, strict: true },
    );
    expect(kept.receipts.filter(({ action }) => action === 'tiles')).toHaveLength(1);
    const gone = await prepare(
      { messages },
      { model: 'anthropic/claude-sonnet-4-5', assets, imagesToKeep: 1, strict: true },
    );
    expect(gone.receipts.filter(({ action }) => action === 'tiles')).toHaveLength(0);
    expect(JSON.stringify(gone.plan.items[0])).toContain('page.png');
  });
});

describe.runIf(hasFonts)('laws of pieces', () => {
  test('cut twice, in two stores, a request has equal bytes', async () => {
    const store = memoryAssets();
    const again = await pictureOf(page, 'page.png', store);
    const [one, other] = [
      await (await prepared('openai/gpt-4.1', tall)).json(),
      await (await prepared('openai/gpt-4.1', again, { assets: store })).json(),
    ];
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
  });

  test('a prefix does not move when a later picture is cut, nor later; another model cuts anew from the original', async () => {
    const messages: MessageInput[] = [{ role: 'user', content: [large, 'First.'] }];
    const model = 'anthropic/claude-sonnet-4-5';
    const first = await prepare({ messages }, { model, assets });
    messages.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: [tall, 'Second.'] });
    const second = await prepare({ messages }, { model, assets, ledger: first.ledger });
    messages.push({ role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Third.' });
    const third = await prepare({ messages }, { model, assets, ledger: second.ledger });
    expect(second.plan.items.slice(0, 1)).toEqual(first.plan.items);
    expect(third.plan.items.slice(0, 3)).toEqual(second.plan.items);
    expect(second.receipts.some(({ action }) => action === 'tiles')).toBe(true);
    const switched = await prepare({ messages }, { model: 'openai/gpt-4.1', assets, ledger: third.ledger });
    const alone = await prepare({ messages }, { model: 'openai/gpt-4.1', assets });
    expect(switched.plan.items).toEqual(alone.plan.items);
    expect(switched.plan.items).not.toEqual(third.plan.items);
  });
});

describe.runIf(hasFonts)('pictures that need none of it', () => {
  test.each(['anthropic/claude-sonnet-4-5', 'openai/gpt-4.1', 'gemini/gemini-3-pro-preview', 'ollama/gemma3'])(
    '%s gets a photograph as it stands in the conversation, and large letters too',
    async (model) => {
      for (const block of [photo, large])
        expect(picturesIn(await prepared(model, block, { tiles: 'auto' }))).toMatchObject([{ asset: block.asset }]);
      expect(receiptOf(await prepared(model, photo)).legible).toBeUndefined();
    },
  );

  test('thrifty: large letters cost less, a photograph what it did', async () => {
    const model = 'anthropic/claude-opus-4-7';
    const [full, less] = [
      receiptOf(await prepared(model, large)),
      receiptOf(await prepared(model, large, { legibility: 'thrifty' })),
    ];
    expect(less.tokens).toBeLessThan((full.tokens ?? 0) / 2);
    expect(less).toMatchObject({ action: 'reduced', legible: { textPx: 12, ok: true } });
    expect(picturesIn(await prepared(model, photo, { legibility: 'thrifty' }))).toMatchObject([{ asset: photo.asset }]);
  });
});

/** Rings that grow finer outwards: every width of stripe, and no letter. */
function rings(size: number): Sharp {
  const data = Buffer.from(
    Uint8Array.from({ length: size * size }, (_, at) => {
      const [x, y] = [(at % size) - size / 2, Math.floor(at / size) - size / 2];
      return 128 + 127 * Math.cos((x * x + y * y) / size);
    }),
  );
  return sharp(data, { raw: { width: size, height: size, channels: 1 } });
}

function grey(width: number, height: number): Sharp {
  return sharp(Buffer.alloc(width * height, 200), { raw: { width, height, channels: 1 }, limitInputPixels: false });
}

/** Two frames of writing, so high. */
async function moving(height: number): Promise<ImageBlock> {
  const frames = await Promise.all([14, 15].map((px) => writing({ px, width: 300, height }).png().toBuffer()));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  return await pictureOf(gif, 'moving.gif');
}

describe.runIf(hasFonts)('pictures nobody expects', () => {
  const models = ['anthropic/claude-sonnet-4-5', 'openai/gpt-4.1', 'gemini/gemini-3-pro-preview', 'ollama/gemma3'];
  let drawn: Promise<Buffer> | undefined;

  const odd: [string, () => Promise<Buffer>][] = [
    ['one pixel wide and 20,000 high', () => grey(1, 20_000).png().toBuffer()],
    ['20,000 wide and one high', () => grey(20_000, 1).png().toBuffer()],
    ['of a hundred million pixels', () => grey(10_000, 10_000).png({ compressionLevel: 1 }).toBuffer()],
    ['of noise', () => noise(2400, 300).png({ compressionLevel: 1 }).toBuffer()],
    ['of rings', () => rings(1200).png({ compressionLevel: 1 }).toBuffer()],
  ];
  test.each(some(odd, 2))('%s go to every model in one piece', async (_, make) => {
    const block = await pictureOf(await make(), 'odd.png');
    for (const model of models) {
      const request = await prepared(model, block, { tiles: 'auto', legibility: 'thrifty' });
      expect(picturesIn(request), model).toHaveLength(1);
      expect(receiptOf(request).legible, model).toBeUndefined();
    }
  });

  const deep: [string, string, (page: Sharp) => Sharp][] = [
    ['CMYK', 'page.jpg', (one) => one.toColourspace('cmyk').jpeg({ quality: 92 })],
    ['16 bits a colour', 'page.png', (one) => one.toColourspace('rgb16').png()],
  ];
  test.each(some(deep, 1))('writing in %s is cut as any other', async (_, name, form) => {
    drawn ??= repeated(writing({ px: 12, width: 900, height: 600 }), 900, 4800);
    const block = await pictureOf(await form(sharp(await drawn)).toBuffer(), name);
    expect(Math.abs((block.textPx ?? 0) / 12 - 1)).toBeLessThanOrEqual(0.25);
    const request = await prepared('openai/gpt-4.1', block);
    expect(receiptOf(request)).toMatchObject({ action: 'tiles' });
    for (const { asset } of picturesIn(request)) {
      const bytes = (await assets.get(asset.id)) ?? new Uint8Array();
      expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
    }
  });

  test('what moves is never cut; what is too large to move is a picture like any other', async () => {
    const kept = await moving(1200);
    expect(kept.textPx).toBeUndefined();
    expect(picturesIn(await prepared('ollama/gemma3', kept, { tiles: 'auto' }))).toHaveLength(1);
    const still = await moving(2600);
    expect(still.origin?.made).toMatch(/^first frame of 2/);
    expect(Math.abs((still.textPx ?? 0) / 14 - 1)).toBeLessThanOrEqual(0.25);
    expect(receiptOf(await prepared('ollama/gemma3', still))).toMatchObject({ action: 'tiles', legible: { ok: true } });
  });

  test('what stays too small even from its original is not called readable', async () => {
    const strip = await repeated(writing({ px: 10, width: 120, height: 1000 }), 120, 20_000);
    const request = await prepared('gemini/gemini-3-pro-preview', await pictureOf(strip, 'strip.png'));
    const { why, legible } = receiptOf(request);
    expect(legible?.ok).toBe(false);
    expect(why).toMatch(/^from its original: its writing is \d\.\d px high then; in pieces .* more than 6,000 tokens/);
    expect(JSON.stringify(shownIn(request))).toContain('may be unreadable');
  });
});

async function scan(px: number): Promise<Buffer> {
  const jpeg = await writing({ px, width: 1200, height: 1600 }).jpeg({ quality: 92 }).toBuffer();
  return scanOf(jpeg, { width: 1200, height: 1600, wide: 600, high: 800 });
}

async function requestFor(data: Buffer, options: Options = {}): Promise<Prepared> {
  const content = [{ type: 'document', data, name: 'a.pdf' } as const];
  return await prepare({ messages: [{ role: 'user', content }] }, { model: 'ollama/gemma3', assets, ...options });
}

describe.runIf(hasFonts)('pages of a PDF for a model that takes pictures but no PDF', () => {
  const line = 'several words of a page that are small';
  const printed = (size: number): Buffer =>
    pdf([`BT /F1 ${size} Tf 12 TL 20 380 Td ${Array.from({ length: 8 }, () => `(${line}) Tj T*`).join(' ')} ET`]);

  test('small letters go with their words, others without', async () => {
    expect(picturesIn(await requestFor(printed(3)))).toHaveLength(1);
    for (const [size, words] of [
      [3, true],
      [9, false],
    ] as const)
      expect(JSON.stringify((await requestFor(printed(size))).plan.items).includes(line)).toBe(words);
  });

  test.each([
    ['picture', 1, false],
    ['picture+text', 1, true],
    ['text', 0, true],
  ] as const)('asked for as %s, whatever the size of their letters', async (pages, pictures, words) => {
    const request = await requestFor(printed(9), { pages });
    expect(picturesIn(request)).toHaveLength(pictures);
    expect(JSON.stringify(request.plan.items).includes(line)).toBe(words);
  });

  test('a scan with small letters comes in halves, unless pictures are not to be cut; one with large letters whole', async () => {
    const small = await scan(11);
    for (const model of ['ollama/gemma3', 'azure-chat/gpt-4.1']) {
      const request = await requestFor(small, { model, profile: { capabilities: { nativePdf: false } } });
      expect(picturesIn(request).length, model).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(shownIn(request)), model).toMatch(/\[page 1\].*\[(part|tile) 2 of \d of \\"a\.pdf page 1/);
      expect(receiptOf(request), model).toMatchObject({
        action: 'pages',
        why: expect.stringContaining('in pieces') as string,
      });
    }
    expect(picturesIn(await requestFor(await scan(30)))).toHaveLength(1);
    const off = await requestFor(small, { tiles: 'off' });
    expect(picturesIn(off)).toHaveLength(1);
    expect(receiptOf(off)).toMatchObject({ action: 'pages', legible: { ok: false } });
  });
});

const vocabulary = new Set(scripts.latin.split(' ').filter((word) => word.length >= 5));

/** How many of the words on the upper part of a picture an OCR engine finds, when a model's front end has scaled it. */
async function wordsRead(bytes: Uint8Array, model: string, rows: number): Promise<number> {
  const { width, height } = await sharp(bytes).metadata();
  const sight = sightOf(profileFor(model).tokens.image, width, height);
  const seen = await sharp(bytes).resize(sight.width, sight.height, { fit: 'fill' }).png().toBuffer();
  const upper = { left: 0, top: 0, width: sight.width, height: Math.min(sight.height, Math.round(rows * sight.scale)) };
  const cut = await sharp(seen)
    .extract(upper)
    .resize(upper.width * 2)
    .png()
    .toBuffer();
  const asset = await assets.put(cut, { mediaType: 'image/png', name: 'cut.png' });
  const found = await render({ to: 'words', asset }, { assets });
  const text = found.ok && found.value[0]?.type === 'text' ? found.value[0].text : '';
  return text.split(/[^A-Za-z0-9=.]+/).filter((word) => vocabulary.has(word)).length;
}

async function bytesOf([first]: PlannedImage[]): Promise<Uint8Array> {
  return (first && (await assets.get(first.asset.id))) ?? new Uint8Array();
}

test.runIf(hasFonts && canReadPictures() && effort.isLong)(
  'what leaves for Claude is read by an eye nobody here wrote, and was not before',
  async () => {
    const model = 'anthropic/claude-sonnet-4-5';
    const inPieces = picturesIn(await prepared(model, tall));
    const whole = picturesIn(await prepared(model, tall, { tiles: 'off' }));
    const strip = await bytesOf(inPieces);
    const scale = (inPieces[0]?.width ?? 0) / 1280;
    const before = await bytesOf(whole);
    const original = await sharp(page).extract({ left: 0, top: 0, width: 1280, height: 160 }).png().toBuffer();
    const all = await wordsRead(original, 'openai/gpt-5.4', 160);
    expect(all).toBeGreaterThan(20);
    expect(await wordsRead(strip, model, 160 * scale)).toBeGreaterThanOrEqual(all * 0.9);
    expect(await wordsRead(before, model, (160 * (whole[0]?.width ?? 0)) / 1280)).toBeLessThan(all * 0.2);
  },
);
