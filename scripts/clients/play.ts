// One client through one trial with one model, in a home of its own.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gatewayClients } from '../../src/cli/serve/clients.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest } from '../../src/model/script/index.ts';
import type { RealClient } from './clients.ts';
import { openFront } from './front.ts';
import type { Behind, ClientRequest } from './front.ts';
import { judge } from './judge.ts';
import type { Ran } from './judge.ts';
import { complaintOf, modelOf, said } from './trials.ts';
import type { Trial } from './trials.ts';

const prompt = 'How did we do? Look at all pages.';
const again = 'Go on.';
const patienceMs = 300_000;

export type Played = {
  faults: string[];
  requests: readonly ScriptedRequest[];
  /** What the client itself sent. */
  asked: readonly ClientRequest[];
};

/** Plays it, and says what went wrong. */
export async function play(client: RealClient, bin: string, model: Behind['model'], trial: Trial): Promise<Played> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-clients-'));
  const work = join(home, 'work');
  mkdirSync(work);
  const files = pagesFor(client, work, trial.turns);
  await using upstream = await scriptedServer(script(modelOf(trial, client, files)), {
    check: (request) => complaintOf(trial, request),
  });
  const served = join(home, 'served');
  mkdirSync(served);
  writeFileSync(join(served, 'config.toml'), settings(model, upstream.url));
  await using front = await openFront(served, { model, baseUrl: upstream.url, key: 'k' }, trial);
  const ran: Ran[] = [];
  const runWith = async (args: readonly string[]): Promise<void> => {
    const ended = await startClient(client, bin, home, front.url, args);
    ran.push({ ...ended, heard: upstream.requests.length });
  };
  await runWith(client.args(prompt));
  if (trial.breaks && !ran[0]?.output.includes(said)) await runWith(client.goOn(again));
  rmSync(home, { recursive: true, force: true });
  return { faults: judge(client, trial, ran, upstream.requests), requests: upstream.requests, asked: front.asked };
}

/** A picture, then a PDF where the client shows PDFs, and so on. */
function pagesFor({ sendsPdf }: RealClient, work: string, turns: number): string[] {
  return Array.from({ length: turns }, (_, at) => {
    const pdf = sendsPdf && at % 2 === 1;
    const path = join(work, `page-${at + 1}.${pdf ? 'pdf' : 'png'}`);
    copyFileSync(resolve('examples', pdf ? 'report.pdf' : 'chart.png'), path);
    return path;
  });
}

function settings(model: string, url: string): string {
  const target = `[models.target]\nmodel = "${model}"\nbase_url = "${url}"\napi_key = "k"\n`;
  return `${target}[serve]\ndefault = "target"\n[serve.routes]\n"*" = "target"\n`;
}

/** Starts it in the folder `work` of its home as `sightline serve` would, but without a person, and waits for its end. */
export function startClient(
  client: RealClient,
  bin: string,
  home: string,
  url: string,
  args: readonly string[],
  input = '',
): Promise<Omit<Ran, 'heard'>> {
  const pointed = gatewayClients.find(({ name }) => name === client.name);
  if (!pointed) throw new Error(`sightline serve does not know ${client.name}.`);
  const start = pointed.start({ url, key: 'none', model: client.asks ?? 'default' });
  const own = start.folder ? { [start.folder.variable]: home } : {};
  const written = { ...client.files, ...(start.folder && { [start.folder.file]: start.folder.text }) };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const path = `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...client.env, ...start.env, ...own };
  return runProgram(join(bin, pointed.program), [...start.args, ...args], { cwd: join(home, 'work'), env, input });
}

/** Runs a program to its end, or for as long as patience lasts; without words its standard input is closed from the start. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input }: { cwd: string; env: Record<string, string>; input: string },
): Promise<Omit<Ran, 'heard'>> {
  const child = spawn(program, args, { cwd, env, stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
  child.stdin?.end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(late);
      done({ code, output });
    });
  });
}
