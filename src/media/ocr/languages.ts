// Which languages words can be read in here: the data that is installed beside the library or for tesseract itself, by the
// script it is for. Nothing is loaded for it, and nothing fetched.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { partFile } from '../../config/parts.ts';

/** Languages that are written alike are read together, the first ones first. */
const scripts: readonly (readonly string[])[] = [
  [
    'eng',
    'deu',
    'fra',
    'spa',
    'ita',
    'por',
    'nld',
    'pol',
    'ces',
    'swe',
    'dan',
    'nor',
    'fin',
    'hun',
    'ron',
    'tur',
    'vie',
  ],
  ['rus', 'ukr', 'bul', 'bel', 'srp', 'mkd'],
  ['ell'],
  ['jpn'],
  ['chi_sim'],
  ['chi_tra'],
  ['kor'],
  ['ara', 'fas', 'urd'],
  ['heb'],
  ['hin', 'mar', 'nep'],
  ['ben'],
  ['tam'],
  ['tha'],
];

/** Languages of one script that are read at once: more of them cost time and mislead. */
const mostTogether = 3;

/** Where tesseract itself keeps its data. */
const shared = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/usr/local/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/** A language and the file with its data. */
export type ReadableLanguage = { code: string; file: string };

/** Groups of languages, one for each script of which there is data, Latin first. */
export function languageGroups(): ReadableLanguage[][] {
  const found = installedLanguages();
  return scripts
    .map((codes) => codes.flatMap((code) => found.filter((one) => one.code === code)).slice(0, mostTogether))
    .filter((group) => group.length > 0);
}

function installedLanguages(): ReadableLanguage[] {
  const beside = dirname(dirname(partFile('ocr', '@tesseract.js-data/eng/package.json')));
  const packed = readdirSync(beside).map((code) => ({
    code,
    file: join(beside, code, '4.0.0', `${code}.traineddata.gz`),
  }));
  const known = new Map(packed.filter(({ file }) => existsSync(file)).map((one) => [one.code, one]));
  for (const folder of shared.filter((one) => existsSync(one))) {
    for (const name of readdirSync(folder)) {
      const [code = '', ending] = name.split('.');
      if (ending === 'traineddata' && !known.has(code)) known.set(code, { code, file: join(folder, name) });
    }
  }
  return [...known.values()];
}
