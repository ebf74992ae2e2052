// `[tools.NAME]` tables → what the user says about a tool by that name: whether it is offered at all, and which
// variables of the environment it gets. Only the user's own file may grant variables; a project cannot help itself.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** What a configuration says of one tool: whether it is offered, and which variables it gets. */
export type ToolSettings = { enabled: boolean; env: readonly string[] };

const known = [
  'enabled', // false does not offer it; NAME may be a group of shipped tools
  'env', // the variables of your environment that an executable gets; in config.toml only
];

/** The tools of one file. `own` is the user's file, not a project's. */
export function toolTable(value: unknown, file: string, own: boolean): Record<string, ToolSettings> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'tools', 'a table such as [tools.shot]');
  return Object.fromEntries(Object.entries(value).map(([name, row]) => [name, toolRow(name, row, file, own)]));
}

function toolRow(name: string, row: unknown, file: string, own: boolean): ToolSettings {
  const at = `tools.${name}`;
  if (!isRecord(row)) throw wrong(file, at, 'a table');
  const { enabled = true, env = [] } = row;
  onlyKnown(row, known, file, at);
  if (typeof enabled !== 'boolean') throw wrong(file, `${at}.enabled`, 'true or false');
  if (!Array.isArray(env) || !env.every((item) => typeof item === 'string')) {
    throw wrong(file, `${at}.env`, 'a list of names such as ["MAP_KEY"]');
  }
  if (!own && env.length > 0) throw wrong(file, `${at}.env`, 'in config.toml of your home, not in a project');
  return { enabled, env };
}

/** Both files together: a project may switch a tool off, and what the user granted stays granted. */
export function mergeTools(
  first: Readonly<Record<string, ToolSettings>>,
  second: Readonly<Record<string, ToolSettings>>,
): Record<string, ToolSettings> {
  const merged = { ...first };
  for (const [name, { enabled, env }] of Object.entries(second)) {
    const before = merged[name] ?? { enabled: true, env: [] };
    merged[name] = { enabled: before.enabled && enabled, env: [...before.env, ...env] };
  }
  return merged;
}
