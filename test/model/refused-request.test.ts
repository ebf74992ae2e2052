// A request that we will not serve is refused in a sentence, with the refusal beside it: on every wire, and for the
// recorded bodies that are such.
import { describe, expect, test } from 'vitest';
import { exchanges } from '../../scripts/golden/corpus.ts';
import { SightlineError } from '../../src/content/refusal.ts';
import type { TranscriptInput } from '../../src/message/message.ts';
import { answer } from '../../src/model/answer.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { WireName } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { all } from './all.ts';

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai/gpt-5.4',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3-pro-preview',
  'ollama/llama3.1',
];

function transcriptIn(wire: WireName, body: unknown): TranscriptInput {
  const read = wires[wire].accept(body);
  if (!read.ok) throw new Error(read.refusal.what);
  return read.value.transcript;
}

async function refusedFor(transcript: TranscriptInput, model: string): Promise<SightlineError> {
  const error: unknown = await prepare(transcript, { model, readPictures: false }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SightlineError)) throw new Error(`${model}: ${String(error)}`);
  return error;
}

describe('a body with nothing but a system prompt', () => {
  const prompt = 'You are a potato.';
  const bodies: [WireName, object][] = [
    ['anthropic-messages', { system: prompt, messages: [] }],
    ['openai-chat', { messages: [{ role: 'system', content: prompt }] }],
    ['openai-responses', { instructions: prompt, input: [] }],
    ['gemini', { systemInstruction: { parts: [{ text: prompt }] }, contents: [] }],
    ['ollama', { messages: [{ role: 'system', content: prompt }] }],
  ];
  test.each(bodies)('of %s is refused as empty, for every model', async (wire, body) => {
    const transcript = transcriptIn(wire, body);
    expect(transcript.system).toBe(prompt);
    for (const model of models) {
      const { code, message, refusal } = await refusedFor(transcript, model);
      expect({ code, refusal }).toMatchObject({ code: 'input', refusal: { code: 'empty' } });
      expect(message).toBe("The transcript has no messages. Give { messages: [{ role: 'user', content: '…' }] }.");
    }
  });

  test('ends an answer in one event that says so', async () => {
    const events = await all(answer({ system: prompt, messages: [] }, { model: 'openai-chat/gpt-4.1' }));
    expect(events).toMatchObject([{ type: 'message-error', code: 'invalid', message: /has no messages/ }]);
  });
});

describe.skipIf(sharedFile('corpora/manifest.json') === undefined)('recorded bodies', () => {
  const rows: [string, string, string, string][] = [
    ['with a system prompt alone', 'openai-chat#218', 'gemini/gemini-3-pro-preview', 'empty'],
    ['too long for the window', 'anthropic-messages#93', 'ollama/llama3.1', 'too-large'],
    ['too long for it by a result more', 'anthropic-messages#94', 'ollama/llama3.1', 'too-large'],
  ];
  test.each(rows)('%s (%s → %s) are refused', async (_, name, model, code) => {
    const found = exchanges().requests.find((request) => request.name === name);
    if (!found) throw new Error(`${name} is not among the recordings`);
    const { refusal, message } = await refusedFor(transcriptIn(found.wire, found.body), model);
    expect(refusal).toMatchObject({ code, next: /\S/ });
    expect(message).not.toMatch(/undefined|\[object/);
  });
});
