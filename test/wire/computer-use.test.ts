// Tools that providers define themselves: the screenshots of their results reach the model in the shape it wants, through
// accept, plan and encode, and through the fetch wrapper.
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { headerIntake } from '../../src/content/header-intake.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import { planAsIs } from '../../src/window/plan-as-is.ts';
import type { MediaPolicy } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { inline } from '../../src/wire/body.ts';
import { wires } from '../../src/wire/registry.ts';
import type { WireName } from '../../src/window/profile.ts';
import { png } from '../judge/sample-body.ts';
import { schemaErrors } from '../judge/judge.ts';

const source = { type: 'base64', media_type: 'image/png', data: png };
const click = { action: 'left_click', coordinate: [10, 20] };

const claude = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 }],
  messages: [
    { role: 'user', content: 'Open the page.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'screenshot' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_2', name: 'left_click', toolset_name: 'computer', input: click }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'clicked' }, { type: 'image', source }] }] },
  ],
}; // prettier-ignore

const shot = { type: 'computer_screenshot', image_url: `data:image/png;base64,${png}` };
const gpt = {
  model: 'gpt-5.4',
  store: false,
  tools: [{ type: 'computer' }],
  input: [
    { role: 'user', content: 'Open the page.' },
    { type: 'computer_call', id: 'cu_1', call_id: 'call_1', status: 'completed', actions: [{ type: 'screenshot' }], pending_safety_checks: [{ id: 'sc_1', code: 'malicious_instructions', message: 'Look.' }] },
    { type: 'computer_call_output', call_id: 'call_1', output: shot, acknowledged_safety_checks: [{ id: 'sc_1', code: 'malicious_instructions', message: 'Look.' }] },
    { type: 'computer_call', id: 'cu_2', call_id: 'call_2', status: 'completed', actions: [{ type: 'click', button: 'left', x: 10, y: 20 }], pending_safety_checks: [] },
    { type: 'computer_call_output', call_id: 'call_2', output: shot },
  ],
}; // prettier-ignore

async function again(
  wire: WireName,
  model: string,
  body: object,
  more: { to?: string; policy?: MediaPolicy } = {},
): Promise<Record<string, unknown>> {
  const [author, profile] = [profileFor(model), profileFor(more.to ?? model)];
  const read = wires[wire].accept(body, { endpoint: author.endpoint, model: author.id });
  if (!read.ok) throw new Error(read.refusal.what);
  const assets = memoryAssets();
  const { transcript } = await resolveTranscript(read.value.transcript, headerIntake({ assets }));
  const { plan } = planAsIs({ transcript, profile, options: read.value.options, policy: more.policy ?? {} });
  const written = await inline<object>(wires[profile.wire].encode(plan), (id) => assets.stream(id));
  return { ...written, ...(more.to === undefined && read.value.extra) };
}

test('screenshots of Claude’s computer stand in their results, and calls of a toolset say whose they are', async () => {
  const body = await again('anthropic-messages', 'anthropic/claude-sonnet-4-5', claude);
  expect(body['tools']).toEqual(claude.tools);
  expect(body['messages']).toMatchObject([
    {},
    { content: [{ type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'screenshot' } }] },
    { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] }] },
    { content: [{ type: 'tool_use', id: 'toolu_2', name: 'left_click', toolset_name: 'computer', input: click }] },
    { content: [{ tool_use_id: 'toolu_2', content: [{ text: 'clicked' }, { type: 'image', source }] }] },
  ]);
});

test('screenshots of OpenAI’s computer go back with their calls, one each and nothing beside it', async () => {
  const body = await again('openai-responses', 'openai/gpt-5.4', gpt);
  const items = (body['input'] as { type?: string }[]).filter(({ type }) => type?.startsWith('computer'));
  expect(items).toEqual(gpt.input.slice(1));
  expect(body['tools']).toEqual(gpt.tools);
  expect(await schemaErrors('openai-responses', body)).toEqual([]);
});

/** A loop in which each click is answered by a screenshot of its own. */
function loop(screenshots: readonly string[]): { model: string; input: Record<string, unknown>[] } {
  const turns = screenshots.flatMap((data, at) => [
    { type: 'computer_call', id: `cu_${at}`, call_id: `call_${at}`, status: 'completed', actions: [{ type: 'click', button: 'left', x: at, y: 1 }], pending_safety_checks: [] },
    { type: 'computer_call_output', call_id: `call_${at}`, output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${data}` } },
  ]); // prettier-ignore
  return { ...gpt, input: [{ role: 'user', content: 'Open the page.' }, ...turns] };
}

async function shots(count: number, width: number): Promise<string[]> {
  const drawn = Array.from({ length: count }, (_, at) =>
    sharp({ create: { width, height: 100 + at, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  );
  return (await Promise.all(drawn)).map((bytes) => bytes.toString('base64'));
}

function screenshotsIn(body: unknown): string[] {
  const { input } = body as { input: { type?: string; output?: { image_url?: string } }[] };
  return input.flatMap(({ type, output }) => (type === 'computer_call_output' ? [output?.image_url ?? ''] : []));
}

test('of many screenshots the newest stay, every call stays answered by a picture, and words name those that left', async () => {
  const all = await shots(6, 200);
  const body = await again('openai-responses', 'openai/gpt-5.4', loop(all), {
    policy: { imagesToKeep: 2, strict: true },
  });
  const sent = screenshotsIn(body);
  expect(sent).toHaveLength(6);
  expect(sent.map((uri) => all.some((one) => uri.includes(one)))).toEqual([false, false, false, false, true, true]);
  expect(JSON.stringify(body).match(/call call_\d\. This is data from a tool/g)).toHaveLength(4);
  expect(await schemaErrors('openai-responses', body)).toEqual([]);
});

test('a model of another provider sees the screenshots of OpenAI’s computer, and what was clicked', async () => {
  const body = await again('openai-responses', 'openai/gpt-5.4', gpt, { to: 'anthropic/claude-sonnet-4-5' });
  expect(body['messages']).toMatchObject([
    {},
    { content: [{ type: 'tool_use', id: 'call_1', name: 'computer', input: { actions: [{ type: 'screenshot' }] } }] },
    { content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'image', source }] }] },
    { content: [{ type: 'tool_use', id: 'call_2', input: { actions: [{ type: 'click', x: 10, y: 20 }] } }] },
    { content: [{ type: 'tool_result', content: [{ type: 'image', source }] }] },
  ]);
});

test('under the SDK of another, screenshots of OpenAI’s computer are bounded and made to fit, and words say how to click', async () => {
  const sent: string[] = [];
  const repaired = sightlineFetch({
    budget: { images: 3 },
    fetch: (_, init) => {
      sent.push(init?.body as string);
      return Promise.resolve(Response.json({}));
    },
  });
  const large = await shots(1, 2600);
  const body = loop([...(await shots(3, 200)), ...large]);
  const checks = [{ id: 'sc_1', code: 'malicious_instructions', message: 'Look.' }];
  Object.assign(body.input[8] ?? {}, { acknowledged_safety_checks: checks });
  await repaired('https://api.openai.com/v1/responses', { method: 'POST', body: JSON.stringify(body) });
  const made = JSON.parse(sent[0] ?? '') as { input: object[] };
  const uris = screenshotsIn(made);
  expect(uris).toHaveLength(4);
  expect(uris[0]?.length).toBeLessThan(200); // left out
  expect(uris[3]).not.toContain(large[0]);
  const last = made.input.at(-1);
  expect(JSON.stringify(last)).toMatch(/scaled from 2600×100 to 2000×77; multiply coordinates by 1\.3/);
  expect(made.input.at(-2)).toMatchObject({
    type: 'computer_call_output',
    call_id: 'call_3',
    acknowledged_safety_checks: checks,
  });
  expect(await schemaErrors('openai-responses', made)).toEqual([]);
});

test.each([
  ['https://api.anthropic.com/v1/messages', claude],
  ['https://api.openai.com/v1/responses', gpt],
])('under the SDK of another, a request to %s keeps its screenshots as they came', async (url, body) => {
  const sent: string[] = [];
  const repaired = sightlineFetch({
    fetch: (_, init) => {
      sent.push(init?.body as string);
      return Promise.resolve(Response.json({}));
    },
  });
  await repaired(url, { method: 'POST', body: JSON.stringify(body) });
  expect(JSON.parse(sent[0] ?? '')).toEqual(body);
});
