// What providers are known to refuse, each in its own literal words: a server on loopback that speaks the wire refuses as
// long as its reason stands in the request, and the run comes to its end with default options.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { runAgent } from '../../../src/agent/run.ts';
import type { RunResult } from '../../../src/agent/options.ts';
import { memoryAssets } from '../../../src/content/memory-assets.ts';
import type { Block, DocumentBlock, ImageBlock, Seal } from '../../../src/content/block.ts';
import type { MessageInput } from '../../../src/message/message.ts';
import { profileFor } from '../../../src/window/profile.ts';
import {
  endsEarly,
  failWith,
  faultServer,
  rawBody,
  redirectTo,
  reset,
  resetMidway,
  startsOnly,
} from '../fault-server.ts';
import type { Act, Heard } from '../fault-server.ts';
import { hastyClock } from '../hasty-clock.ts';
import { fine, picturesIn } from '../refusing-server.ts';
import { shots } from '../shots.ts';

const assets = memoryAssets();
let texts: string[] = [];
let pictures: ImageBlock[] = [];
let paper: DocumentBlock;

beforeAll(async () => {
  ({ texts, blocks: pictures } = await shots(6, assets));
  const bytes = readFileSync(new URL('../../../examples/report.pdf', import.meta.url));
  paper = { type: 'document', asset: await assets.put(bytes, { mediaType: 'application/pdf', name: 'report.pdf' }), pages: 1 };
}); // prettier-ignore

/** What a reason may look at. */
type Sent = Heard & { count: number; shown: { path: string; data: string }[] };
type Reason = (sent: Sent) => boolean;

const picture: Reason = ({ shown }) => shown.some(({ data }) => data === texts[3]);
const anyPicture: Reason = ({ shown }) => shown.length > 0;
const morePictures =
  (most: number): Reason =>
  ({ shown }) =>
    shown.length > most;
const document: Reason = ({ body }) => body.includes('JVBERi');
const inResults: Reason = ({ shown }) =>
  shown.some(({ path }) => /\.output\[|functionResponse|toolResult|content\.\d+\.content/.test(path));
const thinking: Reason = ({ body }) => body.includes('sealed-by-the-maker');
/** Reasons that want a long conversation. */
const long = new Set<Reason>();
const moreBytes = (most: number): Reason => {
  const reason: Reason = ({ length }) => length > most;
  long.add(reason);
  return reason;
};
const asksFor =
  (field: RegExp): Reason =>
  ({ body }) =>
    field.test(body);
const userAfterTool: Reason = ({ body }) => /"role":"tool"(?:(?!"role").)*"role":"user"/.test(body);
const thoughtless: Reason = ({ body }) =>
  body.includes('"role":"assistant"') && !body.includes('"reasoning_content":""');
const times =
  (most: number): Reason =>
  ({ count }) =>
    count <= most; // prettier-ignore

const claude = 'anthropic/claude-sonnet-4-5';
const chat = 'openai-chat/gpt-4.1';
const responses = 'openai/gpt-5.2';
const gemini = 'gemini/gemini-3-pro-preview';
const ollama = 'ollama/qwen3-vl';
const groq = 'groq/meta-llama/llama-4-scout-17b-16e-instruct';
const mistral = 'mistral/pixtral-large-latest';
const vllm = 'vllm/Qwen/Qwen2.5-VL-7B-Instruct';
const llamacpp = 'llamacpp/qwen2.5-vl';
const openrouter = 'openrouter/anthropic/claude-sonnet-4.5';
const compatible = 'compatible/qwen2.5-vl';
const nova = 'bedrock/us.amazon.nova-pro-v1:0';
const bedrock = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0';

const anthropicSays = (message: string, type = 'invalid_request_error'): object => ({
  type: 'error',
  error: { type, message },
});
const openaiSays = (message: string, more: object = {}): object => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
});
const googleSays = (message: string, code = 400, status = 'INVALID_ARGUMENT', details?: object[]): object => ({
  error: { code, message, status, ...(details && { details }) },
});
const amazonSays = (message: string): object => ({ message: `The model returned the following errors: ${message}` });
const says = (status: number, body: object | string, headers: Record<string, string> = {}): Act =>
  typeof body === 'string' ? rawBody(body, 'text/html', status) : failWith(status, body, headers); // prettier-ignore

const retryInfo = (retryDelay: string): object => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
const quotaFailure = (quotaId: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId, quotaValue: '10' }],
}); // prettier-ignore
const overQuota =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.';

/** The place of the bad picture, in the spelling of the wire. */
type Refusal = Act | { at: (place: string) => Act };
type Row = [fault: string, model: string, reason: Reason, refusal: Refusal];
const at = (say: (place: string) => Act): Refusal => ({ at: say });

const rows: Row[] = [
  // Pictures
  ['a picture over 5 MB', claude, picture, at((place) => says(400, anthropicSays(`${place}: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes`)))],
  ['a picture over 8000 pixels', claude, picture, at((place) => says(400, anthropicSays(`${place}: At least one of the image dimensions exceed max allowed size: 8000 pixels`)))],
  ['a large one among many', claude, picture, at((place) => says(400, anthropicSays(`${place}: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`)))],
  ['a picture that cannot be processed', claude, picture, says(400, anthropicSays('Could not process image'))],
  ['another type than declared', claude, picture, at((place) => says(400, anthropicSays(`${place.replace(/\.source.*/, '')}: Image does not match the provided media type image/png`)))],
  ['another type, newer words', claude, picture, says(400, anthropicSays('The image was specified using the image/jpeg media type, but the image appears to be a image/png image'))],
  ['a picture in a failed result', claude, inResults, says(400, anthropicSays("messages.2.content.0.tool_result: all content must be type 'text' if 'is_error' is true"))],
  ['too many pictures', claude, morePictures(4), says(400, anthropicSays('messages: too many images and documents: 6 + 1 > 4'))],
  ['too much media', claude, morePictures(4), says(400, anthropicSays('Too much media: 0 document pages + 6 images > 4'))],
  ['a media type', claude, picture, at((place) => says(400, anthropicSays(`${place.replace(/\.data$/, '.media_type')}: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`)))],
  ['an unsupported picture', chat, picture, says(400, openaiSays("You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].", { code: 'image_parse_error' }))],
  ['invalid data with its place', responses, picture, at((place) => says(400, openaiSays('Invalid image data.', { param: place, code: 'invalid_value' })))],
  ['invalid data somewhere in the input', responses, picture, says(400, openaiSays('Invalid image data.', { param: 'input', code: 'invalid_value' }))],
  ['invalid data in one of the messages', chat, picture, says(400, openaiSays("Invalid 'messages[3]'. The image data you provided does not represent a valid image.", { param: 'messages[3]', code: 'invalid_value' }))],
  ['an invalid data URL', chat, picture, at((place) => says(400, openaiSays(`Invalid '${place}'. Expected a base64-encoded data URL with an image MIME type, but got unsupported MIME type 'image/bmp'.`, { param: place })))],
  ['no eyes', chat, anyPicture, says(400, openaiSays('Invalid content type. image_url is only supported by certain models.', { param: 'messages.[3].content.[1].type' }))],
  ['an unknown variant', compatible, anyPicture, says(400, openaiSays('Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`, expected `text` at line 1 column 99'))],
  ['no add-on for vision, and all is well', 'lmstudio/qwen2.5-vl', anyPicture, says(200, { error: { message: 'Error in iterating prediction stream: ValueError: Vision add-on is not loaded, but images were provided for processing' } })],
  ['no images, in other words', 'lmstudio/qwen2.5-vl', anyPicture, says(400, { error: 'Model does not support images. Please use a model that does.' })],
  ['no projector', llamacpp, anyPicture, says(500, openaiSays('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'))],
  ['no endpoint that sees', openrouter, anyPicture, says(404, openaiSays('No endpoints found that support image input', { code: 404 }))],
  ['one picture a prompt', vllm, morePictures(1), says(400, { object: 'error', message: 'At most 1 image(s) may be provided in one prompt.', type: 'BadRequestError', param: null, code: 400 })],
  ['pictures counted, and the most', compatible, morePictures(3), says(400, openaiSays('request contains 6 images, exceeding the maximum of 3 allowed per request'))],
  ['an image count', vllm, morePictures(2), says(400, { object: 'error', message: 'Image count 6 exceeds limit 2 per request.', type: 'BadRequestError', param: null, code: 400 })],
  ['five pictures', groq, morePictures(3), says(400, openaiSays('Too many images provided. This model supports up to 3 images'))],
  ['Gemini cannot read it', gemini, picture, says(400, googleSays('Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting'))],
  ['Gemini and a type', gemini, picture, says(400, googleSays('Unsupported MIME type: image/gif'))],
  ['Ollama cannot read it', ollama, picture, says(500, { error: 'Failed to load image or audio file' })],
  ['Ollama and one picture', ollama, morePictures(1), says(500, { error: 'this model only supports one image while more than one image requested' })],
  ['Ollama without eyes', ollama, anyPicture, says(400, { error: 'this model is missing data required for image input' })],
  ['not enabled', mistral, anyPicture, says(400, { object: 'error', message: 'Image content is not enabled for this model', type: 'invalid_request_error' })],
  ['a validator', compatible, picture, at((place) => says(422, { detail: [{ loc: ['body', ...(place.match(/\w+/g) ?? [])], msg: 'invalid image', type: 'value_error' }] }))],
  ['a gateway quoting its upstream', openrouter, picture, says(400, { error: { message: 'Provider returned error', code: 400, metadata: { raw: JSON.stringify(anthropicSays('messages.1.content.1.image.source.base64: image exceeds 5 MB maximum')), provider_name: 'Anthropic' } } })],
  ['a picture that cannot be downloaded', responses, picture, says(400, openaiSays('The image data you provided does not represent a valid image. Please check your input and try again.', { code: 'invalid_image' }))],
  ['a model of words', compatible, anyPicture, says(400, openaiSays('compatible-model is not a multimodal model'))],
  ['a picture over 5 MB, through Amazon', bedrock, picture, at((place) => says(400, amazonSays(`${place.replaceAll(/\[(\d+)\]/g, '.$1')}: image exceeds 5 MB maximum: 7167852 bytes > 5242880 bytes`)))],
  ['a format, through Amazon', bedrock, picture, at((place) => says(400, { message: `1 validation error detected: Value at '${place.replaceAll(/\[(\d+)\]/g, '.$1.member').replace('.source.bytes', '.format')}' failed to satisfy constraint: Member must satisfy enum value set: [png, jpeg, gif, webp]` }))],
  ['another format than said, through Amazon', nova, picture, says(400, amazonSays('The provided image does not match the specified image format.'))],
  ['too many pictures, through Amazon', bedrock, morePictures(4), says(400, amazonSays('too many images and documents: 6 + 0 > 4'))],
  // Documents
  ['too many pages', claude, document, says(400, anthropicSays('messages.2.content.0.tool_result.content.7.document: A maximum of 100 PDF pages may be provided.'))],
  ['a password', claude, document, says(400, anthropicSays('messages.2.content.0.tool_result.content.7.document.source.base64.data: The PDF specified is password protected.'))],
  ['a PDF that is not valid', claude, document, says(400, anthropicSays('The PDF specified was not valid.'))],
  ['no file parts', chat, document, says(400, openaiSays("Invalid Value: 'file'. This model does not support file content types.", { param: 'messages[3].content[13]' }))],
  ['text or image_url alone', chat, document, says(400, openaiSays("Invalid 'messages[3]'. Content blocks are expected to be either text or image_url type.", { param: 'messages[3]', code: 'invalid_value' }))],
  ['no pages', gemini, document, says(400, googleSays('The document has no pages.'))],
  ['PDFs are not supported', responses, document, says(400, openaiSays('PDF input is not supported by this model'))],
  // Media in results
  ['words alone in a result', responses, inResults, says(400, { error: { code: 400, message: "Output of tool call should be 'Input text'", type: 'invalid_request_error' } })],
  ['no media in a function response', gemini, inResults, says(400, googleSays('Multimodal function responses are not supported for this model.'))],
  ['pictures of users alone', responses, inResults, says(400, openaiSays("Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.", { param: 'messages[2]' }))],
  ['pictures beside results alone', nova, inResults, says(400, { message: "This model doesn't support the image field for user messages. Remove image and try again." })],
  ['no pictures at all, in the same words', nova, anyPicture, says(400, { message: "This model doesn't support the image field for user messages. Remove image and try again." })],
  // Thinking
  ['thinking bound elsewhere', claude, thinking, says(400, anthropicSays('messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'))],
  ['thinking modified', claude, thinking, says(400, anthropicSays('messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.'))],
  ['thinking where it is off', claude, thinking, says(400, anthropicSays('messages.1.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.'))],
  ['thinking without its signature', claude, thinking, says(400, anthropicSays('messages.1.content.0.thinking.signature: Field required'))],
  ['thinking alone', claude, thinking, says(400, anthropicSays('messages.1: The final block in an assistant message cannot be `thinking`.'))],
  ['no signature', gemini, thinking, says(400, googleSays('Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'))],
  ['a signature that is not valid', gemini, thinking, says(400, googleSays('Thought signature is not valid.'))],
  ['a corrupted signature', gemini, thinking, says(400, googleSays('Corrupted thought signature.'))],
  ['encrypted elsewhere', responses, thinking, says(400, openaiSays('The encrypted content for item rs_0123 could not be verified.', { code: 'invalid_encrypted_content' }))],
  ['reasoning alone', responses, thinking, says(400, openaiSays("Item 'rs_68c42de022c881948db7ed1cc2529f2e0202c9ad459e0d23' of type 'reasoning' was provided without its required following item.", { param: 'input' }))],
  // Too much
  ['a prompt too long', claude, moreBytes(110_000), says(400, anthropicSays('prompt is too long: 214387 tokens > 200000 maximum'))],
  ['no room for the answer', claude, moreBytes(110_000), says(400, anthropicSays('input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length or `max_tokens` and try again'))],
  ['a maximum context length', chat, moreBytes(110_000), says(400, openaiSays("This model's maximum context length is 128000 tokens. However, your messages resulted in 150244 tokens.", { code: 'context_length_exceeded', param: 'messages' }))],
  ['the context window', responses, moreBytes(110_000), says(400, openaiSays('Your input exceeds the context window of this model. Please adjust your input and try again.'))],
  ['the token count', gemini, moreBytes(110_000), says(400, googleSays('The input token count (1394876) exceeds the maximum number of tokens allowed (1048575).'))],
  ['the available context size', llamacpp, moreBytes(110_000), says(400, openaiSays('the request exceeds the available context size, try increasing it', { type: 'exceed_context_size_error' }))],
  ["the context length of Ollama", ollama, moreBytes(50_000), says(400, { error: 'the input length exceeds the context length' })],
  ['tokens per minute', groq, moreBytes(110_000), says(413, openaiSays('Request too large for model `x` in organization `org` on tokens per minute (TPM): Limit 6000, Requested 7000', { code: 'rate_limit_exceeded' }))],
  ['bytes', claude, moreBytes(120_000), says(413, anthropicSays('Request exceeds the maximum size', 'request_too_large'))],
  ['payload size', gemini, moreBytes(120_000), says(400, googleSays('Request payload size exceeds the limit: 20971520 bytes.'))],
  ['a proxy and its bound', chat, moreBytes(120_000), says(413, '<html><head><title>413 Request Entity Too Large</title></head></html>')],
  ['an input too long, through Amazon', bedrock, moreBytes(110_000), says(400, { message: 'Input is too long for requested model.' })],
  // A server with habits of its own
  ['no user after a result', compatible, userAfterTool, says(400, { object: 'error', message: "Unexpected role 'user' after role 'tool'", type: 'invalid_request_message_order', param: null, code: '3230' })],
  ['thinking in every message', compatible, thoughtless, says(400, openaiSays('The `reasoning_content` in the thinking mode must be passed back to the API.'))],
  ['no usage in a stream', compatible, asksFor(/"stream_options"/), says(400, openaiSays('Unrecognized request argument supplied: stream_options'))],
  // An account that nobody has verified
  ['it may not stream, on Responses', responses, asksFor(/"stream":true/), says(400, openaiSays('Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.', { param: 'stream', code: 'unsupported_value' }))],
  ['it may not stream, on Chat', chat, asksFor(/"stream":true/), says(400, openaiSays('Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.', { param: 'stream', code: 'unsupported_value' }))],
  ['it may have no summaries', responses, asksFor(/"summary":"auto"/), says(400, openaiSays('Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.', { param: 'reasoning.summary', code: 'unsupported_value' }))],
  // What passes
  ['a quota by the minute, with its wait', gemini, times(1), says(429, googleSays(overQuota, 429, 'RESOURCE_EXHAUSTED', [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'), retryInfo('41.2s')]))],
  ['a quota by the minute, without', gemini, times(2), says(429, googleSays(overQuota, 429, 'RESOURCE_EXHAUSTED', [quotaFailure('GenerateContentInputTokensPerModelPerMinute-FreeTier')]))],
  ['a quota with a wait alone', gemini, times(1), says(429, [googleSays(overQuota, 429, 'RESOURCE_EXHAUSTED', [retryInfo('34s')])])],
  ['a call that its host cannot read', groq, times(2), says(400, openaiSays("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", { code: 'tool_use_failed', failed_generation: '<function=look>' }))],
  ['a call that did not come', groq, times(1), says(400, { error: { code: 'tool_use_failed', failed_generation: 'maybe', message: 'Tool choice is required, but model did not call a tool', type: 'invalid_request_error' } })],
  ['slow down, in words', responses, times(1), says(429, openaiSays('Rate limit reached for gpt-5 on tokens per min. Please try again in 20.5s.', { code: 'rate_limit_exceeded' }))],
  ['slow down, in a header', claude, times(2), says(429, anthropicSays('This request would exceed your rate limit', 'rate_limit_error'), { 'retry-after': '7' })],
  ['upstream is limited', openrouter, times(1), says(429, { error: { code: 429, message: 'Provider returned error', metadata: { provider_name: 'Google', raw: 'google/gemini-2.0-flash-exp:free is temporarily rate-limited upstream. Please retry shortly, or add your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations' } } })],
  ['overloaded', claude, times(2), says(529, anthropicSays('Overloaded', 'overloaded_error'))],
  ['the model is loading', llamacpp, times(2), says(503, { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } })],
  ['the model is overloaded', gemini, times(1), says(503, googleSays('The model is overloaded. Please try again later.', 503, 'UNAVAILABLE'))],
  ['a failure inside', responses, times(2), says(500, openaiSays('The server had an error while processing your request. Sorry about that!', { type: 'server_error' }))],
  ['a bad gateway', chat, times(1), says(502, '<html><head><title>502 Bad Gateway</title></head></html>')],
  ['a conflict', chat, times(1), says(409, openaiSays('Conflict'))],
  ['a reset', claude, times(2), reset],
  ['a reset in the middle', claude, times(1), resetMidway],
  ['an end in the middle', claude, times(1), endsEarly],
  ['an end at the beginning', claude, times(1), startsOnly],
  ['an error in the stream', claude, times(1), rawBody('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n')],
  ['an address that moved', claude, ({ url }) => !url.includes('elsewhere'), redirectTo('/v1/elsewhere')],
]; // prettier-ignore

const sealed = 'sealed-by-the-maker';

/** The first answer, as this very model would have given it, thinking included. */
function asked(model: string): Block[] {
  const { wire, endpoint, id } = profileFor(model);
  const seal = (item: Seal['item']): Seal => ({ wire, endpoint, model: id, item });
  const call = { type: 'call', id: 'abcdefghi', name: 'look', input: {} } as const;
  switch (wire) {
    case 'anthropic-messages':
      return [{ type: 'thinking', text: 'hm', seal: seal({ type: 'thinking', thinking: 'hm', signature: sealed }) }, call];
    case 'openai-responses':
      return [{ type: 'thinking', text: 'hm', seal: seal({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed }) }, call];
    case 'gemini':
      return [{ ...call, seal: seal({ functionCall: { name: 'look', args: {}, id: call.id }, thoughtSignature: sealed }) }];
    default:
      return [call];
  }
} // prettier-ignore

function conversation(model: string, reason: Reason): MessageInput[] {
  const old = Array.from({ length: long.has(reason) ? 12 : 0 }, (_, turn): MessageInput[] => [
    { role: 'user', content: `Question ${turn} ${'word '.repeat(1200)}` },
    { role: 'assistant', model, content: `Answer ${turn} ${'word '.repeat(1200)}` },
  ]).flat();
  const shown = reason === document ? [...pictures, paper] : pictures;
  return [
    ...old,
    { role: 'user', content: 'Look' },
    { role: 'assistant', model, content: asked(model) },
    { role: 'tool', callId: 'abcdefghi', name: 'look', content: ['here they are', ...shown] },
  ];
}

async function heal([, model, reason, refusal]: Row): Promise<RunResult & { refusals: number }> {
  const { wire } = profileFor(model);
  let [count, refusals] = [0, 0];
  const server = await faultServer((heard) => {
    if (/\/api\/show|\/props/.test(heard.url)) return failWith(404, { error: 'not found' });
    const shown = picturesIn(wire, heard.body);
    if (!reason({ ...heard, count: ++count, shown })) return fine(wire);
    refusals++;
    const place = shown.find(({ data }) => data === texts[3])?.path ?? '';
    return 'at' in refusal ? refusal.at(place) : refusal;
  });
  const withThinking = model === responses ? { thinking: 'low' as const } : {};
  const run = runAgent({ model, ...withThinking, messages: conversation(model, reason), assets, baseUrl: server.url, key: 'k', clock: hastyClock() });
  return { ...(await run.result().finally(server.close)), refusals };
} // prettier-ignore

test('they are distinct', () => {
  expect(new Set(rows.map(([fault]) => fault)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(64);
});

test.each(rows)('%s (%s) is healed', async (...row) => {
  const { stop, text, error, refusals } = await heal(row);
  expect(refusals).toBeGreaterThan(0);
  expect(`${stop} ${text} ${error?.message ?? ''}`).toBe('end fine ');
});
