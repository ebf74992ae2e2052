// A result as a short list of strings: its words as they are, its media as ‹type size›.
import type { Block } from '../../src/content/block.ts';
import type { ToolResult } from '../../src/tool/result.ts';
import type { Sample } from './samples.ts';

/** The mark under which a sample appears in a shape. */
export const mark = ({ mediaType, size }: Sample): string => `‹${`${mediaType} ${size}`.trim()}›`;

export function shape({ content }: { content: readonly Block[] }): string[] {
  return content.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'image') return `‹${block.asset.mediaType} ${block.width}×${block.height}›`;
    return 'asset' in block ? `‹${block.asset.mediaType}›` : `‹${block.type}›`;
  });
}

/** All words of a result. */
export function wordsOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

export function mediaOf({ content }: ToolResult): string[] {
  return content.flatMap((block) => ('asset' in block ? [block.asset.id] : []));
}

/** Everything in a value that is a string or bytes, however deep, circles and maps included. */
export function leaves(value: unknown, seen: Set<unknown> = new Set()): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object' || value === null || seen.has(value)) return '';
  seen.add(value);
  const inner = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
  return inner.map((item) => leaves(item, seen)).join('\n');
}
