// Libraries that are too large for everybody, each in a part that is brought when somebody needs it: from the packages
// that are installed beside Sightline, or from the person's home, where `sightline doctor --install` puts them.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { homeFolder } from './home.ts';
import { packageFolder } from './package.ts';

export type PartName = 'ocr' | 'browser' | 'heic' | 'jq' | 'tokenizer';

/** `libraries` are what a part is asked for; versions and checksums of all of it are in `parts/` of the package. */
export type OnDemand = { libraries: readonly string[]; megabytes: number; gives: string };

export const parts: Readonly<Record<PartName, OnDemand>> = {
  ocr: {
    libraries: ['tesseract.js', '@tesseract.js-data/eng'],
    megabytes: 64,
    gives: 'the words on scans, and on pictures if a model sees none',
  },
  browser: {
    libraries: ['playwright-core'],
    megabytes: 14,
    gives: 'web pages, through the Chromium or Chrome you have',
  },
  heic: { libraries: ['libheif-js'], megabytes: 9, gives: 'photos from phones (HEIC)' },
  jq: { libraries: ['jq-web'], megabytes: 4, gives: 'jq programs over JSON' },
  tokenizer: { libraries: ['gpt-tokenizer'], megabytes: 30, gives: 'exact counts of tokens for GPT models' },
};

export const partNames: readonly PartName[] = Object.keys(parts) as PartName[];

/** Where the parts of a person lie. */
export function partsFolder(): string {
  return join(homeFolder(), 'parts');
}

/** The part that a library belongs to, if it is in one. */
export function partOf(library: string): PartName | undefined {
  return partNames.find((name) => parts[name].libraries.includes(library));
}

/** How somebody gets a part: one sentence, with its size. */
export function howToBring(name: PartName): string {
  return `Install it once (${parts[name].megabytes} MB) with: sightline doctor --install ${name}`;
}

/** Whether a part is here. Nothing is loaded for it. */
export function hasPart(name: PartName): boolean {
  try {
    for (const library of parts[name].libraries) partFile(name, `${library}/package.json`);
    return true;
  } catch {
    return false; // absent, which is the answer
  }
}

/** The path of a file in one of a part's libraries. */
export function partFile(name: PartName, specifier: string): string {
  return requirer(name, specifier).resolve(specifier);
}

/** A module of a part, as `require` gives it. Throws what Node throws when there is none. */
export function fromPart(name: PartName, specifier: string): unknown {
  return requirer(name, specifier)(specifier);
}

/** The packages beside Sightline come first: who installed one there chose its version. A checkout has its own parts. */
function requirer(name: PartName, specifier: string): NodeJS.Require {
  const own = createRequire(join(packageFolder, 'parts', name, 'package.json'));
  try {
    own.resolve(specifier);
    return own;
  } catch {
    return createRequire(join(partsFolder(), name, 'package.json'));
  }
}
