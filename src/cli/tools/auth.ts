// `sightline tools auth`: the tool talks with the person itself, on her terminal.
import { spawn } from 'node:child_process';
import { readSettings } from '../../config/config.ts';
import { commandFor } from '../../toolbox/executable/command.ts';
import { limits } from '../../toolbox/executable/limits.ts';
import { surroundingsOf } from '../../toolbox/executable/surroundings.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { say, styled } from '../terminal.ts';
import { findTool, finished, toolsHere, unusable } from './found.ts';

export async function authCommand(name: string, { json }: { json?: true }): Promise<ExitCode> {
  const found = await findTool(name);
  if (!found.ok) return refused(found.refusal, json);
  const { state } = found.value;
  if (!state.spec || state.state === 'untrusted') return refused(unusable(state), json);
  if (!state.spec.needsAuth)
    return finished({ name: state.name, needed: false }, json, () => say(`${state.name} needs no authorisation.`));
  const granted = readSettings().tools[state.name]?.env;
  const env: Record<string, string> = { ...surroundingsOf(process.env, granted), SIGHTLINE_INTERACTIVE: '1' };
  const started = commandFor(state.file, env['PATH'] ?? '');
  if (!started.ok) return refused(started.refusal, json);
  const { file, words } = started.value.command;
  const code = await talk(file, [...words, '--authorize'], env);
  const { states } = await toolsHere({ refresh: true });
  const now = states.find((one) => one.name === state.name && one.file === state.file);
  if (code !== 0 || now?.state === 'needs-auth') {
    const what = code === 0 ? (now?.why ?? 'it said no') : `--authorize ended with code ${code ?? 'unknown'}`;
    return refused({ code: 'not-allowed', what: `${state.name} is not authorised: ${what}`, next: 'Try again.' }, json);
  }
  return finished({ name: state.name, needed: true }, json, () => say(styled('green', `${state.name} is authorised.`)));
}

/** The result on stdout is ours alone, so the tool talks on stderr. */
function talk(file: string, words: readonly string[], env: Record<string, string>): Promise<number | null> {
  const child = spawn(file, words, { env, stdio: ['inherit', 2, 2], timeout: limits.personMs });
  return new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code));
  });
}
