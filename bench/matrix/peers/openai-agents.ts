// OpenAI Agents SDK: its runner calls the tool, whose output goes back to the model.
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, tool } from '@openai/agents';
import type { OpenAIClient, ToolOutputFileContent, ToolOutputImage, ToolOutputText } from '@openai/agents';
import OpenAI from 'openai';
import { NotOffered, peerTask } from '../peer.ts';
import type { Captured, PeerInput } from '../peer.ts';
import { mediaOf, question, toolDescription, toolName } from '../probes.ts';
import type { Item } from '../probes.ts';
import type { Task } from '../../harness.ts';

type Output = ToolOutputText | ToolOutputImage | ToolOutputFileContent;

const task: Task<PeerInput, Captured[]> = peerTask({
  columns: ['chat', 'responses'],
  loops: true,
  send: async ({ probe, column, model, url, fetch }) => {
    // No marked errors, no thoughts of others, and no type for sound.
    if (probe.thinking || probe.results.some(({ isError }) => isError)) throw new NotOffered();
    if (mediaOf(probe).some(({ medium }) => medium.kind === 'audio')) throw new NotOffered();
    // Where the package of the bench is installed beside ours, theirs may be the same class of the other copy.
    const given: object = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch, maxRetries: 0 });
    const client = given as OpenAIClient;
    const look = tool({
      name: toolName,
      description: toolDescription,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: async (_input, _context, details): Promise<Output[]> => {
        const id = details?.toolCall?.callId;
        const result = probe.results.find((one) => one.id === id);
        return (result?.items ?? []).map(outputOf);
      },
    });
    const Model = column === 'chat' ? OpenAIChatCompletionsModel : OpenAIResponsesModel;
    const agent = new Agent({ name: 'agent', model: new Model(client, model), tools: [look] });
    await new Runner({ tracingDisabled: true }).run(agent, question);
  },
});
export default task;

function outputOf(item: Item): Output {
  if ('text' in item) return { type: 'text', text: item.text };
  const { kind, mediaType, name, base64 } = item.medium;
  if (kind === 'image') return { type: 'image', image: { data: base64, mediaType } };
  return { type: 'file', file: { data: base64, mediaType, filename: name } };
}
