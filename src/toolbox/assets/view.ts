// `view_asset`: a picture or document of this conversation again, whole or in part: a page, a region, enlarged.
// Regions are in pixels of the original, so that what a model measured stays true however the picture was shown.
import { memoryAssets } from '../../content/memory-assets.ts';
import type { AssetStore } from '../../asset/store.ts';
import type { Asset, AssetId, DocumentBlock, ImageBlock, MediaBlock } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { describeMedia } from '../../content/words.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Region } from '../../media/index.ts';
import { cropPicture, limits, readInnerPicture, render } from '../../media/index.ts';
import { parsePages, resolvePages } from '../../media/pdf/pages.ts';
import { assetName } from '../../tool/known-assets.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, number, numberAt, object, regionAt, regionSchema, string, textAt } from '../argument.ts';
import { fourPictures } from '../../window/catalog.ts';
import type { AssetToolOptions } from './lookup.ts';
import { assetBytes, lookUp, storeOf } from './lookup.ts';

const maxZoom = 8;
const maxPageZoom = 4;

type Media = { assets: AssetStore; signal: AbortSignal };
type ViewedPart = {
  page: number | undefined;
  pages?: string | undefined;
  picture?: string | undefined;
  region: Region | undefined;
  zoom: number;
};

export function viewAssetTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'view_asset',
    effect: 'read',
    description:
      'See a picture or document of this conversation again: as it was, other pages, one page, or a region of it, enlarged ' +
      'if that helps. Use it for anything that stands as "[…, asset ab12cd34, not shown]" and for small details.',
    input: object(
      {
        asset: string('The name of the asset, such as ab12cd34'),
        page: integer('Documents: the page, counted from 1', { minimum: 1 }),
        pages: string('Documents: several pages as they are, such as 21-40, or all; else those that were shown last'),
        picture: string('Documents: the name of a picture in it, as its text has it, such as image3.png'),
        region: regionSchema(
          'The part to see, in pixels of the original picture (of a page: as it is shown without a region)',
        ),
        tile: integer('Pictures that were shown in pieces: the number of the piece, as its label has it', {
          minimum: 1,
        }),
        zoom: number('How many times larger, such as 2; a region with small writing is enlarged without it', {
          minimum: 0.05,
          maximum: maxZoom,
        }),
      },
      'asset',
    ),
    run: async (given, context) => {
      const found = lookUp(textAt(given, 'asset') ?? '', options, context);
      if (!found.ok) return found;
      const { asset } = found.value;
      const block = found.value.block ?? (await keptMedium(asset, options, context));
      const picture = textAt(given, 'picture');
      const part = {
        page: numberAt(given, 'page'),
        pages: textAt(given, 'pages'),
        picture,
        region: regionAt(given),
        zoom: numberAt(given, 'zoom') ?? readableZoom(block, regionAt(given)),
      };
      if (!block) {
        const next = 'Call read_asset_text for its words, or query_json if it is JSON.';
        return refuse('unsupported', `${assetName(asset)} is ${asset.mediaType}, which cannot be seen`, next);
      }
      const tile = numberAt(given, 'tile');
      if (tile !== undefined && (part.region || numberAt(given, 'zoom') !== undefined)) {
        const next = 'Give the tile alone, or a region in pixels of the original picture.';
        return refuse('bad-range', 'A piece is shown as it was, without a region or a zoom', next);
      }
      const seen =
        tile === undefined ? await view(block, part, options, context) : await viewTile(block, tile, options, context);
      return seen.ok ? { content: [`[${describeMedia(seen.value)}, ${assetName(asset)}]`, seen.value] } : seen;
    },
  });
}

/** A region is enlarged until its letters are as high as helps; more pixels would cost and tell nothing. */
const readablePx = 16;

function readableZoom(block: MediaBlock | undefined, region: Region | undefined): number {
  if (!region || block?.type !== 'image' || block.textPx === undefined) return 1;
  return Math.min(maxZoom, Math.max(1, readablePx / block.textPx));
}

/** A medium that was kept and not shown, such as those beyond what one result may show. */
async function keptMedium(
  asset: Asset,
  options: AssetToolOptions,
  context: ToolContext,
): Promise<MediaBlock | undefined> {
  if (!/^(?:image|audio|video)\/|^application\/pdf$/.test(asset.mediaType)) return undefined;
  const bytes = await storeOf(options, context).get(asset.id);
  const { name } = asset;
  const read = bytes && (await context.intake.check(bytes, name === undefined ? {} : { name }));
  return read?.ok && isMedia(read.value) ? read.value : undefined;
}

async function view(
  block: MediaBlock,
  part: ViewedPart,
  options: AssetToolOptions,
  context: ToolContext,
): Promise<Read<MediaBlock>> {
  const media = { assets: storeOf(options, context), signal: context.signal };
  if (block.type === 'document' && part.picture !== undefined) {
    const inner = await innerPicture(block, part.picture, media);
    if (!inner.ok || (!part.region && part.zoom === 1)) return inner;
    return await viewRegion(inner.value, part, media);
  }
  const isCut = part.region !== undefined || part.zoom !== 1;
  // A slide is not laid out: it is shown as several are.
  const slide = isDeck(block) && !isCut ? part.page?.toString() : undefined;
  const pages = part.pages ?? slide;
  if (pages !== undefined) {
    const asked = pagesOf(block, pages, isCut || (part.pages !== undefined && part.page !== undefined));
    if (!asked.ok) return asked;
    const stored = await assetBytes(block.asset, media.assets);
    return stored.ok ? asked : stored;
  }
  if (block.type === 'document' && (part.page !== undefined || isCut)) {
    return await viewPage(block, { ...part, page: part.page ?? 1 }, media);
  }
  if (block.type === 'image' && (part.region || part.zoom !== 1)) return await viewRegion(block, part, media);
  const bytes = await assetBytes(block.asset, media.assets);
  return bytes.ok ? { ok: true, value: block } : bytes;
}

function isDeck(block: MediaBlock): boolean {
  return block.type === 'document' && block.asset.mediaType !== 'application/pdf' && block.pages !== undefined;
}

/** Other pages of a document than those that were shown last, or all of them. */
function pagesOf(block: MediaBlock, pages: string, isCut: boolean): Read<MediaBlock> {
  if (block.type !== 'document')
    return refuse('bad-range', `${assetName(block.asset)} has no pages`, 'Leave pages out.');
  if (isCut)
    return refuse('bad-range', 'Several pages are shown whole', 'Give a page for a region of it, or pages alone.');
  const { range: _shown, ...whole } = block;
  if (/^\s*all\s*$/i.test(pages)) return { ok: true, value: whole };
  if (block.pages === undefined)
    return refuse(
      'bad-range',
      `${assetName(block.asset)} cannot be shown in part`,
      'Write pages="all", or call read_asset_text.',
    );
  const asked = parsePages(pages);
  if (!asked.ok) return asked;
  const where = isDeck(block) ? 'this presentation' : 'this PDF';
  const range = resolvePages(asked.value, block.pages, block.pages, where);
  return range.ok ? { ok: true, value: { ...whole, range: range.value } } : range;
}

/** One of the pieces in which the model that calls was shown a picture. */
async function viewTile(
  block: MediaBlock,
  tile: number,
  options: AssetToolOptions,
  context: ToolContext,
): Promise<Read<MediaBlock>> {
  if (block.type !== 'image')
    return refuse('bad-range', `${assetName(block.asset)} has pages, not pieces`, 'Give a page, and a region of it.');
  const grid = context.piecesOf?.(block);
  const what = `${assetName(block.asset)} was not shown in pieces`;
  if (!grid) return refuse('bad-range', what, 'Give a region, in pixels of the original.');
  const source = (block.original ?? block).asset;
  const media = { assets: storeOf(options, context), signal: context.signal };
  const cut = await render(
    { to: 'tiles', asset: source, grid, types: fourPictures, maxBase64: limits.maxBase64 },
    media,
  );
  if (!cut.ok) return cut;
  const pieces = cut.value.filter((one) => one.type === 'image');
  const piece = pieces[tile - 1];
  if (piece) return { ok: true, value: piece };
  return refuse('bad-range', `${assetName(block.asset)} has no piece ${tile}`, `Ask for 1 to ${pieces.length}.`);
}

async function viewRegion(block: ImageBlock, { region, zoom }: ViewedPart, media: Media): Promise<Read<MediaBlock>> {
  // A drawing has no pixels of its own; what was drawn of it has.
  const source =
    block.original?.asset.mediaType === 'image/svg+xml' ? block.asset : (block.original?.asset ?? block.asset);
  const bytes = await assetBytes(source, media.assets);
  if (!bytes.ok) return bytes;
  const { name } = block.asset;
  return await cropPicture(bytes.value, {
    ...media,
    zoom,
    ...(region && { region }),
    ...(name !== undefined && { name }),
  });
}

/** A picture inside a document, checked like any other. */
async function innerPicture({ asset }: DocumentBlock, picture: string, media: Media): Promise<Read<ImageBlock>> {
  const bytes = await assetBytes(asset, media.assets);
  if (!bytes.ok) return bytes;
  const { name } = asset;
  return await readInnerPicture(bytes.value, picture, { ...media, ...(name !== undefined && { name }) });
}

/** A page is drawn as large as the zoom asks and then cut, so that it is sharp at every size. */
async function viewPage(
  { asset }: DocumentBlock,
  { page, region, zoom }: ViewedPart & { page: number },
  media: Media,
): Promise<Read<MediaBlock>> {
  if (asset.mediaType !== 'application/pdf') {
    const next = 'Give a picture in it by its name, or call read_asset_text for its words.';
    return refuse('unsupported', `${assetName(asset)} has no pages that could be drawn`, next);
  }
  const whole = await drawPage(asset, page, 1, media);
  if (!whole.ok || (!region && zoom <= 1)) return whole;
  // What is drawn only to be cut is not kept.
  const passing = memoryAssets();
  const factor = Math.min(Math.max(1, zoom), maxPageZoom);
  const assets = { ...passing, get: (id: AssetId) => media.assets.get(id) };
  const large = await drawPage(asset, page, factor, { ...media, assets });
  if (!large.ok) return large;
  const bytes = await assetBytes(large.value.asset, passing);
  if (!bytes.ok) return bytes;
  const scale = large.value.width / whole.value.width;
  const { width, height } = whole.value;
  const wanted = region ?? { x: 0, y: 0, width, height };
  const cut = await cropPicture(bytes.value, {
    ...media,
    region: { x: wanted.x * scale, y: wanted.y * scale, width: wanted.width * scale, height: wanted.height * scale },
    name: whole.value.asset.name ?? 'page',
  });
  if (!cut.ok) return cut;
  const { cropWords } = await import('../../media/image/crop.ts');
  const made = `page ${page}; ${cropWords(wanted, { width, height }, cut.value)}`;
  return { ok: true, value: { ...cut.value, origin: { source: asset.name ?? 'document', page, made } } };
}

async function drawPage(asset: Asset, page: number, factor: number, media: Media): Promise<Read<ImageBlock>> {
  const scaled = { renderDpi: limits.renderDpi * factor, ...(factor > 1 && { maxBase64: limits.imageBytes }) };
  const rendition = { to: 'pages', asset, range: [page - 1, page], maxEdge: limits.maxEdge * factor } as const;
  const drawn = await render(rendition, { ...media, limits: scaled });
  if (!drawn.ok) return drawn;
  const [picture] = drawn.value;
  if (picture?.type === 'image') return { ok: true, value: picture };
  return refuse('corrupt', `Page ${page} could not be drawn`, 'Call read_asset_text for its words.');
}
