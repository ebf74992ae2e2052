// What a model reads of documents, against what pandoc understands of them.
//   npm run judge:reading                     writes docs/reading-quality.md; needs pandoc and the corpora
//   npm run judge:reading -- --check          only compares
//   npm run judge:reading -- --show FILE      prints what differs in one file
//   npm run judge:reading -- --in FOLDER      judges the documents of a folder and writes nothing
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { limits } from '../src/media/limits.ts';
import { extract } from '../src/media/document/extract.ts';
import type { DocumentKind } from '../src/media/document/kinds.ts';
import { argumentsOf } from './arguments.ts';
import type { Kind, Tally } from './judge/measure.ts';
import { added, kinds, shares, tallies } from './judge/measure.ts';
import { sources } from './judge/made.ts';
import { judgedPages } from './judge/pages.ts';
import type { Understood } from './judge/tree.ts';
import { understood } from './judge/tree.ts';

const page = 'docs/reading-quality.md';
const corpora = join(process.env['SIGHTLINE_SHARED'] ?? '../shared', 'corpora');
const shared = join(corpora, 'office');
const exceptions = JSON.parse(readFileSync('test/media/reading-exceptions.json', 'utf8')) as Record<string, string>;

/** What must be found again, and how much of what is there must belong there. */
const bars: Readonly<Record<Kind, readonly [recall: number, precision: number]>> = {
  headings: [0.97, 0.95],
  cells: [0.97, 0.95],
  items: [0.95, 0.95],
  notes: [0.97, 0.95],
  emphasis: [0.95, 0],
  links: [0.95, 0.95],
  words: [0.985, 0],
};

const titles: Readonly<Record<Kind, string>> = {
  headings: 'headings',
  cells: 'cells',
  items: 'items of lists, with their depth',
  notes: 'footnotes',
  emphasis: 'words set apart',
  links: 'links',
  words: 'words in order',
};

const markdown = 'gfm+footnotes+tex_math_dollars+strikeout';

function pandoc(args: readonly string[], input?: string): string {
  const options = {
    input,
    maxBuffer: 512 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'],
  };
  return execFileSync('pandoc', args, options).toString();
}

async function ours(path: string): Promise<Understood> {
  const kind = extname(path).slice(1) as DocumentKind;
  const options = { name: basename(path), pictures: false, limits, clean: true };
  const result = await extract({ ...options, kind, bytes: readFileSync(path) });
  if (!result.ok) throw new Error(result.refusal.what);
  return understood(pandoc(['-f', markdown, '-t', 'json'], result.value.markdown));
}

/** What was written into a made document, or what pandoc reads out of another. */
function theirs(path: string): Understood {
  const source = sources[basename(path, extname(path))];
  if (source !== undefined) return understood(pandoc(['-f', 'markdown', '-t', 'json'], source));
  return understood(pandoc(['-f', extname(path).slice(1), '-t', 'json', path]));
}

/** Formats that both read, besides those that hold no documents for people. */
const formats = ['docx', 'odt', 'rtf', 'html', 'epub'] as const;
/** The folder in which LibreOffice puts what it makes of the documents of the corpora. */
const converted = 'by LibreOffice';

/** Under which line of the table a file counts: by its format, and by who made it where that is another program. */
function groupOf(path: string): string {
  const format = extname(path).slice(1);
  return basename(dirname(path)) === converted ? `${format}, ${converted}` : format;
}

type Row = { files: number; tallies: Partial<Record<Kind, Tally>> };

async function judged(paths: readonly string[]): Promise<{ rows: Map<string, Row>; skipped: ReadonlySet<string> }> {
  const rows = new Map<string, Row>();
  const skipped = new Set<string>();
  for (const path of paths) {
    const name = basename(path);
    const format = groupOf(path);
    const found = await tallied(path);
    if (found === undefined) continue;
    for (const kind of kinds) {
      // By its name, by its name in every format, or by the line of the table it counts under.
      const keys = [name, basename(name, extname(name)), format];
      const key = keys.find((one) => exceptions[`${one} ${kind}`] !== undefined);
      if (key === undefined) continue;
      skipped.add(`${key}, ${titles[kind]}: ${exceptions[`${key} ${kind}`]}`);
      found[kind] = { there: 0, here: 0, same: 0 };
    }
    const row = rows.get(format) ?? { files: 0, tallies: {} };
    rows.set(format, row);
    row.files += 1;
    for (const kind of kinds) row.tallies[kind] = added(row.tallies[kind], found[kind]);
    for (const kind of kinds) {
      const { recall } = shares(found[kind]);
      if (recall < bars[kind][0])
        console.log(`  ${name} (${format}): ${titles[kind]} ${recall.toFixed(3)} of ${found[kind].there}`);
    }
  }
  return { rows, skipped };
}

/** Nothing for a file that one of both cannot read: what is refused is judged elsewhere. */
async function tallied(path: string): Promise<Record<Kind, Tally> | undefined> {
  try {
    return tallies(theirs(path), await ours(path));
  } catch (error) {
    console.log(
      `  ${basename(path)} is not compared: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
    );
    return undefined;
  }
}

function files(folder: string): string[] {
  const made = Object.entries(sources).flatMap(([name, source]) =>
    formats.map((format) => {
      const path = join(folder, `${name}.${format}`);
      const own = format === 'html' || format === 'epub' ? ['--mathml'] : [];
      const title = /^# (.*)$/m.exec(source)?.[1]?.replaceAll('*', '') ?? name;
      pandoc(['-f', 'markdown', '-s', '--metadata', `pagetitle=${title}`, ...own, '-o', path], source);
      return path;
    }),
  );
  const given = existsSync(shared) ? readdirSync(shared, { recursive: true, encoding: 'utf8' }) : [];
  const corpus = given.filter((name) => name.endsWith('.docx')).map((name) => join(shared, name));
  return [...made, ...corpus, ...byLibreOffice(corpus, folder)];
}

/** The documents of the corpora in the other formats, as another program writes them; none where it is not installed. */
function byLibreOffice(corpus: readonly string[], folder: string): string[] {
  const out = join(folder, converted);
  const sound = corpus.filter((path) => !/clusterfuzz|crash|password|protected|called/.test(basename(path)));
  try {
    for (const format of formats.filter((one) => one !== 'docx')) {
      const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
      const args = ['--headless', profile, '--convert-to', format, '--outdir', out, ...sound];
      execFileSync('soffice', args, { stdio: 'ignore', timeout: 300_000 });
    }
  } catch {
    console.log(
      'Documents by LibreOffice are not judged: it is not installed (apt-get install libreoffice-writer-nogui).',
    );
  }
  return documentsIn(out);
}

/** Every document below a folder that pandoc can read. */
function documentsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .filter((name) => formats.some((format) => name.endsWith(`.${format}`)))
    .map((name) => join(folder, name));
}

function failures(rows: ReadonlyMap<string, Row>): string[] {
  return [...rows].flatMap(([format, row]) =>
    kinds.flatMap((kind) => {
      const tally = row.tallies[kind];
      if (tally === undefined || (tally.there === 0 && tally.here === 0)) return [];
      const { recall, precision } = shares(tally);
      const [least, purest] = bars[kind];
      const low = recall < least || (tally.there > 0 && precision < purest);
      return low ? [`${format}: ${titles[kind]} ${figure(tally)}, wanted ${least}/${purest}`] : [];
    }),
  );
}

function figure(tally: Tally | undefined): string {
  if (tally === undefined || tally.there === 0) return '–';
  const { recall, precision } = shares(tally);
  return `${recall.toFixed(3)} / ${precision.toFixed(3)} (${tally.there})`;
}

function written(rows: ReadonlyMap<string, Row>, skipped: ReadonlySet<string>): string {
  const head = ['format', 'files', ...kinds.map((kind) => titles[kind])];
  const lines = [...rows].map(([format, { files: count, tallies: own }]) => [
    format,
    String(count),
    ...kinds.map((kind) => figure(own[kind])),
  ]);
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const left =
    skipped.size === 0
      ? ''
      : `\nNot compared, because pandoc itself is wrong there:\n\n${[...skipped].map((one) => `- ${one}`).join('\n')}\n`;
  return `# How much of a document is read?\n\nWritten by \`npm run judge:reading\`. Documents of the corpora are read by Sightline and by pandoc, as they are and, where\nLibreOffice is installed, as it writes them in other formats; made ones are written by pandoc from the Markdown in\n\`scripts/judge/made.ts\` and read by Sightline. All are taken apart by pandoc. A figure is how much of what should be there is\nthere, how much of what is there should be, and how many there should be. In text frames, which pandoc does not look into,\nSightline finds more.\n\n${table}\n${left}`;
}

async function run(): Promise<void> {
  const { values: flags } = argumentsOf(import.meta.filename, {
    check: { type: 'boolean' },
    show: { type: 'string' },
    in: { type: 'string' },
  });
  try {
    pandoc(['--version']);
  } catch {
    console.log('judge:reading is skipped: pandoc is not installed (apt-get install pandoc).');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sightline-judge-'));
  try {
    if (flags.show !== undefined && existsSync(flags.show)) return await show(flags.show);
    const paths = flags.in === undefined ? files(folder) : documentsIn(flags.in);
    if (flags.show !== undefined) return await show(paths.find((path) => path.endsWith(`/${flags.show}`)) ?? '');
    const { rows, skipped } = await judged(paths);
    const pdf = flags.in === undefined ? await judgedPages(corpora) : { text: '', low: [] };
    const text = `${written(rows, skipped)}\n${pdf.text}`;
    if (!flags.check && flags.in === undefined) writeFileSync(page, text);
    console.log(text);
    const low = [...failures(rows), ...pdf.low];
    for (const line of low) console.log(`too low: ${line}`);
    process.exitCode = low.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function show(path: string): Promise<void> {
  const [there, here] = [theirs(path), await ours(path)];
  for (const kind of kinds.filter((one) => one !== 'words')) {
    const missing = there[kind].filter((one) => !here[kind].includes(one));
    const surplus = here[kind].filter((one) => !there[kind].includes(one));
    if (missing.length + surplus.length > 0)
      console.log(kind, { missing: missing.slice(0, 20), surplus: surplus.slice(0, 20) });
  }
}

await run();
