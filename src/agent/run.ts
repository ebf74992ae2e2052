// The loop: ask the model, run what it calls, ask again, until it has nothing more to call. Whatever fails on the way
// (a broken stream, a refused picture, a tool that throws, an abort) leaves a conversation in which every call is
// answered and which any model can go on with. Neither the events nor `result()` ever throw.
import { sharedAssets } from '../asset/memory.ts';
import { checkContent } from '../content/input.ts';
import type { ContentInput } from '../content/input.ts';
import type { Intake } from '../content/intake.ts';
import { SightlineError } from '../content/refusal.ts';
import { textIn } from '../content/block.ts';
import { openIntake } from '../media/index.ts';
import type { MessageError } from '../message/event.ts';
import type { AssistantMessage, Message, MessageInput, Usage } from '../message/message.ts';
import { resolveTranscript } from '../message/check-transcript.ts';
import type { AnswerOptions } from '../model/answer.ts';
import type { Session } from '../session/session.ts';
import { checkNames } from '../tool/tool.ts';
import type { Tool } from '../tool/tool.ts';
import type { Ledger } from '../window/ledger.ts';
import { answerCalls } from './calls.ts';
import type { Approve } from './calls.ts';
import { channel } from './channel.ts';
import { filledBy } from '../window/summary.ts';
import type { Summary } from '../window/summary.ts';
import type { AgentEvent, Emit, RunStop } from './event.ts';
import { journalOf } from './journal.ts';
import { askModel, newState } from './step.ts';
import type { State } from './step.ts';

/** A model by its name, or with what only it needs: its address, its key, its limits. */
export type ModelChoice =
  | string
  | Pick<
      AnswerOptions,
      'model' | 'baseUrl' | 'apiVersion' | 'profile' | 'key' | 'token' | 'headers' | 'maxTokens' | 'temperature'
    >;

/** What a run is told. All that one answer may be told goes here, too. */
export type AgentOptions = Omit<AnswerOptions, 'model'> & {
  /** One model, or several: the next takes over when one cannot be had. */
  model: ModelChoice | readonly ModelChoice[];
  system?: string;
  /** What the user says now. */
  prompt?: ContentInput;
  /** The conversation before it; that of the session unless given. */
  messages?: readonly MessageInput[];
  tools?: readonly Tool[];
  /** Where the conversation is kept. With it, a run goes on where the last one ended, whatever ended it. */
  session?: Session;
  /** What stands for the beginning of `messages`; of an earlier run's result. */
  summary?: Summary;
  /** `off` never sums up an old part of the conversation; by default that is done when the window is nearly full. */
  compact?: 'auto' | 'off';
  /** Answers at most; 50 unless set. */
  maxSteps?: number;
  /** US dollars, by the catalog's prices. The answer that goes beyond is the last. */
  maxCost?: number;
  /** Asked before each call runs. */
  approve?: Approve;
};

/** How a run went. */
export type RunResult = {
  /** The words of the last answer. */
  text: string;
  /** The whole conversation, prompt included; give it to the next run. */
  messages: Message[];
  usage: Usage;
  /** US dollars, where the catalog knows the prices of every model used. */
  cost?: number;
  stop: RunStop;
  error?: MessageError;
  /** Give both to the next run of this conversation, so that it only appends. */
  ledger?: Ledger;
  summary?: Summary;
};

/** A run: read its events, or wait for its result. */
export type AgentRun = AsyncIterable<AgentEvent> & {
  /** Runs to the end and tells how it went. */
  result: () => Promise<RunResult>;
  /**
   * Says something while the run goes on; the model reads it before its next answer. False when the run is over. What
   * was added and an abort or an error came before is not in the messages: say it again.
   */
  add: (content: ContentInput) => boolean;
};

/** Starts when its events or its result are asked for. Whoever stops reading the events stops the run. */
export function runAgent(options: AgentOptions): AgentRun {
  const added: Added = { contents: [], over: false };
  const stopped = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal;
  const events = channel<AgentEvent>();
  let running: Promise<RunResult> | undefined;
  const start = (emit: Emit): Promise<RunResult> =>
    (running ??= loop({ ...options, signal }, added, emit).finally(() => {
      added.over = true;
      events.close();
    }));
  return {
    add: (content) => {
      checkContent(content, 'What is added');
      if (!added.over) added.contents.push(content);
      return !added.over;
    },
    result: () => start(async () => undefined),
    async *[Symbol.asyncIterator]() {
      void start(events.push);
      let whole = false;
      try {
        yield* events.read();
        whole = true;
      } finally {
        if (!whole) stopped.abort();
      }
    },
  };
}

/** What is said while a run goes on, and whether it still listens. */
type Added = { contents: ContentInput[]; over: boolean };

const runs = new WeakMap<Session, { signal: AbortSignal; over: Promise<void> }>();

/** Two runs at once would mix their questions and answers. One that was stopped is waited for. */
async function turnIn(session: Session, signal: AbortSignal): Promise<() => void> {
  for (let other = runs.get(session); other; other = runs.get(session)) {
    if (!other.signal.aborted)
      throw new SightlineError(
        'input',
        `A run goes on in session ${session.id}. Wait for its end, say it there with add(), or go on in a fork.`,
      );
    await other.over;
  }
  const over = Promise.withResolvers<void>();
  runs.set(session, { signal, over: over.promise });
  return () => {
    runs.delete(session);
    over.resolve();
  };
}

async function loop(options: AgentOptions & { signal: AbortSignal }, added: Added, emit: Emit): Promise<RunResult> {
  const { session, tools = [], approve, signal, system, maxCost, maxSteps = 50 } = options;
  const assets = session?.assets ?? options.assets ?? sharedAssets();
  const intake = openIntake({ assets, base: options.base, roots: options.roots, signal });
  const journal = journalOf(session);
  const state = newState(options);
  let leave: (() => void) | undefined;
  const end = (stop: RunStop, error?: MessageError): RunResult => {
    leave?.();
    return finish(state, stop, emit, error);
  };
  const keep = async (messages: readonly Message[]): Promise<void> => {
    await journal.messages(messages);
    state.messages = [...state.messages, ...messages];
    // Whoever reads along may want to say something about it before the run goes on.
    for (const message of messages) await emit({ type: 'message-added', message });
  };
  try {
    checkNames(tools);
    if (session && options.assets && options.assets !== session.assets)
      throw new SightlineError('input', 'A session keeps its own assets. Give "session" or "assets", not both.');
    if (options.prompt !== undefined) checkContent(options.prompt, 'The prompt');
    leave = session && (await turnIn(session, signal));
    const before = options.messages ?? (await session?.messages()) ?? [];
    state.messages = await checked(before, intake);
    state.summary ??= await session?.summary();
    state.filled = filledBy(state.messages, state.summary);
    await journal.begin({ system, tools });
    if (options.prompt !== undefined) await keep(await checked([userSays(options.prompt)], intake));
    if (state.messages.length === 0)
      throw new SightlineError('input', 'There is nothing to answer. Give a prompt or messages.');
    for (let step = 1; ; step++) {
      const { message, error } = await askModel(step, state, { ...options, assets, tools, intake }, journal, emit);
      if (message.content.length > 0) await keep([message]);
      const calls = hasCalls(message);
      if (calls) {
        // Calls of an answer that did not end well are answered, but not run.
        const over = signal.aborted || error !== undefined || message.stop === 'declined';
        const running = over ? AbortSignal.abort() : signal;
        const conversation = (): Message[] => state.messages;
        const asked = { tools, assets, intake, approve, signal: running, conversation, emit, now: Date.now };
        await keep(await answerCalls(message, asked));
      }
      if (signal.aborted || error?.code === 'aborted') return end('aborted');
      if (error) return end('error', error);
      if (message.stop === 'declined') return end('declined');
      const said = await checked(added.contents.splice(0).map(userSays), intake);
      await keep(said);
      if (!calls && said.length === 0 && added.contents.length === 0) {
        added.over = true;
        return end('end');
      }
      if (maxCost !== undefined && (state.cost ?? 0) >= maxCost) return end('max-cost');
      if (step >= maxSteps) return end('max-steps');
    }
  } catch (error) {
    return signal.aborted ? end('aborted') : end('error', errorOf(error));
  }
}

function finish(state: State, stop: RunStop, emit: Emit, error?: MessageError): RunResult {
  const { messages, usage, cost, ledger, summary } = state;
  const how = { usage, stop, ...(cost !== undefined && { cost }), ...(error && { error }) };
  void emit({ type: 'run-end', ...how });
  return { text: lastText(messages), messages, ...how, ...(ledger && { ledger }), ...(summary && { summary }) };
}

function userSays(content: ContentInput): MessageInput {
  return { role: 'user', content };
}

function hasCalls(message: AssistantMessage): boolean {
  return message.content.some((block) => block.type === 'call');
}

/** Messages as people write them → checked blocks, so that each medium passes the intake once and not on every step. */
async function checked(messages: readonly MessageInput[], intake: Intake): Promise<Message[]> {
  return messages.length === 0 ? [] : (await resolveTranscript({ messages }, intake)).transcript.messages;
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return textIn(last?.content ?? []);
}

function errorOf(error: unknown): MessageError {
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'message-error', code: 'invalid', message, retryable: false };
}
