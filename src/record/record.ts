// What was asked of a provider and how that ended: one record when a request leaves, its end when it is over. No header
// and no key stands in it; the body is handed over beside it.
import type { AssetStore } from '../content/asset-store.ts';
import type { MessageError } from '../message/error.ts';
import type { AnswerName } from '../message/event.ts';
import type { AssistantMessage, Latency, Stop, Usage } from '../message/message.ts';
import type { Totals } from '../window/budget.ts';
import type { WireName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { KeptBody, KnownElements } from './body.ts';

/** A request that has left. */
export type RequestRecord = {
  version: 1;
  /** Made here, so that nobody has to wait for a store to give it one. */
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  /** The session, or whatever else its requests have in common; whoever keeps it finds one where none is said. */
  conversation?: string;
  purpose: Purpose;
  via: 'agent' | 'answer' | 'send' | 'fetch' | 'gateway';
  /** `endpoint/model`. */
  model: string;
  wire: WireName;
  /** Without what is secret in it. */
  url: string;
  bytes: number;
  receipts: readonly Receipt[];
  /** What was changed after refusals on the way to this request, one sentence each. */
  repairs: readonly string[];
  /** What it weighs, and what it may weigh; the fetch under another SDK does not count tokens. */
  totals?: Totals;
  /** The last entry of the session when it was planned. */
  upTo?: number;
};

/** What a request is for: an answer, a summary of what came before, or finding the medium that a provider refuses. */
export type Purpose = 'answer' | 'summary' | 'probe';

/** How a request ended. */
export type Ended = {
  /** `refused` is the provider's word; what is `broken` came to no end. */
  state: 'answered' | 'refused' | 'broken' | 'aborted';
  /** Each time that it went out, redirects and failures included. */
  attempts: readonly RequestAttempt[];
  usage?: Usage;
  /** US dollars, where the prices are known. */
  cost?: number;
  latency?: Latency;
  stop?: Stop;
  /** What the provider calls its answer, and the model that it says has answered. */
  response?: AnswerName;
  error?: MessageError;
  /** What came, as far as it came, where no session holds it. */
  answer?: AssistantMessage;
};

/** One time that a request went out. */
export type RequestAttempt = {
  /** Until the answer began, or nothing came. */
  ms: number;
  status?: number;
  /** How long was waited before it. */
  wait?: number;
  /** Why it came to nothing. */
  error?: string;
  /** The provider's name for it, which its support asks for. */
  requestId?: string;
};

/** Gives the body of a request as it is kept; asked only by those who keep bodies. */
export type SentBody = (known?: KnownElements) => KeptBody | Promise<KeptBody>;

/** What a recorder found when it kept a request: where its prefix differs from the request before it. */
export type BegunRecord = { broke?: string };

/** Where requests are recorded. It is never waited for; one that fails or hangs hears nothing more and is told once. */
export type Recorder = {
  begin(record: RequestRecord, body: SentBody): void | Promise<BegunRecord | void>;
  /** After `begin` of the same request is done, unless `inOrder`. One that never ends belongs to a process that died. */
  end(id: string, ended: Ended): void | Promise<void>;
  /** It works in the order in which it is told: an end comes at once, even while `begin` of the same request still runs. */
  inOrder?: true;
  /** The conversation of all that it is told of, where there is one. */
  conversation?: string;
  /** Where media go that stand in bodies which others wrote. */
  assets?: AssetStore;
};

/** The same recorder, told more about each request: which conversation it belongs to, and who sent it. */
export function recordedAs(to: Recorder, about: Partial<Pick<RequestRecord, 'conversation' | 'via'>>): Recorder {
  return { ...to, begin: (record, body) => to.begin({ ...record, ...about }, body) };
}
