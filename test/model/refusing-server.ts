// What a provider says on each wire when all is well, and when it does not like a picture.
import type { WireName } from '../../src/window/profile.ts';
import { failWith, rawBody, streamOf } from './fault-server.ts';
import type { Act } from './fault-server.ts';

/** A good answer, streamed where the wire is simple to write and whole elsewhere. */
export function fine(wire: WireName): Act {
  switch (wire) {
    case 'anthropic-messages':
      return rawBody(streamOf('fine'));
    case 'openai-chat': {
      const chunk = { id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'fine' }, finish_reason: 'stop' }] };
      return rawBody(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    }
    case 'openai-responses': {
      const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'fine', annotations: [] }] };
      const response = { id: 'resp_1', object: 'response', status: 'completed', output: [message], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
      return rawBody(JSON.stringify(response), 'application/json');
    }
    case 'gemini': {
      const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'fine' }] }, finishReason: 'STOP', index: 0 }] };
      return rawBody(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    }
    case 'ollama': {
      const line = { model: 'x', message: { role: 'assistant', content: 'fine' }, done: true, done_reason: 'stop' };
      return rawBody(`${JSON.stringify(line)}\n`, 'application/x-ndjson');
    }
    case 'bedrock-converse': {
      const message = { role: 'assistant', content: [{ text: 'fine' }] };
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return rawBody(JSON.stringify({ output: { message }, stopReason: 'end_turn', usage, metrics: { latencyMs: 1 } }), 'application/json');
    }
  }
} // prettier-ignore

/** A complaint about a picture, in the words and the envelope of the wire's vendor. */
export function dislikes(wire: WireName, path: string | undefined): Act {
  switch (wire) {
    case 'anthropic-messages':
      return failWith(400, path === undefined ? 'Could not process image' : `${path}.source.base64: image exceeds 5 MB maximum`);
    case 'openai-chat':
    case 'openai-responses':
      return failWith(400, { error: { message: 'Invalid image data.', type: 'invalid_request_error', param: path ?? null, code: 'invalid_image' } });
    case 'gemini':
      return failWith(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: `${path === undefined ? '' : `* GenerateContentRequest.${path}: `}Unable to process input image.` } });
    case 'bedrock-converse':
      return failWith(400, { message: `The model returned the following errors: ${path === undefined ? '' : `${path}: `}Could not process image` });
    case 'ollama':
      return failWith(500, { error: 'Failed to load image or audio file' });
  }
} // prettier-ignore

export type Seen = { path: string; data: string };

/** Every picture in a body, with its place in the vendor's spelling. */
export function picturesIn(wire: WireName, body: string): Seen[] {
  const seen: Seen[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      const data = value.replace(/^data:image\/\w+;base64,/, '');
      if (/^(?:iVBOR|\/9j\/)/.test(data)) seen.push({ path, data });
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        visit(item, wire === 'anthropic-messages' ? `${path}.${at}` : `${path}[${at}]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, path === '' ? key : `${path}.${key}`);
    }
  };
  visit(JSON.parse(body), '');
  return seen;
}
