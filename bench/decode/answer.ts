// One long answer as each provider streams it: some thousand small pieces of text, in its own frames and with the fields
// that stand around them, those that differ from piece to piece among them.

export type StreamedWire = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini';

const words = 'The quick brown fox jumps over the lazy dog, and “nobody” minds. '.split(/(?<= )/);

/** The payloads of the events, in order. */
export function payloads(wire: StreamedWire, pieces: number): string[] {
  const texts = Array.from({ length: pieces }, (_, index) => words[index % words.length] ?? '');
  return events(wire, texts).map((event) => JSON.stringify(event));
}

/** The same as bytes, in chunks as a connection delivers them. */
export function chunks(wire: StreamedWire, data: readonly string[]): Uint8Array<ArrayBuffer>[] {
  const size = 16 * 1024;
  const named = wire === 'anthropic-messages' || wire === 'openai-responses';
  const frames = data.map((event) => {
    const name = named ? `event: ${/"type":"([^"]+)"/.exec(event)?.[1]}\n` : '';
    return `${name}data: ${event}\n\n`;
  });
  const bytes = new TextEncoder().encode(frames.join('') + (wire === 'openai-chat' ? 'data: [DONE]\n\n' : ''));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

/** OpenAI hides the length of each piece behind letters that mean nothing. */
function noise(index: number): string {
  return 'aB3xY9kLmN0pQ'.slice(0, 6 + (index % 7));
}

function geminiPart(text: string, count: number, more: object = {}): object {
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: count, totalTokenCount: count + 1 },
    modelVersion: 'gemini',
    responseId: 'r1',
  };
}

function events(wire: StreamedWire, texts: readonly string[]): object[] {
  switch (wire) {
    case 'anthropic-messages': {
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
      };
      const usage = { input_tokens: 1, output_tokens: 1 };
      return [
        { type: 'message_start', message: { ...message, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...texts.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ];
    }
    case 'openai-chat': {
      const head = {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'gpt',
        system_fingerprint: 'fp_1',
      };
      const chunk = (delta: object, obfuscation: string, finish_reason: string | null = null): object => ({
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
        usage: null,
        obfuscation,
      });
      return [...texts.map((content, index) => chunk({ content }, noise(index))), chunk({}, '', 'stop')];
    }
    case 'openai-responses': {
      const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
      const item = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' };
      const content = [{ type: 'output_text', text: texts.join(''), annotations: [], logprobs: [] }];
      const output = [{ ...item, content }];
      return [
        { type: 'response.created', response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
        ...texts.map((delta, index) => ({
          type: 'response.output_text.delta',
          ...place,
          delta,
          logprobs: [],
          obfuscation: noise(index),
          sequence_number: index,
        })),
        { type: 'response.output_item.done', output_index: 0, item: output[0] },
        { type: 'response.completed', response: { id: 'resp_1', object: 'response', status: 'completed', output } },
      ];
    }
    case 'gemini':
      return [
        ...texts.map((text, index) => geminiPart(text, index)),
        geminiPart('', texts.length, { finishReason: 'STOP' }),
      ];
  }
}
