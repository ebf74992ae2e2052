// The request of Ollama's /api/chat, in its own spelling: the part of it that we write.

export type OllamaCall = { id: string; function: { name: string; arguments: { [key: string]: unknown } } };

export type OllamaMessage = {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  /** Base64 without a data URI prefix; the server tells pictures from sound by their bytes. */
  images?: string[];
  tool_calls?: OllamaCall[];
  tool_name?: string;
  tool_call_id?: string;
};

export type OllamaTool = {
  type: 'function';
  function: { name: string; description: string; parameters: { [key: string]: unknown } };
};

export type OllamaBody = {
  model: string;
  messages: OllamaMessage[];
  tools?: OllamaTool[];
  format?: { [key: string]: unknown } | 'json';
  think?: boolean | 'low' | 'medium' | 'high';
  options?: {
    num_ctx?: number;
    num_predict?: number;
    temperature?: number;
    stop?: string[];
    top_p?: number;
    top_k?: number;
    seed?: number;
  };
  /** Without this the server drops the oldest messages silently. */
  truncate: false;
  stream: false;
};
