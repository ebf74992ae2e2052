// A provider's complaint about what a prompt showed → what is remembered about it, so that the next try looks different.
import type { MediumId } from '../content/block.ts';
import { learnAbout, lowerBy, mediumKey } from '../fetch/memory.ts';
import type { FetchMemory, Learned } from '../fetch/memory.ts';
import type { Complaint } from '../model/heal/complaint.ts';
import { capabilities } from '../model/heal/repair.ts';
import { fewerThan } from '../model/heal/shrink.ts';

/** A turn that showed media: where it stands, which, and how many pictures. */
export type ShownTurn = { place: string; media: readonly MediumId[]; images: number };

/** What one middleware has learnt of its conversations. */
export type PromptMemory = Pick<FetchMemory, 'floors' | 'learned' | 'leftOut' | 'taken'>;

/** So many rungs down, of every medium only words are left. */
const toWords = 3;

/** Remembers what may help; false when nothing does. `again`: what was tried before did not help. */
export function remedied(
  complaint: Complaint,
  shown: readonly ShownTurn[],
  model: string,
  memory: PromptMemory,
  again: boolean,
): boolean {
  const newest = shown.at(-1);
  if (!newest) return false;
  if (complaint.code === 'media' && complaint.unable) return forgo(complaint, complaint.unable, model, memory);
  const images = complaint.code === 'media' ? fewerThan(shown, complaint) : undefined;
  if (images !== undefined) return teach({ images }, model, memory);
  if (complaint.code === 'media') return lower(suspects(shown, model, memory), again ? toWords : 1, memory);
  if (complaint.code !== 'too-large' && complaint.code !== 'context')
    return complaint.dialect !== undefined && teach({ profile: { dialect: complaint.dialect } }, model, memory);
  const older = shown.slice(0, -1).filter(({ place }) => !memory.leftOut.get(place));
  for (const { place } of older) memory.leftOut.set(place, true);
  return older.length > 0 || lower([newest], again ? toWords : 1, memory);
}

/** Those that this model has not taken yet; when it has taken them all, every one. */
function suspects(shown: readonly ShownTurn[], model: string, { taken }: PromptMemory): readonly ShownTurn[] {
  const fresh = shown.map((turn) => ({
    ...turn,
    media: turn.media.filter((id) => !taken.get(mediumKey(model, id))),
  }));
  return fresh.some(({ media }) => media.length > 0) ? fresh : shown;
}

function lower(guilty: readonly ShownTurn[], rungs: number, memory: PromptMemory): boolean {
  for (const { place, media } of guilty) lowerBy(rungs, memory, place, media);
  return true;
}

/** The model takes no such thing, or, where it had no such thing, what else the complaint may mean. */
function forgo({ orElse }: Complaint, unable: keyof typeof capabilities, model: string, memory: PromptMemory): boolean {
  const isKnown = memory.learned.get(model)?.profile?.capabilities?.[capabilities[unable]] === false;
  const kind = capabilities[isKnown && orElse ? orElse : unable];
  return teach({ profile: { capabilities: { [kind]: false } } }, model, memory);
}

function teach(more: Learned, model: string, memory: PromptMemory): boolean {
  learnAbout(memory, model, more);
  return true;
}
