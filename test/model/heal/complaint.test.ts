// The literal words of providers, as their users met them, and what they mean here.
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/message/error.ts';
import { complaintFrom, complaintOf } from '../../../src/model/heal/complaint.ts';
import type { Complaint } from '../../../src/model/heal/complaint.ts';

const anthropic = (message: string): object => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const openai = (message: string, more: object = {}): object => ({
  error: { message, type: 'invalid_request_error', ...more },
});
const gemini = (message: string, status = 'INVALID_ARGUMENT'): object => ({ error: { code: 400, message, status } });

type Row = [words: string, status: number, body: object | string, code: ErrorCode, more?: Partial<Complaint>];

const rows: Row[] = [
  // Pictures and documents
  ['image too heavy', 400, anthropic('messages.5.content.2.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes'), 'media', { path: 'messages.5.content.2.tool_result.content.1.image.source.base64' }],
  ['image too large for many', 400, anthropic('messages.1.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels'), 'media'],
  ['image too large', 400, anthropic('messages.3.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels'), 'media', { path: 'messages.3.content.1.image.source.base64.data' }],
  ['image cannot be read', 400, anthropic('Could not process image'), 'media'],
  ['another type than declared', 400, anthropic('messages.0.content.1: Image does not match the provided media type image/png'), 'media', { path: 'messages.0.content.1' }],
  ['another type, newer words', 400, anthropic('The image was specified using the image/jpeg media type, but the image appears to be a image/png image'), 'media'],
  ['error result with a picture', 400, anthropic("messages.2.content.0.tool_result: all content must be type 'text' if 'is_error' is true"), 'media', { path: 'messages.2.content.0.tool_result', unable: 'inside' }],
  ['too many pages', 400, anthropic('messages.0.content.0.document: A maximum of 100 PDF pages may be provided.'), 'media'],
  ['a PDF with a password', 400, anthropic('messages.0.content.0.document.source.base64.data: The PDF specified is password protected.'), 'media'],
  ['too many pictures', 400, anthropic('messages: too many images and documents: 103 + 1 > 100'), 'media'],
  ['unsupported picture', 400, openai("You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", { code: 'image_parse_error' }), 'media'],
  ['invalid picture', 400, openai('Invalid image data.', { param: 'input[3].output[1]', code: 'invalid_value' }), 'media', { path: 'input[3].output[1]' }],
  ['invalid data URL', 400, openai("Invalid 'messages[2].content[1].image_url.url'. Expected a base64-encoded data URL with an image MIME type, but got unsupported MIME type 'image/bmp'.", { param: 'messages[2].content[1].image_url.url' }), 'media', { path: 'messages[2].content[1].image_url.url' }],
  ['old Azure', 400, openai("Invalid Value: 'file'. This model does not support file content types.", { param: 'messages[1].content[1]' }), 'media'],
  ['no eyes', 400, openai('Invalid content type. image_url is only supported by certain models.', { param: 'messages.[0].content.[1].type' }), 'media', { unable: 'image' }],
  ['DeepSeek without eyes', 400, openai('Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 99'), 'media', { unable: 'image' }],
  ['llama.cpp without a projector', 500, openai('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'), 'media', { unable: 'image' }],
  ['OpenRouter without eyes', 404, openai('No endpoints found that support image input', { code: 404 }), 'media', { unable: 'image' }],
  ['vLLM and its limit', 400, { object: 'error', message: 'At most 1 image(s) may be provided in one prompt.', type: 'BadRequestError', param: null, code: 400 }, 'media'],
  ['Groq and its limit', 400, openai('Too many images provided. This model supports up to 5 images'), 'media'],
  ['Gemini cannot read', 400, gemini('Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting'), 'media'],
  ['Gemini and a type', 400, gemini('Unsupported MIME type: image/gif'), 'media'],
  ['Gemini and a document', 400, gemini('The document has no pages.'), 'media'],
  ['Ollama cannot read', 500, { error: 'Failed to load image or audio file' }, 'media'],
  ['Ollama and one picture', 500, { error: 'this model only supports one image while more than one image requested' }, 'media'],
  ['Ollama without eyes', 400, { error: 'this model is missing data required for image input' }, 'media', { unable: 'image' }],
  ['Mistral', 400, { object: 'error', message: 'Image content is not enabled for this model', type: 'invalid_request_error' }, 'media'],
  ['a validator', 422, { detail: [{ loc: ['body', 'messages', 2, 'content', 1, 'image_url'], msg: 'invalid image', type: 'value_error' }] }, 'media', { path: 'messages.2.content.1.image_url' }],
  ['a gateway quoting its upstream', 400, { error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(anthropic('messages.1.content.1.image.source.base64: image exceeds 5 MB maximum')), provider_name: 'x' } } }, 'media'],
  // Thinking
  ['bound elsewhere', 400, anthropic('messages.5.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'), 'signature', { path: 'messages.5.content.0', offersDrop: true }],
  ['modified', 400, anthropic('messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'), 'signature'],
  ['no signature', 400, gemini('Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'), 'signature'],
  ['encrypted elsewhere', 400, openai('The encrypted content for item rs_0123 could not be verified.', { code: 'invalid_encrypted_content' }), 'signature'],
  ['reasoning alone', 400, openai("Item 'rs_68' of type 'reasoning' was provided without its required following item."), 'signature'],
  // Too much
  ['prompt too long', 400, anthropic('prompt is too long: 214387 tokens > 200000 maximum'), 'context'],
  ['with max_tokens', 400, anthropic('input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length or `max_tokens` and try again'), 'context'],
  ['OpenAI', 400, openai("This model's maximum context length is 128000 tokens. However, your messages resulted in 130244 tokens.", { code: 'context_length_exceeded', param: 'messages' }), 'context'],
  ['Responses', 400, openai('Your input exceeds the context window of this model. Please adjust your input and try again.'), 'context'],
  ['Gemini', 400, gemini('The input token count (1194876) exceeds the maximum number of tokens allowed (1048575).'), 'context'],
  ['llama.cpp', 400, openai('the request exceeds the available context size, try increasing it', { type: 'exceed_context_size_error' }), 'context'],
  ['Ollama', 400, { error: 'the input length exceeds the context length' }, 'context'],
  ['xAI', 400, { code: 'Client specified an invalid argument', error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }, 'context'],
  ['Groq by the minute', 413, openai('Request too large for model `x` in organization `org` on tokens per minute (TPM): Limit 6000, Requested 7000', { code: 'rate_limit_exceeded' }), 'context'],
  ['Anthropic bytes', 413, { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }, 'too-large'],
  ['Gemini bytes', 400, gemini('Request payload size exceeds the limit: 20971520 bytes.'), 'too-large'],
  ['a proxy', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>', 'too-large'],
  // The rest
  ['unanswered calls', 400, anthropic('messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'), 'invalid', { path: 'messages.1' }],
  ['unanswered calls on Chat', 400, openai("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"), 'invalid'],
  ['unknown call', 400, openai('No tool call found for function call output with call_id call_1.', { param: 'input' }), 'invalid'],
  ['Gemini parts', 400, gemini('Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'), 'invalid'],
  ['empty text', 400, anthropic('messages: text content blocks must be non-empty'), 'invalid'],
  ['a parameter', 400, openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", { param: 'max_tokens' }), 'invalid'],
  ['a wrong key at Google', 400, gemini('API key not valid. Please pass a valid API key.'), 'auth'],
  ['a wrong key', 401, openai('Incorrect API key provided: sk-abc***.'), 'auth'],
  ['unknown model at Ollama', 404, { error: "model 'nope' not found" }, 'not-found'],
  ['Google asks to wait', 429, [{ error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED', details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }] } }], 'rate-limited', { retryAfter: 34_000, retryable: true }],
  ['OpenAI asks to wait', 429, openai('Rate limit reached for gpt-5 on tokens per min. Please try again in 6m0.5s.', { code: 'rate_limit_exceeded' }), 'rate-limited', { retryAfter: 360_500 }],
  ['Google, a quota by the minute', 429, { error: { code: 429, message: 'You exceeded your current quota, please check your plan and billing details.', status: 'RESOURCE_EXHAUSTED', details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] }] } }, 'rate-limited', { retryAfter: 60_000, retryable: true }],
  ['Google, a quota by the minute with its wait', 429, { error: { code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED', details: [{ violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }] }, { retryDelay: '7.5s' }] } }, 'rate-limited', { retryAfter: 7500, retryable: true }],
  ['Google, a quota by the day, whatever wait it names', 429, { error: { code: 429, message: 'You exceeded your current quota', status: 'RESOURCE_EXHAUSTED', details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }, { retryDelay: '34s' }] } }, 'rate-limited', { retryable: false }],
  ['Google, a quota that names a wait', 429, { error: { code: 429, message: 'You exceeded your current quota', details: [{ retryDelay: '34s' }] } }, 'rate-limited', { retryAfter: 34_000, retryable: true }],
  ['OpenAI, no money left', 429, openai('You exceeded your current quota, please check your plan and billing details.', { code: 'insufficient_quota' }), 'rate-limited', { retryable: false }],
  ['Groq, a call it cannot read', 400, openai("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", { code: 'tool_use_failed' }), 'invalid', { retryable: true }],
  ['llama.cpp, media in a result', 400, openai("Output of tool call should be 'Input text'"), 'media', { unable: 'inside' }],
  ['Gemini, media in a result', 400, gemini('Multimodal function responses are not supported for this model.'), 'media', { unable: 'inside' }],
  ['Gemini, a signature', 400, gemini('Thought signature is not valid.'), 'signature', { retryable: false }],
  ['overloaded', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', { retryable: true }],
  ['nothing at all', 502, '', 'server', { retryable: true }],
]; // prettier-ignore

test.each(rows)('%s', (_words, status, body, code, more = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(complaintOf(status, text)).toMatchObject({ type: 'message-error', status, code, ...more });
});

describe('the errors of SDKs say the same', () => {
  const said = anthropic('messages.0.content.1.image.source.base64: image exceeds 5 MB maximum');
  const thrown: [string, unknown][] = [
    ['Anthropic', Object.assign(new Error(`400 ${JSON.stringify(said)}`), { status: 400, error: said })],
    ['Anthropic, only its message', Object.assign(new Error(`400 ${JSON.stringify(said)}`), { status: 400 })],
    ['AI SDK', Object.assign(new Error('Bad Request'), { statusCode: 400, responseBody: JSON.stringify(said) })],
    ['Google', Object.assign(new Error(JSON.stringify(said)), { name: 'ApiError', status: 400 })],
    ['our own event', complaintOf(400, JSON.stringify(said))],
  ];
  test.each(thrown)('%s', (_name, error) => {
    const path = 'messages.0.content.1.image.source.base64';
    expect(complaintFrom(error)).toMatchObject({ code: 'media', status: 400, path });
  });

  test.each([undefined, null, 7, 'boom', new Error('boom'), {}])('%s is no complaint about media', (error) => {
    expect(['server', 'invalid']).toContain(complaintFrom(error).code);
  });
});

test.each([
  ['This model does not support image inputs.', 'image'],
  ['Model x does not support vision.', 'image'],
  ['PDF input is not supported by this model', 'document'],
  ['image_url is only supported by certain models', 'image'],
  ['This model does not support image/gif.', undefined],
  ['This model does not support images larger than 5 MB.', undefined],
  ['The image type is not supported.', undefined],
  ['Unsupported image format: the image is not a valid PNG', undefined],
])('%s: is the model blind?', (message, unable) => {
  const complaint = complaintOf(400, JSON.stringify({ error: { message } }));
  expect(complaint.code).toBe('media');
  expect(complaint.unable).toBe(unable);
});

test('dates and seconds in retry-after are understood', () => {
  const now = Date.parse('2026-11-15T10:00:00Z');
  const wait = (value: string): number | undefined =>
    complaintOf(429, '{}', new Headers({ 'retry-after': value }), now).retryAfter;
  expect(wait('7')).toBe(7000);
  expect(wait('Sun, 15 Nov 2026 10:00:30 GMT')).toBe(30_000);
  expect(wait('Sun, 15 Nov 2026 09:00:00 GMT')).toBe(0);
  expect(wait('soon')).toBeUndefined();
});
