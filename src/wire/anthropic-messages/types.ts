// The request of Anthropic's Messages API, in its own spelling: the part of it that we write.

export type CacheControl = { type: 'ephemeral' };

export type TextParam = { type: 'text'; text: string; cache_control?: CacheControl };

/** A medium that lies elsewhere. */
export type SourceParam = { type: 'url'; url: string } | { type: 'file'; file_id: string };

export type PictureType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export type ImageParam = {
  type: 'image';
  source: { type: 'base64'; media_type: PictureType; data: string } | SourceParam;
  cache_control?: CacheControl;
};

export type DocumentParam = {
  type: 'document';
  source: { type: 'base64'; media_type: 'application/pdf'; data: string } | SourceParam;
  title?: string;
  citations?: { enabled: true };
  cache_control?: CacheControl;
};

export type ShownParam = TextParam | ImageParam | DocumentParam;

export type ToolResultParam = {
  type: 'tool_result';
  tool_use_id: string;
  content: ShownParam[];
  is_error?: boolean;
  cache_control?: CacheControl;
};

export type ToolUseParam = { type: 'tool_use'; id: string; name: string; input: unknown };
export type ThinkingParam = { type: 'thinking'; thinking: string; signature: string };
export type RedactedThinkingParam = { type: 'redacted_thinking'; data: string };

export type UserParam = { role: 'user'; content: (ToolResultParam | ShownParam)[] };
export type AssistantParam = {
  role: 'assistant';
  content: (TextParam | ToolUseParam | ThinkingParam | RedactedThinkingParam)[];
};

export type ToolParam = {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [key: string]: unknown };
  cache_control?: CacheControl;
};

export type ToolChoiceParam = (
  | { type: 'auto' }
  | { type: 'any' }
  | { type: 'none' }
  | { type: 'tool'; name: string }
) & {
  disable_parallel_tool_use?: boolean;
};

/** The binding is known to the API with a header of its own; `prepare` names it among the headers. */
export type AdaptiveParam = {
  type: 'adaptive';
  display?: 'summarized';
  block_binding?: { prefix_mismatch_behavior: 'drop_block' };
};

export type AnthropicBody = {
  model: string;
  max_tokens: number;
  system?: TextParam[];
  tools?: ToolParam[];
  tool_choice?: ToolChoiceParam;
  temperature?: number;
  stop_sequences?: string[];
  metadata?: { user_id: string };
  thinking?: AdaptiveParam | { type: 'enabled'; budget_tokens: number } | { type: 'disabled' };
  output_config?: {
    effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
    format?: { type: 'json_schema'; schema: { [key: string]: unknown } };
  };
  messages: (UserParam | AssistantParam)[];
};
