// Where media are checked and made. On Node that is the whole media stage, loaded with the first medium. Where it cannot
// be loaded, as on an edge worker, media are told by their first bytes and only their place is repaired.
import type { AssetStore } from '../content/asset-store.ts';
import type { Intake } from '../content/intake.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import { edgeWorkshop } from './edge.ts';

export type Planned = Extract<PlanResult, { plan: object }>;

export type Workshop = {
  intake: Intake;
  assets: AssetStore;
  plan: (input: PlanInput, signal: AbortSignal | undefined) => Promise<Planned>;
  readPictures: boolean;
};

/** Opens the workshop. `assets` is where media are kept; by default in bounded memory. */
export async function openWorkshop(assets: AssetStore | undefined): Promise<Workshop> {
  const node = await Promise.all([
    import('../asset/memory.ts'),
    import('../media/index.ts'),
    import('../model/renditions.ts'),
  ]).catch(() => undefined);
  if (!node) return edgeWorkshop(assets);
  const [{ sharedAssets }, { canReadPictures, openIntake }, { planWithFacts }] = node;
  const store = assets ?? sharedAssets();
  // Whoever wrote the request must not choose what is opened here.
  const intake = openIntake({ assets: store, roots: [] });
  return {
    intake,
    assets: store,
    readPictures: canReadPictures(),
    plan: (input, signal) => planWithFacts(input, store, intake, signal),
  };
}
