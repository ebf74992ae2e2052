import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { createUIMessageStreamResponse, stepCountIs, streamText, tool, toUIMessageStream } from 'ai';
import { Hono } from 'hono';
import { z } from 'zod';

const kept = new Map<string, Uint8Array<ArrayBuffer>>();
const chart = tool({
  description: 'Draws sales.',
  inputSchema: z.object({}),
  execute: async () => {
    const id = randomUUID();
    kept.set(id, new Uint8Array(await readFile('examples/chart.png')));
    return { id, url: `/media/${id}` };
  },
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: kept.get(output.id) ?? '' } }],
  }),
});
const app = new Hono();
app.get('/media/:id', (c) => c.body(kept.get(c.req.param('id')) ?? new Uint8Array()));
app.post('/api/chat', async (c) => {
  const prompt = await c.req.text();
  const { stream } = streamText({ model: openai('gpt-5.2'), tools: { chart }, stopWhen: stepCountIs(50), prompt });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) });
});

const answer = await (await app.request('/api/chat', { method: 'POST', body: 'How were sales?' })).text();
const picture = await app.request(/\/media\/[-\w]+/.exec(answer)?.[0] ?? '/');
console.log(answer.includes('rose'), (await picture.arrayBuffer()).byteLength > 1000);
