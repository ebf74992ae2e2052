// `sightline tools inspect`: everything there is to know about one tool.
import { readSettings } from '../../config/config.ts';
import { commandFor } from '../../toolbox/executable/command.ts';
import { limits } from '../../toolbox/executable/limits.ts';
import { surroundingsOf } from '../../toolbox/executable/surroundings.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { say, sayJson, styled } from '../terminal.ts';
import { findTool } from './found.ts';

export async function inspectCommand(name: string, { json }: { json?: true }): Promise<ExitCode> {
  const found = await findTool(name);
  if (!found.ok) return refused(found.refusal, json);
  const { state } = found.value;
  const started = commandFor(state.file, process.env['PATH'] ?? '');
  const granted = readSettings().tools[state.name]?.env ?? [];
  const { spec, ...about } = state;
  const facts = {
    ...about,
    ...(started.ok && { command: [started.value.command.file, ...started.value.command.words] }),
    environment: Object.keys(surroundingsOf(process.env, granted)).toSorted(),
    ...(spec && {
      description: spec.description,
      arguments: spec.input === 'json' ? 'JSON on stdin' : 'flags',
      ...(spec.subcommand !== undefined && { subcommand: spec.subcommand }),
      seconds: spec.seconds ?? limits.callMs / 1000,
      ...(spec.category !== undefined && { category: spec.category }),
      ...(spec.tags && { tags: spec.tags }),
      input_schema: spec.inputSchema,
    }),
  };
  if (json) sayJson(facts);
  else for (const [key, value] of Object.entries(facts)) sayFact(key, value);
  return done;
}

function sayFact(key: string, value: unknown): void {
  const label = styled('bold', `${key.replaceAll('_', ' ')}: `);
  if (typeof value === 'string' || typeof value === 'number') say(label, String(value));
  else if (Array.isArray(value)) say(label, value.join(' '));
  else say(label, JSON.stringify(value, null, 2));
}
