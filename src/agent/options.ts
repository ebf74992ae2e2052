// What a run is told, and what it tells when it is over.
import type { ContentInput } from '../content/input.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import type { Attached } from '../message/attached.ts';
import type { MessageError } from '../message/error.ts';
import type { Message, MessageInput, Usage } from '../message/message.ts';
import type { AnswerOptions } from '../model/answer.ts';
import type { EntryId } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import type { Approve } from '../tool/invoke.ts';
import type { AnyTool, ContextOf, Tool } from '../tool/tool.ts';
import type { ModelName } from '../window/catalog.ts';
import type { Ledger } from '../window/ledger.ts';
import type { OutputSchema } from '../window/output.ts';
import type { Summary } from '../window/summary.ts';
import type { StepHook } from './durable.ts';
import type { RunStop } from './event.ts';

/** A model by its name, or with what only it needs: its address, its key, its limits, the files of its account. */
export type ModelChoice =
  | ModelName
  | Pick<
      AnswerOptions,
      | 'model'
      | 'baseUrl'
      | 'apiVersion'
      | 'profile'
      | 'key'
      | 'apiKey'
      | 'token'
      | 'headers'
      | 'maxTokens'
      | 'temperature'
      | 'topP'
      | 'topK'
      | 'seed'
      | 'stop'
      | 'verbosity'
      | 'thinking'
      | 'parallelCalls'
      | 'user'
      | 'tiles'
      | 'legibility'
      | 'pages'
      | 'uploads'
    >;

/** What a run is told. All that one answer may be told goes here, too. */
export type AgentOptions<
  Tools extends readonly AnyTool[] = readonly Tool[],
  Schema extends OutputSchema | undefined = OutputSchema | undefined,
> = Omit<AnswerOptions, 'model' | 'output'> & {
  /** One model, or several: the next takes over when one cannot be had. */
  model: ModelChoice | readonly ModelChoice[];
  system?: string;
  /** What the user says now. */
  prompt?: ContentInput;
  /** The conversation before it; that of the session unless given. */
  messages?: readonly MessageInput[];
  tools?: Tools;
  /** The form of the answer: a schema of zod, valibot, arktype or their like, or JSON Schema. */
  output?: Schema;
  /** Where the conversation is kept. With it, a run goes on where the last one ended, whatever ended it. */
  session?: Session;
  /** Goes on where the last run in the session stopped: calls that nothing answered are run, or told as interrupted when they may
   * have happened and must not happen twice. Then `prompt` is said, if there is one. */
  resume?: boolean;
  /** Called around each piece of work that must not be done again when an engine plays the run again: what was said, each answer,
   * each call. Its values are JSON below 64 KiB. Needs a session. */
  step?: StepHook;
  /** What stands for the beginning of `messages`; of an earlier run's result. */
  summary?: Summary;
  /** `off` never sums up an old part of the conversation; by default that is done when the window is nearly full. */
  compact?: 'auto' | 'off';
  /** Answers at most; 50 unless set. */
  maxSteps?: number;
  /** US dollars, by the catalog's prices or those of `profile`. The answer that goes beyond is the last. */
  maxCost?: number;
  /** Asked before each call runs, unless its tool says `approve: false`. */
  approve?: Approve<Tools>;
  /** Asked before each step what is different in it, or whether the run ends here. */
  beforeStep?: BeforeStep;
  /** How many calls of one answer run at once, of all tools together; 16 unless set. */
  maxCallsAtOnce?: number;
} & ContextOption<ContextOf<Tools>>;

/** What the tools are told besides their input, such as who is logged in. No model sees it. */
export type ContextOption<Context> = [Context] extends [never]
  ? { context?: unknown } // tools of which nobody knows what they want
  : unknown extends Context
    ? { context?: unknown }
    : { context: Context };

/** Sees a step before it is taken: its number, from 1 on, and the conversation so far. */
export type BeforeStep = (about: {
  step: number;
  messages: readonly Message[];
}) => StepChange | undefined | Promise<StepChange | undefined>;

/** What is different in one step; what is left out stays as the run was told. */
export type StepChange = Partial<Pick<AgentOptions, 'model' | 'tools' | 'toolChoice' | 'system'>> & {
  /** Ends the run before this step. */
  stop?: boolean;
};

/** How a run went; `stop` tells which of the rest is there. */
export type RunResult<Output = unknown> = {
  /** The words of the last answer. */
  text: string;
  /** What the model chose with `attach_to_response` to go with its answer to the person. */
  attachments: Attached[];
  /** The whole conversation, prompt included; give it to the next run. */
  messages: Message[];
  usage: Usage;
  /** US dollars, where the prices of every model used are known. */
  cost?: number;
  /** Media of the prompt and the messages that were refused, and why; words stand for them. */
  troubles: RefusedMedium[];
  /** Entries of the session whose words are not those that were stored: a disk or another program changed them. */
  altered: EntryId[];
  /** Give both to the next run of this conversation, so that it only appends. */
  ledger?: Ledger;
  summary?: Summary;
} & RunEnd<Output>;

/** Why a run is over: what failed in it, or who stopped it. */
export type RunEnd<Output> =
  /** `output` is the answer in the form that was asked for, checked. */
  | { stop: 'end'; output: Output; error?: undefined; reason?: undefined }
  | {
      stop: Exclude<RunStop, 'end' | 'aborted' | 'error'>;
      output?: undefined;
      error?: undefined;
      reason?: undefined;
    }
  /** `reason` is that of the signal, or what `stop` was given. */
  | { stop: 'aborted'; output?: undefined; error: MessageError; reason: unknown }
  | { stop: 'error'; output?: undefined; error: MessageError; reason?: undefined };
