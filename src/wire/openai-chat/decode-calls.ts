// The calls of a Chat Completions message. Their pieces name them by index, by id, or not at all.
import { isRecord } from '../../content/json.ts';
import { madeCallId, readArguments, fieldText } from '../event-decoder.ts';
import type { AnswerBuilder } from '../event-decoder.ts';
import { argumentsText } from '../spelling.ts';
import type { Fields } from '../fields.ts';

type Open = { index: number; place: unknown; id: string; given: string; name: string; rest: Fields };

export function callReader(answer: AnswerBuilder): {
  /** A call, or a piece of one; `source` tells this answer from every other. */
  read: (piece: Fields, source: unknown[]) => void;
  close: () => void;
} {
  const calls: Open[] = [];

  function open(piece: Fields, source: unknown[]): Open {
    const called = piece['function'];
    const name = fieldText(called, 'name');
    const given = fieldText(piece, 'id');
    const id = given || madeCallId(...source, calls.length, name);
    const index = answer.open({ type: 'call', id, name, input: {} });
    const call: Open = { index, place: piece['index'], id, given, name, rest: {} };
    calls.push(call);
    return call;
  }
  return {
    read(piece, source) {
      const called = isRecord(piece['function']) ? piece['function'] : {};
      const call = find(calls, piece, fieldText(called, 'name')) ?? open(piece, source);
      const { arguments: given } = called;
      if (typeof given === 'string') answer.grow(call.index, given);
      else if (isRecord(given)) answer.grow(call.index, JSON.stringify(given));
      const { index: _, id: __, type: ___, function: ____, ...rest } = piece;
      Object.assign(call.rest, rest);
    },
    close() {
      for (const { index, id, given, name, rest } of calls) {
        const raw = answer.text(index);
        const input = readArguments(raw);
        const call = { type: 'call' as const, id, name, input };
        const item = { id, type: 'function', function: { name, arguments: raw }, ...rest };
        const plain = !isRecord(input) || (argumentsText(input) === raw && Object.keys(rest).length === 0);
        const sealed = !plain && given !== '' && raw !== '';
        answer.close(index, { ...call, ...(sealed && { seal: answer.seal(item) }) }, raw);
      }
      calls.length = 0;
    },
  };
}

/** The call that a piece goes on with. A new id with a name is a new call, whatever its index says. */
function find(calls: readonly Open[], piece: Fields, name: string): Open | undefined {
  const id = fieldText(piece, 'id');
  const named = piece['index'] !== undefined && piece['index'] !== null;
  const last = named ? calls.findLast((call) => call.place === piece['index']) : calls.at(-1);
  if (name === '' || !last) return last;
  if (id !== '') return id === last.given ? last : calls.find((call) => call.given === id);
  return named ? last : undefined;
}
