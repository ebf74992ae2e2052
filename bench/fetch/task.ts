// The AI SDK with a fetch that takes the body and answers at once, with the wrapper between and without it, in turn.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import type { ModelMessage } from 'ai';
import { sightlineFetch } from '../../src/fetch/index.ts';
import type { Task } from '../harness.ts';
import { measureCalls } from '../measure.ts';
import type { Sink } from '../measure.ts';
import { pictures } from './pictures.ts';

export type FetchInput = { pictures: number; rounds: number };

/** One call: its time, and how far memory rose above what it was. */
export type Cost = { ms: number; cpuMs: number; mb: number };

/** `first` is the first call through the wrapper, in which it has to check what it sees. */
export type FetchResult = { first: Cost; plain: Cost[]; wrapped: Cost[] };

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Good.', refusal: null } }],
};

const task: Task<FetchInput, FetchResult> = async ({ pictures: count, rounds }) => {
  let sink: Sink | undefined;
  const last: typeof fetch = async (_, init) => {
    // What every fetch does with a body that is a text: it writes it down as bytes.
    const body = new TextEncoder().encode(init?.body as string);
    sink?.write(body);
    sink?.end();
    return Response.json(answer);
  };
  const messages = await conversation(count);
  const costOf = async (given: typeof fetch): Promise<Cost> => {
    const openai = createOpenAI({ apiKey: 'key', fetch: given });
    const { baseMb, first } = await measureCalls(async (into) => {
      sink = into;
      await generateText({ model: openai.chat('gpt-4.1'), messages, maxRetries: 0 });
    }, 1);
    return { ms: first.wallMs, cpuMs: first.cpuMs, mb: first.peakMb - baseMb };
  };
  const wrapper = sightlineFetch({ fetch: last });
  await costOf(last);
  const result: FetchResult = { first: await costOf(wrapper), plain: [], wrapped: [] };
  for (let round = 0; round < rounds; round++) {
    result.plain.push(await costOf(last));
    result.wrapped.push(await costOf(wrapper));
  }
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
