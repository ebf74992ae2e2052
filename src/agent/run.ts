// The loop: ask the model, run what it calls, ask again, until it has nothing more to call. Whatever fails on the way
// (a broken stream, a refused picture, a tool that throws, an abort) leaves a conversation in which every call is
// answered and which any model can go on with. Only wrong use of a run throws; whatever happens in it is told by its result.
import { sharedAssets } from '../asset/memory.ts';
import { checkContent } from '../content/input.ts';
import type { ContentInput } from '../content/input.ts';
import { SightlineError } from '../content/refusal.ts';
import { textIn } from '../content/block.ts';
import { openIntake } from '../media/index.ts';
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage, Message, MessageInput, Usage } from '../message/message.ts';
import { resolveTranscript } from '../message/check-transcript.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import type { AnswerOptions } from '../model/answer.ts';
import type { Session } from '../session/session.ts';
import type { Approve } from '../tool/invoke.ts';
import { checkNames } from '../tool/tool.ts';
import type { Tool } from '../tool/tool.ts';
import type { Ledger } from '../window/ledger.ts';
import { profileFor } from '../window/profile.ts';
import { answerCalls } from './calls.ts';
import { channel } from './channel.ts';
import { filledBy } from '../window/summary.ts';
import type { Summary } from '../window/summary.ts';
import type { AgentEvent, Emit, RunStop } from './event.ts';
import { journalOf } from './journal.ts';
import type { Journal } from './journal.ts';
import { askModel, choicesOf, newState } from './step.ts';
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
  /** US dollars, by the catalog's prices or those of `profile`. The answer that goes beyond is the last. */
  maxCost?: number;
  /** Asked before each call runs, unless its tool says `approve: false`. */
  approve?: Approve;
  /** Asked before each step what is different in it, or whether the run ends here. */
  beforeStep?: BeforeStep;
  /** What the tools are told besides their input, such as who is logged in. No model sees it. */
  context?: unknown;
  /** How many calls of one answer run at once, of all tools together; 16 unless set. */
  maxCallsAtOnce?: number;
};

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
export type RunResult = {
  /** The words of the last answer. */
  text: string;
  /** The whole conversation, prompt included; give it to the next run. */
  messages: Message[];
  usage: Usage;
  /** US dollars, where the prices of every model used are known. */
  cost?: number;
  /** Media of the prompt and the messages that were refused, and why; words stand for them. */
  troubles: RefusedMedium[];
  /** Give both to the next run of this conversation, so that it only appends. */
  ledger?: Ledger;
  summary?: Summary;
} & RunEnd;

/** Why a run is over: what failed in it, or who stopped it. */
type RunEnd =
  | { stop: Exclude<RunStop, 'aborted' | 'error'>; error?: undefined; reason?: undefined }
  /** `reason` is that of the signal, or what `stop` was given. */
  | { stop: 'aborted'; error: MessageError; reason: unknown }
  | { stop: 'error'; error: MessageError; reason?: undefined };

/** A run: read its events, or await its result. It begins with either; neither throws for what happens in it. */
export type AgentRun = AsyncIterable<AgentEvent> &
  PromiseLike<RunResult> & {
    /** The same as awaiting the run. */
    result: () => Promise<RunResult>;
    /**
     * Says something while the run goes on; the model reads it before its next answer. False when the run is over. What
     * was added and an abort or an error came before is not in the messages: say it again.
     */
    add: (content: ContentInput) => boolean;
    /** Stops the run as its signal would: open calls are answered as cancelled, and its result carries the reason. */
    stop: (reason?: unknown) => void;
  };

/**
 * Runs a model and its tools until it has nothing more to call. It starts when its events are read or it is awaited.
 * Whoever stops reading the events stops the run.
 */
export function runAgent(options: AgentOptions): AgentRun {
  const added: Added = { contents: [], over: false };
  const stopped = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal;
  const events = channel<AgentEvent>();
  let running: Promise<RunResult> | undefined;
  let read = false;
  const start = (emit: Emit): Promise<RunResult> =>
    (running ??= loop({ ...options, signal }, added, emit).finally(() => {
      added.over = true;
      events.close();
    }));
  const result = (): Promise<RunResult> => start(async () => undefined);
  async function* eventsOfRun(): AsyncGenerator<AgentEvent> {
    void start(events.push);
    let whole = false;
    try {
      yield* events.read();
      whole = true;
    } finally {
      if (!whole) stopped.abort('Nobody reads its events any more.');
    }
  }
  return {
    add: (content) => {
      checkContent(content, 'What is added');
      if (!added.over) added.contents.push(content);
      return !added.over;
    },
    stop: (reason) => stopped.abort(reason),
    result,
    // oxlint-disable-next-line unicorn/no-thenable -- a run is awaited for its result
    then: (done, failed) => result().then(done, failed),
    [Symbol.asyncIterator]: () => {
      if (running ?? read) throw new SightlineError('input', read ? readTwice : readLate);
      read = true;
      return eventsOfRun();
    },
  };
}

const readTwice =
  'The events of this run are read already, and told once. Hand them on from that one loop, or start another run.';
const readLate =
  'This run was started by awaiting it or by result(), which tells no events. Read its events first ("for await … of run"), then await it.';

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
  const { session, approve, signal, maxCost, maxSteps = 50 } = options;
  const assets = session?.assets ?? options.assets ?? sharedAssets();
  const intake = openIntake({ assets, base: options.base, roots: options.roots, signal });
  const journal = journalOf(session);
  const state = newState(options);
  let leave: (() => void) | undefined;
  const end = (how: RunEnd): RunResult => {
    leave?.();
    return finish(state, how, emit);
  };
  /** Messages as people write them → checked blocks, so that each medium passes the intake once and not on every step. */
  const check = async (messages: readonly MessageInput[]): Promise<Message[]> => {
    if (messages.length === 0) return [];
    const { transcript, troubles } = await resolveTranscript({ messages }, intake);
    for (const { message, ...rest } of troubles) {
      const trouble = { message: message + state.messages.length, ...rest };
      state.troubles.push(trouble);
      void emit({ type: 'media-refused', ...trouble });
    }
    return transcript.messages;
  };
  const keep = async (messages: readonly Message[]): Promise<void> => {
    const entries = await journal.messages(messages);
    state.messages = [...state.messages, ...messages];
    // Whoever reads along may want to say something about it before the run goes on.
    for (const [at, message] of messages.entries()) {
      const entry = entries[at];
      await emit({ type: 'message-added', message, ...(entry !== undefined && { entry }) });
    }
  };
  try {
    checkNames(options.tools ?? []);
    checkPrices(options);
    if (session && options.assets && options.assets !== session.assets)
      throw new SightlineError('input', 'A session keeps its own assets. Give "session" or "assets", not both.');
    if (options.prompt !== undefined) checkContent(options.prompt, 'The prompt');
    leave = session && (await turnIn(session, signal));
    const before = options.messages ?? (await session?.messages()) ?? [];
    state.messages = await check(before);
    state.summary ??= await session?.summary();
    state.filled = filledBy(state.messages, state.summary);
    await journal.begin({ system: options.system, tools: options.tools ?? [] });
    if (options.prompt !== undefined) await keep(await check([userSays(options.prompt)]));
    if (state.messages.length === 0)
      throw new SightlineError('input', 'There is nothing to answer. Give a prompt or messages.');
    for (let step = 1; ; step++) {
      const change = await options.beforeStep?.({ step, messages: state.messages });
      if (change?.stop) return end({ stop: 'stopped' });
      const { tools = [], ...now } = optionsOf(step, options, change);
      if (change) await changed({ ...now, tools }, change, journal);
      const { message, error } = await askModel(step, state, { ...now, assets, tools, intake }, journal, emit);
      if (message.content.length > 0) await keep([message]);
      const calls = hasCalls(message);
      if (calls) {
        // Calls of an answer that did not end well are answered, but not run.
        const over = signal.aborted || error !== undefined || message.stop === 'declined';
        const running = over ? AbortSignal.abort() : signal;
        const conversation = (): Message[] => state.messages;
        const { context, maxCallsAtOnce } = options;
        const asked = { tools, assets, intake, approve, context, maxCallsAtOnce, signal: running, conversation };
        await keep(await answerCalls(message, { ...asked, emit, now: Date.now }));
      }
      if (signal.aborted || error?.code === 'aborted') return end(aborted(signal, error));
      if (error) return end({ stop: 'error', error });
      if (message.stop === 'declined') return end({ stop: 'declined' });
      const said = await check(added.contents.splice(0).map(userSays));
      await keep(said);
      if (!calls && message.stop !== 'paused' && said.length === 0 && added.contents.length === 0) {
        added.over = true;
        return end({ stop: message.stop === 'length' ? 'length' : 'end' });
      }
      if (maxCost !== undefined && (state.cost ?? 0) >= maxCost) return end({ stop: 'max-cost' });
      if (step >= maxSteps) return end({ stop: 'max-steps' });
    }
  } catch (error) {
    return end(signal.aborted ? aborted(signal) : { stop: 'error', error: errorOf(error) });
  }
}

/** What a step is told. A call that is demanded is demanded of the first step alone: a run would never end otherwise. */
function optionsOf<Options extends AgentOptions>(step: number, options: Options, change: StepChange = {}): Options {
  const { stop: _stop, ...different } = change;
  const { toolChoice, ...rest } = options;
  const demands = toolChoice === 'required' || typeof toolChoice === 'object';
  const kept = toolChoice === undefined || (demands && step > 1) ? {} : { toolChoice };
  return { ...(rest as Options), ...kept, ...different };
}

/** Checks what a step does differently as the run itself was checked, and writes it down. */
async function changed(options: AgentOptions, change: StepChange, journal: Journal): Promise<void> {
  const { system, tools = [] } = options;
  if (change.model) checkPrices(options);
  if (change.tools) checkNames(tools);
  if (change.tools ?? change.system) await journal.begin({ system, tools });
}

/** Throws for a bound of cost that could not hold. */
function checkPrices({ model, profile, maxCost }: AgentOptions): void {
  if (maxCost === undefined) return;
  for (const choice of choicesOf(model)) {
    const { prices, model: name } = profileFor(choice.model, choice.profile ?? profile);
    if (prices) continue;
    throw new SightlineError(
      'input',
      `The catalog has no prices of ${name}, so maxCost cannot bound this run. Give them as profile: { prices: { input, output, read, write } } in US dollars per million tokens (all 0 where it costs nothing), or bound the run with maxSteps.`,
    );
  }
}

function finish(state: State, how: RunEnd, emit: Emit): RunResult {
  const { messages, usage, cost, ledger, summary, troubles } = state;
  const spent = { usage, ...(cost !== undefined && { cost }) };
  void emit({ type: 'run-end', stop: how.stop, ...spent, ...(how.error && { error: how.error }) });
  const next = { ...(ledger && { ledger }), ...(summary && { summary }) };
  return { text: lastText(messages), messages, ...spent, troubles, ...next, ...how };
}

/** Why a run was stopped, in words and as it was said. */
function aborted({ aborted: is, reason }: AbortSignal, error?: MessageError): RunEnd {
  if (!is && error) return { stop: 'aborted', error, reason: undefined };
  const nameless = reason instanceof Error && reason.name === 'AbortError'; // what abort() says when told nothing
  const why = nameless ? '' : reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : '';
  const message = why === '' ? 'The run was stopped.' : `The run was stopped: ${why}`;
  return { stop: 'aborted', error: { type: 'message-error', code: 'aborted', message, retryable: false }, reason };
}

function userSays(content: ContentInput): MessageInput {
  return { role: 'user', content };
}

function hasCalls(message: AssistantMessage): boolean {
  return message.content.some((block) => block.type === 'call');
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return textIn(last?.content ?? []);
}

function errorOf(error: unknown): MessageError {
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'message-error', code: 'invalid', message, retryable: false };
}
