import type { ReactNode } from 'react';
import { readFileTool, runAgent } from 'sightline';
import type { AgentEvent } from 'sightline';

/** One line of a page for what a run tells. */
export function Line({ event }: { event: AgentEvent }): ReactNode {
  if (event.type === 'block-end' && event.block.type === 'text') return event.block.text;
  if (event.type === 'call-start') return `${event.call.name}…`;
  if (event.type === 'run-end' && event.error) return event.error.message;
  return null;
}

const tools = [readFileTool({ roots: ['examples'] })];
for await (const event of runAgent({ model: 'openai/gpt-5.2', tools, prompt: 'What does chart.png show?' }))
  if (Line({ event })) console.log(Line({ event }));
