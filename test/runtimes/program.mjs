// What people do with the package as it is built, on whatever runs this: a tool's picture under another SDK's request, a run
// with a session on disk, a gateway, an MCP server, a document. It says what came of each, as one line of JSON.
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectServers, defineTool, document, image, read, runAgent, serveTools } from '../../dist/index.js';
import { sightlineFetch } from '../../dist/fetch/index.js';
import { openGateway } from '../../dist/gateway/index.js';
import { script, scriptedServer } from '../../dist/model/script/index.js';
import { openSessions } from '../../dist/session/index.js';

const chart = readFileSync('examples/chart.png');
const tool = defineTool({ name: 'chart', description: 'Draws.', run: () => chart });
if (process.argv[2] === 'serve') {
  await (
    await serveTools([tool])
  ).ended;
  process.exit();
}

const model = script(({ transcript: { messages, tools = [] } }) => {
  if (tools.length > 0 && !messages.some(({ role }) => role === 'tool')) return { calls: [{ name: 'chart' }] };
  return { text: `${JSON.stringify(messages).match(/"type":"(?:image|document)"/g)?.length ?? 0} media` };
});
const server = await scriptedServer(model);
const target = { model: 'anthropic/claude-sonnet-5', baseUrl: server.url, key: 'none' };

const asked = [
  { role: 'user', content: 'How did we do?' },
  { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'chart', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ chart: chart.toString('base64') }) },
];
const post = async (fetching, url, name, messages = asked) => {
  const body = JSON.stringify({ model: name, messages });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };
  const answer = await fetching(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  return (await answer.json()).choices[0].message.content;
};
const underSdk = await post(sightlineFetch(), server.url, 'gpt-4.1');

const counting = createServer(async (request, response) => {
  let bytes = 0;
  for await (const chunk of request) bytes += chunk.length;
  const content = bytes > 5e6 && request.headers['content-length'] === String(bytes) ? 'its length' : 'no length';
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message: { content } }] }));
});
await new Promise((resolve) => counting.listen(0, '127.0.0.1', resolve));
const long = [{ role: 'user', content: 'Long. '.repeat(1e6) }, ...asked];
const longBody = await post(sightlineFetch(), `http://127.0.0.1:${counting.address().port}`, 'gpt-4.1', long);
counting.close();

const gateway = await openGateway({ port: 0, models: { house: target } });
const throughGateway = await post(fetch, gateway.url, 'house');
await gateway.close();

const store = openSessions({ home: mkdtempSync(join(tmpdir(), 'sightline-runtimes-')) });
const session = await store.create();
const prompt = [image('examples/chart.png'), document('examples/report.pdf'), 'Is it the same chart?'];
const run = await runAgent({ ...target, session, tools: [tool], prompt });
await session.close();
const kept = (await store.list()).map(({ messages }) => messages);
await store.close();

const args = [...('Deno' in globalThis ? ['run', '-A'] : []), fileURLToPath(import.meta.url), 'serve'];
const servers = await connectServers({ charts: { command: process.execPath, args } });
const tools = servers.tools.map(({ name }) => name);
await servers.close();

const report = await read('examples/report.pdf');
await server.close();
const ran = { text: run.text, ...(run.error && { error: run.error.message }) };
console.log(JSON.stringify({ underSdk, longBody, throughGateway, run: ran, kept, tools, read: report.ok }));
