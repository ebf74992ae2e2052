// Reading files: against the library that decodes the pictures, against the native programs for PDFs, and against what
// other agents use. Each pair does the same work on the same file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleave, show, spread, verdict } from '../harness.ts';
import type { Job } from '../harness.ts';
import type { Table } from '../report.ts';
import type { Comparison } from '../run.ts';
import { makeInputs } from './inputs.ts';
import type { Inputs } from './inputs.ts';
import type { Taken, Way } from './task.ts';

type Row = { what: string; file: keyof Inputs; ours: string; theirs: string; needs?: string; calls?: number };

const rows: Row[] = [
  { what: '12 MP photograph (JPEG)', file: 'photo', ours: 'Sightline, read()', theirs: 'bare sharp' },
  { what: '4K screenshot (PNG)', file: 'screen', ours: 'Sightline, read()', theirs: 'bare sharp' },
  { what: '2880×1800 screenshot (PNG)', file: 'shot', ours: 'Sightline, read()', theirs: "pi's read tool" },
  {
    what: 'text of 500 PDF pages',
    file: 'book',
    ours: 'Sightline, all the text',
    theirs: 'pdftotext',
    needs: 'pdftotext',
  },
  { what: 'the same text, laid out', file: 'book', ours: 'Sightline, all the text', theirs: 'bare PDFium' },
  { what: 'the same text', file: 'book', ours: 'Sightline, all the text', theirs: 'pdf.js' },
  {
    what: '20 PDF pages at 150 dpi',
    file: 'book',
    ours: 'Sightline, 20 pages drawn',
    theirs: 'pdftoppm, raw',
    needs: 'pdftoppm',
  },
  { what: '5 pages out of 2000', file: 'tome', ours: 'Sightline, 5 pages cut out', theirs: 'qpdf', needs: 'qpdf' },
  { what: 'Word document, 168 000 characters', file: 'letter', ours: 'Sightline, read()', theirs: 'mammoth', calls: 3 },
  { what: 'the same document', file: 'letter', ours: 'Sightline, read()', theirs: 'officeparser', calls: 3 },
];

const bombs: [string, keyof Inputs][] = [
  ['PNG that says 50 000 × 50 000', 'bomb'],
  ['Word document that says 1.5 GB', 'zipBomb'],
];

export const compareReading: Comparison = async (repetitions) => {
  if (!existsSync(new URL('../../dist/index.js', import.meta.url))) {
    throw new Error('There is no dist/; run `npm run build` first.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  try {
    const inputs = await makeInputs(folder);
    const here = rows.filter(({ needs }) => needs === undefined || installed(needs));
    const job = (name: string, way: string, file: keyof Inputs, calls = 1): Job => {
      const input: Way = { way, path: inputs[file], times: 3, calls };
      return { name, module: new URL('task.ts', import.meta.url), input };
    };
    const jobs = here.flatMap(({ what, file, ours, theirs, calls }) => [
      job(`${what}: ${ours}`, ours, file, calls),
      job(`${what}: ${theirs}`, theirs, file, calls),
    ]);
    jobs.push(...bombs.map(([what, file]) => job(what, 'Sightline, read()', file)));
    const results = await interleave<Taken>(jobs, repetitions);
    const of = (name: string, field: 'wallMs' | 'cpuMs') =>
      spread((results.get(name) ?? []).flatMap((taken) => taken[field]));
    const table: Table = {
      caption: 'The same work',
      columns: ['what', 'Sightline, ms', 'CPU, ms', 'against', 'ms', 'CPU, ms', 'wall, ratio', 'CPU, ratio'],
      rows: here.map(({ what, ours, theirs }) => {
        const [a, b] = [`${what}: ${ours}`, `${what}: ${theirs}`];
        const ratio = (field: 'wallMs' | 'cpuMs'): string => (of(a, field).median / of(b, field).median).toFixed(2);
        return [
          what,
          show(of(a, 'wallMs')),
          show(of(a, 'cpuMs')),
          theirs,
          show(of(b, 'wallMs')),
          show(of(b, 'cpuMs')),
          ratio('wallMs'),
          ratio('cpuMs'),
        ];
      }),
    };
    const refused: Table = {
      caption: 'Refused',
      columns: ['what', 'ms', 'added memory, MB'],
      rows: bombs.map(([what]) => {
        const added = spread((results.get(what) ?? []).map((taken) => taken.addedMb));
        return [what, show(of(what, 'wallMs'), 1), show(added, 1)];
      }),
    };
    return {
      title: 'Reading files',
      about: [
        'Files are made for the run. Sightline is measured as it is installed (`dist/`). Every process reads its file once to warm up and three times for the figures (the Word document three times for each of them); the decoders of ' +
          'Sightline work in a child process, whose start is therefore not counted, but whose CPU time is. Pictures end as PNG or ' +
          'JPEG of at most 2000 px on both sides; Sightline also checks them and hands them over from the child. The native programs ' +
          'are whole processes: their start is counted, about 5 ms. A ratio below 1 means that Sightline needs less.',
      ],
      tables: [table, refused],
      notes: here.map(
        ({ what, ours, theirs }) =>
          `${what}, against ${theirs}: CPU time ${verdict(of(`${what}: ${ours}`, 'cpuMs'), of(`${what}: ${theirs}`, 'cpuMs'))}.`,
      ),
      raw: Object.fromEntries(results),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};

function installed(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`  ${program} is not installed; what needs it is left out\n`);
    return false;
  }
}
