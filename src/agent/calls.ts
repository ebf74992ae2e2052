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
 * enough, and what breaks off in a value is not. `cut` says that the answer ended at its length limit. */
export async function argumentsOf(call: CallBlock, cut: boolean): Promise<Arguments> {
  const { input } = call;
  if (typeof input !== 'string') return { ok: true, input };
  if (input.trim() === '') return { ok: true, input: {} };
  if (cut) return { ok: false, why: 'The answer ended at its length limit in the middle of these arguments.' };
  if (breaksOff(input)) {
    const why = 'The arguments break off before their end. Call the tool again with whole arguments, one JSON object.';
    return { ok: false, why };
  }
  const { jsonrepair } = await import('jsonrepair');
  try {
    const mended: unknown = JSON.parse(jsonrepair(input));
    if (isRecord(mended)) return { ok: true, input: mended };
  } catch {
    // too broken to be sure
  }
  return { ok: false, why: 'The arguments are not valid JSON. Call the tool again with one JSON object.' };
}

/** Whether an object ends before it is closed, and not behind a whole value of it: only brackets may be missing. */
function breaksOff(text: string): boolean {
  const open: string[] = [];
  let [before, isValue] = ['', false];
  for (let at = Math.max(text.indexOf('{'), 0); at < text.length; at++) {
    const sign = text[at] ?? '';
    if (/\s/.test(sign)) continue;
    if (open.length === 0 && sign !== '{') return false;
    isValue = false;
    if (sign === '{' || sign === '[') open.push(sign);
    else if (sign === '}' || sign === ']') {
      open.pop();
      if (open.length === 0) return false;
      isValue = true;
    } else if (sign !== ',' && sign !== ':') {
      const end = sign === '"' || sign === "'" ? endOfString(text, at) : endOfWord(text, at);
      if (end === undefined) return true;
      const isKey = open.at(-1) === '{' && before !== ':';
      isValue = !isKey && /^["'\d-]|^(?:true|false|null)$/i.test(text.slice(at, end));
      at = end - 1;
    }
    before = sign;
  }
  return open.length > 0 && !isValue;
}

/** The place behind a string: a quote inside it may stand without its backslash, but not where the string could end. */
function endOfString(text: string, start: number): number | undefined {
  const mayEnd = /\s*(?:[,:}\]]|$)/y;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) {
      mayEnd.lastIndex = at + 1;
      if (mayEnd.test(text)) return at + 1;
    }
  }
  return undefined;
}

function endOfWord(text: string, start: number): number {
  const word = /[^\s{}[\],:]*/y;
  word.lastIndex = start;
  return start + (word.exec(text)?.[0].length ?? 0);
}
