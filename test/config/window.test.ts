// `[window]`, `[images]`, `[limits]`, and complaints that name the line and what may have been meant.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/config/config.ts';
import type { Settings } from '../../src/config/config.ts';
import { lineOf, nearest } from '../../src/config/wrong.ts';

function settings(own: string, theirs = ''): Settings {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-config-'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home/config.toml'), own);
  writeFileSync(join(folder, 'sightline.toml'), theirs);
  return readSettings({ SIGHTLINE_HOME: join(folder, 'home') }, folder);
}

test('the window, the pictures and the ceilings are taken', () => {
  const text = `
[window]
images_to_keep = 4
unchanged = "note"
max_images = 30

[images]
detail = "low"

[limits]
pdf_bytes = 1000000`;
  expect(settings(text)).toMatchObject({
    window: { imagesToKeep: 4, unchanged: 'note', budget: { images: 30 } },
    images: { detail: 'low' },
    limits: { pdfBytes: 1_000_000 },
  });
});

test('no picture at all may be kept', () => {
  expect(settings('[window]\ntiles = "auto"\nlegibility = "thrifty"\npages = "picture+text"')).toMatchObject({
    window: { tiles: 'auto', legibility: 'thrifty', pages: 'picture+text' },
  });
  expect(settings('[window]\nimages_to_keep = 0')).toMatchObject({ window: { imagesToKeep: 0 } });
});

test('a project goes over the home, but cannot send pictures that stay at home', () => {
  const merged = settings('images = "never"', '[images]\nnever = false\n[window]\nbatch = 3');
  expect(merged).toMatchObject({ images: { never: true }, window: { batch: 3 } });
});

test('a project that would change ceilings is told whose they are', () => {
  expect(() => settings('[limits]\npixels = 5', '[limits]\npixels = 9')).toThrow(
    /sightline\.toml:1: "limits" must be in config\.toml of your home, not in a project/,
  );
});

test.each([
  ['modle = "a/b"', 'config.toml:1: unknown key "modle". Did you mean "model"?'],
  [
    '\n[models.mine]\nmodel = "a/b"\ntemprature = 1',
    'config.toml:4: unknown key "models.mine.temprature". Did you mean "temperature"?',
  ],
  [
    '[models.mine]\nmodel = "a/b"\ncapabilities.visoin = true',
    'config.toml:3: unknown key "models.mine.capabilities.visoin". Did you mean "vision"?',
  ],
  [
    '[models.mine]\nmodel = "a/b"\ntemperature = 7',
    'config.toml:3: "models.mine.temperature" must be a number from 0 to 2',
  ],
  ['[window]\ntiles = "some"', 'config.toml:2: "window.tiles" must be "careful", "auto" or "off"'],
  ['[window]\nlegibility = 1', 'config.toml:2: "window.legibility" must be "full" or "thrifty"'],
  ['[window]\npages = "pdf"', 'config.toml:2: "window.pages" must be "picture", "picture+text" or "text"'],
  ['[window]\nimages_to_keep = -1', 'config.toml:2: "window.images_to_keep" must be a whole number of 0 or more'],
  ['[window]\nbatch = 0', 'config.toml:2: "window.batch" must be a whole number above 0'],
  ['images = "often"', 'config.toml:1: "images" must be a table'],
  ['a = ', 'config.toml:1 is not valid TOML'],
])('%j is told with its line', (text, complaint) => {
  expect(() => settings(text)).toThrow(complaint);
});

test('the line of a key is found below its table, and that of its table otherwise', () => {
  const text = '# first\n[a.b]\nx = 1\n\n["c".d]\n"y" = 2\ne.f = 3\n';
  expect(['a.b.x', 'c.d.y', 'c.d.e.f', 'a.b', 'a.b.none', 'none'].map((key) => lineOf(text, key))).toEqual([
    3,
    6,
    7,
    2,
    2,
    undefined,
  ]);
});

test('a slip is a third of the letters at most', () => {
  expect(nearest('visoin', ['vision', 'audio'])).toBe('vision');
  expect(nearest('modle', ['model', 'models'])).toBe('model');
  expect(nearest('environment', ['enabled', 'env'])).toBeUndefined();
});

test('a ceiling of the home stands beside those that a project sets', () => {
  const merged = settings('[window]\nmax_tokens = 50000\nmax_images = 20', '[window]\nmax_images = 3');
  expect(merged.window.budget).toEqual({ tokens: 50_000, images: 3 });
});
