// A provider that takes any body at once and always gives the same answer, in the dialect of the path; whoever asks it to
// go slowly gets it word by word.
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const chat = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      logprobs: null,
      message: { role: 'assistant', content: 'Good.', refusal: null },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Good.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};
const anthropic = JSON.stringify(message);
const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const streamed = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const [words, pauseMs] = [40, 100];
const many = <Item>(item: Item): Item[] => Array.from({ length: words }, () => item);

const slowMessage = [...events.slice(0, 2), ...many(events[2]), ...events.slice(3)].map(
  (event) => `event: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`,
);
const piece = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1' };
const said = { ...piece, choices: [{ index: 0, delta: { content: 'Good.' }, finish_reason: null }] };
const over = { ...piece, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const slowChat = [...many(said), over].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).concat('data: [DONE]\n\n');

async function tellSlowly(outgoing: ServerResponse, frames: readonly string[]): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of frames) {
    outgoing.write(frame);
    await setTimeout(pauseMs);
  }
  outgoing.end();
}

const server = createServer((incoming, outgoing) => {
  let [head, tail] = ['', ''];
  incoming.on('data', (chunk: Buffer) => {
    if (head === '') head = chunk.subarray(0, 1000).toString('latin1');
    tail = chunk.subarray(-200).toString('latin1');
  });
  incoming.on('end', () => {
    const wants = /"stream":\s*true/.test(tail);
    const isChat = incoming.url?.includes('/chat/completions') === true;
    if (head.includes('slowly')) return void tellSlowly(outgoing, isChat ? slowChat : slowMessage);
    outgoing.writeHead(200, { 'content-type': !isChat && wants ? 'text/event-stream' : 'application/json' });
    outgoing.end(isChat ? chat : wants ? streamed : anthropic);
  });
});
server.keepAliveTimeout = 600_000; // as long as the run
server.listen(Number(process.argv[2]), '127.0.0.1');
