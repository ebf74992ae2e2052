// A chat on a page. Hono serves it, a session keeps each conversation, and the page gets pictures of tools by URL.
// `/chat` tells the plain events that `page.html` reads; `/api/chat` is what AI SDK's `useChat` asks.
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import type { UIMessage } from 'ai';
import { readFileTool, runAgent } from 'sightline';
import type { AgentRun, Asset } from 'sightline';
import { memorySessions } from 'sightline/session';
import type { Session } from 'sightline/session';
import { toSSE, toUIMessageStream } from 'sightline/ui';

const store = memorySessions();
const conversations = new Map<string, Promise<Session>>();
const shown = new Map<string, { session: Session; mediaType: string }>();

/** One more turn of a conversation; `mediaUrl` remembers what its page may ask for. */
async function turn(id: string, prompt: string): Promise<{ run: AgentRun; mediaUrl: (asset: Asset) => string }> {
  const opened = conversations.get(id) ?? store.create();
  conversations.set(id, opened);
  const session = await opened;
  const tools = [readFileTool({ roots: ['examples'] })];
  return {
    run: runAgent({ model: 'anthropic/claude-sonnet-5', session, tools, prompt }),
    mediaUrl: ({ id: asset, mediaType }) => {
      shown.set(asset, { session, mediaType });
      return `/media/${asset}`;
    },
  };
}

export const app: Hono = new Hono();

app.get('/', async (c) => c.html(await readFile(new URL('page.html', import.meta.url), 'utf8')));

app.get('/media/:id', async (c) => {
  const known = shown.get(c.req.param('id'));
  const bytes = await known?.session.assets.get(c.req.param('id') as Asset['id']);
  if (!known || !bytes) return c.notFound();
  return c.body(new Uint8Array(bytes), 200, { 'content-type': known.mediaType, 'x-content-type-options': 'nosniff' });
});

app.post('/chat', async (c) => {
  const { id, prompt } = await c.req.json<{ id: string; prompt: string }>();
  const { run, mediaUrl } = await turn(id, prompt);
  return toSSE(run, { mediaUrl });
});

app.post('/api/chat', async (c) => {
  const { id, messages } = await c.req.json<{ id: string; messages: UIMessage[] }>();
  const said = messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])) ?? [];
  const { run, mediaUrl } = await turn(id, said.join('\n'));
  return toSSE(toUIMessageStream(run, { mediaUrl }));
});
