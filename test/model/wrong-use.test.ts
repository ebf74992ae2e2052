// Programs without types: what is given wrongly is told in a sentence, and never as a crash from far inside.
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { answer } from '../../src/model/answer.ts';
import type { AnswerEvent } from '../../src/model/answer.ts';
import { discover } from '../../src/model/discover/discover.ts';
import { prepare } from '../../src/model/prepare.ts';
import { SightlineError } from '../../src/content/refusal.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { profileFor } from '../../src/window/profile.ts';

const model = 'openai/gpt-5.2';
const hello = { messages: [{ role: 'user', content: 'hello' }] };
const tool = defineTool({ name: 'shot', description: 'A picture.', input: { type: 'object' }, run: () => 'none' });

const preparing = prepare as (...given: unknown[]) => Promise<unknown>;
const saying = (content: unknown): unknown => ({ messages: [hello.messages[0], { role: 'user', content }] });
const telling = (message: unknown): unknown => ({ messages: [message] });

const wrong: [name: string, given: unknown[], sentence: RegExp][] = [
  ['no model', [hello, { model: undefined }], /^No model is named\. Give one as endpoint\/model, such as \w+\/\S+\.$/],
  ['no options', [hello], /^No model is named\./],
  ['a model without an endpoint', [hello, { model: 'gpt-5.2' }], /^The model "gpt-5\.2" has no endpoint\./],
  ['no transcript', [undefined, { model }], /^The transcript has no messages\. Give \{ messages: /],
  ['no list of messages', [{ messages: 'hello' }, { model }], /^The transcript has no messages\./],
  ['no messages', [{ messages: [] }, { model }], /^The transcript has no messages\./],
  ['a message that is null', [telling(null), { model }], /^messages\[0\] is not a message\. Give \{ role: 'user'/],
  ['content that is null', [saying(null), { model }], /^messages\[1\]\.content is null\. Give a string, a block /],
  ['no content', [telling({ role: 'user' }), { model }], /^messages\[0\]\.content is undefined\./],
  ['a number among blocks', [saying(['a', 5]), { model }], /^messages\[1\]\.content\[1\] is of the type number\./],
  ['a list in a list', [saying([['a']]), { model }], /^messages\[1\]\.content\[0\] is a list in a list\./],
  [
    'no text in a text',
    [saying({ type: 'text' }), { model }],
    /^messages\[1\]\.content is a text block without its text/,
  ],
  ['a result of no call', [telling({ role: 'tool', content: 'x' }), { model }], /^messages\[0\] needs the "callId" /],
  [
    'a system that is no text',
    [{ ...hello, system: 5 }, { model }],
    /^The "system" of the transcript is not a string\./,
  ],
  ['tools that are no list', [{ ...hello, tools: {} }, { model }], /^The tools are not a list of tools\./],
  ['a tool that is null', [{ ...hello, tools: [null] }, { model }], /^The tools are not a list of tools\./],
  [
    'two tools of one name',
    [{ ...hello, tools: [tool, tool] }, { model }],
    /^Two tools are called "shot"\. Give each /,
  ],
];

test.each(wrong)('prepare, given %s, says so', async (_name, given, sentence) => {
  const error = await preparing(...given).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SightlineError);
  expect((error as Error).message).toMatch(sentence);
});

const send = (): never => expect.fail('something was sent');

const ending: [name: string, options: object, sentence: RegExp][] = [
  ['a prompt that is null', { prompt: null }, /^The prompt is null\. Give a string, a block /],
  ['two tools of one name', { prompt: 'x', tools: [tool, tool] }, /^Two tools are called "shot"\./],
  ['a topP above 1', { prompt: 'x', topP: 7 }, /^"topP" is 7, and must be a number from 0 to 1\.$/],
  ['stop words that are one word', { prompt: 'x', stop: 'END' }, /^"stop" is "END", and must be a list of words\.$/],
  ['a seed that is none', { prompt: 'x', seed: 0.5 }, /^"seed" is 0\.5, and must be a whole number\.$/],
  ['an effort nobody knows', { prompt: 'x', thinking: 'deep' }, /^"thinking" is "deep", and must be off, low, /],
  ['messages that hold null', { prompt: 'x', messages: [null] }, /^messages\[0\] is not a message\./],
];

test.each(ending)(
  'a run with %s ends with that sentence, before anything is sent',
  async (_name, options, sentence) => {
    const { stop, error, messages } = await runAgent({ model, send, ...options }).result();
    expect({ stop, messages }).toEqual({ stop: 'error', messages: [] });
    expect(error?.message).toMatch(sentence);
  },
);

test('what is added to a run is looked at when it is added', () => {
  const { add } = runAgent({ model, prompt: 'x' });
  expect(() => add(null as never)).toThrow(/^What is added is null\./);
});

test('an answer of no model is an error event', async () => {
  const events: AnswerEvent[] = [];
  for await (const event of answer({ messages: [{ role: 'user', content: 'x' }] }, {} as never)) events.push(event);
  expect(events).toMatchObject([{ type: 'message-error', message: expect.stringMatching(/^No model is named\./) }]);
});

test('an endpoint nobody knows is told with those that are known', async () => {
  await expect(discover('nope' as 'openai')).rejects.toThrow(
    /^There is no endpoint "nope"\. Give one of these: anthropic, /,
  );
  expect(() => profileFor(undefined as never)).toThrow(SightlineError);
});
