// Every listener of ours in one process, for tests that shall see it die. Tells on the first line where they listen; a
// line on stdin asks how many descriptors are open.
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openGateway } from '../../src/gateway/index.ts';
import { awaitCallback } from '../../src/mcp/login.ts';
import { serveTools } from '../../src/mcp/server.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { openProxy } from '../../src/toolbox/browser/proxy.ts';

const hello = defineTool({
  name: 'hello',
  description: 'Says hello.',
  input: { type: 'object', properties: {} },
  run: () => 'hello',
});
const mcp = await serveTools([hello], { http: { token: 'right-token' } });
const callback = await awaitCallback();
const scripted = await scriptedServer(script(() => ({ text: 'hello' })));
const site = new URL(scripted.url);
const proxy = await openProxy({ hosts: [site.host] });
const model = { model: 'openai-chat/gpt-4.1', baseUrl: `${scripted.url}/v1`, key: 'none' };
const gateway = await openGateway({ models: { m: model }, routes: { m: ['m'] }, port: 0 });
setInterval(() => undefined, 60_000); // the proxy alone would not keep us

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
say({
  mcp: mcp.url,
  callback: callback.redirectUrl,
  scripted: scripted.url,
  proxy: proxy.address,
  gateway: gateway.url,
});
createInterface({ input: process.stdin }).on('line', () => say(readdirSync('/proc/self/fd').length));
