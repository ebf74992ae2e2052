// The folders in which tools lie, the nearest first: of a project that is trusted, of the user, of Silica. Trust is
// given to a project's folder and kept in the home, where no project can write it.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ownEnvironment } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import { writePrivately } from '../../config/system.ts';
import { personFolder } from '../../config/home.ts';

/** Where a tool comes from; `path` is a file that a person named. */
export type ToolSource = 'project' | 'home' | 'silica' | 'path';

export type ToolPlace = { source: ToolSource; folder: string; trusted: boolean };

/** Where Silica keeps its tools. */
export function silicaFolder(environment: Environment = ownEnvironment()): string {
  return resolve(environment['SILICA_TOOLS_DIR'] || join(personFolder(), '.silica', 'tools'));
}

/** The folder with tools that work in `folder` belongs to: its own, or the nearest one above it in the repository. */
export function projectOf(folder: string, home: string): string | undefined {
  return foldersAbove(folder).find(
    (at) => isFolder(projectTools(at)) && realPath(join(at, '.sightline')) !== realPath(home),
  );
}

/** The folder and those above it in its repository: where the tools of its project may lie, the nearest first. */
export function foldersAbove(folder: string): string[] {
  const line: string[] = [];
  for (let at = realPath(folder); ; at = dirname(at)) {
    line.push(at);
    if (statsOf(join(at, '.git')) || dirname(at) === at) return line;
  }
}

export function projectTools(project: string): string {
  return join(project, '.sightline', 'tools');
}

/** The places that exist, the nearest first. */
export function placesOf(options: { home: string; silica: string; project?: string | undefined }): ToolPlace[] {
  const { home, silica, project } = options;
  const found: ToolPlace[] = [
    ...(project === undefined ? [] : [placeOf('project', projectTools(project), isTrusted(home, project))]),
    placeOf('home', join(home, 'tools'), true),
    placeOf('silica', silica, true),
  ];
  return found.filter(({ folder }) => isFolder(folder));
}

function placeOf(source: ToolSource, folder: string, trusted: boolean): ToolPlace {
  return { source, folder, trusted };
}

/** The list of trusted projects. */
export function trustFile(home: string): string {
  return join(home, 'trusted.json');
}

/** The projects whose tools may run. */
function trustedProjects(home: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(trustFile(home), 'utf8'));
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  } catch {
    return []; // nothing was trusted yet; a damaged file trusts nobody
  }
}

export function isTrusted(home: string, project: string): boolean {
  return trustedProjects(home).includes(realPath(project));
}

/** Gives or takes trust. Throws when the home cannot be written. */
export function setTrust(home: string, project: string, trusted: boolean): void {
  const path = realPath(project);
  const others = trustedProjects(home).filter((one) => one !== path);
  writePrivately(trustFile(home), `${JSON.stringify(trusted ? [...others, path] : others, null, 2)}\n`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** What the file system says about a path; nothing when it is not there for us. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // it may not be looked at
  }
}
