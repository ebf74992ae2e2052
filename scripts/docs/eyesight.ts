// The tables of docs/eyesight.md, from what `npm run eyesight` last measured.
import { readFileSync } from 'node:fs';
import type { Figure, Results } from '../../bench/eyesight/judge.ts';
import type { Library } from '../../bench/eyesight/deliver.ts';
import { families } from '../../bench/eyesight/families.ts';
import { itemsOf, kinds } from '../../bench/eyesight/items.ts';
import type { Kind } from '../../bench/eyesight/items.ts';

const titles: Record<Library, string> = {
  sightline: 'Sightline',
  'sightline-auto': "Sightline, `tiles: 'auto'`, `'thrifty'`",
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  pi: 'pi',
};
const names: Record<Kind, string> = {
  desktop: 'desktop with an editor',
  terminal: 'terminal',
  dashboard: 'dashboard',
  tall: 'whole web page',
  slide: 'slide',
  page: 'printed page',
  scan: 'scanned page',
  photo: 'page before a camera',
  small: 'small picture',
};

/** So many pictures a whole run has. */
const whole = itemsOf(23).length;

export function eyesightPart(part: string): string {
  const results = JSON.parse(readFileSync('bench/eyesight/results.json', 'utf8')) as Results;
  return part === 'bars'
    ? barTable(results)
    : families.map(({ id, title }) => familyTable(results, id, title)).join('\n\n');
}

function barTable({ bars, items, moved, versions }: Results): string {
  const rows = bars.map(({ name, holds, figure }) => `| ${name} | ${holds ? 'yes' : '**no**'} | ${figure} |`);
  const blank = moved
    ? [
        `| Pictures without writing go as before, byte for byte | ${moved.moved.length === 0 ? 'yes' : '**no**'} | ${moved.tried} deliveries, ${moved.moved.length} moved |`,
      ]
    : [];
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${items < whole ? `${items} of ${whole} pictures so far` : `${items} pictures`}; ${libraries.join(', ')}.`,
    '',
    '| what should hold | holds | figure |',
    '| --- | --- | --- |',
    ...rows,
    ...blank,
  ].join('\n');
}

function familyTable({ figures, originals }: Results, family: string, title: string): string {
  const own = figures.filter((one) => one.family === family);
  const libraries = [...new Set(own.map(({ library }) => library))];
  const rows = kinds.map((kind) => {
    const cells = libraries.map((library) => cellOf(own.find((one) => one.kind === kind && one.library === library)));
    return `| ${names[kind]} | ${short(originals[kind])} | ${cells.join(' | ')} |`;
  });
  const head = `| ${title} | original | ${libraries.map((library) => titles[library]).join(' | ')} |`;
  return [head, `| --- | --- |${' --- |'.repeat(libraries.length)}`, ...rows].join('\n');
}

/** `.95 @ 1,540 (2.5)`: recall, tokens, pictures where there are several. */
function cellOf(figure: Figure | undefined): string {
  if (!figure) return '–';
  const { recall, tokens, pictures, refused } = figure;
  const several = pictures > 1 ? ` (${pictures})` : '';
  const lost = refused > 0 ? `, ${refused} refused` : '';
  return `${short(recall)} @ ${tokens.toLocaleString('en-US')}${several}${lost}`;
}

function short(value: number): string {
  return value.toFixed(2).replace(/^0/, '');
}
