// Compares what the code makes of the recorded corpora with what it made before: bodies, receipts, ledgers, events, what
// goes out under a foreign SDK. `test/golden/` holds one line of short hashes for each case.
//   npm run golden                    says which cases differ, and fails when one does
//   npm run golden -- --update        writes the files anew
//   npm run golden -- --write DIR     writes the values themselves, for a comparison of two trees
//   npm run golden -- laws            one group of cases
//   npm run golden -- --against DIR   as the first, and tells where each value differs from the one in DIR
// A word that is no option chooses the groups with that name.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedFile } from '../test/judge/shared-folder.ts';
import { argumentsOf } from './arguments.ts';
import { bringAll } from './bring.ts';
import { addressGroup } from './golden/addresses.ts';
import { catalogGroup } from './golden/catalog.ts';
import { firstDifference, fileOf, labelOf, linesOf, readable, shortHash } from './golden/case.ts';
import type { Group } from './golden/case.ts';
import { fetchGroup } from './golden/fetches.ts';
import { lawGroup, loopGroup } from './golden/laws.ts';
import { exchangeGroup, requestGroup } from './golden/requests.ts';
import { answerGroup, streamGroup } from './golden/streams.ts';

const groups = [
  catalogGroup,
  addressGroup,
  requestGroup,
  exchangeGroup,
  streamGroup,
  answerGroup,
  lawGroup,
  loopGroup,
  fetchGroup,
];

const { values: flags, positionals } = argumentsOf(
  import.meta.filename,
  { update: { type: 'boolean' }, write: { type: 'string' }, against: { type: 'string' } },
  { words: true },
);

const shown = 12;

if (sharedFile('corpora/manifest.json') === undefined)
  console.log('golden: skipped, the corpora are absent (set SIGHTLINE_SHARED to where they lie)');
else {
  bringAll(['parts/tokenizer']); // what fits a budget is counted by it
  const chosen = groups.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  if (chosen.length === 0) throw new Error(`There are ${groups.map(({ name }) => name).join(', ')}.`);
  for (const group of chosen) await run(group);
}

type Seen = { hashes: string[]; values: readonly unknown[] };

async function run(group: Group): Promise<void> {
  const start = performance.now();
  const seen = new Map<string, Seen>();
  for await (const { name, make } of group.cases()) {
    const values = await make();
    if (seen.has(name)) throw new Error(`${group.name}: two cases are called ${name}`);
    if (flags.write !== undefined) dump(pathOf(flags.write, group, name), values);
    // Thousands of bodies are remembered only where they are looked at again.
    seen.set(name, { hashes: values.map(shortHash), values: flags.against === undefined ? [] : values });
  }
  const took = `${seen.size} cases in ${((performance.now() - start) / 1000).toFixed(1)} s`;
  const file = fileOf(group);
  if (flags.update) {
    const lines = [...seen].map(([name, { hashes }]) => `${name}\t${hashes.join(' ')}`);
    writeFileSync(file, `# ${group.about}\n# ${group.columns.join(', ')}\n${lines.join('\n')}\n`);
    console.log(`${group.name}: ${took}, written`);
    return;
  }
  const differ = differences(group, linesOf(group), seen);
  console.log(`${group.name}: ${took}, ${differ.length === 0 ? 'as before' : `${differ.length} differ`}`);
  for (const line of differ.slice(0, shown)) console.log(`  ${line}`);
  if (differ.length > shown) console.log(`  … and ${differ.length - shown} more`);
  if (differ.length > 0) process.exitCode = 1;
}

/** One line for each case that is not what it was: which of its values, and where when the old ones are at hand. */
function differences(group: Group, before: ReadonlyMap<string, string[]>, now: ReadonlyMap<string, Seen>): string[] {
  const gone = [...before.keys()].filter((name) => !now.has(name)).map((name) => `${name}: is gone`);
  const changed = [...now].flatMap(([name, { hashes, values }]) => {
    const old = before.get(name);
    if (old === undefined) return [`${name}: is new`];
    const length = Math.max(old.length, hashes.length);
    const at = Array.from({ length }, (_, index) => index).filter((index) => old[index] !== hashes[index]);
    if (at.length === 0) return [];
    const labels = at.slice(0, 4).map((index) => labelOf(group, index, length));
    const more = at.length > labels.length ? ` and ${at.length - labels.length} more` : '';
    return [`${name}: ${labels.join(', ')}${more}${where(group, name, values, at[0] ?? 0)}`];
  });
  return [...gone, ...changed];
}

function where(group: Group, name: string, values: readonly unknown[], at: number): string {
  const file = flags.against === undefined ? undefined : pathOf(flags.against, group, name);
  if (file === undefined || !existsSync(file)) return '';
  const old: unknown = (JSON.parse(readFileSync(file, 'utf8')) as unknown[])[at];
  return `\n    ${firstDifference(old, readable(values[at])) ?? 'only the order of fields or very long words'}`;
}

function pathOf(target: string, group: Group, name: string): string {
  return join(target, group.name, `${name.replaceAll(/[^\w.#, -]+/g, '_')}.json`);
}

function dump(file: string, values: readonly unknown[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(values.map(readable), null, 1)}\n`);
}
