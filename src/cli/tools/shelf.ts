// `sightline tools archive` and `sightline tools restore`.
import { join } from 'node:path';
import { projectOf, projectTools } from '../../toolbox/executable/place.ts';
import { homeFolder } from '../../config/home.ts';
import { archiveTool, restoreTool } from '../../toolbox/executable/shelf.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { say } from '../terminal.ts';
import { findTool, finished } from './found.ts';

export async function archiveCommand(name: string, { json }: { json?: true }): Promise<ExitCode> {
  const found = await findTool(name);
  if (!found.ok) return refused(found.refusal, json);
  const { file } = found.value.state;
  const archived = archiveTool(file);
  return finished({ file, archived }, json, () => say('Moved to ', archived));
}

export async function restoreCommand(
  name: string,
  { project: inProject, json }: { project?: true; json?: true },
): Promise<ExitCode> {
  const home = homeFolder();
  const project = inProject ? (projectOf(process.cwd(), home) ?? process.cwd()) : undefined;
  const restored = restoreTool(project === undefined ? join(home, 'tools') : projectTools(project), name);
  if (!restored.ok) return refused(restored.refusal, json);
  return finished({ file: restored.value }, json, () => say('Back in ', restored.value));
}
