// What a gateway is told: who may ask, under which names models are had, and how much may come in.
import type { ModelChoice } from '../agent/options.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Clock } from '../model/http/clock.ts';
import type { Eyes } from '../model/prepared.ts';
import type { Recorder } from '../record/record.ts';
import { boundedMap } from '../fetch/memory.ts';
import type { Bounded } from '../fetch/memory.ts';
import type { MediaPolicy } from '../window/plan-types.ts';
import type { Profile } from '../window/profile.ts';
import type { ServeSettings } from '../config/serve.ts';

/** A model of its own address, key or limits. `eyes`: who describes pictures for it, instead of those for all. */
export type TargetModel = Exclude<ModelChoice, string> & { eyes?: Eyes };

/** A model that answers, and what it takes. */
export type AnswerTarget = { choice: TargetModel; profile: Profile };

/** All that a gateway may be told; what is left out is as `sightline serve` has it. */
export type GatewayOptions = Partial<ServeSettings> &
  Pick<MediaPolicy, 'tiles' | 'legibility' | 'pages'> & {
    /** Models under names of their own. */
    models?: Readonly<Record<string, TargetModel>>;
    /** Where media are kept; by default in bounded memory. */
    assets?: AssetStore;
    /** A model that sees, which describes pictures for those that do not. Never guessed, for pictures then go to its vendor. */
    eyes?: Eyes | undefined;
    /** Pictures, documents and videos stay here; models get their words. */
    picturesStay?: boolean;
    clock?: Clock;
    /** The database that keeps what conversations need to go on after a restart: a file, or `postgres://…` for instances on many
     * machines; by default only memory does. */
    database?: string;
    /** Told of every request that goes out. */
    recorder?: Recorder;
    /** What `/readyz` asks besides the database; rejects while media cannot be stored, as where a bucket is away. */
    mediaReady?: () => Promise<unknown>;
    /** Gets a line of JSON for each request. */
    log?: (line: string) => void;
  };

/** The same with nothing left open. */
export type GatewaySettings = ServeSettings &
  Required<Pick<GatewayOptions, 'models'>> &
  Pick<GatewayOptions, 'eyes' | 'picturesStay' | 'tiles' | 'legibility' | 'pages'> & {
    /** Who answers under the names that were asked for so far. */
    known: Bounded<AnswerTarget[]>;
  };

const mostNames = 1000;

const usual: ServeSettings = {
  host: '127.0.0.1',
  port: 4141,
  routes: {},
  origins: [],
  bodyMib: 64,
  carry: 'tell',
  uploadsMib: 24,
  keys: {},
};

/** What was left out, or stands there as undefined, is as usual. */
export function settingsOf(given: GatewayOptions): GatewaySettings {
  const told = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as GatewayOptions;
  const blind = given.picturesStay && { eyes: undefined };
  return { ...usual, models: {}, ...told, ...blind, known: boundedMap(mostNames) };
}
