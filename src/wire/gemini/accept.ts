// A request of Gemini's generateContent as a transcript. The model's name and whether to stream stand in the address,
// not in the body. Fields may be spelt in camelCase or snake_case, as Google takes them. Several responses for one
// call, and responses without an id, are read as what they mean.
import type { BlockInput } from '../../content/input.ts';
import { isRecord, toJsonText } from '../../content/json.ts';
import { parseBlock } from '../../content/parse.ts';
import type { Read } from '../../content/refusal.ts';
import { accepted, addAssistant, openBody, opaque, ownedBy, said, unknownPart } from '../accepted.ts';
import type { Accepted, Author, Heard, Speaker } from '../accepted.ts';
import { list, string, spelt, taker } from '../fields.ts';
import type { Fields, Taker } from '../fields.ts';
import { giveBack, placeAttached } from '../reattach.ts';
import { isFailure, responseText } from './response.ts';
import { takeDeclarations, takeOptions } from './settings.ts';

/** Stands where another model's call has no signature of Google's; `encode` writes it. */
const foreignSignature = 'skip_thought_signature_validator';

export function accept(body: unknown, author: Partial<Author> = {}): Read<Accepted> {
  const opened = openBody(isRecord(body) ? inCamelCase(body) : body, 'gemini', 'contents');
  if (!opened.ok) return opened;
  const fields = taker(opened.value);
  const model = fields.take('model', string) ?? author.model;
  const speaker: Speaker = { wire: 'gemini', author: { endpoint: author.endpoint ?? 'gemini', model: model ?? '' } };
  const system = takeSystem(fields);
  const tools = takeDeclarations(fields);
  const messages = giveBack(fields.take('contents', (value) => readContents(list(value), speaker)) ?? []);
  const options = takeOptions(fields);
  return accepted({ system, tools, messages }, { options, model, stream: false, extra: fields.rest() });
}

/** A body with its own fields in camelCase, those inside its settings too; schemas are left alone. */
function inCamelCase(body: Fields): Fields {
  const fields = spelt(body);
  const { generationConfig: settings, toolConfig: choice } = fields;
  return {
    ...fields,
    ...(isRecord(settings) && { generationConfig: speltWith(settings, 'thinkingConfig') }),
    ...(isRecord(choice) && { toolConfig: speltWith(choice, 'functionCallingConfig') }),
  };
}

function speltWith(value: Fields, inner: string): Fields {
  const fields = spelt(value);
  const held = fields[inner];
  return isRecord(held) ? { ...fields, [inner]: spelt(held) } : fields;
}

function takeSystem(fields: Taker): string | undefined {
  return fields.take('systemInstruction', (value) => {
    if (typeof value === 'string') return value;
    const parts = isRecord(value) ? list(value['parts']) : [];
    const texts = parts.map((part) => (isRecord(part) ? string(part['text']) : string(part)));
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('\n\n') : undefined;
  });
}

function readContents(contents: readonly unknown[], speaker: Speaker): Heard[] {
  const out: Heard[] = [];
  for (const [at, content] of contents.entries()) {
    const { role, parts } = isRecord(content) ? content : { role: 'user', parts: [content] };
    const all = list(parts).map((part) => (isRecord(part) ? part : { text: string(part) ?? toJsonText(part) }));
    if (role === 'model') {
      const model = `${speaker.author.endpoint}/${speaker.author.model}`;
      const blocks = all.map((part, index) => spoken(part, `call_${at}_${index}`, speaker));
      addAssistant(out, { role: 'assistant', model, content: blocks });
      continue;
    }
    const rest = all.flatMap((part): BlockInput[] => {
      const response = spelt(part)['functionResponse'];
      if (!isRecord(response)) return [shown(part, speaker)];
      answer(spelt(response), out, speaker);
      return [];
    });
    if (rest.length > 0 || all.length === 0) out.push({ role: 'user', content: rest });
  }
  return out;
}

/** Adds a result. A second response for a call that has one already is more of the same result. */
function answer(response: Fields, out: Heard[], speaker: Speaker): void {
  const name = string(response['name']) ?? 'tool';
  const turn = out.findLastIndex((message) => message.role === 'assistant');
  const given = out.slice(turn + 1).filter((message) => message.role === 'tool');
  const calls = (out[turn]?.content ?? []).filter((block) => block.type === 'call');
  const open = calls.find((call) => call.name === name && !given.some((result) => result.callId === call.id));
  const callId = string(response['id']) || (open?.id ?? given.findLast((result) => result.name === name)?.callId ?? '');
  const { content, isError } = resultOf(response, speaker);
  const earlier = given.find((result) => result.callId === callId);
  if (earlier) out[out.indexOf(earlier)] = { ...earlier, content: [...earlier.content, ...content] };
  else out.push({ role: 'tool', callId, name, content, ...(isError && { isError }) });
}

function resultOf(response: Fields, speaker: Speaker): { content: BlockInput[]; isError: boolean } {
  const given = isRecord(response['response']) ? response['response'] : {};
  const media = list(response['parts']).map((part) =>
    shown(isRecord(part) ? part : { text: toJsonText(part) }, speaker),
  );
  return { content: placeAttached(responseText(given), media), isError: isFailure(given) };
}

/** What may stand in a user's content: words, data, or the address of a file. */
function shown(part: Fields, speaker: Speaker): BlockInput {
  const { text, ...rest } = spelt(part);
  if (typeof text === 'string' && Object.keys(part).length === 1) return { type: 'text', text };
  const block = parseBlock(rest);
  return block && block.type !== 'call' ? ownedBy(block, speaker) : unknownPart(part);
}

function spoken(part: Fields, freshId: string, speaker: Speaker): BlockInput {
  const { text, thought, functionCall, thoughtSignature } = spelt(part);
  if (isRecord(functionCall) && typeof functionCall['name'] === 'string') {
    const { id, name, args } = functionCall;
    const ours = {
      functionCall: { id, name, args },
      ...(thoughtSignature === foreignSignature && { thoughtSignature }),
    };
    return said({ type: 'call', id: string(id) || freshId, name, input: args ?? {} }, part, ours, speaker);
  }
  if (typeof text !== 'string') return opaque(part, speaker);
  if (thought === true) return said({ type: 'thinking', text }, part, undefined, speaker);
  return said({ type: 'text', text }, part, { text }, speaker);
}
