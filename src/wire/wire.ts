// A wire is a JSON dialect: plain data and pure functions, no base class. It writes down what a plan says, decides
// nothing and drops nothing. One folder each; this is what they have in common.
import type { Asset } from '../content/block.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import type { Read } from '../content/refusal.ts';
import type { ModelEvent } from '../message/event.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Plan, SettledOptions, Shown } from '../window/plan-types.ts';
import type { Profile, WireName } from '../window/profile.ts';
import type { Accepted } from './accepted.ts';
import type { Skeleton } from './body.ts';
import type { EmitOptions, Emitter } from './emitter.ts';
import type { ItemMemo } from './item-memo.ts';
import type { Fields } from './fields.ts';
import type { Split } from './framing/splitter.ts';
import type { Turns } from './turns.ts';

export type Wire<Body, SdkBody = Body> = {
  name: WireName;
  /** Where requests of this dialect go, and how one is known that went there. */
  route: Route;
  /** What makes a body ask for a stream. */
  streamFields: (profile: Profile) => Fields;
  /** A plan in this dialect, media still as slots. */
  encode: (plan: Plan, memo?: ItemMemo) => Skeleton<Body>;
  /** The same body as the vendor's own SDK takes it. */
  sdk: (body: Body, plan: Plan) => SdkBody;
  /** Reads one answer, streamed or whole. */
  decode: (author: Author) => Decoder;
  /** A request of this wire in our terms, or why it is none. `author` is who speaks in it as the assistant. */
  accept: (body: unknown, author?: Partial<Author>) => Read<Accepted>;
  /** Writes one answer as the provider would. */
  emit: (options: EmitOptions) => Emitter;
  /** How the events of a stream stand in its bytes. */
  framing: Framing;
  /** What has to be known to change some items of a request and leave the rest alone. */
  turns: Turns;
  /** What only the provider could give to an answer, for the scripted model. */
  scripted: Scripted;
};

/**
 * The media type under which an answer is streamed. Framings of text are told apart by their first byte, because gateways
 * lie about media types; a binary one has its own splitter, and is chosen by its media type.
 */
export type Framing = { contentType: string; split?: Split };

export const serverSentEvents: Framing = { contentType: 'text/event-stream' };

/** The addresses of a dialect. */
export type Route = {
  /** The field of a body that holds its items. */
  list: 'messages' | 'input' | 'contents';
  /** Whether a request to this address speaks the dialect, and what the address says besides. */
  match: (url: URL) => { model?: string; streamed?: boolean } | undefined;
  address: (base: string, id: string, how: Addressing) => string;
  /** What every request says, and what some options want said. */
  headers?: (options?: SettledOptions) => Record<string, string>;
  /** Where the provider counts tokens, with which body, and the field of its answer that holds the number. */
  count?: { url: (url: string) => string; body: (body: Fields, id: string) => Fields; read: string };
};

/** `streamed` asks for the address of a stream, `apiVersion` names a dated version where an endpoint has such. */
export type Addressing = { streamed?: boolean; apiVersion?: string | undefined };

/** Stable inventions: how ids of answers begin, and the items that a thought and the first call after it come as. */
export type Scripted = {
  idPrefix: string;
  thought?: (text: string) => Json;
  call?: (call: { id: string; name: string; input: Json }) => Json;
};

/** Who answers: its seals carry these names, and go back to nobody else. */
export type Author = { endpoint: string; model: string };

/** Reads one answer. It never throws: what it cannot read ends in a `message-error`, and nothing follows that. */
export type Decoder = {
  /** One parsed event of a stream, or one whole response body: which it is shows in its shape. */
  push: (event: unknown) => ModelEvent[];
  /**
   * The stream is over. An answer that was not complete by then ends here, with a `message-error`; unless the stream has
   * told of its end by itself (OpenAI's `[DONE]`).
   */
  end: (told?: boolean) => ModelEvent[];
};

/** The texts of a result as one string, for dialects that take no list. */
export function joinText(content: readonly Shown[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The schema of a tool's input as every API takes it: an object that lists its properties, even if there are none. */
export function inputSchema(tool: ToolSpec): { type: 'object'; [key: string]: unknown } {
  return { properties: {}, ...tool.inputSchema, type: 'object' };
}

/** A PDF's file name. OpenAI decides by its ending what a file is, whatever its media type says. */
export function pdfName(asset: Asset): string {
  const name = asset.name ?? 'document.pdf';
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/** The arguments of a call as an object, for dialects that take nothing else. */
export function argumentsObject(input: unknown): { [key: string]: unknown } {
  if (input === undefined || input === null) return {};
  const plain: unknown = JSON.parse(toJsonText(input));
  return isRecord(plain) ? plain : { input: plain };
}

/** The arguments of a call as JSON text. */
export function argumentsText(input: unknown): string {
  return JSON.stringify(argumentsObject(input));
}

/** A part of an address as it was before it was escaped; what is wrongly escaped stays as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A body as endpoints take it that count tokens: without the fields that say how to answer. */
export function askedOnly(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !answering.has(field)));
}

const answering = new Set([
  'max_tokens',
  'max_output_tokens',
  'temperature',
  'stream',
  'store',
  'include',
  'prompt_cache_key',
]);

/** How an address ends, whatever stands before it: gateways put prefixes of their own there. */
export function endsWith({ pathname }: URL, end: string): boolean {
  return pathname.replace(/\/+$/, '').endsWith(end);
}
