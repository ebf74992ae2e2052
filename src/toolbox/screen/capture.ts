// The screen of this machine as a PNG, by whichever program is installed for that. No library: every desktop has its
// own way, and its own question to the person before it allows it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment, variables } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';

type Program = {
  name: string;
  arguments: (file: string) => string[];
  when: (environment: Environment) => boolean;
};

const onMac = (): boolean => process.platform === 'darwin';
const onWayland = ({ WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean => WAYLAND_DISPLAY !== undefined;
const onX11 = ({ DISPLAY }: NodeJS.ProcessEnv): boolean => DISPLAY !== undefined && DISPLAY !== '';

const programs: readonly Program[] = [
  { name: 'screencapture', arguments: (file) => ['-x', '-t', 'png', file], when: onMac },
  { name: 'grim', arguments: (file) => [file], when: onWayland },
  { name: 'spectacle', arguments: (file) => ['-b', '-n', '-o', file], when: onWayland },
  { name: 'gnome-screenshot', arguments: (file) => ['-f', file], when: (given) => onWayland(given) || onX11(given) },
  { name: 'scrot', arguments: (file) => ['--overwrite', file], when: onX11 },
  { name: 'maim', arguments: (file) => [file], when: onX11 },
  { name: 'import', arguments: (file) => ['-window', 'root', `png:${file}`], when: onX11 },
];

/** What such a program needs of our environment, and nothing that could be a key. */
const passed = ['PATH', 'HOME', 'LANG', 'DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP', 'DBUS_SESSION_BUS_ADDRESS', 'TMPDIR']; // prettier-ignore

const captureMs = 15_000;

/** Takes a picture of the whole screen. */
export async function captureScreen(
  signal: AbortSignal,
  environment: Environment = ownEnvironment(),
): Promise<Read<Uint8Array>> {
  const usable = programs.filter(({ when }) => when(environment));
  if (usable.length === 0) {
    return refuse(
      'missing-decoder',
      'There is no screen here',
      'Run it in a desktop session, with DISPLAY or WAYLAND_DISPLAY set.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'sightline-screen-'));
  const file = join(folder, 'screen.png');
  const troubles: string[] = [];
  try {
    for (const program of usable) {
      const trouble = await run(program.name, program.arguments(file), environment, signal);
      if (signal.aborted) return refuse('cancelled', 'The screenshot was cancelled', 'Ask again when it is needed.');
      const bytes = trouble === undefined ? await readFile(file).catch(() => undefined) : undefined;
      if (bytes) return { ok: true, value: bytes };
      if (trouble !== 'absent') troubles.push(`${program.name}: ${trouble ?? 'it gave no picture'}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (troubles.length > 0) {
    return refuse(
      'not-allowed',
      `Error capturing image: ${troubles.join('; ')}`,
      'Allow screenshots for this program.',
    );
  }
  const names = usable.map(({ name }) => name).join(', ');
  return refuse('missing-decoder', 'No program that takes screenshots is installed', `Install one of ${names}.`);
}

/** Runs a program; gives what went wrong, if anything did. */
function run(
  name: string,
  given: string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const env = variables(passed, environment);
  return new Promise((resolve) => {
    execFile(name, given, { env, signal, timeout: captureMs, killSignal: 'SIGKILL' }, (error, _out, errors) => {
      if (!error) return resolve(undefined);
      if (error.code === 'ENOENT') return resolve('absent');
      resolve(error.killed === true ? 'it took too long' : (errors.trim().split('\n').at(-1) ?? '') || 'it failed');
    });
  });
}
