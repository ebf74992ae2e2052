// The request of OpenAI's Chat Completions API, in its own spelling: the part of it that we write.

export type TextPart = { type: 'text'; text: string };
export type ImagePart = {
  type: 'image_url';
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' | 'original' };
};
export type FilePart = { type: 'file'; file: { filename: string; file_data: string } | { file_id: string } };
export type AudioPart = { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } };
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart;

export type ToolCallParam = { id: string; type: 'function'; function: { name: string; arguments: string } };

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCallParam[] }
  | { role: 'tool'; tool_call_id: string; name?: string; content: string };

export type ToolParam = {
  type: 'function';
  function: { name: string; description?: string; parameters: { [key: string]: unknown } };
};

export type ChatBody = {
  model: string;
  messages: ChatMessage[];
  tools?: ToolParam[];
  tool_choice?: 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } };
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  reasoning_effort?: 'none' | 'low' | 'medium' | 'high' | 'xhigh';
  response_format?:
    | { type: 'json_schema'; json_schema: { name: string; schema: { [key: string]: unknown }; strict?: boolean } }
    | { type: 'json_object' };
  stop?: string[];
  top_p?: number;
  seed?: number;
  parallel_tool_calls?: boolean;
  verbosity?: 'low' | 'medium' | 'high';
  user?: string;
  prompt_cache_key?: string;
};
