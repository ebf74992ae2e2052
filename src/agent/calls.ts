// The calls of one answer, run side by side: asked for approval first, no more of one tool at once than it allows, each
// answered exactly once and in the order of the calls, whatever happens. Nothing here throws.
import type { Block, CallBlock } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { ToolMessage } from '../tool/result.ts';
import { callQueue, checkCall, runCall } from '../tool/invoke.ts';
import type { CheckedCall, RunOptions } from '../tool/invoke.ts';
import { inSpan } from '../model/telemetry.ts';
import type { Telemetry } from '../model/telemetry.ts';
import type { Spent } from '../tool/tool.ts';
import type { Emit } from './event.ts';

type CallOptions = Omit<RunOptions, 'progress' | 'spent'> & {
  signal: AbortSignal;
  emit: Emit;
  /** Milliseconds; only differences count. */
  now: () => number;
  telemetry?: Telemetry | undefined;
  /** Each answer as soon as its call ends; entered for all calls at once, in their order. */
  each: (call: CallBlock, answer: (spent: (one: Spent) => void) => Promise<ToolMessage>) => Promise<ToolMessage>;
};

/** Answers these calls of a message. */
export function answerCalls(
  message: AssistantMessage,
  calls: readonly CallBlock[],
  options: CallOptions,
): Promise<ToolMessage[]> {
  const { emit, now, each } = options;
  const inTurn = callQueue(options);
  const answer = async (call: CallBlock, spent: (one: Spent) => void): Promise<ToolMessage> => {
    let began: number | undefined;
    const checked = await readCall(call, message.stop === 'length', options);
    void emit({ type: 'call-start', call, ...(checked.ok && { checked: checked.call }) });
    const progress: RunOptions['progress'] = (_call, text, content) =>
      void emit({ type: 'call-progress', call, text, ...(content && { content }) });
    const begins: RunOptions['begins'] = async (...of) => {
      const why = await options.begins?.(...of);
      began = now();
      return why;
    };
    const run = (): Promise<ToolMessage> =>
      checked.ok ? runCall(checked, { ...options, progress, spent, begins }) : Promise.resolve(checked.answer);
    const result = await inSpan(toolSpan(call, options), run, ({ isError }) => (isError ? { error: 'tool' } : {}));
    void emit({ type: 'call-end', call, result, ms: began === undefined ? 0 : now() - began });
    return result;
  };
  const answered = Promise.all(calls.map((call) => each(call, (spent) => inTurn(call, () => answer(call, spent)))));
  if (!options.tools.some(({ timeoutMs }) => timeoutMs !== undefined)) return answered;
  // The clock of a time limit keeps no program alive: one that waits for nothing else would end with its call unanswered.
  const awake = setInterval(() => undefined, 60_000);
  return answered.finally(() => clearInterval(awake));
}

function toolSpan({ id, name, input }: CallBlock, { telemetry }: CallOptions): Parameters<typeof inSpan>[0] {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.type': 'function',
    ...(telemetry === 'content' && { 'gen_ai.tool.call.arguments': JSON.stringify(input) ?? '' }),
  };
  return { telemetry, name: `execute_tool ${name}`, attributes };
}

async function readCall(call: CallBlock, cut: boolean, options: CallOptions): Promise<CheckedCall> {
  const read = await argumentsOf(call, cut);
  if (read.ok) return checkCall({ ...call, input: read.input }, options);
  const content: Block[] = [{ type: 'text', text: read.why.toWellFormed() }];
  return { ok: false, answer: { role: 'tool', callId: call.id, name: call.name, content, isError: true } };
}

type Arguments = { ok: true; input: unknown } | { ok: false; why: string };

/** The arguments of a call as the model meant them: what does not parse is mended where that is certain
 * enough. `cut` says that the answer ended at its length limit. */
export async function argumentsOf(call: CallBlock, cut: boolean): Promise<Arguments> {
  const { input } = call;
  if (typeof input !== 'string') return { ok: true, input };
  if (input.trim() === '') return { ok: true, input: {} };
  if (cut) return { ok: false, why: 'The answer ended at its length limit in the middle of these arguments.' };
  const { jsonrepair } = await import('jsonrepair');
  try {
    const mended: unknown = JSON.parse(jsonrepair(input));
    if (isRecord(mended)) return { ok: true, input: mended };
  } catch {
    // too broken to be sure
  }
  return { ok: false, why: 'The arguments are not valid JSON. Call the tool again with one JSON object.' };
}
