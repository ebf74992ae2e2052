// Our client, as the conformance suite starts it: the address of its server is the last argument. Every tool is called
// once with numbers, as the suite's own tool wants them.
import { connectServers } from '../../../src/mcp/client.ts';
import { invokeTool } from '../../../src/toolbox/invoke.ts';

await using servers = await connectServers({ suite: { url: process.argv.at(-1) ?? '', headers: {} } });
for (const tool of servers.tools) {
  const required = Object.keys(tool.inputSchema['properties'] ?? {});
  const input = Object.fromEntries(required.map((name, at) => [name, at + 1]));
  await invokeTool({ type: 'call', id: tool.name, name: tool.name, input }, { tools: servers.tools });
}
if (servers.states.some(({ state }) => state !== 'ready')) process.exitCode = 1;
