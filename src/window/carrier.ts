// Media that lie elsewhere: given as they are where the API is known to see them there, fetched where that is allowed, else
// words. An id never goes to another provider, and an address that is not everybody's never leaves.
import { base64Length } from '../content/base64.ts';
import type {
  CarriedBlock,
  DocumentBlock,
  MediaBlock,
  MediaKind,
  ReferenceBlock,
  SoundBlock,
} from '../content/block.ts';
import { isMedia, kindOfMedium, mediumId } from '../content/block.ts';
import {
  foreignFile,
  refusedByProvider,
  sightless,
  takesNoDocument,
  takesNone,
  takesNoReference,
  unpassed,
} from '../content/words.ts';
import { refusalText } from '../content/refusal.ts';
import { whyUnshared } from '../content/shared-url.ts';
import { ownerOfFiles } from './catalog.ts';
import { decide, inWords } from './decide.ts';
import type { DecideContext, Decision, MediaSlot } from './decide.ts';
import type { At, PlannedMedia, PlannedRemote, Shown, UrlPolicy } from './plan-types.ts';
import { renditionKey } from './rendition.ts';
import type { Fetching, Uploading } from './rendition.ts';
import type { Carried, Placement } from './rules.ts';
import { sentDetail } from './tiles.ts';
import type { Unseen } from './unseen.ts';

const usual: UrlPolicy = { pass: 'user', fetch: false };

/** The first rung that fits a medium, by its bytes or by where it lies; undefined while a fact is missing. */
export function decideMedium(block: CarriedBlock, slot: MediaSlot, input: DecideContext): Decision | undefined {
  if (block.type === 'reference') return decideReference(block, slot, input);
  const large = asLargeFile(block, slot, input);
  if (large !== 'no') return large;
  const decision = decide(block, slot, input);
  return decision && (input.uploads === 'worth' ? byFile(decision, slot, input) : decision);
}

/** What a document or a sound may weigh that goes by an id: less than any store takes, and what APIs say of one file. */
const mostByFile = { document: 50_000_000, audio: 2_000_000_000, video: 2_000_000_000 };

/** A document or a sound that is too large to go inline, or that no API takes so, goes by its id, in one piece. */
function asLargeFile(block: MediaBlock, slot: MediaSlot, input: DecideContext): Decision | 'no' | undefined {
  if (!input.uploads || block.type === 'image' || input.gone.has(block.asset.id)) return 'no';
  const rule = input.profile.media[block.type];
  const { asset } = block;
  const isByIdAlone = rule.types.length === 0 && asset.mediaType === 'application/pdf';
  const isLarge = (isByIdAlone || base64Length(asset.size) > rule.maxBase64) && asset.size <= mostByFile[block.type];
  const isWhole = block.type !== 'document' || (!block.range && (block.pages ?? 1) <= rule.maxPages);
  const place = rule.carriers.file ? placeOf(rule.carriers.file, slot, rule.errorResult) : 'words';
  const isRefused = (input.floors?.get(asset.id) ?? 0) > 0;
  if (!isLarge || !isWhole || isRefused || place === 'words') return 'no';
  if (!isByIdAlone && !rule.types.includes(asset.mediaType)) return 'no';
  const whole = plannedLarge(block);
  const id = fileIdOf(whole, input);
  if (id === undefined) return undefined;
  if (id === false) return 'no';
  const { id: model } = input.profile;
  const why = isByIdAlone
    ? `${model} takes it by a file id alone`
    : `too large for ${model} inline; it goes by its file id`;
  const action = place === 'after' ? 'after' : 'inside';
  return { place, blocks: [{ ...whole, at: { file: id } }], action, why };
}

function plannedLarge(block: DocumentBlock | SoundBlock): PlannedMedia {
  const { asset } = block;
  if (block.type !== 'document') return { type: block.type, asset, seconds: block.seconds };
  return { type: 'document', asset, ...(block.pages !== undefined && { pages: block.pages }) };
}

/** What weighs less is not worth an upload. */
const leastUploaded = 64 * 1024;

/** The same media by the ids of files, where that is wished for and the API shows them there; undefined while an id is missing.
 * What could not be uploaded goes inline. */
function byFile(decision: Decision, slot: MediaSlot, input: DecideContext): Decision | undefined {
  const { place } = decision;
  if (place === 'words') return decision;
  let missing = false;
  const blocks = decision.blocks.map((block): Shown => {
    if (!('asset' in block) || block.asset.size < leastUploaded) return block;
    const { file } = input.profile.media[block.type].carriers;
    const shows = place === 'inside' && slot !== 'user' ? file?.result : file?.user;
    if (shows !== 'inside') return block;
    const id = fileIdOf(block, input);
    missing ||= id === undefined;
    return id ? { ...block, at: { file: id } } : block;
  });
  return missing ? undefined : { ...decision, blocks };
}

/** The id of a medium, false where there is none to be had, undefined while nobody has asked for it. */
function fileIdOf({ asset }: PlannedMedia, { profile, facts, needMore }: DecideContext): string | false | undefined {
  if (profile.files === undefined || !needMore) return false;
  const uploading: Uploading = { to: 'file', asset, endpoint: profile.files };
  const fact = facts.get(renditionKey(uploading));
  if (!fact) needMore(uploading);
  if (!fact) return undefined;
  const made = fact.ok ? fact.value.find((one) => one.type === 'reference') : undefined;
  return made && 'file' in made.at ? made.at.file.id : false;
}

/** A medium that was sent inline goes by its id, outside its result where the API shows it there alone. */
export function moveToFile(slot: MediaSlot, decision: Decision, input: DecideContext): Decision | undefined {
  const shown = decision.blocks.find((block) => 'asset' in block);
  if (!input.uploads || !shown || !('asset' in shown) || shown.at) return undefined;
  const carried = input.profile.media[shown.type].carriers.file;
  const place = !carried || slot === 'user' ? decision.place : carried.result;
  const moved = byFile({ ...decision, place }, slot, input);
  if (!moved?.blocks.some((block) => 'asset' in block && block.at)) return undefined;
  const isItself = moved.action === 'inside' || moved.action === 'after';
  return isItself ? { ...moved, action: place === 'after' ? 'after' : 'inside' } : moved;
}

/** As given, then fetched, then words. A refused one steps down from where it stood. */
function decideReference(block: ReferenceBlock, slot: MediaSlot, input: DecideContext): Decision | undefined {
  const { at } = block;
  const { urls = usual } = input;
  const floor = input.floors?.get(mediumId(block)) ?? 0;
  const given = floor === 0 ? asGiven(block, slot, input, urls) : { why: refusedByProvider };
  if (given.blocks) return given;
  if ('url' in at && urls.fetch && floor < 2) return fetched(block, at.url, slot, input);
  return inWords(block, given.why, input);
}

/** Whether a medium that somebody else put into a request by its address or its id may stay there as it is: where its API is
 * known to show it, and in messages of the user unless it was refused, not seen, or addresses shall not leave. */
export function staysAsGiven(
  block: ReferenceBlock,
  slot: MediaSlot,
  {
    profile,
    floors,
    urls = usual,
    unseen = {},
  }: Pick<DecideContext, 'profile' | 'floors' | 'urls'> & { unseen?: Unseen },
): boolean {
  const carrier = 'url' in block.at ? 'url' : 'file';
  if ((floors?.get(mediumId(block)) ?? 0) > 0 || unseen[block.kind]?.includes(carrier)) return false;
  if (carrier === 'url' && (urls.pass === 'never' || (urls.pass === 'user' && slot !== 'user'))) return false;
  if (slot === 'user') return true;
  const { carriers, errorResult } = profile.media[block.kind];
  const carried = carriers[carrier];
  return carried !== undefined && placeOf(carried, slot, errorResult) === 'inside';
}

type Refused = { why: string; blocks?: undefined };

function asGiven(
  block: ReferenceBlock,
  slot: MediaSlot,
  input: DecideContext,
  { pass }: UrlPolicy,
): Decision | Refused {
  const { profile } = input;
  const rule = profile.media[block.kind];
  if (profile.withheld !== undefined) return { why: profile.withheld };
  const carrier = 'url' in block.at ? 'url' : 'file';
  const at = 'url' in block.at ? whyNotPassed(block, block.at.url, slot, pass) : ownFile(block.at.file, input);
  if ('why' in at) return at;
  const carried = rule.carriers[carrier];
  if (!carried)
    return { why: rule.types.length === 0 ? cannot(block.kind, profile.id) : takesNoReference(profile.id, carrier) };
  const place = placeOf(carried, slot, rule.errorResult);
  if (place === 'words' || !isFrom(at, carried)) return { why: takesNoReference(profile.id, carrier) };
  const why = `${profile.id} takes it there by ${carrier === 'url' ? 'its address; not checked' : 'its file id'}`;
  return { place, blocks: [planned(block, at, input)], action: place === 'after' ? 'after' : 'inside', why };
}

function cannot(kind: MediaKind, id: string): string {
  if (kind === 'image') return sightless;
  return kind === 'document' ? takesNoDocument(id) : takesNone(kind);
}

function placeOf({ result, user }: Carried, slot: MediaSlot, errorResult: Placement): Placement {
  if (slot === 'user') return user;
  return slot === 'errorResult' && result === 'inside' && errorResult !== 'inside' ? 'after' : result;
}

function isFrom(at: At, { hosts }: Carried): boolean {
  if (!hosts || 'file' in at) return true;
  const { hostname } = new URL(at.url);
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

function ownFile({ endpoint, id }: { endpoint: string; id: string }, { profile }: DecideContext): At | Refused {
  return ownerOfFiles(endpoint) === profile.files ? { file: id } : { why: foreignFile(endpoint) };
}

function whyNotPassed(block: ReferenceBlock, text: string, slot: MediaSlot, pass: UrlPolicy['pass']): At | Refused {
  if (pass === 'never') return { why: unpassed.never };
  if (pass === 'user' && slot !== 'user') return { why: unpassed.tools };
  if (block.range) return { why: unpassed.part };
  const why = whyUnshared(text);
  return why === undefined ? { url: text } : { why: unpassed[why] };
}

function planned(block: ReferenceBlock, at: At, { profile }: DecideContext): PlannedRemote {
  const { detail: asked, range: _range, fallback: _fallback, ...known } = block;
  const detail = block.kind === 'image' ? sentDetail(asked, profile) : undefined;
  return { ...known, type: 'remote', at, ...(detail && { detail }) };
}

/** What came from its address goes the way of all media; what could not be had is told. */
function fetched(block: ReferenceBlock, url: string, slot: MediaSlot, input: DecideContext): Decision | undefined {
  const fetching: Fetching = { to: 'bytes', url, reference: block };
  const fact = input.facts.get(renditionKey(fetching));
  if (!fact) input.needMore?.(fetching);
  if (!fact) return input.needMore ? undefined : inWords(block, takesNoReference(input.profile.id, 'url'), input);
  const made = fact.ok ? fact.value.find(isMedia) : undefined;
  if (!made)
    return inWords(block, fact.ok ? takesNoReference(input.profile.id, 'url') : refusalText(fact.refusal), input);
  const decision = decide(made, slot, input);
  const isItself = decision?.action === 'inside' || decision?.action === 'after';
  return decision && isItself ? { ...decision, action: 'fetched' } : decision;
}

/** Whether a medium is one that words stand for whatever it weighs. */
export function isHopeless(block: CarriedBlock, slot: MediaSlot, { profile }: DecideContext): boolean {
  return block.type !== 'reference' && profile.media[kindOfMedium(block)][slot] === 'words';
}
