// `sightline`: every model sees what your tools see.
export { fileAssets } from './asset/files.ts';
export { memoryAssets, sharedAssets } from './asset/memory.ts';
export type { AssetStore } from './asset/store.ts';
export type { Asset, AssetId, Block, Detail, MediaBlock, PageRange, Seal } from './content/block.ts';
export { describe } from './content/describe.ts';
export { audio, document, image, text } from './content/input.ts';
export type { BlockInput, ContentInput, MediaInput } from './content/input.ts';
export { refusalText, SightlineError } from './content/refusal.ts';
export type { Read, Refusal, RefusalCode } from './content/refusal.ts';
export { read } from './media/index.ts';
export type {
  AssistantMessage,
  Message,
  MessageInput,
  Transcript,
  TranscriptInput,
  UserMessage,
} from './message/message.ts';
export { parseTranscript } from './message/transcript.ts';
export { prepare } from './model/prepare.ts';
export type { Prepared, PrepareOptions, WireOf } from './model/prepare.ts';
export type { ToolMessage, ToolResult } from './tool/result.ts';
export { defineTool } from './tool/tool.ts';
export type { Tool, ToolContext, ToolSpec } from './tool/tool.ts';
export { invokeTool, invokeTools, normalise } from './toolbox/invoke.ts';
export type { InvokeOptions } from './toolbox/invoke.ts';
export { readFileTool } from './toolbox/read-file.ts';
export { catalogDate } from './window/catalog.ts';
export type { Ledger } from './window/ledger.ts';
export type { Plan, RequestOptions } from './window/planned.ts';
export { capabilitiesOf, profileFor } from './window/profile.ts';
export type { Capabilities, Profile, ProfileOverrides, WireName } from './window/profile.ts';
export type { Receipt } from './window/receipt.ts';
