import { readFile } from 'node:fs/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import { openai } from '@ai-sdk/openai';
import { generateText, tool } from 'ai';
import type { ModelMessage, Tool, ToolModelMessage } from 'ai';
import { z } from 'zod';

const anthropic = createAnthropic({ baseURL: `${process.env['ANTHROPIC_BASE_URL']}/v1` });
const tools = {
  read_file: tool({ description: 'Reads a picture.', inputSchema: z.object({ file_path: z.string() }) }) as Tool,
};
const messages: ModelMessage[] = [{ role: 'user', content: 'What does chart.png show?' }];

for (const model of [openai('gpt-5.2'), anthropic('claude-sonnet-4-5')]) {
  const { text, toolCalls, responseMessages } = await generateText({ model, tools, messages });
  messages.push(...responseMessages);
  const results: ToolModelMessage['content'] = [];
  for (const { toolCallId, toolName, input } of toolCalls) {
    const data = await readFile(`examples/${(input as { file_path: string }).file_path}`, 'base64');
    const value = [{ type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data } }];
    results.push({ type: 'tool-result', toolCallId, toolName, output: { type: 'content', value } });
  }
  if (results.length > 0) messages.push({ role: 'tool', content: results });
  else console.log(text);
}
