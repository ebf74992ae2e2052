// The request of OpenAI's Responses API, in its own spelling: the part of it that we write.

/** Marks the end of a prefix that the prompt cache may keep; known from GPT-5.6 on. */
type Marked = { prompt_cache_breakpoint?: { mode: 'explicit' } };

export type InputText = Marked & { type: 'input_text'; text: string };
export type InputImage = Marked & {
  type: 'input_image';
  image_url?: string;
  file_id?: string;
  detail: 'auto' | 'low' | 'high' | 'original';
};
export type InputFile = Marked & {
  type: 'input_file';
  filename?: string;
  file_data?: string;
  file_url?: string;
  file_id?: string;
};
export type InputContent = InputText | InputImage | InputFile;

export type ReasoningItem = {
  type: 'reasoning';
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content?: string | null;
};

/** The answer to a call of the tool that uses a computer: one picture. */
export type ComputerOutput = {
  type: 'computer_call_output';
  call_id: string;
  output: { type: 'computer_screenshot'; image_url?: string; file_id?: string };
};

export type InputItem =
  | ComputerOutput
  | { role: 'user'; content: InputContent[] }
  | { role: 'assistant'; content: string; phase?: 'commentary' | 'final_answer' | null }
  | { type: 'function_call'; call_id: string; name: string; arguments: string; id?: string }
  | { type: 'function_call_output'; call_id: string; output: string | InputContent[] }
  | ReasoningItem;

export type ToolParam = {
  type: 'function';
  name: string;
  description?: string;
  parameters: { [key: string]: unknown };
  strict: boolean;
};

/** A tool that is to be called; tools of the API's own are named by their type. */
export type ChosenTool = { type: 'function'; name: string };

export type ResponsesBody = {
  model: string;
  instructions?: string;
  input: InputItem[];
  tools?: ToolParam[];
  tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | ChosenTool
    | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: ChosenTool[] };
  max_output_tokens?: number;
  temperature?: number;
  reasoning?: { effort: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'; summary?: 'auto' };
  text?: {
    format?:
      | { type: 'json_schema'; name: string; schema: { [key: string]: unknown }; strict?: boolean }
      | { type: 'json_object' };
    verbosity?: 'low' | 'medium' | 'high';
  };
  top_p?: number;
  parallel_tool_calls?: boolean;
  user?: string;
  store: false;
  include?: 'reasoning.encrypted_content'[];
  prompt_cache_key?: string;
};
