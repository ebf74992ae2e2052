// `npm run clients [client…] [--target name]`: real coding agents through the gateway, each with a model of every dialect. The
// provider's side is a server on this machine that asks each to read a picture and a PDF and keeps what arrived. Clients are
// installed once, into a folder that is kept.
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gatewayClients } from '../src/cli/serve/clients.ts';
import { openGateway } from '../src/gateway/index.ts';
import { script, scriptedServer } from '../src/model/script/index.ts';
import type { ScriptedRequest } from '../src/model/script/index.ts';
import { realClients } from './clients/clients.ts';
import type { RealClient } from './clients/clients.ts';

const cache = process.env['SIGHTLINE_CLIENTS'] ?? join(homedir(), '.cache', 'sightline-clients');
const targets = {
  claude: 'anthropic/claude-sonnet-5',
  chat: 'openai-chat/gpt-4.1',
  gpt: 'openai/gpt-5.4',
  gemini: 'gemini/gemini-3-pro-preview',
  qwen: 'ollama/qwen3-vl',
} as const;
const prompt = 'How did we do? Look at chart.png and report.pdf.';
const said = 'Sales rose in every month.';
const patienceMs = 120_000;

/** Installs a client, unless it is there already, and gives the folder of its program. */
async function installed({ name, package: from, version }: RealClient): Promise<string> {
  const folder = join(cache, `${name}-${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  if (!existsSync(bin)) {
    console.log(`installing ${from}@${version} …`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `${from}@${version}`], { cwd: folder });
  }
  return bin;
}

type Verdict = { ok: boolean; what: string };

async function tryOne(client: RealClient, bin: string, target: keyof typeof targets): Promise<Verdict> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-clients-'));
  const work = join(home, 'work');
  mkdirSync(work);
  const files = ['chart.png', 'report.pdf'].map((name) => {
    copyFileSync(resolve('examples', name), join(work, name));
    return join(work, name);
  });
  await using upstream = await scriptedServer(
    script(({ transcript }) => {
      const answered = transcript.messages.some(({ role }) => role === 'tool');
      const calls = answered
        ? []
        : client.look(
            (transcript.tools ?? []).map(({ name }) => name),
            files,
          );
      return calls.length > 0 ? { thinking: 'Let me look.', text: 'I look.', calls } : { text: said };
    }),
  );
  const model = { model: targets[target], baseUrl: upstream.url, key: 'k' };
  await using gateway = await openGateway({ port: 0, models: { target: model }, routes: { '*': ['target'] } });
  const pointed = gatewayClients.find(({ name }) => name === client.name);
  if (!pointed) return { ok: false, what: 'sightline serve does not know it' };
  const start = pointed.start({ url: gateway.url, key: 'none', model: client.asks ?? 'default' });
  const own = start.folder ? { [start.folder.variable]: home } : {};
  const written = { ...client.files, ...(start.folder && { [start.folder.file]: start.folder.text }) };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const path = `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...client.env, ...start.env, ...own };
  const { code, output } = await run(join(bin, pointed.program), [...start.args, ...client.args(prompt)], work, env);
  rmSync(home, { recursive: true, force: true });
  return verdict(client, upstream.requests, code, output);
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(late);
      done({ code, output });
    });
  });
}

function verdict(
  client: RealClient,
  requests: readonly ScriptedRequest[],
  code: number | null,
  output: string,
): Verdict {
  const asked = requests.filter(({ transcript }) => transcript?.messages.some(({ role }) => role === 'tool'));
  const last = JSON.stringify(asked.at(-1)?.body ?? {});
  const holds = (name: string): boolean =>
    last.includes(readFileSync(`examples/${name}`).toString('base64').slice(0, 2000));
  const ollama = asked.at(-1)?.wire === 'ollama';
  const faults = [
    code === 0 ? '' : `it ended with ${code}: ${output.slice(-200)}`,
    output.includes(said) ? '' : 'it did not tell the answer',
    asked.length > 0 ? '' : 'no result of a tool arrived',
    client.name === 'qwen' || holds('chart.png') ? '' : 'the picture did not arrive', // it sends another encoding
    !client.sendsPdf || ollama || holds('report.pdf') ? '' : 'the PDF did not arrive',
    /"(?:image|image_url|input_image|inlineData|inline_data|images)"/.test(last) ? '' : 'no picture arrived',
  ].filter(Boolean);
  return { ok: faults.length === 0, what: faults.join('; ') || 'ends, media arrive' };
}

const words = process.argv.slice(2);
const at = words.indexOf('--target');
const only = at < 0 ? undefined : words[at + 1];
const names = words.filter((word, index) => index !== at && (at < 0 || index !== at + 1));
let failures = 0;
for (const client of realClients.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const bin = await installed(client);
  for (const target of Object.keys(targets) as (keyof typeof targets)[]) {
    if (only !== undefined && only !== target) continue;
    const { ok, what } = await tryOne(client, bin, target);
    if (!ok) failures++;
    console.log(`${ok ? '✓' : '✗'} ${client.name.padEnd(9)} ${target.padEnd(7)} ${what}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
