// The request of Amazon Bedrock's Converse API, in its own spelling: the part of it that we write. Bytes are base64 in
// the JSON body, and bytes in what the vendor's SDK takes.
import type { Json } from '../../content/json.ts';

export type CachePoint = { cachePoint: { type: 'default' } };

/** `Bytes` is a string in the REST body. */
export type ConverseSource<Bytes> = { bytes: Bytes } | { s3Location: { uri: string } };

export type ConverseImage<Bytes = string> = {
  image: { format: 'png' | 'jpeg' | 'gif' | 'webp'; source: ConverseSource<Bytes> };
};

export type ConverseDocument<Bytes = string> = {
  document: {
    format: 'pdf';
    name: string;
    source: ConverseSource<Bytes>;
    citations?: { enabled: true };
  };
};

export type ConverseVideo<Bytes = string> = {
  video: { format: 'mp4' | 'mov' | 'mkv' | 'webm' | 'mpeg'; source: ConverseSource<Bytes> };
};

export type ConverseShown<Bytes = string> =
  | { text: string }
  | ConverseImage<Bytes>
  | ConverseDocument<Bytes>
  | ConverseVideo<Bytes>;

export type ToolResultBlock<Bytes = string> = {
  toolResult: { toolUseId: string; content: ConverseShown<Bytes>[]; status?: 'error' };
};

export type ToolUseBlock = { toolUse: { toolUseId: string; name: string; input: { [key: string]: Json } } };

export type ReasoningBlock<Bytes = string> = {
  reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: Bytes };
};

export type ConverseMessage<Bytes = string> =
  | { role: 'user'; content: (ToolResultBlock<Bytes> | ConverseShown<Bytes> | CachePoint)[] }
  | { role: 'assistant'; content: ({ text: string } | ToolUseBlock | ReasoningBlock<Bytes>)[] };

export type ConverseTool = {
  toolSpec: { name: string; description?: string; inputSchema: { json: { [key: string]: Json } } };
};

export type ConverseChoice = { auto: object } | { any: object } | { tool: { name: string } };

type Settings<Bytes> = {
  messages: ConverseMessage<Bytes>[];
  system?: ({ text: string } | CachePoint)[];
  inferenceConfig?: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: string[] };
  toolConfig?: { tools: (ConverseTool | CachePoint)[]; toolChoice?: ConverseChoice };
  additionalModelRequestFields?: { [key: string]: Json };
  outputConfig?: {
    textFormat: { type: 'json_schema'; structure: { jsonSchema: { schema: string; name?: string } } };
  };
};

export type ConverseBody = Settings<string>;

/** What the commands of `@aws-sdk/client-bedrock-runtime` take. */
export type ConverseSdkBody = Settings<Uint8Array> & { modelId: string };
