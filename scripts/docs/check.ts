// What can be wrong with a document beyond its generated parts: a link that leads nowhere, a page that no index lists, a
// name in the code that its page does not mention.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** All complaints about these documents, one sentence each. */
export function complaintsAbout(files: readonly string[]): string[] {
  return [
    ...files.flatMap(brokenLinks),
    ...files.flatMap(missingFiles),
    ...unlisted(files),
    ...mentions.flatMap(unsaid),
  ];
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

type Mention = { page: string; sources: string; pattern: RegExp };

/** Whatever a pattern finds in the sources, its page has to name. */
const mentions: Mention[] = [
  { page: 'docs/configuration.md', sources: 'src/**/*.ts', pattern: /\bSIGHTLINE_[A-Z]+(?:_[A-Z]+)*\b/g },
  { page: 'docs/agents.md', sources: 'src/{agent,message}/event.ts', pattern: /(?<=\{ type: ')[\w-]+(?=')/g },
  {
    page: 'docs/agents.md',
    sources: 'src/model/answer.ts',
    pattern: /(?<=^ +(?:\| \{ )?type: ')request-[\w-]+(?=')/gm,
  },
];

function unsaid({ page, sources, pattern }: Mention): string[] {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const names = globSync(sources).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([name]) => name),
  );
  return [...new Set(names)].flatMap((name) => (text.includes(name) ? [] : [`${page} does not mention ${name}.`]));
}
