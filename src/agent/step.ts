// One step of a run: an answer is asked for, again when it breaks off in its middle, and of the next model when one
// cannot be had at all. Before it, the older part of a conversation that nearly fills its window is summed up.
import type { Intake } from '../content/intake.ts';
import type { Message, AssistantMessage, Usage } from '../message/message.ts';
import type { MessageError } from '../message/error.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import { collector } from '../message/collect.ts';
import { noUsage, sumUsage } from '../message/message.ts';
import { callNamer } from '../message/pair.ts';
import { answer } from '../model/answer.ts';
import type { AnswerEvent, AnswerOptions } from '../model/answer.ts';
import type { Spent, Tool, ToolContext } from '../tool/tool.ts';
import { costOf } from '../window/prices.ts';
import { ceilings } from '../window/budget.ts';
import type { Ledger } from '../window/ledger.ts';
import { profileFor } from '../window/profile.ts';
import { isNearlyFull, withSummary } from '../window/summary.ts';
import { gridFor } from '../window/tiles.ts';
import type { Summary } from '../window/summary.ts';
import { summarise } from './summarise.ts';
import type { Emit } from './event.ts';
import type { EntryId } from '../session/entry.ts';
import type { Journal } from './journal.ts';
import type { AgentOptions, ModelChoice } from './options.ts';

export type State = {
  messages: Message[];
  summary: Summary | undefined;
  ledger: Ledger | undefined;
  usage: Usage;
  /** Unknown from the first model on that has no price. */
  cost: number | undefined;
  /** What is known of it. */
  knownCost: number;
  /** Which of these models answers, and for which of them the ledger was fetched. */
  models: AgentOptions['model'];
  turn: number;
  fetchedFor: string;
  /** What the last answer's request and the answer itself took of the window. */
  filled: number;
  /** Media that were refused, by their place in the messages. */
  troubles: RefusedMedium[];
  altered: EntryId[];
  /** Why an answer that was paid for could not be written down; the run ends with it. */
  unkept?: { why: unknown };
};

export function newState({ ledger, summary, model }: AgentOptions): State {
  const nothing = {
    messages: [],
    usage: noUsage,
    cost: 0,
    knownCost: 0,
    turn: 0,
    fetchedFor: '',
    filled: 0,
    troubles: [],
    altered: [],
  };
  return { ...nothing, summary, ledger, models: model };
}

type Answered = { message: AssistantMessage; error?: MessageError; begun?: boolean };

/** How the model that answers is shown a picture in pieces: by the profile that its conversation began with. */
export function piecesFor(
  { ledger, turn }: State,
  { model: models, ...options }: AgentOptions,
): ToolContext['piecesOf'] {
  const chosen = { ...options, ...choicesOf(models)[turn], model: choicesOf(models)[turn]?.model ?? '' };
  return (picture) => {
    const profile = ledger?.entries[chosen.model]?.profile ?? profileFor(chosen.model, chosen.profile);
    return gridFor(picture, profile, chosen);
  };
}

type StepOptions = AgentOptions & { tools: readonly Tool[]; signal: AbortSignal; intake: Intake };
/** With the model that answers. */
type Chosen = Omit<StepOptions, 'model'> & { model: string };

/** The models of a run, each with what only it needs. */
export function choicesOf(model: AgentOptions['model']): Exclude<ModelChoice, string>[] {
  const list = Array.isArray(model) ? (model as readonly ModelChoice[]) : [model as ModelChoice];
  return list.map((choice) => (typeof choice === 'string' ? { model: choice } : choice));
}

/** How often an answer that breaks off in its middle is asked for again, before another model is tried. */
const maxRestarts = 2;

export async function askModel(
  step: number,
  state: State,
  options: StepOptions,
  journal: Journal,
  emit: Emit,
): Promise<Answered> {
  if (state.models !== options.model) Object.assign(state, { models: options.model, turn: 0 });
  const models = choicesOf(options.model);
  for (let restarts = 0; ;) {
    const chosen = { ...options, ...models[state.turn], model: models[state.turn]?.model ?? '' };
    const { model } = chosen;
    if (options.session && state.fetchedFor !== model && !options.ledger) {
      state.ledger = await options.session.ledger(model);
      state.fetchedFor = model;
    }
    await makeRoom(state, chosen, journal, emit);
    void emit({ type: 'step-start', step, model });
    const { message, error, begun } = await askOnce(state, chosen, journal, emit);
    const spent: Journal['spent'] = (...given) => keptOrTold(state, () => journal.spent(...given));
    await count(state, message.usage, chosen, { ...journal, spent }, emit);
    if (!error || error.code === 'aborted' || state.unkept) return { message, ...(error && { error }) };
    const again = error.retryable && begun === true && restarts < maxRestarts;
    if (!again && state.turn + 1 >= models.length) return { message, error };
    if (again) restarts += 1;
    else {
      state.turn += 1;
      restarts = 0;
    }
    void emit({ type: 'step-restart', step, model: models[state.turn]?.model ?? '', why: error.message });
  }
}

/** What is paid for is read to its end and told, though it cannot be written down: the run ends after it, not in it. */
export async function keptOrTold<Value>(state: State, write: () => Promise<Value>): Promise<Value | undefined> {
  if (state.unkept) return undefined;
  try {
    return await write();
  } catch (why) {
    state.unkept = { why };
    return undefined;
  }
}

async function askOnce(state: State, options: Chosen, journal: Journal, emit: Emit): Promise<Answered> {
  const collected = collector();
  let error: MessageError | undefined;
  let begun = false; // a half call leaves nothing in the message, but something came
  const onRetry: AnswerOptions['onRetry'] = (retry) => {
    void emit({ type: 'request-retry', ...retry });
    options.onRetry?.(retry);
  };
  const asked = { ...answerOptions(state, options), onRetry };
  const named = callNamer(state.messages);
  for await (const heard of answer(transcriptOf(state, options), asked, options.intake)) {
    const event = withOwnId(heard, named);
    void emit(event.type === 'request-accepted' ? { type: event.type } : event);
    if (event.type === 'message-error') error = event;
    else if (event.type === 'request-described') await noteLooked(state, event, journal, emit);
    else if (event.type === 'request-accepted') {
      state.ledger = event.ledger;
      await keptOrTold(state, () => journal.accepted(event.ledger));
    } else if (event.type === 'request-probed') await spend(state, event.usage, options, journal, emit);
    else {
      begun ||= event.type === 'block-start';
      collected.push(event);
    }
  }
  if (error) collected.push(error);
  return { message: { ...collected.message(), model: options.model }, begun, ...(error && { error }) };
}

/** Some APIs give two calls one id: each has one of its own before anyone hears of it. */
function withOwnId(event: AnswerEvent, named: ReturnType<typeof callNamer>): AnswerEvent {
  if ((event.type !== 'block-start' && event.type !== 'block-end') || event.block.type !== 'call') return event;
  const block = named(event.block, event.index);
  return block === event.block ? event : { ...event, block };
}

function transcriptOf({ messages, summary }: State, { system, tools }: Chosen): Parameters<typeof answer>[0] {
  return { ...(system !== undefined && { system }), tools, messages: withSummary(messages, summary) };
}

function answerOptions({ ledger }: State, options: Chosen): AnswerOptions {
  const {
    prompt: _prompt,
    messages: _messages,
    session: _session,
    summary: _summary,
    intake: _intake,
    ...rest
  } = options;
  return { ...rest, ledger };
}

/** What the next request may hold, as the planner will see it. */
function roomIn(ledger: Ledger | undefined, options: Chosen): number {
  const { profile, limits, estimate } = ledger?.entries?.[options.model] ?? {};
  const known = profile ?? profileFor(options.model, options.profile);
  const { maxTokens, budget } = options;
  return ceilings(known, { ...(maxTokens !== undefined && { maxTokens }) }, budget, limits, estimate?.factor).tokens;
}

async function makeRoom(state: State, options: Chosen, journal: Journal, emit: Emit): Promise<void> {
  if (options.compact === 'off' || !isNearlyFull(state.filled, roomIn(state.ledger, options))) return;
  const { system, tools, messages: given } = options;
  const transcript = { ...(system !== undefined && { system }), tools, messages: state.messages };
  const made = await summarise(transcript, state.summary, answerOptions(state, options), options.intake);
  const { summary, usage, aside = [] } = made ?? {};
  if (summary && !given) await journal.summary(summary); // of messages that were given, the session knows nothing
  for (const event of aside) {
    if (event.type === 'request-described') await noteLooked(state, event, journal, emit);
    else await spend(state, event.usage, options, journal, emit);
  }
  await spend(state, usage, options, journal, emit);
  if (!summary) return;
  Object.assign(state, { summary, filled: 0 });
  void emit({ type: 'history-compacted', messages: summary.covers, summary: summary.text });
}

async function count(
  state: State,
  usage: Usage | undefined,
  options: Chosen,
  journal: Journal,
  emit: Emit,
): Promise<void> {
  if (usage) state.filled = usage.inputTokens + usage.outputTokens;
  await spend(state, usage, options, journal, emit);
}

async function spend(
  state: State,
  usage: Usage | undefined,
  options: Chosen,
  journal: Journal,
  emit: Emit,
): Promise<void> {
  if (!usage) return;
  const cost = costOf(profileFor(options.model, options.profile), usage);
  await noteSpent(state, { model: options.model, usage, ...(cost !== undefined && { cost }) }, journal, emit);
}

/** What eyes took counts like any other answer, and is told apart. */
async function noteLooked(state: State, { model, usage, cost }: Spent, journal: Journal, emit: Emit): Promise<void> {
  const { inputTokens, outputTokens } = usage;
  const eyes = { inputTokens, outputTokens, ...(cost !== undefined && { cost }) };
  const counted: Usage = { ...usage, eyes };
  await noteSpent(state, { model, usage: counted, ...(cost !== undefined && { cost }) }, journal, emit);
}

/** Adds to what the run took, and tells it. `key` is for what may be told again. */
export async function noteSpent(state: State, spent: Spent, journal: Journal, emit: Emit, key?: string): Promise<void> {
  const { model, usage, cost } = spent;
  state.usage = sumUsage(state.usage, usage);
  state.cost = cost === undefined || state.cost === undefined ? undefined : state.cost + cost;
  state.knownCost += cost ?? 0;
  await journal.spent(model, usage, cost, key);
  void emit({ type: 'spent', ...spent });
}
