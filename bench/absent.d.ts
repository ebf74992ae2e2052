// Libraries that are installed for the bench alone. Without them everything else in here is still compiled with the rest,
// so that a name that changes in `src/` is missed here too.
declare module '@ai-sdk/devtools' {
  export function DevToolsTelemetry(): object;
}
declare module '@earendil-works/pi-ai/compat' {
  export type Model<Api> = { api: Api; id: string; provider: string; [field: string]: unknown };
  export type Message = object;
  export type Context = object;
  export function complete(model: object, context: Context, options: object): Promise<{ errorMessage?: string }>;
}
declare module '@earendil-works/pi-coding-agent';
declare module '@langchain/ollama';
declare module '@mastra/core/agent' {
  export class Agent {
    constructor(options: { model: 'a model of theirs'; [field: string]: unknown });
    generate(question: string, options: object): Promise<unknown>;
  }
}
declare module '@mastra/core/tools';
declare module 'ai-sdk-ollama';
declare module 'mammoth';
declare module 'officeparser';
declare module 'pdfjs-dist/legacy/build/pdf.mjs';
declare module 'onnxruntime-node' {
  export type Tensor = { data: unknown; dims: readonly number[] };
  export const Tensor: new (type: 'float32', data: Float32Array, shape: number[]) => Tensor;
  export type InferenceSession = {
    inputNames: readonly string[];
    run: (inputs: Record<string, Tensor>) => Promise<Record<string, Tensor>>;
  };
  export const InferenceSession: { create: (weights: Uint8Array, options: object) => Promise<InferenceSession> };
}
