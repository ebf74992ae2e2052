// A rendition is a form of an asset: its text, some of its pages, a smaller picture. The planner names the ones it
// needs; whoever has the bytes makes them and tells what came out as a fact.
import type {
  Asset,
  AssetId,
  Block,
  CarriedBlock,
  ImageBlock,
  PageRange,
  ReferenceBlock,
  TileGrid,
} from '../content/block.ts';
import type { Read } from '../content/refusal.ts';
import type { Profile } from './profile.ts';

/** A form of an asset. */
export type Rendition =
  /** the words of a document, page by page */
  | { to: 'text'; asset: Asset; range?: PageRange }
  /** the words of a document with the pictures in it, in their places */
  | { to: 'illustrated'; asset: Asset; range?: PageRange }
  /** words read off a picture, or off the pages of a document that is made of pictures */
  | { to: 'words'; asset: Asset; range?: PageRange }
  /** what another model says that a picture shows */
  | { to: 'description'; asset: Asset; picture: ImageBlock; by: string }
  /** each page as a picture */
  | { to: 'pages'; asset: Asset; range?: PageRange; maxEdge: number }
  /** some pages as a document of their own */
  | { to: 'pdf'; asset: Asset; range: PageRange }
  /** a picture of another type, smaller on its long edge, or with fewer bytes */
  | { to: 'image'; asset: Asset; types: readonly string[]; maxEdge: number; maxBase64: number }
  /** a picture in pieces, row by row, each so many times as large as it is there */
  | { to: 'tiles'; asset: Asset; grid: TileGrid; types: readonly string[]; maxBase64: number };

/** What lies behind an address, fetched and checked. */
export type Fetching = { to: 'bytes'; url: string; reference: ReferenceBlock };

/** The id of an asset among somebody's files at a provider. */
export type Uploading = { to: 'file'; asset: Asset; endpoint: string };

/** What a plan has to know first. */
export type Need = Rendition | Fetching | Uploading;

/** Names a rendition; `renditionKey` makes it. */
export type RenditionKey = string;

/** What became of a rendition: blocks to show, or why there are none (the ladder then steps on). */
export type Fact = Read<Block[]>;

/** What became of the renditions that were asked for. */
export type Facts = ReadonlyMap<RenditionKey, Fact>;

/**
 * The name of a rendition, the same for the same asset and form: the key of its fact.
 *
 * @example
 * const facts = new Map(needs.map((need) => [renditionKey(need), made(need)]));
 */
export function renditionKey(rendition: Need): RenditionKey {
  if (rendition.to === 'bytes') return `${rendition.url} bytes`;
  if (rendition.to === 'file') return `${rendition.asset.id} file ${rendition.endpoint}`;
  const { asset, to } = rendition;
  switch (to) {
    case 'text':
    case 'words':
    case 'pdf':
      return `${asset.id} ${to} ${rendition.range?.join('-') ?? 'all'}`;
    case 'description':
      return `${asset.id} ${to} ${rendition.by} 1`;
    case 'illustrated':
      return `${asset.id} ${to}${rendition.range ? ` ${rendition.range.join('-')}` : ''}`;
    case 'pages':
      return `${asset.id} ${to} ${rendition.range?.join('-') ?? 'all'} ${rendition.maxEdge}`;
    case 'image':
      return `${asset.id} ${to} ${rendition.types.join(',')} ${rendition.maxEdge} ${rendition.maxBase64}`;
    case 'tiles': {
      const { columns, rows, scale, overlap } = rendition.grid;
      const form = `${columns}x${rows} ${scale} ${overlap.columns} ${overlap.rows}`;
      return `${asset.id} ${to} ${form} ${rendition.types.join(',')} ${rendition.maxBase64}`;
    }
  }
}

const mostRead = 4;
/** Letters need some pixels. */
const smallestEdge = 16;

/** A medium and where it stands. */
type Placed = { block: CarriedBlock; slot: 'result' | 'errorResult' | 'user' };

/** The media whose words may be read off them for a model that cannot see. That takes time, so only the newest few. */
export function legibleMedia(undecided: readonly Placed[], { media }: Profile): Set<AssetId> {
  const unseen = undecided.flatMap(({ block, slot }) => {
    if (block.type === 'reference' || block.fallback || media.image[slot] !== 'words') return [];
    const isReadable =
      block.type === 'image'
        ? Math.min(block.width, block.height) >= smallestEdge
        : block.type === 'document' && media.document[slot] === 'words';
    return isReadable ? [block.asset.id] : [];
  });
  return new Set(unseen.slice(-mostRead));
}
