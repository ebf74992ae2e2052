// What all requests of a gateway share, and what belongs to one tenant alone.
import type { AssetStore } from '../asset/store.ts';
import { assetGone } from '../content/asset-store.ts';
import type { AssetId } from '../content/block.ts';
import { memoryAssets } from '../content/memory-assets.ts';
import type { Intake } from '../content/intake.ts';
import { refuse } from '../content/refusal.ts';
import { boundedMap } from '../fetch/memory.ts';
import type { Clock } from '../model/http/clock.ts';
import type { DescriptionTable } from '../model/descriptions.ts';
import { intakeOf } from '../model/intake.ts';
import type { Recorder } from '../record/record.ts';
import type { GatewayMemory } from './memory.ts';
import { openRelays } from './relay.ts';
import type { Relays } from './relay.ts';
import type { Report } from './report.ts';
import type { Rests } from './rests.ts';
import type { GatewaySettings } from './settings.ts';
import type { Pace, Purse } from './spend.ts';
import { openKnownStrings } from './strings.ts';
import type { KnownStrings } from './strings.ts';
import type { CrowdTurns } from './fair-turns.ts';
import type { Uploads } from './uploads.ts';

export type House = {
  settings: () => GatewaySettings;
  roomOf: (tenant: string) => Room;
  memory: GatewayMemory;
  recorder: Recorder | undefined;
  mediaReady: () => Promise<unknown>;
  clock: Clock;
  version: string;
  closing: () => boolean;
  /** Aborts when answers under way have had their time. */
  stopping: AbortSignal;
  report: Report;
  purse: Purse;
  /** Tells that the database failed beside an answer, which goes on. */
  storeFails: (error: unknown) => void;
  pace: Pace;
  uploads: Uploads;
  turns: CrowdTurns;
  rests: Rests;
};

/** The media of one tenant: what one has sent, no other can name. */
export type Room = {
  assets: AssetStore;
  intake: Intake;
  relays: Relays;
  known: KnownStrings;
  descriptions?: DescriptionTable | undefined;
};

/** Finds the room of each tenant. Those without a name have the store that was given; all others share one, so that memory stays
 * bounded however many they are. */
export function openRooms(
  assets: AssetStore,
  shared: DescriptionTable | undefined,
  ofNamed: AssetStore = memoryAssets(),
): House['roomOf'] {
  const rooms = new Map<string, Room>();
  const strings = openKnownStrings(); // nobody learns from them what another has sent: one has to bring the same letters
  return (tenant) => {
    const known = rooms.get(tenant);
    if (known) return known;
    const own = tenant === '' ? assets : ownPart(ofNamed);
    const intake = closed(intakeOf({ assets: own, roots: [] }));
    const descriptions = shared && ofTenant(shared, tenant);
    const relays = openRelays(own, descriptions);
    const room = { assets: own, intake, relays, known: strings, descriptions };
    rooms.set(tenant, room);
    return room;
  };
}

/** So many media of one tenant are known to be its own. */
const mostOwn = 10_000;

/** A store as one of those sees it who share it: what others have put there is not there. */
function ownPart(store: AssetStore): AssetStore {
  const own = boundedMap<true>(mostOwn);
  const isOwn = (id: AssetId): boolean => own.get(id) === true;
  return {
    ...store,
    async put(source, about) {
      const asset = await store.put(source, about);
      own.set(asset.id, true);
      return asset;
    },
    get: async (id, range) => (isOwn(id) ? store.get(id, range) : undefined),
    async *stream(id, options) {
      if (!isOwn(id)) throw assetGone(id);
      yield* store.stream(id, options);
    },
    async missing(ids) {
      const gone = await store.missing(ids);
      return new Set(ids.filter((id) => gone.has(id) || !isOwn(id)));
    },
  };
}

/** A description was made with somebody's question: nobody else gets it. */
function ofTenant(table: DescriptionTable, tenant: string): DescriptionTable {
  const own = (key: string): string => `${tenant} ${key}`;
  return {
    find: (key) => table.find(own(key)),
    claim: (key) => table.claim(own(key)),
    keep: (key, text) => table.keep(own(key), text),
    free: (key) => table.free(own(key)),
  };
}

/** Whoever wrote the request must not choose what is opened here. */
function closed(intake: Intake): Intake {
  const no = refuse('not-allowed', 'The gateway opens no paths and no addresses', 'Send the bytes.');
  return { ...intake, open: () => Promise.resolve(no), at: (place) => closed(intake.at(place)) };
}
