// One turn of a request → what goes out instead of it, or the word that it is good as it is. Its media are taken
// through the intake, placed by the planner as for any other conversation, and written by the wire.
import { inline } from '../wire/body.ts';
import type { Fields } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import { covers } from '../wire/same-content.ts';
import type { Call } from '../wire/turns.ts';
import { decideTurn } from './decide-turn.ts';
import type { TurnMedia, TurnRules } from './decide-turn.ts';
import { protect } from './turns.ts';
import type { Workshop } from './workshop.ts';

type GivenTurn = TurnRules & { items: readonly Fields[]; calls: readonly Call[]; list: string };

/** `items` is what goes out; undefined when the original does. */
export type Rebuilt = TurnMedia & { items?: Fields[] };

const untouched: Rebuilt = { receipts: [], media: [], images: 0, tokens: 0, derived: false };

export async function rebuild(turn: GivenTurn, workshop: Workshop, signal?: AbortSignal): Promise<Rebuilt> {
  const { calls, profile } = turn;
  const { wire } = profile;
  const { turns } = wires[wire];
  const own = turn.items.filter((item) => turns.role(item) !== 'other');
  const others = turn.items.filter((item) => turns.role(item) === 'other');
  const repaired = turns.repair(own, calls);
  const safe = protect(repaired, wire);
  const body = { model: profile.id, [turn.list]: [...(calls.length > 0 ? turns.opener(calls) : []), ...safe.items] };
  const read = wires[wire].accept(body, { endpoint: profile.endpoint, model: profile.id });
  if (!read.ok) return untouched;
  const decided = await decideTurn(read.value.transcript.messages, turn, workshop, signal);
  if (!decided) return untouched;
  const { plan, items, asItCame, ...told } = decided;
  const { skeleton } = wires[wire].encode({ ...plan, tools: [], items });
  const written = (await inline({ skeleton: (skeleton as unknown as Fields)[turn.list] }, (id) =>
    workshop.assets.stream(id),
  )) as Fields[];
  const sound = asItCame && repaired === own && others.length === 0;
  if (sound && covers(turns.media(own), turns.media(written))) return told;
  return { ...told, items: [...turns.finish(safe.restore(written) as Fields[], own, calls), ...others] };
}
