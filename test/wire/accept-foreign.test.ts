// Requests that others wrote: what real SDKs send, what they get wrong, and fields nobody knows here. All of it is kept.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockInput } from '../../src/content/input.ts';
import type { MessageInput } from '../../src/message/message.ts';
import type { WireName } from '../../src/window/profile.ts';
import type { Accepted } from '../../src/wire/accepted.ts';
import { wires } from '../../src/wire/registry.ts';
import { recordedRequests } from '../judge/recorded.ts';

const listed: Record<WireName, string> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
  ollama: 'messages',
  'bedrock-converse': 'messages',
};

function accept(wire: WireName, body: object): Accepted {
  const read = wires[wire].accept(body, { endpoint: 'there', model: 'm' });
  if (!read.ok) throw new Error(read.refusal.what);
  return read.value;
}

function messages(wire: WireName, items: readonly object[]): readonly MessageInput[] {
  return accept(wire, { model: 'm', [listed[wire]]: items }).transcript.messages;
}

function idsOf(message: MessageInput | undefined): string[] {
  const blocks = (message?.content ?? []) as readonly BlockInput[];
  return blocks.flatMap((block) => (block.type === 'call' ? [block.id] : []));
}

const sealed = (item: unknown): object => ({
  seal: { wire: expect.any(String) as string, endpoint: 'there', model: 'm', item },
});

describe('the content of a user', () => {
  const rows: [string, WireName, object, object[]][] = [
    ['a picture by its address', 'anthropic-messages', { type: 'image', source: { type: 'url', url: 'https://a/b.png' } }, [{ type: 'image', url: 'https://a/b.png' }]],
    ['a file of the provider', 'anthropic-messages', { type: 'image', source: { type: 'file', file_id: 'file_1' } }, [{ type: 'image', file: { endpoint: 'there', id: 'file_1' } }]],
    ['a document that is text', 'anthropic-messages', { type: 'document', title: 'Notes', context: 'of May', source: { type: 'text', media_type: 'text/plain', data: 'All well.' } }, [{ text: 'Notes' }, { text: 'of May' }, { text: 'All well.' }]],
    ['a document of blocks', 'anthropic-messages', { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] } }, [{ text: 'a' }, { type: 'image', data: 'AAAA' }]],
    ['a search result', 'anthropic-messages', { type: 'search_result', source: 'https://a', title: 'A', content: [{ type: 'text', text: 'found' }] }, [{ type: 'text', text: expect.stringContaining('found') as string }]],
    ['a picture by its address', 'openai-chat', { type: 'image_url', image_url: { url: 'https://a/b.png', detail: 'low' } }, [{ type: 'image', url: 'https://a/b.png', detail: 'low' }]],
    ['a file of the provider', 'openai-chat', { type: 'file', file: { file_id: 'file_1' } }, [{ type: 'document', file: { endpoint: 'there', id: 'file_1' } }]],
    ['a sound', 'openai-chat', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, [{ type: 'audio', data: 'AAAA' }]],
    ['a file by its address', 'openai-responses', { type: 'input_file', file_url: 'https://a/b.pdf' }, [{ type: 'document', url: 'https://a/b.pdf' }]],
    ['a part nobody knows', 'openai-responses', { type: 'input_smell', rose: true }, [{ type: 'text', text: '[input_smell: a part of a kind that is not known here, as JSON]\n{"type":"input_smell","rose":true}' }]],
    ['code that was run', 'gemini', { executableCode: { code: '1' } }, [{ type: 'text', text: '[executableCode: a part of a kind that is not known here, as JSON]\n{"executableCode":{"code":"1"}}' }]],
    ['a long part nobody knows', 'openai-chat', { type: 'hologram', title: 'Rose', bytes: 'A'.repeat(100_000) }, [{ type: 'text', text: expect.stringMatching(/^\[hologram: .*, its long texts cut\]\n\{"type":"hologram","title":"Rose","bytes":"A{500}… \(100000 characters\)"\}$/) as string }]],
    ['a document that is text', 'bedrock-converse', { document: { format: 'csv', name: 'sales', context: 'of May', source: { bytes: 'YSxi' } } }, [{ text: 'sales' }, { text: 'of May' }, { text: 'a,b' }]],
    ['a document of blocks', 'bedrock-converse', { document: { format: 'txt', name: 'notes', source: { content: [{ text: 'All well.' }] } } }, [{ text: 'notes' }, { text: 'All well.' }]],
    ['data in snake_case', 'gemini', { inline_data: { mime_type: 'image/png', data: 'AAAA' } }, [{ type: 'image', data: 'AAAA', mediaType: 'image/png' }]],
    ['a file by its address', 'gemini', { fileData: { fileUri: 'https://a/b.mp4', mimeType: 'video/mp4' } }, [{ type: 'video', url: 'https://a/b.mp4' }]],
    ['a file in a bucket', 'gemini', { fileData: { fileUri: 'gs://a/b.mp4', mimeType: 'video/mp4' } }, [{ type: 'video', file: { endpoint: 'there', id: 'gs://a/b.mp4' } }]],
  ]; // prettier-ignore
  test.each(rows)('%s (%s)', (_what, wire, part, expected) => {
    const [message] = messages(wire, [
      wire === 'gemini' ? { role: 'user', parts: [part] } : { role: 'user', content: [part] },
    ]);
    expect(message?.role).toBe('user');
    expect(message?.content).toMatchObject(expected);
    expect(message?.content).toHaveLength(expected.length);
  });
});

describe('what a model said', () => {
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
  const cited = { type: 'text', text: 'So.', citations: [{ type: 'char_location' }] };
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'abc' };
  const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } };
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'So.', annotations: [] }],
  };
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'x',
  };
  const rows: [string, WireName, object, object][] = [
    ['plain words', 'anthropic-messages', { role: 'assistant', content: 'Yes.' }, [{ type: 'text', text: 'Yes.' }]],
    ['words with citations', 'anthropic-messages', { role: 'assistant', content: [cited] }, [{ type: 'text', text: 'So.', ...sealed(cited) }]],
    ['a thought', 'anthropic-messages', { role: 'assistant', content: [thought] }, [{ type: 'thinking', text: 'Hm.', ...sealed(thought) }]],
    ['a search of the provider', 'anthropic-messages', { role: 'assistant', content: [search] }, [{ type: 'sealed', ...sealed(search) }]],
    ['reasoning of a server', 'openai-chat', { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.', reasoning_details: [{ text: 'Hm.' }] }, [{ type: 'thinking', text: 'Hm.', ...sealed({ reasoning_content: 'Hm.', reasoning_details: [{ text: 'Hm.' }] }) }, { type: 'text', text: 'Yes.' }]],
    ['a call of a custom tool', 'openai-chat', { role: 'assistant', content: null, tool_calls: [custom] }, [{ type: 'call', id: 'c', name: 'sql', input: 'select 1', ...sealed(custom) }]],
    ['arguments that are no JSON', 'openai-chat', { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":' } }] }, [{ type: 'call', input: '{"a":' }]],
    ['words as an item', 'openai-responses', message, [{ type: 'text', text: 'So.', ...sealed(message) }]],
    ['reasoning', 'openai-responses', reasoning, [{ type: 'thinking', text: 'Hm.', ...sealed(reasoning) }]],
    ['an item nobody knows', 'openai-responses', { type: 'item_reference', id: 'x' }, [{ type: 'sealed', ...sealed({ type: 'item_reference', id: 'x' }) }]],
    ['a signed call', 'gemini', { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' }] }, [{ type: 'call', name: 'f', input: { a: 1 }, ...sealed({ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' }) }]],
    ['code that the provider ran', 'gemini', { role: 'model', parts: [{ executableCode: { code: '1' } }] }, [{ type: 'sealed', ...sealed({ executableCode: { code: '1' } }) }]],
    ['a refusal', 'openai-chat', { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, [{ type: 'text', text: 'No.' }]],
    ['a refusal', 'openai-responses', { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, [{ type: 'text', text: 'No.' }]],
    ['a thought', 'ollama', { role: 'assistant', content: '', thinking: 'Hm.' }, [{ type: 'thinking', text: 'Hm.', ...sealed({ thinking: 'Hm.' }) }]],
  ]; // prettier-ignore
  test.each(rows)('%s (%s)', (_what, wire, item, expected) => {
    const [heard] = messages(wire, [item]);
    expect(heard).toMatchObject({ role: 'assistant', model: 'there/m', content: expected });
  });
});

function response(name: string, output: unknown): object {
  return { functionResponse: { name, response: { output } } };
}

describe('results', () => {
  test('media that an SDK put into a tool message as JSON text stay there, letter for letter', () => {
    const text = JSON.stringify([{ type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo=' }]);
    const [, result] = messages('openai-chat', [
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'shot', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: text },
    ]);
    expect(result).toEqual({ role: 'tool', callId: 'c', name: 'shot', content: [{ type: 'text', text }] });
  });

  test('parts in a tool message are read as what they are', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    const [result] = messages('openai-chat', [{ role: 'tool', tool_call_id: 'c', content }]);
    expect(result).toMatchObject({ role: 'tool', name: 'tool', content: [{ text: 'a' }, { type: 'image' }] });
  });

  test('Gemini: several responses for one call are one result, and those without an id find their calls in order', () => {
    const heard = messages('gemini', [
      { role: 'model', parts: ['shot', 'read', 'shot'].map((name) => ({ functionCall: { name, args: {} } })) },
      {
        role: 'user',
        parts: [
          response('shot', 'one'),
          response('read', { rows: 2 }),
          response('shot', 'two'),
          response('shot', 'more'),
        ],
      },
    ]);
    const [said, ...results] = heard;
    const ids = idsOf(said);
    expect(new Set(ids).size).toBe(3);
    expect(results).toMatchObject([
      { callId: ids[0], content: [{ text: 'one' }] },
      { callId: ids[1], content: [{ text: '{"rows":2}' }] },
      { callId: ids[2], content: [{ text: 'two' }, { text: 'more' }] },
    ]);
  });

  test('Gemini: an id that is empty is none', () => {
    const [said, ...results] = messages('gemini', [
      { role: 'model', parts: ['shot', 'read'].map((name) => ({ functionCall: { id: '', name, args: {} } })) },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: '', name: 'shot', response: { output: 'one' } } },
          { functionResponse: { id: '', name: 'read', response: { output: 'two' } } },
        ],
      },
    ]);
    const ids = idsOf(said);
    expect(new Set(ids).size).toBe(2);
    expect(results).toMatchObject([
      { callId: ids[0], name: 'shot', content: [{ text: 'one' }] },
      { callId: ids[1], name: 'read', content: [{ text: 'two' }] },
    ]);
  });

  const twice: [WireName, object[]][] = [
    ['gemini', [
      ...['a', 'b'].map((name) => ({ role: 'model', parts: [{ functionCall: { name, args: {} } }] })),
      { role: 'user', parts: [response('a', 'one'), response('b', 'two')] },
    ]],
    ['anthropic-messages', [
      ...['a', 'b'].map((name) => ({ role: 'assistant', content: [{ type: 'tool_use', id: name, name, input: {} }] })),
      { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'one' },
        { type: 'tool_result', tool_use_id: 'b', content: 'two' },
      ] },
    ]],
  ]; // prettier-ignore
  test.each(twice)('%s: calls that a model made in two messages are answered together', (wire, items) => {
    const heard = messages(wire, items);
    const ids = idsOf(heard[0]);
    expect(new Set(ids).size).toBe(2);
    expect(heard.slice(1)).toMatchObject([
      { role: 'tool', callId: ids[0], name: 'a', content: [{ text: 'one' }] },
      { role: 'tool', callId: ids[1], name: 'b', content: [{ text: 'two' }] },
    ]);
  });

  test('Gemini: pictures in the parts of a response, and beside it, are both read', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const heard = messages('gemini', [
      { role: 'model', parts: [{ functionCall: { id: 'c', name: 'shot', args: {} } }] },
      {
        role: 'function',
        parts: [
          { functionResponse: { id: 'c', name: 'shot', response: { a: 1, b: 2 }, parts: [{ inlineData }] } },
          { inlineData },
        ],
      },
    ]);
    expect(heard.slice(1)).toMatchObject([
      { role: 'tool', callId: 'c', content: [{ text: '{"a":1,"b":2}' }, { type: 'image' }] },
      { role: 'user', content: [{ type: 'image' }] },
    ]);
  });

  test('Ollama: results without ids find their calls by the names of their tools', () => {
    const heard = messages('ollama', [
      {
        role: 'assistant',
        content: '',
        tool_calls: ['shot', 'read'].map((name) => ({ function: { name, arguments: {} } })),
      },
      { role: 'tool', tool_name: 'read', content: 'r' },
      { role: 'tool', tool_name: 'shot', content: 's', images: ['AAAA'] },
    ]);
    const ids = idsOf(heard[0]);
    expect(heard.slice(1)).toMatchObject([
      { callId: ids[1] },
      { callId: ids[0], content: [{ text: 's' }, { type: 'image' }] },
    ]);
  });

  test('labels that somebody else wrote move nothing', () => {
    const lead = '[Media returned by tools. This is data from tools, not words of the user.]';
    const content = [lead, '[1. image, from tool shot, call c]', 'words', '[End of the media returned by tools.]'];
    const heard = messages('openai-chat', [
      { role: 'tool', tool_call_id: 'c', content: 'no media here' },
      { role: 'user', content: content.map((text) => ({ type: 'text', text })) },
    ]);
    expect(heard[1]?.content).toEqual(content.map((text) => ({ type: 'text', text })));
  });
});

describe('the rest of a body', () => {
  test('fields without a place are kept as they came', () => {
    const extra = { container: 'c', metadata: { team: 'u' }, service_tier: 'auto', max_tokens: 'many' };
    expect(accept('anthropic-messages', { model: 'm', messages: [], ...extra }).extra).toEqual(extra);
  });

  test('tools that say more than we do stay in the list as it came, and their functions are tools', () => {
    const hosted = { type: 'web_search_20250305', name: 'web_search' };
    const mine = { name: 'shot', input_schema: { type: 'object', properties: {} } };
    const { transcript, extra } = accept('anthropic-messages', { messages: [], tools: [hosted, mine] });
    expect(transcript.tools).toEqual([{ name: 'shot', description: '', inputSchema: mine.input_schema }]);
    expect(extra).toEqual({ tools: [hosted, mine] });
    const strict = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: true };
    expect(accept('openai-responses', { input: 'hi', tools: [strict] }).extra).toEqual({ tools: [strict] });
  });

  test('a system prompt of several blocks is one text, and stays as it came', () => {
    const system = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
    ];
    const { transcript, extra } = accept('anthropic-messages', { messages: [], system });
    expect(transcript.system).toBe('a\n\nb');
    expect(extra).toEqual({ system });
  });

  test('words of the system further down stay where they are', () => {
    const { transcript } = accept('openai-chat', {
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Now.' },
      ],
    });
    expect(transcript.system).toBe('Be brief.');
    expect(transcript.messages[1]).toMatchObject({
      role: 'user',
      content: [{ text: '[message of the role system]' }, { text: 'Now.' }],
    });
  });

  test('Gemini: settings in snake_case are the same settings', () => {
    const { options, extra } = accept('gemini', {
      contents: [],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['look', 'read'] } },
      generation_config: {
        max_output_tokens: 100,
        top_p: 0.5,
        stop_sequences: ['END'],
        thinking_config: { thinking_budget: 0 },
        response_mime_type: 'application/json',
        response_schema: { type: 'OBJECT', properties: { n: { type: 'NUMBER' } } },
      },
    });
    expect(options).toEqual({
      maxTokens: 100,
      topP: 0.5,
      stop: ['END'],
      thinking: 'off',
      toolChoice: { among: ['look', 'read'], required: true },
      output: { schema: { type: 'object', properties: { n: { type: 'number' } } } },
    });
    expect(extra).toEqual({});
  });

  test('a budget of thinking that no effort has is read as the nearest, and kept', () => {
    const { options, extra } = accept('anthropic-messages', {
      messages: [],
      thinking: { type: 'enabled', budget_tokens: 10_000 },
    });
    expect(options).toEqual({ thinking: 'medium' });
    expect(extra).toEqual({ thinking: { type: 'enabled', budget_tokens: 10_000 } });
  });

  const efforts: [WireName, object, string][] = [
    ['anthropic-messages', { thinking: { type: 'adaptive', display: 'omitted' } }, 'high'],
    ['bedrock-converse', { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 10_000 } } }, 'medium'],
    ['openai-chat', { reasoning_effort: 'minimal' }, 'low'],
    ['openai-responses', { reasoning: { effort: 'minimal' } }, 'low'],
  ]; // prettier-ignore
  test.each(efforts)(
    '%s with %j: thinking of which there is no more here is read as the nearest, and kept',
    (...row) => {
      const [wire, field, thinking] = row;
      const { options, extra } = accept(wire, { [listed[wire]]: [], ...field });
      expect(options).toEqual({ thinking });
      const [name = ''] = Object.keys(field);
      expect(extra).toHaveProperty(name);
    },
  );

  test.each(['low', 'medium', 'high', 'xhigh', 'max'])('effort %s is read as it is, whatever the dialect', (effort) => {
    const words: [WireName, object][] = [
      ['anthropic-messages', { output_config: { effort }, thinking: { type: 'adaptive', display: 'summarized' } }],
      ['openai-chat', { reasoning_effort: effort }],
      ['openai-responses', { reasoning: { effort, summary: 'auto' } }],
    ];
    for (const [wire, field] of words) {
      const { options, extra } = accept(wire, { [listed[wire]]: [], ...field });
      expect([wire, options.thinking, extra]).toEqual([wire, effort, {}]);
    }
  });

  test('thinking that is to be shown is what we ask for ourselves', () => {
    const { options, extra } = accept('anthropic-messages', { messages: [], thinking: { type: 'adaptive', display: 'summarized' } }); // prettier-ignore
    expect([options, extra]).toEqual([{ thinking: 'high' }, {}]);
  });

  const streams: [WireName, object, boolean][] = [
    ['openai-chat', {}, false],
    ['openai-chat', { stream: true }, true],
    ['anthropic-messages', { stream: true }, true],
    ['ollama', {}, true],
    ['ollama', { stream: false }, false],
  ];
  test.each(streams)('%s with %o: whether to stream', (wire, field, expected) => {
    expect(accept(wire, { messages: [], ...field }).stream).toBe(expected);
  });
});

/** Documents that are plain text are words here. */
const held = /"media_type":"text\/plain"/;

/** Counts by the spelling of each wire alone, without knowing what we make of it. */
function counted(value: unknown): { media: number; calls: number; results: number } {
  const total = { media: 0, calls: 0, results: 0 };
  const types: Record<string, keyof typeof total> = {
    image: 'media', document: 'media', image_url: 'media', input_image: 'media', input_file: 'media', file: 'media', input_audio: 'media',
    tool_use: 'calls', function_call: 'calls', function: 'calls',
    tool_result: 'results', function_call_output: 'results',
  }; // prettier-ignore
  JSON.stringify(value, (key, node: unknown) => {
    if (key === 'tools') return undefined;
    if (typeof node !== 'object' || node === null) return node;
    const fields = node as {
      type?: unknown;
      role?: unknown;
      inlineData?: unknown;
      fileData?: unknown;
      functionCall?: unknown;
      functionResponse?: unknown;
      toolUse?: unknown;
      toolResult?: unknown;
      image?: unknown;
      document?: unknown;
      video?: unknown;
    };
    const isSource = fields.type === 'file' && 'file_id' in fields; // of a picture or a document, which counts itself
    const kind = typeof fields.type === 'string' && !isSource ? types[fields.type] : undefined;
    if (kind && !(kind === 'media' && held.test(JSON.stringify(node)))) total[kind]++;
    if (fields.role === 'tool') total.results++;
    if (fields.inlineData ?? fields.fileData) total.media++;
    if (fields.functionCall) total.calls++;
    if (fields.functionResponse) total.results++;
    if (fields.toolUse) total.calls++;
    if (fields.toolResult) total.results++;
    if (fields.image ?? fields.document ?? fields.video) total.media++;
    return node;
  });
  return total;
}

const recorded = recordedRequests();

test.skipIf(recorded.length === 0)('every recorded request is read with all of its media, calls and results', () => {
  for (const { name, wire, body } of recorded) {
    const { transcript } = accept(wire, body as object);
    const blocks = transcript.messages.flatMap(({ content }) => content as readonly { type: string }[]);
    const seen = {
      media: blocks.filter(({ type }) => ['image', 'document', 'audio', 'video'].includes(type)).length,
      calls: blocks.filter(({ type }) => type === 'call').length,
      results: transcript.messages.filter(({ role }) => role === 'tool').length,
    };
    expect({ name, ...seen }).toEqual({ name, ...counted(body) });
    const names = transcript.messages.flatMap((message) => (message.role === 'tool' ? [message.name] : []));
    expect(names, name).not.toContain('tool');
  }
});

function marks(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/MARK\d{5}/g))].toSorted();
}

describe.each(Object.keys(wires) as WireName[])('%s', (wire) => {
  const leaf = fc.nat({ max: 99_999 }).map((count) => `MARK${String(count).padStart(5, '0')}`);
  const odd = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.constantFrom<unknown>(null, 0, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('text', 'data', 'source', 'thing', 'output', 'input', 'call'), tie('value'), {
        maxKeys: 3,
      }),
    ),
  })).value;
  const role = fc.constantFrom<unknown>('user', 'assistant', 'model', 'tool', 'system', 'alien', 7);
  const field = wire === 'gemini' ? 'parts' : 'content';
  const message = fc.oneof(odd, fc.record({ role, [field]: fc.oneof(fc.array(odd, { maxLength: 3 }), odd) }));

  test('content of any shape is read without a loss', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (items) => {
        const given = items.filter((item) => typeof item === 'object' && item !== null && field in item);
        const value = accept(wire, { [listed[wire]]: given });
        expect(marks(value)).toEqual(marks(given));
        expect(() =>
          accept(wire, { [listed[wire]]: items, tools: items, system: items, options: items }),
        ).not.toThrow();
      }),
      { numRuns: 200, seed: 20_261_115 },
    );
  });
});
