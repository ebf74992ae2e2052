// Says at the end of a run which tests were left out, and why: what a machine lacks is read from the condition they stand under.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { effort, takesLong } from './effort.ts';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

const shared = 'the shared corpora are not here (SIGHTLINE_SHARED names their folder)';

/** Words of a condition, and what is missing where it does not hold. */
const reasons: readonly (readonly [words: RegExp, why: string])[] = [
  [/chromium|browser/i, 'no Chromium is installed (apt-get install chromium)'],
  [/built/i, 'the package is not built (npm run build)'],
  [/runtime/, 'workerd is not installed (.ci/run brings it with test/edge)'],
  [/otherRuntimes/, 'Node 22.19, Bun and Deno are not installed (npm install --no-save --prefix test/runtimes)'],
  [/withoutEyes/, 'the reading programs are not installed (npm run eyesight brings them)'],
  [/isLong|isWhole/, takesLong],
  [/hasTmux/, 'tmux is not installed'],
  [/hasFonts/, 'no fonts are installed (apt-get install fonts-dejavu)'],
  [/canReadPictures/, 'the part "ocr" is not installed (npm run bring)'],
  [/hasRussian/, 'tesseract has no Russian here (apt-get install tesseract-ocr-rus)'],
  [/hasS3/, 'no S3 server is installed (apt-get install radosgw ceph-mon ceph-osd ceph-common)'],
  [/hasPgBouncer/, 'PgBouncer is not installed (apt-get install pgbouncer)'],
  [/qpdf/, 'qpdf is not installed'],
  [/isMounted/, 'only root on Linux can mount a disk that is full'],
  [/becomesAnother/, 'only root becomes another user, who has to reach these files'],
  [/SIGHTLINE_JUDGES/, 'npm run judge:mcp runs it'],
  [/hasTelemetrySdk/, 'the SDK of OpenTelemetry is not installed (npm install --no-save --prefix test/telemetry)'],
  [/hasDbos/, 'DBOS is not installed (npm run kills brings it)'],
  [/isInstalled\('(?:fish|zsh)'\)/, 'that shell is not installed'],
  [/linux|win32/, 'it is about another system'],
  [/corpus|corpora|manifest|recorded|recordings|requests|photographs|pictures|page/, shared],
];

/** Why tests under this condition are left out; undefined for one that nobody has given a reason. */
export function reasonFor(condition: string): string | undefined {
  const why = reasons.flatMap(([words, reason]) => (words.test(condition) ? [reason] : []));
  return why.length === 0 ? undefined : why.join('; or ');
}

/** The conditions of a file of tests, each with its line. */
export function conditionsIn(text: string): { line: number; condition: string }[] {
  const found = text.matchAll(/\.(?:skipIf|runIf)\(((?:[^()]|\([^()]*\))*)\)/g);
  return [...found].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    condition: match[1] ?? '',
  }));
}

const texts = new Map<string, ReturnType<typeof conditionsIn>>();

function conditionsOf({ moduleId }: TestModule): ReturnType<typeof conditionsIn> {
  const known = texts.get(moduleId) ?? conditionsIn(readFileSync(moduleId, 'utf8'));
  texts.set(moduleId, known);
  return known;
}

/** The condition on the line of a test or of what it is part of, else the nearest above it: a table may stand between. */
function conditionOf(test: TestCase): string | undefined {
  const conditions = conditionsOf(test.module);
  for (let at: TestCase | TestSuite | TestModule = test; at.type !== 'module'; at = at.parent) {
    const line = at.location?.line;
    const found = conditions.find((one) => one.line === line);
    if (found) return found.condition;
  }
  const end = test.location?.line ?? 0;
  return conditions.findLast(({ line }) => line < end)?.condition;
}

function whyLeftOut(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note) return result.note;
  const condition = conditionOf(test) ?? '';
  if (/isLong|isWhole/.test(condition) && !effort.isLong) return takesLong;
  return reasonFor(condition) ?? 'no reason is given';
}

let isWhole = true;

/** Tells it, each reason once; not where somebody asked for a test by its name. */
export const leftOut: Reporter = {
  onInit(vitest) {
    isWhole = vitest.config.testNamePattern === undefined;
  },
  onTestRunEnd(modules) {
    if (!isWhole) return;
    const lines = new Map<string, string[]>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const why = whyLeftOut(test);
        const name = `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`;
        lines.set(why, [...(lines.get(why) ?? []), name]);
      }
    if (lines.size === 0) return;
    console.log('\nTests that were left out, and why:');
    for (const [why, names] of lines) console.log([`  ${why}:`, ...names.map((name) => `    ${name}`)].join('\n'));
  },
};
