// What every candidate does alike: load the inputs, send one tiny request so that all lazy imports are done, and then
// either show which media are in the body or be measured.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asset } from '../../src/index.ts';
import type { Task } from '../harness.ts';
import { measureCalls } from '../measure.ts';
import type { Call, Sample, Sink } from '../measure.ts';

export type WireName = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini' | 'ollama';

/** What every result carries. */
export type Kind = 'image' | 'pdf';

export type RequestInput = {
  wire: WireName;
  kind: Kind;
  /** A store of assets on disk, and what is in it. */
  folder: string;
  assets: Asset[];
  /** Measured calls per process, or only one look at the body. */
  calls: number | 'check';
};

/** The hashes of all long base64 texts in a body, in order, and the length of the body. */
export type Check = { payloads: string[]; bytes: number };

/** Loads what a candidate needs, and gives requests with the first so many media. */
export type Open = (input: RequestInput) => Promise<(count: number) => Call>;

export function requestTask(open: Open): Task<RequestInput, Sample | Check> {
  return async (input) => {
    const request = await open(input);
    await request(0)({ write: () => undefined, end: () => undefined });
    const call = request(input.assets.length);
    return input.calls === 'check' ? checkBody(call) : measureCalls(call, input.calls);
  };
}

async function checkBody(call: Call): Promise<Check> {
  const chunks: Buffer[] = [];
  await call({ write: (chunk) => chunks.push(Buffer.from(chunk as string)), end: () => undefined });
  const body = Buffer.concat(chunks).toString();
  JSON.parse(body);
  return { payloads: (body.match(/[A-Za-z0-9+/]{100000,}={0,2}/g) ?? []).map(hashOf), bytes: Buffer.byteLength(body) };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The media as a program with another library holds them between turns: base64 text in memory. */
export function base64Of({ folder, assets }: RequestInput): string[] {
  return assets.map((asset) => readFileSync(pathOf(folder, asset)).toString('base64'));
}

export function pathOf(folder: string, asset: Asset): string {
  const hash = asset.id.slice('sha256:'.length);
  return join(folder, hash.slice(0, 2), hash);
}

/** Takes the body instead of sending it, and answers as a server that is not interested. */
export function capture(sink: () => Sink): typeof fetch {
  return async (_url, init) => {
    const body = init?.body;
    if (typeof body !== 'string') throw new TypeError('This client does not hand over its body as text.');
    sink().write(body);
    sink().end();
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'captured' } };
    return new Response(JSON.stringify(error), { status: 400, headers: { 'content-type': 'application/json' } });
  };
}

export const toolName = 'screenshot';
export const toolDescription = 'Takes a picture of the screen.';
export const toolSchema = { type: 'object' as const, properties: {} };
export const question = 'Walk through the application and tell me what you see.';
export const models = {
  'anthropic-messages': 'claude-sonnet-4-5',
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  gemini: 'gemini-3-pro-preview',
  ollama: 'qwen3-vl',
} as const;
export const mediaTypes = { image: 'image/png', pdf: 'application/pdf' } as const;

export function resultText(turn: number): string {
  return `Number ${turn + 1} of the application, taken after the last click.`;
}
