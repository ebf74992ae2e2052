// What becomes of each option on each kind of model, with the words that tell what is not sent.
import { expect, test } from 'vitest';
import { effortFor, effortTokens, settleOptions } from '../../src/window/options.ts';
import type { RequestOptions } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';

type Case = {
  model: string;
  profile?: Partial<Profile>;
  tools?: number;
  mid?: true; // a turn that began without thinking
  asked: RequestOptions;
  sent: object;
  told?: string[];
};

const claude = 'anthropic/claude-sonnet-4-5';
const chat = 'openai-chat/gpt-4.1';
const schema = { name: 'answer', schema: { type: 'object' } } as const;

const cases: Record<string, Case> = {
  'an answer shorter than can be asked for': {
    model: 'openai/gpt-5.2',
    asked: { maxTokens: 15 },
    sent: { maxTokens: 16 },
    told: ['maxTokens: openai can be asked for 16 at least'],
  },
  'the shortest answer that can be asked for': {
    model: 'openai/gpt-5.2',
    asked: { maxTokens: 16 },
    sent: { maxTokens: 16 },
  },
  'an answer longer than the model gives': {
    model: chat,
    profile: { mostOutputTokens: 100 },
    asked: { maxTokens: 101 },
    sent: { maxTokens: 100 },
    told: ['maxTokens: openai-chat/gpt-4.1 writes 100 at most'],
  },
  'no calls, where that cannot be asked for': {
    model: 'ollama/qwen3',
    profile: { toolChoice: true },
    asked: { toolChoice: 'none' },
    sent: {},
    told: ['toolChoice: ollama cannot be told to call none of its tools'],
  },
  'a call, where none cannot be asked for': {
    model: 'ollama/qwen3',
    profile: { toolChoice: true },
    asked: { toolChoice: 'required' },
    sent: { toolChoice: 'required' },
  },
  'no calls, where that can be asked for': { model: chat, asked: { toolChoice: 'none' }, sent: { toolChoice: 'none' } },
  'thinking that a model has not, off': { model: chat, asked: { thinking: 'off' }, sent: {} },
  'thinking that a model has not, on': {
    model: chat,
    asked: { thinking: 'low' },
    sent: {},
    told: ['thinking: openai-chat/gpt-4.1 does not think aloud'],
  },
  'thinking that cannot be switched off': {
    model: claude,
    profile: { thinkingOff: false },
    asked: { thinking: 'off' },
    sent: {},
    told: ['thinking: anthropic/claude-sonnet-4-5 always thinks'],
  },
  'tools that go without thinking only, on': {
    model: claude,
    profile: { toolsNeedNoThinking: true },
    asked: { thinking: 'high' },
    sent: { thinking: 'off' },
    told: ['thinking: anthropic/claude-sonnet-4-5 takes tools on this API only without thinking'],
  },
  'tools that go without thinking only, not asked for': {
    model: claude,
    profile: { toolsNeedNoThinking: true },
    asked: {},
    sent: { thinking: 'off' },
  },
  'tools that go without thinking only, off': {
    model: claude,
    profile: { toolsNeedNoThinking: true },
    asked: { thinking: 'off' },
    sent: { thinking: 'off' },
  },
  'no tools where they go without thinking only': {
    model: claude,
    profile: { toolsNeedNoThinking: true },
    tools: 0,
    asked: {},
    sent: {},
  },
  'thinking beside a tool that must be called': {
    model: claude,
    asked: { thinking: 'low', toolChoice: { tool: 'shot' } },
    sent: { toolChoice: { tool: 'shot' } },
    told: ['thinking: a forced tool leaves no room for it'],
  },
  'thinking beside some tool that must be called': {
    model: claude,
    asked: { thinking: 'low', toolChoice: 'required' },
    sent: { toolChoice: 'required' },
    told: ['thinking: a forced tool leaves no room for it'],
  },
  'thinking beside one of some tools that must be called': {
    model: claude,
    asked: { thinking: 'low', toolChoice: { among: ['shot'], required: true } },
    sent: { toolChoice: { among: ['shot'], required: true } },
    told: ['thinking: a forced tool leaves no room for it'],
  },
  'thinking beside some tools that may be called': {
    model: claude,
    asked: { thinking: 'low', toolChoice: { among: ['shot'] } },
    sent: { thinking: 'low', toolChoice: { among: ['shot'] }, thinkingTokens: 2048, maxTokens: 16_000 },
  },
  'thinking beside a free choice': {
    model: claude,
    asked: { thinking: 'low', toolChoice: 'auto' },
    sent: { thinking: 'low', toolChoice: 'auto', thinkingTokens: 2048, maxTokens: 16_000 },
  },
  'no thinking beside a tool that must be called': {
    model: claude,
    asked: { thinking: 'off', toolChoice: 'required' },
    sent: { thinking: 'off', toolChoice: 'required' },
  },
  'thinking where a tool must be called and there is none': {
    model: claude,
    tools: 0,
    asked: { thinking: 'low', toolChoice: 'required' },
    sent: { thinking: 'low', thinkingTokens: 2048, maxTokens: 16_000 },
    told: ['toolChoice: there are no tools'],
  },
  'thinking in a turn that began without': {
    model: claude,
    mid: true,
    asked: { thinking: 'low' },
    sent: {},
    told: ['thinking: the running turn began without it'],
  },
  'thinking in such a turn, where it is no matter of tokens': {
    model: claude,
    profile: { thinking: 'adaptive' },
    mid: true,
    asked: { thinking: 'low' },
    sent: { thinking: 'low' },
  },
  'thinking in such a turn, where nobody minds': {
    model: claude,
    profile: { strictThinking: false },
    mid: true,
    asked: { thinking: 'low', toolChoice: 'required' },
    sent: { thinking: 'low', toolChoice: 'required', thinkingTokens: 2048, maxTokens: 16_000 },
  },
  'more thinking than there is': {
    model: claude,
    profile: { thinking: 'adaptive', thinkingMax: false },
    asked: { thinking: 'max' },
    sent: { thinking: 'high' },
  },
  'the most thinking there is': {
    model: claude,
    profile: { thinking: 'adaptive', thinkingMax: true },
    asked: { thinking: 'max' },
    sent: { thinking: 'max' },
  },
  'some thinking where there is little or much': {
    model: claude,
    profile: { thinking: 'adaptive', thinkingMedium: false },
    asked: { thinking: 'medium' },
    sent: { thinking: 'high' },
  },
  'little thinking there': {
    model: claude,
    profile: { thinking: 'adaptive', thinkingMedium: false, thinkingMax: false },
    asked: { thinking: 'low' },
    sent: { thinking: 'low' },
  },
  'thinking in 2047 tokens': {
    model: claude,
    asked: { thinking: 'low', maxTokens: 2047 },
    sent: { maxTokens: 2047 },
    told: ['thinking: so few tokens leave no room for it'],
  },
  'thinking in 2048 tokens': {
    model: claude,
    asked: { thinking: 'low', maxTokens: 2048 },
    sent: { thinking: 'low', maxTokens: 2048, thinkingTokens: 1024 },
  },
  'few tokens without thinking': {
    model: claude,
    asked: { thinking: 'off', maxTokens: 10 },
    sent: { thinking: 'off', maxTokens: 10 },
  },
  'few tokens where thinking is not bought by them': {
    model: claude,
    profile: { thinking: 'adaptive' },
    asked: { thinking: 'low', maxTokens: 10 },
    sent: { thinking: 'low', maxTokens: 10 },
  },
  'thinking that makes the answer longer': {
    model: claude,
    profile: { maxOutputTokens: 1000 },
    asked: { thinking: 'low' },
    sent: { thinking: 'low', thinkingTokens: 2048, maxTokens: 6144 },
  },
  'no more thinking than the model may': {
    model: claude,
    profile: { maxThinkingTokens: 3000 },
    asked: { thinking: 'high', maxTokens: 50_000 },
    sent: { thinking: 'high', thinkingTokens: 3000, maxTokens: 50_000 },
  },
  'a temperature that is not taken': {
    model: claude,
    profile: { temperature: false },
    asked: { temperature: 0 },
    sent: {},
    told: ['temperature: anthropic/claude-sonnet-4-5 takes no temperature'],
  },
  'a temperature while it thinks': {
    model: claude,
    profile: { temperature: true },
    asked: { temperature: 1, thinking: 'low' },
    sent: { thinking: 'low', thinkingTokens: 2048, maxTokens: 16_000 },
    told: ['temperature: it cannot be set while the model thinks'],
  },
  'a temperature': { model: chat, asked: { temperature: 0 }, sent: { temperature: 0 } },
  'an option that an API has not': {
    model: claude,
    asked: { seed: 1, verbosity: 'low' },
    sent: {},
    told: ['seed: anthropic has no such option', 'verbosity: anthropic has no such option'],
  },
  'options that an API has': {
    model: chat,
    asked: { seed: 1, topP: 0.5, stop: ['x'], user: 'me' },
    sent: { seed: 1, topP: 0.5, stop: ['x'], user: 'me' },
  },
  'sampling of a model that takes no temperature': {
    model: chat,
    profile: { temperature: false },
    asked: { topP: 0.5 },
    sent: {},
    told: ['topP: openai-chat/gpt-4.1 takes no sampling options'],
  },
  'parallel calls with tools': { model: chat, asked: { parallelCalls: false }, sent: { parallelCalls: false } },
  'parallel calls without tools': { model: chat, tools: 0, asked: { parallelCalls: false }, sent: {} },
  'as many stops as are taken': {
    model: chat,
    asked: { stop: ['a', 'b', 'c', 'd'] },
    sent: { stop: ['a', 'b', 'c', 'd'] },
  },
  'more stops than are taken': {
    model: chat,
    asked: { stop: ['a', 'b', 'c', 'd', 'e', 'f'] },
    sent: { stop: ['a', 'b', 'c', 'd'] },
    told: ['stop: openai-chat takes 4; the last 2 are not sent'],
  },
  'no sources': { model: claude, asked: { citations: false }, sent: {} },
  sources: { model: claude, asked: { citations: true }, sent: { citations: true } },
  'sources that a model cannot name': {
    model: chat,
    asked: { citations: true },
    sent: {},
    told: ['citations: openai-chat/gpt-4.1 cannot be asked for its sources here'],
  },
  'sources in an answer with a form': {
    model: claude,
    asked: { citations: true, output: schema },
    sent: { output: schema },
    told: ['citations: an answer in a given form leaves no room for them'],
  },
  'a choice that an API has not': {
    model: 'ollama/llava',
    asked: { toolChoice: 'auto' },
    sent: {},
    told: ['toolChoice: ollama has no such option'],
  },
  'thinking beside tools where its default is none, and any word of it is refused': {
    model: 'openai-chat/gpt-5.5',
    asked: { thinking: 'medium' },
    sent: {},
    told: ['thinking: openai-chat/gpt-5.5 takes tools on this API only without thinking'],
  },
  'tools without a word of thinking there': { model: 'openai-chat/gpt-5.4', asked: {}, sent: {} },
  'thinking beside tools at somebody else’s of the same dialect': {
    model: 'openrouter/openai/gpt-5.6-sol',
    asked: { thinking: 'high' },
    sent: { thinking: 'high' },
  },
  'tools there without a word of thinking': { model: 'openrouter/openai/gpt-5.6-sol', asked: {}, sent: {} },
  'sampling twice, for Claude at AWS': {
    model: 'bedrock/us.anthropic.claude-haiku-4-5',
    asked: { temperature: 0.2, topP: 0.9 },
    sent: { temperature: 0.2 },
    told: ['topP: it cannot be set beside temperature, nor be low while the model thinks'],
  },
  'sampling while it thinks, for Claude at AWS': {
    model: 'bedrock/us.anthropic.claude-sonnet-4-6',
    asked: { topP: 0.5, thinking: 'high' },
    sent: { thinking: 'high' },
    told: ['topP: it cannot be set beside temperature, nor be low while the model thinks'],
  },
  'sampling that leaves it room to think': {
    model: 'bedrock/us.anthropic.claude-sonnet-4-6',
    asked: { topP: 0.95, thinking: 'high' },
    sent: { topP: 0.95, thinking: 'high' },
  },
  'sampling twice, for others at AWS': {
    model: 'bedrock/amazon.nova-pro-v1:0',
    asked: { temperature: 0.2, topP: 0.9 },
    sent: { temperature: 0.2, topP: 0.9 },
  },
  'thinking by the token, where an answer needs no length': {
    model: 'gemini/gemini-2.5-pro',
    asked: { thinking: 'low' },
    sent: { thinking: 'low', thinkingTokens: 2048 },
  },
  'thinking by the token of a model that writes less': {
    model: 'anthropic/claude-opus-4-1',
    profile: { mostOutputTokens: 32_000 },
    asked: { thinking: 'max' },
    sent: { thinking: 'max', thinkingTokens: 16_000, maxTokens: 20_096 },
  },
  'as long an answer as the model gives': {
    model: chat,
    profile: { mostOutputTokens: 500 },
    asked: { maxTokens: 500 },
    sent: { maxTokens: 500 },
  },
  'a longer answer than the model gives': {
    model: chat,
    profile: { mostOutputTokens: 500 },
    asked: { maxTokens: 501 },
    sent: { maxTokens: 500 },
    told: ['maxTokens: openai-chat/gpt-4.1 writes 500 at most'],
  },
};

test.each(Object.entries(cases))('%s', (_, { model, profile, tools = 1, mid = false, asked, sent, told = [] }) => {
  const known = structuredClone(asked);
  const { options, receipts } = settleOptions(asked, { ...profileFor(model), ...profile }, tools, mid);
  const of = profileFor(model);
  const named = (why: string): string => why.replace(of.id, model);
  expect(options).toEqual(sent);
  expect(receipts.map(({ subject, why }) => `${subject}: ${named(why)}`)).toEqual(told);
  expect(receipts.every(({ action }) => action === 'ignored')).toBe(true);
  expect(asked).toEqual(known);
});

test.each([
  [0, 'low'],
  [effortTokens.medium - 1, 'low'],
  [effortTokens.medium, 'medium'],
  [effortTokens.high - 1, 'medium'],
  [effortTokens.high, 'high'],
  [effortTokens.max - 1, 'high'],
  [effortTokens.max, 'max'],
] as const)('%i tokens of thinking are the effort "%s"', (tokens, effort) => {
  expect(effortFor(tokens)).toBe(effort);
});
