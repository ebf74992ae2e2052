// A worker at the edge: nothing here needs Node. `POST /sdk` asks with another SDK's request through the fetch,
// `POST /core` with the pure stages themselves. Both take a picture and let the model see it.
import { collect, decodeEvents, headerIntake, inline, invokeTools, memoryAssets } from 'sightline/core';
import { defineTool, image, planAsIs, profileFor, resolveTranscript, wires } from 'sightline/core';
import type { AssistantMessage } from 'sightline/core';
import { sightlineFetch } from 'sightline/fetch';

type Env = { ANTHROPIC_API_KEY: string; ANTHROPIC_BASE_URL: string };

const repaired = sightlineFetch();
const model = 'claude-sonnet-4-5';

/** The request as an SDK writes it whose tools can return text only: the picture stands in it as base64. */
function askWithSdk(picture: Uint8Array, env: Env): Promise<Response> {
  const data = btoa(Array.from(picture, (byte) => String.fromCharCode(byte)).join(''));
  const messages = [
    { role: 'user', content: 'How did we do?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'chart', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: JSON.stringify({ chart: data }) }] },
  ];
  return repaired(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': env.ANTHROPIC_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 1000, messages }),
  });
}

async function askWithCore(picture: Uint8Array, env: Env): Promise<Response> {
  const profile = profileFor(`anthropic/${model}`);
  const { route, encode } = wires['anthropic-messages'];
  const assets = memoryAssets();
  const intake = headerIntake({ assets });
  const chart = defineTool({ name: 'chart', description: 'Draws sales.', run: () => image({ data: picture }) });
  const called: AssistantMessage = {
    role: 'assistant',
    model: profile.model,
    content: [{ type: 'call', id: 'a', name: 'chart', input: {} }],
  };
  const results = await invokeTools(called, { tools: [chart], intake, assets });
  const given = {
    tools: [chart],
    messages: [{ role: 'user' as const, content: 'How did we do?' }, called, ...results],
  };
  const { transcript } = await resolveTranscript(given, intake);
  const { plan } = planAsIs({ transcript, profile });
  return fetch(route.address(env.ANTHROPIC_BASE_URL, profile.id, {}), {
    method: 'POST',
    headers: { 'x-api-key': env.ANTHROPIC_API_KEY, 'content-type': 'application/json', ...route.headers?.() },
    body: JSON.stringify(await inline(encode(plan), (id) => assets.stream(id))),
  });
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const picture = new Uint8Array(await request.arrayBuffer());
    const ask = new URL(request.url).pathname === '/core' ? askWithCore : askWithSdk;
    const answer = await collect(
      decodeEvents('anthropic-messages', { endpoint: 'anthropic', model }, await ask(picture, env)),
    );
    return Response.json(answer.error ?? answer.content, { status: answer.error ? 502 : 200 });
  },
};
