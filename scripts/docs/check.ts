// What can be wrong with a document beyond its generated parts: a link that leads nowhere, a program that runs nowhere, a
// page that no index lists, a name in the code that its page does not mention, a first page that is too long.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** All complaints about these documents, one sentence each. */
export function complaintsAbout(files: readonly string[]): string[] {
  return [
    ...files.flatMap(brokenLinks),
    ...files.flatMap(missingFiles),
    ...files.flatMap(untried),
    ...unlisted(files),
    ...mentions.flatMap(unsaid),
    ...tooLong('README.md', 150),
  ];
}

/** What a stranger reads first stays short. */
function tooLong(file: string, most: number): string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').length;
  return lines <= most
    ? []
    : [`${file} has ${lines} lines; it may have ${most}. Move what is not needed first to docs/.`];
}

function brokenLinks(file: string): string[] {
  const links = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(target)) return [`${file}: the link ${link} leads nowhere.`];
    const known = anchor === undefined || anchorsOf(target).includes(anchor);
    return known ? [] : [`${file}: ${target} has no heading #${anchor}.`];
  });
}

/** Headings as the addresses that they get on GitHub. */
function anchorsOf(file: string): string[] {
  return [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Files of the repository that are named in backticks. */
function missingFiles(file: string): string[] {
  const named = proseOf(file).matchAll(/`((?:src|docs|examples|scripts|test)\/[\w./-]+\.\w+)`/g);
  return [...named].flatMap(([, path = '']) => (existsSync(path) ? [] : [`${file}: there is no ${path}.`]));
}

const aFewLines = 3;

/** Programs on a page that are no example, and so run nowhere; a few lines may stand by themselves, and signatures. */
function untried(file: string): string[] {
  if (file.startsWith('docs/api/')) return [];
  const rest = readFileSync(file, 'utf8').replaceAll(/<!-- example \S+ -->[\s\S]*?<!-- end -->/g, '');
  const programs = [...rest.matchAll(/^```(?:ts|js|py)\n([\s\S]*?)\n```$/gm)].map(([, program = '']) =>
    program.split('\n'),
  );
  const long = programs.filter((lines) => lines.length > aFewLines);
  return long.map(([first]) => `${file}: this program is no file of examples/: ${first}`);
}

function proseOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

function unlisted(files: readonly string[]): string[] {
  const index = readFileSync('docs/README.md', 'utf8');
  const pages = files.filter((file) => file.startsWith('docs/') && file !== 'docs/README.md');
  return pages.flatMap((page) =>
    index.includes(`](${page.slice(5)})`) ? [] : [`docs/README.md does not list ${page}.`],
  );
}

const eventFiles = 'src/{agent/event,message/event,model/answer}.ts';

/** Where names of variables stand in lists. */
const variableFiles = 'src/{config/*,window/catalog}.ts';

type Mention = { pages: string; sources: string; pattern: RegExp };

/** Whatever a pattern finds in the sources, these pages have to name. */
const mentions: Mention[] = [
  { pages: 'docs/*.md', sources: 'src/index.ts', pattern: /(?<=^export \{[^}]*)\b\w+\b(?=[^}]*\})/gm },
  { pages: 'docs/configuration.md', sources: 'src/**/*.ts', pattern: /\bSIGHTLINE_[A-Z]+(?:_[A-Z]+)*\b/g },
  { pages: 'docs/configuration.md', sources: 'src/**/*.ts', pattern: /(?<=\benv(?:ironment)?\[')[A-Z]\w+(?='\])/g },
  { pages: 'docs/configuration.md', sources: variableFiles, pattern: /(?<=')[A-Z]+(?:_[A-Z\d]+)+(?=')/g },
  { pages: 'docs/agents.md', sources: eventFiles, pattern: /(?<=\btype: ')[\w-]+(?=')/g },
];

function unsaid({ pages, sources, pattern }: Mention): string[] {
  const text = globSync(pages)
    .map((page) => readFileSync(page, 'utf8'))
    .join('\n');
  const code = globSync(sources)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const names = new Set([...code.matchAll(pattern)].map(([name]) => name));
  return [...names].flatMap((name) =>
    new RegExp(`\\b${name}\\b`).test(text) ? [] : [`${pages} does not mention ${name}.`],
  );
}
