// Time and memory against other libraries, which are installed first. Prints the tables and writes bench/results.json and
// docs/benchmarks.md; sections that were not run again keep the figures and the date they had.
//   npm run bench                          all comparisons
//   npm run bench -- scale fetch           those alone
//   npm run bench -- --repetitions 3       each so often, not 7 times
//   npm run bench -- --dry                 with what is installed; writes nothing
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from '../scripts/arguments.ts';
import { compareBundles } from './bundle.ts';
import { compareDecoding } from './decode/compare.ts';
import { compareFetch } from './fetch/compare.ts';
import { compareGateways } from './gateway/compare.ts';
import { compareGrowth } from './growth/compare.ts';
import { compareInspector } from './inspector/compare.ts';
import { compareNormalising } from './normalise/compare.ts';
import { installPeers } from './install.ts';
import { machine, markdown, plainText } from './report.ts';
import type { Section } from './report.ts';
import { compareReading } from './reading/compare.ts';
import { compareRequests } from './request/compare.ts';
import { compareScale } from './scale/compare.ts';
import { compareSessions } from './session.ts';
import { compareStarts } from './start/compare.ts';
import { compareTools } from './tools/compare.ts';

/** What a comparison gives back; date and machine are the run's to say. */
export type Comparison = (repetitions: number) => Promise<Omit<Section, 'date' | 'machine'>>;

const comparisons: { [name: string]: Comparison } = {
  request: compareRequests,
  decode: compareDecoding,
  fetch: compareFetch,
  gateway: compareGateways,
  reading: compareReading,
  growth: compareGrowth,
  normalise: compareNormalising,
  inspector: compareInspector,
  session: compareSessions,
  scale: compareScale,
  start: compareStarts,
  bundle: compareBundles,
  tools: compareTools,
};

const { values, positionals } = argumentsOf(
  import.meta.filename,
  { repetitions: { type: 'string', default: '7' }, dry: { type: 'boolean' } },
  { words: true },
);
const unknown = positionals.find((name) => !Object.hasOwn(comparisons, name));
if (unknown !== undefined) {
  console.error(`There is no comparison "${unknown}"; there are ${Object.keys(comparisons).join(', ')}.`);
  process.exit(2);
}

const trouble = values.dry ? undefined : installPeers();
if (trouble !== undefined) {
  console.error(`Nothing is compared: ${trouble}`);
  process.exit(2);
}

const resultsFile = new URL('results.json', import.meta.url);
const sections: { [name: string]: Section } = existsSync(resultsFile)
  ? JSON.parse(readFileSync(resultsFile, 'utf8'))
  : {};
for (const [name, compare] of Object.entries(comparisons)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stderr.write(`${name}\n`);
  const place = { date: new Date().toISOString().slice(0, 10), machine: machine() };
  const section = { ...(await compare(Number(values.repetitions))), ...place };
  sections[name] = section;
  console.log(`\n${plainText(section)}\n`);
}
if (values.dry) process.exit();
writeFileSync(resultsFile, `${JSON.stringify(sections, undefined, 2)}\n`);
const docs = new URL('../docs/', import.meta.url);
mkdirSync(docs, { recursive: true });
const page = new URL('benchmarks.md', docs);
const inOrder = Object.keys(comparisons).flatMap((name) => sections[name] ?? []);
writeFileSync(page, markdown(inOrder, 'npm run bench'));

// The figures are kept in the repository, so they are formatted like everything else there.
const formatter = fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url));
spawnSync(formatter, [fileURLToPath(resultsFile)], { stdio: ['ignore', 'ignore', 'inherit'] });
