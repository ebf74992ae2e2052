// Programs that judge or are judged, started as a user would start them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { McpServer } from '../../src/config/mcp.ts';

export type Ran = { code: number; stdout: string; stderr: string };

const start = promisify(execFile);

/** Runs a file with this Node to its end. */
export async function runNode(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  try {
    const options = { timeout: 240_000, maxBuffer: 1 << 26, env: { ...process.env, ...env } };
    const { stdout, stderr } = await start(process.execPath, [...words], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? 1, stdout, stderr };
  }
}

/** Where programs of others lie. */
export const judges = 'test/mcp/judges/node_modules';

/** A server of others. */
export function installed(file: string, ...args: string[]): McpServer {
  return { command: process.execPath, args: [`${judges}/${file}`, ...args], env: {} };
}

export const chromium: string | undefined = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));
