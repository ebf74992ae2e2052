// Executables as tools: the files in the tools folders in, tools that any loop or server can call out.
import { dirname, join, resolve } from 'node:path';
import { ownEnvironment } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import type { ToolSettings } from '../../config/tools.ts';
import { isRecord } from '../../content/json.ts';
import { checkJsonSchema, withoutNulls } from '../../tool/schema.ts';
import type { Checked } from '../../tool/schema.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { answerOf } from './answer.ts';
import { openCache } from './cache.ts';
import { commandFor } from './command.ts';
import type { ToolState } from './discover.ts';
import { statesIn } from './discover.ts';
import { flagsOf } from './flags.ts';
import { renewLink } from './helpers.ts';
import { limits } from './limits.ts';
import { placesOf, projectOf, silicaFolder } from './place.ts';
import { homeFolder } from '../../config/home.ts';
import type { ToolPlace } from './place.ts';
import { runProcess } from './process.ts';
import type { ExecutableSpec } from './spec.ts';
import { surroundingsOf } from './surroundings.ts';
import { watchPlaces } from './watch.ts';

/** Where executables are looked for, and how they run. */
export type ExecutableOptions = {
  /** Where the user's tools, the cache and the list of trusted projects lie; `~/.sightline` when left out. */
  home?: string;
  /** A folder in which work is done: the tools of its project count when that project is trusted. */
  project?: string;
  /** Silica's tools; `~/.silica/tools` when left out. */
  silica?: string;
  /** Where tools run; the working directory when left out. Files they name must lie below it. */
  cwd?: string;
  environment?: Environment;
  /** What the user says about tools by name: which are switched off, and which variables of the environment they get. */
  settings?: Readonly<Record<string, ToolSettings>>;
  /** Asks every file for its spec again, changed or not. */
  refresh?: boolean;
  signal?: AbortSignal;
};

/** The tools that can be called, and how every file stands. */
export type Executables = { tools: Tool[]; states: ToolState[] };

/** Finds the tools and says how each file stands. Never throws for what is wrong with a tool. */
export async function executableTools(options: ExecutableOptions = {}): Promise<Executables> {
  const { settings = {}, refresh = false, signal } = options;
  const { home, cwd, environment, places } = whereOf(options);
  renewLink(join(home, 'tools'));
  const asking = { cache: openCache(home), cwd, environment, settings, refresh, ...(signal && { signal }) };
  const states = await statesIn(places, asking);
  const tools = states.flatMap(({ state, file, spec }) =>
    state === 'ready' && spec
      ? [toolOf(file, spec, { cwd, environment, granted: settings[spec.name]?.env ?? [] })]
      : [],
  );
  return { tools, states };
}

/**
 * Calls back when a tool, a folder of tools or the trust in a project came, went or changed; then `executableTools` gives
 * the new list.
 */
export function watchExecutables(options: ExecutableOptions, changed: () => void): { close: () => void } {
  const { home, silica } = whereOf(options);
  return watchPlaces({ home, silica, folder: options.project }, changed);
}

type Where = { home: string; silica: string; cwd: string; environment: Environment; places: ToolPlace[] };

function whereOf(options: ExecutableOptions): Where {
  const { cwd = process.cwd() } = options;
  const environment = options.environment ?? ownEnvironment();
  const home = resolve(options.home ?? homeFolder(environment));
  const project = options.project === undefined ? undefined : projectOf(options.project, home);
  const silica = options.silica ?? silicaFolder(environment);
  return { home, silica, cwd, environment, places: placesOf({ home, silica, project }) };
}

type Surroundings = { cwd: string; environment: Environment; granted: readonly string[] };

/** One spec of one file as a tool. */
export function toolOf(file: string, spec: ExecutableSpec, surroundings: Surroundings): Tool {
  const { name, description, inputSchema, concurrency } = spec;
  return {
    name,
    description,
    inputSchema,
    ...(concurrency !== undefined && { concurrency }),
    check: (input) => Promise.resolve(checkInput(input, spec)),
    run: (input, context) => call(file, spec, input, surroundings, context),
  };
}

/** The arguments against the schema; a flag that the tool does not know is refused here, where a model is told so. */
function checkInput(input: unknown, { input: channel, inputSchema }: ExecutableSpec): Checked {
  const given = withoutNulls(inputSchema, input);
  const schema = channel === 'flags' ? { ...inputSchema, additionalProperties: false } : inputSchema;
  return checkJsonSchema(schema, given);
}

async function call(
  file: string,
  spec: ExecutableSpec,
  input: unknown,
  { cwd, environment, granted }: Surroundings,
  { intake, signal, progress }: ToolContext,
): Promise<unknown> {
  const env = surroundingsOf(environment, granted);
  const started = commandFor(file, env['PATH'] ?? '');
  if (!started.ok) return started;
  const fields = isRecord(input) ? input : {};
  const flags = spec.input === 'flags' ? flagsOf(fields, spec.inputSchema) : { ok: true as const, value: [] };
  if (!flags.ok) return flags;
  const { command } = started.value;
  const words = [...command.words, ...(spec.subcommand === undefined ? [] : [spec.subcommand]), ...flags.value];
  const timeoutMs = Math.min(spec.seconds === undefined ? limits.callMs : spec.seconds * 1000, limits.mostMs);
  const bounds = { name: spec.name, timeoutMs, outputBytes: limits.outputBytes };
  const ran = await runProcess(
    { file: command.file, words },
    {
      ...limits,
      ...bounds,
      cwd,
      env,
      signal,
      onLine: progress,
      ...(spec.input === 'json' && { stdin: JSON.stringify(fields) }),
    },
  );
  return await answerOf(ran, {
    ...bounds,
    folder: dirname(file),
    intake: intake.at({ base: cwd, roots: [cwd], signal }),
  });
}
