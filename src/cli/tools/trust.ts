// `sightline tools trust`: the tools of a project, and the MCP servers its sightline.toml asks for, may run, from now on,
// on the word of the person.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isTrusted, projectOf, projectTools, setTrust } from '../../toolbox/executable/place.ts';
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
  const start = resolve(folder ?? '.');
  const isKnown = isTrusted(home, start) || existsSync(join(start, 'sightline.toml'));
  const project = projectOf(start, home) ?? (isKnown ? start : undefined);
  if (project === undefined) {
    const what =
      'There is no sightline.toml in this folder, and no .sightline/tools in it or above it in the repository';
    return refused({ code: 'not-found', what, next: 'Make a tool there: sightline tools new NAME --project' }, json);
  }
  setTrust(home, project, !remove);
  const hasTools = !remove && existsSync(projectTools(project));
  const files = hasTools ? readdirSync(projectTools(project)).filter((name) => !/^[._]/.test(name)) : [];
  return finished({ project, trusted: !remove, files }, json, () => {
    say(remove ? 'No longer trusted: ' : styled('green', 'Trusted: '), project);
    for (const file of files) say(`  ${file}`);
  });
}
