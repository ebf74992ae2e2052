// One round of the soak: a session, new or old, goes on for some answers with a random model behind a server that fails
// in random ways. Whatever happened, the conversation must be whole afterwards.
import { runAgent } from '../../src/index.ts';
import type { AgentEvent, Message, ModelChoice, WireName } from '../../src/index.ts';
import { pair } from '../../src/message/pair.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer, ScriptedServer, ServerOptions } from '../../src/model/script/index.ts';
import type { SessionStore } from '../../src/session/store.ts';
import type { Session } from '../../src/session/session.ts';
import { schemaErrors } from '../../test/judge/judge.ts';
import { pick } from './dice.ts';
import type { Roll } from './dice.ts';
import { soakTools, toolNames } from './tools.ts';

export type Round = {
  session: string;
  model: string;
  stop: string;
  requests: number;
  calls: number;
  healed: number;
  aborted: boolean;
  violations: string[];
};

export const models: readonly [string, ...string[]] = [
  'anthropic/claude-sonnet-4-5',
  'openai-chat/gpt-4.1',
  'openai/gpt-5.2',
  'gemini/gemini-2.5-pro',
  'gemini/gemini-3-pro-preview',
  'ollama/qwen3-vl',
  'ollama/llama3.1',
];

const faults: readonly [Answer, ...Answer[]] = [
  { error: { status: 429, message: 'slow down', retryAfter: 5 } },
  { error: { status: 500, message: 'internal error' } },
  { error: { status: 529, message: 'Overloaded' } },
  { error: { status: 413, message: 'request too large' } },
  { text: 'This will never be whole because it ends too early.', cutAfter: 4 },
  { reset: 'before' },
  { text: 'Broken in the middle of it all.', reset: 'middle' },
  { text: 'Not JSON.', malformed: true },
  { text: 'Half a charäcter.', halfCharacter: true },
  { contentType: 'text/html', text: 'A page.' },
  { text: 'One byte at a time, ünd slöwly.', writeBytes: 3 },
  { text: 'A pause before it.', silence: 60 },
];

type RoundSettings = { longest: number; gateways: readonly string[] };

/** Half of the rounds go through a gateway, where there is one. */
export async function playRound(store: SessionStore, roll: Roll, { longest, gateways }: RoundSettings): Promise<Round> {
  const session = await someSession(store, roll, longest);
  const tools = soakTools(roll);
  const model = pick(models, roll);
  await using server = await scriptedServer(
    script(({ wire }) => answer(wire, roll)),
    grumpy(roll),
  );
  const stopper = new AbortController();
  const aborts = roll(5) === 0;
  const timer = aborts ? setTimeout(() => stopper.abort(), roll(400)) : undefined;
  const count = { calls: 0, healed: 0 };
  const violations: string[] = [];
  // A process that was killed may have left calls without results; this round must not add any.
  const before = new Set(repairsIn(await session.messages()));
  try {
    const prompt = `Round with ${model}: ${roll(1e6)}.`;
    const waits = { clock: hastyClock, random: () => roll(1000) / 1000 };
    const common = { tools, session, prompt, signal: stopper.signal, maxSteps: 6, ...waits };
    const run = runAgent({ model: through(gateways, model, roll) ?? at(server, model), ...common });
    for await (const event of run) tally(event, count);
    const result = await run.result();
    const kept = await session.messages();
    if (result.messages.length !== kept.length)
      violations.push(`the run has ${result.messages.length} messages, the session ${kept.length}`);
    violations.push(...repairsIn(kept).filter((one) => !before.has(one)));
    if (roll(8) === 0) violations.push(...(await judgedLast(server)));
    const { stop } = result;
    return {
      session: session.id,
      model,
      stop,
      requests: server.requests.length,
      ...count,
      aborted: aborts,
      violations,
    };
  } finally {
    clearTimeout(timer);
    await session.close();
  }
}

function repairsIn(messages: readonly Message[]): string[] {
  return pair(messages).repairs.map(({ what, callId }) => `${what} (call ${callId})`);
}

function tally(event: AgentEvent, count: { calls: number; healed: number }): void {
  if (event.type === 'call-end') count.calls++;
  if (event.type === 'request-healed') count.healed++;
}

/** A new one, or one of those that nobody writes to; what has become too long is removed or forked from its middle. */
async function someSession(store: SessionStore, roll: Roll, longest: number): Promise<Session> {
  const known = await store.list();
  const info = roll(4) === 0 || known.length === 0 ? undefined : known[roll(known.length)];
  if (!info) return await store.create({ title: `soak ${roll(1e6)}` });
  try {
    if (info.messages < longest) return await store.open(info.id);
    await store.remove(info.id);
    if (roll(3) === 0) await store.gc();
  } catch {
    // Another process writes to it, or has removed it.
  }
  return await store.create({ title: `soak ${roll(1e6)}` });
}

export function answer(wire: WireName, roll: Roll): Answer {
  const chance = roll(10);
  if (chance < 2) return pick(faults, roll);
  // The vendor's own chat models do not say what they think; those of others who do have fields the judges do not know.
  const thinking = roll(4) === 0 && wire !== 'openai-chat' ? { thinking: `Let me see, ${roll(100)}.` } : {};
  if (chance < 5) return { text: `Done with ${roll(1000)}.`, ...thinking };
  const calls = Array.from({ length: 1 + roll(3) }, () => ({
    id: `call_${roll(2 ** 30).toString(36)}`, // no provider gives an id twice
    name: pick(toolNames, roll),
    input: { why: 'soak' },
  }));
  return { text: 'Looking.', calls, ...thinking };
}

/** A provider that sometimes does not like a picture. */
export function grumpy(roll: Roll): ServerOptions {
  let refusals = roll(6) === 0 ? 1 : 0;
  return {
    check: ({ body, wire }) => {
      if (!wire || refusals === 0 || !JSON.stringify(body).includes('iVBOR')) return undefined;
      refusals--;
      return { status: 400, message: 'messages.2.content.0.image.source.base64: Could not process image' };
    },
  };
}

/** A model where a scripted server has it. */
export function at(server: { url: string }, model: string): Exclude<ModelChoice, string> {
  const path = model.startsWith('openai') ? '/v1' : model.startsWith('gemini') ? '/v1beta' : '';
  return { model, baseUrl: `${server.url}${path}`, key: 'a-key' };
}

/** The same model where a gateway has it, over any API that the gateway speaks. */
function through(gateways: readonly string[], model: string, roll: Roll): ModelChoice | undefined {
  const url = gateways[roll(gateways.length * 2)];
  if (url === undefined) return undefined;
  const api = pick(['anthropic', 'openai-chat', 'openai', 'gemini', 'ollama'], roll);
  return at({ url }, `${api}/${model.replace('/', '-')}`);
}

/** The last body of a round, before the judges. */
async function judgedLast({ requests }: ScriptedServer): Promise<string[]> {
  const last = requests.findLast(({ wire, body }) => wire !== undefined && typeof body === 'object');
  if (!last?.wire) return [];
  const { wire, body } = last;
  return (await schemaErrors(wire, body)).map((one) => `${wire} body: ${one}`);
}

/** Waits are over at once; everything else is the system's. */
const hastyClock = {
  now: () => performance.now(),
  after: (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms > 10_000 ? ms : Math.min(ms, 1));
    return () => clearTimeout(timer);
  },
};
