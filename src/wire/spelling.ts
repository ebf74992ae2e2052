// What several dialects spell alike.
import type { Asset } from '../content/block.ts';
import { isRecord, toJsonText } from '../content/json.ts';
import { oneObject, withItems } from '../tool/schema.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Shown } from '../window/plan-types.ts';
import type { Profile } from '../window/profile.ts';
import type { Fields } from './fields.ts';

/** The texts of a result as one string, for dialects that take no list. */
export function joinText(content: readonly Shown[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The schema of a tool's input as every API takes it: one object that lists its properties, even if there are none. */
export function inputSchema(tool: ToolSpec): { type: 'object'; [key: string]: unknown } {
  return { properties: {}, ...withItems(oneObject(tool.inputSchema)), type: 'object' };
}

/** A tool as its vendor spells it, where this wire is the vendor's; undefined for those that are functions here. */
export function hostedTool({ hosted }: ToolSpec, { wire }: Pick<Profile, 'wire'>): Fields | undefined {
  const spelling = hosted?.[wire];
  return spelling && { ...spelling };
}

/** A tool as it goes out: in its vendor's words, else as this function. */
export function spelledTool<Param>(tool: ToolSpec, profile: Pick<Profile, 'wire'>, asFunction: () => Param): Param {
  return (hostedTool(tool, profile) as Param | undefined) ?? asFunction();
}

/** A PDF's file name. OpenAI decides by its ending what a file is, whatever its media type says. */
export function pdfName(asset: Asset): string {
  const name = asset.name ?? 'document.pdf';
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/** The arguments of a call as an object, for dialects that take nothing else. */
export function argumentsObject(input: unknown): { [key: string]: unknown } {
  if (input === undefined || input === null) return {};
  const plain: unknown = JSON.parse(toJsonText(input));
  return isRecord(plain) ? plain : { input: plain };
}

/** The arguments of a call as JSON text. */
export function argumentsText(input: unknown): string {
  return JSON.stringify(argumentsObject(input));
}

/** A body as endpoints take it that count tokens: without the fields that say how to answer. */
export function askedOnly(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !answering.has(field)));
}

const answering = new Set([
  'max_tokens',
  'max_output_tokens',
  'temperature',
  'stream',
  'store',
  'include',
  'prompt_cache_key',
]);

/** How an address ends, whatever stands before it: gateways put prefixes of their own there. */
export function endsWith({ pathname }: URL, end: string): boolean {
  return pathname.replace(/\/+$/, '').endsWith(end);
}
