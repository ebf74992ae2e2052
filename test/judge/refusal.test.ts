// Bodies that are wrong in one place, and who must say so. The complaint names the judge, the place and the reason.

import { expect, test } from 'vitest';
import { drop, insert, respelt, set } from './edit.ts';
import type { Edit } from './edit.ts';
import type { JsonObject } from './json.ts';
import { judge, schemaErrors } from './judge.ts';
import type { WireName } from './judge.ts';
import { pdf, png, sampleBody, wav } from './sample-body.ts';
import { wireNames } from './wire-name.ts';

type Row = readonly [what: string, edits: readonly Edit[], ...complaints: string[]];

const chatImage: JsonObject = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
const chatAudio: JsonObject = { type: 'input_audio', input_audio: { data: wav, format: 'wav' } };
const claudeAudio: JsonObject = { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: wav } };
const lateResult: JsonObject = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_02', content: 'late' }],
};
const lateResponse: JsonObject = {
  role: 'user',
  parts: [{ functionResponse: { id: 'c2', name: 'read', response: {} } }],
};

const rows: Record<WireName, readonly Row[]> = {
  'anthropic-messages': [
    [
      'a media type no Claude reads',
      [set('/messages/2/content/0/content/1/source/media_type', 'image/bmp')],
      'sdk: /messages/2/content/0/content/1/source/media_type: must be equal to one of the allowed values',
    ],
    [
      'audio in a tool result',
      [set('/messages/2/content/0/content/1', claudeAudio)],
      'sdk: /messages/2/content/0/content/1/type: "audio" is none of',
    ],
    [
      'an image in a failed result',
      [set('/messages/2/content/0/is_error', true)],
      'rules: /messages/2/content/0/content/1: all content must be type text if is_error is true',
    ],
    [
      'a failed result without words',
      [set('/messages/2/content/1/content', '')],
      'rules: /messages/2/content/1: content cannot be empty',
    ],
    [
      'parallel results split over two messages',
      [drop('/messages/2/content/1'), insert('/messages/-', lateResult)],
      'rules: /messages/1/content/3: tool_use has 0 results in the next message instead of one',
      'rules: /messages/3/content/0: answers no tool_use of the message before',
    ],
    [
      'a text before the results',
      [insert('/messages/2/content/0', { type: 'text', text: 'me first' })],
      'rules: /messages/2/content/1: tool_result blocks come first',
    ],
    [
      'a tool result without its id',
      [drop('/messages/2/content/0/tool_use_id')],
      'sdk: /messages/2/content/0: required field "tool_use_id" is missing',
    ],
    [
      'an id with a character that is not allowed',
      [set('/messages/1/content/2/id', 'call:1'), set('/messages/2/content/0/tool_use_id', 'call:1')],
      'rules: /messages/1/content/2: id "call:1" is not allowed',
    ],
    [
      'an empty text',
      [set('/messages/2/content/0/content/0/text', '')],
      'rules: /messages/2/content/0/content/0: text must be non-empty',
    ],
    [
      'a tool result in an assistant message',
      [set('/messages/2/role', 'assistant')],
      'rules: /messages/2/content/0: tool_result only in user messages',
    ],
    [
      'words put into the mouth of the assistant',
      [insert('/messages/-', { role: 'assistant', content: 'Sure:' })],
      "rules: /messages/3: the last message must not be the assistant's",
    ],
    [
      'arguments as text',
      [set('/messages/1/content/2/input', '{"page":1}')],
      'rules: /messages/1/content/2/input: must be an object',
    ],
    [
      'a data URL where bare base64 belongs',
      [set('/messages/2/content/0/content/1/source/data', `data:image/png;base64,${png}`)],
      'rules: /messages/2/content/0/content/1/source/data: must be bare base64',
    ],
    [
      'a misspelt field deep inside',
      [(body) => respelt(body, '/messages/2/content/0/content/1/source/media_type', 'mediaType')],
      'sdk: /messages/2/content/0/content/1/source: unknown field "mediaType"',
    ],
  ],
  'openai-chat': [
    [
      'an image in a tool message',
      [set('/messages/3/content/0', chatImage)],
      'openapi CreateChatCompletionRequest: /messages/3/content/0/type',
      'sdk: /messages/3/content/0/type',
      'rules: /messages/3/content/0: tool messages are text only',
    ],
    [
      'a user message between two results',
      [insert('/messages/4', { role: 'user', content: 'here it is' })],
      'rules: /messages/2/tool_calls/1: 0 tool messages directly after it',
      'rules: /messages/5: answers no call of the assistant message it follows',
    ],
    [
      'a call answered twice',
      [set('/messages/4/tool_call_id', 'call_1')],
      'rules: /messages/2/tool_calls/0: 2 tool messages directly after it',
    ],
    [
      'a tool message without its call id',
      [drop('/messages/3/tool_call_id')],
      'openapi CreateChatCompletionRequest: /messages/3: required field "tool_call_id" is missing',
      'sdk: /messages/3: required field "tool_call_id" is missing',
    ],
    [
      'a detail that does not exist',
      [set('/messages/5/content/1/image_url/detail', 'huge')],
      'openapi CreateChatCompletionRequest: /messages/5/content/1/image_url/detail',
      'sdk: /messages/5/content/1/image_url/detail',
    ],
    [
      'an audio format that does not exist',
      [set('/messages/5/content/3/input_audio/format', 'ogg')],
      'openapi CreateChatCompletionRequest: /messages/5/content/3/input_audio/format',
    ],
    [
      'a file that is no PDF',
      [set('/messages/5/content/2/file/file_data', `data:text/csv;base64,${pdf}`)],
      'rules: /messages/5/content/2/file: file_data must be a data URL of a PDF',
    ],
    [
      'a picture as a web address of another kind',
      [set('/messages/5/content/1/image_url/url', 'file:///picture.png')],
      'rules: /messages/5/content/1/image_url/url: must be a web address or a data URL of an image',
    ],
  ],
  'openai-responses': [
    [
      'audio in a function output',
      [set('/input/4/output/1', chatAudio)],
      'openapi CreateResponse: /input/4/output/1/type: "input_audio" is none of',
      'sdk: /input/4/output/1/type: "input_audio" is none of "input_text", "input_image", "input_file"',
    ],
    [
      'a part of the other OpenAI wire',
      [set('/input/4/output/0/type', 'text')],
      'openapi CreateResponse: /input/4/output/0/type: "text" is none of',
      'sdk: /input/4/output/0/type: "text" is none of',
    ],
    [
      'a call without an id',
      [drop('/input/2/call_id')],
      'openapi CreateResponse: /input/2: required field "call_id" is missing',
      'sdk: /input/2: required field "call_id" is missing',
    ],
    ['an output without an id', [drop('/input/4/call_id')], 'rules: /input/4: call_id must have 1 to 64 characters'],
    [
      'an id that is too long',
      [set('/input/4/call_id', 'c'.repeat(65))],
      'openapi CreateResponse: /input/4/call_id',
      'rules: /input/4: call_id must have 1 to 64 characters',
    ],
    [
      'an output before its call',
      [drop('/input/5'), insert('/input/0', { type: 'function_call_output', call_id: 'call_2', output: '' })],
      'rules: /input/0: no call before this output has its call_id',
      'rules: /input/4: 0 outputs after this call instead of one',
    ],
    [
      'a call answered twice',
      [insert('/input/-', { type: 'function_call_output', call_id: 'call_1', output: '' })],
      'rules: /input/2: 2 outputs after this call instead of one',
    ],
    [
      'reasoning that is neither stored nor sent',
      [drop('/input/1/encrypted_content')],
      'rules: /input/1: reasoning without encrypted_content',
    ],
    [
      'an image without the head of a data URL',
      [set('/input/4/output/1/image_url', png)],
      'rules: /input/4/output/1/image_url: must be a web address or a data URL of an image',
    ],
  ],
  gemini: [
    [
      'an array as response',
      [set('/contents/2/parts/0/functionResponse/response', [1, 2])],
      'sdk: /contents/2/parts/0/functionResponse/response: must be object',
      'descriptor: /contents/2/parts/0/functionResponse/response: is not google.protobuf.Struct',
      'rules: /contents/2/parts/0/functionResponse: response must be an object',
    ],
    [
      'results split over two contents',
      [drop('/contents/2/parts/1'), insert('/contents/-', lateResponse)],
      'rules: /contents/1: 2 functionCall parts, but 1 functionResponse parts in the next content',
      'rules: /contents/3/parts/0: the content before has no functionCall',
    ],
    [
      'a picture beside a result',
      [insert('/contents/2/parts/-', { inlineData: { mimeType: 'image/png', data: png } })],
      'rules: /contents/2/parts/2: media beside a functionResponse',
    ],
    [
      'a picture and a text in one part',
      [set('/contents/0/parts/1/text', 'look')],
      'descriptor: /contents/0/parts/1: only one of text, inlineData may be set',
    ],
    [
      'data that is not base64',
      [set('/contents/0/parts/1/inlineData/data', `data:image/png;base64,${png}`)],
      'descriptor: /contents/0/parts/1/inlineData/data: is not bytes',
    ],
    [
      'a result without a name',
      [drop('/contents/2/parts/0/functionResponse/name')],
      'descriptor: /contents/2/parts/0/functionResponse: FunctionResponse requires "name"',
    ],
    [
      'a result for another call',
      [set('/contents/2/parts/0/functionResponse/id', 'c9')],
      'rules: /contents/1/parts/1: no functionResponse in the next content has its id',
    ],
    [
      'a picture in a result without its type',
      [drop('/contents/2/parts/0/functionResponse/parts/0/inlineData/mimeType')],
      'rules: /contents/2/parts/0/functionResponse/parts/0/inlineData: mimeType is missing',
    ],
    [
      'a field in snake_case',
      [(body) => respelt(body, '/contents/0/parts/1/inlineData/mimeType', 'mime_type')],
      'sdk: /contents/0/parts/1/inlineData: unknown field "mime_type"',
      'descriptor: /contents/0/parts/1/inlineData: Blob has no field "mime_type"',
    ],
    [
      'a resolution that does not exist',
      [set('/generationConfig/mediaResolution', 'MEDIA_RESOLUTION_HUGE')],
      'sdk: /generationConfig/mediaResolution',
      'descriptor: /generationConfig/mediaResolution',
    ],
  ],
  ollama: [
    [
      'a number as content',
      [set('/messages/1/content', 7)],
      'openapi ChatRequest: /messages/1/content: must be string',
      'sdk: /messages/1/content: must be string',
    ],
    [
      'parts as content',
      [set('/messages/1/content', [{ type: 'text', text: 'look' }])],
      'openapi ChatRequest: /messages/1/content: must be string',
    ],
    [
      'a data URL as picture',
      [set('/messages/1/images/0', `data:image/png;base64,${png}`)],
      'rules: /messages/1/images/0: must be bare base64',
    ],
    [
      'a tool message that does not name its tool',
      [drop('/messages/3/tool_name')],
      'rules: /messages/3: tool_name is missing',
    ],
    [
      'a user message between two results',
      [insert('/messages/4', { role: 'user', content: 'the picture', images: [png] })],
      'rules: /messages/2: 2 calls, but 1 tool messages directly after',
      'rules: /messages/5: no call of that name in the assistant message it follows',
    ],
    [
      'arguments as text',
      [set('/messages/2/tool_calls/0/function/arguments', '{"page":1}')],
      'openapi ChatRequest: /messages/2/tool_calls/0/function/arguments: must be object',
      'sdk: /messages/2/tool_calls/0/function/arguments: must be object',
    ],
    ['a role nobody plays', [set('/messages/1/role', 'developer')], 'openapi ChatRequest: /messages/1/role'],
  ],
  'bedrock-converse': [
    [
      'a picture of a format nobody reads',
      [set('/messages/2/content/0/toolResult/content/1/image/format', 'bmp')],
      'sdk: /messages/2/content/0/toolResult/content/1/image/format: "bmp" is none of',
    ],
    [
      'a block that is two things',
      [set('/messages/0/content/0/image', { format: 'png', source: { bytes: png } })],
      'sdk: /messages/0/content/0: ContentBlock has one member, not 2',
    ],
    [
      'a document without a name',
      [drop('/messages/0/content/1/document/name')],
      'sdk: /messages/0/content/1/document: DocumentBlock needs name',
    ],
    [
      'a name with a dot',
      [set('/messages/0/content/1/document/name', 'a.pdf')],
      'rules: /messages/0/content/1: the name "a.pdf" is not allowed',
    ],
    [
      'a document without words',
      [drop('/messages/0/content/0')],
      'rules: /messages/0: a message with a document must hold text',
    ],
    ['a blank text', [set('/messages/0/content/0/text', ' ')], 'rules: /messages/0/content/0: the text field is blank'],
    ['results without tools', [drop('/toolConfig')], 'rules: /toolConfig: must be defined'],
    [
      'a call without its result',
      [drop('/messages/2/content/1')],
      'rules: /messages/1/content/3: toolUse has 0 results',
    ],
  ],
};

const flat = wireNames.flatMap((wire) =>
  rows[wire].map(([what, edits, ...complaints]) => ({ wire, what, edits, complaints })),
);

test.each(flat)('$wire refuses $what', async ({ wire, edits, complaints }) => {
  const body = edits.reduce((spoilt, edit) => edit(spoilt), sampleBody[wire]);
  const { opinions } = await judge(wire, body);
  const errors = await schemaErrors(wire, body);
  // A judge that has no specification here cannot complain.
  const silent = opinions.flatMap((one) => ('skipped' in one ? [one.judge] : []));
  const due = complaints.filter((complaint) => !silent.some((name) => complaint.startsWith(name.replace(/^\S+ /, ''))));
  for (const complaint of due) {
    expect(errors).toContainEqual(expect.stringContaining(complaint));
  }
});
