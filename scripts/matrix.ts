// Which media reach a model, on which API, through which library: the same probes through ourselves and through the
// libraries of bench/, every request caught on the loopback interface, every body judged by the vendors' own schemas.
// Ends with 1 when one of our own cells is not as it should be.
//   npm run matrix                                  all of them, into docs/matrix.md; installs them first
//   npm run matrix -- --only sightline,ai-sdk       some of them; writes nothing
//   npm run matrix -- --json                        figures alone
import { existsSync, writeFileSync } from 'node:fs';
import { inFreshProcess } from '../bench/harness.ts';
import { installPeers, peerVersions } from '../bench/install.ts';
import { matrixPage } from '../bench/matrix/page.ts';
import type { Cells, Row } from '../bench/matrix/page.ts';
import type { Captured, PeerInput } from '../bench/matrix/peer.ts';
import { probes } from '../bench/matrix/probes.ts';
import { excuses, isGood, judgeCell } from '../bench/matrix/verdict.ts';
import { missingSpecifications } from '../test/judge/judge.ts';
import { argumentsOf } from './arguments.ts';

type Candidate = { file: string; name: string; packages: string[]; middleware?: true; gateway?: true };

const candidates: Candidate[] = [
  { file: 'sightline', name: 'Sightline', packages: [] },
  {
    file: 'ai-sdk',
    name: 'Vercel AI SDK',
    packages: ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/google', 'ai-sdk-ollama'],
    middleware: true,
  },
  { file: 'pi-ai', name: 'pi-ai', packages: ['@earendil-works/pi-ai'] },
  {
    file: 'langchain',
    name: 'LangChain.js',
    packages: [
      '@langchain/core',
      '@langchain/anthropic',
      '@langchain/openai',
      '@langchain/google-genai',
      '@langchain/ollama',
    ],
  },
  { file: 'openai-agents', name: 'OpenAI Agents SDK', packages: ['@openai/agents'] },
  { file: 'mastra', name: 'Mastra', packages: ['@mastra/core'] },
  { file: 'gateway-messages', name: 'Sightline gateway, asked in Messages', packages: [], gateway: true },
  {
    file: 'claude-code-router',
    name: 'claude-code-router, asked in Messages',
    packages: ['@musistudio/claude-code-router'],
    gateway: true,
  },
  { file: 'gateway-chat', name: 'Sightline gateway, asked in Chat', packages: [], gateway: true },
  { file: 'portkey', name: 'Portkey gateway, asked in Chat', packages: ['@portkey-ai/gateway'], gateway: true },
];

const { values } = argumentsOf(import.meta.filename, { json: { type: 'boolean' }, only: { type: 'string' } });
const wanted = values.only?.split(',');
const unknown = wanted?.find((name) => !candidates.some(({ file }) => file === name));
if (unknown !== undefined) {
  console.error(`There is no library "${unknown}"; there are ${candidates.map(({ file }) => file).join(', ')}.`);
  process.exit(2);
}

const asked = candidates.filter(({ file }) => wanted?.includes(file) ?? true);
const trouble = asked.some(({ packages }) => packages.length > 0) ? installPeers() : undefined;
if (trouble !== undefined) console.error(trouble);
const versions = peerVersions();
const wrapped = existsSync(new URL('../src/fetch/index.ts', import.meta.url));
const rows: Row[] = [];
for (const candidate of asked) {
  rows.push(await rowOf(candidate, 'fetch'));
  if (wrapped && candidate.file !== 'sightline' && !candidate.gateway)
    rows.push(await rowOf(candidate, 'sightlineFetch'));
  if (candidate.middleware) rows.push(await rowOf(candidate, 'sightlineMiddleware'));
}

const page = matrixPage(rows, new Date().toISOString().slice(0, 10), missingSpecifications());
const written = new URL('../docs/matrix.md', import.meta.url);
if (!wanted) writeFileSync(written, page);
console.log(values.json ? JSON.stringify(rows, undefined, 2) : page);
const wrong = rows.filter(({ name }) => name.startsWith('Sightline')).flatMap(faultsIn);
for (const line of wrong) console.error(line);
process.exitCode = wrong.length === 0 ? 0 : 1;

function faultsIn({ name, cells, failed }: Row): string[] {
  if (failed !== undefined) return [`${name} did not run: ${failed}`];
  const bad = Object.entries(cells).filter(([, { outcome }]) => !isGood(outcome) && outcome !== '–');
  return bad.map(([cell, { outcome, why }]) => `${name}, ${cell}: ${outcome}: ${why.join('; ')}`);
}

async function rowOf({ file, name, packages }: Candidate, underneath: PeerInput['underneath']): Promise<Row> {
  const title = underneath === 'fetch' ? name : `${name} with ${underneath}`;
  process.stderr.write(`${title}\n`);
  const about = { name: title, versions: packages.map((one) => `${one} ${versions[one] ?? '?'}`) };
  const module = new URL(`../bench/matrix/peers/${file}.ts`, import.meta.url);
  try {
    const input: PeerInput = { underneath };
    const captured = await inFreshProcess<Captured[]>({ name: title, module, input, limitMs: 300_000 });
    return { ...about, ...(await judged(captured)) };
  } catch (error) {
    return { ...about, cells: {}, excused: [], failed: reasonOf(error) };
  }
}

async function judged(captured: readonly Captured[]): Promise<Pick<Row, 'cells' | 'excused'>> {
  const cells: Cells = {};
  const excused: string[] = [];
  const columns = [...new Set(captured.map(({ column }) => column))];
  for (const column of columns) {
    const own = captured.filter((one) => one.column === column);
    const plain = own.find(({ probe }) => probe === probes[0]?.id);
    const known = plain ? await excuses(plain) : new Set<string>();
    excused.push(...[...known].map((one) => `${column}: ${one}`));
    for (const probe of probes) {
      const one = own.find((cell) => cell.probe === probe.id);
      if (one) cells[`${probe.id}/${column}`] = await judgeCell(probe, one, known);
    }
  }
  return { cells, excused };
}

/** The line of a crash that says most. */
function reasonOf(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error).split('\n');
  return (lines.find((line) => /Error/.test(line)) ?? lines[0] ?? '').trim().slice(0, 200);
}
