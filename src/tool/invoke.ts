// Calls in, results out: every call is answered exactly once, in the order of the calls, whatever fails, throws, hangs
// beyond its signal or does not exist. Nothing here ever throws.
import type { AssetStore } from '../content/asset-store.ts';
import { textIn } from '../content/block.ts';
import type { Block, CallBlock } from '../content/block.ts';
import { cancelledCall, deniedCall } from '../content/words.ts';
import { fewAtOnce } from '../content/few-at-once.ts';
import type { FewAtOnce } from '../content/few-at-once.ts';
import type { Intake } from '../content/intake.ts';
import { attempt, isRecord, toJsonText } from '../content/json.ts';
import type { Holder } from './known-assets.ts';
import { isGenerator, lastYielded } from './generator.ts';
import { normaliseResult } from './normalise.ts';
import { lookedAt } from './result.ts';
import type { ToolMessage, ToolResult } from './result.ts';
import type { AnyTool, Spent, Tool, ToolContext } from './tool.ts';

/** `true` lets a call run; `false`, or a reason, answers it with an error that says so. */
export type Approve<Tools extends readonly AnyTool[] = readonly AnyTool[]> = (
  call: CallOf<Tools>,
) => boolean | string | Promise<boolean | string>;

/** A call of one of these tools, whose arguments fit it. `input` is what its schema made of them. */
export type CallOf<Tools extends readonly AnyTool[]> = Tools[number] extends infer Each
  ? Each extends Tool<infer Name, infer Input, never>
    ? CallBlock & { name: Name; input: Input }
    : never
  : never;

/** What calls are answered with. */
export type RunOptions = {
  tools: readonly AnyTool[];
  intake: Intake;
  assets: AssetStore;
  signal?: AbortSignal | undefined;
  /** How many characters of text a result may show; the rest is kept as an asset. */
  maxText?: number | undefined;
  /** The messages so far, for tools that look back at them. */
  conversation?: (() => Iterable<Holder>) | undefined;
  /** How the model is shown a picture in pieces. */
  piecesOf?: ToolContext['piecesOf'];
  /** What the tools are told besides their input. */
  context?: unknown;
  /** Asked before a call runs, unless its tool says that nobody need be. */
  approve?: Approve | undefined;
  /** What a tool knows a call by on every attempt; the id of the call unless given. */
  keyOf?: ((call: CallBlock) => string) | undefined;
  /** Asked when a call was approved and is about to run: why it must not, or nothing. */
  begins?: ((call: CallBlock, tool: AnyTool) => Promise<string | undefined>) | undefined;
  /** How many calls of one message run at once, of all tools together; 16 unless set. */
  maxCallsAtOnce?: number | undefined;
  /** Told what a call itself took of a model. */
  spent?: ((spent: Spent) => void) | undefined;
  /** Told how far a tool is, in words and, where it shows something, in blocks. */
  progress?: ((call: CallBlock, message: string, content?: Block[]) => void) | undefined;
  /** Told what a call gives whose time was over and which was answered with an error. Failures are not told: the answer says so. */
  late?: ((result: ToolMessage) => void) | undefined;
};

/**
 * Answers all calls of an assistant message; they run side by side.
 *
 * @example
 * messages.push(message, ...(await invokeTools(message, { tools: [chart], intake, assets })));
 */
export function invokeCalls(message: { content: readonly Block[] }, options: RunOptions): Promise<ToolMessage[]> {
  const calls = (message.content ?? []).filter((block) => block.type === 'call');
  const inTurn = callQueue(options);
  return Promise.all(calls.map((call) => inTurn(call, () => invokeCall(call, options))));
}

/** Lets calls run side by side, no more at once than their tool and the run allow; the first ask is served first. */
export function callQueue({ tools, maxCallsAtOnce = 16 }: Pick<RunOptions, 'tools' | 'maxCallsAtOnce'>): InTurn {
  const ofTool = new Map<string, FewAtOnce>();
  const ofAll = fewAtOnce(maxCallsAtOnce);
  return async (call, begin) => {
    const limit = tools.find((tool) => tool.name === call.name)?.concurrency;
    const own = ofTool.get(call.name) ?? fewAtOnce(limit ?? Infinity);
    ofTool.set(call.name, own);
    return own(() => ofAll(begin)); // whoever waits for its tool takes no place from the others
  };
}

type InTurn = <Value>(call: CallBlock, begin: () => Promise<Value>) => Promise<Value>;

/**
 * Answers one call.
 *
 * @example
 * const result = await invokeTool(call, { tools: [chart], intake, assets });
 */
export async function invokeCall(call: CallBlock, options: RunOptions): Promise<ToolMessage> {
  const checked = await checkCall(call, options);
  return checked.ok ? runCall(checked, options) : checked.answer;
}

/** A call whose tool is there and whose arguments fit it, or the answer that says what is wrong with it. */
export type CheckedCall = { ok: true; tool: AnyTool; call: CallBlock } | { ok: false; answer: ToolMessage };

/** Looks at the arguments of a call; nothing runs yet. */
export async function checkCall(call: CallBlock, options: RunOptions): Promise<CheckedCall> {
  const wrong = (why: string): CheckedCall => ({ ok: false, answer: answered(call, failure(why)) });
  const tool = options.tools.find((candidate) => candidate.name === call.name);
  if (!tool) {
    const names = options.tools.map((candidate) => candidate.name).join(', ');
    return wrong(`Unknown tool "${call.name}". ${names === '' ? 'There are no tools.' : `Tools: ${names}.`}`);
  }
  if (options.signal?.aborted) return wrong(cancelledCall);
  try {
    const own = structuredClone(call.input); // a tool may change what it is given; the conversation stays what was said
    const checked = await untilAborted(tool.check(own), options.signal);
    if (!checked) return wrong(cancelledCall);
    if (checked.ok) return { ok: true, tool, call: { ...call, input: checked.value } };
    return wrong(`The arguments do not fit tool "${tool.name}":\n${checked.errors.join('\n')}`);
  } catch (error) {
    return { ok: false, answer: answered(call, await thrown(error, options)) };
  }
}

/** Runs a call that was checked, if it is allowed. */
export async function runCall(
  { tool, call }: Extract<CheckedCall, { ok: true }>,
  options: RunOptions,
): Promise<ToolMessage> {
  let approved = false;
  try {
    const verdict = await approval(tool, call, options);
    const why = verdict === true ? await options.begins?.(call, tool) : verdict;
    if (why !== undefined) return answered(call, failure(why));
    approved = isDoubted(call);
    return answered(call, await withinTime(tool, call, options), approved);
  } catch (error) {
    return answered(call, await thrown(error, options), approved);
  }
}

/** Whether its provider wants a person to look at a call before it runs. */
function isDoubted({ doubts = [] }: CallBlock): boolean {
  return doubts.length > 0;
}

function answered(call: CallBlock, result: ToolResult, approved = false): ToolMessage {
  return { role: 'tool', callId: call.id, name: call.name, ...result, ...(approved && { approved }) };
}

function thrown(error: unknown, { signal, intake }: RunOptions): ToolResult | Promise<ToolResult> {
  if (signal?.aborted) return failure(cancelledCall);
  return normaliseResult(new Error(String(attempt(() => messageOf(error)))), intake);
}

/** `true`, or why the call may not run. */
async function approval(tool: AnyTool, call: CallBlock, { approve, signal }: RunOptions): Promise<true | string> {
  try {
    const asked = typeof tool.approve === 'function' ? Promise.resolve(tool.approve(call.input)) : undefined;
    const wants = asked ? await untilAborted(asked, signal) : tool.approve;
    if (signal?.aborted) return cancelledCall;
    const asks = isDoubted(call) || wants;
    if (asks === false || (asks === undefined && !approve)) return true;
    if (!approve)
      return `Calls of "${tool.name}" need the approval of a person, and this program has nobody to ask. Do without it.`;
    const verdict = await untilAborted(Promise.resolve(approve(call)), signal);
    if (verdict === true) return true;
    if (verdict === undefined) return cancelledCall;
    return verdict === false ? deniedCall : `The user did not allow this call: ${verdict}`;
  } catch (error) {
    if (signal?.aborted) return cancelledCall;
    return `This call could not be approved: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Runs a call until it is done, its time is over or the run is stopped. */
async function withinTime(tool: AnyTool, call: CallBlock, options: RunOptions): Promise<ToolResult> {
  const over = tool.timeoutMs === undefined ? undefined : AbortSignal.timeout(wholeMs(tool.timeoutMs));
  const signals = [options.signal, over].filter((signal) => signal !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  const tooLate = (): ToolResult =>
    failure(`The call of "${tool.name}" was stopped: it took longer than ${tool.timeoutMs} ms, its limit.`);
  const stopped = (): ToolResult => (options.signal?.aborted || !over?.aborted ? failure(cancelledCall) : tooLate());
  const going = work(tool, call, { ...options, signal }, options.signal);
  try {
    const result = await untilAborted(going, signal);
    if (result) return result;
    hearLate(going, call, options);
    return stopped();
  } catch (error) {
    if (signal?.aborted) return stopped();
    throw error;
  }
}

/** As timers take it: whole, and less than 25 days. */
function wholeMs(ms: number): number {
  return Math.min(Math.ceil(ms), 2 ** 31 - 1);
}

/** What comes of a call that was answered without it. Whoever stopped all calls wants nothing more of them. */
function hearLate(going: Promise<ToolResult>, call: CallBlock, { signal, late }: RunOptions): void {
  const hear = (result: ToolResult): void => {
    if (!result.isError && !signal?.aborted) tell(() => late?.({ ...answered(call, result), late: true }));
  };
  void going.then(hear, () => undefined);
}

/** `run` ends all calls, the signal of the options this one: what it gives after its time is still wanted. */
async function work(
  tool: AnyTool,
  call: CallBlock,
  options: RunOptions,
  run: AbortSignal | undefined,
): Promise<ToolResult> {
  const { signal = new AbortController().signal, intake, assets, conversation, piecesOf, progress, maxText } = options;
  if (signal.aborted) return failure(cancelledCall);
  const value = await tool.run(call.input, {
    signal,
    callId: call.id,
    key: options.keyOf?.(call) ?? call.id,
    assets,
    intake,
    ...(conversation && { conversation }),
    ...(piecesOf && { piecesOf }),
    progress: (message) => (signal.aborted ? undefined : tell(() => progress?.(call, message))),
    spent: (spent) => tell(() => options.spent?.(spent)),
    context: options.context as never,
  });
  const step = async (yielded: unknown): Promise<void> => {
    const { content } = await normaliseResult(yielded, intake);
    const shows = content.some((block) => block.type !== 'text');
    tell(() => progress?.(call, textIn(content), ...(shows ? [content] : [])));
  };
  const last = isGenerator(value) ? await lastYielded(value, step, options.signal) : value;
  if (signal.aborted && (last ?? '') === '') return failure(cancelledCall); // it stopped, and did not end with nothing to say
  const canReadOn = options.tools.some(({ name }) => name === 'read_asset_text');
  const shown = { canReadOn, ...(maxText !== undefined && { maxText }), ...(run && { signal: run }) };
  const result = await normaliseResult(last, intake, shown);
  return tool.hosted ? lookedAt(result, 'whole') : result; // models point at what the vendor's own tools show
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
