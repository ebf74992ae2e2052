// Mastra: an agent that runs the tool itself, with the providers of the AI SDK and the tool's own words for the model.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { NotOffered, peerTask } from '../peer.ts';
import type { Captured, PeerInput } from '../peer.ts';
import { question, toolDescription, toolName } from '../probes.ts';
import type { Item } from '../probes.ts';
import type { Task } from '../../harness.ts';
import { modelOf, partOf } from './ai-sdk.ts';

type Options = ConstructorParameters<typeof Agent>[0];

const task: Task<PeerInput, Captured[]> = peerTask({
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'],
  loops: true,
  send: async (ask) => {
    const { results, thinking } = ask.probe;
    // The run begins with a question, so it has no history of another model, and a failed tool has only words.
    if (thinking || results.some(({ isError }) => isError)) throw new NotOffered();
    const waiting = [...results];
    const look = createTool({
      id: toolName,
      description: toolDescription,
      inputSchema: z.object({}),
      execute: async () => ({ items: waiting.shift()?.items ?? [] }),
      toModelOutput: (output: unknown) => ({ type: 'content', value: (output as { items: Item[] }).items.map(partOf) }),
    });
    const agent = new Agent({
      id: 'agent',
      name: 'agent',
      instructions: '',
      model: modelOf(ask) as unknown as Options['model'],
      tools: { [toolName]: look },
      maxRetries: 0,
    });
    await agent.generate(question, { maxSteps: 2 });
  },
});
export default task;
