// The tools that come with Sightline, and one of your own, in one list. Nothing starts before a tool is called.
import { defineTool, invokeTool, shippedTools } from 'sightline';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => a + b,
});

await using shipped = shippedTools({ roots: ['examples'], off: ['browser', 'screen'] });
for (const { tool, group, reach } of shipped.list) console.log(`${tool.name}: ${group}, ${reach}`);

const tools = [...shipped.tools, add]; // for runAgent, serveTools, or a loop of your own
const call = { type: 'call' as const, id: 'call_1', name: 'add', input: { a: 2, b: '3' } };
console.log((await invokeTool(call, { tools })).content); // wrong arguments are told to the model, nothing throws
