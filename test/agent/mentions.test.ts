// The files that a person's words name, as they are typed, dropped and pasted.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { namedFiles, pastedFiles, pastedPath } from '../../src/agent/mentions.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-mentions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [shot, spaced] = [join(folder, 'shot.png'), join(folder, 'my shot.png')];
mkdirSync(join(folder, 'sub'));
for (const name of ['notes', 'notes~', 'two\nlines.png', 'sub/in.png']) writeFileSync(join(folder, name), 'x');
for (const path of [shot, spaced]) writeFileSync(path, 'x');

const told = (name: string): string => `There is no file ${name}, so it is sent as text.`;
const named = (words: string): unknown[] => namedFiles(words, folder).files.map(({ source }) => source);

describe('words name files', () => {
  test('after an @, bare or in quotes, each once', () => {
    expect(namedFiles('Look at @shot.png and @"my shot.png"', folder)).toEqual({
      files: [
        { source: shot, name: 'shot.png' },
        { source: spaced, name: 'my shot.png' },
      ],
      notices: [],
    });
    expect(named('@shot.png\n@shot.png @./shot.png')).toEqual([shot]);
    expect(named(`@${shot} @notes @sub`)).toEqual([shot, join(folder, 'notes'), join(folder, 'sub')]);
    expect(named('@my\\ shot.png @notes~')).toEqual([spaced, join(folder, 'notes~')]);
    expect(named('me@shot.png x"@shot.png" @...')).toEqual([]);
  });

  test('whose full stop or bracket belongs to the sentence', () => {
    expect(named('Is it @shot.png?')).toEqual([shot]);
    expect(named('(see @shot.png).')).toEqual([shot]);
    expect(named('@shot.png;')).toEqual([shot]);
  });

  test('in the home of the person', () => {
    const { files } = namedFiles('@~', folder);
    expect(files).toEqual([{ source: homedir(), name: basename(homedir()) }]);
    expect(namedFiles('@~shot.png', folder).files).toEqual([]);
    expect(namedFiles('@/', folder).files).toEqual([{ source: '/', name: '/' }]);
  });

  test('what looks like a file and is none is told; a person or a package is not', () => {
    expect(namedFiles('@gone.png, @ada @types/node @x.toolong1 @gone.md!', folder)).toEqual({
      files: [],
      notices: ['gone.png', 'gone.md'].map(told),
    });
    const paths = ['/gone/away', './gone', '../gone', '~/gone/away'];
    expect(namedFiles(paths.map((path) => `@${path}`).join(' '), folder)).toEqual({
      files: [],
      notices: paths.map(told),
    });
  });

  test('nothing is named by nothing', () => {
    expect(namedFiles('@ @" no', folder)).toEqual({ files: [], notices: [] });
  });
});

describe('a paste that is nothing but a path', () => {
  test.each([
    [shot, `@${shot}`],
    [` ${shot}\n`, `@${shot}`],
    [`'${spaced}'`, `@"${spaced}"`],
    [`"${shot}"`, `@${shot}`],
    [spaced.replace(' ', '\\ '), `@"${spaced}"`],
    [pathToFileURL(spaced).href, `@"${spaced}"`],
    ['./shot.png', '@./shot.png'],
    [`../${basename(folder)}/shot.png`, `@../${basename(folder)}/shot.png`],
    ['../x', undefined],
    ['sub/in.png', undefined],
    [join(folder, 'two\nlines.png'), undefined],
    ['shot.png', undefined],
    [`${folder}/none.png`, undefined],
    [`${shot}\n${shot}`, undefined],
    ['file://%zz', undefined],
    ['', undefined],
    [`/${'x'.repeat(5000)}`, undefined],
    [`'${shot}' and`, undefined],
    [`"${shot}" and`, undefined],
    [`see '${shot}'`, undefined],
    [`see "${shot}"`, undefined],
  ])('%j becomes %s', (paste, words) => {
    expect(pastedPath(paste, folder)).toBe(words);
  });
});

test('files pasted as data go out of the words, with a name in their place', () => {
  const data = Buffer.from('hello').toString('base64');
  const { words, files } = pastedFiles(`See data:image/png;base64,${data} and data:application/x-y+z;base64,${data}.`);
  expect(words).toBe('See [pasted-1.png] and [pasted-2.x].');
  expect(files.map(({ name, source }) => [name, Buffer.from(source as Uint8Array).toString()])).toEqual([
    ['pasted-1.png', 'hello'],
    ['pasted-2.x', 'hello'],
  ]);
  for (const text of ['hel', 'hell', 'hello'])
    expect(pastedFiles(`data:image/png;base64,${Buffer.from(text).toString('base64')} is it`)).toEqual({
      words: '[pasted-1.png] is it',
      files: [{ name: 'pasted-1.png', source: Buffer.from(text) }],
    });
  expect(pastedFiles(`data:x/.;base64,${data}`).files[0]?.name).toBe('pasted-1.bin');
  expect(pastedFiles('data:image/png, no')).toEqual({ words: 'data:image/png, no', files: [] });
});
