// An answer of the Chat Completions API, OpenAI's or a compatible server's → events. A message is fields: reasoning
// under several names, the text, calls by index. Each field is one block however its pieces arrive; a whole message is a
// single piece.
import { isRecord } from '../../content/json.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { countAt, decoder, listAt, fieldText, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import { errorOf, providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';
import { callReader } from './decode-calls.ts';
import { wordsReader } from './decode-words.ts';
import type { Fields } from '../fields.ts';

export function decode(author: Author): Decoder {
  return decoder('openai-chat', author, reader);
}

function reader(answer: AnswerBuilder): Reader {
  const words = wordsReader(answer);
  const calls = callReader(answer);
  const noted = new Map<string, unknown>();
  let usage: unknown;
  let reason: string | undefined;

  function piece(delta: Fields, event: Fields): void {
    for (const field in delta) {
      const value = delta[field];
      if (value === null || words.read(field, value)) continue;
      if (field === 'tool_calls')
        for (const call of listAt(delta, field)) calls.read(call, [event['id'], event['created']]);
      else if (field === 'images')
        for (const image of listAt(delta, field))
          answer.whole({ type: 'sealed', seal: answer.seal({ images: [image] }) });
      else if (typeof value === 'object') answer.extra({ [field]: value }); // annotations, audio
    }
  }
  /** Perplexity tells its sources with every event. */
  function note(event: Fields, field: string): void {
    if (Array.isArray(event[field])) noted.set(field, event[field]);
  }
  function finish(): void {
    words.close();
    calls.close();
    if (noted.size > 0) answer.extra(Object.fromEntries(noted));
    if (reason === 'error' || reason === 'insufficient_system_resource')
      return answer.fail(providerError('server', `The server could not finish the answer (${reason}).`));
    answer.end(words.declined() ? 'declined' : stopOf(reason), usageFrom(usage));
  }
  function counted(event: Fields): void {
    usage = isRecord(event['usage']) ? event['usage'] : (groqUsage(event) ?? usage);
  }
  return {
    read(event) {
      const choices = listAt(event, 'choices');
      counted(event);
      if (choices.length === 0 && !isRecord(event['usage'])) return answer.extra(event);
      answer.begin();
      note(event, 'citations');
      note(event, 'search_results');
      let whole = false;
      for (const choice of choices) {
        if ((choice['index'] ?? 0) !== 0) {
          answer.extra(choice);
          continue;
        }
        const error = errorOf(choice);
        if (error) return answer.fail(error);
        reason = fieldText(choice, 'finish_reason') || reason;
        whole = !isRecord(choice['delta']) && isRecord(choice['message']);
        const said = choice['delta'] ?? choice['message'];
        if (isRecord(said)) piece(said, event);
      }
      if (whole) finish();
    },
    finish(told) {
      if (told || reason !== undefined) finish();
    },
  };
}

function groqUsage(event: Fields): unknown {
  return isRecord(event['x_groq']) && isRecord(event['x_groq']['usage']) ? event['x_groq']['usage'] : undefined;
}

function stopOf(reason: string | undefined): Stop {
  switch (reason) {
    case 'tool_calls':
    case 'function_call':
      return 'calls';
    case 'length':
    case 'model_length':
      return 'length';
    case 'content_filter':
      return 'declined';
    default:
      return 'end';
  }
}

/**
 * Cached tokens stand among those of the prompt. Some servers leave reasoning out of the completion and count it in the
 * total alone.
 */
function usageFrom(usage: unknown): Usage | undefined {
  const input = countAt(usage, 'prompt_tokens');
  const completion = countAt(usage, 'completion_tokens');
  const total = countAt(usage, 'total_tokens');
  const rest = total === undefined || input === undefined ? 0 : total - input;
  const details = isRecord(usage) ? usage['prompt_tokens_details'] : undefined;
  return usageOf({
    input,
    output: completion === undefined ? undefined : Math.max(completion, rest),
    cached:
      countAt(details, 'cached_tokens') ?? countAt(usage, 'prompt_cache_hit_tokens') ?? countAt(usage, 'cached_tokens'),
    written: countAt(details, 'cache_write_tokens') ?? countAt(usage, 'cache_creation_input_tokens'),
  });
}
