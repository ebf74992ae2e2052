// How long until the chat can be written to: the real program on a terminal of its own, until its last line is there.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** util-linux; it gives a program a terminal. */
const script = '/usr/bin/script';

export const hasTerminal: boolean = existsSync(script);

/** Milliseconds until the editor's second border stands on the screen. */
export async function msUntilReady(program: string): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const env = { ...process.env, SIGHTLINE_HOME: home, ANTHROPIC_API_KEY: 'none', TERM: 'xterm-256color' };
  const line = `stty cols 80 rows 24; exec '${process.execPath}' '${program}' chat --tools none`;
  const began = performance.now();
  const child = spawn(script, ['-qefc', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let seen = '';
  try {
    for await (const chunk of child.stdout) {
      seen += String(chunk);
      if (/─{80}[^]*─{80}/.test(seen)) return performance.now() - began;
    }
    throw new Error(`The chat ended before it was there:\n${seen}`);
  } finally {
    child.stdin.end('\u0004');
    const late = setTimeout(() => child.kill(), 2000);
    await gone;
    clearTimeout(late);
  }
}
