// The parts that are brought on demand are the libraries that everything here was tried with.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { howToBring, partNames, partOf, parts } from '../../src/config/parts.ts';

type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };
type Lock = { packages: Record<string, { version?: string; integrity?: string; resolved?: string }> };

const json = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

const own = json('package.json') as Manifest;

test.each(partNames)('%s brings what was tried, each package with its checksum', (name) => {
  const { dependencies } = json(`parts/${name}/package.json`) as Manifest;
  expect(Object.keys(dependencies).toSorted()).toEqual([...parts[name].libraries].toSorted());
  const { packages } = json(`parts/${name}/package-lock.json`) as Lock;
  for (const [path, { version, integrity, resolved }] of Object.entries(packages)) {
    if (path === '') continue;
    expect(integrity, path).toMatch(/^sha512-/);
    const ours = own.devDependencies[path.slice('node_modules/'.length)];
    if (ours !== undefined) expect(version).toBe(ours);
    expect(resolved, path).toBeUndefined(); // whichever registry somebody uses
  }
});

test('nothing that is in a part comes with every installation', () => {
  expect(partNames.flatMap((name) => parts[name].libraries).filter((name) => name in own.dependencies)).toEqual([]);
});

test('a library leads to its part, and a part to the command that brings it', () => {
  expect(partOf('@tesseract.js-data/eng')).toBe('ocr');
  expect(partOf('sharp')).toBeUndefined();
  expect(howToBring('ocr')).toBe('Install it once (64 MB) with: sightline doctor --install ocr');
});
