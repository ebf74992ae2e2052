// A run of 500 steps with our browser tools, against the scripted model on one wire; the conversation is then replayed on the
// others, and played in the simulator beside an agent that keeps the newest three pictures. Ends with 1 when a click fell beside
// its place, a request would have been refused, the prefix moved without need, or the plan is dearer.
//   npm run steps                    500 of them, in Chromium
//   npm run steps -- --steps 40      fewer
import { prepare } from '../src/index.ts';
import type { Message } from '../src/index.ts';
import type { Ledger } from '../src/window/ledger.ts';
import { profileFor } from '../src/window/profile.ts';
import { argumentsOf } from './arguments.ts';
import { play } from './simulate/play.ts';
import type { Loop } from './simulate/loops.ts';
import { complaints, walk, walker } from './steps/walk.ts';
import type { Walked } from './steps/walk.ts';

const others = ['openai/gpt-5.4', 'openai-chat/gpt-4.1', 'gemini/gemini-3-pro-preview', 'ollama/qwen3-vl'];
const { values } = argumentsOf(import.meta.filename, { steps: { type: 'string' } });
const steps = Number(values.steps ?? 500);

const walked = await walk(steps);
console.log(
  `${steps} steps on ${walker}: ${walked.clicks} clicks, the worst ${walked.farthest.toFixed(2)} px beside its place, ended with ${walked.stop}.`,
);
const refused = [...walked.refused];
for (const model of others) {
  const found = await replay(walked, model);
  refused.push(...found.refused);
  console.log(
    `${model}: replayed at ${found.times} lengths, ${found.refused.length} complaints, prefix moved ${found.moves} times.`,
  );
}
const dear: string[] = [];
for (const model of [walker, ...others.slice(0, 3)]) {
  const loop = loopOf(walked.messages);
  const [sliding, planned] = (['sliding', 'planned'] as const).map((way) => play(loop, profileFor(model), way));
  if (!sliding || !planned) continue;
  console.log(
    `${model}: $${sliding.dollars.toFixed(2)} with the newest three, $${planned.dollars.toFixed(2)} as planned.`,
  );
  if (planned.dollars > sliding.dollars) dear.push(model);
}
for (const line of refused.slice(0, 20)) console.error(line);
const whole = walked.stop === 'end' && walked.clicks === Math.floor(steps / 2);
process.exitCode = whole && walked.farthest <= 1 && refused.length === 0 && dear.length === 0 ? 0 : 1;

/** The conversation as it grows, step by step, on another model, with its own ledger; every twelfth request is looked at whole. */
async function replay(
  { messages, assets }: Walked,
  model: string,
): Promise<{ times: number; moves: number; refused: string[] }> {
  const all: string[] = [];
  let ledger: Ledger | undefined;
  let [times, moves] = [0, 0];
  for (let end = 3; end <= messages.length; end += 2) {
    const request = await prepare(
      { messages: untilAnswered(messages, end) },
      { model, assets, ...(ledger && { ledger }) },
    );
    ledger = request.ledger;
    times++;
    const moved = request.receipts.flatMap(({ action, subject }) => (action === 'checkpoint' ? [subject] : []));
    if (moved.length > 0) moves++;
    if (moved.some((why) => why !== 'budget')) all.push(`${model}, ${end} messages: the prefix moved: ${moved.join()}`);
    if (times % 12 === 1) all.push(...complaints(await request.json(), `${model}, ${end} messages`, model));
  }
  return { times, moves, refused: all };
}

/** Up to a message, and no call without its result. */
function untilAnswered(messages: readonly Message[], end: number): Message[] {
  const last = messages.slice(0, end).findLastIndex(({ role }) => role === 'tool');
  return messages.slice(0, last + 1);
}

/** The same as the simulator takes it: what was planned for letters is not its matter. */
function loopOf(messages: readonly Message[]): Loop {
  const plain = messages.map((message): Message => {
    const content = message.content.map((block) => {
      if (block.type !== 'image') return block;
      const { textPx: _, original: __, ...rest } = block;
      return rest;
    });
    return { ...message, content };
  });
  const starts = plain.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  const turns = starts.map((start, at) => plain.slice(at === 0 ? 0 : start, starts[at + 1]));
  return {
    name: 'browser',
    keeps: 3,
    transcript: {},
    steps: turns.filter((turn) => turn.some(({ role }) => role === 'tool')),
  };
}
