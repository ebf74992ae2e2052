// The words of healing: what a search among suspects found, and what is changed about a refused request.
import type { MediumId } from '../../content/block.ts';
import type { Budget, LearnedLimits } from '../../window/budget.ts';
import type { ProfileOverrides } from '../../window/profile.ts';

/** What the search found. */
export type Narrowed = {
  /** Those that may still be to blame; one, when the search came to its end. */
  guilty: readonly MediumId[];
  /** Those that the provider took. */
  cleared: ReadonlySet<MediumId>;
  /** One of the small requests was refused as well: the trouble does lie in the media themselves. */
  sure: boolean;
  suspects: number;
  probes: number;
};

/** What is changed about a request that was refused. */
export type Repair = {
  /** One sentence for the person. */
  why: string;
  lower?: ReadonlySet<MediumId>;
  /** How the media to lower were chosen among several. */
  found?: Narrowed;
  dropThinking?: number | true;
  dropUnbound?: boolean;
  /** Ids of uploads of which the provider does not know one, and its words: what it stands for is uploaded again. */
  forget?: { files: readonly string[]; complaint: string };
  /** Nothing goes by an id of ours in this turn. */
  inline?: true;
  /** What the next try may weigh, and what all later requests may. */
  budget?: Budget;
  limits?: LearnedLimits;
  /** What the complaint taught about the model. */
  profile?: ProfileOverrides;
};

/** Those of the turn so far. */
export type Repairs = readonly Repair[];

/** What helps to choose a repair. */
export type Remedy = {
  /** What a search among the suspects came to. */
  found?: Narrowed | undefined;
  /** Whoever sends the repaired request sends its headers as well; some repairs need one. */
  headers?: boolean;
};
