// Sightline: blocks that name assets in a store on disk, as they stand in a long conversation.
import { fileAssets, prepare } from '../../src/index.ts';
import type { MessageInput, Prepared, TranscriptInput } from '../../src/index.ts';
import type { Call } from '../measure.ts';
import { models, question, resultText, toolDescription, toolName, toolSchema } from './task.ts';
import type { Open, RequestInput } from './task.ts';

const endpoints = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
} as const;

/** The window of a local model is what its user gave it; here it is large enough for everything. */
const room = { contextTokens: 1_000_000 };

/** Each call prepares the request from the transcript; `write` then makes the body of it. */
export function openSightline(write: (prepared: Prepared, sink: Parameters<Call>[0]) => Promise<void>): Open {
  return async (input) => {
    const assets = fileAssets(input.folder);
    const model: string = `${endpoints[input.wire]}/${models[input.wire]}`;
    return (count) => {
      const transcript = transcriptOf(input, count);
      return async (sink) => {
        await write(await prepare(transcript, { model, assets, maxTokens: 1024, profile: room }), sink);
        sink.end();
      };
    };
  };
}

function transcriptOf({ assets, kind }: RequestInput, count: number): TranscriptInput {
  const turns = assets.slice(0, count).flatMap((asset, turn): MessageInput[] => [
    { role: 'assistant', content: [{ type: 'call', id: `call_${turn}`, name: toolName, input: {} }] },
    {
      role: 'tool',
      callId: `call_${turn}`,
      name: toolName,
      content: [
        { type: 'text', text: resultText(turn) },
        kind === 'image' ? { type: 'image', asset, width: 1440, height: 900 } : { type: 'document', asset, pages: 3 },
      ],
    },
  ]);
  return {
    tools: [{ name: toolName, description: toolDescription, inputSchema: toolSchema }],
    messages: [{ role: 'user', content: question }, ...turns],
  };
}
