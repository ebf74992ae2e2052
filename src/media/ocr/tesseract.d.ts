// The part of tesseract.js that we use; it is brought on demand.
declare module 'tesseract.js' {
  type Word = { text: string; confidence: number; symbols?: { confidence: number }[] };
  type Block = { paragraphs: { lines: { words: Word[] }[] }[] };
  type Page = { text: string; confidence: number; blocks: Block[] | null };
  export type Worker = {
    recognize(picture: Uint8Array, options: object, output: Record<string, boolean>): Promise<{ data: Page }>;
    terminate(): Promise<unknown>;
  };
  type Options = { langPath: string; gzip: boolean; cacheMethod: 'none'; errorHandler: (error: unknown) => void };
  const library: { createWorker(language: string, engine: number, options: Options): Promise<Worker> };
  export default library;
}
