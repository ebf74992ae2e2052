// Ten thousand small files through `sightline read --out`, killed on the way: each has one line in the end, and the memory of the
// process stays below 250 MB.
//   npx node scripts/read-many.ts         all of them
//   npx node scripts/read-many.ts 200     fewer
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf } from './arguments.ts';

const [files = '10000'] = argumentsOf(import.meta.filename, {}, { words: true }).positionals;
const count = Number(files);
const folder = mkdtempSync(join(tmpdir(), 'sightline-many-'));
const kinds = ['txt', 'md', 'csv', 'json', 'html'];
for (let at = 0; at < count; at++) {
  const below = join(folder, 'many', String(at % 100));
  mkdirSync(below, { recursive: true });
  const text = { json: `{"file": ${at}}`, html: `<h1>File ${at}</h1>`, csv: `file,number\nx,${at}\n` };
  const kind = kinds[at % kinds.length] ?? 'txt';
  writeFileSync(join(below, `${at}.${kind}`), text[kind as 'csv'] ?? `# File ${at}\n`);
}

const file = join(folder, 'out', 'results.jsonl');

/** Runs it, until it ends or so many bytes are written; gives the most memory that the process took. */
async function once(stopAt: number): Promise<number> {
  const words = ['src/cli/main.ts', 'read', join(folder, 'many'), '--out', join(folder, 'out'), '--jobs', '2'];
  const child = spawn(process.execPath, words, { env: { ...process.env, SIGHTLINE_HOME: folder }, stdio: 'inherit' });
  let most = 0;
  const look = setInterval(() => {
    try {
      const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      most = Math.max(most, Number(kib ?? 0) * 1024);
    } catch {
      // it has ended
    }
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > stopAt) child.kill('SIGKILL');
  }, 200);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(look);
  return most;
}

const began = Date.now();
await once(count * 60); // killed after about a fifth
const most = await once(Infinity);
const names = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { file: string }).file);
rmSync(folder, { recursive: true });
const seconds = Math.round((Date.now() - began) / 1000);
process.stdout.write(
  `${names.length} lines, ${new Set(names).size} files of ${count}, ${Math.round(most / 1e6)} MB at most, ${seconds} s\n`,
);
if (names.length !== count || new Set(names).size !== count || most > 250e6) process.exitCode = 1;
