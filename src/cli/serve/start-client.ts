// A client as a child of the gateway: pointed at it, with the terminal as its own.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../toolbox/executable/command.ts';
import { done, failed, interrupted } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { styled, tell } from '../terminal.ts';
import type { GatewayClient, GatewayPlace } from './clients.ts';

/** Whether its program can be started. */
export function isInstalled({ program }: Pick<GatewayClient, 'program'>): boolean {
  return findProgram(program, process.env['PATH'] ?? '') !== undefined;
}

/** Runs until the client ends. */
export async function startClient(client: GatewayClient, at: GatewayPlace, more: readonly string[]): Promise<ExitCode> {
  const { env, without = [], args, folder } = client.start(at);
  const own = folder && mkdtempSync(join(tmpdir(), 'sightline-client-'));
  if (folder && own !== undefined) writeFileSync(join(own, folder.file), folder.text, { mode: 0o600 });
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !without.includes(name)));
  const ownFolder = folder && own !== undefined ? { [folder.variable]: own } : {};
  try {
    const child = spawn(client.program, [...args, ...more], {
      stdio: 'inherit',
      env: { ...inherited, ...env, ...ownFolder },
    });
    sharingSignals(child);
    return await new Promise<ExitCode>((resolve) => {
      child.once('error', ({ message }) => {
        tell(styled('red', 'Failed: '), `${client.title} cannot be started: ${message}.`);
        resolve(failed);
      });
      child.once('close', (code, by) => resolve(code === 0 ? done : by === 'SIGINT' ? interrupted : failed));
    });
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

const leftToIt = (): void => undefined;

/** Ctrl+C in a terminal reaches the client, too, which knows what to do about it. Who asks us alone to end means both. */
function sharingSignals(child: ChildProcess): void {
  process.on('SIGINT', leftToIt);
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.once(name, () => void child.kill(name));
  child.once('close', () => process.off('SIGINT', leftToIt));
}
