// Our gateway, as `sightline serve` opens it.
import { openGateway } from '../../src/gateway/index.ts';

const [, , port, upstream] = process.argv;
const at = { baseUrl: `http://127.0.0.1:${upstream}/v1`, key: 'none' };
await openGateway({
  port: Number(port),
  models: {
    'gpt-4.1': { model: 'openai-chat/gpt-4.1', ...at },
    'claude-sonnet-4-5': { model: 'anthropic/claude-sonnet-4-5', ...at, baseUrl: `http://127.0.0.1:${upstream}` },
  },
});
