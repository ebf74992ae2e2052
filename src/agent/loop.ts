// The loop: ask the model, run what it calls, ask again, until it has nothing more to call. Whatever fails on the way
// (a broken stream, a refused picture, a tool that throws, an abort) leaves a conversation in which every call is
// answered and which any model can go on with.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import { textIn } from '../content/block.ts';
import type { ContentInput } from '../content/input.ts';
import type { Intake } from '../content/intake.ts';
import { SightlineError } from '../content/refusal.ts';
import { outputCorrection } from '../content/words.ts';
import { resolveTranscript } from '../message/check-transcript.ts';
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage, Message, MessageInput } from '../message/message.ts';
import { recordedAs } from '../record/record.ts';
import { intakeOf } from '../model/intake.ts';
import { inSpan } from '../model/telemetry.ts';
import type { Session } from '../session/session.ts';
import type { Spent, Tool, ToolContext } from '../tool/tool.ts';
import { readOutput } from '../window/output.ts';
import { filledBy } from '../window/summary.ts';
import { answerCalls } from './calls.ts';
import { checkOptions, checkStep } from './check-options.ts';
import type { Emit } from './event.ts';
import { journalOf } from './journal.ts';
import type { Journal } from './journal.ts';
import type { AgentOptions, RunEnd, RunResult, StepChange } from './options.ts';
import { askModel, newState, noteSpent, piecesFor } from './step.ts';
import type { State } from './step.ts';

/** What is said while a run goes on, and whether it still listens. */
export type Added = { contents: ContentInput[]; over: boolean };

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

/** What the steps of one run share. */
type Run = {
  options: AgentOptions & { signal: AbortSignal };
  added: Added;
  emit: Emit;
  assets: AssetStore;
  intake: Intake;
  journal: Journal;
  state: State;
  /** How many answers did not have the form that was asked for. */
  rejected: number;
};

/** Runs to the end and tells how it went; never throws. */
export function loop(options: Run['options'], added: Added, emit: Emit): Promise<RunResult> {
  const { telemetry, session } = options;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    ...(session && { 'gen_ai.conversation.id': session.id }),
  };
  const about = { telemetry, name: 'invoke_agent', attributes };
  return inSpan(about, () => steps(options, added, emit), ({ error }) => (error ? { error: error.code } : {})); // prettier-ignore
}

async function steps(options: Run['options'], added: Added, emit: Emit): Promise<RunResult> {
  const { session, signal, base, roots, recorder = session?.recorder } = options;
  const assets = session?.assets ?? options.assets ?? sharedAssets();
  const intake = intakeOf({ assets, base, roots, signal });
  const run: Run = {
    options: { ...options, ...(recorder && { recorder: recordedAs(recorder, { via: 'agent' }) }) },
    added,
    emit,
    assets,
    intake,
    journal: journalOf(session),
    state: newState(options),
    rejected: 0,
  };
  let leave: (() => void) | undefined;
  try {
    checkOptions(options);
    leave = session && (await turnIn(session, signal));
    await begin(run);
    for (let step = 1; ; step++) {
      const over = await takeStep(step, run);
      if (over) return finish(run, over);
    }
  } catch (error) {
    return finish(run, signal.aborted ? aborted(signal) : { stop: 'error', error: errorOf(error) });
  } finally {
    leave?.();
  }
}

/** The conversation so far, and what the user says now. */
async function begin(run: Run): Promise<void> {
  const { options, journal, state } = run;
  const { session, prompt, system, tools = [] } = options;
  state.altered = options.messages ? [] : ((await session?.altered()) ?? []);
  if (state.altered.length > 0) void run.emit({ type: 'history-altered', entries: state.altered });
  state.messages = await check(run, options.messages ?? (await session?.messages()) ?? []);
  state.summary ??= await session?.summary();
  state.filled = filledBy(state.messages, state.summary);
  await journal.begin({ system, tools });
  if (prompt !== undefined) await keep(run, await check(run, [userSays(prompt)]));
  if (state.messages.length === 0)
    throw new SightlineError('input', 'There is nothing to answer. Give a prompt or messages.');
}

/** Messages as people write them → checked blocks, so that each medium passes the intake once and not on every step. */
async function check({ intake, state, emit }: Run, messages: readonly MessageInput[]): Promise<Message[]> {
  if (messages.length === 0) return [];
  const { transcript, troubles } = await resolveTranscript({ messages }, intake);
  for (const { message, ...rest } of troubles) {
    const trouble = { message: message + state.messages.length, ...rest };
    state.troubles.push(trouble);
    void emit({ type: 'media-refused', ...trouble });
  }
  return transcript.messages;
}

async function keep({ journal, state, emit }: Run, messages: readonly Message[]): Promise<void> {
  const entries = await journal.messages(messages);
  state.messages = [...state.messages, ...messages];
  // Whoever reads along may want to say something about it before the run goes on.
  for (const [at, message] of messages.entries()) {
    const entry = entries[at];
    await emit({ type: 'message-added', message, ...(entry !== undefined && { entry }) });
  }
}

/** One answer with all that it calls. What comes back ends the run. */
async function takeStep(step: number, run: Run): Promise<RunEnd<unknown> | undefined> {
  const { options, added, state, assets, intake, journal, emit } = run;
  const { signal, maxCost, maxSteps = 50 } = options;
  const change = await options.beforeStep?.({ step, messages: state.messages });
  if (change?.stop) return { stop: 'stopped' };
  const { tools = [], ...now } = optionsOf(step, options, change);
  if (options.beforeStep) await noteSetup({ ...now, tools }, journal);
  const { message, error } = await askModel(step, state, { ...now, assets, tools, intake }, journal, emit);
  if (message.content.length > 0) await keep(run, [message]);
  const calls = hasCalls(message);
  if (calls) await answerAll(message, tools, run, piecesFor(state, now));
  if (signal.aborted || error?.code === 'aborted') return aborted(signal, error);
  if (error) return { stop: 'error', error };
  if (message.stop === 'declined') return { stop: 'declined' };
  const over = calls || message.stop === 'paused' ? undefined : await outcomeOf(message, run);
  if (over && added.contents.length === 0) {
    added.over = true;
    return over;
  }
  await keep(run, await check(run, added.contents.splice(0).map(userSays)));
  if (maxCost !== undefined && (state.cost ?? 0) >= maxCost) return { stop: 'max-cost' };
  return step >= maxSteps ? { stop: 'max-steps' } : undefined;
}

/** Calls of an answer that did not end well are answered, but not run. */
async function answerAll(
  message: AssistantMessage,
  tools: readonly Tool[],
  run: Run,
  piecesOf: ToolContext['piecesOf'],
): Promise<void> {
  const { options, state, assets, intake, emit } = run;
  const { approve, context, maxCallsAtOnce } = options;
  const over = options.signal.aborted || message.error !== undefined || message.stop === 'declined';
  const signal = over ? AbortSignal.abort() : options.signal;
  const conversation = (): Message[] => state.messages;
  const byTools: Spent[] = [];
  const spent = (one: Spent): unknown => byTools.push(one);
  const asked = { tools, assets, intake, approve, context, maxCallsAtOnce, signal, conversation, piecesOf, spent };
  const results = await answerCalls(message, { ...asked, emit, now: Date.now, telemetry: run.options.telemetry });
  for (const one of byTools.splice(0)) await noteSpent(state, one, run.journal, emit);
  await keep(run, results);
}

/** How an answer without calls ends the run; a model whose answer does not have the form asked for is told, and asked again. */
async function outcomeOf(message: AssistantMessage, run: Run): Promise<RunEnd<unknown> | undefined> {
  const { output } = run.options;
  if (message.stop === 'length') return { stop: 'length' };
  if (!output) return { stop: 'end', output: undefined };
  const read = await readOutput(message, output);
  if (read.ok) return { stop: 'end', output: read.value };
  void run.emit({ type: 'output-rejected', errors: read.errors });
  run.rejected += 1;
  if (run.rejected > maxCorrections) return { stop: 'error', error: misfit(read.errors) };
  await keep(run, await check(run, [userSays(outputCorrection(read.errors))]));
  return undefined;
}

/** How often a model is asked again whose answer does not have the form that was asked for. */
const maxCorrections = 2;

function misfit(errors: readonly string[]): MessageError {
  const message = `After ${maxCorrections + 1} tries the answer does not have the form that was asked for: ${errors.join('; ')}.`;
  return { type: 'message-error', code: 'output', message, retryable: false };
}

/** What a step is told. A call that is demanded is demanded of the first step alone: a run would never end otherwise. */
function optionsOf<Options extends AgentOptions>(step: number, options: Options, change: StepChange = {}): Options {
  const { stop: _stop, ...told } = change;
  const different = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  const { toolChoice, ...rest } = options;
  const demands = toolChoice === 'required' || typeof toolChoice === 'object';
  const kept = toolChoice === undefined || (demands && step > 1) ? {} : { toolChoice };
  return { ...(rest as Options), ...kept, ...different };
}

/** Checks what a step is told as the run itself was checked, and writes down what it does differently. */
async function noteSetup(options: AgentOptions, journal: Journal): Promise<void> {
  const { system, tools = [] } = options;
  checkStep(options);
  await journal.begin({ system, tools });
}

function finish({ state, emit }: Run, how: RunEnd<unknown>): RunResult {
  const { messages, usage, cost, ledger, summary, troubles, altered } = state;
  const spent = { usage, ...(cost !== undefined && { cost }) };
  void emit({ type: 'run-end', stop: how.stop, ...spent, ...(how.error && { error: how.error }) });
  const next = { ...(ledger && { ledger }), ...(summary && { summary }) };
  return { text: lastText(messages), messages, ...spent, troubles, altered, ...next, ...how };
}

/** Why a run was stopped, in words and as it was said. */
function aborted({ aborted: is, reason }: AbortSignal, error?: MessageError): RunEnd<never> {
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
