// The conversation: three kinds of message. Pairing of calls and results is the business of `pair.ts`.
import { mediaKinds } from '../content/block.ts';
import type { Asset, Block, MediaKind, Seal } from '../content/block.ts';
import type { ContentInput } from '../content/input.ts';
import type { MessageError } from './error.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { ToolSpec } from '../tool/tool.ts';

/** What one answer cost. The numbers mean the same on every wire. */
export type Usage = {
  /** All tokens of the request, those read from the cache and those written to it included. */
  inputTokens: number;
  /** All tokens of the answer, its thinking included. */
  outputTokens: number;
  /** Those of the input that came from the cache. */
  cachedTokens?: number;
  /** Those of the input that were written to the cache, where that has a price. */
  writtenTokens?: number;
  /** Those of the input that media took, by kind, where the provider tells them apart; then a kind that is left out took none. */
  media?: { readonly [Kind in MediaKind]?: number };
  /** Those of all these that a model took which described pictures, and what that cost where its price is known. */
  eyes?: { inputTokens: number; outputTokens: number; cost?: number };
};

/** How long one answer took, in milliseconds from when its request went out: until its first content, and altogether. */
export type Latency = { firstMs: number; totalMs: number };

/** Why an answer ended. One that is `paused` goes on when it is sent back as it is. */
export type Stop = 'end' | 'calls' | 'length' | 'paused' | 'declined' | 'aborted' | 'error';

/** What the user said. */
export type UserMessage = { role: 'user'; content: Block[] };

/** `model` is `endpoint/model`: seals go back to it alone. */
export type AssistantMessage = {
  role: 'assistant';
  content: Block[];
  model: string;
  usage?: Usage;
  stop?: Stop;
  latency?: Latency;
  /** What broke it off, where `stop` is `error` or `aborted`. */
  error?: MessageError;
};

/** One message of a conversation, checked. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** A whole request, provider-independent. */
export type Transcript = { version: 1; system?: string; tools?: ToolSpec[]; messages: Message[] };

/** The same as people write it: content may be a string, media may be loose. */
export type MessageInput =
  | { role: 'user'; content: ContentInput }
  | ({ role: 'assistant'; content: ContentInput; model?: string } & Pick<
      AssistantMessage,
      'usage' | 'stop' | 'latency' | 'error'
    >)
  | {
      role: 'tool';
      callId: string;
      name: string;
      content: ContentInput;
      isError?: boolean;
      details?: unknown;
      kept?: Asset[];
      seal?: Seal;
      approved?: boolean;
      late?: boolean;
    };

/** A conversation as people write it. */
export type TranscriptInput = {
  version?: 1;
  system?: string;
  tools?: readonly ToolSpec[];
  messages: readonly MessageInput[];
};

/** What nothing took. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** What answers took together. */
export function sumUsage(one: Usage, other: Usage): Usage {
  const sum = (key: 'cachedTokens' | 'writtenTokens'): number => (one[key] ?? 0) + (other[key] ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: sum('cachedTokens'),
    writtenTokens: sum('writtenTokens'),
    ...(one.media && other.media && { media: sumMedia(one.media, other.media) }),
    ...(one.eyes || other.eyes ? { eyes: sumEyes(one.eyes, other.eyes) } : {}),
  };
}

type MediaTokens = NonNullable<Usage['media']>;

function sumMedia(one: MediaTokens, other: MediaTokens): MediaTokens {
  const rows = mediaKinds.flatMap((kind) => {
    const tokens = (one[kind] ?? 0) + (other[kind] ?? 0);
    return tokens === 0 ? [] : [[kind, tokens] as const];
  });
  return Object.fromEntries(rows);
}

const unseen: NonNullable<Usage['eyes']> = { inputTokens: 0, outputTokens: 0, cost: 0 };

function sumEyes(one: Usage['eyes'] = unseen, other: Usage['eyes'] = unseen): NonNullable<Usage['eyes']> {
  const cost = one.cost === undefined || other.cost === undefined ? {} : { cost: one.cost + other.cost };
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...cost,
  };
}
