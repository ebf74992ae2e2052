// Requests with a picture that was seen before, through a bare pipe, our gateway and Portkey's, in turn in one run: what
// each costs its server in CPU time, how long it takes, how far memory rises under many large ones at once, and how long the
// event loop stands still under many streams.
import { randomFillSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { show, spread } from '../harness.ts';
import { installPeers, peerVersions } from '../install.ts';
import type { Comparison } from '../run.ts';
import { ask, connections, freePort, start, usage } from './servers.ts';
import type { Server, Way } from './servers.ts';

const KiB = 1024;
/** Before it is measured, each server answers so often that its engine has compiled what it runs. */
const sizes: [name: string, bytes: number, burst: number, before: number][] = [
  ['0 KiB', 0, 60, 2000],
  ['100 KiB', 100 * KiB, 20, 600],
  ['1 MiB', KiB * KiB, 10, 20],
  ['5 MiB', 5 * KiB * KiB, 4, 8],
];
const [many, atOnce] = [32, 5 * KiB * KiB];
const streams = 500;

type Cost = { cpuMs: number[]; wallMs: number[] };

export const compareGateways: Comparison = async (repetitions) => {
  const trouble = installPeers();
  if (trouble !== undefined) throw new Error(trouble);
  const { ways, stop } = await open();
  try {
    const costs = new Map<string, Cost>();
    for (const [size, bytes, burst, before] of sizes) {
      const content = await picture(bytes);
      for (const way of ways) await asked(way, bodyFor(way, content), before);
      for (let round = 0; round < repetitions; round++)
        for (const way of [...ways.slice(round % ways.length), ...ways.slice(0, round % ways.length)])
          await measure(way, bodyFor(way, content), burst, costOf(costs, `${size} ${way.name}`));
    }
    const memory = new Map<string, number[]>();
    const large = await picture(atOnce);
    for (const way of ways) await asked(way, bodyFor(way, large), 1);
    for (let round = 0; round < Math.min(repetitions, 5); round++)
      for (const way of ways) {
        const before = await usage(way.server, 'reset');
        const agent = connections();
        await Promise.all(Array.from({ length: many }, () => ask(way, bodyFor(way, large), agent)));
        agent.destroy();
        const { peakMb } = await usage(way.server);
        memory.set(way.name, [...(memory.get(way.name) ?? []), peakMb - before.rssMb]);
      }
    const stalls = new Map<string, number[]>();
    const streaming = ways.filter(({ server }) => server.name !== 'Portkey'); // it fails some of so many at once
    for (const way of streaming) await streamed(way, streams);
    for (let round = 0; round < Math.min(repetitions, 5); round++)
      for (const way of streaming) {
        await usage(way.server, 'watch');
        await streamed(way, streams);
        const { stallMs } = await usage(way.server);
        stalls.set(way.name, [...(stalls.get(way.name) ?? []), stallMs]);
      }
    return section(costs, { memory, stalls }, ways);
  } finally {
    stop();
  }
};

async function open(): Promise<{ ways: Way[]; stop: () => void }> {
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const [upstream = 0, pipe = 0, ours = 0, portkey = 0] = ports;
  const bin = new URL('../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url);
  const servers: Server[] = [
    await start('upstream', 'upstream.ts', [String(upstream)], upstream),
    await start('pipe', 'pipe.ts', [String(pipe), String(upstream)], pipe),
    await start('Sightline', 'sightline.ts', [String(ours), String(upstream)], ours),
    await start('Portkey', fileURLToPath(bin), ['--headless', `--port=${portkey}`], portkey),
  ];
  const [, bare, own, theirs] = servers as [Server, Server, Server, Server];
  const path = '/v1/chat/completions';
  const host = `http://127.0.0.1:${upstream}/v1`;
  const to = (provider: string): Record<string, string> => ({
    'x-portkey-provider': provider,
    'x-portkey-custom-host': host,
  });
  const ways: Way[] = [
    { name: 'bare pipe', server: bare, path, model: 'gpt-4.1' },
    { name: 'Sightline, relay', server: own, path, model: 'gpt-4.1' },
    { name: 'Portkey, same API', server: theirs, path, model: 'gpt-4.1', headers: to('openai') },
    { name: 'Sightline, convert', server: own, path, model: 'claude-sonnet-4-5' },
    { name: 'Portkey, converting', server: theirs, path, model: 'claude-sonnet-4-5', headers: to('anthropic') },
  ];
  return { ways, stop: () => servers.forEach(({ child }) => void child.kill('SIGKILL')) };
}

/** One measure is a burst: the clock of CPU time is too coarse for a single small request. */
async function measure(way: Way, body: Buffer, burst: number, cost: Cost): Promise<void> {
  const before = await usage(way.server);
  const walls = await asked(way, body, burst);
  const after = await usage(way.server);
  cost.cpuMs.push((after.cpuMs - before.cpuMs) / burst);
  cost.wallMs.push(spread(walls).median);
}

/** So many requests, one after the other: how long each took. */
async function asked(way: Way, body: Buffer, times: number): Promise<number[]> {
  process.stderr.write(`  ${times} × ${body.length} bytes, ${way.name}\n`);
  const agent = connections();
  const walls: number[] = [];
  for (let count = 0; count < times; count++) walls.push(await ask(way, body, agent));
  agent.destroy();
  return walls;
}

/** So many streams, all begun at once and told word by word. */
async function streamed(way: Way, count: number): Promise<void> {
  process.stderr.write(`  ${count} streams, ${way.name}\n`);
  const messages = [{ role: 'user', content: 'Tell it slowly.' }];
  const body = Buffer.from(JSON.stringify({ model: way.model, messages, max_tokens: 100, stream: true }));
  const agent = connections(count);
  await Promise.all(Array.from({ length: count }, () => ask(way, body, agent)));
  agent.destroy();
}

function costOf(costs: Map<string, Cost>, key: string): Cost {
  const cost = costs.get(key) ?? { cpuMs: [], wallMs: [] };
  costs.set(key, cost);
  return cost;
}

/** A PNG of noise whose base64 has about so many letters. */
async function picture(bytes: number): Promise<string> {
  if (bytes === 0) return '';
  const edge = Math.min(1900, Math.round(Math.sqrt((bytes * 3) / 4 / 3)));
  const raw = randomFillSync(Buffer.alloc(edge * edge * 3));
  const image = sharp(raw, { raw: { width: edge, height: edge, channels: 3 } });
  return (await image.png({ compressionLevel: 0 }).toBuffer()).toString('base64');
}

function bodyFor({ model }: Way, base64: string): Buffer {
  const shown = { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } };
  const content = [{ type: 'text', text: 'What is it?' }, ...(base64 === '' ? [] : [shown])];
  return Buffer.from(JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content }] }));
}

function section(
  costs: ReadonlyMap<string, Cost>,
  { memory, stalls }: { memory: ReadonlyMap<string, number[]>; stalls: ReadonlyMap<string, number[]> },
  ways: readonly Way[],
): Awaited<ReturnType<Comparison>> {
  const of = (size: string, name: string, unit: keyof Cost): number =>
    spread(costs.get(`${size} ${name}`)?.[unit] ?? []).median;
  const shown = (size: string, name: string): string =>
    `${of(size, name, 'cpuMs').toFixed(1)} (${of(size, name, 'wallMs').toFixed(1)})`;
  const ratio = (size: string, ours: string, theirs: string): string =>
    (of(size, ours, 'cpuMs') / of(size, theirs, 'cpuMs')).toFixed(2);
  const pairs = [
    ['Sightline, relay', 'Portkey, same API'],
    ['Sightline, convert', 'Portkey, converting'],
    ['bare pipe', 'Portkey, same API'],
  ] as const;
  return {
    title: 'The gateway',
    about: [
      'Chat Completions with one picture that the server has seen before, to a model of the same API and to one of Anthropic’s, ' +
        `through a bare Node pipe, \`openGateway\` and @portkey-ai/gateway ${peerVersions()['@portkey-ai/gateway'] ?? ''}, each a process of its own, asked in turn, after 2,000 requests of 0 KiB and 600 of 100 KiB to each, when its engine has compiled what it runs. ` +
        'Portkey does not look at pictures; the gateway has checked them when it first saw them.',
    ],
    tables: [
      {
        caption: 'One request: CPU milliseconds of the server (wall milliseconds in brackets)',
        columns: ['body', ...ways.map(({ name }) => name)],
        rows: sizes.map(([size]) => [size, ...ways.map(({ name }) => shown(size, name))]),
      },
      {
        caption: 'CPU time as a share of Portkey’s',
        columns: ['body', ...pairs.map(([ours]) => ours)],
        rows: sizes.map(([size]) => [size, ...pairs.map(([ours, theirs]) => ratio(size, ours, theirs))]),
      },
      {
        caption: `${many} bodies of 5 MiB at once: how far the memory of the server rises, MB`,
        columns: ['', 'MB'],
        rows: ways.map(({ name }) => [name, show(spread(memory.get(name) ?? []))]),
      },
      {
        caption: `${streams} answers streamed at once, all asked for in the same moment: the longest time that the event loop stands still, ms`,
        columns: ['', 'ms'],
        rows: [...stalls].map(([name, times]) => [name, show(spread(times))]),
      },
    ],
    notes: [],
    raw: { ...Object.fromEntries(costs), stalls: Object.fromEntries(stalls) },
  };
}
