// An answer of Ollama's /api/chat → events. Every line holds a piece of one message; the last one says `done`. A whole
// answer is one such line. Calls come complete, their arguments as an object.
import { isRecord } from '../../content/json.ts';
import type { Stop } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { countAt, decoder, listAt, madeCallId, readArguments, fieldText, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import { providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';

export function decode(author: Author): Decoder {
  return decoder('ollama', author, reader);
}

function reader(answer: AnswerBuilder): Reader {
  let thinking: number | undefined;
  let text: number | undefined;
  let calls = 0;

  function call(item: Record<string, unknown>, created: string): void {
    const called = isRecord(item['function']) ? item['function'] : {};
    const name = fieldText(called, 'name');
    const given = called['arguments'];
    const input = typeof given === 'string' ? readArguments(given) : (given ?? {});
    const position = calls++;
    answer.whole({
      type: 'call',
      id: fieldText(item, 'id') || madeCallId(created, position, name, input),
      name,
      input,
    });
  }
  return {
    read(event) {
      const { message } = event;
      if (!isRecord(message) && event['done'] !== true) return answer.extra(event);
      answer.begin();
      const thought = fieldText(message, 'thinking');
      if (thought !== '') answer.grow((thinking ??= answer.open({ type: 'thinking', text: '' })), thought);
      const said = fieldText(message, 'content');
      if (said !== '') answer.grow((text ??= answer.open({ type: 'text', text: '' })), said);
      for (const item of listAt(message, 'tool_calls')) call(item, fieldText(event, 'created_at'));
      if (isRecord(message) && Array.isArray(message['images'])) answer.extra({ images: message['images'] });
      if (event['done'] !== true) return;
      if (thinking !== undefined) {
        const words = answer.text(thinking);
        answer.close(thinking, { type: 'thinking', text: words, seal: answer.seal({ thinking: words }) });
      }
      if (text !== undefined) answer.close(text, { type: 'text', text: answer.text(text) });
      const reason = fieldText(event, 'done_reason');
      if (reason === 'load' || reason === 'unload')
        return answer.fail(providerError('server', `The server answered only that it did "${reason}" the model.`));
      answer.end(
        stopOf(reason),
        usageOf({ input: countAt(event, 'prompt_eval_count'), output: countAt(event, 'eval_count') }),
      );
    },
  };
}

function stopOf(reason: string): Stop {
  return reason === 'length' ? 'length' : 'end';
}
