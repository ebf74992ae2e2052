// Arguments as models write them by hand: mended where that is certain, and answered with an error where it is not. One
// call that cannot be read harms no other.
import { expect, test } from 'vitest';
import { act } from '../../src/agent/act.ts';
import type { ActStep } from '../../src/agent/act.ts';
import { argumentsOf } from '../../src/agent/calls.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { CallBlock } from '../../src/content/block.ts';
import type { ModelEvent } from '../../src/message/event.ts';
import type { Stop } from '../../src/message/message.ts';
import { pair } from '../../src/message/pair.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Asked } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';

const invalid = 'The arguments are not valid JSON. Call the tool again with one JSON object.';
const cut = 'The answer ended at its length limit in the middle of these arguments.';

test.each([
  ['an object as it came', { path: 'a' }, { path: 'a' }],
  ['nothing', ' ', {}],
  ['single quotes and a comma too many', "{path: 'a b',}", { path: 'a b' }],
  ['a fence around it', '```json\n{"path": "a"}\n```', { path: 'a' }],
  ['brackets left open', '{"path": "a", "deep": {"er": [1', { path: 'a', deep: { er: [1] } }],
])('%s is understood', async (_name, input, meant) => {
  expect(await argumentsOf({ type: 'call', id: 'a', name: 'x', input }, false)).toEqual({ ok: true, input: meant });
});

test.each([
  ['prose', 'I would like to see the file'],
  ['a list', '["a", "b"]'],
  ['a number', '42'],
  ['a text in quotes', '"a.png"'],
  ['something that no mending makes JSON', '{"a": "b" "c": }} {'],
])('%s is not guessed at', async (_name, input) => {
  expect(await argumentsOf({ type: 'call', id: 'a', name: 'x', input }, false)).toEqual({ ok: false, why: invalid });
});

test('what the length limit cut off is not mended, however well that would go', async () => {
  const call: CallBlock = { type: 'call', id: 'a', name: 'x', input: '{"command": "rm -rf /tmp/a' };
  expect(await argumentsOf(call, true)).toEqual({ ok: false, why: cut });
  expect(await argumentsOf({ ...call, input: { command: 'ls' } }, true)).toEqual({
    ok: true,
    input: { command: 'ls' },
  });
});

async function* says(calls: readonly CallBlock[], stop: Stop): AsyncGenerator<ModelEvent> {
  yield { type: 'message-start', model: 'x/y' };
  for (const [index, block] of calls.entries()) {
    yield { type: 'block-start', index, block: { ...block, input: {} } };
    yield { type: 'block-end', index, block };
  }
  yield { type: 'message-end', stop };
}

test.each([
  ['cannot be read', 'no JSON at all', 'calls', invalid],
  ['was cut off by the length limit', '{"path": "b', 'length', cut],
] as const)(
  'a call whose arguments %s is answered with an error, and the others run',
  async (_name, input, stop, why) => {
    const ran: unknown[] = [];
    const steps: ActStep[] = [];
    let asked = 0;
    let told: Asked | undefined;
    const echo = defineTool({
      name: 'echo',
      description: 'Echoes.',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      run: (given) => {
        ran.push(given);
        return 'ok';
      },
    });
    const calls: CallBlock[] = [
      { type: 'call', id: 'a', name: 'echo', input: { path: 'a' } },
      { type: 'call', id: 'b', name: 'echo', input },
      { type: 'call', id: 'c', name: 'nobody', input: {} },
    ];
    const done = scriptedSend(
      script((heard) => {
        told = heard;
        return { text: 'Done.' };
      }),
    );
    const result = await act({
      model: 'anthropic/claude-sonnet-4-5',
      prompt: 'Go.',
      tools: [echo],
      assets: memoryAssets(),
      send: (...of) => (asked++ === 0 ? says(calls, stop) : done(...of)),
      onStep: (step) => void steps.push(step),
    });
    expect(result.stop).toBe('end');
    expect(ran).toEqual([{ path: 'a' }]);
    expect(steps[0]?.toolResults).toMatchObject([
      { callId: 'a', content: [{ text: 'ok' }] },
      { callId: 'b', content: [{ text: why }], isError: true },
      { callId: 'c', isError: true },
    ]);
    expect(steps[0]?.finishReason).toBe(stop === 'length' ? 'length' : 'tool-calls');
    expect(JSON.stringify(told?.transcript.messages)).toContain(why);
    expect(pair(result.messages).repairs).toEqual([]);
  },
);
