// The calls of one answer, run side by side: asked for approval first, no more of one tool at once than it allows, each
// answered exactly once and in the order of the calls, whatever happens. Nothing here throws.
import type { AssetStore } from '../asset/store.ts';
import type { Block, CallBlock } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { cancelledCall } from '../content/words.ts';
import { isRecord } from '../content/json.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { Holder } from '../tool/known-assets.ts';
import { invokeTool } from '../tool/invoke.ts';
import type { Tool } from '../tool/tool.ts';
import type { Emit } from './event.ts';

/** `true` lets a call run; `false`, or a reason, answers it with an error that says so. */
export type Approve = (call: CallBlock) => boolean | string | Promise<boolean | string>;

type CallOptions = {
  tools: readonly Tool[];
  assets: AssetStore;
  intake: Intake;
  approve?: Approve | undefined;
  signal: AbortSignal;
  /** All messages so far. */
  conversation: () => Iterable<Holder>;
  emit: Emit;
  /** Milliseconds; only differences count. */
  now: () => number;
};

/** Answers every call of a message. */
export function answerCalls(message: AssistantMessage, options: CallOptions): Promise<ToolMessage[]> {
  const calls = message.content.filter((block) => block.type === 'call');
  const queues = new Map<string, Promise<void>[]>();
  return Promise.all(
    calls.map(async (call) => {
      const free = await turnOf(call, options.tools, queues);
      const began = options.now();
      void options.emit({ type: 'call-start', call });
      const result = await answerCall(call, message.stop === 'length', options).finally(free);
      void options.emit({ type: 'call-end', call, result, ms: options.now() - began });
      return result;
    }),
  );
}

/** Waits until a tool has room for one more call; what comes back says that it is done. */
async function turnOf(
  call: CallBlock,
  tools: readonly Tool[],
  queues: Map<string, Promise<void>[]>,
): Promise<() => void> {
  const limit = tools.find((tool) => tool.name === call.name)?.concurrency ?? Infinity;
  const queue = queues.get(call.name) ?? [];
  queues.set(call.name, queue);
  const before = queue.at(-limit);
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.push(promise);
  await before;
  return resolve;
}

async function answerCall(call: CallBlock, cut: boolean, options: CallOptions): Promise<ToolMessage> {
  const { tools, assets, intake, signal, emit, conversation } = options;
  const read = await argumentsOf(call, cut);
  if (!read.ok) return errorResult(call, read.why);
  const ready: CallBlock = { ...call, input: read.input };
  const verdict = await approval(ready, options);
  if (verdict !== true) return errorResult(call, verdict);
  const progress = (_call: CallBlock, text: string): void => void emit({ type: 'call-progress', call, text });
  return invokeTool(ready, { tools, assets, intake, signal, progress, conversation });
}

async function approval(call: CallBlock, { approve, signal, tools }: CallOptions): Promise<true | string> {
  if (!approve || !tools.some((tool) => tool.name === call.name)) return true;
  try {
    const verdict = await orAborted(approve(call), signal);
    if (verdict === true) return true;
    return verdict === false ? 'The user did not allow this call.' : `The user did not allow this call: ${verdict}`;
  } catch (error) {
    if (signal.aborted) return cancelledCall;
    return `This call could not be approved: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Waits no longer than until the run is stopped. */
async function orAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error('aborted'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function errorResult(call: CallBlock, why: string): ToolMessage {
  const content: Block[] = [{ type: 'text', text: why.toWellFormed() }];
  return { role: 'tool', callId: call.id, name: call.name, content, isError: true };
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
