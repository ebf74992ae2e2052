// A run that is watched: words as they come, calls that are asked about, and bounds on how far it may go.
import { runAgent, shippedTools } from 'sightline';

await using shipped = shippedTools({ roots: ['examples'], off: ['screen', 'browser'] });
const run = runAgent({
  model: ['anthropic/claude-sonnet-5', 'openai/gpt-5.2'], // the second takes over when the first cannot be had
  tools: shipped.tools,
  prompt: 'Compare chart.png with report.pdf, and with the figures at https://example.com.',
  approve: ({ name }) => name !== 'fetch_url' || 'stay on this machine', // true, false, or a reason
  maxSteps: 20,
  maxCost: 0.5, // US dollars
  signal: AbortSignal.timeout(120_000),
});

for await (const event of run) {
  if (event.type === 'block-delta' && event.kind === 'text') process.stdout.write(event.text);
  else if (event.type === 'call-start') console.log(`→ ${event.call.name} ${JSON.stringify(event.call.input)}`);
  else if (event.type === 'call-end') console.log(event.result.isError ? '← refused' : `← ${event.ms} ms`);
  else if (event.type === 'request-healed') console.log(`! ${event.why}`);
  else if (event.type === 'step-restart') console.log(`! ${event.why} Now ${event.model}.`);
  else if (event.type === 'message-added' && event.message.role === 'tool') run.add('Be brief.'); // for the next answer
}
const { stop, error, usage } = await run; // neither this nor the events throw
if (error) console.error(error.message);
console.log(`\n${stop}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
