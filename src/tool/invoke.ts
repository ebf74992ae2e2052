// Calls in, results out: every call is answered exactly once, in the order of the calls, whatever fails, throws, hangs
// beyond its signal or does not exist. Nothing here ever throws.
import type { AssetStore } from '../content/asset-store.ts';
import type { Block, CallBlock } from '../content/block.ts';
import { cancelledCall } from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import { attempt, isRecord, toJsonText } from '../content/json.ts';
import type { Holder } from './known-assets.ts';
import { normalise } from './normalise.ts';
import type { ToolMessage, ToolResult } from './result.ts';
import type { Tool } from './tool.ts';

/** What calls are answered with. */
export type InvokeOptions = {
  tools: readonly Tool[];
  intake: Intake;
  assets: AssetStore;
  signal?: AbortSignal | undefined;
  /** How many characters of text a result may show; the rest is kept as an asset. */
  maxText?: number | undefined;
  /** The messages so far, for tools that look back at them. */
  conversation?: (() => Iterable<Holder>) | undefined;
  progress?: ((call: CallBlock, message: string) => void) | undefined;
};

/** Answers all calls of an assistant message; they run side by side. */
export function invokeTools(message: { content: readonly Block[] }, options: InvokeOptions): Promise<ToolMessage[]> {
  const calls = (message.content ?? []).filter((block) => block.type === 'call');
  return Promise.all(calls.map((call) => invokeTool(call, options)));
}

/** Answers one call. */
export async function invokeTool(call: CallBlock, options: InvokeOptions): Promise<ToolMessage> {
  const result = await answer(call, options);
  return { role: 'tool', callId: call.id, name: call.name, ...result };
}

async function answer(call: CallBlock, options: InvokeOptions): Promise<ToolResult> {
  const tool = options.tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = options.tools.map((candidate) => candidate.name).join(', ');
    return failure(`Unknown tool "${call.name}". ${names === '' ? 'There are no tools.' : `Tools: ${names}.`}`);
  }
  if (options.signal?.aborted) return failure(cancelledCall);
  try {
    return (await untilAborted(work(tool, call, options), options.signal)) ?? failure(cancelledCall);
  } catch (error) {
    if (options.signal?.aborted) return failure(cancelledCall);
    return normalise(new Error(String(attempt(() => messageOf(error)))), options.intake);
  }
}

async function work(tool: Tool, call: CallBlock, options: InvokeOptions): Promise<ToolResult> {
  const checked = await tool.check(call.input);
  if (!checked.ok) return failure(`The arguments do not fit tool "${tool.name}":\n${checked.errors.join('\n')}`);
  if (options.signal?.aborted) return failure(cancelledCall);
  const value = await tool.run(checked.value, {
    signal: options.signal ?? new AbortController().signal,
    callId: call.id,
    assets: options.assets,
    intake: options.intake,
    ...(options.conversation && { conversation: options.conversation }),
    progress: (message) => tell(() => options.progress?.(call, message)),
  });
  const canReadOn = options.tools.some(({ name }) => name === 'read_asset_text');
  return normalise(value, options.intake, {
    canReadOn,
    ...(options.maxText !== undefined && { maxText: options.maxText }),
  });
}

/** Whoever watches must not be able to break what is watched. */
function tell(watcher: () => void): void {
  try {
    watcher();
  } catch {
    // the tool goes on
  }
}

/** A tool that does not listen to its signal is left behind; its call is answered all the same. */
function untilAborted<Value>(going: Promise<Value>, signal: AbortSignal | undefined): Promise<Value | undefined> {
  if (!signal) return going;
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    going.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function failure(message: string): ToolResult {
  return { content: [{ type: 'text', text: message.toWellFormed() }], isError: true };
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof Error) return error.message || error.name;
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : toJsonText(error);
}
