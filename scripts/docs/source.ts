// Tables that are made from the comments beside the names in the source: settings, codes, limits. What a table says and
// what the code takes stand on the same line, so they cannot drift apart. A name without words is an error.
import { readFileSync } from 'node:fs';
import { table } from './tables.ts';

/** `src/config/mcp.ts#known`: every line of that list, record or union that reads `name, // words`. */
export function namedTable(head: string): (place: string) => string {
  return (place) => {
    const rows = place.split('+').flatMap((one) => namesIn(one));
    return table(
      [head, 'meaning'],
      rows.map(([name, words]) => [`\`${name}\``, words]),
    );
  };
}

function namesIn(place: string): [name: string, words: string][] {
  const lines = block(place).flatMap((line) => {
    const [, name, words = ''] =
      /^\s*(?:\| )?'?([\w-]+)'?(?:: (?:'\w+'|undefined))?[,;]? ?(?:\/\/ (.+))?$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, words] as [string, string]];
  });
  const silent = lines.find(([, words]) => words === '');
  if (lines.length === 0 || silent) throw new Error(`${place}: ${silent?.[0] ?? 'nothing'} has no comment beside it.`);
  return lines.map(([name, words]) => [name, words.replaceAll('|', '\\|')]);
}

/** The lines between `const name = [`, `{` or `type Name =` and the end of it. */
function block(place: string): string[] {
  const [file = '', name = ''] = place.split('#');
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = lines.findIndex((line) => new RegExp(`^(?:export )?(?:const|type) ${name}\\b.*[=[{]$`).test(line));
  if (start < 0) throw new Error(`${file} has no list "${name}".`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^[\]}]|^$|;(?: \/\/.*)?$/.test(line));
  return rest.slice(0, /^[\]}]|^$/.test(rest[end] ?? '') ? end : end + 1);
}

/** A record of limits whose type explains its fields, one comment for those that follow it. */
export function limitTable(limits: object, file: string): string {
  const values = new Map(Object.entries(limits) as [string, number][]);
  const type = /\btype \w*Limits = \{\n([\s\S]*?)\n\};/.exec(readFileSync(file, 'utf8'))?.[1];
  if (type === undefined) throw new Error(`${file} has no type of limits.`);
  const rows: { names: string[]; words: string }[] = [];
  for (const line of type.split('\n')) {
    const words = /^\s*\/\*\* (.*) \*\/$/.exec(line)?.[1];
    const name = /^\s*(\w+): number;$/.exec(line)?.[1];
    if (words !== undefined) rows.push({ names: [], words });
    else if (name !== undefined) (rows.at(-1) ?? never(file)).names.push(name);
  }
  const cells = rows.map(({ names, words }) => {
    const given = names.map((name) => `\`${name}\` ${amount(name, values.get(name) ?? never(file))}`);
    return [given.join('<br>'), words];
  });
  return table(['limit and its default', 'what it bounds'], cells);
}

function never(file: string): never {
  throw new Error(`${file}: a limit has no comment or no default.`);
}

/** `20 MiB`, `20 s`, `10,000`. */
function amount(name: string, value: number): string {
  if (name.endsWith('Ms')) return `${(value / 1000).toLocaleString('en-US')} s`;
  if (!/Bytes$|Base64$/.test(name)) return value.toLocaleString('en-US');
  const [unit, size] =
    value >= 1024 ** 3 ? ['GiB', 1024 ** 3] : value >= 1024 ** 2 ? ['MiB', 1024 ** 2] : ['KiB', 1024];
  return `${(value / size).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
