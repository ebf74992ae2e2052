// A key that a model repeats in pieces: whoever reads the events, on a screen or as JSON, never gets it.
import { afterEach, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { runAgent } from '../../src/agent/run.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { forgetSecrets } from '../../src/config/secrets.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { hiddenDeltas } from '../../src/tui/hidden-deltas.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSecrets();
});

test('streamed words hold no key in two parts, and lose nothing else', async () => {
  const key = 'canary-of-a-key-that-streams';
  vi.stubEnv('SOME_TOKEN', key);
  forgetSecrets();
  const said = `It begins with canary-of, but it is ${key}. A canary`;
  const send = scriptedSend(script([{ thinking: `Is it ${key}?`, text: said }]));
  const events: AgentEvent[] = [];
  const run = runAgent({ model: 'anthropic/claude-sonnet-4-5', prompt: 'Say it.', assets: memoryAssets(), send });
  for await (const event of hiddenDeltas(run)) events.push(event);
  const told = (kind: string): string =>
    events.flatMap((event) => (event.type === 'block-delta' && event.kind === kind ? [event.text] : [])).join('');
  expect(events.filter(({ type }) => type === 'block-delta').length).toBeGreaterThan(2);
  expect(told('text')).toBe('It begins with canary-of, but it is [key]. A canary');
  expect(told('thinking')).toBe('Is it [key]?');
  expect(events.at(-1)?.type).toBe('run-end');
});
