// What is changed about a request that was refused.
import type { AssetId } from '../../content/block.ts';
import type { Budget, Limits } from '../../window/budget.ts';
import type { ProfileOverrides } from '../../window/profile.ts';
import type { Found } from './bisect.ts';

export type Repair = {
  /** One sentence for the person. */
  why: string;
  /** Which trouble this answers: the same one is not answered again. */
  cause: string;
  lower?: ReadonlySet<AssetId>;
  /** How the media to lower were chosen among several. */
  found?: Found;
  dropThinking?: number | true;
  dropUnbound?: boolean;
  /** What the next try may weigh, and what all later requests may. */
  budget?: Budget;
  limits?: Limits;
  /** What the complaint taught about the model. */
  profile?: ProfileOverrides;
};

/** Those of the turn so far. */
export type Repairs = readonly Repair[];

/** What helps to choose a repair. */
export type Remedy = {
  /** What a search among the suspects came to. */
  found?: Found | undefined;
  /** Whoever sends the repaired request sends its headers as well; some repairs need one. */
  headers?: boolean;
};
