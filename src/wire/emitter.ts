// The other side of an answer: events of ours as the text a provider would send. Each wire has an emitter of its own;
// this is what they share: framing, the blocks that are under way, and the status of an error.
import type { Block, CallBlock } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { ErrorCode, MessageError } from '../message/error.ts';
import type { ModelEvent } from '../message/event.ts';
import type { AssistantMessage } from '../message/message.ts';
import { digest } from '../content/text.ts';
import type { WireName } from '../window/profile.ts';
import type { Fields } from './fields.ts';
import { argumentsText } from './spelling.ts';

export type EmitOptions = {
  /** The model's name as the answer tells it, without its endpoint. */
  model: string;
  id?: string;
  /** When the answer was made, as an ISO date; some wires tell it. */
  created?: string;
  /** Whether the stream tells what it cost. Chat Completions do so only when asked. */
  usage?: boolean;
  /** The request that is answered, where calls have to be told in the words of its tools. */
  asked?: Fields;
  /** Thinking of another model carries a mark where its own signature would stand, so that it is known again. */
  mark?: boolean;
};

/** What goes out at once: words, or the bytes of a binary framing. */
export type SentFrame = string | Uint8Array;

/** Writes one answer, as a stream or whole. It never throws; what its wire has no word for is left out. */
export type Emitter = {
  /** The framed text of one event: none, one or several frames. */
  push: (event: ModelEvent) => SentFrame[];
  /** What closes the stream after its last event. */
  end: () => SentFrame[];
  /** The same answer in one body, or an error as the provider would put it. */
  whole: (message: AssistantMessage | MessageError) => { status: number; body: unknown };
};

/** How marks of ours begin. */
export const markHead = 'sightline.';

/** Stands where a signature would. */
export function markOf(text: string): string {
  return `${markHead}${digest(text)}${digest(`${text.length} ${text}`)}`;
}

export function isMark(signature: unknown): boolean {
  return typeof signature === 'string' && signature.startsWith(markHead);
}

/** One server-sent event. Anthropic and the Responses API name theirs. */
export function serverSent(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A block that is under way: where it stands, and how much of it was already sent. */
type Open = { block: Block; place: number; sent: string };

/** Follows the blocks of a stream. Blocks for which `takes` says no have no place and are passed over. */
export function follow(takes: (block: Block) => boolean): {
  start: (index: number, block: Block) => Open | undefined;
  delta: (index: number, text: string) => Open | undefined;
  /** The block and what of it was not sent yet. */
  end: (index: number, block: Block) => (Open & { rest: string }) | undefined;
} {
  const open = new Map<number, Open>();
  let count = 0;
  return {
    start: (index, block) => {
      if (!takes(block)) return undefined;
      const one: Open = { block, place: count++, sent: '' };
      open.set(index, one);
      return one;
    },
    delta: (index, text) => {
      const one = open.get(index);
      if (one) one.sent += text;
      return one;
    },
    end: (index, block) => {
      const one = open.get(index);
      open.delete(index);
      return one && { ...one, block, rest: restOf(block, one.sent) };
    },
  };
}

/** What a block says beyond what was sent of it. */
function restOf(block: Block, sent: string): string {
  const whole = block.type === 'call' ? (sent === '' ? argumentsText(block.input) : sent) : textOf(block);
  return whole.startsWith(sent) ? whole.slice(sent.length) : '';
}

function textOf(block: Block): string {
  return block.type === 'text' || block.type === 'thinking' ? block.text : '';
}

/** The provider's own item behind a block, where it is of this wire and whole. */
export function ownItem(block: Block, wire: WireName): Record<string, unknown> | undefined {
  const seal = 'seal' in block && block.type !== 'image' ? block.seal : undefined;
  return seal?.wire === wire && isRecord(seal.item) ? seal.item : undefined;
}

/** The text of a message for wires that have one field for it. Blocks of text may be one sentence, cut by its sources. */
export function textOfMessage(message: AssistantMessage, type: 'text' | 'thinking'): string {
  return message.content.flatMap((block) => (block.type === type ? [block.text] : [])).join('');
}

export function callsOf(message: AssistantMessage): CallBlock[] {
  return message.content.filter((block) => block.type === 'call');
}

const statuses: Record<ErrorCode, number> = {
  aborted: 499,
  network: 502,
  'timed-out': 504,
  'cut-off': 502,
  malformed: 502,
  'rate-limited': 429,
  overloaded: 503,
  server: 500,
  auth: 401,
  'not-found': 404,
  reference: 400,
  media: 400,
  signature: 400,
  'too-large': 413,
  context: 400,
  invalid: 400,
  redirected: 502,
  output: 422,
  spent: 429,
};

/** The status of an error: the provider's own, or the one its kind usually has. */
export function statusOf(error: MessageError): number {
  return error.status ?? statuses[error.code];
}

const openaiCodes = new Map([
  [401, 'invalid_api_key'],
  [404, 'model_not_found'],
  [429, 'rate_limit_exceeded'],
  [503, 'server_is_overloaded'],
  [529, 'server_is_overloaded'],
]);

/** How long a client shall wait, as its headers say it. */
export function waitHeaders({ retryAfter }: MessageError): Record<string, string> {
  if (retryAfter === undefined) return {};
  return { 'retry-after': String(Math.ceil(retryAfter / 1000)), 'retry-after-ms': String(retryAfter) };
}

/** An error as both APIs of OpenAI put it. */
export function openaiError(error: MessageError): { message: string; type: string; param: null; code: string | null } {
  const status = statusOf(error);
  const refused = status === 429 ? 'rate_limit_error' : status === 403 ? 'permission_error' : 'invalid_request_error';
  const type = status >= 500 ? 'server_error' : refused;
  return {
    message: error.message,
    type,
    param: null,
    code:
      error.code === 'context'
        ? 'context_length_exceeded'
        : error.code === 'spent'
          ? 'insufficient_quota'
          : (openaiCodes.get(status) ?? null),
  };
}
