// How long documents take now against another commit. Both readers work in this process, by turns, on the documents of the
// corpora in ../shared; what is compared is processor time, so that a busy machine changes little.
//   npx node bench/reading/before.ts <commit>
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentsOf } from '../../scripts/arguments.ts';

type Reader = (input: {
  kind: string;
  bytes: Uint8Array;
  name: string;
  pictures: boolean;
  limits: object;
}) => Promise<unknown>;
type State = { extract: Reader; limits: object };

const [rounds, times] = [15, 4];
const shared = join(process.env['SIGHTLINE_SHARED'] ?? '../shared', 'corpora/office');

async function stateIn(folder: string): Promise<State> {
  const file = async (path: string): Promise<State> => import(pathToFileURL(join(folder, path)).href);
  const [{ extract }, { limits }] = [await file('src/media/document/extract.ts'), await file('src/media/limits.ts')];
  return { extract, limits };
}

async function cpu({ extract, limits }: State, kind: string, files: readonly Buffer[]): Promise<number> {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time += 1)
    for (const bytes of files) await extract({ kind, bytes, name: `x.${kind}`, pictures: false, limits });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

const [commit] = argumentsOf(import.meta.filename, {}, { words: true }).positionals;
if (commit === undefined || !existsSync(shared)) {
  console.error('Give a commit; the corpora must lie in ../shared, or where SIGHTLINE_SHARED points.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'sightline-before-'));
try {
  const packed = execFileSync('git', ['archive', commit, 'src', 'package.json'], { maxBuffer: 1 << 28 });
  execFileSync('tar', ['x', '-C', folder], { input: packed });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const [now, before] = [await stateIn(resolve('.')), await stateIn(folder)];
  for (const kind of ['docx', 'pptx', 'xlsx']) {
    const names = readdirSync(shared).filter(
      (name) => name.endsWith(`.${kind}`) && !/poc|clusterfuzz|called/.test(name),
    );
    const files = names.map((name) => readFileSync(join(shared, name)));
    const ratios: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const both = [await cpu(now, kind, files), await cpu(before, kind, files)];
      if (round > 0) ratios.push((both[0] ?? 0) / (both[1] ?? 1)); // the first only warms up
    }
    console.log(`${kind}, ${files.length} files: ${median(ratios).toFixed(2)} × the time of ${commit}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
