// A profile as it is put together: from the rows of the catalog, and from what somebody states.
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/content/json.ts';
import { digest } from '../../src/content/text.ts';
import { carriersAt, endpoints, wires } from '../../src/window/catalog.ts';
import { capabilitiesOf, endpointAt, findFamily, profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { pricesOf } from '../../src/window/prices.ts';
import { unshown } from '../../src/window/rules.ts';

test('a profile holds what its wire, its endpoint and its family say, and nothing else', () => {
  const wire = wires['anthropic-messages'];
  const { insideAllowed: _image, ...image } = { ...wire.media.image, carriers: carriersAt('anthropic', 'image') };
  const { insideAllowed: _document, ...paper } = {
    ...wire.media.document,
    carriers: carriersAt('anthropic', 'document'),
  };
  const profile = profileFor('anthropic/claude-opus-5-5');
  expect(profile).toMatchObject({ media: { image, document: { ...paper, maxPages: 600 } } });
  const { media: _media, ...rest } = profile;
  expect(rest).toStrictEqual({
    model: 'anthropic/claude-opus-5-5',
    endpoint: 'anthropic',
    wire: 'anthropic-messages',
    id: 'claude-opus-5-5',
    family: 'claude-5-5',
    stated: digest('{}'),
    files: 'anthropic',
    details: [],
    defaultDetail: 'high',
    tokens: { ...wire.tokens, image: { by: 'patches', patch: 28, maxEdge: 2576, maxTokens: 4784 } },
    contextTokens: 1_000_000,
    maxOutputTokens: 16_000,
    requestBytes: wire.requestBytes,
    maxImages: 600,
    manyImages: wire.manyImages,
    largeEdge: 2576,
    prices: pricesOf('claude-opus-5-5'),
    callId: wire.callId,
    thinking: 'adaptive',
    thinkingOff: false,
    thinkingMax: true,
    xhighBelowMax: true,
    thinkingMedium: true,
    maxThinkingTokens: 32_768,
    boundThinking: true,
    thinkingOmitted: true,
    temperature: false,
    toolChoice: true,
    citations: true,
    strictThinking: true,
    userLast: true,
    errorFlag: true,
    interleaved: true,
    cache: 'marks',
    breakpoints: false,
    signedCalls: false,
    toolsNeedNoThinking: false,
    maxTokensField: 'max_completion_tokens',
    dialect: { toolName: false, bridge: false, streamUsage: true },
  });
});

const picked: [string, Partial<Profile>][] = [
  ['openai/gpt-6-astra', { breakpoints: true, toolsNeedNoThinking: false, tokenizer: 'o200k', cache: 'key', largeEdge: 6000, details: ['auto', 'low', 'high', 'original'] }],
  ['openai-chat/gpt-6-astra', { breakpoints: false, toolsNeedNoThinking: true }],
  ['openai/gpt-5.2', { details: ['auto', 'low', 'high'], breakpoints: false, toolsNeedNoThinking: false, temperature: false }],
  ['openai-chat/gpt-4.1', { toolsNeedNoThinking: false }],
  ['openai/gpt-4.1', { temperature: true, thinking: 'none', thinkingOff: true, contextTokens: 1_000_000 }],
  ['compatible/unheard-of', { family: 'unknown', contextTokens: 128_000, maxOutputTokens: 16_000, maxTokensField: 'max_tokens', citations: false, thinking: 'none', boundThinking: false, cache: 'none' }],
  ['azure/deployment', { family: 'gpt-4.1', assumed: 'gpt-4.1', id: 'deployment' }],
  ['mistral/pixtral-12b', { callId: { pattern: '^[a-zA-Z0-9]{9}$', max: 9 }, maxImages: 8, dialect: { toolName: true, bridge: true, streamUsage: false, documentUrl: true } }],
  ['groq/llama-4-scout', { maxImages: 5 }],
  ['bedrock-claude/claude-sonnet-5', { requestBytes: 20_971_520 }],
  ['bedrock/us.anthropic.claude-sonnet-4-5-v1:0', { cache: 'marks', files: 'bedrock' }],
  ['bedrock/us.amazon.nova-pro-v1:0', { cache: 'none', family: 'nova' }],
  ['bedrock/us.mistral.pixtral-large-2502-v1:0', { dialect: { toolName: false, bridge: true, streamUsage: true } }],
  ['gemini/gemini-3-pro-preview', { signedCalls: true, thinkingMedium: false, thinking: 'level', citations: false, interleaved: false }],
  ['gemini/gemini-2.5-flash', { maxThinkingTokens: 24_576, thinking: 'budget' }],
]; // prettier-ignore

test.each(picked)('%s', (model, expected) => {
  expect(profileFor(model)).toMatchObject(expected);
});

test('what nobody knows is left out', () => {
  for (const key of ['assumed', 'lowResolution', 'mostOutputTokens', 'tokenizer'])
    expect(profileFor('anthropic/claude-sonnet-4-5')).not.toHaveProperty(key);
  expect(profileFor('compatible/unheard-of')).not.toHaveProperty('prices');
  expect(profileFor('compatible/unheard-of')).not.toHaveProperty('files');
  expect(profileFor('openai/gpt-5.2')).not.toHaveProperty('manyImages');
  expect(profileFor('openai/gpt-5.2')).not.toHaveProperty('largeEdge');
  expect(profileFor('anthropic/claude-sonnet-4-5')).not.toHaveProperty('largeEdge');
  expect(profileFor('azure/gpt-4o')).not.toHaveProperty('assumed');
});

const medium = (model: string, capabilities: object, kind: 'image' | 'document' | 'audio' | 'video'): object =>
  profileFor(model, { capabilities }).media[kind];

const placesWith = (model: string, toolMedia: boolean): string[] => {
  const { image, document } = profileFor(model, { capabilities: { toolMedia } }).media;
  return [image.result, image.errorResult, document.result, document.errorResult];
};

const style = (model: string, thinking: boolean): string => profileFor(model, { capabilities: { thinking } }).thinking;

const cites = (model: string, citations?: boolean): boolean =>
  profileFor(model, { capabilities: { ...(citations !== undefined && { citations }) } }).citations;

describe('what is stated', () => {
  test('holds instead of what is known', () => {
    const prices = { input: 1, read: 1, write: 1, output: 1 };
    const stated = {
      contextTokens: 9,
      maxOutputTokens: 7,
      prices,
      dialect: { bridge: true },
      imageDetail: 'low',
    } as const;
    expect(profileFor('openai/gpt-4.1', stated)).toMatchObject({
      contextTokens: 9,
      maxOutputTokens: 7,
      mostOutputTokens: 7,
      prices,
      defaultDetail: 'low',
      dialect: { toolName: false, bridge: true, streamUsage: true },
      stated: digest(canonicalJson(stated)), // in which order does not count
    });
    expect(profileFor('openai/gpt-4.1', stated)).not.toHaveProperty('lowResolution');
  });

  test('a low detail is one of the whole request where there is no other way', () => {
    const usual = profileFor('gemini/gemini-3-pro-preview');
    const low = profileFor('gemini/gemini-3-pro-preview', { imageDetail: 'low' });
    expect(low).toMatchObject({ lowResolution: true, tokens: { page: 280, image: { tokens: 280 }, audioSecond: 32 } });
    expect(usual.tokens).toMatchObject({ page: 560, image: { tokens: 1120 } });
    expect(profileFor('gemini/gemini-3-pro-preview', { imageDetail: 'high' })).not.toHaveProperty('lowResolution');
  });

  test('another name gives the prices and the rules of that model', () => {
    const as = profileFor('azure/prod', { as: 'gpt-5.2' });
    expect(as).toMatchObject({ family: 'gpt-5.2', prices: pricesOf('gpt-5.2') });
    expect(as).not.toHaveProperty('assumed');
  });

  test('sight, documents, sound and film, on and off', () => {
    const { media } = wires['openai-chat'];
    expect(medium('compatible/unheard-of', { vision: true }, 'image')).toEqual(media.image);
    expect(medium('compatible/unheard-of', { nativePdf: true }, 'document')).toEqual(media.document);
    expect(medium('compatible/unheard-of', { audioInput: true }, 'audio')).toEqual(media.audio);
    const film = { ...wires.gemini.media.video, carriers: profileFor('gemini/gemini-2.5-pro').media.video.carriers };
    expect(medium('gemini/gemma-3-27b', { videoInput: true }, 'video')).toEqual(film);
    const { carriers } = profileFor('mistral/pixtral-large-latest').media.image;
    expect(carriers).toHaveProperty('url');
    expect(medium('mistral/unheard-of', { vision: true }, 'image')).toMatchObject({ carriers });
    const known = profileFor('openai/gpt-4.1').media.image;
    expect(medium('openai/gpt-4.1', { vision: true }, 'image')).toEqual(known);
    expect(medium('openai/gpt-4.1', { vision: false }, 'image')).toEqual(unshown(known));
    expect(medium('openai/gpt-4.1', {}, 'image')).toEqual(known);
  });

  test('media in results, as far as the API has a place for them', () => {
    expect(placesWith('anthropic/claude-sonnet-4-5', true)).toEqual(['inside', 'after', 'inside', 'after']);
    expect(placesWith('anthropic/claude-sonnet-4-5', false)).toEqual(['after', 'after', 'after', 'after']);
    expect(placesWith('openai/gpt-5.2', true)).toEqual(['inside', 'inside', 'inside', 'inside']);
    expect(placesWith('openai-chat/gpt-4.1', true)).toEqual(['after', 'after', 'after', 'after']);
    expect(placesWith('ollama/llava', true)).toEqual(['inside', 'after', 'words', 'words']);
    const { carriers } = profileFor('anthropic/claude-sonnet-4-5', { capabilities: { toolMedia: false } }).media.image;
    expect(carriers).toEqual({ url: { result: 'after', user: 'inside' }, file: { result: 'after', user: 'inside' } });
    expect(profileFor('compatible/unheard-of', { capabilities: { toolMedia: true } }).media.image.result).toBe('words');
  });

  test('thinking and citations, as the wire does them', () => {
    expect(style('anthropic/claude-3-5-haiku', true)).toBe('adaptive');
    expect(style('anthropic/claude-sonnet-4-5', true)).toBe('budget');
    expect(style('anthropic/claude-sonnet-4-5', false)).toBe('none');
    expect(style('ollama/unheard-of', true)).toBe('switch');
    expect([cites('anthropic/claude-sonnet-5'), cites('anthropic/claude-sonnet-5', false)]).toEqual([true, false]);
    expect([cites('anthropic/unheard-of'), cites('anthropic/unheard-of', true)]).toEqual([false, true]);
    expect(cites('openai/gpt-5.2', true)).toBe(false);
  });
});

const places = (model: string, kind: 'image' | 'document' | 'audio' | 'video'): string[] => {
  const { result, errorResult, user } = profileFor(model).media[kind];
  return [result, errorResult, user];
};

const paper = (model: string): object => profileFor(model).media.document;

describe('media', () => {
  test('stand where the family and the wire both have a place for them', () => {
    expect(places('gemini/gemini-2.5-pro', 'image')).toEqual(['after', 'after', 'inside']);
    expect(places('gemini/gemini-3-pro-preview', 'image')).toEqual(['inside', 'inside', 'inside']);
    expect(places('ollama/qwen3-vl', 'image')).toEqual(['inside', 'after', 'inside']);
    expect(places('ollama/llava', 'image')).toEqual(['after', 'after', 'inside']);
    expect(places('ollama/llama3.1', 'image')).toEqual(['words', 'words', 'words']);
    expect(places('anthropic/claude-sonnet-5', 'audio')).toEqual(['words', 'words', 'words']);
    expect(places('openai-chat/gpt-4o-audio-preview', 'audio')).toEqual(['after', 'after', 'inside']);
    expect(places('bedrock/us.meta.llama4-maverick-v1:0', 'document')[0]).toBe('inside');
    expect(places('bedrock/us.meta.llama4-maverick-v1:0', 'image')).toEqual(['inside', 'after', 'inside']);
    expect(places('bedrock/us.anthropic.claude-sonnet-4-6', 'image')).toEqual(['inside', 'after', 'inside']);
    expect(places('bedrock/us.amazon.nova-2-lite-v1:0', 'image')).toEqual(['inside', 'after', 'inside']);
    expect(places('mistral/unheard-of', 'document')).toEqual(['after', 'after', 'inside']);
  });

  test.each([
    'us.openai.gpt-5.6-sol',
    'global.openai.gpt-6-astra',
    'us.mistral.pixtral-large-2502-v1:0',
    'qwen.qwen3-vl-235b-a22b',
    'google.gemma-3-27b-it',
    'moonshotai.kimi-k2.5',
    'xai.grok-4',
  ])('on Bedrock %s sees pictures beside results, and none in them', (id) => {
    expect(places(`bedrock/${id}`, 'image')).toEqual(['after', 'after', 'inside']);
  });

  test('that somebody says an unknown model of Bedrock sees follow its results', () => {
    const { image } = profileFor('bedrock/nobody.knows-it', { capabilities: { vision: true } }).media;
    expect([image.result, image.errorResult, image.user]).toEqual(['after', 'after', 'inside']);
    const asked = profileFor('bedrock/nobody.knows-it', { capabilities: { vision: true, toolMedia: true } }).media;
    expect(asked.image.result).toBe('inside');
  });

  test('are bounded by the endpoint, and read in the types of the family', () => {
    expect(profileFor('vertex-claude/claude-sonnet-5').media.image.maxBase64).toBe(5_242_880);
    expect(profileFor('anthropic/claude-sonnet-5').media.image.maxBase64).toBe(10_485_760);
    expect(profileFor('xai/grok-4').media.image.types).toEqual(['image/png', 'image/jpeg']);
  });

  test('go by reference alone where an endpoint takes no files', () => {
    expect(paper('xai/grok-4')).toMatchObject({
      types: [],
      result: 'words',
      carriers: { file: { result: 'after', user: 'inside' } },
    });
    expect(paper('xai/unheard-of')).toMatchObject({ types: [], carriers: {} });
    expect(paper('azure-chat/gpt-4.1')).toMatchObject({ types: [], carriers: {} });
    expect(profileFor('openai-chat/gpt-4.1').media.image.carriers).toEqual({
      url: { result: 'after', user: 'inside' },
    });
    expect(profileFor('gemini/gemini-2.5-pro').media.image.carriers).toEqual({
      file: { result: 'after', user: 'inside' },
    });
    expect(profileFor('gemini/gemini-3-pro-preview').media.image.carriers).toEqual({
      file: { result: 'after', user: 'inside' },
    });
    expect(profileFor('vertex/gemini-2.5-pro').media.image.carriers).toEqual({
      file: { result: 'after', user: 'inside' },
    });
    expect(profileFor('vertex/gemini-3-pro-preview').media.image.carriers).toEqual({
      file: { result: 'inside', user: 'inside' },
    });
  });
});

test.each([
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-4'],
  ['anthropic.claude-sonnet-4-5-v1:0', 'claude-4'],
  ['global.anthropic.claude-opus-4-6-v1', 'claude-4-6'],
  ['openrouter/Anthropic/Claude-Sonnet-4.6', 'claude-4-6'],
  ['claude-opus-4-6@20260210', 'claude-4-6'],
  ['claude-sonnet-4-20250514', 'claude-4'],
  ['claude-sonnet-4-20250514-v1:0', 'claude-4'],
  ['gpt-5-2025-08-07', undefined],
  ['xx.gpt-5', undefined],
])('%s is of the family %s on the wire of Claude', (id, family) => {
  expect(findFamily(id, 'anthropic-messages')?.name).toBe(id.includes('gpt-5-') ? 'gpt-5' : family);
});

test('a family that is of some wires is found there alone', () => {
  expect(findFamily('nova-lite', 'bedrock-converse')?.name).toBe('nova');
  expect(findFamily('nova-lite', 'openai-chat')).toBeUndefined();
  expect(findFamily('', 'openai-chat')).toBeUndefined();
  expect(findFamily('ft:gpt-4o-2024-08-06:acme::AbC1', 'openai-responses')?.name).toBe('gpt-4o');
  expect(findFamily('ft:o4-mini-2025-04-16:acme::x', 'openai-responses')?.name).toBe(
    findFamily('o4-mini', 'openai-responses')?.name,
  );
});

test.each([
  ['https://api.openai.com/v1/chat/completions', 'openai-chat', 'gpt-4.1', 'openai-chat'],
  ['https://x.openai.azure.com/openai/deployments/d/chat/completions', 'openai-chat', 'd', 'azure-chat'],
  ['https://proxy.example/deployments/d/chat/completions', 'openai-chat', 'd', 'azure-chat'],
  ['https://azure.com/v1', 'openai-chat', 'd', 'azure-chat'],
  ['https://notazure.com/v1', 'openai-chat', 'd', 'compatible'],
  ['https://proxy.example/v1/chat/completions', 'openai-chat', 'gpt-4.1', 'openai-chat'],
  ['https://proxy.example/v1/chat/completions', 'openai-chat', 'unheard-of', 'compatible'],
  ['https://proxy.example/v1/messages', 'anthropic-messages', 'unheard-of', 'anthropic'],
  ['https://aiplatform.googleapis.com/v1/x', 'anthropic-messages', 'claude-sonnet-5', 'vertex-claude'],
  ['https://us-east5-aiplatform.googleapis.com/v1/x', 'anthropic-messages', 'claude-sonnet-5', 'vertex-claude'],
  ['https://us.aiplatform.googleapis.com/v1/x', 'gemini', 'gemini-3-pro', 'vertex'],
  ['https://proxy.example/api/chat', 'ollama', 'x', 'ollama'],
  ['https://api.x.ai/v1/responses', 'openai-responses', 'grok-4', 'xai'],
  ['https://proxy.example/v1/responses', 'openai-responses', 'grok-4', 'xai'],
] as const)('%s on the wire %s with %s is %s', (url, wire, model, endpoint) => {
  expect(endpointAt(new URL(url), wire, model)).toBe(endpoint);
});

const known = (): string => Object.keys(endpoints).join(', ');

describe('a name that cannot be used is answered in a whole sentence', () => {
  test.each<[string, () => string]>([
    ['', () => 'No model is named. Give one as endpoint/model, such as anthropic/claude-sonnet-5.'],
    ['gpt-4.1', () => `The model "gpt-4.1" has no endpoint. Did you mean openai/gpt-4.1? A model is written as endpoint/model.`],
    ['/gpt-4.1', () => `The model "/gpt-4.1" has no endpoint. Did you mean openai/gpt-4.1? A model is written as endpoint/model.`],
    ['Acme/gpt-4.1', () => `The model "Acme/gpt-4.1" has an unknown endpoint "acme". Did you mean openai/gpt-4.1? A model is written as endpoint/model.`],
    ['acme/x', () => `The model "acme/x" has an unknown endpoint "acme". A model is written as endpoint/model, with one of these endpoints: ${known()}.`],
    ['openai/', () => 'The model "openai/" has an endpoint and no name. Write one behind it: openai/gpt-5.2.'],
    ['vllm/', () => 'The model "vllm/" has an endpoint and no name. Write one behind it: vllm/NAME.'],
  ])('%j', (model, sentence) => {
    let error: unknown;
    try {
      profileFor(model);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'config', message: sentence() });
  }); // prettier-ignore

  test('as is one that is no name at all, or a profile that is none', () => {
    expect(() => profileFor(7 as unknown as string)).toThrow('No model is named.');
    expect(() => capabilitiesOf('x' as unknown as Profile)).toThrow(expect.objectContaining({ code: 'input' }));
    expect(() => capabilitiesOf('openai/gpt-5.2' as unknown as Profile)).toThrow(
      "capabilitiesOf takes a profile: capabilitiesOf(profileFor('openai/gpt-5.2')).",
    );
  });
});

test('what a profile amounts to', () => {
  expect(capabilitiesOf(profileFor('gemini/gemini-3-pro-preview'))).toEqual({
    vision: true,
    nativePdf: true,
    thinking: true,
    audioInput: true,
    videoInput: true,
    citations: false,
    toolMedia: true,
  });
  expect(capabilitiesOf(profileFor('anthropic/claude-3-haiku'))).toMatchObject({ thinking: false, citations: true });
});
