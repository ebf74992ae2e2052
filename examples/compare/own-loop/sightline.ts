import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { collect, invokeTools, prepare, readFileTool } from 'sightline';
import type { MessageInput } from 'sightline';

const tools = [readFileTool({ roots: ['examples'] })];
const messages: MessageInput[] = [{ role: 'user', content: 'What does chart.png show?' }];

for (const model of ['openai/gpt-5.2', 'anthropic/claude-sonnet-4-5'] as const) {
  const request = await prepare({ tools, messages }, { model });
  const answer =
    request.wire === 'openai-responses'
      ? await new OpenAI().responses.create(await request.sdk())
      : await new Anthropic().messages.create(await request.sdk());
  const message = await collect(request.events(answer));
  messages.push(message, ...(await invokeTools(message, { tools })));
  for (const block of message.content) if (block.type === 'text') console.log(block.text);
}
