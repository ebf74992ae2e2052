// Reads one streamed answer several times in this process and gives back how long each time took.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { decodeEvents } from '../../src/core.ts';
import type { Task } from '../harness.ts';
import { chunks, payloads } from './answer.ts';
import type { StreamedWire } from './answer.ts';

export type DecodeInput = { wire: StreamedWire; by: 'JSON.parse' | 'sightline' | 'ai'; pieces: number; times: number };
export type DecodeSample = { wallMs: number; cpuMs: number; megabytes: number };

const task: Task<DecodeInput, DecodeSample[]> = async ({ wire, by, pieces, times }) => {
  const events = payloads(wire, pieces);
  const bytes = chunks(wire, events);
  const megabytes = bytes.reduce((sum, chunk) => sum + chunk.length, 0) / 1e6;
  const samples: DecodeSample[] = [];
  for (let time = 0; time < times; time++) {
    globalThis.gc?.();
    const cpu = process.cpuUsage();
    const start = performance.now();
    const read = await readers[by](wire, bytes, events);
    const wallMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    if (read < pieces) throw new Error(`${by} read ${read} of ${pieces} pieces`);
    samples.push({ wallMs, cpuMs: (user + system) / 1000, megabytes });
  }
  return samples;
};
export default task;

type Read = (wire: StreamedWire, bytes: Uint8Array<ArrayBuffer>[], events: readonly string[]) => Promise<number>;

const readers: Record<DecodeInput['by'], Read> = {
  'JSON.parse': async (_, __, events) => {
    let read = 0;
    for (const event of events) if (JSON.parse(event)) read++;
    return read;
  },
  sightline: async (wire, bytes) => {
    let read = 0;
    for await (const event of decodeEvents(wire, { endpoint: 'bench', model: 'model' }, response(bytes)))
      if (event.type === 'block-delta') read++;
    return read;
  },
  ai: async (wire, bytes) => {
    const settings = { apiKey: 'none', fetch: async () => response(bytes) };
    const model =
      wire === 'anthropic-messages' ? createAnthropic(settings)('claude') : createOpenAI(settings).chat('gpt');
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }] });
    let read = 0;
    for await (const part of stream) if (part.type === 'text-delta') read++;
    return read;
  },
};

function response(bytes: readonly Uint8Array<ArrayBuffer>[]): Response {
  const waiting = bytes.values();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = waiting.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
