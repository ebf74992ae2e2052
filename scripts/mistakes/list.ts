// Mistakes that people make, as they write them. Each is run; `docs/mistakes.md` shows what one reads then.
import { z } from 'zod';
import * as v from 'valibot';
import {
  agentTool, answer, capabilitiesOf, collect, connectServers, countTokens, defineTool, document, fileAssets,
  image, invokeTools, memoryAssets, parseTranscript, prepare, profileFor, read, readFileTool, runAgent, send, shippedTools, text,
} from '../../src/index.ts'; // prettier-ignore
import { act } from '../../src/agent/act.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { memorySessions, openSessions, sessionsOver } from '../../src/session/index.ts';
import type { Wrong } from './run.ts';

const model = 'anthropic/claude-sonnet-5';
const hi = 'Hi.';
const says = (...words: string[]) => scriptedSend(script(words.map((each) => ({ text: each }))));
const chart = defineTool({
  name: 'chart',
  description: 'Draws.',
  input: z.object({ year: z.number() }),
  run: () => 'drawn',
});
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] }) as never;

/** `as Wrong` hides from the compiler what it would complain about. */
export const mistakes: Record<string, (() => unknown)[]> = {
  'Defining a tool': [
    () => defineTool({ description: 'Draws.', run: () => 'x' } as Wrong),
    () => defineTool({ name: 'draw a chart', description: 'Draws.', run: () => 'x' }),
    () => defineTool({ name: 'x'.repeat(65), description: 'Draws.', run: () => 'x' }),
    () => defineTool({ name: 'chart', run: () => 'x' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', execute: () => 'x' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', inputSchema: z.object({}), run: () => 'x' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', parameters: { type: 'object' }, run: () => 'x' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', input: { q: z.string() }, run: () => 'x' } as Wrong),
    () =>
      defineTool({ name: 'chart', description: 'Draws.', input: { q: { type: 'string' } }, run: () => 'x' } as Wrong),
    () =>
      defineTool({
        name: 'chart',
        description: 'Draws.',
        input: { title: { type: 'string' } },
        run: () => 'x',
      } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', input: z.string(), run: () => 'x' } as Wrong),
    () =>
      defineTool({ name: 'chart', description: 'Draws.', input: v.object({ q: v.string() }), run: () => 'x' } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', input: { type: 'array' }, run: () => 'x' } as Wrong),
    () =>
      defineTool({
        name: 'chart',
        description: 'Draws.',
        input: z.object({ when: z.date() }),
        run: () => 'x',
      } as Wrong),
    () => defineTool({ name: 'chart', description: 'Draws.', timeoutMs: -1, run: () => 'x' }),
    () => defineTool({ name: 'chart', description: 'Draws.', needsApproval: true, run: () => 'x' } as Wrong),
    () => defineTool('chart' as Wrong),
    () => agentTool({ name: 'reader', description: 'Reads.', agent: {} } as Wrong),
  ],
  'Giving tools to a run': [
    () => runAgent({ model, prompt: hi, tools: { chart } } as Wrong),
    () => runAgent({ model, prompt: hi, tools: [chart, chart], send: says(hi) }),
    () => runAgent({ model, prompt: hi, tools: [{ name: 'x' }], send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, tools: chart, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, tools: [chart], toolChoice: { tool: 'charts' }, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, toolChoice: 'required', send: says(hi) } as Wrong),
    () => readFileTool('examples' as Wrong),
    () => readFileTool(undefined as Wrong),
  ],
  'What the model then reads': [
    () => invokeTools(called('charts', {}), { tools: [chart] }),
    () => invokeTools(called('chart', { year: 'last' }), { tools: [chart] }),
    () => invokeTools(called('chart', {}), { tools: [chart] }),
    () => invokeTools(called('fails', {}), { tools: [failing(() => JSON.parse('{'))] }),
    () => invokeTools(called('fails', {}), { tools: [failing(() => image('missing.png'))] }),
    () => invokeTools(called('fails', {}), { tools: [failing(() => image('/etc/hostname'))] }),
    () => invokeTools(called('fails', {}), { tools: [failing(() => ({ chart: Promise.resolve('drawn') }))] }),
    () => invokeTools(called('chart', {}), [chart] as Wrong),
  ],
  'Models and keys': [
    () => runAgent({ prompt: hi } as Wrong),
    () => runAgent({ model: 'claude-sonnet-5', prompt: hi }),
    () => runAgent({ model: 'antropic/claude-sonnet-5', prompt: hi }),
    () => runAgent({ model: 'anthropic/claude-sonet-5', prompt: hi, send: says(hi), maxCost: 1 }),
    () => runAgent({ model: 'anthropic/', prompt: hi }),
    () => runAgent({ model: [], prompt: hi } as Wrong),
    () => runAgent({ model, prompt: hi }),
    () => runAgent({ model, baseURL: 'http://localhost:8080', prompt: hi } as Wrong),
    () => runAgent({ model, key: 'wrong', baseUrl: 'not an address', prompt: hi }),
    () => runAgent({ model, key: 'wrong', baseUrl: 'localhost:8080', prompt: hi }),
    () => runAgent({ model: 'ollama/qwen3-vl', baseUrl: 'http://127.0.0.1:9', tries: 1, prompt: hi } as Wrong),
    () => profileFor('gpt-5.2'),
  ],
  'Prompts and media': [
    () => runAgent({ model, send: says(hi) }),
    () => runAgent({ model, prompt: '', send: says(hi) }),
    () => runAgent({ model, messages: { role: 'user', content: hi }, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: { role: 'user' }, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: [image('missing.png')], send: says(hi) }),
    () => runAgent({ model, prompt: [image({ data: 'examples/chart.png' })], send: says(hi) }),
    () => runAgent({ model, prompt: [document('package.json')], send: says(hi) }),
    () => image({} as Wrong),
    () => image(undefined as Wrong),
    () => image({ path: 'examples/chart.png', data: 'aGk=' }),
    () => text(42 as Wrong),
    () => read('https://example.com/report.pdf'),
    () => runAgent({ model, prompt: [image('https://example.com/a.png')], send: says(hi) }),
    () => read('missing.pdf'),
    () => read('~/report.pdf'),
    () => read('examples'),
    () => read('examples/report.pdf', { pages: '9' }),
    () => read('examples/report.pdf', { pages: 'two' }),
    () => read(undefined as Wrong),
  ],
  Running: [
    async () => {
      const run = runAgent({ model, prompt: hi, send: says(hi) });
      await run;
      for await (const event of run) void event;
    },
    async () => {
      const run = runAgent({ model, prompt: hi, send: says(hi) });
      for await (const event of run) void event;
      for await (const event of run) void event;
    },
    () => runAgent({ model, prompt: hi, maxSteps: 0, send: says(hi) }),
    () => runAgent({ model, prompt: hi, maxCost: -1, send: says(hi) }),
    () => runAgent({ model, prompt: hi, signal: AbortSignal.abort(new Error('Ctrl-C')), send: says(hi) }),
    () => runAgent({ model, prompt: hi, maxSteps: '5', send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, signal: new AbortController(), send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, assets: 'folder', send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, send: script([{ text: hi }]) } as Wrong),
    () =>
      runAgent({
        model,
        prompt: hi,
        messages: [{ role: 'assistant', content: null, tool_calls: [] }],
        send: says(hi),
      } as Wrong),
    () => runAgent({ model, prompt: hi, maxTokens: 0, send: says(hi) }),
    () => runAgent({ model, prompt: hi, temperature: 'hot', send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, onStep: () => undefined, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, system: ['a', 'b'], send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, maxTurns: 3, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, abortSignal: AbortSignal.timeout(1000), send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, instructions: 'Be kind.', send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, stopWhen: () => true, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, output: { name: 'x', schema: { type: 'object' } }, send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, output: z.object({ n: z.number() }), send: says('no', 'no', 'no') }),
    () => runAgent({ model, messages: [{ role: 'system', content: 'Be kind.' }], prompt: hi, send: says(hi) } as Wrong),
    () => act({ model, prompt: hi, tools: 'none' } as Wrong),
    () => runAgent(undefined as Wrong),
  ],
  'A loop of your own': [
    () => prepare({ messages: [] }, { model }),
    () => prepare([{ role: 'user', content: hi }] as Wrong, { model }),
    () => prepare(user(hi), {} as Wrong),
    async () =>
      prepare(user(hi), { model, ledger: JSON.stringify((await prepare(user(hi), { model })).ledger) } as Wrong),
    async () => collect(send(await prepare(user(hi), { model }))),
    async () => (await prepare(user(hi), { model })).decode({ error: { message: 'invalid x-api-key' } } as Wrong),
    () => parseTranscript({ messages: [{ role: 'robot', content: hi }] }),
    () => collect(answer({ messages: [] }, { model })),
  ],
  'Sessions and stores': [
    () => memorySessions().open('nope'),
    () => runAgent({ model, prompt: hi, session: 'abc', send: says(hi) } as Wrong),
    () => runAgent({ model, prompt: hi, session: memorySessions().create(), send: says(hi) } as Wrong),
    async () =>
      runAgent({
        model,
        prompt: hi,
        session: await memorySessions().create(),
        assets: memoryAssets(),
        send: says(hi),
      } as Wrong),
    () => openSessions('.sightline' as Wrong),
    () => openSessions({} as Wrong),
    () => fileAssets(undefined as Wrong),
    () => sessionsOver({} as Wrong),
    () => memoryAssets({ maxBytes: 10 }).put(new Uint8Array(11), { mediaType: 'image/png' }),
  ],
  'Around it': [
    () => sightlineFetch({ model: 'gpt-4.1' }),
    () => sightlineFetch('https://api.openai.com/v1/responses' as Wrong),
    () => sightlineFetch(fetch as Wrong),
    () => script({ text: 'Hello.' } as Wrong),
    () => script('hello' as Wrong),
    async () => {
      const twice = says(hi, hi);
      await runAgent({ model, prompt: hi, send: twice });
      twice.done();
    },
    async () => {
      const silent = says();
      return runAgent({ model, prompt: hi, send: silent });
    },
    async () => {
      await using servers = await connectServers({ files: { command: 'no-such-program' } });
      return servers.states.map(({ problem }) => problem);
    },
    async () => {
      await using servers = await connectServers({ files: 'npx files' } as Wrong);
      return servers.states.map(({ problem }) => problem);
    },
    () => shippedTools({ roots: 'here' } as Wrong),
    () => capabilitiesOf(model as Wrong),
    async () => countTokens(await prepare(user(hi), { model: 'ollama/qwen3-vl' })),
  ],
};

function called(name: string, input: unknown) {
  return { content: [{ type: 'call' as const, id: 'a', name, input }] };
}

function failing(run: () => unknown) {
  return defineTool({ name: 'fails', description: 'Fails.', run });
}
