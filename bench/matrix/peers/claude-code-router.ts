// claude-code-router, asked in Anthropic Messages, as Claude Code asks it. Its providers stand in a file, so they are all
// behind one address of ours that leads to the server of the probe.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, start } from '../../gateway/servers.ts';
import type { Task } from '../../harness.ts';
import { askGateway, messagesBody } from '../dialects.ts';
import { models, peerTask } from '../peer.ts';
import type { Captured, Column, PeerInput } from '../peer.ts';

/** The path that each provider of its own list has, and who writes for it. */
const providers: Partial<Record<Column, [path: string, transformer?: string]>> = {
  anthropic: ['/v1/messages', 'Anthropic'],
  chat: ['/v1/chat/completions'],
  responses: ['/v1/responses', 'openai-responses'],
  'gemini-2.5': ['/v1beta/models/', 'gemini'],
  'gemini-3': ['/v1beta/models/', 'gemini'],
};

const task: Task<PeerInput, Captured[]> = async (input) => {
  let current = '';
  const front = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(`${current}${incoming.url}`, { method, headers }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    incoming.pipe(onward.once('error', () => outgoing.destroy()));
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const port = await freePort();
  process.env['HOME'] = homeFor(port, `http://127.0.0.1:${(front.address() as AddressInfo).port}`);
  const bin = new URL('../../node_modules/@musistudio/claude-code-router/dist/cli.js', import.meta.url);
  const { child } = await start('claude-code-router', fileURLToPath(bin), ['start'], port);
  const run = peerTask({
    columns: Object.keys(providers) as Column[],
    send: async ({ probe, column, model, url }) => {
      current = url;
      await askGateway(`http://127.0.0.1:${port}/v1/messages`, messagesBody(probe, `${column},${model}`));
    },
  });
  return run(input).finally(() => child.kill('SIGKILL'));
};
export default task;

function homeFor(port: number, upstream: string): string {
  const home = mkdtempSync(join(tmpdir(), 'matrix-router-'));
  mkdirSync(join(home, '.claude-code-router'));
  const rows = Object.entries(providers).map(([column, [path, transformer]]) => ({
    name: column,
    api_base_url: `${upstream}${path}`,
    api_key: 'none',
    models: [models[column as Column]],
    ...(transformer !== undefined && { transformer: { use: [transformer] } }),
  }));
  const settings = {
    PORT: port,
    HOST: '127.0.0.1',
    LOG: false,
    Providers: rows,
    Router: { default: `chat,${models.chat}` },
  };
  writeFileSync(join(home, '.claude-code-router', 'config.json'), JSON.stringify(settings));
  return home;
}
