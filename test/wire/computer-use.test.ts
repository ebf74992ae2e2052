// Tools that providers define themselves: the screenshots of their results reach the model in the shape it wants, through
// accept, plan and encode, and through the fetch wrapper.
import { expect, test } from 'vitest';
import { headerIntake } from '../../src/content/header-intake.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import { planAsIs } from '../../src/window/plan-as-is.ts';
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

async function again(wire: WireName, model: string, body: object): Promise<Record<string, unknown>> {
  const profile = profileFor(model);
  const read = wires[wire].accept(body, { endpoint: profile.endpoint, model: profile.id });
  if (!read.ok) throw new Error(read.refusal.what);
  const assets = memoryAssets();
  const { transcript } = await resolveTranscript(read.value.transcript, headerIntake({ assets }));
  const { plan } = planAsIs({ transcript, profile, options: read.value.options });
  const written = await inline<object>(wires[wire].encode(plan), (id) => assets.stream(id));
  return { ...written, ...read.value.extra };
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
