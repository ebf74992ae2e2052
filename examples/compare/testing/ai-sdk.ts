import assert from 'node:assert/strict';
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4, mockValues } from 'ai/test';
import { z } from 'zod';

const today = tool({ description: 'Tells the day.', inputSchema: z.object({}), execute: () => 'Monday' });

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 20, text: 20, reasoning: undefined },
};
const next = mockValues(
  {
    content: [{ type: 'tool-call' as const, toolCallId: '1', toolName: 'today', input: '{}' }],
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage,
    warnings: [],
  },
  {
    content: [{ type: 'text' as const, text: 'It is Monday.' }],
    finishReason: { unified: 'stop' as const, raw: undefined },
    usage,
    warnings: [],
  },
);
const model = new MockLanguageModelV4({ doGenerate: async () => next() });
const { text } = await generateText({ model, tools: { today }, stopWhen: stepCountIs(5), prompt: 'Which day is it?' });

assert.equal(text, 'It is Monday.');
assert.match(JSON.stringify(model.doGenerateCalls[1]?.prompt), /"Monday"/);
assert.equal(model.doGenerateCalls.length, 2);
console.log('passed');
