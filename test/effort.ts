// How often is tried what chance decides: seldom while a person waits for `npm test`, more often in its long form, which
// CI asks for with `SIGHTLINE_LONG=1`. A variable of its own sets one count alone.

type Variables = Readonly<Record<string, string | undefined>>;

export type Effort = {
  /** Whether nothing is left out for being slow. */
  isLong: boolean;
  /** Whether every test of a file is tried: in the long form, and wherever somebody did not ask for all files at once. */
  isWhole: boolean;
  /** Transcripts for each law and model; what is damaged at random goes by it, too. */
  runs: number;
  /** Processes that are killed. */
  kills: number;
  /** The same for programs of DBOS, which start slowly. */
  durableKills: number;
  /** Conversations among faults. */
  storms: number;
  /** Damaged pictures. */
  mutants: number;
};

/** What these variables ask for. */
export function effortOf(variables: Variables): Effort {
  const isLong = variables['SIGHTLINE_LONG'] === '1';
  const count = (name: string, short: number, long: number): number =>
    Number(variables[`SIGHTLINE_${name}`] ?? (isLong ? long : short));
  return {
    isLong,
    isWhole: isLong || variables['npm_lifecycle_event'] !== 'test',
    runs: count('RUNS', 4, 100),
    kills: count('KILLS', 10, 100),
    durableKills: count('DBOS_KILLS', 3, 8),
    storms: count('STORMS', 40, 40),
    mutants: count('MUTANTS', 100, 600),
  };
}

/** Why the short form leaves a test out. */
export const takesLong = 'it takes long (SIGHTLINE_LONG=1 runs it, as CI does)';

/** The effort of this run of the tests. */
export const effort: Effort = effortOf(process.env);
