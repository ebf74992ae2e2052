import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { defineTool, runAgent } from 'sightline';
import type { AssetId, AssetStore, Ledger, Message } from 'sightline';

const bucket = new Map<string, Uint8Array>();
const assets: AssetStore = {
  async put(source, about) {
    const bytes = Buffer.concat(source instanceof Uint8Array ? [source] : await Array.fromAsync(source));
    const id: AssetId = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    bucket.set(id, bytes);
    return { ...about, id, size: bytes.length };
  },
  get: async (id, range) => bucket.get(id)?.slice(range?.from, range?.to),
  async *stream(id, { from = 0 } = {}) {
    yield bucket.get(id)?.slice(from) ?? new Uint8Array();
  },
  missing: async (ids) => new Set(ids.filter((id) => !bucket.has(id))),
};

const chart = defineTool({ name: 'chart', description: 'Draws sales.', run: () => readFile('examples/chart.png') });
const options = { model: 'openai/gpt-5.2', tools: [chart], assets } as const;
const { messages, ledger } = await runAgent({ ...options, prompt: 'How were sales?' });
const row = JSON.stringify({ messages, ledger }); // what a database keeps: words and hashes
const kept = JSON.parse(row) as { messages: Message[]; ledger: Ledger };
const { text } = await runAgent({ ...options, ...kept, prompt: 'Sure?' });
console.log(text, row.length < 5000);
