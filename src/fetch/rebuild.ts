// One turn of a request → what goes out instead of it, or the word that it is good as it is. Its media are taken
// through the intake, placed by the planner as for any other conversation, and written by the wire.
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId, ReferenceBlock } from '../content/block.ts';
import { mediumId } from '../content/block.ts';
import { referenceOf } from '../content/intake.ts';
import { describeMedia } from '../content/words.ts';
import { staysAsGiven } from '../window/carrier.ts';
import { filled, lettersOf } from '../wire/body.ts';
import type { Fields } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import { covers } from '../wire/same-content.ts';
import type { Call } from '../wire/turns.ts';
import { decideTurn } from './decide-turn.ts';
import type { TurnMedia, TurnRules } from './decide-turn.ts';
import { protect } from './turns.ts';
import type { StandIns } from './stand-ins.ts';
import type { Workshop } from './workshop.ts';

type GivenTurn = TurnRules & { items: readonly Fields[]; calls: readonly Call[]; list: string };

/** `items` is what goes out; undefined when the original does. */
export type Rebuilt = TurnMedia & { items?: Fields[] };

const untouched: Rebuilt = { receipts: [], media: [], elsewhere: [], ways: [], images: 0, tokens: 0, derived: false };

export async function rebuild(
  turn: GivenTurn,
  standIns: StandIns,
  workshop: Workshop,
  signal?: AbortSignal,
): Promise<Rebuilt> {
  const { calls, profile } = turn;
  const { wire } = profile;
  const { turns } = wires[wire];
  const own = turn.items.filter((item) => turns.role(item) !== 'other');
  const others = turn.items.filter((item) => turns.role(item) === 'other');
  const repaired = turns.repair(own, calls);
  const kept: ReferenceBlock[] = [];
  const safe = protect(repaired, wire, (given, slot) => {
    const owned = given.file && { file: { endpoint: profile.endpoint, id: given.file.id } };
    const block = referenceOf({ ...given, ...owned });
    if (!block || !staysAsGiven(block, slot, turn)) return block !== undefined;
    kept.push(block);
    return false;
  });
  const body = { model: profile.id, [turn.list]: [...(calls.length > 0 ? turns.opener(calls) : []), ...safe.items] };
  const read = wires[wire].accept(body, { endpoint: profile.endpoint, model: profile.id });
  const asGiven = asTheyCame(kept);
  if (!read.ok) return asGiven;
  const seeing = { ...workshop, intake: standIns.at(workshop.intake) };
  const decided = await decideTurn(read.value.transcript.messages, turn, seeing, signal);
  if (!decided) return asGiven;
  const { plan, items, asItCame, ...media } = decided;
  const told = {
    ...media,
    receipts: [...media.receipts, ...asGiven.receipts],
    elsewhere: [...media.elsewhere, ...asGiven.elsewhere],
    ways: [...media.ways, ...asGiven.ways],
  };
  const { skeleton } = wires[wire].encode({ ...plan, tools: [], items });
  const { assets } = workshop;
  const list = { skeleton: (skeleton as unknown as Fields)[turn.list] };
  const written = (await filled(
    list,
    async (asset) => (await standIns.of(asset.id, assets)) ?? lettersOf(asset, (id) => allAtOnce(assets, id)),
  )) as Fields[];
  const sound = asItCame && repaired === own && others.length === 0;
  if (sound && covers(turns.media(own), turns.media(written))) return told;
  return { ...told, items: [...turns.finish(safe.restore(written) as Fields[], own, calls), ...others] };
}

/** The bytes of an asset in one piece, which nobody has to put together; of one that is gone the stream says so. */
async function* allAtOnce(assets: AssetStore, id: AssetId): AsyncGenerator<Uint8Array> {
  const bytes = await assets.get(id);
  if (bytes) yield bytes;
  else yield* assets.stream(id);
}

/** Media that lie elsewhere and stay where they stand. */
function asTheyCame(kept: readonly ReferenceBlock[]): Rebuilt {
  return {
    ...untouched,
    elsewhere: kept.map(mediumId),
    ways: kept.map(({ kind, at }) => ({ kind, way: 'url' in at ? 'url' : 'file' })),
    receipts: kept.map((block) => {
      const carrier = 'url' in block.at ? 'url' : 'file';
      const why = 'it goes as it came; not checked';
      return { action: 'inside', subject: describeMedia(block), why, place: 'inside', carrier };
    }),
  };
}
