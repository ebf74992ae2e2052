// The request of Gemini's generateContent, in its own spelling: the part of it that we write. The REST body and what
// the SDK's method takes differ: the SDK wants the model beside it and the settings under `config`.

export type InlineData = { mimeType: string; data: string };

export type FileData = { mimeType?: string; fileUri: string };

export type Part = {
  text?: string;
  inlineData?: InlineData;
  fileData?: FileData;
  functionCall?: { id?: string; name: string; args: { [key: string]: unknown } };
  functionResponse?: {
    id?: string;
    name: string;
    response: { [key: string]: unknown };
    parts?: { inlineData?: InlineData; fileData?: FileData }[];
  };
  thought?: boolean;
  thoughtSignature?: string;
};

export type Content = { role: 'user' | 'model'; parts: Part[] };

export type GeminiTool = {
  functionDeclarations: { name: string; description: string; parametersJsonSchema: unknown }[];
};

export type CallingMode = 'AUTO' | 'ANY' | 'NONE';
export type ThinkingLevel = 'LOW' | 'MEDIUM' | 'HIGH';

export type ToolConfig<Mode> = { functionCallingConfig: { mode: Mode; allowedFunctionNames?: string[] } };

export type MediaResolution = 'MEDIA_RESOLUTION_LOW';

export type GenerationConfig<Level, Resolution> = {
  maxOutputTokens?: number;
  temperature?: number;
  stopSequences?: string[];
  topP?: number;
  topK?: number;
  seed?: number;
  thinkingConfig?: { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: Level };
  mediaResolution?: Resolution;
  responseMimeType?: string;
  responseJsonSchema?: unknown;
};

export type GeminiBody = {
  systemInstruction?: { parts: { text: string }[] };
  contents: Content[];
  tools?: GeminiTool[];
  toolConfig?: ToolConfig<CallingMode>;
  generationConfig?: GenerationConfig<ThinkingLevel, MediaResolution>;
};

/**
 * What `ai.models.generateContent` takes. The SDK types some settings as enums whose run-time values are the plain
 * strings we send; `never` lets them pass without importing the SDK.
 */
export type GeminiSdkBody = {
  model: string;
  contents: Content[];
  config: GenerationConfig<never, never> & {
    systemInstruction?: { parts: { text: string }[] };
    tools?: GeminiTool[];
    toolConfig?: ToolConfig<never>;
  };
};
