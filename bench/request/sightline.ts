// Sightline: blocks that name assets in a store on disk, as they stand in a long conversation.
import { fileAssets, prepare } from '../../src/index.ts';
import type { MessageInput, Prepared, TranscriptInput } from '../../src/index.ts';
import type { Call } from '../measure.ts';
import { models, question, resultText, toolDescription, toolName, toolSchema } from './task.ts';
import type { Open, RequestInput } from './task.ts';

const endpoints = { 'anthropic-messages': 'anthropic', 'openai-chat': 'openai-chat' } as const;

/** Each call prepares the request from the transcript; `write` then makes the body of it. */
export function openSightline(write: (prepared: Prepared, sink: Parameters<Call>[0]) => Promise<void>): Open {
  return async (input) => {
    const assets = fileAssets(input.folder);
    const model: string = `${endpoints[input.wire]}/${models[input.wire]}`;
    return (pictures) => {
      const transcript = transcriptOf(input, pictures);
      return async (sink) => {
        await write(await prepare(transcript, { model, assets, maxTokens: 1024 }), sink);
        sink.end();
      };
    };
  };
}

function transcriptOf({ assets }: RequestInput, pictures: number): TranscriptInput {
  const turns = assets.slice(0, pictures).flatMap((asset, turn): MessageInput[] => [
    { role: 'assistant', content: [{ type: 'call', id: `call_${turn}`, name: toolName, input: {} }] },
    {
      role: 'tool',
      callId: `call_${turn}`,
      name: toolName,
      content: [
        { type: 'text', text: resultText(turn) },
        { type: 'image', asset, width: 1440, height: 900 },
      ],
    },
  ]);
  return {
    tools: [{ name: toolName, description: toolDescription, inputSchema: toolSchema }],
    messages: [{ role: 'user', content: question }, ...turns],
  };
}
