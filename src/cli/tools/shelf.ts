// `sightline tools archive` and `sightline tools restore`.
import { basename, join, resolve } from 'node:path';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import type { ToolState } from '../../toolbox/executable/discover.ts';
import { projectOf, projectTools } from '../../toolbox/executable/place.ts';
import { homeFolder } from '../../config/home.ts';
import { archiveTool, restoreTool } from '../../toolbox/executable/shelf.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { say } from '../terminal.ts';
import { findTool, finished, toolsHere } from './found.ts';

export async function archiveCommand(name: string, { json }: { json?: true }): Promise<ExitCode> {
  const found = /[/\\]/.test(name) ? await placedTool(resolve(name)) : await findTool(name);
  if (!found.ok) return refused(found.refusal, json);
  const { file } = found.value.state;
  const archived = archiveTool(file);
  return finished({ file, archived }, json, () => say('Moved to ', archived));
}

/** A file that lies among the tools; any other could not be put back. */
async function placedTool(file: string): Promise<Read<{ state: ToolState }>> {
  const { states } = await toolsHere();
  const state = states.find((one) => one.file === file);
  if (state) return { ok: true, value: { state } };
  const next = 'Name one of those that "sightline tools list" shows.';
  return refuse('not-found', `${basename(file)} does not lie among the tools`, next);
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
