// Tools of MCP servers for a run of yours: what they return reaches every model, pictures included.
import { connectServers, runAgent } from 'sightline';

await using servers = await connectServers({
  charts: { command: 'node', args: ['examples/mcp-server.ts'] },
  gone: { command: 'no-such-program' },
});
for (const { name, state, tools, problem } of servers.states) console.log(name, state, problem ?? tools.join(', '));

const run = runAgent({ model: 'ollama/qwen3-vl', tools: servers.tools, prompt: 'Show me the chart of Q3.' });
const { text, error } = await run;
console.log(error?.message ?? text);
