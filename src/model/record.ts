// What was asked of a provider and how that ended: one record when a request leaves, its end when it is over. No header,
// no body and no key stands in it.
import type { MessageError } from '../message/error.ts';
import type { Latency, Stop, Usage } from '../message/message.ts';
import type { Totals } from '../window/budget.ts';
import type { WireName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';

/** A request that has left. */
export type RequestRecord = {
  version: 1;
  /** Made here, so that nobody has to wait for a store to give it one. */
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  purpose: Purpose;
  via: 'answer' | 'send' | 'fetch';
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
  error?: MessageError;
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

/** Where requests are recorded. It is never waited for; one that fails or hangs hears nothing more and is told once. */
export type Recorder = {
  begin(record: RequestRecord): void | Promise<void>;
  /** After `begin` of the same request. One that never ends belongs to a process that died. */
  end(id: string, ended: Ended): void | Promise<void>;
};
