// Your tools for other agents: an MCP server on stdin and stdout.
import { defineTool, serveTools } from 'sightline';
import { readFile } from 'node:fs/promises';

const chart = defineTool({
  name: 'chart',
  description: 'The chart of a quarter.',
  input: { type: 'object', properties: { quarter: { type: 'string' } }, required: ['quarter'] },
  run: async ({ quarter }) => [`The chart of ${quarter}:`, await readFile('examples/chart.png')],
});

const serving = await serveTools([chart]); // with { http: { port: 8765, token } }, over HTTP
await serving.ended;
