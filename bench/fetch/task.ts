// The AI SDK with a fetch that takes the body and answers at once, and a body that is written already on its way to another
// process, with the wrapper between and without it, in turn.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import type { ModelMessage } from 'ai';
import type * as Fetch from '../../src/fetch/index.ts';
import { freePort, start } from '../gateway/servers.ts';
import type { Task } from '../harness.ts';
import { measureCalls } from '../measure.ts';
import type { Sink } from '../measure.ts';
import { pictures } from './pictures.ts';

export type FetchInput = { pictures: number; rounds: number; written?: true };

/** One call: its time, how far memory rose above what it was, and the longest time that the event loop stood still. */
export type Cost = { ms: number; cpuMs: number; mb: number; blockMs: number };

/** `first` is the first call through the wrapper, for which it loads what checks pictures; in `fresh` it sees other pictures than
 * before, and has to check them. */
export type FetchResult = { first: Cost; fresh: Cost; plain: Cost[]; wrapped: Cost[] };

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Good.', refusal: null } }],
};

/** As it is installed: what strips the types off the source would count, in the process that checks pictures too. */
const { sightlineFetch } = (await import(new URL('../../dist/fetch/index.js', import.meta.url).href)) as typeof Fetch;

const resolution = 1;
const delays = monitorEventLoopDelay({ resolution });

const task: Task<FetchInput, FetchResult> = async ({ pictures: count, rounds, written }) => {
  let sink: Sink | undefined;
  let body = '';
  let over: (() => void) | undefined;
  const last: typeof fetch = async (_, init) => {
    // What every fetch does with a body that is a text: it writes it down as bytes.
    const bytes = new TextEncoder().encode((body = init?.body as string));
    sink?.write(bytes);
    sink?.end();
    over?.();
    return Response.json(answer);
  };
  let messages = await conversation(count);
  const asked = (given: typeof fetch): Promise<unknown> => {
    const openai = createOpenAI({ apiKey: 'key', fetch: given });
    return generateText({ model: openai.chat('gpt-4.1'), messages, maxRetries: 0 });
  };
  await asked(last);
  let text = body;
  const headers = { 'content-type': 'application/json' };
  const port = written ? await freePort() : 0;
  const upstream = written && (await start('upstream', 'upstream.ts', [String(port)], port));
  const sent = async (given: typeof fetch): Promise<void> => {
    const answered = await given(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: text,
    });
    await answered.text();
    sink?.end();
    over?.();
  };
  const costOf = async (given: typeof fetch): Promise<Cost> => {
    let [ms, cpuMs] = [Number.NaN, Number.NaN];
    const { baseMb, first } = await measureCalls(async (into) => {
      sink = into;
      delays.reset();
      delays.enable();
      await setTimeout(5 * resolution); // it counts from its first tick on
      const [began, cpu] = [performance.now(), process.cpuUsage()];
      over = () => {
        ms = performance.now() - began;
        const { user, system } = process.cpuUsage(cpu);
        cpuMs = (user + system) / 1000;
      };
      await (written ? sent : asked)(given);
      await setTimeout(5 * resolution);
      delays.disable();
    }, 1);
    return { ms, cpuMs, mb: first.peakMb - baseMb, blockMs: Math.max(0, delays.max / 1e6 - resolution) };
  };
  const bare = written ? fetch : last;
  const wrapper = written ? sightlineFetch() : sightlineFetch({ fetch: last });
  await costOf(bare);
  const first = await costOf(wrapper);
  messages = await conversation(count);
  await asked(last);
  text = body;
  const result: FetchResult = { first, fresh: await costOf(wrapper), plain: [], wrapped: [] };
  for (let round = 0; round < rounds; round++) {
    result.plain.push(await costOf(bare));
    result.wrapped.push(await costOf(wrapper));
  }
  if (upstream) upstream.child.kill();
  return result;
};
export default task;

async function conversation(count: number): Promise<ModelMessage[]> {
  const turns = (await pictures(count)).flatMap((data, at): ModelMessage[] => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `call_${at}`, toolName: 'look', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `call_${at}`,
          toolName: 'look',
          output: { type: 'content', value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }] },
        },
      ],
    },
  ]);
  return [{ role: 'user', content: 'Look.' }, ...turns, { role: 'user', content: 'And?' }];
}
