// Every request that real clients sent to real providers, as far as it was recorded: on the way to a model of its own
// dialect its bytes stay as they are but for what a receipt tells, and on the way to another nothing that it asks for is lost
// without a word. The short form of `npm test` takes every tenth.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchanges, mediaRequests } from '../../scripts/golden/corpus.ts';
import type { RecordedRequest } from '../../scripts/golden/corpus.ts';
import { isRecord } from '../../src/content/json.ts';
import { uncarried } from '../../src/gateway/carry.ts';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { WireName } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { effort } from '../effort.ts';

const recorded = [...mediaRequests(), ...exchanges().requests].filter((_, at) => effort.isWhole || at % 10 === 0);

const own: Record<WireName, `${string}/${string}`> = {
  'anthropic-messages': 'anthropic/claude-sonnet-4-5',
  'openai-chat': 'openai-chat/gpt-4.1',
  'openai-responses': 'openai/gpt-4.1',
  gemini: 'gemini/gemini-2.5-pro',
  ollama: 'ollama/qwen3-vl',
  'bedrock-converse': 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
};
const paths: Record<WireName, string> = {
  'anthropic-messages': '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/mine-gemini:generateContent',
  ollama: '/api/chat',
  'bedrock-converse': '/model/mine-bedrock-converse/converse',
};

let upstream: Server;
let gateway: Gateway;
let left = '';

beforeAll(async () => {
  upstream = createServer(async (incoming, outgoing) => {
    const hash = createHash('sha256');
    for await (const chunk of incoming) hash.update(chunk as Buffer);
    left = hash.digest('hex');
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const models = Object.entries(own).map(([wire, model]) => [`mine-${wire}`, { model, baseUrl, key: 'k' }] as const);
  gateway = await openGateway({ port: 0, models: Object.fromEntries(models) });
});
afterAll(async () => {
  await gateway.close();
  upstream.close();
});

/** The same request as its client would have written it, for a model of another name. */
function textOf({ body }: RecordedRequest, name: string | undefined, spaces: number): string {
  const named = name === undefined || !isRecord(body) ? body : { ...body, model: name };
  return JSON.stringify(named, undefined, spaces);
}

/** Bytes of a medium, or where they lie. */
const medium = /base64|inline_?data|file_?data|input_audio|_url"|"images"/i;

test.skipIf(recorded.length === 0)(
  'what leaves is what came, but for the name of the model and media of which a receipt tells',
  async () => {
    const changed: string[] = [];
    let plain = 0;
    for (const [at, request] of recorded.entries()) {
      const { wire, name } = request;
      const inBody = wires[wire].route.modelInAddress !== true;
      const spaces = at % 3;
      const body = textOf(request, inBody ? `mine-${wire}` : undefined, spaces);
      const response = await fetch(`${gateway.url}${paths[wire]}`, { method: 'POST', body });
      await response.text();
      expect(response.headers.get('x-sightline-way'), name).toBe('relay');
      const expected = textOf(request, inBody ? profileFor(own[wire]).id : undefined, spaces);
      const isPlain = !medium.test(body);
      const isTold = response.headers.get('x-sightline-receipts')?.startsWith('id=') === false;
      plain += isPlain ? 1 : 0;
      const isSame = left === createHash('sha256').update(expected).digest('hex');
      if (!isSame && (isPlain || !isTold)) changed.push(name);
    }
    expect(changed).toEqual([]);
    expect(plain).toBeGreaterThan(recorded.length * 0.7);
  },
  300_000,
);

/** What is no option: the conversation, and whom it is for. */
const conversation = new Set([
  'model', 'messages', 'contents', 'input', 'system', 'systemInstruction', 'system_instruction', 'instructions', 'stream',
]); // prettier-ignore

/** Every option of a body, by the way to it; those of schemas are the schema's affair. */
function optionsIn(body: Record<string, unknown>): string[][] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (conversation.has(key) || value === null) return [];
    const inner =
      isRecord(value) && !/schema|format|metadata|tools?$/i.test(key)
        ? Object.entries(value).flatMap(([one, deep]) => (deep === null || /schema/i.test(one) ? [] : [[key, one]]))
        : [];
    return inner.length > 0 ? inner : [[key]];
  });
}

function without(body: Record<string, unknown>, [first = '', second]: string[]): Record<string, unknown> {
  const { [first]: value, ...rest } = body;
  if (second === undefined || !isRecord(value)) return rest;
  const { [second]: _gone, ...others } = value;
  return { ...rest, [first]: others };
}

/** Everything that somebody could notice of what a request asks for, and what is told by name. */
function noticed(
  wire: WireName,
  body: Record<string, unknown>,
  target: WireName,
): { all: string; told: string[]; refused?: true } {
  const read = wires[wire].accept(body);
  if (!read.ok) return { all: '', told: [], refused: true };
  const { receipts, lost, refused } = uncarried(body, read.value, profileFor(own[target]));
  const { transcript, options, extra } = read.value;
  const asksFor = [extra['stream_options'], extra['prompt_cache_key']];
  const told = receipts.map(({ subject }) => subject);
  return {
    all: JSON.stringify([transcript, options, told, lost, asksFor]),
    told,
    ...(refused !== undefined && { refused: true }),
  };
}

/** What means the same as leaving it out, or as what stands beside it. */
const usual: Record<string, string[]> = {
  // what thinking has without it; every model that can show what it thinks is asked to
  'anthropic-messages': ['output_config.effort "high"', 'thinking.display "summarized"'],
  gemini: ['generationConfig {}', 'generationConfig.responseMimeType "application/json"'], // beside a schema
  'openai-chat': ['tools []'],
};

test.skipIf(recorded.length === 0)(
  'no option is lost without a word on the way to any other dialect',
  () => {
    const lost = new Set<string>();
    let options = 0;
    for (const { wire, body } of recorded)
      for (const target of (Object.keys(own) as WireName[]).filter((each) => each !== wire)) {
        if (!isRecord(body)) continue;
        const { all, told, refused } = noticed(wire, body, target);
        if (refused) continue; // told as a whole
        for (const path of optionsIn(body)) {
          options++;
          const isTold = told.includes(path.join('.')) || told.includes(path[0] ?? '');
          if (isTold || noticed(wire, without(body, path), target).all !== all) continue;
          const value = path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), body);
          const found = `${path.join('.')} ${JSON.stringify(value)}`;
          if (!usual[wire]?.includes(found)) lost.add(`${wire} to ${target}: ${found}`);
        }
      }
    expect(options).toBeGreaterThan(recorded.length);
    expect([...lost]).toEqual([]);
  },
  300_000,
);
