// Running tools at an intake: what they return is checked and stored like everything else.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Block, CallBlock } from '../content/block.ts';
import type { Place } from '../content/intake.ts';
import { SightlineError } from '../content/refusal.ts';
import { openIntake } from '../media/index.ts';
import * as core from '../tool/invoke.ts';
import { normaliseResult as normaliseThrough } from '../tool/normalise.ts';
import type { ToolMessage, ToolResult } from '../tool/result.ts';
import type { Holder } from '../tool/known-assets.ts';
import type { AnyTool, ContextOf, Spent } from '../tool/tool.ts';

/** What calls are answered with. Paths in results begin at `base` and stay below `roots`; else the working directory. */
export type InvokeOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> = Place & {
  tools: Tools;
  /** Where media are kept; without it, in the bounded memory of this process. */
  assets?: AssetStore;
  /** How many characters of text a result may show (30,720); the rest is kept as an asset. */
  maxText?: number;
  /** The messages so far: `view_asset` and its like see what these refer to. */
  conversation?: () => Iterable<Holder>;
  /** What the tools are told besides their input, such as who is logged in. */
  context?: ContextOf<Tools>;
  /** Asked before a call runs. A tool with `approve: true` does not run without it. */
  approve?: core.Approve<Tools>;
  /** How many calls of one message run at once, of all tools together; 16 unless set. */
  maxCallsAtOnce?: number;
  /** Told what a call itself took of a model, such as an agent that is a tool. */
  spent?: (spent: Spent) => void;
  /** Told how far a tool is, in words and, where it shows something, in blocks. */
  progress?: (call: CallBlock, message: string, content?: Block[]) => void;
  /** Told what a call gives after its time was over: put it behind the messages, and the model reads it as a note. */
  late?: (result: ToolMessage) => void;
};

/**
 * Answers all calls of an assistant message, side by side, in the order of the calls. Never throws.
 *
 * @example
 * const results = await invokeTools(message, { tools: [chart] });
 * messages.push(message, ...results);
 */
export function invokeTools<const Tools extends readonly AnyTool[]>(
  message: { content: readonly Block[] },
  options: InvokeOptions<Tools>,
): Promise<ToolMessage[]> {
  return core.invokeCalls(message, withIntake(options));
}

/**
 * Answers one call. Never throws.
 *
 * @example
 * const result = await invokeTool({ type: 'call', id: '1', name: 'chart', input: {} }, { tools: [chart] });
 */
export function invokeTool<const Tools extends readonly AnyTool[]>(
  call: CallBlock,
  options: InvokeOptions<Tools>,
): Promise<ToolMessage> {
  return core.invokeCall(call, withIntake(options));
}

/**
 * Turns whatever a tool returned into checked blocks.
 *
 * @example
 * const { content } = await normalise(await mcp.callTool({ name: 'screenshot' }));
 */
export function normalise(
  value: unknown,
  options: Place & { assets?: AssetStore; maxText?: number } = {},
): Promise<ToolResult> {
  const { intake } = withIntake({ tools: [], ...options });
  return normaliseThrough(value, intake, options);
}

function withIntake<Tools extends readonly AnyTool[]>(options: InvokeOptions<Tools>): core.RunOptions {
  if (!Array.isArray((options as Partial<typeof options> | undefined)?.tools))
    throw new SightlineError('input', 'Calls are answered by tools. Give { tools: [chart] }.');
  const { base, roots, signal, assets = sharedAssets() } = options;
  return { ...(options as unknown as InvokeOptions), assets, intake: openIntake({ assets, base, roots, signal }) };
}
