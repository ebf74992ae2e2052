// Amazon's own SDK on the other side: what it writes of our plans is what we write, it reads what we emit, and its
// events are read as the bytes they came in.
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedHeaders, bodyHashOf } from '../../src/asset/sigv4.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer, Step } from '../../src/model/script/index.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { pdf, png } from '../judge/sample-body.ts';

type Output = { stream?: AsyncIterable<object>; output?: object; stopReason?: string; usage?: object };
type Client = { send: (command: object) => Promise<Output>; destroy: () => void };
type Sdk = {
  BedrockRuntimeClient: new (options: object) => Client;
  ConverseCommand: new (input: object) => object;
  ConverseStreamCommand: new (input: object) => object;
};

const required = createRequire(new URL('../judge/package.json', import.meta.url));
const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = required(
  '@aws-sdk/client-bedrock-runtime',
) as Sdk;

const { NodeHttpHandler } = required('@smithy/node-http-handler') as { NodeHttpHandler: new () => object };

const said: Answer = {
  thinking: 'Let me see – hm.',
  text: 'Grüße 😀',
  calls: [{ name: 'look', input: { door: 'red', deep: { list: [1, 2.5, null] } } }],
  usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 60, writtenTokens: 30 },
};
let step: Step = said;
let server: ScriptedServer;
let client: Client;
const keys = { id: 'AKIDEXAMPLE', secret: 'secret-1234' };

beforeAll(async () => {
  server = await scriptedServer({ answer: (asked) => Promise.resolve(script([step]).answer({ ...asked, index: 0 })) });
  client = new BedrockRuntimeClient({
    region: 'eu-west-1',
    endpoint: server.url,
    credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(), // its own would speak HTTP/2
  });
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

const claude = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const models = [
  claude,
  'bedrock/us.anthropic.claude-opus-5-v1:0',
  'bedrock/us.amazon.nova-2-lite-v1:0',
  'bedrock/us.meta.llama4-maverick-17b-instruct-v1:0',
  'bedrock/us.mistral.pixtral-large-2502-v1:0',
  'bedrock/openai.gpt-oss-120b-1:0',
  'bedrock/nobody.knows-it',
];

const thought = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2lnbmVk' } } };
const hidden = { reasoningContent: { redactedContent: 'aGlkZGVu' } };

function transcript(model: string): object {
  const [endpoint = '', id = ''] = model.split(/\/(.*)/);
  const seal = (item: object): object => ({ wire: 'bedrock-converse', endpoint, model: id, item });
  return {
    system: 'You look.',
    tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { door: { type: 'string' } } } }],
    messages: [
      { role: 'user', content: [{ type: 'document', data: pdf, name: 'Plan für B.pdf' }, { type: 'image', data: png }] },
      {
        role: 'assistant',
        model,
        content: [
          { type: 'thinking', text: 'Hm.', seal: seal(thought) },
          { type: 'thinking', text: '', redacted: true, seal: seal(hidden) },
          { type: 'text', text: 'I look.' },
          { type: 'call', id: 'c1', name: 'look', input: { door: 'red' } },
          { type: 'call', id: 'c2', name: 'look', input: { door: 'blue' } },
        ],
      },
      { role: 'tool', callId: 'c1', name: 'look', content: [{ type: 'text', text: 'red' }, { type: 'image', data: png }, { type: 'document', data: pdf, name: 'Plan für B.pdf' }] },
      { role: 'tool', callId: 'c2', name: 'look', isError: true, content: [{ type: 'text', text: 'no door' }, { type: 'image', data: png }] },
      { role: 'user', content: 'And?' },
    ],
  };
} // prettier-ignore

const options = {
  temperature: 0.5,
  stop: ['END'],
  maxTokens: 900,
  toolChoice: { tool: 'look' },
  cache: 'auto',
} as const;
const ways = [{}, options, { thinking: 'high' }, { thinking: 'off', topP: 0.5, toolChoice: 'required' }] as const;

test.each(models)('what the SDK sends of a plan for %s is what we send', async (model) => {
  for (const way of ways) {
    const request = await prepare(transcript(model) as never, { model, assets: memoryAssets(), ...way });
    await client.send(new ConverseCommand(await request.sdk()));
    const { body, path, wire } = server.requests.at(-1) ?? {};
    expect({ wire, body }).toEqual({ wire: 'bedrock-converse', body: JSON.parse(JSON.stringify(await request.json())) });
    expect(new URL(request.outgoing({ baseUrl: server.url }).url).pathname.replace('-stream', '')).toBe(path);
  }
}); // prettier-ignore

test('our signature of what the SDK sends is its signature', async () => {
  const request = await prepare(transcript(claude) as never, { model: claude, assets: memoryAssets() });
  await client.send(new ConverseCommand(await request.sdk()));
  const { headers: heard, path = '', body } = server.requests.at(-1) ?? {};
  const headers = (heard ?? {}) as Record<string, string>;
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers['authorization'] ?? '') ?? [];
  const signed = names.split(';').filter((name) => !['host', 'x-amz-date'].includes(name));
  const time = headers['x-amz-date']?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z') ?? '';
  const ours = await signedHeaders(
    {
      method: 'POST',
      url: new URL(path, `http://${headers['host']}`),
      headers: Object.fromEntries(signed.map((name) => [name, headers[name] ?? ''])),
      bodyHash: await bodyHashOf(JSON.stringify(body)),
    },
    keys,
    { region: 'eu-west-1', service: 'bedrock', now: new Date(time) },
  );
  expect(ours['authorization']).toBe(headers['authorization']);
});

const author = { endpoint: 'bedrock', model: 'm' };
const input = { modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Hi.' }] }] };

test('the SDK reads an answer of ours, and its object is read back as what was said', async () => {
  step = said;
  const answer = await client.send(new ConverseCommand(input));
  expect(answer).toMatchObject({
    stopReason: 'tool_use',
    usage: { inputTokens: 10, outputTokens: 7, totalTokens: 107, cacheReadInputTokens: 60, cacheWriteInputTokens: 30 },
    output: { message: { content: [{ reasoningContent: { reasoningText: { text: said.thinking } } }, { text: said.text }, { toolUse: said.calls?.[0] }] } },
  });
  const events = await Array.fromAsync(decodeEvents('bedrock-converse', author, answer));
  expect(events.at(-1)).toEqual({ type: 'message-end', stop: 'calls', usage: said.usage });
}); // prettier-ignore

/** Calls have a number that goes on from answer to answer. */
function numbered(events: readonly object[]): unknown {
  return JSON.parse(JSON.stringify(events).replaceAll(/call_\d+/g, 'call'));
}

test('events that the SDK makes of our stream are read as the stream itself', async () => {
  step = said;
  const { stream = [] } = await client.send(new ConverseStreamCommand(input));
  const theirs = await Array.fromAsync(decodeEvents('bedrock-converse', author, stream));
  const address = `${server.url}/model/m/converse-stream`;
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ messages: input.messages }) });
  const ours = await Array.fromAsync(decodeEvents('bedrock-converse', author, response));
  expect(numbered(theirs)).toEqual(numbered(ours));
  expect(theirs.at(-1)).toEqual({ type: 'message-end', stop: 'calls', usage: said.usage });
}); // prettier-ignore

test.each([
  [400, 'ValidationException'],
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [429, 'ThrottlingException'],
  [500, 'InternalServerException'],
  [503, 'ServiceUnavailableException'],
])('the SDK knows an error of ours with status %s as its %s', async (status, name) => {
  step = { error: { status, message: 'That went wrong.' } };
  const error: unknown = await client.send(new ConverseCommand(input)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name, message: 'That went wrong.' });
});
