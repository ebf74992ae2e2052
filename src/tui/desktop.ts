// The desktop around a terminal, where there is one: its clipboard, and the programs it opens files and addresses with.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ownEnvironment } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import { findProgram } from '../toolbox/executable/command.ts';

/** What says which desktop runs here. */
type Desktop = { environment: Environment; platform: string };

function thisDesktop(): Desktop {
  return { environment: ownEnvironment(), platform: process.platform };
}

/** The program that fills the clipboard of a desktop, and its words. */
export function clipboardProgram({ environment, platform }: Desktop): [string, ...string[]] | undefined {
  const programs: [is: boolean, name: string, ...words: string[]][] = [
    [platform === 'darwin', 'pbcopy'],
    [Boolean(environment['WAYLAND_DISPLAY']), 'wl-copy'],
    [Boolean(environment['DISPLAY']), 'xclip', '-selection', 'clipboard'],
    [Boolean(environment['DISPLAY']), 'xsel', '--clipboard', '--input'],
  ];
  for (const [is, name, ...words] of programs) {
    const file = is ? findProgram(name, environment['PATH'] ?? '') : undefined;
    if (file !== undefined) return [file, ...words];
  }
  return undefined;
}

/** Copies by the desktop's own program; false where there is none, or it fails. The terminal is told besides, because it
 * may be on another machine than this one. */
export async function copyText(
  text: string,
  terminal: { write: (text: string) => void },
  desktop: Desktop = thisDesktop(),
): Promise<boolean> {
  terminal.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  const [file, ...words] = clipboardProgram(desktop) ?? [];
  if (file === undefined) return false;
  // What it prints goes nowhere: a program that stays to serve the clipboard would keep a pipe open.
  const child = spawn(file, words, { stdio: ['pipe', 'ignore', 'ignore'], timeout: patienceMs });
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  return await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

const patienceMs = 5000;

/** Opens a file or an address with what the desktop opens such with; false where there is no desktop. */
export async function openOnDesktop(
  target: string,
  { environment, platform }: Desktop = thisDesktop(),
): Promise<boolean> {
  const isMac = platform === 'darwin';
  const hasDesktop = isMac || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  const file = hasDesktop ? findProgram(isMac ? 'open' : 'xdg-open', environment['PATH'] ?? '') : undefined;
  if (file === undefined) return false;
  const opener = spawn(file, [target], { stdio: 'ignore', detached: true });
  opener.unref();
  return await new Promise((resolve) => {
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => resolve(true));
  });
}

/** Writes bytes where only their owner can read them, under their own name, for another program to open. */
export function fileForOthers(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-'));
  const file = join(
    folder,
    basename(name)
      .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^\.+/, '') || 'file',
  );
  writeFileSync(file, bytes, { mode: 0o600 });
  chmodSync(folder, 0o700);
  return file;
}
