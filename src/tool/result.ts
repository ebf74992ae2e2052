// What a tool's answer is, once it has been normalised: blocks for the model, details for screens and logs.
import type { Asset, Block, Detail, Seal } from '../content/block.ts';

/** What a model reads of a call, and what is kept beside it. */
export type ToolResult = {
  content: Block[];
  isError?: boolean;
  /** The value behind the blocks, for screens and logs, with a note where each medium stood. It never reaches a model. */
  details?: unknown;
  /** Assets that the words or the details name and no block holds: texts that were too long, bytes nobody can see. */
  kept?: Asset[];
};

/**
 * A result as a message: the answer to one call. `seal`: what a provider wants around the result of a tool of its own.
 * `approved`: a person let the call run in spite of its doubts. `late`: it came when its call was answered already, and
 * models read it as a note.
 */
export type ToolMessage = ToolResult & {
  role: 'tool';
  callId: string;
  name: string;
  seal?: Seal;
  approved?: boolean;
  late?: boolean;
};

/** A result whose pictures are looked at like this, unless they say otherwise themselves. */
export function lookedAt(result: ToolResult, detail: Detail): ToolResult {
  return { ...result, content: result.content.map((block) => (block.type === 'image' ? { detail, ...block } : block)) };
}
