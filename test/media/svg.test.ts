import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import { words } from '../../src/content/words.ts';
import type { Reading, ReadOptions } from '../../src/media/index.ts';
import { openIntake, read, render } from '../../src/media/index.ts';
import { some } from '../some.ts';
import { file, plain } from './make.ts';

const assets = memoryAssets();

function svg(about: string, inside = '<rect width="50%" height="100%" fill="red"/>'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${about}>${inside}</svg>`;
}

async function reading(source: string | Buffer, options: ReadOptions = {}): Promise<Reading> {
  const result = await read(Buffer.from(source), { assets, name: 'a.svg', ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

async function drawn(source: string | Buffer, options: ReadOptions = {}): Promise<ImageBlock> {
  const { blocks, output } = await reading(source, options);
  if (blocks[0]?.type !== 'image') throw new Error(output);
  return blocks[0];
}

async function pixels(block: ImageBlock): Promise<Buffer> {
  return await sharp(await assets.get(block.asset.id))
    .removeAlpha()
    .raw()
    .toBuffer();
}

const plainSvg = svg('width="400" height="300"');

describe('an SVG', () => {
  test('is its source for people and a picture for models', async () => {
    const { output, blocks, data } = await reading(plainSvg);
    expect(output).toBe(plainSvg);
    expect(blocks).toMatchObject([
      {
        type: 'image',
        width: 400,
        height: 300,
        asset: { mediaType: 'image/png' },
        original: { asset: { mediaType: 'image/svg+xml', size: plainSvg.length }, width: 400, height: 300 },
        origin: { source: 'a.svg', made: 'drawn from SVG' },
      },
    ]);
    expect(data).toEqual({ type: 'image', name: 'a.svg', size: plainSvg.length, format: '.svg' });
  });

  test('is its source for models that cannot see', async () => {
    expect(words(await drawn(plainSvg))).toContain(plainSvg);
  });

  test('is on white paper', async () => {
    const seen = await pixels(await drawn(plainSvg));
    expect([...seen.subarray(0, 3), ...seen.subarray(399 * 3, 400 * 3)]).toEqual([255, 0, 0, 255, 255, 255]);
  });

  test.each([
    ['too large', 'width="8000" height="4000"', [2000, 1000], 'scaled from 8000×4000 to 2000×1000'],
    ['small', 'width="16" height="8"', [256, 128], '16 times larger than its 16×8; divide coordinates by 16'],
    ['sized by its view box', 'viewBox="0 0 640 480"', [640, 480], 'drawn from SVG'],
    ['sized in parts of nothing', 'width="100%" height="100%" viewBox="0 0 640 480"', [640, 480], 'drawn from SVG'],
    ['sized by what is in it', '', [300, 300], 'drawn from SVG'],
  ] as const)('%s is drawn so that it can be seen', async (_what, about, [width, height], made) => {
    const inside = about === '' ? '<rect width="300" height="300"/>' : undefined;
    const block = await drawn(svg(about, inside));
    expect(block).toMatchObject({ width, height });
    expect(block.origin?.made).toContain(made);
  });

  test.each([
    ['nothing in it', svg('', '')],
    ['a declaration', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- hi -->\n${plainSvg}`],
    ['a document type', `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd">${plainSvg}`],
  ])('with %s is drawn', async (_what, source) => {
    expect((await drawn(source)).width).toBeGreaterThan(0);
  });

  test('as text is its source', async () => {
    expect((await reading(plainSvg, { as: 'text' })).blocks).toEqual([{ type: 'text', text: plainSvg }]);
    const lines = await reading(`${svg('width="4" height="4"')}\n<!-- end -->`, { offset: 2 });
    expect(lines.output).toContain('<!-- end -->');
    expect(lines.output).not.toContain('<rect');
  });

  test('whose source is long is cut for people and models, and is drawn whole', async () => {
    const long = svg('width="300" height="300"', `<!-- ${'x'.repeat(50_000)} --><rect width="300" height="300"/>`);
    const { output, blocks } = await reading(long);
    expect(output.length).toBeLessThanOrEqual(30_720);
    const fallback = blocks[0]?.type === 'image' ? blocks[0].fallback : '';
    expect(fallback).toMatch(/^The first 30,720 of 50,\d{3} characters of the source/);
  });

  test('comes through the intake and becomes other renditions', async () => {
    const { check } = openIntake({ assets });
    const result = await check(Buffer.from(plainSvg), { name: 'a.svg' });
    const block = result.ok ? result.value : undefined;
    if (block?.type !== 'image' || block.original === undefined) throw new Error(JSON.stringify(result));
    const asset = block.original.asset;
    const fact = await render({ to: 'image', asset, types: ['image/webp'], maxEdge: 100, maxBase64: 1e6 }, { assets });
    expect(fact).toMatchObject({ ok: true, value: [{ width: 100, height: 75, asset: { mediaType: 'image/webp' } }] });
  });
});

const secret = pathToFileURL(file('secret.png', await plain(40, 40).png().toBuffer())).href;
const css = pathToFileURL(file('secret.css', 'rect { fill: red }')).href;
const nothing = await pixels(await drawn(svg('width="300" height="300"', '<rect width="9" height="9"/>')));

describe('an SVG loads nothing:', () => {
  test.each([
    ['a picture in a file', `<image href="${secret}" width="300" height="300"/>`],
    ['a picture beside it', '<image href="secret.png" width="300" height="300"/>'],
    ['a picture from a server', '<image href="http://127.0.0.1:9/a.png" width="300" height="300"/>'],
    ['a part of another file', `<use href="${secret}#a"/>`],
    ['a style sheet', `<style>@import url("${css}");</style>`],
    ['an included file', `<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="${secret}" parse="text"/>`],
  ])('not %s', async (_what, inside) => {
    const block = await drawn(svg('width="300" height="300"', `${inside}<rect width="9" height="9"/>`));
    expect((await pixels(block)).equals(nothing)).toBe(true);
  });

  test('but shows pictures that it carries itself', async () => {
    const data = (await plain(40, 40).png().toBuffer()).toString('base64');
    const image = `<image href="data:image/png;base64,${data}" width="300" height="300"/>`;
    expect((await pixels(await drawn(svg('width="300" height="300"', image)))).equals(nothing)).toBe(false);
  });
});

describe('an SVG that cannot be drawn is read as text with the reason first:', () => {
  const bomb = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const stolen = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
  test.each([
    ['entities that multiply', `${bomb}${svg('width="9" height="9"', '<text>&b;</text>')}`, 'it defines entities'],
    ['entities from files', `${stolen}${svg('width="9" height="9"', '<text>&a;</text>')}`, 'it defines entities'],
    ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', 'cannot be drawn'],
    ['a size beyond sense', svg('width="1e9" height="1e9"'), 'cannot be drawn'],
    ['endless depth', svg('width="9" height="9"', '<g>'.repeat(50_000)), 'cannot be drawn'],
  ])('%s', async (_what, source, why) => {
    const { output, blocks, data } = await reading(source);
    const [first, ...rest] = output.split('\n');
    expect(first).toContain(why);
    expect(rest.join('\n')).toContain('<svg');
    expect(blocks).toEqual([{ type: 'text', text: output }]);
    expect(data.type).toBe('text');
    expect(await read(Buffer.from(source), { assets, as: 'image' })).toMatchObject({ ok: false });
    expect(await openIntake({ assets }).check(Buffer.from(source), {})).toMatchObject({
      ok: true,
      value: { type: 'text' },
    });
  });

  test('too much source', async () => {
    const { output } = await reading(plainSvg, { limits: { svgBytes: 100 } });
    expect(output).toMatch(/^\[a\.svg is too large to be drawn, 158 bytes \(limit: 100 bytes\)\./);
  });
});

/** Layers of references, each of which uses the one before it ten times. */
function uses(layers: number): string {
  const ten = Array.from({ length: layers }, (_, at) => `<use xlink:href="#u${at}"/>`.repeat(10));
  const groups = ten.map((inside, at) => `<g id="u${at + 1}">${inside}</g>`);
  return `<defs><rect id="u0" width="9" height="9"/>${groups.join('')}</defs><use xlink:href="#u${layers}"/>`;
}

function patterns(layers: number): string {
  const each = Array.from(
    { length: layers },
    (_, at) =>
      `<pattern id="p${at}" width=".01" height=".01"><rect width="2000" height="2000" fill="${at === 0 ? 'red' : `url(#p${at - 1})`}"/></pattern>`,
  );
  return `<defs>${each.join('')}</defs><rect width="2000" height="2000" fill="url(#p${layers - 1})"/>`;
}

const filter = (what: string): string =>
  `<filter id="f">${what}</filter><rect width="2000" height="2000" filter="url(#f)"/>`;

describe('a hostile SVG is ended at its time limit and the next file is read at once:', () => {
  const rows = [
    ['references that multiply', uses(12)],
    ['patterns inside patterns', patterns(30)],
    ['an endless brush', filter('<feMorphology operator="dilate" radius="900"/>')],
    ['endless noise', filter('<feTurbulence baseFrequency=".9" numOctaves="200"/>'.repeat(40))],
    ['endless fog', filter('<feGaussianBlur stdDeviation="300"/>'.repeat(400))],
  ] as const;
  test.each(some(rows, 2))('%s', async (_what, inside) => {
    const source = svg('width="2000" height="2000"', inside);
    const { output } = await reading(source, { limits: { svgMs: 700 } });
    expect(output.split('\n')[0]).toMatch(/took too long|cannot be drawn/);
    expect(await read(await plain(9, 9).png().toBuffer(), { assets })).toMatchObject({ ok: true });
  });

  test('and so is one that nobody waits for any more', async () => {
    const source = svg('width="2000" height="2000"', filter('<feMorphology operator="dilate" radius="900"/>'));
    const result = await read(Buffer.from(source), { assets, signal: AbortSignal.timeout(300) });
    expect(result).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
    expect(await read(await plain(9, 9).png().toBuffer(), { assets })).toMatchObject({ ok: true });
  });
});
