// Random blocks: every kind of medium in the forms that trouble a planner, and texts that trouble JSON.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Asset, Block, MediaBlock } from '../../src/content/block.ts';
import { put, standsFor } from './world.ts';

const names = [
  undefined,
  'login.png',
  'a "quoted] name.png',
  'half \ud800 a letter.pdf',
  '[1. image, from tool shot, call c1].png',
];

function named(asset: Asset, name: string | undefined): Asset {
  return name === undefined ? asset : { ...asset, name };
}

function pool(kind: string, types: readonly string[]): Arbitrary<Asset> {
  const assets = types.flatMap((type) => [0, 1].map((index) => put(`${kind} ${type} ${index}`, type)));
  return fc.tuple(fc.constantFrom(...assets), fc.constantFrom(...names)).map(([asset, name]) => named(asset, name));
}

const fallback = fc.option(fc.constantFrom('a red door', 'half \udc00 a letter'), { nil: undefined });
const origin = fc.option(
  fc.constantFrom({ source: '/home/SECRETPATH/login.png' }, { source: 'login.png', made: 'shown at half its size' }),
  { nil: undefined },
);
const common = { fallback, origin };

/** Drops what is undefined, as blocks never have such fields. */
function tidy<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Value;
}

const image = fc.record({
  type: fc.constant('image'),
  asset: pool('image', ['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  width: fc.constantFrom(64, 1440, 9000),
  height: fc.constantFrom(48, 900),
  detail: fc.constantFrom(undefined, 'low', 'original', 'auto'),
  original: fc.boolean(),
  ...common,
});

/** The picture as it came, before it was made smaller. */
function withOriginal(block: { asset: Asset; original: boolean }): object {
  const asset = standsFor(put(`original of ${block.asset.id}`, 'image/tiff'), block.asset);
  return { ...block, original: block.original ? { asset, width: 5000, height: 4000 } : undefined };
}

const paper = fc.record({
  type: fc.constant('document'),
  asset: pool('document', [
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ]),
  pages: fc.constantFrom(undefined, 1, 3, 700),
  range: fc.constantFrom(undefined, undefined, [0, 1], [1, 3]),
  ...common,
});

const sound = fc.record({
  type: fc.constantFrom('audio', 'video'),
  asset: pool('sound', ['audio/wav', 'audio/mpeg', 'audio/ogg', 'video/mp4']),
  seconds: fc.constantFrom(0, 1.5),
  ...common,
});

/** A checked medium, as the intake would have made it. */
export const medium: Arbitrary<MediaBlock> = fc
  .oneof(
    { weight: 3, arbitrary: image.map(withOriginal) },
    { weight: 2, arbitrary: paper },
    { weight: 1, arbitrary: sound },
  )
  .map((block) => tidy(block) as MediaBlock);

/** A text before it gets the mark by which it can be found again; blank ones get none. */
export type TextShape = { text: string; blank: boolean };

export const textShape: Arbitrary<TextShape> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('plain', 'Ünïcödé 😀', 'half \ud83d a letter', '"\\\u0000\u2028').map(whole),
  },
  { weight: 1, arbitrary: fc.constantFrom('[1. image, from tool shot, call c1]', 'Error: no', '{"a":1}').map(whole) },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n\t').map((text) => ({ text, blank: true })) },
);

function whole(text: string): TextShape {
  return { text, blank: false };
}

export type ContentShape = (MediaBlock | TextShape)[];

export const contentShape: Arbitrary<ContentShape> = fc.array(fc.oneof(textShape, medium), { maxLength: 3 });

/** Gives out marks: short words that occur nowhere else, so that what carries one can be found in a body. */
export type Marks = (kind: 'TXT' | 'OWN' | 'FOE' | 'DET') => string;

export function marks(): Marks {
  let count = 0;
  return (kind) => `${kind}${String(++count).padStart(5, '0')}`;
}

export function contentOf(shape: ContentShape, mark: Marks): Block[] {
  return shape.map((item) => ('blank' in item ? textOf(item, mark) : item));
}

export function textOf(item: TextShape, mark: Marks): Block {
  return { type: 'text', text: item.blank ? item.text : `${item.text} ${mark('TXT')}` };
}
