// `sightline/core`: the pure stages. No dependency, no `node:` import; runs in browsers and on edge workers.
export type * from './content/asset-store.ts';
export type * from './content/block.ts';
export { isMedia } from './content/block.ts';
export type { Citation } from './content/block.ts';
export { describeMedia, placeholder } from './content/words.ts';
export { headerIntake } from './content/header-intake.ts';
export type * from './content/intake.ts';
export { memoryAssets } from './content/memory-assets.ts';
export { audio, document, image, text } from './content/input.ts';
export type {
  BlockInput,
  Bytes,
  ContentInput,
  Data,
  FileInput,
  MediaInput,
  AboutMedium,
  MediaSource,
} from './content/input.ts';
export { parseBlock, readBlock } from './content/parse.ts';
export { refusalText, SightlineError } from './content/refusal.ts';
export type { Read, Refusal, RefusalCode } from './content/refusal.ts';
export { invokeCall as invokeTool, invokeCalls as invokeTools } from './tool/invoke.ts';
export type { Approve, CallOf, RunOptions as InvokeOptions } from './tool/invoke.ts';
export { normaliseResult as normalise } from './tool/normalise.ts';
export type { ToolMessage, ToolResult } from './tool/result.ts';
export type { JsonSchema, StandardSchema } from './tool/schema.ts';
export { defineTool } from './tool/tool.ts';
export type { AnyTool, Effect, InputOf, Tool, ToolContext, ToolDefinition, ToolSpec } from './tool/tool.ts';
export { collect, collector } from './message/collect.ts';
export type { Collector } from './message/collect.ts';
export type { ErrorCode, MessageError } from './message/error.ts';
export type { AnswerName, DeltaKind, ModelEvent } from './message/event.ts';
export type * from './message/message.ts';
export { pair } from './message/pair.ts';
export type { Batch, Item, Paired, PairRepair } from './message/pair.ts';
export { resolveTranscript } from './message/check-transcript.ts';
export { parseTranscript } from './wire/parse-transcript.ts';
export { catalogDate } from './window/catalog.ts';
export type { Ledger } from './window/ledger.ts';
export { plan } from './window/plan.ts';
export type { PlanInput, PlanResult } from './window/plan.ts';
export { planAsIs } from './window/plan-as-is.ts';
export type { Planned } from './window/plan-as-is.ts';
export { costOf } from './window/prices.ts';
export type { MediaPolicy } from './window/plan-types.ts';
export type { Totals } from './window/budget.ts';
export type { CountText } from './window/tokens.ts';
export { readOutput } from './window/output.ts';
export type { OutputOf, OutputRead, OutputSchema } from './window/output.ts';
export type * from './window/plan-types.ts';
export { capabilitiesOf, profileFor } from './window/profile.ts';
export type { Carrier, Effort, Placement } from './window/rules.ts';
export type { Capabilities, Profile, ProfileOverrides, WireName } from './window/profile.ts';
export type { CheckpointReason, Receipt } from './window/receipt.ts';
export type { Fact, Facts, Fetching, Need, Rendition, RenditionKey, Uploading } from './window/rendition.ts';
export { renditionKey } from './window/rendition.ts';
export { tokensOf } from './window/tokens.ts';
export { contentLength, inline, outline, stream } from './wire/body.ts';
export type { BytesOf, Skeleton } from './wire/body.ts';
export { decodeEvents } from './wire/decode.ts';
export type { Author } from './wire/accepted.ts';
export type { Addressing, Decoder, Framing, Route, Wire, WireClient } from './wire/wire.ts';
export type { ItemMemo } from './wire/item-memo.ts';
export type { CutJson } from './wire/json-slots.ts';
export type { Fields } from './wire/fields.ts';
export type { CutOptions } from './tool/result-limits.ts';
export type { CheckedRow } from './message/check-transcript.ts';
export type { LearnedLimits } from './window/budget.ts';
export { wireClients as wires } from './wire/registry.ts';
export type { Bodies, SdkBodies } from './wire/registry.ts';
