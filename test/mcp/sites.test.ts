// Servers over HTTP that misbehave: a person reads what is wrong and what to do, and nobody waits for what will not come.
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectServers } from '../../src/mcp/client.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';

type Request = { id?: number; method: string };

/** What the server does at each path, with everything but calls in order where only a call goes wrong. */
const atOnce: Record<string, (answer: ServerResponse) => void> = {
  page: (answer) => answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Welcome</html>'),
  gone: (answer) => answer.writeHead(404).end('Not Found'),
  old: (answer) => answer.writeHead(405).end('Method Not Allowed'),
  broken: (answer) => answer.writeHead(500, { 'content-type': 'text/html' }).end(`<html>${'x'.repeat(50_000)}</html>`),
  forbidden: (answer) => answer.writeHead(403).end(`{"message":"not for you${' at all'.repeat(1000)}"}`),
};

const stream = { 'content-type': 'text/event-stream' };
const atCalls: Record<string, (answer: ServerResponse, id: number) => void> = {
  cut: (answer, id) => {
    answer.writeHead(200, stream).write(`data: {"jsonrpc":"2.0","id":${id},`);
    setTimeout(() => answer.destroy(), 50);
  },
  empty: (answer) => answer.writeHead(200, stream).end(),
  odd: (answer, id) => json(answer, { jsonrpc: '2.0', id, result: { content: [] }, error: null }),
  half: (answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
  streamed: (answer, id) => {
    const result = { content: [{ type: 'text', text: 'all of it' }] };
    answer.writeHead(200, stream).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  },
};

function json(answer: ServerResponse, value: object): void {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

let site: Server;
beforeAll(async () => {
  site = createServer(async (request, answer) => {
    const path = request.url?.slice(1) ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (atOnce[path]) return atOnce[path](answer);
    if (request.method !== 'POST') return void answer.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    if (id === undefined) return void answer.writeHead(202).end();
    if (method === 'tools/call') return atCalls[path]?.(answer, id);
    const about = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    };
    const tools = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
    return json(answer, { jsonrpc: '2.0', id, result: method === 'initialize' ? about : tools });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const urlOf = (path: string): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}/${path}`;

test.each<[path: string, problem: RegExp]>([
  ['page', /^It answered with text\/html, as no MCP server does; check its address\.$/],
  ['gone', /^It answered with HTTP 404: Not Found\. Check its address; most end in \/mcp\.$/],
  [
    'old',
    /^It answered with HTTP 405: Method Not Allowed\. Its address may be that of the older HTTP with server-sent/,
  ],
  ['broken', /^It answered with HTTP 500\.$/],
  ['forbidden', /^It answered with HTTP 403: \{"message":"not for you.{200,300}$/],
])('an address that is none (%s) says why in a sentence', async (path, problem) => {
  await using servers = await connectServers({ site: { url: urlOf(path) } });
  expect(servers.states).toMatchObject([{ state: 'failed', tools: [] }]);
  expect(servers.states[0]?.problem).toMatch(problem);
});

const lost =
  'the connection ended before the answer came. The call may have done part of its work; check before you repeat it.';

test.each([
  ['cut', lost],
  ['empty', lost],
  ['odd', 'it sent what is no message of the protocol.'],
  ['half', 'it sent what is no message of the protocol.'],
])('a call that is answered with less than an answer (%s) fails at once', async (path, words) => {
  await using servers = await connectServers({ site: { url: urlOf(path) } });
  const result = await invokeTool({ type: 'call', id: 'c1', name: 'site_look', input: {} }, { tools: servers.tools });
  expect(result.content).toEqual([{ type: 'text', text: `The MCP server "site" failed: ${words}` }]);
  expect(servers.states).toMatchObject([{ state: 'ready' }]);
});

test('a stream that ends behind its answer is an answer', async () => {
  await using servers = await connectServers({ site: { url: urlOf('streamed') } });
  const result = await invokeTool({ type: 'call', id: 'c1', name: 'site_look', input: {} }, { tools: servers.tools });
  expect(result.content).toEqual([{ type: 'text', text: 'all of it' }]);
});
