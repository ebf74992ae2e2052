// An agent as a tool of another one: the model that calls it gives a task in words and reads the answer.
import { SightlineError } from '../content/refusal.ts';
import { defineTool } from '../tool/tool.ts';
import type { AnyTool, ContextOf, Spent, Tool, ToolContext } from '../tool/tool.ts';
import type { AgentOptions } from './options.ts';
import { runAgent } from './run.ts';

/** What an agent is told that works for another one; the task, the signal and the context come with the call. */
export type AgentToolOptions<Name extends string, Tools extends readonly AnyTool[]> = {
  name: Name;
  /** What it is good for, for the model that calls it. */
  description: string;
  agent: Omit<AgentOptions<Tools>, 'prompt' | 'messages' | 'session' | 'summary' | 'ledger' | 'signal' | 'context'>;
} & Pick<Tool, 'timeoutMs' | 'concurrency' | 'effect'>;

/**
 * Makes an agent a tool. It begins anew with every call, shares the assets of the run, and what it takes counts there.
 *
 * @example
 * const researcher = agentTool({
 *   name: 'research',
 *   description: 'Finds out about something on the web and tells it in a few sentences.',
 *   agent: { model: 'openai/gpt-5.4-mini', tools: shipped.tools, maxSteps: 10 },
 * });
 */
export function agentTool<const Name extends string, const Tools extends readonly AnyTool[] = readonly Tool[]>({
  agent,
  ...about
}: AgentToolOptions<Name, Tools>): Tool<Name, { task: string }, ContextOf<Tools>> {
  if (agent?.model === undefined)
    throw new SightlineError('input', `The agent of tool "${about.name}" has no model. Write agent: { model: … }.`);
  return defineTool({
    ...about,
    input: {
      type: 'object',
      properties: { task: { type: 'string', description: 'All that it needs to know: it sees nothing else' } },
      required: ['task'],
    },
    async run({ task }, { signal, assets, context, progress, spent }: ToolContext<ContextOf<Tools>>) {
      const run = runAgent({ assets, ...(agent as AgentOptions), prompt: task, signal, context });
      for await (const event of run) {
        if (event.type === 'call-start') progress(`${about.name} calls ${event.call.name}`);
        else if (event.type === 'spent') spent(spentOf(event));
      }
      const result = await run;
      if (result.stop === 'end') return result.output ?? result.text;
      const why = result.error?.message ?? `It ended with "${result.stop}".`;
      throw new Error(result.text === '' ? why : `${why} Until then it said: ${result.text}`);
    },
  });
}

function spentOf({ type: _type, ...spent }: { type: 'spent' } & Spent): Spent {
  return spent;
}
