// Recorded exchanges with Amazon Bedrock's Converse API: every answer is read, every request is accepted with all that is in
// it, and what goes out again for the same model is what was taken, or stands where it was seen.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headerIntake } from '../../src/content/header-intake.ts';
import { isRecord } from '../../src/content/json.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import { collector } from '../../src/message/collect.ts';
import { planAsIs } from '../../src/window/plan-as-is.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { decodeEvents } from '../../src/wire/decode.ts';
import { wires } from '../../src/wire/registry.ts';
import { pdf, png } from '../judge/sample-body.ts';
import { schemaErrors } from '../judge/judge.ts';
import { sharedFile } from '../judge/shared-folder.ts';

type Body = Record<string, unknown>;
type Exchange = {
  path: string;
  status: number;
  request: { json?: Body };
  response: { json?: Body; base64?: string };
  source: string;
};

const recorded = sharedFile('corpora/exchanges/bedrock-converse.jsonl');
const lines = recorded === undefined ? [] : readFileSync(recorded, 'utf8').trim().split('\n');
const exchanges = lines.map((line) => JSON.parse(line) as Exchange);
const wire = wires['bedrock-converse'];

if (recorded === undefined) console.warn('recorded exchanges skipped: set SIGHTLINE_SHARED to the folder with corpora');

/** A small medium of the right kind in place of each that was taken out of the recording. */
function restored(value: unknown, kind = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => restored(one, kind));
  if (!isRecord(value)) return value;
  if ('$b64' in value) return kind === 'document' ? pdf : png;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, restored(one, ['image', 'document', 'video'].includes(key) ? key : kind)]),
  );
} // prettier-ignore

function modelOf(path: string): string {
  return decodeURIComponent(path.split('/')[2] ?? '');
}

async function answered({ response, status, path }: Exchange): Promise<Body> {
  const bytes = response.base64 === undefined ? JSON.stringify(response.json) : Buffer.from(response.base64, 'base64');
  const type = response.base64 === undefined ? 'application/json' : 'application/vnd.amazon.eventstream';
  const input = new Response(bytes, { status, headers: { 'content-type': type } });
  const collected = collector();
  let last: object = {};
  for await (const event of decodeEvents('bedrock-converse', { endpoint: 'bedrock', model: modelOf(path) }, input)) {
    collected.push(event);
    last = event;
  }
  return { ...last, content: collected.message().content };
}

test.skipIf(recorded === undefined)('every recorded answer is read: its words, calls, thoughts, end and cost', async () => {
  let streams = 0;
  for (const one of exchanges) {
    const { content, ...last } = await answered(one);
    const { json } = one.response;
    if (one.status !== 200) {
      expect(last).toMatchObject({ type: 'message-error', code: 'invalid', message: json?.['message'], status: 400 });
      continue;
    }
    if (json !== undefined && !('output' in json)) continue; // an answer of another route
    expect({ source: one.source, ...last }).toMatchObject({ type: 'message-end', usage: expect.any(Object) as object });
    if (json === undefined) streams++;
    else {
      const { usage, output } = json as { usage: Record<string, number>; output: { message: { content: Body[] } } };
      const { inputTokens, outputTokens } = last['usage'] as Record<string, number>;
      expect({ source: one.source, all: (inputTokens ?? 0) + (outputTokens ?? 0) }).toEqual({ source: one.source, all: usage['totalTokens'] });
      expect((content as object[]).length).toBe(output.message.content.length);
    }
  }
  expect(streams).toBeGreaterThan(3);
}); // prettier-ignore

/** How many of each kind of block stand in a body, wherever; the marks of a cache are ours to set. */
function countIn(value: unknown): Record<string, number> {
  const count: Record<string, number> = {};
  JSON.stringify(value, (key, one: unknown) => {
    if (['image', 'document', 'video', 'toolUse', 'toolResult', 'reasoningContent'].includes(key)) count[key] = (count[key] ?? 0) + 1;
    return one;
  });
  return count;
} // prettier-ignore

/** How many media stand in a body, by its counts. */
function shown(count: Record<string, number>): number {
  return (count['image'] ?? 0) + (count['document'] ?? 0) + (count['video'] ?? 0);
}

const intake = headerIntake({ assets: memoryAssets() });

async function again({
  path,
  request,
}: Exchange): Promise<{ came: Body; written: Body; receipts: readonly Receipt[] }> {
  const profile = profileFor(`bedrock/${modelOf(path)}`);
  const came = restored(request.json) as Body;
  const read = wire.accept(came, { endpoint: 'bedrock', model: profile.id });
  if (!read.ok) throw new Error(read.refusal.what);
  const { transcript } = await resolveTranscript(read.value.transcript, intake);
  const options = read.value.options;
  const { plan, receipts } = planAsIs({ transcript, profile, options, urls: { pass: 'all', fetch: false } });
  return { came, written: { ...(wire.encode(plan).skeleton as Body), ...read.value.extra }, receipts };
}

test.skipIf(recorded === undefined)('what was taken goes out again, with every call, result and thought', async () => {
  let media = 0;
  for (const one of exchanges) {
    if (!one.request.json || one.status !== 200) continue;
    const { came, written, receipts } = await again(one);
    const [before, now] = [countIn(came['messages']), countIn(written['messages'])];
    expect({ source: one.source, ...now, calls: now['toolUse'], results: now['toolResult'] }).toMatchObject({
      source: one.source,
      calls: before['toolUse'],
      results: before['toolResult'],
    });
    const texts = JSON.stringify(came).split('"format":"txt"').length - 1;
    const lost = receipts.filter(({ place }) => place === 'words').length;
    expect({ source: one.source, shown: shown(now) + lost + texts }).toEqual({ source: one.source, shown: shown(before) });
    media += shown(now);
    expect({ source: one.source, errors: await schemaErrors('bedrock-converse', filled(written)) }).toEqual({ source: one.source, errors: [] });
  }
  expect(media).toBeGreaterThan(20);
}); // prettier-ignore

/** The same with a picture wherever the bytes of a medium will be. */
function filled(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one));
  if (key === 'bytes') return png;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, name)]));
}
