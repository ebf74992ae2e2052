// A refused request and the provider's complaint about it → what to change, or nothing. The history itself is never
// edited, each medium goes one rung down at a time.
import type { MediumId } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { sentFiles } from '../../window/ledger.ts';
import type { Plan, PlanItem } from '../../window/plan-types.ts';
import type { Capabilities } from '../../window/profile.ts';
import type { Dialect } from '../../window/rules.ts';
import { wires } from '../../wire/registry.ts';
import type { Complaint } from './complaint.ts';
import type { Narrowed, Remedy, Repair, Repairs } from './repair-types.ts';
import { fewerBytes, fewerImages, fewerTokens } from './shrink.ts';
import { insideMedia, kindOfShown, shownMedia } from '../../window/shown.ts';
import { lyingElsewhere, namedMedium, suspects } from './suspects.ts';
import type { RefusedRequest } from './suspects.ts';

/** All repairs of one turn together. */
const maxRepairs = 6;

/** What to change about a refused request; undefined when nothing can be. */
export function repairFor(
  complaint: Complaint,
  refused: RefusedRequest,
  before: Repairs,
  remedy: Remedy = {},
): Repair | undefined {
  if (before.length >= maxRepairs) return undefined;
  return choose(complaint, refused, before, remedy);
}

function choose(complaint: Complaint, refused: RefusedRequest, before: Repairs, remedy: Remedy): Repair | undefined {
  if (complaint.mostOutput !== undefined) return shorterAnswer(complaint.mostOutput, complaint, refused);
  switch (complaint.code) {
    case 'media':
      return complaint.unable
        ? (withoutKind(complaint.unable, complaint, refused) ??
            (complaint.orElse && withoutKind(complaint.orElse, complaint, refused)))
        : (fewerImages(complaint, refused) ?? lowerMedia(complaint, refused, before, remedy.found));
    case 'reference':
      return uploadAgain(complaint, refused, before) ?? lowerReferences(complaint, refused);
    case 'signature':
      return letDrop(complaint, refused, before, remedy) ?? withoutThinking(complaint, refused, before);
    case 'context':
      return fewerTokens(complaint, refused, before);
    case 'too-large':
      return fewerBytes(complaint, refused, before);
    default:
      return complaint.dialect && writtenOtherwise(complaint.dialect, complaint, refused);
  }
}

/** From now on the same is written as this server, or the account, has to have it. */
function writtenOtherwise(
  dialect: NonNullable<Complaint['dialect']>,
  { message }: Complaint,
  { plan }: RefusedRequest,
): Repair | undefined {
  const isNew = Object.entries(dialect).some(([name, value]) => plan.profile.dialect[name as keyof Dialect] !== value);
  return isNew ? { why: message, profile: { dialect } } : undefined;
}

/** From now on no longer answer is asked for than the model gives. */
function shorterAnswer(most: number, { message }: Complaint, { plan }: RefusedRequest): Repair | undefined {
  const { maxTokens = plan.profile.maxOutputTokens } = plan.options;
  return most < maxTokens ? { why: message, profile: { maxOutputTokens: most } } : undefined;
}

export const capabilities: Record<NonNullable<Complaint['unable']>, keyof Capabilities> = {
  image: 'vision',
  document: 'nativePdf',
  audio: 'audioInput',
  video: 'videoInput',
  inside: 'toolMedia',
};

/** The model takes no such thing: from now on it gets the next best. */
function withoutKind(
  kind: keyof typeof capabilities,
  { message }: Complaint,
  { plan }: RefusedRequest,
): Repair | undefined {
  const shown =
    kind === 'inside' ? insideMedia(plan) : shownMedia(plan).filter((medium) => kindOfShown(medium) === kind);
  if (shown.length === 0) return undefined;
  return {
    why: `${plan.profile.model} takes no ${kind === 'inside' ? 'media in results' : kind}: ${message}`,
    profile: { capabilities: { [capabilities[kind]]: false } },
  };
}

/** The media to search among, one search a turn: those of a complaint that is about one of them and does not say which. */
export function searchable(complaint: Complaint, refused: RefusedRequest, before: Repairs): MediumId[] {
  if (complaint.code !== 'media' || complaint.unable || before.some(({ found }) => found)) return [];
  if (before.length >= maxRepairs || fewerImages(complaint, refused)) return [];
  return namedMedium(complaint.path, refused) ? [] : suspects(refused);
}

/** Ids of uploads that the provider does not know are made anew, once; if it knows those neither, media go inline. */
function uploadAgain({ message }: Complaint, { plan, ledger }: RefusedRequest, before: Repairs): Repair | undefined {
  const files = sentFiles(ledger, plan.profile.model);
  if (files.length === 0) return undefined;
  const why = withoutIds(message, files);
  if (before.some(({ forget }) => forget)) return { why, inline: true };
  return { why, forget: { files: [...new Set(files)], complaint: message } };
}

/** Words for people and logs, in which nobody finds an id. */
function withoutIds(words: string, files: readonly string[]): string {
  return files.reduce((text, file) => text.replaceAll(file, '…').replaceAll(file.slice(file.lastIndexOf('/') + 1), '…'), words); // prettier-ignore
}

/** What the provider could not have by reference goes another way: the one that it names, else all of them. */
function lowerReferences({ message, path }: Complaint, refused: RefusedRequest): Repair | undefined {
  const named = namedMedium(path, refused);
  const guilty = named ? [named] : lyingElsewhere(refused);
  return guilty.length === 0 ? undefined : { why: message, lower: new Set(guilty) };
}

function lowerMedia(
  complaint: Complaint,
  refused: RefusedRequest,
  before: Repairs,
  found: Narrowed | undefined,
): Repair | undefined {
  const named = namedMedium(complaint.path, refused);
  const guilty = named ? [named] : (found?.guilty ?? afterSearch(refused, before));
  const lower = new Set(guilty);
  if (lower.size === 0) return undefined;
  return { why: `${complaint.message}${searched(found)}`, lower, ...(found && { found }) };
}

/** Who is to blame without a search: all suspects. After one: what it found, once more; then whoever was not cleared. */
function afterSearch(refused: RefusedRequest, before: Repairs): MediumId[] {
  const found = before.find((repair) => repair.found)?.found;
  const all = suspects(refused);
  if (!found) return all;
  const again = before.filter(({ lower }) => found.guilty.every((id) => lower?.has(id))).length < 2;
  const left = again && found.sure ? all.filter((id) => found.guilty.includes(id)) : [];
  if (left.length > 0) return left;
  const open = all.filter((id) => !found.cleared.has(id));
  return open.length > 0 ? open : all;
}

function searched(found: Narrowed | undefined): string {
  if (!found) return '';
  const { guilty, suspects: all, probes } = found;
  return ` (${guilty.length} of ${all} suspects, found by ${probes} small request${probes === 1 ? '' : 's'})`;
}

/** Thinking bound to another prefix can be left out by the provider, where it offers that itself. */
function letDrop(
  { message, offersDrop }: Complaint,
  { plan }: RefusedRequest,
  before: Repairs,
  { headers }: Remedy,
): Repair | undefined {
  const { endpoint, thinking } = plan.profile;
  const offered = offersDrop && endpoint === 'anthropic' && plan.items.some(isSealed);
  const thinks = thinking === 'adaptive' && plan.options.thinking !== 'off';
  if (!headers || !offered || !thinks || before.some((repair) => repair.dropUnbound !== undefined)) return undefined;
  const why = `thinking that no longer fits what stands before it is left out: ${message}`;
  return { why, dropUnbound: true };
}

function withoutThinking(
  complaint: Complaint,
  { plan, skeleton }: RefusedRequest,
  before: Repairs,
): Repair | undefined {
  const why = `its thinking was not accepted any more: ${complaint.message}`;
  if (!plan.items.some(isSealed)) return undefined;
  const at = complaint.path === undefined ? undefined : itemAt(complaint.path, plan, skeleton);
  const first = before.every(({ dropThinking }) => dropThinking === undefined);
  if (at === undefined || !first) return { why, dropThinking: true, dropUnbound: false };
  return { why, dropThinking: at, dropUnbound: false };
}

function isSealed(item: PlanItem): boolean {
  return item.role === 'assistant' && item.content.some((block) => block.type === 'thinking' || block.seal);
}

/** The item of a plan that a place of the request belongs to: the first with which the list becomes long enough. */
function itemAt(path: string, plan: Plan, skeleton: unknown): number | undefined {
  const [, list = '', index = ''] = /^(\w+)(?:\.|\[)(\d+)/.exec(path) ?? [];
  if (!isRecord(skeleton) || !Array.isArray(skeleton[list])) return undefined;
  const lengthWith = (count: number): number => {
    const part: unknown = wires[plan.profile.wire].encode({ ...plan, items: plan.items.slice(0, count) }).skeleton;
    const items = isRecord(part) ? part[list] : undefined;
    return Array.isArray(items) ? items.length : 0;
  };
  let [low, high] = [0, plan.items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lengthWith(middle + 1) > Number(index)) high = middle;
    else low = middle + 1;
  }
  return low < plan.items.length ? low : undefined;
}
