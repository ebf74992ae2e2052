// What a run cannot be told: whoever made a mistake reads what to write instead.
import { afterAll, describe, expect, test } from 'vitest';
import { checkHeld, checkOptions, checkStep } from '../../src/agent/check-options.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import { SightlineError } from '../../src/content/refusal.ts';
import { memorySessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';

const model = 'anthropic/claude-sonnet-5';
const look = defineTool({ name: 'look', description: 'Looks.', run: () => 'seen' }) as Tool;
const hear = defineTool({ name: 'hear', description: 'Hears.', run: () => 'heard' }) as Tool;
const store = memorySessions();
afterAll(() => store.close());
const session = await store.create();
const step = async (_name: string, work: () => Promise<never>): Promise<never> => await work();

/** What is said about options; nothing where they are taken. */
function said(more: Record<string, unknown>, check: (options: AgentOptions) => void = checkOptions): string {
  try {
    check({ model, prompt: 'Go', ...more });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(SightlineError);
    const { code, message } = error as SightlineError;
    return code === 'input' ? message : `${code}: ${message}`;
  }
}

test.each<[Record<string, unknown>]>([
  [{}],
  [{ prompt: undefined, messages: [] }],
  [{ prompt: [{ type: 'text', text: 'Look.' }] }],
  [{ model: [model, 'openai/gpt-5.2'] }],
  [{ maxSteps: 1, maxCallsAtOnce: 2, maxCost: 0.5, temperature: 0 }],
  [{ toolChoice: 'auto' }],
  [{ toolChoice: 'none' }],
  [{ toolChoice: 'required', tools: [look] }],
  [{ toolChoice: { tool: 'look' }, tools: [hear, look] }],
  [{ toolChoice: { among: ['look', 'hear'] }, tools: [look, hear] }],
  [{ toolChoice: 'required', beforeStep: () => ({ tools: [look] }) }],
  [{ tools: [look, { ...hear, hosted: { gemini: {} } }], send: async function* () {} }],
  [{ session }],
  [{ session, assets: session.assets }],
  [{ session, resume: true }],
  [{ session, step }],
  [{ maxCost: 1, model: 'ollama/llama3.1', profile: { prices: { input: 0, output: 0, read: 0, write: 0 } } }],
])('%o is taken', (more) => {
  expect(said(more)).toBe('');
});

const wholeNumber = 'must be a whole number above 0.';
const noTool = `The toolChoice names no tool of this run. Give 'auto', 'none', 'required' or { tool: 'look' } or { tool: 'hear' }.`;
const emptyPrompt = 'The prompt is empty. Say something, or leave it out to go on from the messages.';

test.each<[Record<string, unknown>, string]>([
  [{ maxSteps: 0 }, `"maxSteps" is 0, and ${wholeNumber}`],
  [{ maxSteps: 1.5 }, `"maxSteps" is 1.5, and ${wholeNumber}`],
  [{ maxSteps: Number.NaN }, `"maxSteps" is NaN, and ${wholeNumber}`],
  [{ messages: 'Hi.' }, "The messages are not a list. Give a list: messages: [{ role: 'user', content: '…' }]."],
  [{ maxCallsAtOnce: -1 }, `"maxCallsAtOnce" is -1, and ${wholeNumber}`],
  [{ maxSteps: '3' }, `"maxSteps" is "3", and ${wholeNumber}`],
  [{ temperature: -1 }, '"temperature" is -1, and must be a number of 0 or more.'],
  [{ imagesToKeep: 1.5 }, '"imagesToKeep" is 1.5, and must be a whole number of 0 or more.'],
  [{ thinking: 'hard' }, '"thinking" is "hard", and must be off, low, medium, high, xhigh or max.'],
  [{ stop: ['', 'a'] }, '"stop" is ["","a"], and must be a list of words.'],
  [{ maxCost: 0 }, '"maxCost" is 0, and must be US dollars, above 0.'],
  [{ maxCost: '1' }, '"maxCost" is "1", and must be US dollars, above 0.'],
  [{ prompt: '' }, emptyPrompt],
  [{ prompt: [] }, emptyPrompt],
  [{ tools: [look, { name: 'x', description: '' }] }, 'tools[1] has no function "run". Make it with defineTool({ name, description, input, run }).'],
  [{ tools: [{ name: 'x', description: '', run: 'go' }] }, 'tools[0] has no function "run". Make it with defineTool({ name, description, input, run }).'],
  [{ toolChoice: 'required' }, 'The toolChoice demands a call, and there are no tools. Give tools, or leave it out.'],
  [{ toolChoice: { tool: 'smell' }, tools: [look, hear] }, noTool],
  [{ toolChoice: { among: [] }, tools: [look, hear] }, noTool],
  [{ toolChoice: { among: ['look', 'smell'] }, tools: [look, hear] }, noTool],
  [{ toolChoice: 'look', tools: [look, hear] }, noTool],
  [{ resume: true }, 'A run resumes in a session. Give the one that it stopped in as "session".'],
  [{ resume: true, session, messages: [] }, 'A run resumes with the messages of its session. Leave "messages" out.'],
  [{ resume: true, session, step }, 'With "step" the engine plays the run again. Leave "resume" out.'],
  [{ step }, 'A run with "step" needs a session, and no "messages" beside it.'],
  [{ step, session, messages: [] }, 'A run with "step" needs a session, and no "messages" beside it.'],
  [{ send: [] }, 'The "send" is no function. For a script give scriptedSend(script([…])).'],
  [{ session: {} }, 'The "session" is no session. Give what store.create() or store.open(id) resolves to.'],
  [{ session: 'last' }, 'The "session" is no session. Give what store.create() or store.open(id) resolves to.'],
  [{ session: Promise.resolve(session) }, 'The "session" is a promise of one: write await before it. Give what store.create() or store.open(id) resolves to.'],
  [{ session, assets: {} }, 'A session keeps its own assets. Give "session" or "assets", not both.'],
])('%o is told', (more, words) => {
  expect(said(more)).toBe(words);
}); // prettier-ignore

test('a tool that is hosted on a wire that nobody has is told', () => {
  const words = said({ tools: [look, { ...hear, hosted: { gemini: {}, telegraph: {} } }] });
  expect(words).toMatch(/^There is no wire "telegraph" to host a tool\. Wires: .*\bgemini\b.*, .*\bollama\b/);
});

const held = (given: unknown): string => said({}, () => checkHeld(given));

test('what a run holds from the moment it is made is told by then', () => {
  const notObject = 'A run is told what to do in one object. Give { model, prompt, tools }.';
  const noSignal = 'The "signal" is no AbortSignal. Give controller.signal.';
  const noStore = `The "assets" are no store. Give memoryAssets() or fileAssets('folder').`;
  for (const none of [undefined, null, 'Look.', []]) expect(held(none)).toBe(notObject);
  for (const signal of [new AbortController(), null, 5000]) expect(held({ signal })).toBe(noSignal);
  for (const assets of ['folder', {}, { put: true }, null]) expect(held({ assets })).toBe(noStore);
  expect(held({ signal: AbortSignal.abort(), assets: session.assets })).toBe('');
  expect(held({})).toBe('');
});

test('two tools of one name, a prompt that is none, and no model at all are told, too', () => {
  expect(said({ tools: [look, look] })).toContain('look');
  expect(said({ prompt: 5 })).toContain('The prompt');
  for (const none of [undefined, [], [model, undefined]])
    expect(said({ model: none })).toMatch(/^config: No model is named/);
  expect(said({ output: { schema: { type: 'object' } } })).not.toBe('');
});

test('a key may be called as most SDKs call it', () => {
  expect(said({ apiKey: 'x' })).toBe('');
});

test.each([
  ['abortSignal', 'Did you mean "signal"?'],
  ['baseURL', 'Did you mean "baseUrl"?'],
  ['systemPrompt', 'Did you mean "system"?'],
  ['max_tokens', 'Did you mean "maxTokens"?'],
  ['instructions', 'Did you mean "system"?'],
  ['maxOutputTokens', 'Did you mean "maxTokens"?'],
  ['maxTurns', 'Did you mean "maxSteps"?'],
  ['stopWhen', 'Write "maxSteps", or "beforeStep" that answers { stop: true }.'],
  ['prepareStep', 'Did you mean "beforeStep"?'],
  ['onStep', 'Steps are events: for await (const event of run) …'],
  ['onStepFinish', 'Steps are events: for await (const event of run) …'],
  ['onFinish', 'Its end is the result: const result = await run.'],
  ['onError', 'Its error is in the result: const { error } = await run.'],
  ['outputType', 'Did you mean "output"?'],
  ['responseFormat', 'Did you mean "output"?'],
  ['schema', 'Did you mean "output"?'],
  ['toolApproval', 'Did you mean "approve"?'],
  ['maxRetries', 'Did you mean "tries"?'],
])('%s is what others call it', (name, words) => {
  expect(said({ [name]: 1 })).toBe(`A run has no option "${name}". ${words}`);
});

describe('a bound in money', () => {
  const unpriced = 'ollama/llama3.1';

  test('needs the price of every model that may answer, and of the eyes', () => {
    expect(said({ maxCost: 1 })).toBe('');
    for (const more of [{ model: unpriced }, { model: [model, unpriced] }, { eyes: unpriced }])
      expect(said({ maxCost: 1, ...more })).toMatch(
        /^The catalog has no prices of ollama\/llama3\.1, so maxCost cannot/,
      );
    expect(said({ model: unpriced })).toBe('');
    const prices = { input: 1, output: 1, read: 1, write: 1 };
    expect(said({ maxCost: 1, model: [{ model: unpriced, profile: { prices } }] })).toBe('');
    expect(said({ maxCost: 1, eyes: model })).toBe('');
  });

  test('holds for each step, and so do its tools', () => {
    expect(said({ maxCost: 1, model: unpriced }, checkStep)).toContain('no prices');
    expect(said({ tools: [{ name: 'x' }] }, checkStep)).toContain('no function "run"');
    expect(said({ tools: undefined }, checkStep)).toBe('');
    expect(said({ tools: [look] }, checkStep)).toBe('');
  });
});
