// A conversation as it was said, turn by turn → HTML: the same for the page of the inspector and for an exported session.
import type { Asset, Block, MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { describeAsset, describeMedia } from '../content/words.ts';
import { toJsonText } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import { attachedByAnswer } from '../message/attached.ts';
import type { Attached } from '../message/attached.ts';
import type { Message } from '../message/message.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { Html } from './html.ts';
import { markup, nothing } from './html.ts';
import { prose } from './prose.ts';

/** Something that was said, or noted for people; `id` is its place in a session. */
export type SaidOrNoted = { id?: number; time?: string } & ({ message: Message } | { note: string });

/** A medium of the conversation; of what strangers sent only the asset is known. */
export type TimelineMedium = MediaBlock | { type: 'medium'; asset: Asset };

export type TimelinePart =
  | { kind: 'text' | 'thinking'; text: string }
  | { kind: 'sealed'; by: string }
  | { kind: 'medium'; medium: TimelineMedium }
  | { kind: 'call'; name: string; input?: unknown; state: 'done' | 'failed' | 'no result'; result: TimelinePart[] };

/** A request that led to a turn. */
export type TimelineRequest = { id: string; number: number; state: string };

export type TimelineTurn = {
  who: 'user' | 'assistant' | 'tool' | 'note';
  name: string;
  id?: number;
  /** As ISO 8601 has it. */
  time?: string;
  parts: readonly TimelinePart[];
  requests?: readonly TimelineRequest[];
};

/** Turns, each call with its result: results by call, the oldest first; a call takes the one that is next. */
export function turnsOf(said: readonly SaidOrNoted[]): TimelineTurn[] {
  const results = new Map<string, ToolMessage[]>();
  const attached = attachedParts(said);
  for (const one of said)
    if ('message' in one && one.message.role === 'tool')
      results.set(one.message.callId, [...(results.get(one.message.callId) ?? []), one.message]);
  return said.flatMap((one): TimelineTurn[] => {
    const { id, time } = one;
    const frame = { ...(id !== undefined && { id }), ...(time !== undefined && { time }) };
    if ('note' in one) return [{ ...frame, who: 'note', name: '', parts: [{ kind: 'text', text: one.note }] }];
    const { message } = one;
    if (message.role !== 'tool') {
      const name = message.role === 'user' ? 'You' : message.model || 'Assistant';
      return [
        {
          ...frame,
          who: message.role,
          name,
          parts: [...message.content.flatMap((block) => partsOf(block, results)), ...(attached.get(message) ?? [])],
        },
      ];
    }
    const waiting = results.get(message.callId);
    if (!waiting?.includes(message)) return []; // its call has shown it
    results.set(
      message.callId,
      waiting.filter((other) => other !== message),
    );
    return [{ ...frame, who: 'tool', name: message.name, parts: [callPart({ name: message.name }, message)] }];
  });
}

/** What an answer took along stands below it. */
function attachedParts(said: readonly SaidOrNoted[]): Map<Message, TimelinePart[]> {
  const answers = attachedByAnswer(said.flatMap((one) => ('message' in one ? [one.message] : [])));
  return new Map(
    answers.flatMap(({ answer, attached }) =>
      answer ? [[answer, attached.map(attachedPart)] satisfies [Message, TimelinePart[]]] : [],
    ),
  );
}

function attachedPart(one: Attached): TimelinePart {
  if (one.type !== 'file') return { kind: 'medium', medium: one };
  return { kind: 'text', text: `[attached: ${describeAsset(one.asset)}]` };
}

function partsOf(block: Block, results: Map<string, ToolMessage[]>): TimelinePart[] {
  if (isMedia(block)) return [{ kind: 'medium', medium: block }];
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: block.text }];
    case 'thinking':
      if (!block.redacted && block.text.trim() !== '') return [{ kind: 'thinking', text: block.text }];
      return [{ kind: 'sealed', by: block.seal?.endpoint ?? '' }];
    case 'sealed':
      return [{ kind: 'sealed', by: block.seal.endpoint }];
    case 'reference':
      return [{ kind: 'text', text: `[${describeMedia(block)}]` }];
    case 'call': {
      const [result, ...later] = results.get(block.id) ?? [];
      if (result) results.set(block.id, later);
      return [callPart(block, result)];
    }
  }
}

function callPart(call: { name: string; input?: unknown }, result: ToolMessage | undefined): TimelinePart {
  const state = result === undefined ? 'no result' : result.isError ? 'failed' : 'done';
  const parts = (result?.content ?? []).flatMap((block) => partsOf(block, new Map()));
  return {
    kind: 'call',
    name: call.name,
    ...(call.input !== undefined && { input: call.input }),
    state,
    result: parts,
  };
}

/** The media of some parts, those of results included. */
export function mediaOfParts(parts: readonly TimelinePart[]): TimelineMedium[] {
  return parts.flatMap((part) =>
    part.kind === 'medium' ? [part.medium] : part.kind === 'call' ? mediaOfParts(part.result) : [],
  );
}

/** How a medium is drawn: bytes inside, or an address. */
export type FigureOf = (medium: TimelineMedium) => Html;

/** One turn; `linkOf` leads to the requests that it took, where there is such a place. */
export function turnHtml(turn: TimelineTurn, figureOf: FigureOf, linkOf?: (request: TimelineRequest) => string): Html {
  const { who, name, time, parts, requests = [] } = turn;
  if (who === 'note')
    return markup`<p class="note">${parts.map((part) => ('text' in part ? markup`${part.text}` : nothing))}</p>`;
  const links = linkOf
    ? requests.map(
        (one) =>
          markup`<a class="pill ${one.state}" href="${linkOf(one)}">${one.number}${linkWords[one.state] ?? ` ${one.state}`}</a>`,
      )
    : [];
  const head =
    who === 'tool'
      ? nothing
      : markup`<div class="who"><span>${name}</span>${links}${time === undefined ? nothing : timeHtml(time)}</div>`;
  return markup`<section class="turn ${who}">${head}<div class="said">${partsHtml(parts, figureOf)}</div></section>`;
}

/** What stands behind the number of a request, by its state. */
const linkWords: Partial<Record<string, string>> = {
  answered: '',
  running: ' under way',
  silent: ' no sign of life',
};

/** A time for whoever reads it anywhere. */
export function utcText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** When something was said. */
export function timeHtml(iso: string): Html {
  return markup`<time datetime="${iso}">${utcText(iso)}</time>`;
}

/** What somebody said, called and showed. Seals are told only where nothing else is. */
export function partsHtml(parts: readonly TimelinePart[], figureOf: FigureOf): Html[] {
  return parts.map((part) => {
    switch (part.kind) {
      case 'text':
        return prose(part.text);
      case 'thinking':
        return markup`<details class="thinking"><summary>Thinking</summary>${prose(part.text)}</details>`;
      case 'sealed':
        return markup`<p class="sealed">sealed by ${part.by === '' ? 'its provider' : part.by}</p>`;
      case 'medium':
        return figureOf(part.medium);
      case 'call':
        return cardHtml(part, figureOf);
    }
  });
}

const maxShown = 20_000;

function cardHtml({ name, input, state, result }: TimelinePart & { kind: 'call' }, figureOf: FigureOf): Html {
  const text = input === undefined ? '' : toJsonText(input);
  const body: Html[] = [];
  if (input !== undefined && text.length > 60)
    body.push(
      markup`<details><summary>Arguments</summary><pre>${cutText(toJsonText(input, 2), maxShown)}</pre></details>`,
    );
  for (const part of result)
    body.push(...(part.kind === 'text' ? [resultText(part.text)] : partsHtml([part], figureOf)));
  return markup`<div class="card"><div class="call"><b>${name}</b><span class="input">${cutText(text, 200)}</span><span class="${state === 'done' ? 'state' : 'state bad'}">${state}</span></div>${body.length > 0 && markup`<div class="body">${body}</div>`}</div>`;
}

/** Short words as they are; anything long folded, in the letters of a terminal. */
function resultText(text: string): Html {
  const lines = text.split('\n').length;
  if (lines <= 3 && text.length <= 400) return markup`<p>${text}</p>`;
  const cut = text.length > maxShown ? markup` … ${text.length - maxShown} more characters` : nothing;
  const pre = markup`<pre>${cutText(text, maxShown)}${cut}</pre>`;
  return lines <= 15 ? pre : markup`<details><summary>${lines} lines</summary>${pre}</details>`;
}
