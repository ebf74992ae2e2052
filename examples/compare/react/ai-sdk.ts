import { readFile } from 'node:fs/promises';
import { openai } from '@ai-sdk/openai';
import { isToolUIPart, readUIMessageStream, stepCountIs, streamText, tool, toUIMessageStream } from 'ai';
import type { UIMessage } from 'ai';
import type { ReactNode } from 'react';
import { z } from 'zod';

/** One line of a page for a part of a message. */
export function Line({ part }: { part: UIMessage['parts'][number] }): ReactNode {
  if (part.type === 'text') return part.text;
  if (isToolUIPart(part)) return `${part.type.replace('tool-', '')}…`;
  return null;
}

const readPicture = tool({
  description: 'Reads a picture.',
  inputSchema: z.object({ file_path: z.string() }),
  execute: ({ file_path }) => readFile(`examples/${file_path}`, 'base64'),
  toModelOutput: ({ output }) => ({
    type: 'content',
    value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: output } }],
  }),
});
const { stream } = streamText({
  model: openai('gpt-5.2'),
  tools: { read_file: readPicture },
  stopWhen: stepCountIs(50),
  prompt: 'What does chart.png show?',
});
let message: UIMessage | undefined;
for await (const state of readUIMessageStream({ stream: toUIMessageStream({ stream }) })) message = state;
for (const part of message?.parts ?? []) if (Line({ part })) console.log(Line({ part }));
