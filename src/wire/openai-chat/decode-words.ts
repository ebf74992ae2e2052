// The words of a Chat Completions message: its text, and its reasoning under whatever name the server has for it.
// Reasoning is sealed field by field as it came, because it goes back under the same names.
import type { Citation, Seal } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { annotatedSource, citing } from '../annotations.ts';
import { listAt, fieldText } from '../event-decoder.ts';
import type { AnswerBuilder } from '../event-decoder.ts';
import type { Fields } from '../fields.ts';

/** The names under which reasoning comes as plain words. */
const named: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'thinking']);

export function wordsReader(answer: AnswerBuilder): {
  /** One field of a piece; false when it is not one of words. */
  read: (field: string, value: unknown) => boolean;
  close: () => void;
  /** Whether the text is a refusal. */
  declined: () => boolean;
} {
  let text: number | undefined;
  let thinking: number | undefined;
  let declined = false;
  /** The same thought may come under two names at once; the name that came first is listened to. */
  let leader: string | undefined;
  /** What came under the other names. */
  const fields: Record<string, string> = {};
  const details: Fields[] = [];
  const parts: Fields[] = [];
  const sources: Citation[] = [];

  function say(words: unknown): void {
    if (typeof words !== 'string' || words === '') return;
    answer.grow((text ??= answer.open({ type: 'text', text: '' })), words);
  }
  function think(field: string, words: string): void {
    thinking ??= answer.open({ type: 'thinking', text: '' });
    if (words === '') return;
    leader ??= field;
    if (leader === field) answer.grow(thinking, words);
  }
  /** Mistral gives content as parts, thinking among them. */
  function readPart(part: Fields): void {
    addPart(parts, part);
    if (part['type'] !== 'thinking') return say(part['text']);
    const thought = listAt(part, 'thinking').map((one) => fieldText(one, 'text'));
    think('content', thought.join('') || fieldText(part, 'thinking'));
  }
  function sealed(): { seal?: Seal } {
    const mixed = parts.some((part) => part['type'] !== 'text');
    const item = {
      ...(leader !== undefined && thinking !== undefined && named.has(leader) && { [leader]: answer.text(thinking) }),
      ...fields,
      ...(details.length > 0 && { reasoning_details: details }),
      ...(mixed && { content: parts }),
    };
    return Object.keys(item).length > 0 ? { seal: answer.seal(item) } : {};
  }
  return {
    read(field, value) {
      switch (field) {
        case 'content':
          if (Array.isArray(value)) for (const part of value.filter(isRecord)) readPart(part);
          else say(value);
          return true;
        case 'reasoning_content':
        case 'reasoning':
        case 'thinking':
          if (typeof value !== 'string') return false;
          if (value === '') return true;
          think(field, value);
          if (leader !== field) fields[field] = (fields[field] ?? '') + value;
          return true;
        case 'reasoning_details':
          if (!Array.isArray(value)) return false;
          for (const detail of value.filter(isRecord)) {
            addDetail(details, detail);
            think(field, fieldText(detail, 'text') || fieldText(detail, 'summary'));
          }
          return true;
        case 'annotations': {
          const found = Array.isArray(value) ? value.filter(isRecord).map(annotatedSource) : [undefined];
          sources.push(...found.filter((source) => source !== undefined));
          return !found.includes(undefined);
        }
        case 'refusal':
          declined ||= typeof value === 'string' && value !== '';
          say(value);
          return true;
        default:
          return false;
      }
    },
    close() {
      const seal = sealed();
      if (thinking !== undefined) {
        const words = answer.text(thinking);
        answer.close(thinking, { type: 'thinking', text: words, ...(words === '' && { redacted: true }), ...seal });
      }
      if (text !== undefined)
        answer.close(text, {
          type: 'text',
          text: answer.text(text),
          ...citing(sources),
          ...(thinking === undefined && seal),
        });
    },
    declined: () => declined,
  };
}

/** OpenRouter streams a detail in pieces that have the same index and type. */
function addDetail(details: Fields[], piece: Fields): void {
  const same = details.find(
    (detail) => detail['index'] !== undefined && detail['index'] === piece['index'] && detail['type'] === piece['type'],
  );
  if (!same) details.push({ ...piece });
  else
    for (const [field, value] of Object.entries(piece)) {
      const before = same[field];
      const grows = field === 'text' || field === 'summary' || field === 'data';
      if (grows && typeof before === 'string' && typeof value === 'string') same[field] = before + value;
      else if (value !== null) same[field] = value;
    }
}

/** Neighbouring parts of one kind are one part. */
function addPart(parts: Fields[], part: Fields): void {
  const last = parts.at(-1);
  if (last?.['type'] === 'text' && part['type'] === 'text')
    last['text'] = fieldText(last, 'text') + fieldText(part, 'text');
  else if (last?.['type'] === 'thinking' && part['type'] === 'thinking') {
    const { thinking: _, ...rest } = part;
    Object.assign(last, rest, { thinking: joined(listAt(last, 'thinking'), listAt(part, 'thinking')) });
  } else parts.push({ ...part });
}

function joined(before: readonly Fields[], more: readonly Fields[]): Fields[] {
  const all = before.map((item) => ({ ...item }));
  for (const item of more) addPart(all, item);
  return all;
}
