// One good body per wire, with every kind of medium the wire takes.
// The shapes follow the providers' documentation by hand; nothing here comes from our own encoders.

import type { JsonObject } from './json.ts';
import type { WireName } from './wire-name.ts';

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pdf: string = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
).toString('base64');
export const wav: string = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1').toString('base64');

const parameters: JsonObject = {
  type: 'object',
  properties: { page: { type: 'integer', description: 'Which page.' } },
  required: ['page'],
};

export const sampleBody: Record<WireName, JsonObject> = {
  'anthropic-messages': {
    model: 'claude-opus-5-5',
    max_tokens: 1024,
    stream: true,
    system: [{ type: 'text', text: 'You read documents.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
    tools: [{ name: 'read', description: 'Reads a page.', input_schema: parameters }],
    tool_choice: { type: 'auto' },
    thinking: { type: 'adaptive' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is on page 1?' },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I need the page.', signature: 'EqQBCgIYAhIM'.repeat(40) },
          { type: 'text', text: 'I will look.' },
          { type: 'tool_use', id: 'toolu_01', name: 'read', input: { page: 1 } },
          { type: 'tool_use', id: 'toolu_02', name: 'read', input: { page: 9 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_01',
            is_error: false,
            content: [
              { type: 'text', text: 'page 1 rendered' },
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: png },
                transformations: { oversized_image: 'error' },
              },
              { type: 'image', source: { type: 'file', file_id: 'file_01' } },
              {
                type: 'document',
                title: 'spec.pdf',
                context: 'the specification',
                citations: { enabled: true },
                source: { type: 'base64', media_type: 'application/pdf', data: pdf },
              },
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'converted text' } },
              {
                type: 'search_result',
                source: 'https://example.com',
                title: 'A page',
                content: [{ type: 'text', text: 'Found.' }],
              },
            ],
          },
          { type: 'tool_result', tool_use_id: 'toolu_02', is_error: true, content: 'There is no page 9.' },
          { type: 'text', text: 'Please go on.' },
        ],
      },
    ],
  },
  'openai-chat': {
    model: 'gpt-5.5',
    max_completion_tokens: 1024,
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'read', description: 'Reads a page.', parameters } }],
    tool_choice: 'auto',
    messages: [
      { role: 'system', content: 'You read documents.' },
      { role: 'user', content: [{ type: 'text', text: 'What is on page 1?' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"page":1}' } },
          { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{"page":9}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [{ type: 'text', text: 'Rendered; image 1 follows in the next user message.' }],
      },
      { role: 'tool', tool_call_id: 'call_2', content: '{"error":"There is no page 9."}' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[media of call_1]' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'high' } },
          { type: 'file', file: { filename: 'spec.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
          { type: 'input_audio', input_audio: { data: wav, format: 'wav' } },
        ],
      },
    ],
  },
  'openai-responses': {
    model: 'gpt-6-sol',
    instructions: 'You read documents.',
    max_output_tokens: 1024,
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'medium', summary: 'auto' },
    tools: [{ type: 'function', name: 'read', description: 'Reads a page.', parameters, strict: false }],
    tool_choice: 'auto',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is on page 1?' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABo'.repeat(40) },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"page":1}' },
      { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'read', arguments: '{"page":9}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'three pages' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'original' },
          { type: 'input_image', file_id: 'file-1', detail: 'auto' },
          {
            type: 'input_file',
            filename: 'spec.pdf',
            file_data: `data:application/pdf;base64,${pdf}`,
            detail: 'low',
          },
          { type: 'input_file', file_url: 'https://example.com/x.docx' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_2', output: '{"error":"There is no page 9."}' },
      { role: 'assistant', phase: 'commentary', content: 'Page 1 is a plan.' },
      { role: 'user', content: 'Go on.' },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'You read documents.' }] },
    generationConfig: {
      maxOutputTokens: 1024,
      mediaResolution: 'MEDIA_RESOLUTION_HIGH',
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
    },
    tools: [
      { functionDeclarations: [{ name: 'read', description: 'Reads a page.', parametersJsonSchema: parameters }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'What is on page 1?' },
          {
            inlineData: { mimeType: 'image/png', data: png },
            mediaResolution: { level: 'MEDIA_RESOLUTION_ULTRA_HIGH' },
          },
          { inlineData: { mimeType: 'audio/wav', data: wav } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' }, videoMetadata: { fps: 1 } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'I need the page.', thought: true },
          {
            functionCall: { id: 'c1', name: 'read', args: { page: 1 } },
            thoughtSignature: Buffer.from('signature '.repeat(40)).toString('base64'),
          },
          { functionCall: { id: 'c2', name: 'read', args: { page: 9 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'read',
              response: { output: 'see attached' },
              parts: [
                { inlineData: { mimeType: 'image/png', data: png, displayName: 'page-1.png' } },
                { inlineData: { mimeType: 'application/pdf', data: pdf } },
              ],
            },
          },
          { functionResponse: { id: 'c2', name: 'read', response: { error: 'There is no page 9.' } } },
        ],
      },
    ],
  },
  ollama: {
    model: 'qwen3-vl',
    stream: true,
    think: true,
    truncate: false,
    keep_alive: '5m',
    options: { num_ctx: 8192, temperature: 0 },
    tools: [{ type: 'function', function: { name: 'read', description: 'Reads a page.', parameters } }],
    messages: [
      { role: 'system', content: 'You read documents.' },
      { role: 'user', content: 'What is on page 1?', images: [png] },
      {
        role: 'assistant',
        content: '',
        thinking: 'I need the page.',
        tool_calls: [
          { id: 'c1', function: { index: 0, name: 'read', arguments: { page: 1 } } },
          { id: 'c2', function: { index: 1, name: 'read', arguments: { page: 9 } } },
        ],
      },
      { role: 'tool', tool_name: 'read', tool_call_id: 'c1', content: 'page 1', images: [png] },
      { role: 'tool', tool_name: 'read', tool_call_id: 'c2', content: 'Error: There is no page 9.' },
    ],
  },
  'bedrock-converse': {
    system: [{ text: 'You read documents.' }, { cachePoint: { type: 'default' } }],
    inferenceConfig: { maxTokens: 1024, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    toolConfig: {
      tools: [{ toolSpec: { name: 'read', description: 'Reads a page.', inputSchema: { json: parameters } } }],
      toolChoice: { tool: { name: 'read' } },
    },
    messages: [
      {
        role: 'user',
        content: [
          { text: 'What is on page 1?' },
          { document: { format: 'pdf', name: 'spec (1)', source: { bytes: pdf }, citations: { enabled: true } } },
          { video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/film.mp4' } } } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'I need the page.', signature: 'EqQBCgIYAhIM'.repeat(40) } } },
          { text: 'I will look.' },
          { toolUse: { toolUseId: 'tooluse_01', name: 'read', input: { page: 1 } } },
          { toolUse: { toolUseId: 'tooluse_02', name: 'read', input: { page: 9 } } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            toolResult: {
              toolUseId: 'tooluse_01',
              content: [{ text: 'page 1 rendered' }, { image: { format: 'png', source: { bytes: png } } }],
            },
          },
          { toolResult: { toolUseId: 'tooluse_02', status: 'error', content: [{ text: 'There is no page 9.' }] } },
          { cachePoint: { type: 'default' } },
        ],
      },
    ],
  },
};
