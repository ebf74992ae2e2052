// The tools as this person, in this folder, has them; and one of them by its name or the path of its file.
import { basename, dirname, resolve } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import type { Tool } from '../../tool/tool.ts';
import { askSpecs, stem } from '../../toolbox/executable/discover.ts';
import type { ToolState } from '../../toolbox/executable/discover.ts';
import { statsOf } from '../../toolbox/executable/place.ts';
import type { ExecutableOptions } from '../../toolbox/executable/tools.ts';
import { executableTools, toolOf } from '../../toolbox/executable/tools.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { ToldRefusal } from '../refusal.ts';
import { busy, sayJson } from '../terminal.ts';

/** The tools that hold here. */
export function toolsHere(more: ExecutableOptions = {}): Promise<{ tools: Tool[]; states: ToolState[] }> {
  const found = executableTools({ project: process.cwd(), settings: readSettings().tools, ...more });
  return busy('asking the tools what they are', found);
}

/** The names of the tools that lie beside a file, and the file of each. */
export async function namesBeside(file: string): Promise<ReadonlyMap<string, string>> {
  const { states } = await toolsHere();
  const others = states.filter((one) => one.spec && one.file !== file && dirname(one.file) === dirname(file));
  return new Map(others.map((one) => [one.name, one.file]));
}

type FoundTool = { state: ToolState; tool?: Tool };

/** A tool by its name or by the name of its file; a word with a slash in it is a path. */
export async function findTool(name: string): Promise<Read<FoundTool>> {
  if (/[/\\]/.test(name)) return await fileAsTool(resolve(name));
  const { tools, states } = await toolsHere();
  const state = states.find((one) => one.name === name) ?? states.find(({ file }) => stem(file) === name);
  if (!state) {
    const names = states.map((one) => one.name).join(', ');
    return refuse(
      'not-found',
      `There is no tool "${name}"`,
      names === '' ? 'Make one: sightline tools new' : `There are: ${names}.`,
    );
  }
  const tool = state.state === 'ready' ? tools.find((one) => one.name === state.name) : undefined;
  return { ok: true, value: { state, ...(tool && { tool }) } };
}

/** A file that a person names is hers to run. */
async function fileAsTool(file: string): Promise<Read<FoundTool>> {
  if (!statsOf(file)?.isFile()) return refuse('not-found', `There is no file ${basename(file)}`, 'Check the path.');
  const surroundings = { cwd: process.cwd(), environment: process.env, granted: [] };
  const asked = await busy(`asking ${basename(file)} what it is`, askSpecs(file, surroundings));
  const about = { name: stem(file), file, source: 'path' as const };
  if ('state' in asked) return { ok: true, value: { state: { ...about, ...asked } } };
  const [spec] = asked.specs;
  if (!spec) return refuse('empty', `${basename(file)} holds no tool`, 'Let --toolspec print a spec.');
  const granted = readSettings().tools[spec.name]?.env ?? [];
  const state: ToolState = { ...about, name: spec.name, state: 'ready', spec };
  return { ok: true, value: { state, tool: toolOf(file, spec, { ...surroundings, granted }) } };
}

/** Ends a command that did what it was asked. */
export function finished(value: object, json: boolean | undefined, tellIt: () => void): ExitCode {
  if (json) sayJson({ ok: true, value });
  else tellIt();
  return done;
}

/** Why a tool that was found cannot be used. */
export function unusable({ name, state, why, next }: ToolState): ToldRefusal {
  return { code: state, what: `${name} cannot be used: ${why ?? state}`, next: next ?? 'Correct it and try again.' };
}
