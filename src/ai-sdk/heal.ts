// A provider's complaint about what a prompt showed → what is remembered about it, so that the next try looks different.
import type { MediumId } from '../content/block.ts';
import type { Bounded } from '../fetch/memory.ts';
import { boundedMap, mediumKey } from '../fetch/memory.ts';
import type { Complaint } from '../model/heal/complaint.ts';
import { capabilities } from '../model/heal/repair.ts';
import { bothStated } from '../window/profile.ts';
import type { ProfileOverrides } from '../window/profile.ts';

/** A turn that showed media: where it stands, and which. */
export type ShownTurn = { place: string; media: readonly MediumId[] };

/** What one middleware has learnt of its conversations. */
export type PromptMemory = {
  /** Turns whose media are left out, to fit. */
  leftOut: Bounded<true>;
  /** How many rungs lower media of a turn have to stand. */
  floors: Bounded<ReadonlyMap<MediumId, number>>;
  /** Media that a model has taken. */
  taken: Bounded<true>;
  /** What complaints taught of a model. */
  learned: Bounded<ProfileOverrides>;
};

export function openPromptMemory(): PromptMemory {
  return { leftOut: boundedMap(5000), floors: boundedMap(5000), taken: boundedMap(5000), learned: boundedMap(100) };
}

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
  if (complaint.code === 'media') return lower(suspects(shown, model, memory), again ? toWords : 1, memory);
  if (complaint.code !== 'too-large' && complaint.code !== 'context')
    return complaint.dialect !== undefined && teach({ dialect: complaint.dialect }, model, memory);
  const older = shown.slice(0, -1).filter(({ place }) => !memory.leftOut.get(place));
  for (const { place } of older) memory.leftOut.set(place, true);
  return older.length > 0 || lower([newest], again ? toWords : 1, memory);
}

/** Those that this model has not taken yet; when it has taken them all, every one. */
function suspects(shown: readonly ShownTurn[], model: string, { taken }: PromptMemory): readonly ShownTurn[] {
  const fresh = shown.map(({ place, media }) => ({
    place,
    media: media.filter((id) => !taken.get(mediumKey(model, id))),
  }));
  return fresh.some(({ media }) => media.length > 0) ? fresh : shown;
}

function lower(guilty: readonly ShownTurn[], rungs: number, { floors }: PromptMemory): boolean {
  for (const { place, media } of guilty) {
    const known = floors.get(place);
    floors.set(place, new Map([...(known ?? []), ...media.map((id) => [id, (known?.get(id) ?? 0) + rungs] as const)]));
  }
  return true;
}

/** The model takes no such thing, or, where it had no such thing, what else the complaint may mean. */
function forgo({ orElse }: Complaint, unable: keyof typeof capabilities, model: string, memory: PromptMemory): boolean {
  const isKnown = memory.learned.get(model)?.capabilities?.[capabilities[unable]] === false;
  return teach({ capabilities: { [capabilities[isKnown && orElse ? orElse : unable]]: false } }, model, memory);
}

/** From now on this is known of the model. */
function teach(profile: ProfileOverrides, model: string, { learned }: PromptMemory): boolean {
  learned.set(model, bothStated(learned.get(model), profile));
  return true;
}
