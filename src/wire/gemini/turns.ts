// A function response is a part among others, and SDKs put media beside it or send them without any: both are undone.
import { isRecord } from '../../content/json.ts';
import { list, spelt, string } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { carried } from '../same-content.ts';
import { formerSelves, idOf, isUnderstood, mediaBlocks, blockText, records } from '../turns.ts';
import type { Call, DecidesReference, Turns } from '../turns.ts';

export const turns: Turns = {
  role(item) {
    if (item['role'] === 'model') return 'assistant';
    return responsesIn(item).length > 0 ? 'result' : 'user';
  },
  calls: (item) =>
    records(item['parts']).flatMap((part) => {
      const call = spelt(part)['functionCall'];
      return isRecord(call) ? [{ id: string(call['id']), name: string(call['name']) ?? 'tool' }] : [];
    }),
  answers: (item) => responsesIn(item).map((response) => string(response['id'])),
  mediaAlone: true,
  opener: (calls) => [
    { role: 'model', parts: calls.map((call) => ({ functionCall: { ...idOf(call), name: call.name, args: {} } })) },
  ],
  repair: (items, calls) => (calls.length > 0 ? withOwners(items, calls) : items),
  protect: (items, wordFor, decides) =>
    items.map((item): Fields => {
      const { parts } = item;
      if (!Array.isArray(parts)) return item;
      return {
        ...item,
        parts: parts.map((part: unknown) => (isKnown(part, decides) ? part : { text: wordFor(part) })),
      };
    }),
  countsKinds: true,
  text: blockText,
  media: mediaBlocks,
  finish,
};

function responsesIn(content: Fields): Fields[] {
  return records(content['parts'])
    .map(responseOf)
    .filter((response) => response !== undefined);
}

/** Text alone, a function response, or a medium that is no thought: with its bytes, or one to be decided about. */
function isKnown(value: unknown, decides: DecidesReference): boolean {
  if (!isRecord(value)) return false;
  const part = spelt(value);
  if ('functionResponse' in part) return true;
  const [first, ...more] = Object.keys(part);
  if (first === 'text' && more.length === 0) return true;
  if ('thought' in part) return false;
  return 'inlineData' in part || ('fileData' in part && isUnderstood(part, 'user', decides));
}

function finish(made: readonly Fields[], came: readonly Fields[], calls: readonly Call[]): Fields[] {
  const former = formerSelves(came.flatMap(responsesIn), (response) => string(response['id']), calls);
  const users = came.flatMap((content) => list(content['parts']));
  const first = came.find((content) => responsesIn(content).length > 0) ?? (calls.length > 0 ? {} : came[0]);
  return made.map((content, index) => {
    const parts = records(content['parts']).map((part) => {
      const response = part['functionResponse'];
      if (!isRecord(response)) return part;
      const id = calls[calls.length - former.length]?.id;
      const { id: _, ...rest } = response;
      const self = former.shift();
      const kept = self ? Object.fromEntries(Object.entries(spelt(self)).filter(([key]) => key !== 'parts')) : {};
      return { ...part, functionResponse: { ...kept, ...(id !== undefined && { id }), ...rest } };
    });
    return { ...(index === 0 && first), ...content, parts: carried(users, parts) };
  });
}

/** What the AI SDK says beside a medium that it could not put into a function response. */
const canned = /^Tool executed successfully and returned this (?:image|file) as a response$/;

type Entry = { part: Fields; response?: Fields; call?: number };

/** Media beside function responses go into them; a call without a response gets one for its media. */
function withOwners(items: readonly Fields[], calls: readonly Call[]): readonly Fields[] {
  const entries = items
    .flatMap((content) => records(content['parts']))
    .map((part): Entry => {
      const response = responseOf(part);
      return response ? { part, response: plainResponse(response) } : { part };
    });
  assignResponses(entries, calls);
  const rest = assignMedia(entries, calls);
  const moved = entries.some(({ response, call }) => !response && call !== undefined);
  const hidden = entries.some(({ response, part }) => response && response['parts'] !== responseOf(part)?.['parts']);
  const answered = entries.flatMap(({ response, call }) => (response ? [call] : []));
  const repeated = new Set(answered).size < answered.length;
  if (!moved && !hidden && !repeated) return items;
  const parts = calls.flatMap((call, index) =>
    answersTo(
      call,
      entries.filter((entry) => entry.call === index),
    ),
  );
  const lost = entries.filter(({ response, call }) => response && call === undefined).map(({ part }) => part);
  return [{ ...items[0], parts: [...parts, ...lost, ...rest] }];
}

function responseOf(part: Fields): Fields | undefined {
  const response = spelt(part)['functionResponse'];
  return isRecord(response) ? response : undefined;
}

/** The AI SDK wraps a text, LangChain a list of parts: both say the same without their wrapping. */
function plainResponse(response: Fields): Fields {
  const given = response['response'];
  if (!isRecord(given)) return response;
  const { name, content, result } = given;
  const keys = Object.keys(given).length;
  if (keys === 2 && name === response['name'] && typeof content === 'string')
    return { ...response, response: { output: content } };
  const parts = keys === 1 ? records(result) : [];
  const media = parts.filter((part) => 'inlineData' in part);
  const texts = parts.flatMap((part) => string(part['text']) ?? []);
  if (media.length === 0 || media.length + texts.length < list(result).length) return response;
  return { ...response, response: { output: texts.join('\n') }, parts: [...list(response['parts']), ...media] };
}

function assignResponses(entries: readonly Entry[], calls: readonly Call[]): void {
  const taken = new Set<number>();
  for (const entry of entries) {
    const { id, name } = entry.response ?? {};
    if (!entry.response) continue;
    const byId = typeof id === 'string' ? calls.findIndex((call) => call.id === id) : -1;
    const open = calls.findIndex((call, index) => call.name === name && !taken.has(index));
    const again = calls.findLastIndex((call, index) => call.name === name && taken.has(index));
    const found = byId >= 0 || typeof id === 'string' ? byId : open >= 0 ? open : again;
    if (found < 0) continue;
    taken.add(found);
    entry.call = found;
  }
}

/** Gives media their calls: to those without a response first, else to the response before. Returns what is the user's. */
function assignMedia(entries: readonly Entry[], calls: readonly Call[]): Fields[] {
  const taken = new Set(entries.map(({ call }) => call));
  const rest: Fields[] = [];
  for (let at = 0; at < entries.length;) {
    const start = at;
    while (at < entries.length && entries[at]?.response === undefined) at++;
    const run = entries.slice(start, at);
    const before = entries[start - 1]?.call ?? -1;
    const after = entries[at]?.call ?? calls.length;
    const open = calls.map((_, index) => index).filter((index) => index > before && index < after && !taken.has(index));
    const media = run.filter(
      ({ part }, index) => 'inlineData' in spelt(part) && (open.length > 0 || isCanned(run[index + 1])),
    );
    // Calls that answered with media alone share them evenly; what is too many for that belongs to the response before.
    const share = before < 0 && media.length % open.length === 0 ? media.length / open.length : 1;
    const extra = Math.max(0, media.length - open.length * share);
    media.forEach((entry, index) => {
      const owner = index < extra ? (before >= 0 ? before : open[0]) : open[Math.floor((index - extra) / share)];
      if (owner !== undefined) entry.call = owner;
    });
    for (const [index, entry] of run.entries()) {
      const goes = entry.call !== undefined || (isCanned(entry) && run[index - 1]?.call !== undefined);
      if (!goes) rest.push(entry.part);
    }
    at++;
  }
  return rest;
}

function isCanned(entry: Entry | undefined): boolean {
  const text = entry?.part['text'];
  return typeof text === 'string' && canned.test(text);
}

/** The responses to one call, each with the media that follow it. */
function answersTo({ id, name }: Call, entries: readonly Entry[]): Fields[] {
  const out: Fields[] = [];
  for (const { part, response } of entries) {
    if (response) {
      out.push({ ...part, functionResponse: response });
      continue;
    }
    const last = out.at(-1)?.['functionResponse'];
    const holder = isRecord(last) ? last : { ...(id !== undefined && { id }), name, response: { output: '' } };
    const filled = { ...holder, parts: [...list(holder['parts']), part] };
    out.splice(out.length - (isRecord(last) ? 1 : 0), 1, { functionResponse: filled });
  }
  return out;
}
