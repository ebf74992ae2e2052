// The types of a request that is prepared: what is asked for, and what whoever asks gets.
import type { AssetStore } from '../asset/store.ts';
import type { Access } from '../config/environment.ts';
import type { StreamOptions } from '../content/asset-store.ts';
import type { MediumId } from '../content/block.ts';
import type { UrlRules } from '../media/remote/address.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import type { ModelEvent } from '../message/event.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Budget, Totals } from '../window/budget.ts';
import type { ModelName } from '../window/catalog.ts';
import type { Ledger } from '../window/ledger.ts';
import type { OutputSchema } from '../window/output.ts';
import type { MediaPolicy, Plan, RequestOptions } from '../window/plan-types.ts';
import type { ProfileOverrides, WireName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { CountText } from '../window/tokens.ts';
import type { AnswerInput } from '../wire/decode.ts';
import type { Skeleton } from '../wire/body.ts';
import type { Bodies, SdkBodies } from '../wire/registry.ts';
import type { Address } from './address.ts';
import type { Spent } from '../tool/tool.ts';
import type { DescriptionTable } from './descriptions.ts';
import type { FileUploads } from './uploads/port.ts';
import type { Remedy } from './heal/repair-types.ts';

/** The model that describes pictures, by its name or with what only it needs. */
export type Eyes =
  | ModelName
  | {
      model: ModelName;
      baseUrl?: string;
      apiVersion?: string;
      profile?: ProfileOverrides;
      /** Keys as for any model; the environment's by default. */
      key?: string | (() => string | Promise<string>);
      apiKey?: string | (() => string | Promise<string>);
      token?: string | (() => string | Promise<string>);
      headers?: Readonly<Record<string, string>>;
      /** How long it may look at one picture; 20 s unless set. */
      totalMs?: number;
    };

/** What becomes of media that are given by their address. */
export type UrlOptions = {
  /** Whose addresses the provider gets as they are: those of the user's messages (unless set), of tool results too, or nobody's.
   * One that is not https, not public, or carries a key stays here in any case. */
  pass?: 'never' | 'user' | 'all';
  /** Where to fetch from what cannot be passed: public https addresses, and what these rules add; `false` (unless set):
   * nowhere. */
  fetch?: UrlRules | false;
};

/** The model, and what it is told besides the transcript. */
export type PrepareOptions<Model extends string = ModelName> = Omit<RequestOptions, 'output'> &
  MediaPolicy & {
    /** The form of the answer: a schema of zod, valibot, arktype or their like, or JSON Schema. `readOutput` reads it.
     * What `accept` found in a request stands here as it is. */
    output?: OutputSchema | RequestOptions['output'] | undefined;
    /** `endpoint/model`, such as `anthropic/claude-sonnet-5`. */
    model: Model;
    /** What the last `prepare` of this conversation returned; with it, the next request only appends. */
    ledger?: Ledger | undefined;
    assets?: AssetStore;
    cache?: 'auto' | 'off';
    /** Ceilings below those of the model: tokens, bytes of the body, pictures. */
    budget?: Budget;
    /** What you know better about the model than the catalog does. */
    profile?: ProfileOverrides;
    baseUrl?: string;
    /** Azure before its v1 route: the version that every request names, such as `2024-10-21`. */
    apiVersion?: string;
    /** Where relative paths of media begin; the working directory by default. */
    base?: string;
    /** The folders that paths in tool results may name files in; by default the one where relative paths begin. */
    roots?: readonly string[];
    signal?: AbortSignal;
    /** What becomes of addresses of media. Those that the program or the user wrote are handed to a provider that shows what
     * lies there; nothing is fetched. */
    urls?: UrlOptions;
    /** Puts media among your files at the provider, once each, and sends ids from then on. Off unless given, for files stay
     * there until they expire: `fileUploads()`. */
    uploads?: FileUploads | undefined;
    /** Whether words are read off pictures for models that cannot see; by default, when the part `ocr` is here. */
    readPictures?: boolean;
    /** A model that sees, which describes pictures for one that does not: `endpoint/model`. Never guessed, for pictures then
     * go to its vendor. Each picture is described once and the words stay; what fails goes its usual way. */
    eyes?: Eyes | undefined;
    /** Where descriptions by `eyes` are kept for other processes and later; that of the session in a run. */
    descriptions?: DescriptionTable | undefined;
    /** Counts the tokens of a text better than the estimate does; asked when a request is near its ceiling. */
    countText?: CountText;
  };

/** One request, ready to send by whatever client you have; `wire` tells what `json` and `sdk` give. */
export type Prepared<Wire extends WireName = WireName> = { [Each in Wire]: PreparedFor<Each> }[Wire];

/** A request in one dialect. */
export type PreparedFor<Wire extends WireName> = {
  wire: Wire;
  url: string;
  /** Everything but the key. */
  headers: Record<string, string>;
  receipts: Receipt[];
  /** Store it beside the messages and pass it to the next `prepare`. */
  ledger: Ledger;
  /** The decisions themselves. */
  plan: Plan;
  /** What it weighs, and what it may weigh. */
  totals: Totals;
  /** Media of the transcript that were refused, and by which words they are replaced in this request. */
  troubles: RefusedMedium[];
  /** The exact REST body. */
  json: () => Promise<Bodies[Wire]>;
  /** What the vendor's own SDK method takes. */
  sdk: () => Promise<SdkBodies[Wire]>;
  /** The body with a short note where base64 would stand, for people. */
  outline: () => Promise<Bodies[Wire]>;
  /** The exact REST body as a byte stream of `contentLength` bytes. */
  stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
  contentLength: number;
  /** The same request, asking for a streamed answer; `send` sends this. */
  outgoing: (access?: Access) => Outgoing;
  /** The answer of your own client as a message: a `Response`, its JSON, or its events. */
  decode: (response: AnswerInput) => Promise<AssistantMessage>;
  /** The same as it arrives: a `Response`, bytes, or the event objects of the vendor's SDK. */
  events: (response: AnswerInput) => AsyncIterable<ModelEvent>;
  /** What to send instead, when the provider refused this: the offending medium one rung lower, thinking left out, or
   * less of everything. Undefined when nothing can be done about the error. */
  repair: (error: unknown, remedy?: Remedy) => Promise<Prepared<Wire> | undefined>;
  /** The media among which the guilty one has to be searched: several may be, and the error names none. */
  suspects: (error: unknown) => MediumId[];
  /** A small request with these media alone, to see whether the provider takes them. */
  probe: (media: readonly MediumId[]) => Promise<Prepared<Wire>>;
  /** What `eyes` took for pictures of this request. */
  looked: readonly Spent[];
  /** What was repaired on the way to this request, one sentence each. */
  repairs: readonly string[];
  /** What the provider's complaints taught about the model; say it as `profile` from the next turn on. */
  learned?: ProfileOverrides;
};

/** A request on its way: everything but the key. */
export type Outgoing = Address & {
  stream: (options?: StreamOptions) => ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The same bytes for whoever needs no stream. */
  chunks: (options?: StreamOptions) => AsyncIterable<Uint8Array<ArrayBuffer>>;
  readonly contentLength: number;
  /** The body whose media are still named by their hash. */
  skeleton: () => Skeleton<unknown>;
  /** Where those media lie. */
  assets: AssetStore;
};
