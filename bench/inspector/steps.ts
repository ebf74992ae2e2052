// A loop of the AI SDK with a picture a step: by itself, with its own devtools, and over a fetch that records. What the last
// step takes, and what lies on disk at the end.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, jsonSchema, registerTelemetry, stepCountIs, tool } from 'ai';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { openSessions } from '../../src/session/store.ts';
import type { Task } from '../harness.ts';
import { noise } from './history.ts';

export type StepsInput = { way: 'alone' | 'devtools' | 'sightline'; folder: string; steps: number; bytes: number };
export type StepsFigures = { lastMs: number; lastCpuMs: number; diskBytes: number; pictureBytes: number };

const task: Task<StepsInput, StepsFigures> = async ({ way, folder, steps, bytes }) => {
  const place = join(folder, randomUUID());
  mkdirSync(place, { recursive: true });
  process.chdir(place); // there the devtools write
  if (way === 'devtools') registerTelemetry((await import('@ai-sdk/devtools')).DevToolsTelemetry());
  const store = way === 'sightline' ? openSessions({ home: place }) : undefined;
  let [asked, pictureBytes, began] = [0, 0, 0];
  let cpu = process.cpuUsage();
  const canned: typeof fetch = async () => {
    asked++;
    if (asked === steps - 1) [began, cpu] = [performance.now(), process.cpuUsage()];
    return Response.json(
      asked < steps
        ? answerOf(asked)
        : { ...answerOf(asked), content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
    );
  };
  const { recorder, assets } = store ?? {};
  const own = recorder && assets && sightlineFetch({ fetch: canned, recorder, assets });
  const shoot = tool({
    description: 'Takes a picture.',
    inputSchema: jsonSchema<{ page: string }>({ type: 'object', properties: { page: { type: 'string' } } }),
    execute: () => {
      const data = noise(bytes);
      pictureBytes += data.length;
      return data.toString('base64');
    },
    toModelOutput: ({ output }) => ({
      type: 'content',
      value: [{ type: 'file', data: { type: 'data', data: output }, mediaType: 'image/png' }],
    }),
  });
  const model = createAnthropic({ apiKey: 'k', baseURL: 'http://127.0.0.1:9/v1', fetch: own ?? canned })(
    'claude-sonnet-4-5',
  );
  await generateText({ model, prompt: 'Look at every page.', tools: { shoot }, stopWhen: stepCountIs(steps + 1) });
  await store?.recorder?.end('nobody', { state: 'answered', attempts: [] }); // stands in line behind the rest
  const lastMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await store?.close();
  return { lastMs, lastCpuMs: (user + system) / 1000, diskBytes: sizeOf(place), pictureBytes };
};
export default task;

function answerOf(at: number): object {
  const call = { type: 'tool_use', id: `toolu_${at}`, name: 'shoot', input: { page: `${at}` } };
  const usage = { input_tokens: 900, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const frame = {
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    stop_sequence: null,
  };
  return { ...frame, content: [call], stop_reason: 'tool_use', usage };
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
