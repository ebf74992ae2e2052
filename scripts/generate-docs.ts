// Writes the parts of the documents that are made from the code: tables from the catalog, the settings and the limits,
// snippets from the examples. A part stands between `<!-- name argument -->` and `<!-- end -->`.
//   npm run docs                writes them
//   npm run docs -- --check     changes nothing; fails when a document is out of date or a link leads nowhere
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { limits as readingLimits } from '../src/media/limits.ts';
import { limits as executableLimits } from '../src/toolbox/executable/limits.ts';
import { catalogDate } from '../src/window/catalog.ts';
import { argumentsOf } from './arguments.ts';
import { apiPages } from './docs/api.ts';
import { complaintsAbout } from './docs/check.ts';
import { commandTables, keyTable, slashTable } from './docs/commands.ts';
import { compareTable } from './docs/compare.ts';
import { dependencyTable, partTables } from './docs/dependencies.ts';
import { eyesightPart } from './docs/eyesight.ts';
import { limitTable, namedTable } from './docs/source.ts';
import { stagePicture } from './docs/stages.ts';
import {
  capabilityTable,
  endpointTable,
  placementTable,
  referenceTable,
  toolTable,
  variableTable,
} from './docs/tables.ts';

function snippet(file: string): string {
  const language = file.split('.').at(-1) ?? '';
  return `\`\`\`${language}\n${readFileSync(`examples/${file}`, 'utf8').trim()}\n\`\`\``;
}

const parts: Record<string, (argument: string) => string> = {
  placements: placementTable,
  endpoints: endpointTable,
  capabilities: capabilityTable,
  variables: variableTable,
  tools: toolTable,
  references: referenceTable,
  commands: commandTables,
  slashes: slashTable,
  chatkeys: keyTable,
  limits: () => limitTable(readingLimits, 'src/media/limits.ts'),
  executables: () => limitTable(executableLimits, 'src/toolbox/executable/limits.ts'),
  keys: namedTable('key'),
  codes: namedTable('code'),
  actions: namedTable('action'),
  date: () => `Facts as of ${catalogDate}.`,
  example: snippet,
  compare: compareTable,
  dependencies: (of) => (of === 'parts' ? partTables() : dependencyTable(of)),
  eyesight: eyesightPart,
};

/** A document with its parts as they should be. */
function renewed(text: string): string {
  return text.replace(/<!-- (\w+) ?(\S*) -->\n[\s\S]*?<!-- end -->/g, (whole, name: string, argument: string) => {
    const make = parts[name];
    return make ? `<!-- ${name}${argument && ` ${argument}`} -->\n${make(argument)}\n<!-- end -->` : whole;
  });
}

const { check: checking = false } = argumentsOf(import.meta.filename, { check: { type: 'boolean' } }).values;
const files = ['README.md', 'AGENTS.md', 'CHANGELOG.md', 'SECURITY.md', ...globSync('docs/*.md').toSorted()];
const api = apiPages();
const complaints = [...api.complaints];
const made = [
  ...files.map((file) => ({ file, text: renewed(readFileSync(file, 'utf8')) })),
  { file: 'docs/images/stages.svg', text: stagePicture() },
  ...api.pages,
];
mkdirSync('docs/api', { recursive: true });
for (const { file, text } of made) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (checking) complaints.push(`${file} is out of date. Run \`npm run docs\`.`);
  else writeFileSync(file, text);
}
const apiFiles = api.pages.map(({ file }) => file);
for (const file of globSync('docs/api/*.md').filter((each) => !apiFiles.includes(each))) {
  if (checking) complaints.push(`${file} belongs to no door. Run \`npm run docs\`.`);
  else rmSync(file);
}
complaints.push(...complaintsAbout([...files, ...apiFiles]));
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
