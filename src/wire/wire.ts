// A wire is a JSON dialect: plain data and pure functions, no base class. It writes down what a plan says, decides
// nothing and drops nothing. One folder each; this is what they have in common.
import type { Json } from '../content/json.ts';
import type { Read } from '../content/refusal.ts';
import type { ModelEvent } from '../message/event.ts';
import type { Plan, SettledOptions } from '../window/plan-types.ts';
import type { Profile, WireName } from '../window/profile.ts';
import type { Accepted, Author } from './accepted.ts';
import type { Skeleton } from './body.ts';
import type { EmitOptions, Emitter } from './emitter.ts';
import type { ItemMemo } from './item-memo.ts';
import type { Fields } from './fields.ts';
import type { Served } from './served.ts';
import type { Split } from './framing/splitter.ts';
import type { Turns } from './turns.ts';

/** What it takes to ask: all that programs without a server of their own need. */
export type WireClient<Body, SdkBody = Body> = {
  name: WireName;
  /** Where requests of this dialect go, and how one is known that went there. */
  route: Route;
  /** What makes a body ask for a stream. */
  streamFields: (profile: Profile) => Fields;
  /** Whether a body asks for one, where its address does not say. */
  asksForStream: (body: Fields) => boolean;
  /** A plan in this dialect, media still as slots. */
  encode: (plan: Plan, memo?: ItemMemo) => Skeleton<Body>;
  /** The same body as the vendor's own SDK takes it. */
  sdk: (body: Body, plan: Plan) => SdkBody;
  /** Reads one answer, streamed or whole. */
  decode: (author: Author) => Decoder;
  /** How the events of a stream stand in its bytes. */
  framing: Framing;
};

/** What it takes to answer, or to stand between. */
export type WireServer = {
  /** A request of this wire in our terms, or why it is none. `author` is who speaks in it as the assistant. */
  accept: (body: unknown, author?: Partial<Author>) => Read<Accepted>;
  /** Writes one answer as the provider would. */
  emit: (options: EmitOptions) => Emitter;
  /** What has to be known to change some items of a request and leave the rest alone. */
  turns: Turns;
  places: BodyPlaces;
  /** What a server of this dialect answers besides. */
  served: Served;
  /** What only the provider could give to an answer, for the scripted model. */
  scripted: Scripted;
};

/** One dialect, whole: what writes requests and reads answers, and what reads requests and writes answers. */
export type Wire<Body, SdkBody = Body> = WireClient<Body, SdkBody> & WireServer;

/** A whole wire. Bundlers leave out a call that is marked as pure where they would keep an object that is spread. */
export function bothSides<Body, SdkBody>(client: WireClient<Body, SdkBody>, server: WireServer): Wire<Body, SdkBody> {
  return { ...client, ...server };
}

/**
 * The media type under which an answer is streamed. Framings are told apart by their first byte, because gateways lie about
 * media types; a binary one has its own splitter, and is chosen by its media type too.
 */
export type Framing = { contentType: string; split?: Split };

export const serverSentEvents: Framing = { contentType: 'text/event-stream' };

/** Where things stand in the bodies of a dialect, for those who look at them from outside. A name with a dot lies inside a field. */
export type BodyPlaces = {
  /** The name of the model, where the address does not say it. */
  model: string;
  /** What was said. */
  items: string;
  /** The instructions, where they are no item. */
  system: readonly string[];
  tools: readonly string[];
  toolChoice: readonly string[];
  /** The form that an answer has to have. */
  output: readonly string[];
  thinking: readonly string[];
  /** The longest answer that is asked for, in tokens. */
  maxTokens: readonly string[];
  /** How many answers are asked for at once. */
  answers: readonly string[];
  /** What no prefix depends on, or only follows from the rest. */
  harmless: readonly string[];
};

/** The addresses of a dialect. */
export type Route = {
  /** The model stands in the address, not in the body. */
  modelInAddress?: true;
  /** Whether a request to this address speaks the dialect, and what the address says besides; `behind` is what follows the
   * address of an ask where only its own vendor can answer: `/compact`. */
  match: (url: URL) => { model?: string; streamed?: boolean; behind?: string } | undefined;
  address: (base: string, id: string, how: Addressing) => string;
  /** What every request says, and what some options want said. */
  headers?: (options?: SettledOptions, how?: Addressing) => Record<string, string>;
  /** A body for an endpoint that names the version in it. */
  versioned?: (body: Fields, version: string) => Fields;
  /** Where the provider counts tokens, with which body, and the field of its answer that holds the number. */
  count?: { url: (url: string) => string; body: (body: Fields, id: string) => Fields; read: string };
};

/** `streamed` asks for the address of a stream, `apiVersion` names a dated version where an endpoint has such;
 * `versionInBody`: the API is one of many behind this host, so the model is in the address and the version in the body. */
export type Addressing = {
  streamed?: boolean;
  apiVersion?: string | undefined;
  versionInBody?: string | undefined;
};

/** Stable inventions: how ids of answers begin, and the items that a thought and the first call after it come as. */
export type Scripted = {
  idPrefix: string;
  thought?: (text: string) => Json;
  call?: (call: { id: string; name: string; input: Json }) => Json;
};

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
