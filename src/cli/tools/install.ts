// `sightline tools install` and `sightline tools update`: tools that were written elsewhere. Where each came from is
// remembered, so that a newer version can follow; it is tried first, and one that does not work leaves the old in place.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { remember, remembered } from '../../config/remembered.ts';
import { isRecord } from '../../content/json.ts';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { hashFile } from '../../toolbox/executable/cache.ts';
import { stem } from '../../toolbox/executable/discover.ts';
import { statsOf } from '../../toolbox/executable/place.ts';
import { installTool } from '../../toolbox/executable/shelf.ts';
import { done, failed } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { refused, tellRefusal } from '../refusal.ts';
import { busy, say, sayJson, styled, tell } from '../terminal.ts';
import { finished, namesBeside } from './found.ts';
import { freePlace, shelfOf, tellPlace } from './make.ts';

/** Where installed tools came from, by the path of each: a small table in the home. */
const table = 'installed.json';

/** `name` is what the tool calls itself; its file may be called otherwise. */
type Origin = { from: string; hash: string; name: string };

type InstallArguments = { project?: true; replace?: true; json?: true };

export async function installCommand(file: string, options: InstallArguments): Promise<ExitCode> {
  const { replace = false, json } = options;
  const from = resolve(file);
  const shelf = shelfOf(options.project);
  const target = join(shelf.folder, basename(from));
  const allowed = mayTake(from, target);
  if (!allowed.ok) return refused(allowed.refusal, json);
  const mine = originOf(target);
  const isMine = mine?.from === from && (await isAsInstalled(target, mine));
  const free = freePlace(target);
  if (!free.ok) return refused(free.refusal, json);
  const put = await place(from, target, replace || isMine);
  if (!put.ok) return refused(put.refusal, json);
  shelf.trustIfNew();
  const { name, outcome, archived } = put.value;
  return finished({ file: target, from, name, outcome }, json, () => {
    say(styled('green', outcome === 'same' ? 'Already there: ' : 'Installed '), target);
    tellPlace(shelf, archived);
    tell('Try it: sightline tools test ', name);
    tell('A newer version later: sightline tools update ', name);
  });
}

/** What became of one tool. */
type Updated = { name: string; file: string; from: string } & (
  | { outcome: 'new' | 'same'; archived?: string }
  | { outcome: 'kept'; refusal: { what: string; next: string; code: string } }
);

export async function updateCommand(
  names: readonly string[],
  { replace, json }: { replace?: true; json?: true },
): Promise<ExitCode> {
  const known = Object.entries(remembered(table)).flatMap(([file, row]) => {
    const origin = asOrigin(file, row);
    return origin && statsOf(file) ? [{ file, origin }] : [];
  });
  const missing = names.find((name) => !known.some((tool) => isNamed(tool, name)));
  if (missing !== undefined || known.length === 0) return refused(notInstalled(missing, known), json);
  const wanted = known.filter((tool) => names.length === 0 || names.some((name) => isNamed(tool, name)));
  const results: Updated[] = [];
  for (const { file, origin } of wanted) results.push(await updated(file, origin, replace === true));
  if (json) sayJson({ ok: results.every(({ outcome }) => outcome !== 'kept'), value: results });
  else for (const result of results) tellUpdated(result);
  return results.some(({ outcome }) => outcome === 'kept') ? failed : done;
}

async function updated(file: string, origin: Origin, replace: boolean): Promise<Updated> {
  const about = { name: origin.name, file, from: origin.from };
  if (!replace && !(await isAsInstalled(file, origin))) {
    const what = `${basename(file)} was changed where it lies, so it is not replaced`;
    const next = `Copy your changes to ${origin.from}, or lose them with: sightline tools update ${about.name} --replace`;
    return { ...about, outcome: 'kept', refusal: { code: 'not-allowed', what, next } };
  }
  const put = await place(origin.from, file, true);
  if (!put.ok) return { ...about, outcome: 'kept', refusal: put.refusal };
  const { archived, outcome } = put.value;
  return { ...about, outcome, ...(archived !== undefined && { archived }) };
}

function tellUpdated(result: Updated): void {
  if (result.outcome === 'same') say(styled('dim', `${result.name} is the newest version.`));
  if (result.outcome === 'new') {
    say(styled('green', 'Updated '), result.name, ' from ', result.from);
    if (result.archived !== undefined) say('  The old version is in ', result.archived);
  }
  if (result.outcome === 'kept') tellRefusal(result.refusal);
}

type Placed = { name: string; outcome: 'new' | 'same'; archived?: string };

/** Tries what lies at `from`, and puts it in its place if it works. */
async function place(from: string, target: string, replace: boolean): Promise<Read<Placed>> {
  const kept = statsOf(target) ? ' The version that is installed stays.' : '';
  if (!statsOf(from)?.isFile()) return refuse('not-found', `There is no file ${from}`, `Check the path.${kept}`);
  const code = readFileSync(from);
  const hash = createHash('sha256').update(code).digest('hex');
  if (statsOf(target) && (await hashFile(target)) === hash) {
    const name = originOf(target)?.name ?? stem(target);
    remember(table, target, { from, hash, name });
    return { ok: true, value: { name, outcome: 'same' } };
  }
  const asking = { cwd: process.cwd(), environment: process.env };
  const trial = installTool({ file: target, code, replace, beside: await namesBeside(target) }, asking);
  const put = await busy(`trying ${basename(target)}`, trial);
  if (!put.ok) return put;
  const { specs, archived } = put.value;
  const name = specs[0]?.name ?? stem(target);
  remember(table, target, { from, hash, name });
  return { ok: true, value: { name, outcome: 'new', ...(archived !== undefined && { archived }) } };
}

function mayTake(from: string, target: string): Read<undefined> {
  if (from === target)
    return refuse('not-allowed', `${from} is in the tools folder already`, 'Try it: sightline tools list');
  if (/^[._]/.test(basename(from)))
    return refuse(
      'unsupported',
      `${basename(from)} would be no tool: . and _ hide a file there`,
      'Give it another name.',
    );
  return { ok: true, value: undefined };
}

/** Whether nobody has changed an installed file since. */
async function isAsInstalled(file: string, { hash }: Origin): Promise<boolean> {
  return statsOf(file) !== undefined && (await hashFile(file)) === hash;
}

function originOf(file: string): Origin | undefined {
  return asOrigin(file, remembered(table)[file]);
}

function asOrigin(file: string, row: unknown): Origin | undefined {
  if (!isRecord(row)) return undefined;
  const { from, hash, name } = row;
  if (typeof from !== 'string' || typeof hash !== 'string') return undefined;
  return { from, hash, name: typeof name === 'string' ? name : stem(file) };
}

type Installed = { file: string; origin: Origin };

function isNamed({ file, origin }: Installed, name: string): boolean {
  return [origin.name, stem(file), basename(file)].includes(name);
}

function notInstalled(
  name: string | undefined,
  known: readonly Installed[],
): { code: string; what: string; next: string } {
  const what = name === undefined ? 'No tool was installed from a file' : `No tool "${name}" was installed from a file`;
  const names = known.map(({ origin }) => origin.name).join(', ');
  const next = names === '' ? 'Install one: sightline tools install FILE' : `These were: ${names}.`;
  return { code: 'not-found', what, next };
}
