// The loop: ask the model, run what it calls, ask again, until it has nothing more to call. Whatever fails on the way
// (a broken stream, a refused picture, a tool that throws, an abort) leaves a conversation in which every call is
// answered and which any model can go on with.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import { textIn } from '../content/block.ts';
import type { CallBlock } from '../content/block.ts';
import type { ContentInput } from '../content/input.ts';
import type { Intake } from '../content/intake.ts';
import { SightlineError } from '../content/refusal.ts';
import { outputCorrection } from '../content/words.ts';
import { resolveTranscript } from '../message/check-transcript.ts';
import { attachedByAnswer } from '../message/attached.ts';
import type { Attached } from '../message/attached.ts';
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage, Message, MessageInput } from '../message/message.ts';
import { recordedAs } from '../record/record.ts';
import { orAborted } from '../model/http/signals.ts';
import { intakeOf } from '../model/intake.ts';
import { inSpan } from '../model/telemetry.ts';
import { inCallOrder } from '../session/entry.ts';
import type { EntryId } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { Spent, Tool, ToolContext } from '../tool/tool.ts';
import { readOutput } from '../window/output.ts';
import { filledBy } from '../window/summary.ts';
import { answerCalls } from './calls.ts';
import { beginPlayed, onceEach, smallSteps } from './durable.ts';
import { openCalls } from '../session/open-calls.ts';
import type { Played } from './durable.ts';
import { checkOptions, checkStep } from './check-options.ts';
import type { Emit } from './event.ts';
import { journalOf } from './journal.ts';
import type { Journal } from './journal.ts';
import type { AgentOptions, RunEnd, RunResult, StepChange } from './options.ts';
import { askAssetTool } from './ask-asset.ts';
import { askModel, choicesOf, keptOrTold, newState, noteSpent, piecesFor } from './step.ts';
import { profileFor } from '../window/profile.ts';
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
  played: Played;
  /** The newest answer, kept or not. */
  last?: AssistantMessage;
  /** How many answers did not have the form that was asked for. */
  rejected: number;
  /** How many messages there were before the run, and before its prompt, if it has one. */
  asked: { begun: number; prompt?: number };
  /** What came of calls whose time was over; nothing as long as no tool has a time limit. */
  late?: ToolMessage[];
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
  const { descriptions = session?.descriptions } = options;
  const assets = session?.assets ?? options.assets ?? sharedAssets();
  const intake = intakeOf({ assets, base, roots, signal });
  const run: Run = {
    options: {
      ...options,
      ...(descriptions && { descriptions }),
      ...(recorder && { recorder: recordedAs(recorder, { via: 'agent' }) }),
    },
    added,
    emit,
    assets,
    intake,
    journal: journalOf(session),
    state: newState(options),
    played: { step: smallSteps(options.step, assets) },
    rejected: 0,
    asked: { begun: 0 },
  };
  let leave: (() => void) | undefined;
  try {
    checkOptions(options);
    leave = session && (await turnIn(session, signal));
    await begin(run);
    const told = options.resume && options.prompt === undefined ? await endOfLast(run) : undefined;
    if (told) return finish(run, told);
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
  if (options.step) {
    const { name, messages } = await beginPlayed(run.played.step, session);
    run.played.name = name;
    state.messages = await check(run, messages);
  } else state.messages = await check(run, options.messages ?? (await session?.messages()) ?? []);
  run.asked.begun = state.messages.length;
  state.summary ??= options.messages ? undefined : await session?.summary();
  state.filled = filledBy(state.messages, state.summary);
  await journal.begin({ system, tools });
  if (options.resume && session) await settle(run, session);
  if (prompt !== undefined) {
    run.asked.prompt = state.messages.length;
    await keep(run, await heard(run, [prompt]), 'prompt');
  }
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

/** What the user says now. Where the run is stopped while its media are read, it is not kept: words would stand for them for ever. */
async function heard(run: Run, contents: readonly ContentInput[]): Promise<Message[]> {
  const messages = await check(run, contents.map(userSays));
  if (run.state.troubles.some(({ refusal }) => refusal.code === 'cancelled')) run.options.signal.throwIfAborted();
  return messages;
}

/** Answers what the last run left open. */
async function settle(run: Run, session: Session): Promise<void> {
  const open = await openCalls(session);
  if (!open) return;
  await answerAll({ ...open, piecesOf: piecesFor(run.state, run.options) }, run.options.tools ?? [], run, 0);
  run.state.messages = inCallOrder(run.state.messages);
}

/** How a run goes on that was over when it stopped: it is over. */
async function endOfLast(run: Run): Promise<RunEnd<unknown> | undefined> {
  const last = run.state.messages.at(-1);
  if (last?.role !== 'assistant' || hasCalls(last) || last.error || last.stop === 'paused') return undefined;
  return last.stop === 'declined' ? { stop: 'declined' } : await outcomeOf(last, run);
}

/** `what` names them for a run that may be played again. */
async function keep(run: Run, messages: readonly Message[], what: string): Promise<EntryId | undefined> {
  const entries = await run.journal.messages(messages, keyIn(run, what));
  await join(run, messages, entries);
  return entries[0];
}

/** An answer joins the conversation, stored or not. */
async function keepAnswer(run: Run, message: AssistantMessage, what: string): Promise<EntryId | undefined> {
  const entries = (await keptOrTold(run.state, () => run.journal.messages([message], keyIn(run, what)))) ?? [];
  await join(run, [message], entries);
  return entries[0];
}

function unkept(why: unknown): SightlineError {
  return new SightlineError('storage', `The last answer is not kept in its session. ${errorOf(why).message}`);
}

function keyIn({ played: { name } }: Run, what: string): string | undefined {
  return name === undefined ? undefined : `${name} ${what}`;
}

async function join(
  { state, emit }: Run,
  messages: readonly Message[],
  entries: readonly (EntryId | undefined)[],
): Promise<void> {
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
  const change =
    options.beforeStep && (await orAborted(signal, options.beforeStep({ step, messages: state.messages })));
  if (change?.stop) return { stop: 'stopped' };
  const { tools: own = [], ...now } = optionsOf(step, options, change);
  const tools = withEyes(own, now, state.turn);
  if (options.beforeStep) await noteSetup({ ...now, tools }, journal);
  const { message, error, after } = await run.played.step(`answer ${step}`, async () => {
    const answered = await askModel(step, state, { ...now, assets, tools, intake }, journal, emit);
    const { usage, cost, knownCost, turn, filled, summary } = state;
    return { ...answered, after: { usage, cost: cost ?? null, knownCost, turn, filled, summary } };
  });
  Object.assign(state, after, { cost: after.cost ?? undefined });
  run.last = message;
  const entry = message.content.length > 0 ? await keepAnswer(run, message, `answer ${step}`) : undefined;
  if (state.unkept) throw unkept(state.unkept.why);
  const calls = message.content.filter((block) => block.type === 'call');
  if (calls.length > 0) await answerAll({ message, entry, calls, piecesOf: piecesFor(state, now) }, tools, run, step);
  if (signal.aborted || error?.code === 'aborted') return aborted(signal, error);
  if (error) return { stop: 'error', error };
  if (message.stop === 'declined') return { stop: 'declined' };
  const over = calls.length > 0 || message.stop === 'paused' ? undefined : await outcomeOf(message, run);
  const toldMore = over !== undefined && (await tellLate(run, step));
  if (over && !toldMore && added.contents.length === 0) {
    added.over = true;
    return over;
  }
  await keep(run, await heard(run, added.contents.splice(0)), `said ${step}`);
  if (maxCost !== undefined && state.knownCost >= maxCost) return { stop: 'max-cost' };
  return step >= maxSteps ? { stop: 'max-steps' } : undefined;
}

/** What came late joins the conversation; the model reads it before its next answer. */
async function tellLate(run: Run, step: number): Promise<boolean> {
  const { late, played } = run;
  if (!late) return false;
  const told = await played.step(`late ${step}`, async () => late.splice(0));
  await keep(run, told, `late ${step}`);
  return told.length > 0;
}

/** The tools of a step; a model that cannot see may ask the eyes it was given. */
function withEyes(
  tools: readonly Tool[],
  { model, eyes, profile }: Omit<AgentOptions, 'tools'>,
  turn: number,
): readonly Tool[] {
  if (!eyes || tools.length === 0 || tools.some(({ name }) => name === 'ask_asset')) return tools;
  const choice = choicesOf(model)[turn] ?? choicesOf(model)[0];
  const blind = choice && profileFor(choice.model, choice.profile ?? profile).media.image.user === 'words';
  return blind ? [...tools, askAssetTool(eyes)] : tools;
}

type Asked = {
  message: AssistantMessage;
  entry: EntryId | undefined;
  calls: readonly CallBlock[];
  piecesOf: ToolContext['piecesOf'];
};

/** Calls of an answer that did not end well are answered, but not run. Each result is on disk when its call ends. */
async function answerAll(
  { message, entry, calls, piecesOf }: Asked,
  tools: readonly Tool[],
  run: Run,
  step: number,
): Promise<void> {
  const { options, state, assets, intake, emit, journal } = run;
  const { approve, context, maxCallsAtOnce, session } = options;
  const over = options.signal.aborted || message.error !== undefined || message.stop === 'declined';
  const signal = over ? AbortSignal.abort() : options.signal;
  const conversation = (): Message[] => state.messages;
  const entries = new Map<CallBlock, EntryId>();
  const failed: unknown[] = [];
  const each = async (
    call: CallBlock,
    answer: (spent: (one: Spent) => void) => Promise<ToolMessage>,
  ): Promise<ToolMessage> => {
    const name = `call ${step} ${calls.indexOf(call)}`;
    const { result, byTool } = await run.played.step(name, async () => {
      const took: Spent[] = [];
      return { result: await answer((one) => void took.push(one)), byTool: took };
    });
    try {
      const [stored] = await journal.messages([result], keyIn(run, name));
      if (stored !== undefined) entries.set(call, stored);
      for (const [at, one] of byTool.entries())
        await noteSpent(state, one, journal, emit, keyIn(run, `${name} spent ${at}`));
    } catch (error) {
      failed.push(error); // the others end first
    }
    return result;
  };
  const asked = { tools, assets, intake, approve, context, maxCallsAtOnce, signal, conversation, piecesOf };
  if (tools.some(({ timeoutMs }) => timeoutMs !== undefined)) run.late ??= [];
  const once = onceEach(session, message, entry);
  const results = await answerCalls(message, calls, {
    ...asked,
    ...once,
    each,
    late: (result) => void run.late?.push(result),
    emit,
    now: options.clock?.now ?? Date.now,
    telemetry: options.telemetry,
  });
  await join(
    run,
    results,
    calls.map((call) => entries.get(call)),
  );
  if (failed.length > 0) throw failed[0];
  if (!over) await tellLate(run, step);
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
  await keep(run, await check(run, [userSays(outputCorrection(read.errors))]), `correction ${run.rejected}`);
  return undefined;
}

/** How often a model is asked again whose answer does not have the form that was asked for. */
const maxCorrections = 2;

function misfit(errors: readonly string[]): MessageError {
  const message = `After ${maxCorrections + 1} tries the answer does not have the form that was asked for: ${errors.join('; ')}. Ask for a simpler form, or choose another model.`;
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

function finish({ state, emit, asked, last }: Run, how: RunEnd<unknown>): RunResult {
  const { messages, usage, cost, ledger, summary, troubles, altered } = state;
  const spent = { usage, ...(cost !== undefined && { cost }) };
  const attachments = attachedSince(messages, asked);
  const told = { ...(attachments.length > 0 && { attachments }), ...(how.error && { error: how.error }) };
  void emit({ type: 'run-end', stop: how.stop, ...spent, ...told });
  const next = { ...(ledger && { ledger }), ...(summary && { summary }) };
  const text = last && answered.has(how.stop) ? textIn(last.content) : lastText(messages);
  return { text, attachments, messages, ...spent, troubles, altered, ...next, ...how };
}

/** Ends that an answer itself makes, also one without a word. */
const answered: ReadonlySet<RunEnd<unknown>['stop']> = new Set(['end', 'length', 'declined']);

/** What goes with the answers since the prompt; without one, with those of the turn that goes on. */
function attachedSince(messages: readonly Message[], { prompt, begun }: Run['asked']): Attached[] {
  const before = new Set(messages.slice(0, begun));
  return attachedByAnswer(messages, { from: prompt ?? 0 }).flatMap(({ answer, attached }) =>
    answer && answer !== messages.at(-1) && before.has(answer) ? [] : attached,
  );
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
