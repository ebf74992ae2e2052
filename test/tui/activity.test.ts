// What goes on, in the words of the one line that a person sees meanwhile.
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { activity } from '../../src/tui/activity.ts';
import type { CallBlock } from '../../src/content/block.ts';

const call = (id: string, name: string): CallBlock => ({ type: 'call', id, name, input: {} });
const [look, shoot] = [call('1', 'read_file'), call('2', 'screenshot_webpage')];
const ready = { type: 'request-ready', model: 'a/b', tokens: 1, contextTokens: 9, images: 0 } as const;
const ended = { role: 'tool', callId: '1', name: 'read_file' } as const;

type Row = [events: readonly (AgentEvent | number | string)[], words: string | undefined];

/** Numbers move the clock, words are a call that was allowed. */
test.each<Row>([
  [[{ type: 'step-start', step: 1, model: 'a/b' }], 'waiting for a/b'],
  [[{ type: 'step-start', step: 1, model: 'a/b' }, 4200], 'waiting for a/b · 4 s'],
  [
    [{ type: 'step-start', step: 1, model: 'a/b' }, { ...ready, receipts: [], bytes: 12_000_000 }, 1000],
    'waiting for a/b, 12 MB on the way · 1 s',
  ],
  [
    [
      { type: 'step-start', step: 1, model: 'a/b' },
      { type: 'request-retry', attempt: 2, of: 5, ms: 8000, why: 'no' },
      500,
    ],
    'waiting for a/b, try 2 of 5, in 8 s',
  ],
  [
    [
      { type: 'step-start', step: 1, model: 'a/b' },
      { type: 'request-retry', attempt: 2, of: 5, ms: 8000, why: 'no' },
      10_000,
    ],
    'waiting for a/b, try 2 of 5 · 2 s',
  ],
  [
    [
      { type: 'step-start', step: 1, model: 'a/b' },
      { type: 'block-start', index: 0, block: { type: 'thinking', text: '' } },
      3000,
    ],
    'a/b is thinking · 3 s',
  ],
  [[{ type: 'call-start', call: look }, 2000], 'read_file runs · 2 s'],
  [
    [{ type: 'call-start', call: look }, { type: 'call-progress', call: look, text: '3 of 20 pages read' }, 2000],
    'read_file runs: 3 of 20 pages read · 2 s',
  ],
  [[{ type: 'call-start', call: look }, 60_000, '1', 1000], 'read_file runs · 1 s'],
  [
    [
      { type: 'call-start', call: look },
      { type: 'call-start', call: shoot },
    ],
    'read_file, screenshot_webpage run',
  ],
  [
    [
      { type: 'call-start', call: look },
      { type: 'call-end', call: look, result: { ...ended, content: [] }, ms: 1 },
    ],
    'working',
  ],
  [
    [
      { type: 'call-start', call: look },
      { type: 'run-end', stop: 'aborted', usage: { inputTokens: 0, outputTokens: 0 } },
    ],
    undefined,
  ],
])('after %j it says %s', (events, words) => {
  let now = 1000;
  const doing = activity(() => now);
  for (const event of events) {
    if (typeof event === 'number') now += event;
    else if (typeof event === 'string') doing.allowed(event);
    else doing.event(event);
  }
  expect(doing.words()).toBe(words);
});
