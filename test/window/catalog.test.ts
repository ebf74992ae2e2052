// What the catalog knows by name: detection, overrides, and errors that help.
import { describe, expect, test } from 'vitest';
import { safeFamily, usualModels } from '../../src/window/catalog.ts';
import { capabilitiesOf, profileFor } from '../../src/window/profile.ts';
import type { Capabilities } from '../../src/window/profile.ts';

function can(model: string, kinds: string): string {
  const { vision, nativePdf, thinking, audioInput, videoInput, toolMedia } = capabilitiesOf(profileFor(model));
  const all: [string, boolean][] = [
    ['see', vision],
    ['pdf', nativePdf],
    ['think', thinking],
    ['hear', audioInput],
    ['watch', videoInput],
    ['inside', toolMedia],
  ];
  const names = new Set(kinds.split(' '));
  return all
    .filter(([name, on]) => on !== names.has(name))
    .map(([name, on]) => `${on ? 'can' : 'cannot'} ${name}`)
    .join(', ');
}

const rows: [string, string][] = [
  // Claude, all generations, behind any gateway.
  ['anthropic/claude-3-haiku-20240307', 'see pdf inside'],
  ['anthropic/claude-3-5-sonnet-20241022', 'see pdf inside'],
  ['anthropic/claude-3-7-sonnet-latest', 'see pdf think inside'],
  ['anthropic/claude-sonnet-4-20250514', 'see pdf think inside'],
  ['anthropic/claude-opus-4-1', 'see pdf think inside'],
  ['anthropic/claude-sonnet-4-5-20250929', 'see pdf think inside'],
  ['anthropic/claude-haiku-4-5', 'see pdf think inside'],
  ['anthropic/claude-opus-4-6', 'see pdf think inside'],
  ['anthropic/claude-opus-4-8', 'see pdf think inside'],
  ['anthropic/claude-sonnet-5', 'see pdf think inside'],
  ['anthropic/claude-haiku-5-5', 'see pdf think inside'],
  ['anthropic/claude-opus-5-5', 'see pdf think inside'],
  ['anthropic/claude-fable-5-2', 'see pdf think inside'],
  ['anthropic/claude-2.1', ''],
  ['openrouter/anthropic/claude-sonnet-4.5', 'see pdf think'],
  ['openrouter/anthropic/claude-3.5-haiku', 'see pdf'],
  ['compatible/bedrock/us.anthropic.claude-sonnet-4-5-v1:0', 'see think'],
  ['compatible/eu.anthropic.claude-3-haiku-20240307-v1:0', 'see'],
  ['compatible/vertex_ai/claude-3-5-sonnet@20240620', 'see'],
  ['compatible/global.anthropic.claude-opus-4-6-v1', 'see think'],
  ['compatible/us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'see think'],

  // OpenAI.
  ['openai/gpt-4.1', 'see pdf inside'],
  ['openai/gpt-4.1-mini-2025-04-14', 'see pdf inside'],
  ['openai/gpt-4o', 'see pdf inside'],
  ['openai/gpt-4o-mini', 'see pdf inside'],
  ['openai/chatgpt-4o-latest', 'see pdf inside'],
  ['openai/gpt-5', 'see pdf think inside'],
  ['openai/gpt-5-2025-08-07', 'see pdf think inside'],
  ['openai/gpt-5-chat-latest', 'see pdf inside'],
  ['openai/gpt-5.2', 'see pdf think inside'],
  ['openai/gpt-5.4-mini', 'see pdf think inside'],
  ['openai/gpt-5.6-sol', 'see pdf think inside'],
  ['openai/gpt-6-astra', 'see pdf think inside'],
  ['openai/gpt-6.1-terra', 'see pdf think inside'],
  ['openai/o1', 'see pdf think inside'],
  ['openai/o3', 'see pdf think inside'],
  ['openai/o4-mini', 'see pdf think inside'],
  ['openai/o3-mini', 'think'],
  ['openai-chat/gpt-4.1', 'see pdf'],
  ['openai-chat/gpt-5.2', 'see pdf think'],
  ['openai-chat/gpt-4-turbo', 'see'],
  ['openai-chat/gpt-4-vision-preview', 'see'],
  ['openai-chat/gpt-4-1106-preview', ''],
  ['openai-chat/gpt-4-0125-preview', ''],
  ['openai-chat/gpt-4-turbo-preview', ''], // an alias of gpt-4-0125-preview
  ['openai-chat/gpt-4', ''],
  ['openai-chat/gpt-3.5-turbo', ''],
  ['openai-chat/gpt-4o-audio-preview', 'hear'],
  ['openai-chat/gpt-audio', 'hear'],
  ['openai-chat/gpt-4o-transcribe', ''],
  ['openai-chat/gpt-4o-mini-tts', ''],
  ['openai-chat/whisper-1', ''],
  ['compatible/gpt-oss-120b', 'think'],
  ['compatible/openai/gpt-4o', 'see'],

  // Azure has deployment names: what says nothing is planned as gpt-4.1, and its chat takes no files.
  ['azure/my-deployment', 'see pdf inside'],
  ['azure-chat/my-deployment', 'see'],
  ['azure/gpt-5.2', 'see pdf think inside'],

  // Gemini: media stand inside from 3 on.
  ['gemini/gemini-1.5-pro', 'see pdf hear watch'],
  ['gemini/gemini-2.0-flash', 'see pdf hear watch'],
  ['gemini/gemini-2.5-pro', 'see pdf think hear watch'],
  ['gemini/gemini-3-pro-preview', 'see pdf think hear watch inside'],
  ['google/gemini-3.8-flash', 'see pdf think hear watch inside'],
  ['gemini/gemini-4-argon', 'see pdf think hear watch inside'],
  ['gemini/gemini-embedding-001', ''],

  // Ollama.
  ['ollama/llava', 'see'],
  ['ollama/llava:13b', 'see'],
  ['ollama/bakllava', 'see'],
  ['ollama/gemma3:4b', 'see'],
  ['ollama/smolvlm', 'see'],
  ['ollama/llama3.2-vision', 'see'],
  ['ollama/llama3.2-vision:11b', 'see'],
  ['ollama/moondream', 'see'],
  ['ollama/minicpm-v', 'see'],
  ['ollama/qwen2.5vl:7b', 'see'],
  ['ollama/mistral-small3.1', 'see'],
  ['ollama/llama4', 'see'],
  ['ollama/qwen3-vl:8b', 'see think inside'],
  ['ollama/gemma4', 'see think inside'],
  ['ollama/llama3.2', ''],
  ['ollama/llama3.1:8b', ''],
  ['ollama/deepseek-r1:8b', 'think'],
  ['ollama/qwq', 'think'],
  ['ollama/qwen3:8b', 'think'],
  ['ollama/hf.co/Qwen/Qwen3-8B-GGUF', 'think'],
  ['ollama/gpt-oss:20b', 'think'],
  ['ollama/gemma3:1b', ''], // the smallest one is text only

  // Mistral, as of its own list and that of @ai-sdk/mistral in 2026-11: every one since Small 3.1 and Medium 3, the others later.
  ...['large-latest', 'large-2512', 'large-4', 'medium-latest', 'medium-2505', 'medium-2508', 'medium-2604'].map(
    (name): [string, string] => [`mistral/mistral-${name}`, 'see pdf'],
  ),
  ...['small-latest', 'small-2503', 'small-2506', 'small-2603'].map((name): [string, string] => [
    `mistral/mistral-${name}`,
    'see pdf',
  ]),
  ['mistral/magistral-medium-latest', 'see pdf'],
  ['mistral/magistral-small-2509', 'see pdf'],
  ['mistral/ministral-8b-latest', 'see pdf'],
  ['mistral/ministral-14b-2512', 'see pdf'],
  ['openrouter/mistralai/mistral-large-2512', 'see'],
  ['ollama/ministral-3:8b', 'see'],
  ['mistral/mistral-large-2411', 'pdf'],
  ['mistral/mistral-small-2501', 'pdf'],
  ['mistral/mistral-medium-2312', 'pdf'],
  ['mistral/magistral-medium-2506', 'pdf'],
  ['mistral/ministral-3b-2410', 'pdf'],
  ['mistral/codestral-latest', 'pdf'],
  ['mistral/voxtral-small-latest', 'pdf'],
  ['ollama/mistral-large:123b', ''],

  // Open models behind compatible servers.
  ['compatible/qwen/qwen2.5-vl-72b-instruct', 'see'],
  ['compatible/mistralai/pixtral-12b', 'see'],
  ['compatible/mistral.pixtral-large-2502-v1:0', 'see'],
  ['compatible/OpenGVLab/InternVL3-8B', 'see'],
  ['compatible/meta-llama/llama-4-scout', 'see'],
  ['openrouter/google/gemini-2.5-flash', 'see pdf think hear'],
  ['openrouter/google/gemma-4-31b-it', 'see'],
  ['lmstudio/google/gemma-4-e4b', 'see'],
  ['vllm/Qwen/Qwen3.5-35B-A3B', 'see'],
  ['openrouter/qwen/qwen3.7-plus', 'see'],
  ['openrouter/qwen/qwen3.8-max', 'see'],
  ['openrouter/qwen/qwen3.6-max-preview', ''],
  ['openrouter/qwen/qwen3-coder-next', ''],
  ['openrouter/moonshotai/kimi-k2.6', 'see'],
  ['openrouter/moonshotai/kimi-k3', 'see'],
  ['openrouter/moonshotai/kimi-k2-thinking', ''],
  ['deepseek/deepseek-v4.1-flash', 'see'],
  ['openrouter/deepseek/deepseek-v4-pro', ''],
  ['vllm/zai-org/GLM-4.6V-Flash', 'see'],
  ['openrouter/z-ai/glm-5v-turbo', 'see'],
  ['openrouter/z-ai/glm-5.2', ''],

  // Nobody knows these: words only.
  ['openai/davinci-002', ''],
  ['anthropic/claude-instant-1.2', ''],
  ['openrouter/acme/unheard-of', ''],
  ['compatible/unheard-of', ''],
  ['ollama/unheard-of', ''],
];

test.each(rows)('%s can: %s', (model, kinds) => {
  expect(can(model, kinds)).toBe('');
});

const namesakes: [string, string][] = [
  ['openai/gpt-5-2025-08-07', 'openai/gpt-5'],
  ['openai/gpt-5-mini-2025-08-07', 'openai/gpt-5-mini'],
  ['openai/gpt-5-codex', 'openai/gpt-5'],
  ['openai/gpt-5.2-2025-12-11', 'openai/gpt-5.2'],
  ['openai/gpt-4.1-2025-04-14', 'openai/gpt-4.1'],
  ['openai/gpt-4o-mini-2024-07-18', 'openai/gpt-4o-mini'],
  ['openai/o4-mini-2025-04-16', 'openai/o4-mini'],
  ['openai/o1-2024-12-17', 'openai/o1'],
  ['anthropic/claude-opus-4-20250514', 'anthropic/claude-opus-4-1'],
  ['anthropic/claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4-6-20260210', 'anthropic/claude-sonnet-4-6'],
  ['anthropic/claude-sonnet-5-20260115', 'anthropic/claude-sonnet-5'],
  ['anthropic/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5'],
  ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
  ['openrouter/Anthropic/Claude-Opus-4.7', 'openrouter/anthropic/claude-opus-4-7'],
  ['gemini/gemini-2.5-flash-preview-09-2025', 'gemini/gemini-2.5-flash'],
  ['google/gemini-3-pro-preview', 'gemini/gemini-3-pro'],
];

test.each(namesakes)('%s is planned as %s', (name, other) => {
  const { model: _model, id: _id, ...rules } = profileFor(name);
  expect(profileFor(other)).toMatchObject(rules);
});

const strangers: [string, string][] = [
  ['openai/gpt-5-2025-08-07', 'openai/gpt-5.2'],
  ['openai/gpt-5', 'openai/gpt-5-mini'],
  ['openai/gpt-5.4', 'openai/gpt-5.6-sol'],
  ['openai/gpt-4.1', 'openai/gpt-4.1-mini'],
  ['anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-6'],
  ['anthropic/claude-sonnet-5', 'anthropic/claude-sonnet-5-5'],
];

test.each(strangers)('%s is not planned as %s', (name, other) => {
  const { model: _model, id: _id, family: _family, ...rules } = profileFor(name);
  expect(profileFor(other)).not.toMatchObject(rules);
});

describe('what a person states wins over what was detected', () => {
  const off: Capabilities = {
    vision: false,
    nativePdf: false,
    thinking: false,
    audioInput: false,
    videoInput: false,
    citations: false,
    toolMedia: false,
  };

  test.each([
    'anthropic/claude-sonnet-4-5',
    'openai/gpt-5.2',
    'openai-chat/gpt-4.1',
    'gemini/gemini-3-pro-preview',
    'ollama/qwen3-vl',
  ])('everything can be switched off: %s', (model) => {
    const profile = profileFor(model, { capabilities: off });
    expect(capabilitiesOf(profile)).toEqual(off);
    const places = Object.values(profile.media).flatMap(({ result, errorResult, user }) => [result, errorResult, user]);
    expect(new Set(places)).toEqual(new Set(['words']));
  });

  const on: [string, keyof Capabilities][] = [
    ['compatible/unheard-of', 'vision'],
    ['compatible/unheard-of', 'nativePdf'],
    ['compatible/unheard-of', 'audioInput'],
    ['compatible/unheard-of', 'thinking'],
    ['ollama/unheard-of', 'vision'],
    ['ollama/unheard-of', 'thinking'],
    ['anthropic/unheard-of', 'vision'],
    ['anthropic/unheard-of', 'thinking'],
    ['openai/unheard-of', 'nativePdf'],
    ['gemini/gemini-2.5-pro', 'toolMedia'],
    ['ollama/llava', 'toolMedia'],
  ];

  test.each(on)('%s can be told that it has %s', (model, capability) => {
    expect(capabilitiesOf(profileFor(model))[capability]).toBe(false);
    expect(capabilitiesOf(profileFor(model, { capabilities: { [capability]: true } }))[capability]).toBe(true);
  });

  test.each(['anthropic/claude-sonnet-4-5', 'openai/gpt-5.2', 'gemini/gemini-3-pro-preview', 'ollama/qwen3-vl'])(
    'without media in results, %s gets none inside a failed one either',
    (model) => {
      const { media } = profileFor(model, { capabilities: { toolMedia: false } });
      expect([media.image.result, media.image.errorResult]).toEqual(['after', 'after']);
    },
  );

  test('media in results are never switched on where the API has no place for them', () => {
    const { media } = profileFor('openai-chat/gpt-4.1', { capabilities: { toolMedia: true } });
    expect([media.image.result, media.document.result]).toEqual(['after', 'after']);
  });

  test('a deployment is planned as the model it is said to be', () => {
    const profile = profileFor('azure/prod', { as: 'gpt-5.2' });
    expect([profile.id, profile.assumed]).toEqual(['prod', undefined]);
    expect(profile.media).toEqual(profileFor('azure/gpt-5.2').media);
    expect(profile.tokens).toEqual(profileFor('azure/gpt-5.2').tokens);
    expect(profileFor('azure/prod').assumed).toBe('gpt-4.1');
    expect(profileFor('azure/gpt-4o').assumed).toBeUndefined();
  });

  test('sizes can be set', () => {
    const profile = profileFor('ollama/llava', { contextTokens: 8192, maxOutputTokens: 100, imageDetail: 'low' });
    expect([profile.contextTokens, profile.maxOutputTokens, profile.defaultDetail]).toEqual([8192, 100, 'low']);
  });
});

describe('a name that cannot be used', () => {
  test.each([
    ['gpt-4.1', 'Did you mean openai/gpt-4.1?'],
    ['claude-sonnet-4-5', 'Did you mean anthropic/claude-sonnet-4-5?'],
    ['gemini-3-pro-preview', 'Did you mean gemini/gemini-3-pro-preview?'],
    ['unheard-of', 'has no endpoint'],
    ['/gpt-4.1', 'Did you mean openai/gpt-4.1? A model is written as endpoint/model.'],
    ['acme/unheard-of', 'unknown endpoint "acme"'],
    ['anthropc/claude-sonnet-4-5', 'Did you mean anthropic/claude-sonnet-4-5?'],
    ['toString/x', 'unknown endpoint'],
  ])('"%s" is answered with: %s', (model, answer) => {
    expect(() => profileFor(model)).toThrow(answer);
    expect(() => profileFor(model)).toThrow(/Did you mean|anthropic, openai, openai-chat, azure/);
  });

  test.each([
    ['openai/', 'has an endpoint and no name. Write one behind it: openai/'],
    ['', 'No model is named. Give one as endpoint/model, such as '],
  ])('"%s" lacks a part, and which one is said: %s', (model, answer) => {
    expect(() => profileFor(model)).toThrow(answer);
  });

  test('an endpoint may be written in capitals', () => {
    expect(profileFor('OpenAI/gpt-4.1').wire).toBe('openai-responses');
  });
});

test.each(Object.entries(usualModels))(
  'who has a key of %s and names no model asks %s: it sees, reads PDFs and has a price',
  (endpoint, id) => {
    const profile = profileFor(`${endpoint}/${id}`);
    expect(capabilitiesOf(profile)).toMatchObject({ vision: true, nativePdf: true });
    expect(profile.prices).toBeDefined();
    expect(profile.family).not.toBe(safeFamily.name);
  },
);
