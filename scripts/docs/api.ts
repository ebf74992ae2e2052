// The pages of `docs/api/`: every name that a door of the package gives, with the sentence above it in the source, its
// signature, and where it is used. A public name without a sentence is a complaint.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a door gives under one name. */
type PublicName = { name: string; file: string; words: string; signature: string; isType: boolean };

type Declared = { words: string; signature: string; isType: boolean };

const sources = new Map<string, string>();

function source(file: string): string {
  const known = sources.get(file) ?? readFileSync(file, 'utf8');
  sources.set(file, known);
  return known;
}

/** The doors as people import them, with the source of each. */
export function doors(): { door: string; file: string }[] {
  const { exports } = JSON.parse(source('package.json')) as { exports: Record<string, string | { default: string }> };
  return Object.entries(exports).flatMap(([path, target]) => {
    const built = typeof target === 'string' ? target : target.default;
    const file = built.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts');
    return file === built ? [] : [{ door: path.replace('.', 'sightline'), file }];
  });
}

/** Every name that a module exports, found where it is declared. */
function namesOf(file: string): PublicName[] {
  const text = source(file);
  const own = [...text.matchAll(/^export (?:declare )?(?:async )?(?:function\*?|const|type|class|interface) (\w+)/gm)];
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm)];
  const all = [...text.matchAll(/^export \* from '([^']+)'/gm)];
  return [
    ...own.map(([, name = '']) => found(name, name, file)),
    ...lists.flatMap(([, list = '', from]) =>
      list
        .split(',')
        .map((each) => each.trim().replace(/^type /, ''))
        .filter((each) => each !== '')
        .map((each) => {
          const [inner = '', outer = inner] = each.split(' as ');
          return found(outer, inner, from === undefined ? file : join(dirname(file), from));
        }),
    ),
    ...all.flatMap(([, from = '']) => namesOf(join(dirname(file), from))),
  ];
}

function found(name: string, inner: string, file: string): PublicName {
  const declared = declaredIn(inner, file);
  const later = /^const \w+: typeof (\w+);$/.exec(declared?.signature ?? '')?.[1]; // a function that is loaded by its first call
  if (declared && later === undefined) return { name, file, ...declared };
  if (declared && later !== undefined) return { ...found(name, later, file), words: declared.words, file };
  const [, list = '', from] =
    [...source(file).matchAll(/^(?:export|import) (?:type )?\{([^}]*)\} from '([^']+)'/gm)].find(([, names = '']) =>
      new RegExp(`\\b${inner}\\b`).test(names),
    ) ?? [];
  if (from === undefined) throw new Error(`${file}: nobody declares ${inner}.`);
  const before = new RegExp(`(\\w+) as ${inner}\\b`).exec(list)?.[1] ?? inner;
  return found(name, before, join(dirname(file), from));
}

/** A declaration as its file writes it, without what it does. */
function declaredIn(name: string, file: string): Declared | undefined {
  const text = source(file);
  const kinds = '(?:export )?(?:declare )?(?:async )?(function\\*?|const|type|class|interface)';
  const start = [...text.matchAll(new RegExp(`^${kinds} ${name}\\b`, 'gm'))];
  const [first] = start;
  if (!first) return undefined;
  const isType = first[1] === 'type' || first[1] === 'interface';
  const above = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(text.slice(0, first.index))?.[1] ?? '';
  const signatures = start.map(({ index, 1: kind = '' }) => signature(text.slice(index), kind));
  const shown = signatures.length > 1 ? signatures.slice(0, -1) : signatures; // the last one only does it
  return { words: wordsOf(above), signature: shown.join('\n'), isType };
}

function wordsOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** From the name to where the body, the value or the statement ends. */
function signature(rest: string, kind: string): string {
  const lines = rest.split('\n');
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    const plain = line.replace(/'[^']*'|`[^`]*`|\/\/.*$|\/\*.*?\*\//g, '').trimEnd();
    const opens = kind !== 'type' && plain.endsWith('{');
    const inside = opens ? plain.slice(0, -1) : plain;
    for (const letter of inside) depth += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0;
    const isOver = depth === 0 && (opens || plain.endsWith(';'));
    if (isOver) {
      const whole = lines
        .slice(0, at + 1)
        .join('\n')
        .replace(/^export /, '')
        .replace(/ \{$/, ';');
      return kind === 'const' ? whole.replace(/ =(?: [\s\S]*|;)?$/, ';') : whole;
    }
    if (opens) depth += 1;
  }
  return lines[0] ?? '';
}

const examples = globSync('examples/**/*.{ts,tsx,mjs}', { exclude: ['**/node_modules/**'] }).toSorted();

/** The first example that imports a name, or the page whose code names it. */
function usedIn(name: string): string | undefined {
  const imported = new RegExp(`^import [^;]*\\{[^}]*\\b${name}\\b[^}]*\\} from 'sightline`, 'm');
  const example = examples.find((file) => imported.test(source(file)));
  if (example) return `[${basename(example)}](../../${example})`;
  const written = new RegExp(`\`${name}(?:\\(|\`)|^(?! *[-|*]).*\\b${name}\\(`, 'm');
  const page = pages.find((file) => written.test(source(file)));
  return page && `[${/^# (.*)/m.exec(source(page))?.[1] ?? page}](../${basename(page)})`;
}

const pages = globSync('docs/*.md')
  .filter((file) => !/README|matrix|benchmarks|upgrading|mistakes/.test(file)) // the last two have names of before, and wrong ones
  .toSorted();

/** The pages of all doors, and what is missing on them. A name that several doors give stands on the page of the first. */
export function apiPages(): { pages: { file: string; text: string }[]; complaints: string[] } {
  const first = new Map<string, string>();
  const given = doors().map(({ door, file }) => {
    const page = `${door.replaceAll('/', '-')}.md`;
    const names = namesOf(file).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const own = names.filter(({ name }) => !first.has(name));
    const also = names.filter(({ name }) => first.has(name)).map(({ name }) => link(name, first.get(name)));
    for (const { name } of own) first.set(name, page);
    return { door, file, page, own, also };
  });
  const all = given.flatMap(({ own }) => own);
  const complaints = given.flatMap(({ door, own }) =>
    own.flatMap(({ file, ...each }) => [
      ...(each.words === '' ? [`${file}: ${each.name}, which ${door} gives, has no sentence above it.`] : []),
      ...(isShown({ file, ...each }, all)
        ? []
        : [`${file}: nothing shows how ${each.name}, which ${door} gives, is used.`]),
    ]),
  );
  const made = given.map(({ door, file, page, own, also }) => {
    const about = (/^((?:\/\/.*\n)+)/.exec(source(file))?.[1] ?? '').replaceAll(/^\/\/ ?/gm, '');
    const sections = [...own.filter(({ isType }) => !isType), ...own.filter(({ isType }) => isType)];
    const parts = [
      `# \`${door}\``,
      ...(about === '' ? [] : [about.trim()]),
      'Made from the source by `npm run docs`.',
      ...(also.length > 0 ? [`From other pages: ${also.join(', ')}.`] : []),
      ...sections.map((each) =>
        section(each, [...own, ...all], (name) => link(name, first.get(name) === page ? '' : first.get(name))),
      ),
    ];
    return { file: `docs/api/${page}`, text: `${parts.join('\n\n')}\n` };
  });
  return { pages: made, complaints };
}

/** A function has an example or a page that names it; a type at least somebody who takes or gives it. */
function isShown(each: PublicName, all: readonly PublicName[]): boolean {
  const isUsed = usedIn(each.name) !== undefined || each.words.includes('@example');
  return isUsed || (each.isType && userOf(each, all) !== undefined);
}

function link(name: string, page = ''): string {
  return `[${name}](${page}#${name.toLowerCase()})`;
}

function section(each: PublicName, others: readonly PublicName[], linked: (name: string) => string): string {
  const [words = '', example] = each.words.split(/\n*@example\n/);
  const user = userOf(each, others);
  const used = usedIn(each.name) ?? (user === undefined ? undefined : linked(user));
  return [
    `## ${each.name}`,
    words,
    code(each.signature),
    ...(example === undefined ? [] : [code(example)]),
    ...(used === undefined ? [] : [`In use: ${used}.`]),
  ].join('\n\n');
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/** A type that no example names is found where it is taken or given. */
function userOf({ name }: PublicName, others: readonly PublicName[]): string | undefined {
  return others.find((each) => each.name !== name && new RegExp(`\\b${name}\\b`).test(each.signature))?.name;
}
