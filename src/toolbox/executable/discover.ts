// Folders → the tools in them and the state of each file. Files are asked for their specs side by side; a file that has
// not changed since it was last asked starts no process.
import { readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { ToolSettings } from '../../config/tools.ts';
import { failureOf } from './answer.ts';
import { hashFile, stampOf } from './cache.ts';
import type { KnownSpec, SpecCache, SpecTrouble } from './cache.ts';
import { commandFor, findProgram, hasRunner, isScript } from './command.ts';
import { lastJson } from './json-in-text.ts';
import { limits } from './limits.ts';
import { metadataOf } from './metadata.ts';
import type { ToolPlace, ToolSource } from './place.ts';
import { statsOf } from './place.ts';
import { runProcess } from './process.ts';
import type { Ran } from './process.ts';
import { parseSpecs } from './spec.ts';
import type { ExecutableSpec } from './spec.ts';
import { surroundingsOf } from './surroundings.ts';
import type { Environment } from '../../config/environment.ts';

/** How one tool of an executable stands. */
export type ToolState = {
  /** The name of the tool, or of its file when no spec is known. */
  name: string;
  file: string;
  source: ToolSource;
  state: 'ready' | 'needs-auth' | 'invalid' | 'failing' | 'untrusted' | 'shadowed' | 'off';
  /** What is wrong, what to do about it, and when it is asked again if nobody does anything. */
  why?: string;
  next?: string;
  until?: number;
  spec?: ExecutableSpec;
};

export type Asking = {
  cache: SpecCache;
  cwd: string;
  environment: Environment;
  settings: Readonly<Record<string, ToolSettings>>;
  /** Asks every file anew. */
  refresh: boolean;
  signal?: AbortSignal;
};

/** The state of every tool in these places, the nearest place first, then by name. */
export async function statesIn(places: readonly ToolPlace[], asking: Asking): Promise<ToolState[]> {
  const files = places.flatMap((place) => toolFilesIn(place.folder).map((one) => ({ ...one, place })));
  const states = await sideBySide(files, ({ file, stats, place }) => statesOf(file, stats, place, asking));
  asking.cache.save();
  return withoutDoubles(states.flat()).map((state) =>
    state.state === 'ready' && asking.settings[state.name]?.enabled === false
      ? { ...state, state: 'off', why: 'it is switched off in the settings' }
      : state,
  );
}

/** Files that mean to be tools. Names that begin with `.` or `_`, modules for tools, and plain data do not. */
export function toolFilesIn(folder: string): { file: string; stats: Stats }[] {
  const isNone = /^[._]|^sightline_tool\.py$|\.d\.ts$/;
  return namesIn(folder)
    .filter((name) => !isNone.test(name) && !data.has(extname(name)))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name);
      const stats = statsOf(file);
      const isTool = stats?.isFile() && (hasRunner(file) || (stats.mode & 0o111) !== 0 || isScript(file));
      return stats && isTool ? [{ file, stats }] : [];
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has just gone, or is not ours to read
  }
}

const data = new Set('.md .txt .json .toml .yaml .yml .lock .csv .log .pyc .map'.split(' '));

async function statesOf(
  file: string,
  stats: Stats,
  { source, trusted }: ToolPlace,
  asking: Asking,
): Promise<ToolState[]> {
  const about = { name: stem(file), file, source };
  if (!trusted) {
    const why = 'the project is not trusted';
    return [{ ...about, state: 'untrusted', why, next: 'Look at its tools, then run: sightline tools trust' }];
  }
  const asked = await specsOf(file, stats, asking);
  if ('state' in asked) return [{ ...about, ...asked }];
  const states = asked.specs.map((spec): ToolState => ({ ...about, name: spec.name, state: 'ready', spec }));
  if (asked.authorised || !asked.specs.some((spec) => spec.needsAuth)) return states;
  const refused = await authorise(file, asked, asking);
  if (refused === undefined) return states;
  return states.map((state) =>
    state.spec?.needsAuth
      ? { ...state, state: 'needs-auth', why: refused, next: `Run: sightline tools auth ${state.name}` }
      : state,
  );
}

async function specsOf(file: string, stats: Stats, asking: Asking): Promise<KnownSpec | SpecTrouble> {
  const { cache, refresh } = asking;
  const stamp = stampOf(stats);
  const found = refresh ? undefined : cache.get(file);
  const known = found?.trouble && Date.now() >= (found.trouble.until ?? 0) ? undefined : found;
  if (known?.stamp === stamp) return known.trouble ?? known;
  const hash = await hashFile(file).catch(() => undefined);
  if (hash === undefined) return { state: 'failing', why: 'its file cannot be read' };
  const asked = known?.hash === hash && !known.trouble ? known : await askSpecs(file, asking);
  if ('state' in asked) {
    if (asked.until === undefined) cache.delete(file);
    else cache.set(file, { stamp, hash, specs: [], trouble: asked });
    return asked;
  }
  const learnt = { ...asked, stamp, hash };
  cache.set(file, learnt);
  return learnt;
}

/** Asks a file what it is. */
export async function askSpecs(
  file: string,
  asking: Pick<Asking, 'cwd' | 'environment' | 'signal'>,
): Promise<{ specs: ExecutableSpec[] } | SpecTrouble> {
  const ran = await ask(file, ['--toolspec'], surroundingsOf(asking.environment), asking, limits.specMs);
  if ('state' in ran) return ran;
  const specs = parseSpecs(ran.stdout.toString('utf8'), metadataOf(file));
  if (specs.ok)
    return { specs: specs.specs.length > 1 ? specs.specs.map((spec) => withCommand(spec, file)) : specs.specs };
  return { state: 'invalid', why: specs.faults.join('; '), next: 'Correct what --toolspec prints.' };
}

/** A tool of a file with several is called by its name, without the name of the file before it. */
function withCommand(spec: ExecutableSpec, file: string): ExecutableSpec {
  const { name, subcommand } = spec;
  const before = `${stem(file)}_`;
  return { ...spec, subcommand: subcommand ?? (name.startsWith(before) ? name.slice(before.length) : name) };
}

/** What a tool prints when asked about itself, or the trouble it has. */
async function ask(
  file: string,
  words: readonly string[],
  env: Record<string, string>,
  { cwd, signal }: Pick<Asking, 'cwd' | 'signal'>,
  timeoutMs: number,
): Promise<Ran | SpecTrouble> {
  const started = commandFor(file, env['PATH'] ?? '');
  if (!started.ok) return { state: 'failing', why: started.refusal.what, next: started.refusal.next };
  const { command, installs } = started.value;
  const bounds = { timeoutMs: installs ? limits.firstRunMs : timeoutMs, outputBytes: limits.specBytes };
  const ran = await runProcess(
    { file: command.file, words: [...command.words, ...words] },
    { ...limits, ...bounds, cwd, env, ...(signal && { signal }) },
  );
  if (ran.end.type === 'timed-out') return late(words, bounds.timeoutMs);
  const failure = failureOf(ran.end, { ...bounds, name: basename(file) });
  if (failure === undefined) return ran;
  const told = refusedBy(ran.stdout.toString('utf8'));
  if (told) return { state: 'failing', why: told, ...hint(file, ran, env) };
  const lines = ran.stderr.trim().split('\n');
  const last = lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? '';
  return { state: 'failing', why: `${words.join(' ')}: ${failure}${last && ` ${last}`}`, ...hint(file, ran, env) };
}

function late(words: readonly string[], ms: number): SpecTrouble {
  const why = `it did not answer ${words.join(' ')} within ${ms / 1000} s`;
  const next = 'Let it answer at once, or take it away. "sightline tools list --refresh" asks it again now.';
  return { state: 'failing', why, next, until: Date.now() + limits.restMs };
}

/** What helps a script that misses a module. */
function hint(file: string, { stderr }: Ran, env: Record<string, string>): { next?: string } {
  const missing = /No module named '([\w.]+)'/.exec(stderr)?.[1];
  if (missing === undefined) return { next: `Run it by hand: ${file} --toolspec` };
  const uv =
    findProgram('uv', env['PATH'] ?? '') === undefined ? 'Install uv, which gets what a script asks for, or i' : 'I';
  return { next: `${uv}nstall the module ${missing} for python3.` };
}

/** Asks a tool whether it may work; what it says when it may not. */
async function authorise(file: string, known: KnownSpec, asking: Asking): Promise<string | undefined> {
  if (known.silent && Date.now() < known.silent.until) return known.silent.why;
  const granted = known.specs.flatMap(({ name }) => asking.settings[name]?.env ?? []);
  const env = surroundingsOf(asking.environment, granted);
  const ran = await ask(file, ['--authorize'], env, asking, limits.authorizeMs);
  if ('state' in ran && ran.until !== undefined)
    asking.cache.set(file, { ...known, silent: { why: ran.why, until: ran.until } });
  const refused = 'state' in ran ? ran.why : refusedBy(ran.stdout.toString('utf8'));
  if (refused === undefined) asking.cache.set(file, { ...known, authorised: true });
  return refused === '' ? 'it needs authorisation' : refused;
}

/** Why a tool says no, which may be without words. Exit code 0 without words is a yes; JSON may say no all the same. */
function refusedBy(output: string): string | undefined {
  const said = lastJson(output)?.value as { success?: unknown; message?: unknown; error?: unknown } | undefined;
  if (said?.success !== false) return undefined;
  return [said.message, said.error].find((words) => typeof words === 'string') ?? '';
}

/** The nearest tool of a name is the one that is offered. */
function withoutDoubles(states: readonly ToolState[]): ToolState[] {
  const taken = new Map<string, ToolState>();
  return states.map((state) => {
    if (!state.spec) return state;
    const first = taken.get(state.name);
    if (!first) taken.set(state.name, state);
    if (!first || first.file === state.file) return state;
    if (first.source === state.source) {
      const why = takenBy(state.name, first.file);
      return { ...state, state: 'invalid', why, next: 'Give it another name.' };
    }
    return { ...state, state: 'shadowed', why: `the ${first.source} has a tool of the same name` };
  });
}

export function takenBy(name: string, file: string): string {
  return `the name "${name}" is taken by ${basename(file)}`;
}

export function stem(file: string): string {
  return basename(file, extname(file));
}

async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: limits.parallel }, worker));
  return results;
}
