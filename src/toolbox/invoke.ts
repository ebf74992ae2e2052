// Running tools at an intake: what they return is checked and stored like everything else.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Block, CallBlock } from '../content/block.ts';
import type { Place } from '../content/intake.ts';
import { openIntake } from '../media/index.ts';
import * as core from '../tool/invoke.ts';
import { normalise as normaliseThrough } from '../tool/normalise.ts';
import type { ToolMessage, ToolResult } from '../tool/result.ts';
import type { Holder } from '../tool/known-assets.ts';
import type { Tool } from '../tool/tool.ts';

/** What calls are answered with. Paths in results begin at `base` and stay below `roots`; else the working directory. */
export type InvokeOptions = Place & {
  tools: readonly Tool[];
  /** Where media are kept; without it, in the bounded memory of this process. */
  assets?: AssetStore;
  /** How many characters of text a result may show (30,720); the rest is kept as an asset. */
  maxText?: number;
  /** The messages so far: `view_asset` and its like see what these refer to. */
  conversation?: () => Iterable<Holder>;
  progress?: (call: CallBlock, message: string) => void;
};

/** Answers all calls of an assistant message, side by side, in the order of the calls. Never throws. */
export function invokeTools(message: { content: readonly Block[] }, options: InvokeOptions): Promise<ToolMessage[]> {
  return core.invokeTools(message, withIntake(options));
}

/** Answers one call. Never throws. */
export function invokeTool(call: CallBlock, options: InvokeOptions): Promise<ToolMessage> {
  return core.invokeTool(call, withIntake(options));
}

/** Turns whatever a tool returned into checked blocks. */
export function normalise(
  value: unknown,
  options: Place & { assets?: AssetStore; maxText?: number } = {},
): Promise<ToolResult> {
  const { intake } = withIntake({ tools: [], ...options });
  return normaliseThrough(value, intake, options);
}

function withIntake(options: InvokeOptions): core.InvokeOptions {
  const { base, roots, signal, assets = sharedAssets() } = options;
  return { ...options, assets, intake: openIntake({ assets, base, roots, signal }) };
}
