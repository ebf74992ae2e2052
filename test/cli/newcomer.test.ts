// The way of a newcomer: the packed tarball, installed into an empty folder, in an empty home.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { newFolder } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = existsSync(join(root, 'dist/cli/main.js'));
if (!built) console.warn('dist/ is not built: the way of a newcomer is not tested. Run "npm run build".');
const execute = promisify(execFile);

/** The folder with the installed package, or nothing where no registry can be reached. */
async function installed(folder: string): Promise<string | undefined> {
  const npm = async (...words: string[]): Promise<string> =>
    (await execute('npm', [...words, '--loglevel=error'], { cwd: folder, timeout: 240_000 })).stdout;
  const packed = JSON.parse(await npm('pack', root, '--ignore-scripts', '--json')) as {
    filename: string;
    size: number;
  }[];
  const [tarball] = packed;
  expect(tarball?.size).toBeLessThan(2_000_000);
  writeFileSync(join(folder, 'package.json'), '{"name":"mine","private":true}');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  try {
    await npm('install', `./${tarball?.filename ?? ''}`, ...flags);
  } catch (error) {
    console.warn(`No registry can be reached: the way of a newcomer is not tested. ${String(error).split('\n')[0]}`);
    return undefined;
  }
  return join(folder, 'node_modules', '.bin', 'sightline');
}

/** What an installation weighs, and of how many packages it is. */
function weight(folder: string): { megabytes: number; packages: number; small: boolean; few: boolean } {
  const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { packages: object };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const [megabytes, packages] = [bytes / 1e6, Object.keys(lock.packages).length];
  return { megabytes, packages, small: megabytes <= 70, few: packages <= 60 };
}

test.runIf(built)('install, help, demo, read, ask, a part that is brought', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'home'));
  const program = await installed(folder);
  if (program === undefined) return;
  copyFileSync(join(root, 'examples/chart.png'), join(folder, 'photo.png'));
  await using server = await scriptedServer(
    script([{ calls: [{ name: 'read_file', input: { file_path: 'photo.png' } }] }, { text: 'Four bars.' }]),
  );
  // The Node of this test, a home with nothing in it, no key but that of the scripted model.
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
    HOME: join(folder, 'home'),
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: server.url,
  };
  const run = async (...words: string[]): Promise<string> => {
    const running = execute(program, words, { cwd: folder, env, timeout: 240_000 });
    running.child.stdin?.end();
    return (await running).stdout;
  };
  expect(await run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await run('--help')).toContain('sightline ask "what does @chart.png show?"');
  expect(await run('demo')).toContain('anthropic/');
  expect(await run('read', 'photo.png')).toContain('image "photo.png" 640×400');
  expect(await run('read', 'photo.png', '-m', 'ollama/llama3.1')).toContain(
    'OCR would read what is written on pictures for models that see none. Bring it once (64 MB) with: sightline doctor',
  );
  expect(await run('ask', 'what is in photo.png?')).toBe('Four bars.\n');
  expect(existsSync(join(folder, 'home', '.sightline', 'sessions.db'))).toBe(true);
  expect(weight(join(folder, 'node_modules'))).toMatchObject({ small: true, few: true });
  copyFileSync(join(root, 'test/fixtures/image/hopper.heif'), join(folder, 'phone.heic'));
  await expect(run('read', 'phone.heic')).rejects.toThrow('Bring it once (9 MB) with: sightline doctor --install heic');
  Object.assign(env, { ...process.env, ...env, npm_config_userconfig: join(homedir(), '.npmrc') }); // where npm finds packages
  expect(await run('doctor', '--install', 'heic')).toMatch(/^✓ heic is in .*parts/);
  expect(await run('read', 'phone.heic')).toContain('converted from HEIC');
  expect(await run('doctor', '--install', 'heic')).toMatch(/^✓ heic is here already/);
});
