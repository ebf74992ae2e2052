// `sightline doctor --install <part>`: brings a library that not every installation has into the person's home, with the
// versions and checksums that this package was made with. npm does it; no script of a package is run.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../config/package.ts';
import { hasPart, parts, partsFolder } from '../../config/parts.ts';
import type { PartName } from '../../config/parts.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { refused } from '../refusal.ts';
import { busy, say, sayJson, styled } from '../terminal.ts';
import { makeFolder } from '../../config/make-folder.ts';

type Brought = { part: PartName; folder: string; brought: boolean };

export async function installPart(part: PartName, { json }: { json?: true }): Promise<ExitCode> {
  const result = await busy(`bringing ${part}, ${parts[part].megabytes} MB`, bring(part));
  if (!result.ok) return refused(result.refusal, json);
  if (json) sayJson(result.value);
  else say(styled('green', '✓ '), saysOf(result.value));
  return done;
}

function saysOf({ part, folder, brought }: Brought): string {
  return brought ? `${part} is in ${folder}: ${parts[part].gives}` : `${part} is here already: ${parts[part].gives}`;
}

/** Everything goes into a folder beside its place, and there in one move: a part is whole, or it is not there. */
async function bring(part: PartName): Promise<Read<Brought>> {
  const [from, folder] = [join(packageFolder, 'parts', part), join(partsFolder(), part)];
  if (hasPart(part) && isSame(from, folder)) return { ok: true, value: { part, folder, brought: false } };
  const beside = `${folder}.${process.pid}`;
  try {
    makeFolder(beside);
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(from, file), join(beside, file));
    const problem = await runNpm(beside);
    if (problem !== undefined) return problem;
    rmSync(folder, { recursive: true, force: true });
    renameSync(beside, folder);
    return { ok: true, value: { part, folder, brought: true } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse('not-allowed', `${folder} cannot be written: ${why}`, 'Change its rights, or set SIGHTLINE_HOME.');
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** What lies beside Sightline is left alone; what lies in the home is brought anew when its versions have changed. */
function isSame(from: string, folder: string): boolean {
  try {
    return lockIn(from) === lockIn(folder);
  } catch {
    return true;
  }
}

const lockIn = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');

const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

function runNpm(cwd: string): Promise<{ ok: false; refusal: Refusal } | undefined> {
  const windows = process.platform === 'win32';
  return new Promise((resolve) => {
    const child = spawn(windows ? 'npm.cmd' : 'npm', npm, { cwd, shell: windows, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4000)));
    child.on('error', () =>
      resolve(refuse('not-found', 'npm is not here', 'Install Node.js with npm from nodejs.org, and try again.')),
    );
    child.on('close', (code) => {
      if (code === 0) return resolve(undefined);
      const why = said.split('\n').find((line) => /npm (?:error|ERR!)/.test(line)) ?? `npm ended with ${code}`;
      resolve(refuse('not-found', `npm could not bring it: ${why.replace(/^npm (?:error|ERR!) /, '')}`, next));
    });
  });
}

const next = 'Is the registry of npm reachable from here? npm ping says so. Then try again: nothing is left half done.';
