// `sightline`: every model sees what your tools see.
// Importing it must be cheap: what not every program needs is loaded by the first call of it.
import type { connectServers as ConnectServers } from './mcp/client.ts';
import type { serveTools as ServeTools } from './mcp/server.ts';
import type {
  executableTools as ExecutableTools,
  watchExecutables as WatchExecutables,
} from './toolbox/executable/tools.ts';

export type { AboutAsset, StreamOptions } from './content/asset-store.ts';
export type {
  Asset,
  AssetId,
  Block,
  CallBlock,
  Citation,
  Detail,
  DocumentBlock,
  ImageBlock,
  MediaBlock,
  MediaKind,
  Origin,
  PageRange,
  Picture,
  Reference,
  ReferenceBlock,
  Seal,
  SealedBlock,
  SoundBlock,
  TextBlock,
  ThinkingBlock,
} from './content/block.ts';
export { audio, document, image, text } from './content/input.ts';
export type {
  AboutMedium,
  BlockInput,
  Bytes,
  ContentInput,
  Data,
  FileInput,
  MediaInput,
  MediaSource,
} from './content/input.ts';
export type { By, Hint, Intake, Named, Place } from './content/intake.ts';
export type { Json } from './content/json.ts';
export { memoryAssets } from './content/memory-assets.ts';
export { refusalText, SightlineError } from './content/refusal.ts';
export type { Read, Refusal, RefusalCode } from './content/refusal.ts';
export { describeMedia } from './content/words.ts';

export type { Approve, CallOf } from './tool/invoke.ts';
export type { Holder } from './tool/known-assets.ts';
export type { ToolMessage, ToolResult } from './tool/result.ts';
export type {
  Checked,
  FromJsonSchema,
  JsonSchema,
  ObjectFromJsonSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from './tool/schema.ts';
export { defineTool } from './tool/tool.ts';
export type {
  AnyTool,
  ContextOf,
  Effect,
  InputOf,
  InputSchema,
  Spent,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolSpec,
} from './tool/tool.ts';

export type { RefusedMedium } from './message/check-transcript.ts';
export { collect } from './message/collect.ts';
export type { Collectable } from './message/collect.ts';
export { attachedTo } from './message/attached.ts';
export type { Attached } from './message/attached.ts';
export type { ErrorCode, MessageError } from './message/error.ts';
export type { AnswerName, DeltaKind, ModelEvent } from './message/event.ts';
export type {
  AssistantMessage,
  Latency,
  Message,
  MessageInput,
  Stop,
  Transcript,
  TranscriptInput,
  Usage,
  UserMessage,
} from './message/message.ts';

export type { Budget, Totals, Weight } from './window/budget.ts';
export { catalogDate } from './window/catalog.ts';
export type { EndpointName } from './window/catalog.ts';
export type { Ledger } from './window/ledger.ts';
export { readOutput } from './window/output.ts';
export type { OutputOf, OutputRead, OutputSchema } from './window/output.ts';
export type { MediaPolicy, Plan, RequestOptions, ToolChoice } from './window/plan-types.ts';
export { capabilitiesOf, profileFor } from './window/profile.ts';
export type { Capabilities, Profile, ProfileOverrides, WireName } from './window/profile.ts';
export type { Action, Receipt } from './window/receipt.ts';
export type {
  Carried,
  Carrier,
  Carriers,
  Dialect,
  Effort,
  ImageTokens,
  ManyImages,
  MediumRule,
  Placement,
  Prices,
  ThinkingStyle,
  TokenRule,
} from './window/rules.ts';
export type { Summary } from './window/summary.ts';
export type { CountText } from './window/tokens.ts';

export type { AnswerInput } from './wire/decode.ts';
export { parseTranscript } from './wire/parse-transcript.ts';
export type { Bodies, SdkBodies } from './wire/registry.ts';

export type { KeptBody, KeptMark, KnownElements } from './record/body.ts';
export type {
  BegunRecord,
  Ended,
  Purpose,
  Recorder,
  RequestAttempt,
  RequestRecord,
  SentBody,
} from './record/record.ts';

export type { Access, Environment } from './config/environment.ts';
export type { McpServer } from './config/mcp.ts';
export type { ToolSettings } from './config/tools.ts';

export type { Disk } from './asset/disk.ts';
export { fileAssets } from './asset/files.ts';
export type { FileAssets } from './asset/files.ts';
export { sharedAssets } from './asset/memory.ts';
export type { AssetKeeper, AssetPlace, AssetStore, StoredFile } from './asset/store.ts';

export type { MediaOptions, OnProgress } from './media/context.ts';
export type { DocumentKind } from './media/document/kinds.ts';
export { read } from './media/index.ts';
export type { DocumentWish, Reading, ReadOptions, Source } from './media/index.ts';
export type { Limits } from './media/limits.ts';
export type { PagesOption } from './media/pdf/pages.ts';
export type { ReadData } from './media/reading.ts';

export type { BrowserOptions } from './toolbox/browser/host.ts';
export type { ToolState } from './toolbox/executable/discover.ts';
export type { ToolSource } from './toolbox/executable/place.ts';
export type { ExecutableSpec } from './toolbox/executable/spec.ts';
export type { ExecutableOptions, Executables } from './toolbox/executable/tools.ts';
export { invokeTool, invokeTools, normalise } from './toolbox/invoke.ts';
export type { InvokeOptions } from './toolbox/invoke.ts';
export { readFileTool } from './toolbox/read-file.ts';
export type { ReadFileOptions } from './toolbox/read-file.ts';
export type { ScreenshotOptions } from './toolbox/screen/screenshot.ts';
export { shippedTools } from './toolbox/shipped.ts';
export type { Reach, ShippedOptions, ShippedTool, ShippedTools, ToolGroup } from './toolbox/shipped.ts';
export type { UrlRules } from './media/remote/address.ts';

export type { Address } from './model/address.ts';
export { answer } from './model/answer.ts';
export type { AnswerEvent, AnswerOptions, RequestEvent } from './model/answer.ts';
export { countTokens } from './model/count-tokens.ts';
export { discover } from './model/discover/discover.ts';
export type { DiscoverOptions } from './model/discover/discover.ts';
export type { Listed } from './model/discover/listing.ts';
export type { Probed } from './model/heal/bisect.ts';
export type { Narrowed, Remedy } from './model/heal/repair-types.ts';
export type { Clock } from './model/http/clock.ts';
export type { Fetch, FetchInit } from './model/http/http.ts';
export { prepare } from './model/prepare.ts';
export type { KnownModel, ModelName, WireOf } from './model/prepare.ts';
export type { DescriptionTable } from './model/descriptions.ts';
export { fileUploads } from './model/uploads/file-uploads.ts';
export type { FileUploadOptions } from './model/uploads/file-uploads.ts';
export { memoryUploadTable } from './model/uploads/port.ts';
export type { BytesAgain, Uploaded, UploadRow, FileUploads, UploadTable } from './model/uploads/port.ts';
export type { Eyes, Outgoing, Prepared, PreparedFor, PrepareOptions, UrlOptions } from './model/prepared.ts';
export type { AwsCredentials, Secret } from './model/send-options.ts';
export { send } from './model/send.ts';
export type { RequestRetry, Send, SendOptions } from './model/send.ts';

export type { EntryId } from './session/entry.ts';
export type { Session } from './session/session.ts';

export { agentTool } from './agent/agent-tool.ts';
export type { AgentToolOptions } from './agent/agent-tool.ts';
export type { StepHook } from './agent/durable.ts';
export type { AgentEvent, RunStop } from './agent/event.ts';
export type {
  AgentOptions,
  BeforeStep,
  ContextOption,
  ModelChoice,
  RunEnd,
  RunResult,
  StepChange,
} from './agent/options.ts';
export { runAgent } from './agent/run.ts';
export type { AgentRun } from './agent/run.ts';

export type { ConnectOptions, Servers, ServerState } from './mcp/client.ts';
export type { HttpOptions } from './mcp/http.ts';
export type { LinkState } from './mcp/link.ts';
export type { ToolsFor } from './mcp/memory.ts';
export type { ServeOptions, Serving } from './mcp/server.ts';

/**
 * Starts MCP servers side by side and gives their tools. Never throws for a server: its state says what is wrong.
 *
 * @example
 * await using servers = await connectServers({ files: { command: 'npx', args: ['-y', 'my-server'] } });
 * await runAgent({ model, tools: servers.tools, prompt: 'What can you do?' });
 */
export const connectServers: typeof ConnectServers = async (...given) =>
  (await import('./mcp/client.ts')).connectServers(...given);

/**
 * Serves tools over MCP until it is closed or, over stdin, the client goes.
 *
 * @example
 * await using serving = await serveTools([chart], { http: { token: process.env.TOKEN } });
 * console.log(serving.url);
 */
export const serveTools: typeof ServeTools = async (...given) => (await import('./mcp/server.ts')).serveTools(...given);

/**
 * Finds executables that are tools and says how each file stands. Never throws for what is wrong with a tool.
 *
 * @example
 * const { tools, states } = await executableTools({ home: '.sightline' });
 */
export const executableTools: typeof ExecutableTools = async (...given) =>
  (await import('./toolbox/executable/tools.ts')).executableTools(...given);

/**
 * Calls back when an executable changes, comes or goes; then `executableTools` gives the new list.
 *
 * @example
 * const watch = await watchExecutables({ home: '.sightline' }, () => console.log('A tool changed.'));
 */
export const watchExecutables = async (
  ...given: Parameters<typeof WatchExecutables>
): Promise<ReturnType<typeof WatchExecutables>> =>
  (await import('./toolbox/executable/tools.ts')).watchExecutables(...given);
