// The clipboard and the viewer of a desktop, with programs of its own in their place.
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clipboardProgram, copyText, fileForOthers, openOnDesktop } from '../../src/tui/desktop.ts';
import { writeProgram } from '../program.ts';

const platform = 'linux';

/** A folder of programs; each writes its words and what it reads into a file beside it. */
function programs(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-desktop-'));
  for (const name of names) {
    const file = join(folder, name);
    writeProgram(file, `#!/bin/sh\n{ echo "$@"; /bin/cat; } > '${file}.got'\n`);
  }
  return folder;
}

test('the clipboard of the desktop that runs is filled, and the terminal is told besides', async () => {
  const PATH = programs('wl-copy', 'xclip');
  expect(clipboardProgram({ platform, environment: { PATH } })).toBeUndefined();
  expect(clipboardProgram({ platform, environment: { PATH, DISPLAY: ':0' } })).toEqual([
    join(PATH, 'xclip'),
    '-selection',
    'clipboard',
  ]);
  expect(clipboardProgram({ platform, environment: { PATH, DISPLAY: ':0', WAYLAND_DISPLAY: 'w' } })).toEqual([
    join(PATH, 'wl-copy'),
  ]);
  const desktop = { platform, environment: { PATH, DISPLAY: ':0' } };
  const written: string[] = [];
  expect(await copyText('Grüße', { write: (text) => void written.push(text) }, desktop)).toBe(true);
  expect(readFileSync(join(PATH, 'xclip.got'), 'utf8')).toBe('-selection clipboard\nGrüße');
  expect(written).toEqual([`\u001B]52;c;${Buffer.from('Grüße').toString('base64')}\u0007`]);
});

test('without a desktop only the terminal is told, and no viewer is started', async () => {
  const PATH = programs('xclip', 'xdg-open');
  const none = { platform, environment: { PATH } };
  expect(await copyText('x', { write: () => undefined }, none)).toBe(false);
  expect(await openOnDesktop('/x.pdf', none)).toBe(false);
  expect(existsSync(join(PATH, 'xdg-open.got'))).toBe(false);
  expect(await openOnDesktop('/x.pdf', { platform, environment: { PATH, DISPLAY: ':0' } })).toBe(true);
  await expect.poll(() => existsSync(join(PATH, 'xdg-open.got'))).toBe(true);
});

test('a file for another program keeps its name, stays in its folder, and is for its owner alone', () => {
  const file = fileForOthers('../../.report 3.pdf', new Uint8Array([1, 2]));
  expect(file.endsWith(join('report 3.pdf'))).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect([...readFileSync(file)]).toEqual([1, 2]);
});
