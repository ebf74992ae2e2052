// An answer that breaks inside its first call, with no words before it, at any byte: it is asked for again on every wire,
// whether the line ends cleanly or is reset, and the call runs once.
import { afterEach, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { collect } from '../../src/message/collect.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { WireName } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { failWith, faultServer, rawBody } from '../model/fault-server.ts';
import type { Act, FaultServer } from '../model/fault-server.ts';
import { hastyClock } from '../model/hasty-clock.ts';
import { fine } from '../model/refusing-server.ts';

let servers: FaultServer[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const input = { path: 'a rather long path to a picture that somebody wants to see, ä ö ü.png' };

/** One call and nothing else, as the wire streams it. */
function callStream(wire: WireName, model: string): Buffer {
  const block = { type: 'call', id: 'call_1', name: 'look', input } as const;
  const text = JSON.stringify(input);
  const events: ModelEvent[] = [
    { type: 'message-start', model },
    { type: 'block-start', index: 0, block: { ...block, input: {} } },
    ...(text.match(/.{1,20}/gu) ?? []).map((part): ModelEvent => ({
      type: 'block-delta',
      index: 0,
      kind: 'call',
      text: part,
    })),
    { type: 'block-end', index: 0, block },
    { type: 'message-end', stop: 'calls', usage: { inputTokens: 1, outputTokens: 1 } },
  ];
  const emitter = wires[wire].emit({ model, id: 'x_1' });
  return Buffer.from([...events.flatMap(emitter.push), ...emitter.end()].join(''));
}

const ways = {
  'a clean end': (bytes: Buffer): Act => rawBody(bytes, 'text/event-stream'),
  'a reset':
    (bytes: Buffer): Act =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes, () => void setTimeout(() => response.socket?.resetAndDestroy(), 5));
    },
};

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
];
const rows = models.flatMap((model) => Object.entries(ways).map(([how, act]) => ({ model, how, act })));

test.each(rows)('$model, $how', async ({ model, act }) => {
  const { wire, id } = profileFor(model);
  const whole = callStream(wire, id);
  const beginning = wire === 'anthropic-messages' || wire === 'openai-responses' ? 0.3 : 0.1;
  for (const share of [beginning, 0.45, 0.6, 0.75]) {
    const answers = [act(whole.subarray(0, Math.floor(whole.length * share))), rawBody(whole), fine(wire)];
    const server = await faultServer(({ url }) =>
      url.includes('/api/show') ? failWith(404, 'no') : (answers.shift() ?? failWith(500, 'asked too often')),
    );
    servers.push(server);
    const seen: unknown[] = [];
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: { type: 'object', properties: { path: { type: 'string' } } },
      run: (given) => {
        seen.push(given);
        return 'seen';
      },
    });
    const run = runAgent({
      model, prompt: 'Look', tools: [look], assets: memoryAssets(), baseUrl: server.url, key: 'k', clock: hastyClock(),
    }); // prettier-ignore
    const result = await run.result();
    expect(result, `cut at ${share}`).toMatchObject({ stop: 'end', text: 'fine' });
    expect(seen, `cut at ${share}`).toEqual([input]);
    expect(answers).toEqual([]);
  }
});

// Gemini and Ollama write a call whole.
test.each(models.slice(0, 3))(
  'send and answer give what came of %s, say that it may be asked again, and ask once',
  async (model) => {
    const { wire, id } = profileFor(model);
    const whole = callStream(wire, id);
    const cut = ways['a clean end'](whole.subarray(0, Math.floor(whole.length * 0.6)));
    const server = await faultServer(({ url }) => (url.includes('/api/show') ? failWith(404, 'no') : cut));
    servers.push(server);
    const asked = { model, baseUrl: server.url, key: 'k', assets: memoryAssets(), clock: hastyClock() };
    const messages = [{ role: 'user' as const, content: 'Look' }];
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];
    const request = await prepare({ messages, tools }, asked);
    for (const events of [send(request, asked), answer({ messages, tools }, asked)]) {
      const count = (): number => server.heard.filter(({ url }) => !url.includes('/api/show')).length;
      const before = count();
      const message = await collect(events as AsyncIterable<ModelEvent>);
      expect(message).toMatchObject({ error: { code: 'cut-off', retryable: true } });
      expect(message.content.filter((block) => block.type === 'call')).toEqual([]);
      expect(count() - before).toBe(1);
    }
  },
);
