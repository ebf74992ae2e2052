// Runs that survive: what each call gave is stored when it ends, and a run goes on where another stopped.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import { runAgent } from '../../src/agent/run.ts';
import { textIn } from '../../src/content/block.ts';
import { interruptedCall } from '../../src/content/words.ts';
import type { Message } from '../../src/message/message.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Step } from '../../src/model/script/index.ts';
import { exportSession } from '../../src/session/export/export.ts';
import { importSession } from '../../src/session/export/import.ts';
import { memorySessions, openSessions } from '../../src/session/store.ts';
import type { Session } from '../../src/session/session.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Effect, Tool } from '../../src/tool/tool.ts';
import { effort } from '../effort.ts';

const model = 'anthropic/claude-sonnet-4-5';
const scratch = mkdtempSync(join(tmpdir(), 'sightline-survive-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function go(session: Session, steps: readonly Step[], more: Partial<AgentOptions> = {}): Promise<RunResult> {
  return runAgent({ model, session, send: scriptedSend(script(steps)), ...more }).result();
}

function tool(name: string, effect: Effect | undefined, run: (key: string) => unknown): Tool {
  return defineTool({
    name,
    description: name,
    ...(effect && { effect }),
    run: (_input, { key }) => run(key),
  });
}

async function results(session: Session): Promise<string[]> {
  return (await session.messages()).flatMap((message) =>
    message.role === 'tool'
      ? [`${message.name}: ${message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`]
      : [],
  );
}

test('a result is stored when its call ends, and stands in the order of the calls', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const slow = Promise.withResolvers<string>();
  const tools = [tool('slow', 'read', () => slow.promise), tool('fast', 'read', () => 'quick')];
  const going = go(session, [{ calls: [{ name: 'slow' }, { name: 'fast' }] }, { text: 'Done.' }], {
    prompt: 'Go',
    tools,
  });
  await expect.poll(() => results(session)).toEqual(['fast: quick']);
  slow.resolve('late');
  const { messages } = await going;
  expect(await results(session)).toEqual(['slow: late', 'fast: quick']);
  expect(await session.messages()).toEqual(messages);
});

const effects = ['read', 'idempotent', 'once'] as const;

const unmarked = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);

test.each(['in memory', 'on a disk'])(
  'two calls of one id both run, and each keeps its own result: %s',
  async (place) => {
    await using store = place === 'in memory' ? memorySessions() : openSessions({ home: join(scratch, 'one-id') });
    const session = await store.create();
    const bobIsPaid = Promise.withResolvers<void>();
    const pay = defineTool({
      name: 'pay',
      description: 'pay',
      input: { type: 'object', properties: { to: { type: 'string' } } } as const,
      run: async ({ to }) => {
        if (to === 'ann') await bobIsPaid.promise;
        else bobIsPaid.resolve();
        return `${to} has it`;
      },
    });
    const twice: Step = {
      calls: [
        { name: 'pay', input: { to: 'ann' }, id: 'x' },
        { name: 'pay', input: { to: 'bob' }, id: 'x' },
      ],
    };
    const send = scriptedSend(script([twice, { text: 'ok' }, twice, { text: 'ok2' }]));
    const heard: string[] = [];
    for (const prompt of ['Pay.', 'Again.']) {
      const run = runAgent({ model, session, send, tools: [pay], prompt });
      for await (const event of run) {
        if (event.type === 'block-start' && event.block.type === 'call') heard.push(event.block.id);
        if (event.type === 'call-start') heard.push(event.call.id);
      }
      expect((await run).stop).toBe('end');
      expect((await run).messages).toEqual(await session.messages());
    }
    expect(await results(session)).toEqual([
      'pay: ann has it',
      'pay: bob has it',
      'pay: ann has it',
      'pay: bob has it',
    ]);
    expect(heard).toEqual(['x', 'x_2', 'x', 'x_2', 'x_3', 'x_4', 'x_3', 'x_4']);
    const sent = send.requests.map(({ body }) => JSON.stringify((body as { messages: unknown }).messages, unmarked));
    for (const [at, items] of sent.slice(1).entries())
      expect(items.startsWith((sent[at] ?? '').slice(0, -1))).toBe(true);
  },
);

test('a run that resumes runs what may run again, tells what may have happened, and asks the model', async () => {
  const home = mkdtempSync(join(scratch, 'home-'));
  const first = openSessions({ home });
  const stopped = await first.create();
  const began = new Set<string>();
  const stuck = effects.map((effect) => tool(effect, effect, () => (began.add(effect), new Promise(() => undefined))));
  void go(stopped, [{ calls: effects.map((name) => ({ name })) }], { prompt: 'Go', tools: stuck });
  await expect.poll(() => began.size).toBe(3);
  await first.close(); // as if the program had ended: nothing is answered
  await using second = openSessions({ home });
  const session = await second.open(stopped.id);
  const ran: string[] = [];
  const tools = effects.map((effect) => tool(effect, effect, (key) => (ran.push(key), effect)));
  const { text, stop } = await go(session, [{ text: 'All done.' }], { resume: true, tools });
  expect({ text, stop }).toEqual({ text: 'All done.', stop: 'end' });
  expect(await results(session)).toEqual(['read: read', 'idempotent: idempotent', `once: ${interruptedCall}`]);
  const answer = (await session.entries({ types: ['message'] }))[1]?.id;
  expect(ran.toSorted()).toEqual([`${session.id}-${answer}-0`, `${session.id}-${answer}-1`]);
  const after = (await session.messages()).length;
  const again = await go(session, [], { resume: true, tools });
  expect([again.stop, again.text, (await session.messages()).length]).toEqual(['end', 'All done.', after]);
});

test('a call that must not happen twice and never began is run by the run that resumes', async () => {
  await using store = memorySessions();
  const session = await store.create();
  const ran: string[] = [];
  const once = tool('once', undefined, (key) => (ran.push(key), 'happened'));
  await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Go' }] } });
  const call = { type: 'call', id: 'c1', name: 'once', input: {} } as const;
  const answer = await session.append({
    type: 'message',
    message: { role: 'assistant', model, content: [call], stop: 'calls' },
  });
  const { text } = await go(session, [{ text: 'Said.' }], { resume: true, tools: [once], prompt: 'And now?' });
  expect([text, ran, await results(session)]).toEqual(['Said.', [`${session.id}-${answer}-0`], ['once: happened']]);
  expect((await session.messages()).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
    'assistant',
  ]);
});

test.each(['fork', 'export and import'])('a copy of a session runs nothing that may have happened: %s', async (how) => {
  await using store = memorySessions();
  const session = await store.create();
  const ran: string[] = [];
  const pay = tool('pay', undefined, () => (ran.push('paid'), new Promise(() => undefined)));
  void go(session, [{ calls: [{ name: 'pay' }] }], { prompt: 'Pay.', tools: [pay] });
  await expect.poll(() => ran.length).toBe(1);
  const file = join(mkdtempSync(join(scratch, 'copy-')), 'talk.json');
  await exportSession(session, file);
  await using other = memorySessions();
  const imported = await importSession(other, file);
  if (!imported.ok) throw new Error(imported.refusal.what);
  await using copy = how === 'fork' ? await store.fork(session.id) : await other.open(imported.value.id);
  const again = tool('pay', undefined, () => (ran.push('paid again'), 'paid'));
  await go(copy, [{ text: 'Paid.' }], { resume: true, tools: [again], prompt: 'Well?' });
  expect([ran, await results(copy)]).toEqual([['paid'], [`pay: ${interruptedCall}`]]);
});

test.each([
  [{ resume: true }, 'A run resumes in a session'],
  [{ resume: true, session: true, messages: [] }, 'Leave "messages" out'],
  [
    { resume: true, session: true, step: async (_: string, work: () => Promise<never>) => await work() },
    'Leave "resume" out',
  ],
  [{ step: async (_: string, work: () => Promise<never>) => await work() }, 'needs a session'],
])('what does not go together is told: %o', async (more, words) => {
  await using store = memorySessions();
  const session = 'session' in more ? { session: await store.create() } : {};
  const { error } = await runAgent({
    model,
    prompt: 'Go',
    ...(more as Partial<AgentOptions>),
    ...session,
  });
  expect(error?.message).toContain(words);
});

type Death = { at: number; when: 'before' | 'after' };

/** An engine that keeps what steps give as JSON; what was not kept when it died is done again. */
function engine(kept: Map<string, string>, dies?: Death): NonNullable<AgentOptions['step']> {
  let steps = 0;
  return async (name, work) => {
    const known = kept.get(name);
    if (known !== undefined) return JSON.parse(known) as Awaited<ReturnType<typeof work>>;
    const isLast = ++steps === dies?.at;
    if (isLast && dies?.when === 'before') throw new Error('died');
    const value = await work();
    if (isLast) throw new Error('died');
    kept.set(name, JSON.stringify(value));
    return value;
  };
}

const deaths = Array.from({ length: 7 }, (_, at) =>
  ['before', 'after'].map((when) => ({ at: at + 1, when }) as Death),
).flat();

test.each(deaths)('a run that an engine plays again after it died $when step $at does nothing twice', async (death) => {
  await using store = memorySessions();
  const session = await store.create();
  const [kept, paid] = [new Map<string, string>(), [] as string[]];
  const tools = [
    tool('pay', undefined, (key) => (paid.push(key), 'paid')),
    tool('look', 'read', () => ({ content: [{ type: 'text', text: 'seen' }], details: 'x'.repeat(200_000) })),
  ];
  const steps: Step[] = [
    { calls: [{ name: 'pay' }, { name: 'look' }] },
    { calls: [{ name: 'pay' }] },
    { text: 'Done.' },
  ];
  const play = (dies?: Death): Promise<RunResult> => {
    const answered = [...kept.keys()].filter((name) => name.startsWith('answer')).length;
    return go(session, steps.slice(answered), { prompt: 'Go', tools, step: engine(kept, dies) });
  };
  expect(await play(death)).toMatchObject({ stop: 'error', error: { message: 'died' } });
  expect(await play()).toMatchObject({ stop: 'end', text: 'Done.' });
  expect(await play()).toMatchObject({ stop: 'end', text: 'Done.' }); // once more, from what was kept alone
  expect((await session.messages()).map(({ role }) => role)).toEqual([
    'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant',
  ]); // prettier-ignore
  expect(new Set(paid).size).toBe(paid.length);
  expect([...kept.keys()]).toEqual(expect.arrayContaining(['prompt', 'answer 1', 'call 1 0', 'call 1 1', 'answer 3']));
  for (const value of kept.values()) expect(value.length).toBeLessThan(64 * 1024);
});

const { kills } = effort;
const together = 4; // runs in one process, each in a session of its own: most of what a kill costs is the start after it

/** Lets a child go on with runs, and kills it at one of the moments it tells; false when they were over before. */
function killed(home: string, ids: readonly string[], moment: number): Promise<boolean> {
  const player = fileURLToPath(new URL('resume-player.ts', import.meta.url));
  const child = spawn(process.execPath, [player, home, ...ids], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [errors, told] = ['', 0];
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString().split('\n').length - 1;
    if (told >= moment) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === null && code !== 0) reject(new Error(errors));
      else resolve(signal === 'SIGKILL');
    });
  });
}

async function messagesIn(home: string, ids: readonly string[]): Promise<Message[][]> {
  await using store = openSessions({ home, readOnly: true });
  return await Promise.all(ids.map(async (id) => await (await store.read(id)).messages()));
}

function isOver(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === 'assistant' && textIn(last.content) === 'Done.';
}

const patience = { timeout: 300_000 + kills * 10_000 };

test(
  `after ${kills} runs were killed all are ended, and nothing that must not happen twice does`,
  patience,
  async () => {
    const home = mkdtempSync(join(scratch, 'kills-'));
    for (let left = kills; left > 0;) {
      const first = openSessions({ home });
      const ids = await Promise.all(
        Array.from({ length: together }, async () => {
          const session = await first.create();
          await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'Go' }] } });
          return session.id;
        }),
      );
      await first.close();
      let open = ids;
      while (left > 0 && (await killed(home, open, 1 + Math.floor(Math.random() * 12 * open.length)))) {
        const found = await messagesIn(home, open);
        open = open.filter((_id, at) => !isOver(found[at] ?? []));
        left -= open.length;
      }
      await killed(home, open, Infinity); // to their end
      for (const messages of await messagesIn(home, ids)) {
        expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done.' }] });
        const calls = messages.flatMap(({ content }) => content.filter((block) => block.type === 'call'));
        expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(calls.length);
      }
    }
    const done = readFileSync(join(home, 'effects'), 'utf8').trim().split('\n');
    expect(new Set(done).size).toBe(done.length);
  },
);
