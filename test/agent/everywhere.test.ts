// The same agent on every wire, over a real connection: a chart, a PDF and a screenshot from tools, a change of the
// model in the middle, faults on the way. Every body that was sent is judged by schemas nobody here wrote.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { ModelChoice, RunResult } from '../../src/agent/options.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import { document, image } from '../../src/content/input.ts';
import { isMedia } from '../../src/content/block.ts';
import { pair } from '../../src/message/pair.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer, Step } from '../../src/model/script/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { effort } from '../effort.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { hastyClock } from '../model/hasty-clock.ts';

const example = (name: string): Buffer => readFileSync(new URL(`../../examples/${name}`, import.meta.url));
const noInput = { type: 'object' } as const;
const tools = [
  defineTool({ name: 'chart', description: 'A chart.', input: noInput, run: () => image(example('chart.png')) }),
  defineTool({
    name: 'report',
    description: 'A report.',
    input: noInput,
    run: () => ['The report:', document(example('report.pdf'), { name: 'report.pdf' })],
  }),
  defineTool({
    name: 'screenshot',
    description: 'The screen.',
    input: noInput,
    run: () => ({ success: true, base64_image: example('chart.png').toString('base64') }),
  }),
];

const models = [
  'anthropic/claude-sonnet-4-5',
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'gemini/gemini-2.5-pro',
  'ollama/qwen3-vl',
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
];

function at(server: ScriptedServer, model: string): ModelChoice {
  const path = model.startsWith('openai') ? '/v1' : model.startsWith('gemini') ? '/v1beta' : '';
  return { model, baseUrl: `${server.url}${path}`, key: 'a-key' };
}

async function judged(server: ScriptedServer): Promise<string[]> {
  const asked = server.requests.flatMap(({ wire, body }) => (wire ? [{ wire, body }] : []));
  expect(asked.length).toBeGreaterThan(0);
  const complaints = await Promise.all(
    asked.map(async ({ wire, body }) => [...(await schemaErrors(wire, body)), ...base64InText(wire, body)]),
  );
  return complaints.flat();
}

const calls: Step = {
  text: 'Looking.',
  calls: [{ name: 'chart' }, { name: 'report' }, { name: 'screenshot' }],
};

/** Says how many media it can see. */
const count: Step = ({ transcript }) => {
  const blocks = transcript.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return { text: `I see ${blocks.filter((block) => typeof block === 'object' && isMedia(block)).length} media.` };
};

test.each(models)('%s sees the chart, the report and the screen', async (model) => {
  await using server = await scriptedServer(script([calls, count, { text: 'Done.' }]));
  const assets = memoryAssets();
  const first = await runAgent({ model: at(server, model), prompt: 'Look at everything.', tools, assets }).result();
  expect(first).toMatchObject({ stop: 'end' });
  expect(first.text).toBe('I see 3 media.');
  const { messages, ledger } = first;
  const second = await runAgent({
    model: at(server, model),
    messages,
    ledger,
    prompt: 'And?',
    tools,
    assets,
  }).result();
  expect(second).toMatchObject({ text: 'Done.', stop: 'end' });
  expect(await judged(server)).toEqual([]);
});

test('the model changes after every answer, and each sees what the others saw', async () => {
  const others: Step[] = models.slice(1).map(() => count);
  await using server = await scriptedServer(script([calls, count, ...others]));
  const assets = memoryAssets();
  let result: RunResult | undefined;
  for (const model of models) {
    result = await runAgent({
      model: at(server, model),
      prompt: `Now ${model}.`,
      messages: result?.messages ?? [],
      ...(result?.ledger && { ledger: result.ledger }),
      tools,
      assets,
    }).result();
    expect(result).toMatchObject({ stop: 'end', text: 'I see 3 media.' });
  }
  expect(pair(result?.messages ?? []).repairs).toEqual([]);
  expect(await judged(server)).toEqual([]);
});

/** Numbers that look random and are the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const faults: Answer[] = [
  { error: { status: 429, message: 'slow down', retryAfter: 5 } },
  { error: { status: 500, message: 'internal error' } },
  { error: { status: 529, message: 'Overloaded' } },
  { text: 'This will never be whole because it ends too early.', cutAfter: 4 },
  { reset: 'before' },
  { text: 'Broken in the middle of it all.', reset: 'middle' },
  { text: 'Not JSON.', malformed: true },
  { text: 'Half a charäcter.', halfCharacter: true },
  { contentType: 'text/html', text: 'A page.' },
];

type Outcome = { refused: boolean; healed: boolean; stop: string };

/** What a run of faults came to: whatever happened, the conversation is whole and goes on. */
async function stormy(seed: number, assets: AssetStore): Promise<Outcome> {
  const roll = dice(seed);
  const model = models[roll(models.length)] ?? '';
  const steps: Answer[] = [];
  for (let step = 0; step < 3; step++) {
    while (roll(3) === 0) steps.push(faults[roll(faults.length)] ?? {});
    steps.push(
      step < 2 ? { calls: [{ name: 'chart' }, ...(roll(2) ? [{ name: 'nobody' }] : [])] } : { text: 'The end.' },
    );
  }
  let refusals = roll(2);
  let refused = false;
  await using server = await scriptedServer(script(steps), {
    check: ({ body, wire }) => {
      if (!wire || refusals === 0 || !JSON.stringify(body).includes('iVBOR')) return undefined;
      refusals--;
      refused = true;
      return {
        status: 400,
        message: 'messages.2.content.0.tool_result.content.0.image.source.base64: Could not process image',
      };
    },
  });
  const waits = { clock: hastyClock(), random: () => 0.5 };
  const run = runAgent({ model: at(server, model), prompt: 'Go.', tools, assets, ...waits });
  let healed = false;
  for await (const event of run) if (event.type === 'request-healed') healed = true;
  const result = await run.result();
  expect(pair(result.messages).repairs, `seed ${seed}`).toEqual([]);
  expect(['end', 'error'], `seed ${seed}`).toContain(result.stop);
  return { refused, healed, stop: result.stop };
}

test('any sequence of faults leaves a whole conversation, and refused pictures are healed', async () => {
  const runs = effort.storms;
  const assets = memoryAssets();
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= runs; seed++) outcomes.push(await stormy(seed, assets));
  const refused = outcomes.filter((outcome) => outcome.refused);
  expect(refused.length).toBeGreaterThan(runs / 5);
  expect(refused.filter(({ healed }) => healed).length / refused.length).toBeGreaterThanOrEqual(0.95);
  expect(outcomes.filter(({ stop }) => stop === 'end').length / runs).toBeGreaterThan(0.7);
});
