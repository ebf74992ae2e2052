// Two trees of this project in one run: each job by turns in fresh processes of both, and how many times the processor
// time of the other tree this one takes. Processor time, because other work on the machine moves all else.
//   npx node bench/trees.ts ../before                                     all jobs, 7 times each
//   npx node bench/trees.ts ../before --repetitions 9 --only screenshot   those whose name has it, more often
// It starts itself with --child JOB.
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argumentsOf } from '../scripts/arguments.ts';
import type * as Fetch from '../src/fetch/index.ts';
import type * as Library from '../src/index.ts';
import type { Message } from '../src/index.ts';
import type * as Pictures from '../src/media/image/codec.ts';
import type * as Sessions from '../src/session/store.ts';

const jobs: { [name: string]: (tree: string) => Promise<number> } = {
  'cold start, as it is installed': async (tree) =>
    await cpu(1, async () => void (await import(join(tree, 'dist/index.js')))),
  'a turn of 601 messages, all remembered': async (tree) => await turns(tree),
  'a request with 20 pictures of 1 MiB': async (tree) => await body(tree),
  'a stream of 5,000 events': async (tree) => await stream(tree),
  'a request under fetch, 200 messages': async (tree) => await fetched(tree),
  'an append to a session': async (tree) => await appended(tree),
  'a screenshot of 3840×2160, full of words': async (tree) => await screenshot(tree, 16),
  'a screenshot of 3840×2160 with large letters': async (tree) => await screenshot(tree, 28),
};

function child(tree: string, name: string): number {
  const told = execFileSync(process.execPath, [import.meta.filename, tree, '--child', name], { encoding: 'utf8' });
  return Number(/^cpu (.*)$/m.exec(told)?.[1]);
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

function show(values: readonly number[]): string {
  return `${middle(values).toPrecision(3)} (${Math.min(...values).toPrecision(3)}–${Math.max(...values).toPrecision(3)})`;
}

async function load<Module>(tree: string, entry: string): Promise<Module> {
  return (await import(join(tree, 'src', `${entry}.ts`))) as Module;
}

async function cpu(count: number, work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / count;
}

const text = (words: string) => [{ type: 'text' as const, text: words }];
const model = 'anthropic/claude-sonnet-4-5';

function said(count: number): Message[] {
  return Array.from({ length: count }, (_, at): Message[] => [
    { role: 'assistant', model, content: [{ type: 'call', id: `c${at}`, name: 'look', input: { at } }] },
    {
      role: 'tool',
      callId: `c${at}`,
      name: 'look',
      content: text(`Step ${at}. ${'Some words of a page. '.repeat(20)}`),
    },
  ]).flat();
}

async function turns(tree: string): Promise<number> {
  const { prepare } = await load<typeof Library>(tree, 'index');
  const messages: Message[] = [{ role: 'user', content: text('Go.') }, ...said(340)];
  let ledger: Parameters<typeof prepare>[1]['ledger'];
  const turn = async (end: number): Promise<void> => {
    const request = await prepare({ messages: messages.slice(0, end) }, { model, ledger });
    ledger = request.ledger;
    for await (const _ of request.stream());
  };
  for (let at = 0; at < 20; at++) await turn(561 + at * 2);
  return await cpu(40, async () => {
    for (let at = 0; at < 40; at++) await turn(601 + at * 2);
  });
}

async function body(tree: string): Promise<number> {
  const { prepare, memoryAssets } = await load<typeof Library>(tree, 'index');
  const assets = memoryAssets();
  const content = [];
  for (let at = 0; at < 20; at++) {
    const asset = await assets.put(randomFillSync(new Uint8Array(2 ** 20)), { mediaType: 'image/png' });
    content.push({ type: 'image' as const, asset, width: 800, height: 600 });
  }
  const messages: Message[] = content.map((block) => ({ role: 'user', content: [block] }));
  const send = async (): Promise<void> => {
    const request = await prepare({ messages }, { model, assets });
    for await (const _ of request.stream());
  };
  await send();
  return await cpu(5, async () => {
    for (let at = 0; at < 5; at++) await send();
  });
}

const event = (value: { type: string } & Record<string, unknown>): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

async function stream(tree: string): Promise<number> {
  const { prepare } = await load<typeof Library>(tree, 'index');
  const { decode } = await prepare({ messages: [{ role: 'user', content: text('Go.') }] }, { model });
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words ' } };
  const whole = [
    event({
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: 5000 }, () => event(delta)),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    event({ type: 'message_stop' }),
  ];
  const read = async (): Promise<void> => {
    const bytes = new TextEncoder();
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const one of whole) controller.enqueue(bytes.encode(one));
        controller.close();
      },
    });
    await decode(new Response(source, { headers: { 'content-type': 'text/event-stream' } }));
  };
  await read();
  return await cpu(5, async () => {
    for (let at = 0; at < 5; at++) await read();
  });
}

async function fetched(tree: string): Promise<number> {
  const { sightlineFetch } = await load<typeof Fetch>(tree, 'fetch/index');
  const fetcher = sightlineFetch({ fetch: () => Promise.resolve(Response.json({})) });
  const messages = Array.from({ length: 100 }, (_, at) => [
    { role: 'user', content: `Question ${at}? ${'Some words. '.repeat(20)}` },
    { role: 'assistant', content: `Answer ${at}.` },
  ]).flat();
  const ask = async (end: number): Promise<void> => {
    const sent = JSON.stringify({
      model: 'gpt-5',
      messages: [...messages.slice(0, end), { role: 'user', content: 'Go on.' }],
    });
    const headers = { 'content-type': 'application/json' };
    await fetcher('https://api.openai.com/v1/chat/completions', { method: 'POST', headers, body: sent });
  };
  for (let at = 0; at < 1000; at++) await ask(100 + (at % 50) * 2); // compiled
  return await cpu(1000, async () => {
    for (let at = 0; at < 1000; at++) await ask(100 + (at % 50) * 2);
  });
}

async function appended(tree: string): Promise<number> {
  const { openSessions } = await load<typeof Sessions>(tree, 'session/store');
  const home = mkdtempSync(join(tmpdir(), 'sightline-trees-'));
  const sessions = openSessions({ home });
  const session = await sessions.create({ model });
  const append = async (count: number): Promise<void> => {
    for (const message of said(count)) await session.append({ type: 'message', message });
  };
  await append(1000); // compiled
  const took = await cpu(4000, async () => await append(2000));
  await sessions.close();
  rmSync(home, { recursive: true });
  return took;
}

/** What the process for pictures does when one comes in, by whatever name a tree has it. */
async function screenshot(tree: string, px: number): Promise<number> {
  type Codec = Partial<Record<'encode' | 'encodePicture', typeof Pictures.encodePicture>>;
  const { encodePicture, encode } = await load<Codec>(tree, 'media/image/codec');
  const work = encodePicture ?? encode;
  const { writing } = await import('../test/media/writing.ts');
  const bytes = await writing({ px, width: 3840, height: 2160, leading: 1.5 }).png().toBuffer();
  const header = { type: 'image/png', width: 3840, height: 2160, orientation: 1, animated: false };
  const target = { types: ['image/png', 'image/jpeg'] as const, maxEdge: 2000, maxBase64: 4_718_592 };
  const take = async (): Promise<void> => void (await work?.(bytes, header, target, 1e9));
  for (let at = 0; at < 3; at++) await take();
  return await cpu(6, async () => {
    for (let at = 0; at < 6; at++) await take();
  });
}

const { values: flags, positionals } = argumentsOf(
  import.meta.filename,
  { repetitions: { type: 'string', default: '7' }, only: { type: 'string', default: '' }, child: { type: 'string' } },
  { words: true },
);
const [given = ''] = positionals;
const here = resolve(import.meta.dirname, '..');
if (flags.child !== undefined) {
  console.log(`\ncpu ${(await jobs[flags.child]?.(resolve(given))) ?? 0}`);
  process.exit();
}

if (!existsSync(join(resolve(given), 'src/index.ts')) || given === '') {
  console.error('Name the folder of another tree of this project: npx node bench/trees.ts ../before');
  process.exit(2);
}
for (const tree of [here, resolve(given)].filter((one) => !existsSync(join(one, 'dist/index.js')))) {
  console.error(`${tree} is not built. Build it there: npm run build`);
  process.exit(2);
}
console.log(
  '| job | before, ms | now, ms | ratio of the medians | lowest to lowest |\n| --- | ---: | ---: | ---: | ---: |',
);
for (const name of Object.keys(jobs).filter((one) => one.includes(flags.only))) {
  const before: number[] = [];
  const now: number[] = [];
  for (let turn = 0; turn < Number(flags.repetitions); turn++) {
    before.push(child(resolve(given), name));
    now.push(child(here, name));
  }
  const ratio = middle(now) / middle(before);
  const lowest = Math.min(...now) / Math.min(...before);
  console.log(`| ${name} | ${show(before)} | ${show(now)} | ${ratio.toFixed(2)} | ${lowest.toFixed(2)} |`);
}
