// What the wrapper remembers, all of it bounded, none of it a key or a body: how turns were rebuilt, which media a
// model has taken or refused, what its complaints taught, and what was left out to fit.

import type { Asset, MediumId } from '../content/block.ts';
import { bothStated } from '../window/profile.ts';
import type { ProfileOverrides } from '../window/profile.ts';
import type { Unseen } from '../window/unseen.ts';
import type { KeptLetters } from './marked.ts';
import type { Rebuilt } from './rebuild.ts';

/** Text of our own, a place in the turn as it came (media are not kept, they come again with every request), or letters of a
 * medium that was made of one. */
export type BodyPiece = string | { from: number; to: number } | KeptLetters;

/** A turn that was looked at. Without pieces it goes out as it came. */
export type KnownTurn = Omit<Rebuilt, 'items'> & {
  pieces?: BodyPiece[];
  /** How many items the pieces are. */
  count: number;
  /** The hash of those of its letters that something was made of. */
  hash?: string;
};

/** What the complaints of a provider and its counts taught about a model. */
export type Learned = { profile?: ProfileOverrides; images?: number; unseen?: Unseen };

type Floors = ReadonlyMap<MediumId, number>;

export type FetchMemory = {
  known: Bounded<KnownTurn>;
  /** Media that a model has taken, by model and asset. */
  taken: Bounded<true>;
  /** How many rungs lower each medium of a turn has to stand, because the provider refused it. */
  floors: Entries<Floors>;
  learned: Entries<Learned>;
  /** Turns whose media are left out, by the conversation up to there. */
  leftOut: Entries<true>;
  /** Media that stand in records, by the digest of their base64. */
  recorded: Bounded<Asset>;
  /** Blocks with too few letters for a medium were to blame once. */
  closely: boolean;
};

/** What complaints change. */
export type Taught = Pick<FetchMemory, 'floors' | 'learned' | 'leftOut'>;

/** The same memory, to try something in: what is set in it reaches the other one, which requests share, only when it is kept. */
export function trialOf<Memory extends Taught>(memory: Memory): { memory: Memory; keep: () => void } {
  const [floors, learned, leftOut] = [above(memory.floors), above(memory.learned), above(memory.leftOut)];
  const keep = (): void => [floors, learned, leftOut].forEach((tried) => tried.keep());
  return { memory: { ...memory, floors, learned, leftOut }, keep };
}

function above<Value>(under: Entries<Value>): Entries<Value> & { keep: () => void } {
  const own = new Map<string, Value>();
  return {
    get: (key) => own.get(key) ?? under.get(key),
    set: (key, value) => void own.set(key, value),
    keep: () => own.forEach((value, key) => under.set(key, value)),
  };
}

/** From now on this is known of a model. */
export function learnAbout({ learned }: Pick<Taught, 'learned'>, name: string, { profile, ...more }: Learned): void {
  const known = learned.get(name);
  learned.set(name, { ...known, ...more, ...(profile && { profile: bothStated(known?.profile, profile) }) });
}

/** From now on these media of a turn stand so many rungs lower than they did. */
export function lowerBy(rungs: number, { floors }: Taught, turn: string, media: readonly MediumId[]): void {
  const known = floors.get(turn);
  floors.set(turn, new Map([...(known ?? []), ...media.map((id) => [id, (known?.get(id) ?? 0) + rungs] as const)]));
}

export function openMemory(): FetchMemory {
  return {
    known: boundedMap(2000, 32 * 1024 * 1024, weightOf),
    taken: boundedMap(10_000),
    floors: boundedMap(1000),
    learned: boundedMap(100),
    leftOut: boundedMap(5000),
    recorded: boundedMap(5000),
    closely: false,
  };
}

/** What a turn has of our own; places in the request weigh nothing. */
function weightOf({ pieces = [] }: KnownTurn): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : 'hash' in piece ? piece.letters.length : 0),
    0,
  );
}

export function mediumKey(model: string, id: MediumId): string {
  return `${model} ${id}`;
}

export type Bounded<Value> = {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
  delete: (key: string) => void;
};

type Entries<Value> = Pick<Bounded<Value>, 'get' | 'set'>;

/** A map in which what was used least recently goes first. */
export function boundedMap<Value>(
  most: number,
  heaviest: number = Infinity,
  weigh: (value: Value) => number = () => 0,
): Bounded<Value> {
  const values = new Map<string, Value>();
  let weight = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value === undefined) return;
    weight -= weigh(value);
    values.delete(key);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set: (key, value) => {
      remove(key);
      values.set(key, value);
      weight += weigh(value);
      for (const oldest of values.keys()) {
        if (values.size <= most && weight <= heaviest) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
