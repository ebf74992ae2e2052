// What whoever sends a request may say about it.
import type { ModelEvent } from '../message/event.ts';
import type { Clock } from './http/clock.ts';
import type { Fetch } from './http/http.ts';
import type { Prepared } from './prepared.ts';
import type { Purpose, Recorder, RequestAttempt } from '../record/record.ts';

/** A key, or what gives one when it is needed: tokens of a cloud expire. */
export type Secret = string | (() => string | Promise<string>);

/** A request that came to nothing goes out again: as which try, of how many, after how long a wait, and why. */
export type RequestRetry = { attempt: number; of: number; ms: number; why: string };

/** Keys of AWS, in the words of its SDK. */
export type AwsCredentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** Keys, patience, and what carries the request. */
export type SendOptions = {
  /** Goes into the vendor's own header; the environment's by default. */
  key?: Secret;
  /** The same, as most SDKs call it. */
  apiKey?: Secret;
  /** Goes as a bearer token in place of a key: Microsoft Entra, Google Cloud. */
  token?: Secret;
  /** Keys of AWS that requests to Bedrock are signed with, as its own credential providers give them; the environment's
   * by default. */
  credentials?: () => Promise<AwsCredentials>;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** How often a request is sent at most; 3 unless set. */
  tries?: number;
  /** How long nothing may happen; 5 minutes unless set, 10 where an answer comes in one piece. */
  idleMs?: number;
  /** How long the whole may take, waiting included; an hour unless set. */
  totalMs?: number;
  /** Told of every request: what left, body and answer included, and how it ended; of no key and no header. */
  recorder?: Recorder;
  /** What tracers of OpenTelemetry are told, where they are; `spans` unless set. */
  telemetry?: 'off' | 'spans' | 'content';
  /** What the request is for, as its record says. */
  purpose?: Purpose;
  /** Hears of each time that the request went out, when that is over. */
  onAttempt?: (attempt: RequestAttempt) => void;
  /** Hears, before a wait, that the request will go out again. */
  onRetry?: (retry: RequestRetry) => void;
  /** What carries a request; Node's own HTTP by default. */
  fetch?: Fetch;
  clock?: Clock;
  /** From 0 to 1, for waits that differ. */
  random?: () => number;
};

/** What carries a request to a model; a test or a proxy may put its own in its place. */
export type Send = (request: Prepared, options?: SendOptions) => AsyncIterable<ModelEvent>;
