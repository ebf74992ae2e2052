// `sightline/ui`: a run on its way to a page.
export { toSSE } from './sse.ts';
export { toUIMessageStream } from './ui-message.ts';
export type { RunMetadata, ShownMedium, ToolOutput, UIChunk } from './ui-message.ts';
export type { MediaUrl, PageOptions } from './page-options.ts';
