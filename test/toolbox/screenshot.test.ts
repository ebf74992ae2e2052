// The tool with a screen program of the test's own on the path: a real process that writes a real picture.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { screenshotTool } from '../../src/toolbox/screen/screenshot.ts';
import { quarters } from '../media/make.ts';
import { writeProgram } from '../program.ts';
import { caller, pictures, words } from './caller.ts';

const home = mkdtempSync(join(tmpdir(), 'sightline-screenshot-'));
const [bin, saved] = [join(home, 'bin'), join(home, 'saved')];
mkdirSync(bin);
mkdirSync(saved);
symlinkSync(home, join(saved, 'up'));
const picture = join(home, 'screen.png');
writeFileSync(picture, await quarters(2560, 1440).png().toBuffer());
const before = { ...process.env };
afterAll(() => rmSync(home, { recursive: true, force: true }));
afterEach(() => {
  for (const name of ['PATH', 'DISPLAY', 'WAYLAND_DISPLAY']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

/** Puts one program on the path, on a screen of X11. */
function install(name: string, script: string): void {
  for (const old of ['scrot', 'maim', 'import', 'gnome-screenshot']) rmSync(join(bin, old), { force: true });
  writeProgram(join(bin, name), `#!/bin/sh\n${script}\n`);
  process.env['PATH'] = bin;
  process.env['DISPLAY'] = ':0';
  delete process.env['WAYLAND_DISPLAY'];
}

const { call } = caller(() => [screenshotTool({ folder: saved })]);
const takes = `/bin/cp '${picture}' "$2"`;

describe.skipIf(process.platform !== 'linux')('screenshot', () => {
  test.each([
    [{}, 2000, 1125, /shown at 2000×1125; multiply coordinates by 1\.28$/],
    [{ max_dimension: 640 }, 640, 360, /multiply coordinates by 4$/],
    [
      { region: { x: 100, y: 50, width: 200, height: 100 } },
      200,
      100,
      /^region x=100 y=50 200×100 of 2560×1440; add x=100 y=50$/,
    ],
    [
      { region: { x: 100, y: 50, width: 200, height: 100 }, max_dimension: 50 },
      50,
      25,
      /multiply coordinates by 4; then add x=100 y=50$/,
    ],
  ])('shows the screen: %j', async (input, width, height, made) => {
    install('scrot', takes);
    const answer = await call('screenshot', input);
    expect(pictures(answer)[0]).toMatchObject({ width, height });
    expect(pictures(answer)[0]?.origin?.made).toMatch(made);
    expect(words(answer)).toMatch(/^Screenshot captured successfully!\nSize: \d+x\d+, about [\d,]+ tokens\n<image>$/);
  });

  test('refuses what would cost a model too much', async () => {
    install('scrot', takes);
    const dear = caller(() => [screenshotTool({ maxTokens: 1000 })]);
    const answer = await dear.call('screenshot', {});
    expect(answer.isError).toBe(true);
    expect(words(answer)).toBe(
      'Image is too large (3,000 tokens, max 1,000). Use max_dimension to scale down or capture a smaller region.',
    );
    expect((await dear.call('screenshot', { max_dimension: 500 })).isError).toBeUndefined();
  });

  test('saves to a file inside its folder, and over nothing', async () => {
    install('scrot', takes);
    expect(words(await call('screenshot', { output: 'one.png' }))).toMatch(
      /^Screenshot saved as one\.png, [\d,]+ bytes\.$/,
    );
    expect(existsSync(join(saved, 'one.png'))).toBe(true);
    for (const output of ['one.png', '../two.png', '/tmp/two.png', 'up/two.png', 'absent/two.png']) {
      expect((await call('screenshot', { output })).isError, output).toBe(true);
    }
    expect(existsSync(join(home, 'two.png'))).toBe(false);
  });

  test.each([
    [
      'the next program is tried when one is missing',
      'import',
      `/bin/cp '${picture}' "\${3#png:}"`,
      /^Screenshot captured/,
    ],
    [
      'a program that fails is named with its words',
      'scrot',
      'echo "no access" >&2; exit 1',
      /^Error capturing image: scrot: no access\. Allow/,
    ],
    ['a program that gives nothing is named', 'maim', 'exit 0', /^Error capturing image: maim: it gave no picture/],
    ['a program that gives no picture is refused', 'maim', 'echo words > "$1"', /screen\.png is/],
    [
      'without a program, it says which to install',
      'other',
      'exit 0',
      /^No program that takes screenshots is installed\. Install one of .*scrot/,
    ],
  ])('%s', async (_name, program, script, said) => {
    install(program, script);
    expect(words(await call('screenshot', {}))).toMatch(said);
  });

  test('says when there is no screen', async () => {
    delete process.env['DISPLAY'];
    delete process.env['WAYLAND_DISPLAY'];
    expect(words(await call('screenshot', {}))).toMatch(/^There is no screen here\./);
  });

  test('gives the program none of our keys', async () => {
    process.env['SECRET_API_KEY'] = 'secret';
    install('scrot', `/usr/bin/env > '${home}/env.txt'; ${takes}`);
    await call('screenshot', {});
    expect(readFileSync(join(home, 'env.txt'), 'utf8')).not.toContain('SECRET_API_KEY');
    delete process.env['SECRET_API_KEY'];
  });

  test('ends with its call', async () => {
    const begun = join(home, 'begun');
    install('scrot', `echo $$ > '${begun}'; exec /bin/sleep 600`);
    const stop = new AbortController();
    const answer = call('screenshot', {}, stop.signal);
    await expect.poll(() => existsSync(begun) && readFileSync(begun, 'utf8')).toMatch(/\d\n/);
    stop.abort();
    expect(words(await answer)).toContain('Cancelled');
    const name = `/proc/${readFileSync(begun, 'utf8').trim()}/comm`;
    await expect.poll(() => existsSync(name) && readFileSync(name, 'utf8')).not.toBe('sleep\n');
  });
});
