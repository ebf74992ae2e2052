// A scripted model: a list of answers, each plain data or a function of what was asked. It serves tests, demos and
// docs, in process or as a server that speaks every wire, and it can fail in all the ways a provider fails.
import type { IncomingHttpHeaders } from 'node:http';
import { SightlineError } from '../../content/refusal.ts';
import type { TranscriptInput } from '../../message/message.ts';
import type { Stop, Usage } from '../../message/message.ts';
import type { RequestOptions } from '../../window/plan-types.ts';
import type { WireName } from '../../window/profile.ts';
import type { Accepted } from '../../wire/accepted.ts';

/** A call that the model makes. */
export type ScriptedCall = { name: string; input?: unknown; id?: string };

/** What the model says, and how it or the line to it fails. */
export type Answer = Saying & Fault;

/** What the model says. */
export type Saying = {
  text?: string;
  thinking?: string;
  calls?: readonly ScriptedCall[];
  /** By default, a quarter of the letters that were heard and said; media count nothing. */
  usage?: Usage;
  /** By default `calls` when there are any, else `end`. */
  stop?: Stop;
};

/** How an answer, or the line to the model, fails. */
export type Fault = {
  /** An error body in the provider's shape. `retryAfter` is in milliseconds. */
  error?: { status: number; message: string; retryAfter?: number };
  /** Milliseconds between two chunks. */
  slow?: number;
  /** Milliseconds without a word, after the headers. */
  silence?: number;
  /** The stream ends after so many chunks, as if that were all. */
  cutAfter?: number;
  /** One chunk is no JSON. */
  malformed?: boolean;
  /** The connection breaks: before anything is sent, or half-way. */
  reset?: 'before' | 'middle';
  /** The answer is to be found elsewhere (307). */
  redirect?: string;
  /** The type that the answer claims to have. */
  contentType?: string;
  /** Bytes per write, whatever they cut through: with 1, every character of several bytes comes in pieces. */
  writeBytes?: number;
  /** The stream ends half-way, in the middle of a character. */
  halfCharacter?: boolean;
};

/** What a step sees of a request. */
export type Asked = {
  /** Counts requests from 0. */
  index: number;
  wire: WireName;
  /** The model's name, without its endpoint. */
  model: string;
  transcript: TranscriptInput;
  options: RequestOptions;
};

/** An answer, or what makes one of what was asked. */
export type Step = Answer | ((asked: Asked) => Answer | Promise<Answer>);

/** What answers the requests. */
export type Script = {
  answer: (asked: Asked) => Promise<Answer>;
  /** How many answers there are, where that is known. */
  steps?: number;
};

/**
 * The answers in order, the first request gets the first; or one function that answers every request.
 *
 * @example
 * const model = script([{ calls: [{ name: 'chart', input: { year: 2026 } }] }, { text: 'Sales rose.' }]);
 */
export function script(steps: readonly Step[] | Exclude<Step, Answer>): Script {
  if (typeof steps === 'function') return { answer: async (asked) => steps(asked) };
  const copy: readonly Step[] = Array.isArray(steps) ? [...(steps as readonly Step[])] : [];
  const wrong = Array.isArray(steps) ? copy.findIndex((step) => !isStep(step)) : 0;
  if (wrong >= 0)
    throw new SightlineError(
      'input',
      `Step ${wrong + 1} of the script is neither an answer nor a function. Write script([{ text: 'Hello.' }]).`,
    );
  return {
    steps: copy.length,
    answer: async (asked) => {
      const step = copy[asked.index];
      if (step === undefined) return { error: { status: 400, message: exhausted(copy.length, asked.index) } };
      return typeof step === 'function' ? step(asked) : step;
    },
  };
}

function isStep(step: unknown): boolean {
  return typeof step === 'function' || (typeof step === 'object' && step !== null);
}

function exhausted(count: number, index: number): string {
  const has = count === 1 ? 'one answer' : `${count} answers`;
  return `The script has ${has}, and this is request ${index + 1}. Add a step, or pass one function that answers all.`;
}

/** One request as it came. `wire` and what follows are there when it asked a model for an answer. */
export type ScriptedRequest = {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed body, or its text when it is no JSON. */
  body: unknown;
  bytes: number;
  wire?: WireName;
  model?: string;
  stream?: boolean;
  transcript?: TranscriptInput;
  accepted?: Accepted;
};
