// What a run is told, looked at before it begins: whoever made a mistake reads what to write instead.
import { checkContent } from '../content/input.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { checkNames } from '../tool/tool.ts';
import type { Tool } from '../tool/tool.ts';
import { wires } from '../window/catalog.ts';
import { checkOutput } from '../window/output.ts';
import { profileFor } from '../window/profile.ts';
import { wrongSight } from '../window/sight-policy.ts';
import { wrongCount, wrongOption } from '../window/wrong-option.ts';
import type { AgentOptions } from './options.ts';
import { choicesOf } from './step.ts';

/** Throws a sentence for what a run cannot be told. */
export function checkOptions(options: AgentOptions): void {
  const { session, assets, prompt, messages, model, tools = [] } = options;
  checkWords(options);
  if (messages !== undefined && !Array.isArray(messages))
    throw wrong("The messages are not a list. Give a list: messages: [{ role: 'user', content: '…' }].");
  checkTools(tools);
  checkToolChoice(options);
  const choices = Array.isArray(model) ? model : [model];
  if (choices.length === 0 || choices.some((choice: unknown) => choice === undefined)) profileFor('');
  checkNumbers(options);
  checkPrices(options);
  checkOutput(options.output);
  checkSession(session);
  checkSend(options.send);
  checkResume(options);
  if (session && assets && assets !== session.assets)
    throw wrong('A session keeps its own assets. Give "session" or "assets", not both.');
  if (prompt !== undefined) checkContent(prompt, 'The prompt');
  if (prompt === '' || (Array.isArray(prompt) && prompt.length === 0))
    throw wrong('The prompt is empty. Say something, or leave it out to go on from the messages.');
}

/** The same for what one step is told differently. */
export function checkStep(options: AgentOptions): void {
  checkTools(options.tools ?? []);
  checkPrices(options);
}

const wrong = (sentence: string): SightlineError => new SightlineError('input', sentence);

/** What other libraries call an option, and what to write here. */
const otherWords: Record<string, string> = {
  abortSignal: 'Did you mean "signal"?',
  baseURL: 'Did you mean "baseUrl"?',
  instructions: 'Did you mean "system"?',
  systemPrompt: 'Did you mean "system"?',
  maxOutputTokens: 'Did you mean "maxTokens"?',
  max_tokens: 'Did you mean "maxTokens"?',
  maxTurns: 'Did you mean "maxSteps"?',
  stopWhen: 'Write "maxSteps", or "beforeStep" that answers { stop: true }.',
  prepareStep: 'Did you mean "beforeStep"?',
  onStep: 'Steps are events: for await (const event of run) …',
  onStepFinish: 'Steps are events: for await (const event of run) …',
  onFinish: 'Its end is the result: const result = await run.',
  onError: 'Its error is in the result: const { error } = await run.',
  outputType: 'Did you mean "output"?',
  responseFormat: 'Did you mean "output"?',
  schema: 'Did you mean "output"?',
  toolApproval: 'Did you mean "approve"?',
  maxRetries: 'Did you mean "tries"?',
};

function checkWords(options: AgentOptions): void {
  const word = Object.keys(options).find((name) => Object.hasOwn(otherWords, name));
  if (word !== undefined) throw wrong(`A run has no option "${word}". ${otherWords[word]}`);
}

function checkTools(tools: readonly unknown[]): void {
  checkNames(tools);
  const at = tools.findIndex((tool) => !isRecord(tool) || typeof tool['run'] !== 'function');
  if (at >= 0)
    throw wrong(`tools[${at}] has no function "run". Make it with defineTool({ name, description, input, run }).`);
  const named = (tools as readonly Tool[]).flatMap(({ hosted }) => Object.keys(isRecord(hosted) ? hosted : {}));
  const stranger = named.find((wire) => !Object.hasOwn(wires, wire));
  if (stranger !== undefined)
    throw wrong(`There is no wire "${stranger}" to host a tool. Wires: ${Object.keys(wires).join(', ')}.`);
}

/** `beforeStep` may bring the tools that are demanded. */
function checkToolChoice({ toolChoice, tools = [], beforeStep }: AgentOptions): void {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none' || beforeStep) return;
  if (tools.length === 0)
    throw wrong('The toolChoice demands a call, and there are no tools. Give tools, or leave it out.');
  if (toolChoice === 'required') return;
  const { among, tool: only } = isRecord(toolChoice) ? (toolChoice as Record<string, unknown>) : {};
  const chosen: readonly unknown[] = Array.isArray(among) ? among : [only];
  if (chosen.length > 0 && chosen.every((name) => tools.some((tool) => tool.name === name))) return;
  const names = tools.map((tool) => `{ tool: '${tool.name}' }`);
  throw wrong(`The toolChoice names no tool of this run. Give 'auto', 'none', 'required' or ${names.join(' or ')}.`);
}

function checkNumbers(options: AgentOptions): void {
  for (const name of ['maxSteps', 'maxCallsAtOnce'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrong(`"${name}" is ${shownOf(options, name)}, and must be a whole number above 0.`);
  }
  const option = wrongOption(options) ?? wrongCount(options) ?? wrongSight(options);
  if (option) throw wrong(`"${option.name}" is ${shownOf(options, option.name)}, and must be ${option.words}.`);
  const { maxCost } = options;
  if (maxCost !== undefined && !(typeof maxCost === 'number' && maxCost > 0))
    throw wrong(`"maxCost" is ${shownOf(options, 'maxCost')}, and must be US dollars, above 0.`);
}

function shownOf(options: object, name: string): string {
  const value = (options as Record<string, unknown>)[name];
  return typeof value === 'number' ? String(value) : toJsonText(value);
}

function checkPrices({ model, profile, maxCost, eyes }: AgentOptions): void {
  if (maxCost === undefined) return;
  const own = choicesOf(model).map((choice) => ({ ...choice, profile: choice.profile ?? profile }));
  for (const choice of [...own, ...(eyes === undefined ? [] : choicesOf(eyes))]) {
    const { prices, model: name } = profileFor(choice.model, choice.profile);
    if (prices) continue;
    throw wrong(
      `The catalog has no prices of ${name}, so maxCost cannot bound this run. Give them as profile: { prices: { input, output, read, write } } in US dollars per million tokens (all 0 where it costs nothing), or bound the run by its steps.`,
    );
  }
}

/** The same for what a run holds on to from the moment it is made. */
export function checkHeld(options: unknown): void {
  if (!isRecord(options)) throw wrong('A run is told what to do in one object. Give { model, prompt, tools }.');
  const { assets, signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw wrong('The "signal" is no AbortSignal. Give controller.signal.');
  if (assets !== undefined && !(isRecord(assets) && typeof assets['put'] === 'function'))
    throw wrong(`The "assets" are no store. Give memoryAssets() or fileAssets('folder').`);
}

function checkSend(send: unknown): void {
  if (send !== undefined && typeof send !== 'function')
    throw wrong('The "send" is no function. For a script give scriptedSend(script([…])).');
}

function checkResume({ resume, step, session, messages }: AgentOptions): void {
  if (resume && !session) throw wrong('A run resumes in a session. Give the one that it stopped in as "session".');
  if (resume && messages) throw wrong('A run resumes with the messages of its session. Leave "messages" out.');
  if (resume && step) throw wrong('With "step" the engine plays the run again. Leave "resume" out.');
  if (step && (!session || messages)) throw wrong('A run with "step" needs a session, and no "messages" beside it.');
}

function checkSession(session: unknown): void {
  if (session === undefined || (isRecord(session) && typeof session['append'] === 'function')) return;
  const what = session instanceof Promise ? 'a promise of one: write await before it' : 'no session';
  throw wrong(`The "session" is ${what}. Give what store.create() or store.open(id) resolves to.`);
}
