// Where media are checked and made. On Node that is the whole media stage, loaded with the first medium. Elsewhere, as on
// an edge worker, it is bare: media are told by their first bytes and only their place is repaired.
import type { AssetStore } from '../content/asset-store.ts';
import { headerIntake } from '../content/header-intake.ts';
import type { Intake } from '../content/intake.ts';
import { memoryAssets } from '../content/memory-assets.ts';
import type { UrlRules } from '../media/remote/address.ts';
import type { DescriptionTable } from '../model/descriptions.ts';
import type { Eyes } from '../model/prepared.ts';
import type { Spent } from '../tool/tool.ts';
import { planAsIs } from '../window/plan-as-is.ts';
import type { Planned } from '../window/plan-as-is.ts';
import type { SightPolicy } from '../window/sight-policy.ts';
import type { PlanInput } from '../window/plan.ts';

export type Workshop = {
  intake: Intake;
  assets: AssetStore;
  plan: (input: PlanInput, signal: AbortSignal | undefined, spent: (spent: Spent) => void) => Promise<Planned>;
  readPictures: boolean;
  /** How pictures with writing go. */
  policy?: SightPolicy;
  /** The caller has said that the model cannot see. */
  isBlind?: boolean;
};

/** Opens a workshop. `assets` is where media are kept; by default in bounded memory. */
export type OpenWorkshop = (
  assets: AssetStore | undefined,
  sight?: SightForBlind,
  /** Where media may be fetched from; nowhere where it is left out. */
  fetchRules?: UrlRules,
  /** The text of the first request. */
  first?: string,
) => Promise<Workshop>;

/** Who describes pictures for models that cannot see, and where that is kept. */
export type SightForBlind = { eyes: Eyes; descriptions?: DescriptionTable | undefined };

const maxBytes = 64 * 1024 * 1024;

/** Nothing is decoded here, and nothing can be made of media. Web standards only. */
export async function bareWorkshop(given: AssetStore | undefined): Promise<Workshop> {
  const assets = given ?? memoryAssets({ maxBytes });
  return { intake: headerIntake({ assets }), assets, readPictures: false, plan: async (input) => planAsIs(input) };
}
