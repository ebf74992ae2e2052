// Histories to look at: an agent that takes two screenshots a turn, as long and as heavy as wanted, and a conversation of
// very many short requests. Both are written by the recorder that programs use.
import { randomFillSync } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { runAgent } from '../../src/agent/run.ts';
import type { Send } from '../../src/model/send-options.ts';
import { keptBody } from '../../src/record/body.ts';
import { openSessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';

/** A picture of noise, which nothing makes smaller, of about so many bytes. */
export function noise(bytes: number): Buffer {
  const width = Math.max(16, Math.round(Math.sqrt(bytes / 3)));
  const rows = Buffer.alloc((width * 3 + 1) * width);
  randomFillSync(rows);
  for (let y = 0; y < width; y++) rows[y * (width * 3 + 1)] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(width, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(rows, { level: 0 });
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [name, ends] = [Buffer.concat([Buffer.from(type), data]), Buffer.alloc(8)];
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(name), 4);
  return Buffer.concat([ends.subarray(0, 4), name, ends.subarray(4)]);
}

export type History = { id: string; pictureBytes: number };

/** So many turns, each with two pictures of about so many bytes. */
export async function pictureHistory(home: string, turns: number, bytes: number): Promise<History> {
  await using store = openSessions({ home, requests: { maxBytes: 1e12 } });
  const session = await store.create({ title: 'Look at every page of the shop' });
  let pictureBytes = 0;
  const shoot = defineTool({
    name: 'screenshot',
    description: 'Takes pictures of a page.',
    input: { type: 'object', properties: { page: { type: 'string' } } },
    run: () =>
      ['left', 'right'].map((side) => {
        const data = noise(bytes);
        pictureBytes += data.length;
        return { type: 'image' as const, data, name: `${side}.png` };
      }),
  });
  const model = 'anthropic/claude-sonnet-4-5';
  await runAgent({
    model,
    session,
    tools: [shoot],
    prompt: 'Look at every page.',
    send: caller(turns),
    maxSteps: turns + 1,
  }).result();
  await session.close();
  return { id: session.id, pictureBytes };
}

/** A model that calls the tool so often and never looks at what it gets. */
function caller(turns: number): Send {
  let turn = 0;
  return async function* ({ plan: { profile } }) {
    const isLast = ++turn === turns;
    const call = { type: 'call', id: `call_${turn}`, name: 'screenshot', input: { page: `${turn}` } } as const;
    const block = isLast ? ({ type: 'text', text: 'Done.' } as const) : call;
    yield { type: 'message-start', model: profile.model };
    yield { type: 'block-start', index: 0, block };
    yield { type: 'block-end', index: 0, block };
    const usage = { inputTokens: 30_000, cachedTokens: 26_000, writtenTokens: 4000, outputTokens: 40 };
    yield { type: 'message-end', stop: isLast ? 'end' : 'calls', usage };
  };
}

/** So many requests of one conversation, each a question longer than the one before. */
export async function longHistory(home: string, count: number): Promise<string> {
  await using store = openSessions({ home, requests: { maxBytes: 1e12 } });
  const { recorder } = store;
  if (!recorder) throw new Error('nothing is recorded');
  const messages: object[] = [];
  const frame = { version: 1, purpose: 'answer', via: 'send', wire: 'openai-chat', repairs: [], receipts: [] } as const;
  const about = {
    model: 'openai-chat/gpt-4.1',
    url: 'https://api.openai.com/v1/chat/completions',
    conversation: 'long',
  };
  for (let at = 0; at < count; at++) {
    messages.push({ role: 'user', content: `Question ${at}: what does line ${at} of the log say?` });
    if (messages.length > 40) messages.shift();
    const id = crypto.randomUUID();
    const skeleton = { model: 'gpt-4.1', messages: [...messages] };
    await recorder.begin({ ...frame, ...about, id, time: Date.now(), bytes: 4000 }, () => keptBody(skeleton));
    const usage = { inputTokens: 400 + (at % 900), cachedTokens: at % 400, outputTokens: 20 };
    const latency = { firstMs: 200, totalMs: 900 };
    await recorder.end(id, {
      state: 'answered',
      attempts: [{ ms: 200, status: 200 }],
      usage,
      latency,
      cost: 0.001,
      stop: 'end',
    });
  }
  return 'long';
}
