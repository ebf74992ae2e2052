// `sightline tools trust`: the tools of a project, and the MCP servers that the sightline.toml of this folder asks for,
// may run, from now on, on the word of the person.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foldersAbove, isTrusted, projectOf, projectTools, setTrust } from '../../toolbox/executable/place.ts';
import { homeFolder } from '../../config/home.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { say, styled } from '../terminal.ts';
import { finished } from './found.ts';

export async function trustCommand(
  folder: string | undefined,
  { remove, json }: { remove?: true; json?: true },
): Promise<ExitCode> {
  const home = homeFolder();
  const folders = foldersMeant(resolve(folder ?? '.'), home);
  const project = folders.at(-1);
  if (project === undefined) {
    const what =
      'There is no sightline.toml in this folder, and no .sightline/tools in it or above it in the repository';
    return refused({ code: 'not-found', what, next: 'Make a tool there: sightline tools new NAME --project' }, json);
  }
  for (const one of folders) setTrust(home, one, !remove);
  const hasTools = !remove && existsSync(projectTools(project));
  const files = hasTools ? readdirSync(projectTools(project)).filter((name) => !/^[._]/.test(name)) : [];
  return finished({ project, folders, trusted: !remove, files }, json, () => {
    for (const one of folders) say(remove ? 'No longer trusted: ' : styled('green', 'Trusted: '), one);
    for (const file of files) say(`  ${file}`);
  });
}

/** Servers are asked for by the folder itself; tools lie in it, or in one above it, which comes last. */
function foldersMeant(start: string, home: string): string[] {
  const own = foldersAbove(start)
    .slice(0, 1)
    .filter((at) => isTrusted(home, at) || existsSync(join(at, 'sightline.toml')));
  const project = projectOf(start, home);
  return [...new Set(project === undefined ? own : [...own, project])];
}
