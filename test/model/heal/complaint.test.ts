// The literal words of providers, as their users met them, and what they mean here.
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/message/error.ts';
import { complaintFrom, complaintOf, judged } from '../../../src/model/heal/complaint.ts';
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
  ['too much media', 400, anthropic('Too much media: 0 document pages + 102 images > 100'), 'media'],
  ['a type that it does not know', 400, anthropic("messages.208.content.0.tool_result.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"), 'media', { path: 'messages.208.content.0.tool_result.content.0.image.source.base64.media_type' }],
  ['an address that is none', 400, openai("Invalid 'input[284].output[1].image_url'. Expected a valid URL, but got a value with an invalid format.", { code: 'invalid_value', param: 'input[284].output[1].image_url' }), 'media', { path: 'input[284].output[1].image_url' }],
  ['DeepSeek and a picture', 400, openai('.messages[565].image[0]: You have uploaded an unsupported image. Please make sure your image is valid and has one of the following formats: webp, png, jpeg, and gif.'), 'media', { path: 'messages[565].image[0]' }],
  ['Google and a picture', 400, gemini('Provided image is not valid.'), 'media'],
  ['unsupported picture', 400, openai("You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", { code: 'image_parse_error' }), 'media'],
  ['invalid picture', 400, openai('Invalid image data.', { param: 'input[3].output[1]', code: 'invalid_value' }), 'media', { path: 'input[3].output[1]' }],
  ['invalid data URL', 400, openai("Invalid 'messages[2].content[1].image_url.url'. Expected a base64-encoded data URL with an image MIME type, but got unsupported MIME type 'image/bmp'.", { param: 'messages[2].content[1].image_url.url' }), 'media', { path: 'messages[2].content[1].image_url.url' }],
  ['old Azure', 400, openai("Invalid Value: 'file'. This model does not support file content types.", { param: 'messages[1].content[1]' }), 'media'],
  ['no eyes', 400, openai('Invalid content type. image_url is only supported by certain models.', { param: 'messages.[0].content.[1].type' }), 'media', { unable: 'image' }],
  ['DeepSeek without eyes', 400, openai('Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 99'), 'media', { unable: 'image' }],
  ['llama.cpp without a projector', 500, openai('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'), 'media', { unable: 'image' }],
  ['LM Studio without eyes', 400, { error: { message: 'Error in iterating prediction stream: ValueError: Vision add-on is not loaded, but images were provided for processing' } }, 'media', { unable: 'image' }],
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
  ['Amazon, too heavy', 400, { message: 'The model returned the following errors: messages.0.content.2.image.source.bytes: image exceeds 5 MB maximum: 7167852 bytes > 5242880 bytes' }, 'media', { path: 'messages.0.content.2.image.source.bytes' }],
  ['Amazon, a format', 400, { message: "1 validation error detected: Value at 'messages.1.member.content.2.member.image.format' failed to satisfy constraint: Member must satisfy enum value set: [png, jpeg, gif, webp]" }, 'media', { path: 'messages.1.member.content.2.member.image.format' }],
  ['Amazon, pictures in results', 400, { message: "This model doesn't support the image field for user messages. Remove image and try again." }, 'media', { unable: 'inside' }],
  ['Amazon, no films', 400, { message: "This model doesn't support the video content block that you provided. Update the content block and try again." }, 'media', { unable: 'video' }],
  ['Amazon, too many documents', 400, { message: "You can't include more than 5 documents in a request. Reduce the number of documents and retry your request." }, 'media'],
  // Thinking
  ['bound elsewhere', 400, anthropic('messages.5.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'), 'signature', { path: 'messages.5.content.0', offersDrop: true }],
  ['modified', 400, anthropic('messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'), 'signature'],
  ['thinking where it is off', 400, anthropic('messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'), 'signature', { path: 'messages.1.content.0' }],
  ['thinking alone', 400, anthropic('messages.17: The final block in an assistant message cannot be `thinking`.'), 'signature', { path: 'messages.17' }],
  ['thinking without its signature', 400, anthropic('messages.5.content.0.thinking.signature: Field required'), 'signature', { path: 'messages.5.content.0.thinking.signature' }],
  ['no signature', 400, gemini('Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'), 'signature'],
  ['encrypted elsewhere', 400, openai('The encrypted content for item rs_0123 could not be verified.', { code: 'invalid_encrypted_content' }), 'signature'],
  ['reasoning alone', 400, openai("Item 'rs_68' of type 'reasoning' was provided without its required following item."), 'signature'],
  // Too much
  ['prompt too long', 400, anthropic('prompt is too long: 214387 tokens > 200000 maximum'), 'context'],
  ['an answer too long, OpenAI', 400, openai('max_tokens is too large: 128000. This model supports at most 32768 completion tokens, whereas you provided 128000.', { param: 'max_tokens' }), 'invalid', { mostOutput: 32_768 }],
  ['an answer too long, Responses', 400, openai("Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 32768, but got 128000 instead."), 'invalid', { mostOutput: 32_768 }],
  ['an answer too long, Anthropic', 400, anthropic('max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5'), 'invalid', { mostOutput: 64_000 }],
  ['an answer too long, Gemini', 400, gemini('Unable to submit request because it has a maxOutputTokens value of 655360 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.'), 'invalid', { mostOutput: 8192 }],
  ['an answer too long, Groq', 400, openai('`max_completion_tokens` must be less than or equal to `32768`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model'), 'invalid', { mostOutput: 32_768 }],
  ['an answer too long, DeepSeek', 400, openai('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'), 'invalid', { mostOutput: 8192 }],
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
  ['a signature of Amazon that is old', 403, { message: 'Signature expired: 20250714T201419Z is now earlier than 20250714T202350Z (20250714T202850Z - 5 min.)' }, 'auth', { retryable: false, message: 'Signature expired: 20250714T201419Z is now earlier than 20250714T202350Z (20250714T202850Z - 5 min.) Set the clock of this machine: it is minutes off.' }],
  ['a signature of Amazon with a wrong key', 403, { message: 'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.' }, 'auth', { retryable: false }],
  ['a token of Amazon that is over', 403, { message: 'The security token included in the request is expired' }, 'auth'],
  ['a wrong key', 401, openai('Incorrect API key provided: sk-abc***.'), 'auth'],
  ['unknown model at Ollama', 404, { error: "model 'nope' not found" }, 'not-found'],
  // Names that hold the word of a medium
  ['OpenAI, a model that is gone', 404, openai('The model `gpt-4-vision-preview` does not exist or you do not have access to it.', { code: 'model_not_found' }), 'not-found'],
  ['OpenAI, a model that was taken away', 404, openai('The model `gpt-4-vision-preview` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations'), 'not-found'],
  ['xAI, a model that is gone', 404, { code: 'Some requested entity was not found', error: 'The model grok-2-vision-1212 does not exist or your team 0a1b does not have access to it.' }, 'not-found'],
  ['Gemini, a model that is gone', 404, gemini('models/gemini-2.5-flash-image is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.', 'NOT_FOUND'), 'not-found'],
  ['Vertex, a model that is gone', 404, gemini('Publisher Model `projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash-image` was not found or your project does not have access to it.', 'NOT_FOUND'), 'not-found'],
  ['OpenRouter, a model that nobody serves', 404, openai('No endpoints found for meta-llama/llama-3.2-11b-vision-instruct.', { code: 404 }), 'not-found'],
  ['OpenRouter, a model that is none', 400, openai('meta-llama/llama-3.2-vision is not a valid model ID', { code: 400 }), 'not-found'],
  ['Groq, a model that is gone', 400, openai('The model `llama-3.2-90b-vision-preview` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }), 'not-found'],
  ['Together, a model that it does not serve', 404, openai('Unable to access model meta-llama/Llama-Image-Free. Please visit https://api.together.ai/models to view the list of supported models.'), 'not-found'],
  ['Ollama, a model that was not pulled', 404, { error: "model 'llama3.2-vision:11b' not found" }, 'not-found'],
  ['OpenAI, a model of others', 403, openai('Project `proj_1` does not have access to model `gpt-4o-audio-preview`', { code: 'model_not_found' }), 'auth'],
  ['Anthropic, a model that is none', 404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-vision' } }, 'not-found'],
  ['Gemini, a field of a tool', 400, gemini('* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[images].items: missing field.\n'), 'invalid'],
  ['Gemini, a field of a tool called signature', 400, gemini('* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[signature].items: missing field.\n'), 'invalid'],
  ['OpenAI, the schema of a tool', 400, openai("Invalid schema for function 'view_image': In context=('properties', 'images'), array schema missing items.", { param: 'tools[0].function.parameters', code: 'invalid_function_parameters' }), 'invalid', { path: 'tools[0].function.parameters' }],
  ['OpenAI, the schema of an answer', 400, openai("Invalid schema for response_format 'image_list': In context=(), 'required' is required to be supplied.", { param: 'response_format' }), 'invalid'],
  ['Anthropic, the schema of a tool', 400, anthropic('tools.3.custom.input_schema.properties.image: JSON schema is invalid.'), 'invalid'],
  ['Amazon, the schema of a tool', 400, { message: 'The value at toolConfig.tools.0.toolSpec.inputSchema.json.properties.image is not supported.' }, 'invalid'],
  ['a validator, a tool', 422, { detail: [{ loc: ['body', 'tools', 0, 'function', 'parameters', 'image'], msg: 'invalid value', type: 'value_error' }] }, 'invalid', { path: 'tools.0.function.parameters.image' }],
  ['a model that is there, and cannot see', 404, openai('The model `gpt-4-vision` does not support image input.'), 'media', { unable: 'image' }],
  ['a picture that the model cannot open', 400, openai('The model could not process the image: image not found in the request'), 'media'],
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
  ['OpenAI, an account that may not stream', 400, openai('Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.', { param: 'stream', code: 'unsupported_value' }), 'invalid', { dialect: { unstreamed: true } }],
  ['OpenAI, an account without summaries', 400, openai('Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.', { param: 'reasoning.summary', code: 'unsupported_value' }), 'invalid', { dialect: { unsummarised: true } }],
  ['Mistral, a user after a result', 400, { object: 'error', message: "Unexpected role 'user' after role 'tool'", type: 'invalid_request_message_order', param: null, code: '3230' }, 'invalid', { dialect: { bridge: true } }],
  ['DeepSeek, thinking that is missing', 400, openai('The `reasoning_content` in the thinking mode must be passed back to the API.'), 'invalid', { dialect: { reasoning: 'reasoning_content' } }],
  ['a server with pydantic, usage in a stream', 422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', input: { include_usage: true } }] }, 'invalid', { dialect: { streamUsage: false } }],
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

const silent = (status: number | undefined): [string, boolean] => {
  const { code, retryable } = complaintOf(status, 'Nothing.');
  return [code, retryable];
};

describe('what a status says where the words say nothing', () => {
  test.each([
    [400, 'invalid', false],
    [401, 'auth', false],
    [402, 'auth', false],
    [403, 'auth', false],
    [404, 'not-found', false],
    [408, 'invalid', true],
    [409, 'invalid', true],
    [413, 'too-large', false],
    [422, 'invalid', false],
    [429, 'rate-limited', true],
    [499, 'invalid', false],
    [500, 'server', true],
    [502, 'server', true],
    [503, 'overloaded', true],
    [529, 'overloaded', true],
    [undefined, 'server', true],
  ])('%s', (status, code, retryable) => {
    expect(silent(status)).toEqual([code, retryable]);
  });

  test('nobody is believed about a medium who may not even look at the request', () => {
    const words = JSON.stringify({ error: { message: 'Invalid image data.' } });
    const codes = [399, 400, 429, 499, 500, 501, 502, undefined].map((status) => complaintOf(status, words).code);
    expect(codes).toEqual(['invalid', 'media', 'rate-limited', 'media', 'media', 'server', 'server', 'media']);
    expect(complaintOf(401, words).code).toBe('auth');
    expect(complaintOf(429, 'This model does not support images.').unable).toBeUndefined();
  });

  test('an error has the fields that there is something to say about, and no others', () => {
    expect(complaintOf(502, '')).toStrictEqual({
      type: 'message-error',
      code: 'server',
      message: 'The provider answered with the status 502 and no words.',
      retryable: true,
      status: 502,
    });
    expect(complaintOf(undefined, 'Gone. See "drop_block".')).toStrictEqual({
      type: 'message-error',
      code: 'server',
      message: 'Gone. See "drop_block".',
      retryable: true,
    });
    expect(complaintOf(400, 'invalid signature')).not.toHaveProperty('offersDrop');
    expect(complaintOf(400, 'Your image is invalid; "drop_block"')).not.toHaveProperty('offersDrop');
  });
});

test.each([
  ['This model does not support audio.', 'audio'],
  ['Video inputs are not supported', 'video'],
  ['This model does not support documents', 'document'],
  ["Of type 'file': files are not supported", 'document'],
  ['the model only supports text; images are refused', 'image'],
])('%s: what the model has no sense for', (message, unable) => {
  expect(complaintOf(400, message)).toMatchObject({ code: 'media', unable });
});

const wait = (message: string, headers: Record<string, string> = {}, status = 429): number | undefined =>
  complaintOf(status, message, new Headers(headers)).retryAfter;

describe('how long to wait', () => {
  test.each([
    ['Please try again in 20ms.', 20],
    ['Please try again in 20s.', 20_000],
    ['Please try again in 1.5s.', 1500],
    ['Please try again in 12m.', 720_000],
    ['Please try again in 12m30s.', 750_000],
    ['Please try again in 7', 7000],
    ['Please try again in a while.', undefined],
    ['Please try again.', undefined],
    ['You exceeded your current quota per minute.', 60_000],
    ['You exceeded your current quota per minute and per day.', undefined],
    ['Requests per minute are many.', undefined],
    ['You exceeded your current quota.', undefined],
  ])('%s', (message, ms) => {
    expect(wait(message)).toBe(ms);
  });

  test('headers come first, the exact one before the other', () => {
    const message = 'Please try again in 20s.';
    expect(wait(message, { 'retry-after': '3' })).toBe(3000);
    expect(wait(message, { 'retry-after': '0' })).toBe(0);
    expect(wait(message, { 'retry-after-ms': '250', 'retry-after': '3' })).toBe(250);
    expect(wait(message, { 'retry-after-ms': '0', 'retry-after': '3' })).toBe(0);
    expect(wait(message, { 'retry-after-ms': '-1', 'retry-after': '3' })).toBe(3000);
    expect(wait(message, { 'retry-after-ms': 'soon' })).toBe(20_000);
  });

  test('words are believed only where there is something to wait for', () => {
    expect(wait('Bad. Please try again in 20s.', {}, 400)).toBeUndefined();
    expect(wait('Bad.', { 'retry-after': '3' }, 503)).toBe(3000);
  });
});

const event = (code: ErrorCode, message: string, status?: number) => ({
  type: 'message-error' as const,
  code,
  message,
  retryable: true,
  ...(status !== undefined && { status }),
});

describe('an error in the middle of a stream', () => {
  test.each([
    ['server', 'prompt is too long', 'context'],
    ['invalid', 'request_too_large', 'too-large'],
    ['media', 'prompt is too long', 'context'],
    ['server', 'Invalid image data.', 'media'],
    ['server', 'invalid signature', 'signature'],
  ] as const)('%s with the words %s is %s', (code, message, becomes) => {
    expect(judged(event(code, message))).toStrictEqual({ ...event(becomes, message), retryable: false });
  });

  test.each([
    event('overloaded', 'prompt is too long'),
    event('rate-limited', 'Invalid image data.'),
    event('server', 'Something broke.'),
    event('server', 'Invalid image data.', 502),
  ])('it stays what it was: $code, $message', (error) => {
    expect(judged(error)).toBe(error);
  });
});

describe('where errors of SDKs keep what they know', () => {
  const words = { error: { message: 'Invalid image data.' } };
  test.each([
    ['status', { status: 400, error: words }],
    ['statusCode', { statusCode: 400, body: JSON.stringify(words) }],
    ['status_code', { status_code: 400, message: 'Invalid image data.' }],
    ['code', { code: 400, responseBody: JSON.stringify(words) }],
    ['a status in the words', { status: 400, message: '400   Invalid image data.' }],
  ])('%s', (_name, error) => {
    expect(complaintFrom(error)).toMatchObject({ code: 'media', status: 400, message: 'Invalid image data.' });
  });

  test.each([
    [{ status: 200, message: 'x' }, undefined],
    [{ status: 399, code: 400, message: 'x' }, 400],
    [{ status: '400', message: 'x' }, undefined],
    [{ status: 599, message: 'x' }, 599],
    [{ status: 600, message: 'x' }, undefined],
  ])('%j has the status %s', (error, status) => {
    expect(complaintFrom(error).status).toBe(status);
  });

  test('numbers in the words stay, unless they are the status', () => {
    expect(complaintFrom({ message: 'about 400 images' }).message).toBe('about 400 images');
    expect(complaintFrom({ message: '4000 images' }).message).toBe('4000 images');
    expect(complaintFrom(new Error('boom')).message).toBe('boom');
    expect(complaintFrom({ error: words }).message).toBe('Invalid image data.');
  });

  test('an event of ours keeps what it says of itself', () => {
    const told = {
      type: 'message-error' as const,
      code: 'media' as const,
      message: 'This model does not support images.',
      retryable: false,
    };
    expect(complaintFrom(told)).toStrictEqual({ ...told, unable: 'image' });
    expect(complaintFrom({ ...told, code: 'server', message: 'prompt is too long' })).toStrictEqual({
      ...told,
      code: 'server',
      message: 'prompt is too long',
    });
    expect(complaintFrom({ ...told, message: 'Invalid image data.' })).not.toHaveProperty('unable');
  });
});
