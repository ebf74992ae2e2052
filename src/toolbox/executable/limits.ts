// Every ceiling of executable tools in one record.

type ExecutableLimits = {
  /** time for a call whose spec says nothing, and the most that a spec may ask for */
  callMs: number;
  mostMs: number;
  /** time to print the spec; the first `uv run` installs what the tool depends on */
  specMs: number;
  firstRunMs: number;
  /** how long a file that gave no spec in time is not asked again */
  restMs: number;
  /** time for `--authorize`, without a person and with one */
  authorizeMs: number;
  personMs: number;
  /** between SIGTERM and SIGKILL */
  graceMs: number;
  /** what a call may print: a picture of 20 MiB is 28 MiB of base64 */
  outputBytes: number;
  /** what `--toolspec` may print */
  specBytes: number;
  /** how much of the end of stderr is kept */
  errorBytes: number;
  /** specs that one file may print */
  specsPerFile: number;
  /** files asked for their specs side by side */
  parallel: number;
  /** one argument on a command line, as Linux bounds it */
  argumentBytes: number;
};

const mebibyte = 1024 * 1024;

export const limits: Readonly<ExecutableLimits> = {
  callMs: 60_000,
  mostMs: 600_000,
  specMs: 20_000,
  firstRunMs: 180_000,
  restMs: 600_000,
  authorizeMs: 30_000,
  personMs: 300_000,
  graceMs: 1000,
  outputBytes: 32 * mebibyte,
  specBytes: mebibyte,
  errorBytes: 64 * 1024,
  specsPerFile: 100,
  parallel: 6,
  argumentBytes: 128 * 1024 - 1,
};
