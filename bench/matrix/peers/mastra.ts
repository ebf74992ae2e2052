// Mastra: an agent with the providers of the AI SDK, given the history.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { peerTask } from '../peer.ts';
import type { Captured, PeerInput } from '../peer.ts';
import { toolDescription, toolName } from '../probes.ts';
import type { Task } from '../../harness.ts';
import { messagesOf, modelOf } from './ai-sdk.ts';

type Options = ConstructorParameters<typeof Agent>[0];

const task: Task<PeerInput, Captured[]> = peerTask({
  columns: ['anthropic', 'chat', 'responses', 'gemini-2.5', 'gemini-3', 'ollama'],
  send: async (ask) => {
    const look = createTool({
      id: toolName,
      description: toolDescription,
      inputSchema: z.object({}),
      execute: async () => 'nothing',
    });
    const agent = new Agent({
      id: 'agent',
      name: 'agent',
      instructions: '',
      model: modelOf(ask) as unknown as Options['model'],
      tools: { [toolName]: look },
      maxRetries: 0,
    });
    const messages = messagesOf(ask.probe) as Parameters<typeof agent.generate>[0];
    await agent.generate(messages, { maxSteps: 1 });
  },
});
export default task;
