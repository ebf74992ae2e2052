// An agent that works for another one: what it says is the result of its call, and what it takes counts in the run.
import { expect, test } from 'vitest';
import { agentTool, defineTool, runAgent } from '../../src/index.ts';
import type { AgentRun, ToolContext } from '../../src/index.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { ScriptedSend } from '../../src/model/script/index.ts';

const usage = { inputTokens: 1000, outputTokens: 100 };
const whoami = defineTool({
  name: 'whoami',
  description: 'Says who asks.',
  run: (_input, { context }: ToolContext<{ user: string }>) => context.user,
});

type Delegated = { run: AgentRun; parent: ScriptedSend; child: ScriptedSend };

/** One run of a parent whose only tool is an agent that may ask who is asking. */
function delegated(inner: Parameters<typeof script>[0], more: { maxSteps?: number } = {}): Delegated {
  const [parent, child] = [
    scriptedSend(
      script([
        { calls: [{ name: 'ask_child', input: { task: 'Who am I?' } }], usage },
        { text: 'So you are ada.', usage },
      ]),
    ),
    scriptedSend(script(inner)),
  ];
  const helper = agentTool({
    name: 'ask_child',
    description: 'Knows who asks.',
    agent: { model: 'openai/gpt-5.4', tools: [whoami], send: child, ...more },
  });
  const run = runAgent({
    model: 'anthropic/claude-sonnet-5',
    tools: [helper],
    context: { user: 'ada' },
    prompt: 'Who am I?',
    send: parent,
  });
  return { run, parent, child };
}

test('it is told its task and the context of the run, and its answer is the result', async () => {
  const { run, parent, child } = delegated([
    { calls: [{ name: 'whoami' }], usage },
    { text: 'You are ada.', usage },
  ]);
  const told: string[] = [];
  const spent: string[] = [];
  for await (const event of run) {
    if (event.type === 'call-progress') told.push(event.text);
    if (event.type === 'spent') spent.push(event.model);
  }
  const result = await run;
  parent.done();
  child.done();
  expect(result).toMatchObject({ stop: 'end', text: 'So you are ada.' });
  expect(result.messages.find(({ role }) => role === 'tool')?.content).toEqual([
    { type: 'text', text: 'You are ada.' },
  ]);
  expect(JSON.stringify(child.requests[1]?.transcript.messages)).toContain('ada');
  expect(told).toEqual(['ask_child calls whoami']);
  const [claude, gpt] = ['anthropic/claude-sonnet-5', 'openai/gpt-5.4'];
  expect(spent).toEqual([claude, gpt, gpt, claude]);
});

test('its tokens and its cost are in the result of the run', async () => {
  const { run } = delegated([{ text: 'You are ada.', usage }]);
  const result = await run;
  expect(result.usage).toMatchObject({ inputTokens: 3000, outputTokens: 300 });
  const [claude, gpt] = [(1000 * 2 + 100 * 10) / 1e6, (1000 * 2.5 + 100 * 15) / 1e6];
  expect(result.cost).toBeCloseTo(2 * claude + gpt, 10);
});

test('one that fails says why, and the model that called it goes on', async () => {
  const { run } = delegated(() => ({ calls: [{ name: 'whoami' }], usage }), { maxSteps: 2 });
  const { stop, messages } = await run;
  const answer = messages.find(({ role }) => role === 'tool');
  expect(stop).toBe('end');
  expect(answer).toMatchObject({ isError: true, content: [{ text: 'Error: It ended with "max-steps".' }] });
});

test('one that fails says also what it had said until then', async () => {
  const { run } = delegated(() => ({ text: 'I think', calls: [{ name: 'whoami' }], usage }), { maxSteps: 1 });
  const { messages } = await run;
  const text = 'Error: It ended with "max-steps". Until then it said: I think';
  expect(messages.find(({ role }) => role === 'tool')).toMatchObject({ isError: true, content: [{ text }] });
});

test('the model that calls it is told what it takes: a task that says everything', async () => {
  const { run, parent } = delegated([{ text: 'You are ada.' }]);
  await run;
  expect(parent.requests[0]?.transcript.tools).toEqual([
    {
      name: 'ask_child',
      description: 'Knows who asks.',
      inputSchema: {
        type: 'object',
        properties: { task: { type: 'string', description: 'All that it needs to know: it sees nothing else' } },
        required: ['task'],
      },
    },
  ]);
});

test.each([{}, undefined])('without a model (%o) it is refused where it is made', (agent) => {
  const make = (): unknown => agentTool({ name: 'lost', description: 'Lost.', agent: agent as { model: string } });
  expect(make).toThrow('The agent of tool "lost" has no model. Write agent: { model: … }.');
  expect(make).toThrow(expect.objectContaining({ code: 'input' }));
});

test('a run that is stopped stops it too: its model is not asked again', async () => {
  const { run, child } = delegated(() => {
    run.stop('enough');
    return { calls: [{ name: 'whoami' }] };
  });
  expect(await run).toMatchObject({ stop: 'aborted', reason: 'enough' });
  expect(child.requests).toHaveLength(1);
});
