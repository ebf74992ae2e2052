// The ladder of each kind of medium: the planner walks down only as far as the profile forces it. A rung that needs a
// rendition asks for it; a rendition that was refused makes the ladder step on. The last rung is always words.
import { base64Length } from '../content/base64.ts';
import type {
  AssetId,
  CarriedBlock,
  DocumentBlock,
  ImageBlock,
  MediaBlock,
  MediumId,
  PageRange,
  Picture,
  SoundBlock,
} from '../content/block.ts';
import {
  caption,
  descriptionHeading,
  doesNotFit,
  behindCut,
  firstPagesHeading,
  illegible,
  innerPictureNote,
  innerPicturesNote,
  overviewLabel,
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
} from '../content/words.ts';
import { grouped } from '../content/figures.ts';
import { cutText } from '../content/text.ts';
import type { MediaPolicy, PlannedMedia, SentDetail, Shown, UrlPolicy } from './plan-types.ts';
import { anyType } from './catalog.ts';
import type { Viewer } from './viewer.ts';
import type { Action } from './receipt.ts';
import { renditionKey } from './rendition.ts';
import type { Fact, Facts, Fetching, Rendition, Uploading } from './rendition.ts';
import type { MediumRule, Placement } from './rules.ts';
import { ample, formOf, legible, nearlyLost, sentDetail } from './tiles.ts';
import type { ReadableForm } from './tiles.ts';

/** Rungs by medium, counted downwards from 0: the medium as it is. */
export type Floors = ReadonlyMap<MediumId, number>;

export type MediaSlot = 'result' | 'errorResult' | 'user';

/** What goes in place of one medium. It is kept in the ledger word for word, so that it never changes. */
export type Decision = {
  place: Placement;
  blocks: Shown[];
  action: Action;
  why: string;
  legible?: { textPx: number; ok: boolean };
  /** These words point to the same document earlier in the request; this is what stands here once that is gone. */
  again?: Decision;
};

/** Whether something of a medium is shown, and not only told. */
export function stands({ place, action }: Decision): boolean {
  return place !== 'words' || action === 'text';
}

function takes(rule: MediumRule, mediaType: string): boolean {
  return rule.types.includes(mediaType) || rule.types.includes(anyType);
}

export type DecideContext = {
  profile: Viewer;
  facts: Facts;
  gone: ReadonlySet<AssetId>;
  viewable: boolean;
  /** Media whose words may be read off them. */
  legible?: ReadonlySet<AssetId> | undefined;
  /** The highest rung that a medium may still have, for those that the provider refused higher up. */
  floors?: Floors | undefined;
  /** The model that describes pictures for one that cannot see, and which of them. */
  eyes?: { by: string; media: ReadonlySet<AssetId> } | undefined;
  /** What is done about addresses; those that people write pass unless somebody says otherwise. */
  urls?: UrlPolicy | undefined;
  /** What a caller wishes about pictures. */
  policy?: MediaPolicy | undefined;
  /** There are so many pictures that none may be large. */
  many?: true;
  /** Called with a rendition whose fact is not known yet. */
  need: (rendition: Rendition) => void;
  /** The same for an address and for an id; nothing is fetched or uploaded where it is left out. */
  needMore?: (need: Fetching | Uploading) => void;
  /** Whether media of some size go by the id of a file, or only what does not fit inline; none where it is left out. */
  uploads?: 'worth' | 'needed' | undefined;
};

const imageRung = { native: 0, reduced: 1, words: 2 } as const;
const documentRung = { native: 0, pages: 1, text: 2, words: 3 } as const;
const soundRung = { native: 0, words: 1 } as const;

/** The rung on which a medium stands by a decision. */
export function rungOf(block: CarriedBlock, { action, blocks }: Decision, floor: number): number {
  if (block.type === 'reference') return blocks.some((shown) => shown.type === 'remote') ? 0 : floor + 1;
  if (block.type === 'document') {
    const illustrated = action === 'text' && blocks.some((shown) => shown.type === 'image');
    return illustrated ? documentRung.pages : documentRung[isDocumentForm(action) ? action : 'native'];
  }
  if (block.type === 'image') return action === 'words' || action === 'text' ? imageRung.words : floor;
  return action === 'words' ? soundRung.words : soundRung.native;
}

function isDocumentForm(action: Action): action is 'pages' | 'text' | 'words' {
  return action === 'pages' || action === 'text' || action === 'words';
}

/** Pages of one document that may travel as pictures. */
const maxPagePictures = 20;
const pageEdge = 1568;

/** What a picture becomes that a provider refused: a type that all of them read, and few bytes. */
const plainPictures = ['image/jpeg', 'image/png'];
const smallBase64 = 1024 * 1024;
const smallestEdge = 16;

/** The first rung that fits, or undefined while a fact is missing. */
export function decide(block: MediaBlock, slot: MediaSlot, input: DecideContext): Decision | undefined {
  if (input.gone.has(block.asset.id)) return inWords(block, unstored, input);
  switch (block.type) {
    case 'image':
      return decideImage(block, slot, input);
    case 'document':
      return decideDocument(block, slot, input);
    case 'audio':
    case 'video':
      return decideSound(block, slot, input);
  }
}

function decideImage(block: ImageBlock, slot: MediaSlot, input: DecideContext): Decision | undefined {
  const { profile } = input;
  const rule = profile.media.image;
  const place = rule[slot];
  if (place === 'words') return readOff(block, profile.withheld ?? sightless, input);
  const floor = floorOf(block, input);
  if (floor >= imageRung.words) return inWords(block, refusedByProvider, input);
  const detail = sentDetail(block.detail, profile);
  if (floor >= imageRung.reduced) {
    const smaller = halved(block, place, refusedByProvider, input);
    return smaller === false ? inWords(block, refusedByProvider, input) : smaller;
  }
  const form = formOf(block, detail, profile, input.policy ?? {});
  if (!form) return asItStands(block, place, input);
  const readable = asForm(block, form, place, input);
  const sources = form.to === 'whole' ? sourcesOf(block) : [block]; // what its original did not give is not asked again
  const made = readable === false ? asRead(asItStands(block, place, input, sources), form.wholePx, input) : readable;
  if (!made || !form.tooDear) return made;
  const { tokens, pictures } = form.tooDear;
  const bound = `${grouped(tokens)} tokens or ${pictures} pictures`;
  return { ...made, why: `${made.why}; in pieces that can be read it would take more than ${bound}` };
}

/** A picture as it stands in the conversation, made to fit where it does not. */
function asItStands(
  block: ImageBlock,
  place: Placement,
  input: DecideContext,
  sources = sourcesOf(block),
): Decision | undefined {
  const { profile } = input;
  const rule = profile.media.image;
  const detail = sentDetail(block.detail, profile);
  const largeEdge = input.many ? undefined : profile.largeEdge;
  const wantsAll = (block.detail ?? profile.defaultDetail) === 'original';
  const large = wantsAll && largeEdge !== undefined ? block.original : undefined;
  const maxEdge = input.many ? Math.min(rule.maxEdge, profile.manyImages?.maxEdge ?? rule.maxEdge) : rule.maxEdge;
  const fits = fitsRule(block, { ...rule, maxEdge });
  if (fits && !large) return native(block, [plannedImage(block, detail)], place, `${profile.id} takes it there`);
  const form = {
    types: rule.types,
    maxEdge: (large && largeEdge) ?? Math.min(maxEdge, 2000),
    maxBase64: rule.maxBase64,
  };
  const made = remade(block, large && fits ? [large] : sources, form, input);
  if (made === undefined) return undefined;
  if (made) {
    const decision = native(made, [plannedImage(made, detail)], place, `made to fit ${profile.id}`);
    return large ? decision : { ...decision, action: 'reduced' };
  }
  if (fits) return native(block, [plannedImage(block, detail)], place, 'its original could not be used');
  return inWords(block, doesNotFit(profile.id), input);
}

/** A picture with writing in the form in which that can be read; false when it goes as it is. */
function asForm(
  block: ImageBlock,
  form: ReadableForm,
  place: Placement,
  input: DecideContext,
): Decision | false | undefined {
  if (form.to === 'whole') return false;
  const made = form.to === 'tiles' ? inTiles(block, form, place, input) : resized(block, form, place, input);
  return made && asRead(made, form.textPx, input);
}

/** A decision about a picture with writing, which tells where it can hardly be read. */
function asRead(decision: Decision | undefined, textPx: number, { viewable }: DecideContext): Decision | undefined {
  if (!decision || decision.place === 'words') return decision;
  const told = { ...decision, legible: { textPx: Number(textPx.toFixed(1)), ok: textPx >= legible } };
  if (textPx >= nearlyLost) return told;
  return { ...told, blocks: [{ type: 'text', text: illegible(textPx, viewable) }, ...decision.blocks] };
}

/** Pieces of a picture, each with where it belongs; before those of a grid, a small picture of the whole. */
function inTiles(
  block: ImageBlock,
  { grid, overview, tokens, textPx }: ReadableForm & { to: 'tiles' },
  place: Placement,
  input: DecideContext,
): Decision | false | undefined {
  const { types, maxBase64 } = input.profile.media.image;
  const cut = ask(input, { to: 'tiles', asset: (block.original ?? block).asset, grid, types, maxBase64 });
  const small =
    overview === undefined
      ? undefined
      : ask(input, { to: 'image', asset: block.asset, types, maxEdge: overview, maxBase64 });
  if (!cut || (overview !== undefined && !small)) return undefined;
  const pieces = cut.ok ? cut.value.filter((one) => one.type === 'image') : [];
  if (pieces.length === 0) return false;
  const above = small?.ok ? small.value.filter((one) => one.type === 'image') : [];
  const detail = sentDetail(block.detail, input.profile);
  const shown = [...above, ...pieces].flatMap((one): Shown[] => [
    { type: 'text', text: above.includes(one) ? overviewLabel(block, pieces.length) : `[${one.origin?.made ?? ''}]` },
    plannedImage(one, detail),
  ]);
  const kind = grid.columns === 1 ? 'strips' : 'tiles';
  const why = `${pieces.length} ${kind}, about ${grouped(tokens)} tokens: ${writingHeight(textPx)}`;
  return { place, blocks: shown, action: 'tiles', why };
}

function writingHeight(textPx: number): string {
  return `its writing is ${textPx.toFixed(1)} px high then`;
}

/** A picture made anew from its original, larger or smaller than it stands in the conversation. */
function resized(
  block: ImageBlock,
  { maxEdge, smaller, textPx }: ReadableForm & { to: 'resized' },
  place: Placement,
  input: DecideContext,
): Decision | false | undefined {
  const { profile } = input;
  const { types, maxBase64 } = profile.media.image;
  const made = remade(block, sourcesOf(block).slice(0, 1), { types, maxEdge, maxBase64 }, input);
  if (!made || !fitsRule(made, profile.media.image)) return made && false;
  const planned = plannedImage(made, sentDetail(block.detail, profile));
  const why = `${smaller ? 'smaller' : 'from its original'}: ${writingHeight(textPx)}`;
  const decision = native({ ...made, asset: { ...made.asset, ...named(block) } }, [planned], place, why);
  return smaller ? { ...decision, action: 'reduced' } : decision;
}

function named({ asset: { name } }: ImageBlock): { name?: string } {
  return name === undefined ? {} : { name };
}

/** A picture half as large and written anew; false when it cannot be, undefined while that is not known. */
export function halved(
  block: ImageBlock,
  place: Placement,
  why: string,
  input: DecideContext,
): Decision | false | undefined {
  const rule = input.profile.media.image;
  const edge = Math.max(block.width, block.height);
  const types = plainPictures.filter((type) => rule.types.includes(type));
  if (types.length === 0 || edge < 2 * smallestEdge) return false;
  const maxEdge = Math.min(rule.maxEdge, Math.ceil(edge / 2));
  const form = { types, maxEdge, maxBase64: smallBase64 };
  if (block.original) ask(input, { to: 'image', asset: block.asset, ...form }); // at once, for rounds are few by now
  const made = remade(block, sourcesOf(block), form, input);
  if (!made || !fitsRule(made, rule)) return made && false;
  const told = { ...made, origin: { source: '', made: `${made.origin?.made ?? 'made smaller'}; ${why}` } };
  const detail = sentDetail(block.detail === 'low' ? 'low' : undefined, input.profile);
  return { ...native(told, [plannedImage(made, detail)], place, why), action: 'reduced' };
}

function floorOf(block: MediaBlock, { floors }: DecideContext): number {
  return floors?.get(block.asset.id) ?? 0;
}

/** What a picture can be made anew from, best first. */
function sourcesOf(block: ImageBlock): Picture[] {
  return block.original ? [block.original, block] : [block];
}

/** A picture made anew from the first source that can be read. One made from the original was scaled once, so that one
 * factor leads back to its coordinates; one made from the picture as it stands tells of what was done to that, too. */
function remade(
  block: ImageBlock,
  sources: readonly Picture[],
  form: Pick<Rendition & { to: 'image' }, 'types' | 'maxEdge' | 'maxBase64'>,
  input: DecideContext,
): ImageBlock | false | undefined {
  for (const { asset } of sources) {
    const fact = ask(input, { to: 'image', asset, ...form });
    if (!fact) return undefined;
    const made = fact.ok ? fact.value.find((item) => item.type === 'image') : undefined;
    if (made) return asset === block.asset ? withHistory(block, made) : made;
  }
  return false;
}

function withHistory(before: ImageBlock, after: ImageBlock): ImageBlock {
  const steps = [before.origin?.made, after.origin?.made].filter((step) => step !== undefined);
  return steps.length === 0 ? after : { ...after, origin: { source: '', made: steps.join('; then ') } };
}

function plannedImage(block: ImageBlock, detail: SentDetail | undefined): PlannedMedia {
  const { asset, width, height } = block;
  return { type: 'image', asset, width, height, ...(detail && { detail }) };
}

function fitsRule(block: ImageBlock, rule: MediumRule): boolean {
  return (
    takes(rule, block.asset.mediaType) &&
    base64Length(block.asset.size) <= rule.maxBase64 &&
    Math.max(block.width, block.height) <= rule.maxEdge
  );
}

function decideDocument(block: DocumentBlock, slot: MediaSlot, input: DecideContext): Decision | undefined {
  const { profile } = input;
  const rule = profile.media.document;
  const place = rule[slot];
  const floor = floorOf(block, input);
  let unfit: string | undefined;
  if (floor === documentRung.native && place !== 'words' && takes(rule, block.asset.mediaType)) {
    const whole = asDocument(block, input);
    if (whole === undefined) return undefined;
    unfit = whole ? outgrown(whole, rule, profile) : uncutPages;
    if (whole && unfit === undefined) {
      const { asset, pages } = whole;
      const planned: PlannedMedia = { type: 'document', asset, ...(pages !== undefined && { pages }) };
      return native(block, [planned], place, `${profile.id} takes it there`);
    }
  }
  if (floor > documentRung.text) return inWords(block, refusedByProvider, input);
  const wordsFirst = profile.textFirst !== undefined || input.policy?.pages === 'text';
  const forms = wordsFirst ? [asText, asPages] : [asPages, asIllustratedText, asText];
  for (const form of forms) {
    const made = form(block, slot, input, unfit);
    if (made !== 'no') return made;
  }
  return readOff(block, profile.withheld ?? wordlessDocument(unfit ?? takesNoDocument(profile.id)), input);
}

/** Why a document of a type that is taken is not: how much more it has than the model takes. */
function outgrown({ asset, pages = 1 }: DocumentBlock, rule: MediumRule, { id }: Viewer): string | undefined {
  if (pages > rule.maxPages) return tooManyPages(pages, id, rule.maxPages);
  const fits = base64Length(asset.size) <= rule.maxBase64;
  return fits ? undefined : tooManyBytes(asset.size, id, Math.floor(rule.maxBase64 / 4) * 3);
}

/** The pages that are asked for, where these are not all. */
export function partialRange({ range, pages }: Pick<DocumentBlock, 'range' | 'pages'>): PageRange | undefined {
  return range && !(range[0] === 0 && range[1] === pages) ? range : undefined;
}

/** The pages asked for as a document of their own; false when they cannot be cut out. */
function asDocument(block: DocumentBlock, input: DecideContext): DocumentBlock | false | undefined {
  const range = partialRange(block);
  if (!range) return block;
  const fact = ask(input, { to: 'pdf', asset: block.asset, range });
  if (!fact) return undefined;
  const made = fact.ok ? fact.value.find((item) => item.type === 'document') : undefined;
  return made ?? false;
}

/** The words of a document and its pictures where they stand among them, about a quarter of the window of words. What of
 * it cannot go along is told: a picture in its place, what lies behind a cut before everything else. */
function asIllustratedText(block: DocumentBlock, slot: MediaSlot, input: DecideContext): Decision | 'no' | undefined {
  const place = input.profile.media.image[slot];
  const isPdf = block.asset.mediaType === 'application/pdf';
  if (place === 'words' || isPdf || floorOf(block, input) > documentRung.pages) return 'no';
  const fact = ask(input, { to: 'illustrated', asset: block.asset, ...(block.range && { range: block.range }) });
  if (!fact) return undefined;
  const made = fact.ok ? fact.value : [];
  if (!made.some(({ type }) => type === 'image')) return 'no';
  const blocks: Shown[] = [];
  const behind: ImageBlock[] = [];
  let [unfit, missing, left, said] = [0, false, input.profile.contextTokens, ''];
  for (const item of made) {
    if (item.type === 'text') {
      const text = cutText(item.text.toWellFormed(), left);
      left -= item.text.length;
      said += text;
      if (text !== '') blocks.push({ type: 'text', text });
    } else if (item.type === 'image' && left < 0) behind.push(item);
    else if (item.type === 'image') {
      const shown = fitted(item, input);
      missing ||= shown === undefined;
      if (!shown) unfit++;
      blocks.push(...(shown || [{ type: 'text', text: innerPictureNote(nameOf(item), doesNotFit(input.profile.id)) }]));
    }
  }
  if (missing) return undefined;
  const refused = floorOf(block, input) > 0 ? refusedByProvider : undefined;
  const whole = made.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 0), 0);
  const cut = left < 0 ? [partNote(said, whole)] : [];
  const unseen = behind.length > 0 ? [innerPicturesNote(behind.map(nameOf), behindCut)] : [];
  blocks.unshift({ type: 'text', text: [textHeading(block, refused), ...cut, ...unseen].join('\n') });
  const lost = [
    ...(unfit > 0 ? [`${unfit} of its pictures do not fit it`] : []),
    ...(behind.length > 0 ? [`${behind.length} of its pictures stand behind the cut`] : []),
  ];
  const why = [refused ?? takesNoDocument(input.profile.id), ...lost].join('; ');
  const seen = blocks.some(({ type }) => type === 'image');
  return { place: seen ? place : 'words', blocks, action: 'text', why };
}

/** A picture of a document with its name, made to fit where it does not; false when it cannot be. */
function fitted(picture: ImageBlock, input: DecideContext): Shown[] | false | undefined {
  const rule = input.profile.media.image;
  const detail = sentDetail(undefined, input.profile);
  const labelled = (one: ImageBlock): Shown[] => [{ type: 'text', text: pictureLabel(one) }, plannedImage(one, detail)];
  if (fitsRule(picture, rule)) return labelled(picture);
  const { types, maxEdge, maxBase64 } = rule;
  const fact = ask(input, { to: 'image', asset: picture.asset, types, maxEdge: Math.min(maxEdge, 2000), maxBase64 });
  if (!fact) return undefined;
  const made = fact.ok ? fact.value.find((item) => item.type === 'image') : undefined;
  return made && fitsRule(made, rule) ? labelled(made) : false;
}

function nameOf({ asset }: ImageBlock): string {
  return asset.name ?? 'picture';
}

function asPages(
  block: DocumentBlock,
  slot: MediaSlot,
  input: DecideContext,
  unfit: string | undefined,
): Decision | 'no' | undefined {
  const { textFirst, ...viewer } = input.profile;
  const rule = viewer.media.image;
  const place = rule[slot];
  const [start, end] = block.range ?? [0, block.pages ?? 0];
  const most = textFirst?.pages ?? maxPagePictures;
  if (floorOf(block, input) > documentRung.pages || place === 'words' || end <= start) return 'no';
  if (block.asset.mediaType !== 'application/pdf' || (end - start > most && !textFirst)) return 'no';
  const last = Math.min(end, start + most);
  const range = last < end ? ([start, last] as const) : block.range;
  const fact = ask(input, {
    to: 'pages',
    asset: block.asset,
    maxEdge: Math.min(rule.maxEdge, pageEdge),
    ...(range && { range }),
  });
  if (!fact) return undefined;
  const made = fact.ok ? fact.value.filter((item) => item.type === 'image') : [];
  if (made.length === 0 || !made.every((page) => fitsRule(page, rule))) return 'no';
  const detail = sentDetail(undefined, viewer);
  const smallest = Math.min(...made.map((page) => lettersOf(page, detail, input)));
  const beside = wordsBeside(block, range, { pages: made.length, hard: smallest < legible }, input);
  const pieces = smallest < legible && beside?.length === 0 ? inPieces(made, detail, most, input) : new Map();
  if (!beside || !pieces) return undefined;
  const blocks = made.flatMap((page, index): Shown[] => [
    { type: 'text', text: pageLabel(start + index + 1) },
    ...(pieces.get(page) ?? [plannedImage(page, detail)]),
  ]);
  const refused = floorOf(block, input) > 0 ? refusedByProvider : undefined;
  const heading = last < end ? firstPagesHeading(block, start + 1, last, end) : pagesHeading(block, refused);
  blocks.unshift({ type: 'text', text: heading });
  blocks.push(...beside);
  const why = refused ?? unfit ?? `${viewer.id} takes pictures but no PDF`;
  const decision: Decision = { place, blocks, action: 'pages', why };
  if (smallest >= legible || beside.length > 0) return decision;
  return pieces.size > 0
    ? { ...decision, why: `${why}; in pieces, for its letters are small` }
    : asRead(decision, smallest, input);
}

/** How high letters on a page are as the model sees it; large where nobody knows. */
function lettersOf(page: ImageBlock, detail: SentDetail | undefined, input: DecideContext): number {
  return formOf(page, detail, input.profile, { tiles: 'off' })?.wholePx ?? ample;
}

/** Pages with small letters cut so that these can be read; none where that would be too many pictures. */
function inPieces(
  pages: readonly ImageBlock[],
  detail: SentDetail | undefined,
  most: number,
  input: DecideContext,
): Map<ImageBlock, Shown[]> | undefined {
  const cut = new Map<ImageBlock, Shown[]>();
  if (input.policy?.tiles === 'off') return cut;
  const forms = pages.map((page) => formOf(page, detail, input.profile, { ...input.policy, tiles: 'auto' }));
  const count = forms.reduce(
    (sum, form) => sum + (form?.to === 'tiles' ? form.grid.columns * form.grid.rows + 1 : 1),
    0,
  );
  if (count > Math.min(most, input.profile.maxImages ?? most)) return cut;
  let missing = false;
  for (const [at, page] of pages.entries()) {
    const form = forms[at];
    const made = form?.to === 'tiles' ? inTiles(page, form, 'after', input) : false;
    missing ||= made === undefined;
    if (made) cut.set(page, made.blocks);
  }
  return missing ? undefined : cut;
}

/** A page with fewer words than these is a picture of a page. */
const fewWords = 50;

/** The words of pages that go as pictures, a quarter of the window of them at most; none where they are not asked for. */
function wordsBeside(
  { asset }: DocumentBlock,
  range: PageRange | undefined,
  { pages, hard }: { pages: number; hard: boolean },
  input: DecideContext,
): Shown[] | undefined {
  const asked = input.policy?.pages;
  if (asked === 'picture' || (!hard && asked !== 'picture+text')) return [];
  const fact = ask(input, { to: 'text', asset, ...(range && { range }) });
  if (!fact) return undefined;
  const found = fact.ok ? fact.value.find((item) => item.type === 'text' && item.text.trim() !== '') : undefined;
  if (found?.type !== 'text') return [];
  if (asked === undefined && found.text.split(/\s+/, pages * fewWords).length < pages * fewWords) return [];
  const text = cutText(found.text.toWellFormed(), input.profile.contextTokens);
  return [{ type: 'text', text: `${hard ? smallPagesAsWords : pagesAsWords}\n${text}` }];
}

function asText(
  block: DocumentBlock,
  _slot: MediaSlot,
  input: DecideContext,
  unfit: string | undefined,
): Decision | 'no' | undefined {
  const fact = ask(input, { to: 'text', asset: block.asset, ...(block.range && { range: block.range }) });
  if (!fact) return undefined;
  const found = fact.ok ? fact.value.find((item) => item.type === 'text' && item.text.trim() !== '') : undefined;
  if (found?.type !== 'text') return 'no';
  const told = floorOf(block, input) > 0 ? refusedByProvider : input.profile.withheld;
  return spelledOut(block, found.text, told ?? unfit ?? takesNoDocument(input.profile.id), input, told);
}

/** For models that cannot see: what can be read off a medium made of pictures, unless its author has said it better. */
function readOff(block: ImageBlock | DocumentBlock, why: string, input: DecideContext): Decision | undefined {
  if (block.fallback) return inWords(block, why, input);
  const described = asDescribed(block, why, input);
  if (described !== 'no') return described;
  return asOwnWords(block, why, input);
}

/** A picture in the words of another model that sees it. */
function asDescribed(
  block: ImageBlock | DocumentBlock,
  why: string,
  input: DecideContext,
): Decision | 'no' | undefined {
  const { eyes } = input;
  if (block.type !== 'image' || !eyes?.media.has(block.asset.id)) return 'no';
  const fact = ask(input, { to: 'description', asset: block.asset, picture: block, by: eyes.by });
  if (!fact) return undefined;
  const said = fact.ok ? fact.value.find((item) => item.type === 'text') : undefined;
  if (said?.type === 'text') {
    const text = `${descriptionHeading(block, eyes.by)}\n${said.text.toWellFormed()}`;
    return { place: 'words', blocks: [{ type: 'text', text }], action: 'text', why: `described by ${eyes.by}` };
  }
  const own = asOwnWords(block, why, input);
  return own && !fact.ok ? { ...own, why: `${own.why}; ${fact.refusal.what}` } : own;
}

/** The words on a medium made of pictures, as far as they can be read off it. */
function asOwnWords(block: ImageBlock | DocumentBlock, why: string, input: DecideContext): Decision | undefined {
  if (!input.legible?.has(block.asset.id)) return inWords(block, why, input);
  const range = block.type === 'document' && block.range ? { range: block.range } : {};
  const fact = ask(input, { to: 'words', asset: block.asset, ...range });
  if (!fact) return undefined;
  const found = fact.ok ? fact.value.find((item) => item.type === 'text') : undefined;
  return found?.type === 'text' ? spelledOut(block, found.text, why, input) : inWords(block, why, input);
}

/** A medium as text. About a quarter of the window at most, told first so that nothing can cut the note off. */
function spelledOut(block: MediaBlock, content: string, why: string, input: DecideContext, refused?: string): Decision {
  return textDecision(block, content, input.profile.contextTokens, why, refused);
}

export function textDecision(block: MediaBlock, content: string, most: number, why: string, told?: string): Decision {
  const whole = content.toWellFormed();
  const shown = cutText(whole, most);
  const cut = shown.length < whole.length;
  const note = cut ? `${partNote(shown, whole.length)}\n` : '';
  const text = `${textHeading(block, told)}\n${note}${shown}`;
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'text', why };
}

function decideSound(block: SoundBlock, slot: MediaSlot, input: DecideContext): Decision {
  const rule = input.profile.media[block.type];
  const place = rule[slot];
  const fits = takes(rule, block.asset.mediaType) && base64Length(block.asset.size) <= rule.maxBase64;
  if (place === 'words' || !fits) return inWords(block, input.profile.withheld ?? takesNone(block.type), input);
  if (floorOf(block, input) >= soundRung.words) return inWords(block, refusedByProvider, input);
  const { type, asset, seconds } = block;
  return native(block, [{ type, asset, seconds }], place, `${input.profile.id} takes it there`);
}

function native(block: MediaBlock, blocks: Shown[], place: Placement, why: string): Decision {
  const note = caption(block);
  const shown: Shown[] = note === undefined ? blocks : [{ type: 'text', text: note }, ...blocks];
  return { place, blocks: shown, action: place === 'after' ? 'after' : 'inside', why };
}

export function inWords(block: CarriedBlock, why: string, input: DecideContext): Decision {
  const text = words(block, { why, viewable: input.viewable });
  return { place: 'words', blocks: [{ type: 'text', text }], action: 'words', why };
}

export function ask(input: DecideContext, rendition: Rendition): Fact | undefined {
  const fact = input.facts.get(renditionKey(rendition));
  if (!fact) input.need(rendition);
  return fact;
}
