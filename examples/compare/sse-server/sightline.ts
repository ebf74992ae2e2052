import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { defineTool, memoryAssets, runAgent } from 'sightline';
import { toSSE, toUIMessageStream } from 'sightline/ui';

const chart = defineTool({ name: 'chart', description: 'Draws sales.', run: () => readFile('examples/chart.png') });
const assets = memoryAssets();
const app = new Hono();
app.get('/media/:id', async (c) => c.body(new Uint8Array((await assets.get(`sha256:${c.req.param('id')}`)) ?? [])));
app.post('/api/chat', async (c) => {
  const run = runAgent({ model: 'openai/gpt-5.2', tools: [chart], assets, prompt: await c.req.text() });
  return toSSE(toUIMessageStream(run, { mediaUrl: ({ id }) => id.replace('sha256:', '/media/') }));
});

const answer = await (await app.request('/api/chat', { method: 'POST', body: 'How were sales?' })).text();
const picture = await app.request(/\/media\/\w+/.exec(answer)?.[0] ?? '/');
console.log(answer.includes('rose'), (await picture.arrayBuffer()).byteLength > 1000);
