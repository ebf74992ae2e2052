// Portkey's gateway, asked in OpenAI Chat, which it converts for every provider. It has no way from there to OpenAI's
// Responses; Ollama it asks in Chat, too.
import { fileURLToPath } from 'node:url';
import { freePort, start } from '../../gateway/servers.ts';
import type { Task } from '../../harness.ts';
import { askGateway, chatBody } from '../dialects.ts';
import { peerTask } from '../peer.ts';
import type { Captured, Column, PeerInput } from '../peer.ts';

const providers: Partial<Record<Column, [provider: string, base: string]>> = {
  anthropic: ['anthropic', '/v1'],
  chat: ['openai', '/v1'],
  'gemini-2.5': ['google', '/v1beta'],
  'gemini-3': ['google', '/v1beta'],
};

const task: Task<PeerInput, Captured[]> = async (input) => {
  process.env['TRUSTED_CUSTOM_HOSTS'] = '127.0.0.1,localhost';
  const bin = new URL('../../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url);
  const port = await freePort();
  const { child } = await start('Portkey', fileURLToPath(bin), ['--headless', `--port=${port}`], port);
  const run = peerTask({
    columns: Object.keys(providers) as Column[],
    send: async ({ probe, column, model, url }) => {
      const [provider = '', base = ''] = providers[column] ?? [];
      const headers = {
        authorization: 'Bearer none',
        'x-portkey-provider': provider,
        'x-portkey-custom-host': `${url}${base}`,
      };
      const body = { ...chatBody(probe, model), max_tokens: 1024 };
      await askGateway(`http://127.0.0.1:${port}/v1/chat/completions`, body, headers);
    },
  });
  return run(input).finally(() => child.kill('SIGKILL'));
};
export default task;
