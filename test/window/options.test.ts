// Request options: only what is set and what the model takes is sent; what is not taken is told.
import { describe, expect, test } from 'vitest';
import type { RequestOptions } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { schemaErrors } from '../judge/judge.ts';
import { models, onePerWire } from '../laws/models.ts';
import { tools } from '../laws/transcripts.ts';
import { writeWhole } from '../laws/world.ts';
import type { Written } from '../laws/world.ts';

async function ask(model: string, options: RequestOptions, withTools = true): Promise<Written> {
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
  return writeWhole({ transcript: { version: 1, ...(withTools && { tools }), messages }, model, options });
}

function ignored({ receipts }: Written): string[] {
  return receipts.filter(({ action }) => action === 'ignored').map(({ subject }) => subject);
}

const every: [string, RequestOptions][] = [
  ['nothing', {}],
  ['a limit', { maxTokens: 1000 }],
  ['a temperature', { temperature: 0.2 }],
  ['a tool choice', { toolChoice: 'required' }],
  ['one tool', { toolChoice: { tool: 'shot' } }],
  ['no tool', { toolChoice: 'none' }],
  ['no words to end at', { stop: [] }],
  ['no thinking', { thinking: 'off' }],
  ['some thinking', { thinking: 'low' }],
  ['most thinking', { thinking: 'max', maxTokens: 1000, temperature: 1 }],
  [
    'an output schema',
    { output: { name: 'answer', schema: { type: 'object', properties: {}, additionalProperties: false } } },
  ],
];

const many = [
  ...models,
  'anthropic/claude-opus-5-5',
  'anthropic/claude-opus-4-7',
  'openai/o3',
  'openai-chat/gpt-6-astra',
  'ollama/gpt-oss',
];

describe.each(many)('%s', (model) => {
  test.each(every)('asked for %s, writes a body that the judges accept', async (_what, options) => {
    const { body } = await ask(model, options);
    expect(await schemaErrors(profileFor(model).wire, body)).toEqual([]);
  });

  test('asked for nothing, sends no option', async () => {
    const { body, receipts } = await ask(model, {});
    const text = JSON.stringify(body);
    expect(text).not.toMatch(
      /temperature|tool_choice|toolChoice|functionCallingConfig|"thinking"|thinkingConfig|"think"|num_predict|response_format|responseJsonSchema|"format"/,
    );
    expect(receipts.filter(({ action }) => action === 'ignored')).toEqual([]);
  });
});

const sent: [string, RequestOptions, object][] = [
  ['anthropic/claude-sonnet-4-5', {}, { max_tokens: 16_000 }],
  ['anthropic/claude-sonnet-4-5', { maxTokens: 99 }, { max_tokens: 99 }],
  ['openai-chat/gpt-4.1', { temperature: 0 }, { temperature: 0 }],
  ['anthropic/claude-sonnet-4-5', { toolChoice: 'required' }, { tool_choice: { type: 'any' } }],
  ['anthropic/claude-sonnet-4-5', { thinking: 'off' }, { thinking: { type: 'disabled' } }],
  ['anthropic/claude-sonnet-4-5', { thinking: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  [
    'anthropic/claude-sonnet-4-5',
    { thinking: 'max', maxTokens: 8000 },
    { thinking: { type: 'enabled', budget_tokens: 4000 }, max_tokens: 8000 },
  ],
  [
    'anthropic/claude-opus-4-7',
    { thinking: 'high' },
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
  ],
  [
    'bedrock/us.anthropic.claude-opus-4-7',
    { thinking: 'high' },
    { additionalModelRequestFields: { thinking: { type: 'adaptive', display: 'summarized' } } },
  ],
  ['openai/gpt-5.2', { thinking: 'off' }, { reasoning: { effort: 'none' } }],
  ['openai/gpt-6-sol', { thinking: 'off' }, { reasoning: { effort: 'none' } }],
  ['anthropic/claude-fable-5', { toolChoice: 'required' }, { tool_choice: { type: 'any' } }],
  ['anthropic/claude-opus-5-5', { toolChoice: 'auto' }, { tool_choice: { type: 'auto' } }],
  ['openai/gpt-5.2', { thinking: 'max' }, { reasoning: { effort: 'xhigh', summary: 'auto' } }],
  ['openai/gpt-5.2', { thinking: 'xhigh' }, { reasoning: { effort: 'xhigh', summary: 'auto' } }],
  ['openai/gpt-5.6-sol', { thinking: 'xhigh' }, { reasoning: { effort: 'xhigh', summary: 'auto' } }],
  ['openai/gpt-5', { thinking: 'xhigh' }, { reasoning: { effort: 'high', summary: 'auto' } }],
  ['anthropic/claude-opus-4-7', { thinking: 'xhigh' }, { output_config: { effort: 'xhigh' } }],
  ['anthropic/claude-opus-4-6', { thinking: 'xhigh' }, { output_config: { effort: 'max' } }],
  ['anthropic/claude-sonnet-4-5', { thinking: 'xhigh' }, { thinking: { type: 'enabled', budget_tokens: 32_768 } }],
  ['openai/gpt-5', { thinking: 'max' }, { reasoning: { effort: 'high', summary: 'auto' } }],
  ['openai/gpt-5.6-sol', { thinking: 'max' }, { reasoning: { effort: 'max', summary: 'auto' } }],
  ['azure/gpt-6-luna', { thinking: 'max' }, { reasoning: { effort: 'max', summary: 'auto' } }],
  ['openai/o3', { thinking: 'max' }, { reasoning: { effort: 'high', summary: 'auto' } }],
  ['openai/gpt-5.2', { maxTokens: 16 }, { max_output_tokens: 16 }],
  ['openai-chat/gpt-4.1', { maxTokens: 5 }, { max_completion_tokens: 5 }],
  [
    'openai-chat/gpt-4.1',
    { toolChoice: { tool: 'shot' } },
    { tool_choice: { type: 'function', function: { name: 'shot' } } },
  ],
  ['openai-chat/gpt-6-astra', {}, { reasoning_effort: 'none' }],
  ['compatible/unheard-of', { maxTokens: 5 }, { max_tokens: 5 }],
  ['gemini/gemini-2.5-flash', { thinking: 'off' }, { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  [
    'gemini/gemini-2.5-pro',
    { thinking: 'low' },
    { generationConfig: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } } },
  ],
  [
    'gemini/gemini-3-pro-preview',
    { thinking: 'high' },
    { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true } } },
  ],
  ['gemini/gemini-3-pro-preview', { toolChoice: 'none' }, { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }],
  ['ollama/qwen3', { thinking: 'low', maxTokens: 7 }, { think: true, options: { num_predict: 7 } }],
  ['ollama/qwen3', { thinking: 'off' }, { think: false }],
  ['ollama/gpt-oss', { thinking: 'medium' }, { think: 'medium' }],
  ['ollama/llava', {}, { truncate: false, stream: false }],
];

test.each(sent)('%s with %j sends %j', async (model, options, fields) => {
  expect((await ask(model, options)).body).toMatchObject(fields);
});

test('Claude shows what it thinks by itself up to 4.6; nothing asks it to', async () => {
  const { body } = await ask('anthropic/claude-opus-4-6', { thinking: 'high' });
  expect(body).toHaveProperty('thinking', { type: 'adaptive' });
});

const refused: [string, RequestOptions, string, RegExp][] = [
  ['openai-chat/gpt-4.1', { thinking: 'high' }, 'thinking', /reasoning/],
  ['ollama/llava', { thinking: 'low' }, 'thinking', /think/],
  ['anthropic/claude-sonnet-4-5', { thinking: 'max', maxTokens: 100 }, 'thinking', /thinking/],
  ['anthropic/claude-opus-5-5', { thinking: 'off' }, 'thinking', /disabled/],
  ['anthropic/claude-opus-4-7', { temperature: 0.5 }, 'temperature', /temperature/],
  ['anthropic/claude-sonnet-4-5', { temperature: 0.5, thinking: 'low' }, 'temperature', /temperature/],
  ['openai/o3', { temperature: 0.5 }, 'temperature', /temperature/],
  ['openai/o3', { thinking: 'off' }, 'thinking', /none/],
  ['openai/gpt-5.2', { maxTokens: 5 }, 'maxTokens', /"max_output_tokens":5/],
  ['openai/gpt-5', { thinking: 'off' }, 'thinking', /none/],
  ['gemini/gemini-2.5-pro', { thinking: 'off' }, 'thinking', /"thinkingBudget":0/],
  ['ollama/llava', { toolChoice: 'required' }, 'toolChoice', /tool_choice/],
  ['openai-chat/gpt-6-astra', { thinking: 'high' }, 'thinking', /"high"/],
  ['openai/gpt-6-astra', { thinking: 'off' }, 'thinking', /none/],
  ['openai/gpt-6.1-sol', { thinking: 'off' }, 'thinking', /none/],
  ['groq/openai/gpt-oss-120b', { thinking: 'off' }, 'thinking', /none/],
  ['bedrock/us.anthropic.claude-sonnet-4-6', { temperature: 0.5, thinking: 'high' }, 'temperature', /temperature/],
  ['anthropic/claude-opus-5-5', { thinking: 'high', toolChoice: 'required' }, 'toolChoice', /tool_choice/],
  ['bedrock/us.anthropic.claude-sonnet-5-5', { toolChoice: { tool: 'shot' } }, 'toolChoice', /toolChoice/],
  ['openai-chat/o3', { stop: ['END'] }, 'stop', /END/],
  ['mistral/mistral-large-latest', { seed: 7 }, 'seed', /seed/],
];

test.each(refused)('%s with %j says that %s is not sent', async (model, options, option, trace) => {
  const written = await ask(model, options);
  expect(ignored(written)).toEqual([option]);
  expect(JSON.stringify(written.body)).not.toMatch(trace);
});

test.each(['openai/gpt-5.2', 'openai-chat/gpt-4.1'])(
  '%s is told a long name of who asks by its digest',
  async (model) => {
    const named = async (user: string): Promise<unknown> => {
      const written = await ask(model, { user });
      expect(ignored(written)).toEqual(user.length > 64 ? ['user'] : []);
      return written.body['user'];
    };
    const long = await named(`user_${'a'.repeat(100)}`);
    expect(String(long).length).toBeLessThanOrEqual(64);
    expect(await named(`user_${'a'.repeat(100)}`)).toBe(long);
    expect(await named(`user_${'b'.repeat(100)}`)).not.toBe(long);
    expect(await named('u'.repeat(64))).toBe('u'.repeat(64));
  },
);

test('where an API does not take as much thinking as the model knows, the most that it takes is sent, and told', async () => {
  const written = await ask('openai-chat/gpt-5.6', { thinking: 'max' }, false);
  expect(written.body).toMatchObject({ reasoning_effort: 'xhigh' });
  expect(ignored(written)).toEqual(['thinking']);
  const less = await ask('openai-chat/gpt-5.6', { thinking: 'xhigh' }, false);
  expect(less.body).toMatchObject({ reasoning_effort: 'xhigh' });
  expect(ignored(less)).toEqual([]);
  const most = await ask('openai-chat/gpt-5.5', { thinking: 'max' }, false);
  expect(most.body).toMatchObject({ reasoning_effort: 'xhigh' });
  expect(ignored(most)).toEqual([]);
});

test('a model without reasoning is not asked for what it has encrypted of it', async () => {
  expect((await ask('openai/gpt-5-chat-latest', {})).body).not.toHaveProperty('include');
});

test.each(models)('%s without tools says that a tool choice is not sent', async (model) => {
  const written = await ask(model, { toolChoice: 'auto' }, false);
  expect(ignored(written)).toEqual(['toolChoice']);
});

test('the most that gemini-2.5-flash may think is within its range', async () => {
  const { body } = await ask('gemini/gemini-2.5-flash', { thinking: 'max' });
  expect(body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } });
});

function count(body: object): number {
  return JSON.stringify(body).split('"cache_control"').length - 1;
}

async function key(model: string): Promise<unknown> {
  return (await ask(model, {})).body['prompt_cache_key'];
}

test.each(onePerWire)('%s is offered a tool whose lists all say what they hold', async (model) => {
  const properties = { targets: { type: 'array' }, rows: { type: ['array', 'null'], items: { type: 'array' } } };
  const list = { name: 'list', description: 'Lists.', inputSchema: { type: 'object', properties } };
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
  const { body } = await writeWhole({ transcript: { version: 1, tools: [list], messages }, model });
  const told =
    '"targets":{"type":"array","items":{}},"rows":{"type":["array","null"],"items":{"type":"array","items":{}}}';
  expect(JSON.stringify(body)).toContain(told);
  expect(await schemaErrors(profileFor(model).wire, body)).toEqual([]);
});

test.each(onePerWire)('%s is offered a tool that takes one object or another as one that takes both', async (model) => {
  const objects = ['path', 'url'].map((name) => ({ type: 'object', properties: { [name]: { type: 'string' } } }));
  const open = { name: 'open', description: 'Opens it.', inputSchema: { anyOf: objects } };
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
  const { body } = await writeWhole({ transcript: { version: 1, tools: [open], messages }, model });
  expect(JSON.stringify(body)).toContain('"properties":{"path":{"type":"string"},"url":{"type":"string"}}');
  expect(JSON.stringify(body)).not.toContain('anyOf');
  expect(await schemaErrors(profileFor(model).wire, body)).toEqual([]);
});

describe('prompt caches', () => {
  test('Anthropic gets at most four marks, and none when they are off', async () => {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
    const transcript = { version: 1 as const, system: 'Be brief.', tools, messages };
    const model = 'anthropic/claude-sonnet-4-5';
    expect(count((await writeWhole({ transcript, model })).body)).toBe(2);
    expect(count((await writeWhole({ transcript: { version: 1, tools, messages }, model })).body)).toBe(2);
    expect(count((await writeWhole({ transcript, model, cache: 'off' })).body)).toBe(0);
  });

  test('OpenAI gets one key per conversation, compatible servers none', async () => {
    expect(await key('openai/gpt-5.2')).toEqual(await key('openai-chat/gpt-4.1'));
    expect(await key('openai/gpt-5.2')).toMatch(/^sightline-/);
    expect(await key('compatible/unheard-of')).toBeUndefined();
    expect(await key('openrouter/openai/gpt-4o')).toBeUndefined();
  });
});
