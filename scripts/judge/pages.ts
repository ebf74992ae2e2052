// PDFs in, how well their words and tables come in order out: pages of the corpora beside what poppler and mupdf read of
// them, and made pages, other ones than any test has, beside what was put on them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '../../src/media/index.ts';
import { cellsIn, inOrder, pageKinds, pageTexts, wordsIn } from '../../test/media/pdf-kinds.ts';
import { wordMaker } from '../../test/media/pdf-page-make.ts';
import { wordsInOrder } from './measure.ts';

/** Made pages of these seeds were never looked at while the reader was written. */
const heldOut = [1009, 2003, 3001];
/** What made pages must reach: order, cells. */
const bars = { order: 0.99, cells: 0.95 } as const;
const fewestWords = 30;
const longestMs = 10_000;

/** The part of the page about PDFs, and what in it is too low. */
export async function judgedPages(shared: string): Promise<{ text: string; low: string[] }> {
  const made = await madePages();
  const lines = [
    '## PDF',
    '',
    `Made pages (${pageKinds.length} kinds: columns, side bars, tables with lines and without, an invoice, a form, turned, Hebrew; ${heldOut.length} of each, none of them in a test): words in order ${made.order.toFixed(3)}, cells ${made.cells.toFixed(3)}.`,
  ];
  const low = [
    ...(made.order < bars.order
      ? [`PDF, made pages: words in order ${made.order.toFixed(3)}, wanted ${bars.order}`]
      : []),
    ...(made.cells < bars.cells ? [`PDF, made pages: cells ${made.cells.toFixed(3)}, wanted ${bars.cells}`] : []),
  ];
  if (!installed('pdftotext') || !installed('mutool')) {
    console.log('PDFs of the corpora are not compared: poppler-utils and mupdf-tools are not installed.');
    return { text: `${lines.join('\n')}\n`, low };
  }
  const found = await comparedPages(join(shared, 'pdf'));
  if (found.files === 0) return { text: `${lines.join('\n')}\n`, low };
  const share = (pair: keyof Compared): string => (found.shares[pair] / found.files).toFixed(3);
  lines.push(
    '',
    `${found.files} PDFs of the corpora, first five pages, how much of the words of both stands in the same order, mean over the files:`,
    '',
    '| | pdftotext | mutool |',
    '| --- | --- | --- |',
    `| Sightline | ${share('poppler')} | ${share('mupdf')} |`,
    `| pdftotext | | ${share('both')} |`,
  );
  if (Math.max(found.shares.poppler, found.shares.mupdf) < found.shares.both)
    low.push(
      `PDF: nearer to neither pdftotext (${share('poppler')}) nor mutool (${share('mupdf')}) than they are to each other (${share('both')})`,
    );
  return { text: `${lines.join('\n')}\n`, low };
}

async function madePages(): Promise<{ order: number; cells: number }> {
  let [order, pages, right, cells] = [0, 0, 0, 0];
  for (const seed of heldOut) {
    const made = pageKinds.map(([, make], at) => make(wordMaker(seed + at), seed + at));
    const texts = await pageTexts(made, seed);
    for (const [at, page] of made.entries()) {
      const text = texts[at] ?? '';
      const share = inOrder(page.words, wordsIn(text));
      const got = cellsIn(text);
      const wanted = page.cells ?? [];
      const same = wanted.flatMap((row, line) => row.filter((cell, column) => got[line]?.[column] === cell)).length;
      if (share < bars.order || same < wanted.flat().length * bars.cells)
        console.log(
          `  ${pageKinds[at]?.[0] ?? ''}, seed ${seed}: order ${share.toFixed(3)}, ${same} of ${wanted.flat().length} cells`,
        );
      order += share;
      pages += 1;
      right += same;
      cells += wanted.flat().length;
    }
  }
  return { order: order / pages, cells: right / cells };
}

type Compared = { poppler: number; mupdf: number; both: number };

async function comparedPages(folder: string): Promise<{ files: number; shares: Compared }> {
  const shares: Compared = { poppler: 0, mupdf: 0, both: 0 };
  let files = 0;
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : [];
  for (const name of names) {
    const path = join(folder, name);
    const poppler = plain(printed('pdftotext', ['-q', '-l', '5', path, '-']));
    const mupdf = plain(printed('mutool', ['draw', '-q', '-F', 'txt', path, '1-5']));
    if (poppler.length < fewestWords || mupdf.length < fewestWords) continue;
    const result = await read(path, { as: 'text', pages: '1-5', limits: { outputCharacters: 10_000_000 } });
    const ours = result.ok ? plain(bare(result.value.output)) : [];
    if (ours.length < fewestWords) continue;
    const own = { poppler: agreement(poppler, ours), mupdf: agreement(mupdf, ours), both: agreement(poppler, mupdf) };
    if (Math.max(own.poppler, own.mupdf) < own.both - 0.05)
      console.log(`  ${name}: ${own.poppler.toFixed(3)} and ${own.mupdf.toFixed(3)}, they ${own.both.toFixed(3)}`);
    files += 1;
    shares.poppler += own.poppler;
    shares.mupdf += own.mupdf;
    shares.both += own.both;
  }
  return { files, shares };
}

/** How much of the words of both stands in the same order. */
function agreement(one: readonly string[], other: readonly string[]): number {
  return wordsInOrder(one, other) / Math.max(one.length, other.length);
}

/** Our words without what the other two do not tell: notes, fields, comments, targets, the signs of Markdown. */
function bare(output: string): string {
  return output
    .slice(Math.max(0, output.indexOf('--- Page')))
    .replaceAll(/^\[Form fields\]\n(?:.+\n?)*/gm, '')
    .replaceAll(/^--- Page \d+ ---$/gm, '')
    .replaceAll(/\{>>[^]*?<<\}/g, '')
    .replaceAll(/\]\([^()\s]*\)/g, ' ')
    .replaceAll(/\[[ x]\]/g, ' ');
}

/** Words of letters and digits alone: hyphens, ligatures and signs are written in many ways. */
function plain(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .replaceAll(/(?<=\p{Ll})[-\u00ad]\n(?=\p{Ll})/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, 20_000);
}

function printed(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: longestMs,
      maxBuffer: 64 * 1024 * 1024,
    }).toString();
  } catch {
    return ''; // what it cannot read is judged elsewhere
  }
}

function installed(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
