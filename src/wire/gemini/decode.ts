// An answer of Gemini's generateContent → events. A stream is a row of responses, each with some more parts; a whole
// answer is one such response, so only the end of the stream tells that it is complete. A part that carries a thought
// signature is a block of its own and is sealed as it came: signatures must not move to another part.
import { isMediaKind } from '../../content/block.ts';
import type { Block } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { Author } from '../accepted.ts';
import { citing } from '../annotations.ts';
import { countAt, decoder, holdsOnly, listAt, madeCallId, fieldText, usageOf } from '../event-decoder.ts';
import type { AnswerBuilder, Reader } from '../event-decoder.ts';
import { providerError } from '../provider-error.ts';
import type { Decoder } from '../wire.ts';
import { groundedIn } from './grounding.ts';
import { setAt } from './partial-arguments.ts';
import type { Fields } from '../fields.ts';

/** A call whose arguments are still coming, one value after the other. */
type Open = { index: number; id: string; part: Fields; called: Fields; args: unknown };

export function decode(author: Author): Decoder {
  return decoder('gemini', author, reader);
}

const notes = ['groundingMetadata', 'citationMetadata', 'urlContextMetadata', 'urlRetrievalMetadata'];

function reader(answer: AnswerBuilder): Reader {
  let words: { type: 'text' | 'thinking'; index: number } | undefined;
  let calling: Open | undefined;
  let calls = 0;
  let response = '';
  let reason: string | undefined;
  let why = '';
  let usage: Fields = {};
  const noted = new Map<string, unknown>();

  function closeWords(): void {
    if (words) {
      const block = { type: words.type, text: answer.text(words.index) };
      answer.close(words.index, block.type === 'text' ? { ...block, type: 'text', ...cited(block.text) } : block);
    }
    words = undefined;
  }
  const cited = (text: string): ReturnType<typeof citing> =>
    citing(groundedIn(text, noted.get('groundingMetadata'), noted.get('citationMetadata')));
  function openCall(part: Fields, called: Fields): Open {
    const name = fieldText(called, 'name');
    const id = fieldText(called, 'id') || madeCallId(response, calls++, name, fieldText(part, 'thoughtSignature'));
    const index = answer.open({ type: 'call', id, name, input: {} });
    return { index, id, part, called, args: called['args'] };
  }
  function closeCall(): void {
    if (!calling) return;
    const { index, id, part, args } = calling;
    const { willContinue: _, partialArgs: __, ...called } = calling.called;
    calling = undefined;
    const block = { type: 'call' as const, id, name: fieldText(called, 'name'), input: args ?? {} };
    const plain = holdsOnly(part, ['functionCall']) && holdsOnly(called, ['id', 'name', 'args']);
    // The id that we gave stands in the seal too: the response to this call will name it.
    const functionCall = { ...called, id, ...(args !== undefined && { args }) };
    answer.close(index, { ...block, ...(!plain && { seal: answer.seal({ ...part, functionCall }) }) });
  }
  function readCall(part: Fields, called: Fields): void {
    if (typeof called['name'] === 'string') closeCall();
    else if (!calling) return answer.extra(part);
    calling ??= openCall(part, called);
    for (const piece of listAt(called, 'partialArgs')) calling.args = setAt(calling.args, piece);
    if (called['willContinue'] !== true) closeCall();
  }
  function readPart(part: Fields): void {
    if (isRecord(part['functionCall'])) {
      closeWords();
      return readCall(part, part['functionCall']);
    }
    const block = blockOf(part, answer);
    if (block.type === 'text' || block.type === 'thinking') {
      if (block.text === '' && !block.seal) return;
      if (words?.type !== block.type || block.seal) closeWords();
      if (!block.seal) {
        closeCall();
        words ??= { type: block.type, index: answer.open({ type: block.type, text: '' }) };
        return answer.grow(words.index, block.text);
      }
    }
    closeWords();
    closeCall();
    answer.whole(block.type === 'text' ? { ...block, ...cited(block.text) } : block);
  }
  function counted(event: Fields): boolean {
    if (!isRecord(event['usageMetadata'])) return false;
    usage = event['usageMetadata'];
    return true;
  }
  return {
    read(event) {
      const candidates = listAt(event, 'candidates');
      const feedback = event['promptFeedback'];
      if (!counted(event) && candidates.length === 0 && !isRecord(feedback)) return answer.extra(event);
      answer.begin();
      response = fieldText(event, 'responseId') || response;
      if (isRecord(feedback) && typeof feedback['blockReason'] === 'string') {
        reason ??= feedback['blockReason'] === 'OTHER' ? 'SAFETY' : feedback['blockReason'];
        noted.set('promptFeedback', feedback);
      }
      for (const candidate of candidates) {
        if ((candidate['index'] ?? 0) !== 0) {
          answer.extra(candidate);
          continue;
        }
        // Before the parts, because one of them may end the words that they are about.
        for (const note of notes) if (candidate[note] !== undefined) noted.set(note, candidate[note]);
        const parts = listAt(candidate['content'], 'parts');
        for (const part of parts) readPart(part);
        reason = fieldText(candidate, 'finishReason') || reason;
        why = fieldText(candidate, 'finishMessage') || why;
      }
    },
    finish() {
      if (reason === undefined) return;
      closeWords();
      closeCall();
      if (noted.size > 0) answer.extra(Object.fromEntries(noted));
      const stop = stopOf(reason);
      if (stop === 'error') answer.fail(providerError('server', `The model could not answer: ${why || reason}`));
      else answer.end(stop, usageFrom(usage));
    },
  };
}

/** A part that is no call. Without a signature, words are plain: a stream gives them in any number of pieces. */
function blockOf(part: Fields, answer: AnswerBuilder): Block {
  const { text } = part;
  const signed = typeof part['thoughtSignature'] === 'string';
  if (typeof text !== 'string') return { type: 'sealed', seal: answer.seal(part) };
  const seal = signed && { seal: answer.seal(part) };
  if (part['thought'] === true) return { type: 'thinking', text, ...seal };
  // An empty text that carries a signature has no meaning of its own.
  return signed && text === '' ? { type: 'sealed', seal: answer.seal(part) } : { type: 'text', text, ...seal };
}

/** Reasons that are no decision of a filter are trouble: no answer came, and asking again may help. */
function stopOf(reason: string): Stop {
  switch (reason) {
    case 'STOP':
    case 'FINISH_REASON_UNSPECIFIED':
      return 'end';
    case 'MAX_TOKENS':
    case 'CONTINUATION':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'LANGUAGE':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
    case 'IMAGE_PROHIBITED_CONTENT':
    case 'IMAGE_RECITATION':
    case 'MODEL_ARMOR':
    case 'JAILBREAK':
    case 'BLOCKED_REASON_UNSPECIFIED':
      return 'declined';
    default:
      return 'error'; // MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, OTHER and what is yet to come
  }
}

/** Google counts cached tokens among the prompt, but thoughts and the results of its own tools apart. */
function usageFrom(usage: Fields): Usage | undefined {
  const prompt = countAt(usage, 'promptTokenCount');
  const candidates = countAt(usage, 'candidatesTokenCount');
  const thoughts = countAt(usage, 'thoughtsTokenCount') ?? 0;
  return usageOf({
    input: prompt === undefined ? undefined : prompt + (countAt(usage, 'toolUsePromptTokenCount') ?? 0),
    output: candidates === undefined && thoughts === 0 ? undefined : (candidates ?? 0) + thoughts,
    cached: countAt(usage, 'cachedContentTokenCount'),
    media: mediaIn(usage, prompt),
  });
}

/** Tokens by modality, where those that are named make up the whole prompt. */
function mediaIn(usage: Fields, prompt: number | undefined): Usage['media'] {
  const rows = listAt(usage, 'promptTokensDetails');
  const told = rows.reduce((sum, row) => sum + (countAt(row, 'tokenCount') ?? 0), 0);
  if (rows.length === 0 || prompt === undefined || told < prompt) return undefined;
  return Object.fromEntries(
    rows.flatMap((row) => {
      const kind = fieldText(row, 'modality').toLowerCase();
      return isMediaKind(kind) ? [[kind, countAt(row, 'tokenCount') ?? 0]] : [];
    }),
  );
}
