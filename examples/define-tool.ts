// A tool of your own: typed by its schema, bounded in time, asked about, and told who is logged in.
import { defineTool, runAgent } from 'sightline';
import type { ToolContext } from 'sightline';

const remove = defineTool({
  name: 'remove_rows',
  description: 'Removes rows of a table.',
  input: {
    type: 'object',
    properties: { table: { enum: ['drafts', 'sent'] }, rows: { type: 'array', items: { type: 'integer' } } },
    required: ['table', 'rows'],
  },
  timeoutMs: 10_000,
  effect: 'idempotent',
  approve: ({ table }) => table === 'sent', // nobody is asked about drafts
  async *run({ table, rows }, { context }: ToolContext<{ user: string }>) {
    for (const row of rows) yield `row ${row} of ${table}`; // progress
    return `${rows.length} rows of ${context.user} are gone.`;
  },
});

const run = runAgent({
  model: 'anthropic/claude-sonnet-5',
  tools: [remove],
  context: { user: 'ada' },
  prompt: 'Tidy up my mail.',
  approve: ({ input }) => input.rows.length < 3 || 'three rows are too many',
});

for await (const event of run) {
  if (event.type === 'call-start' && event.checked) console.log(`→ ${event.checked.input.table}`);
  else if (event.type === 'call-progress') console.log(`  ${event.text}`);
  else if (event.type === 'call-end') console.log(event.result.content);
}
const { text, error } = await run;
console.log(error?.message ?? text);
