// A plan as a request of Amazon Bedrock's Converse API. All results of a turn stand first in one message of the user,
// media that had to leave their result follow them there, and neighbours of one role are one message.
import { decodeBase64 } from '../../content/base64.ts';
import { isRecord } from '../../content/json.ts';
import type { Json } from '../../content/json.ts';
import { documentHeading, earlierTools } from '../../content/words.ts';
import type { ToolSpec } from '../../tool/tool.ts';
import type { At, Plan, PlanItem, PlannedMedia, PlannedRemote, Said, Shown } from '../../window/plan-types.ts';
import type { Skeleton } from '../body.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { slot } from '../json-slots.ts';
import { argumentsObject, inputSchema, spelledTool } from '../spelling.ts';
import { filmFormats, pictureFormats } from './formats.ts';
import { extraFields } from './reasoning.ts';
import type {
  CachePoint,
  ConverseBody,
  ConverseChoice,
  ConverseMessage,
  ConverseSdkBody,
  ConverseShown,
  ConverseSource,
  ConverseTool,
  ToolResultBlock,
} from './types.ts';

const cachePoint: CachePoint = { cachePoint: { type: 'default' } };

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<ConverseBody> {
  const { options } = plan;
  const tools = plan.tools.length > 0 ? plan.tools : standIns(plan.items);
  const specs = tools.map((tool) => spelledTool(tool, plan.profile, () => toolSpec(tool)));
  const mark = plan.marks.system ? [cachePoint] : [];
  const extra = extraFields(plan);
  const inference = {
    ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.topP !== undefined && { topP: options.topP }),
    ...(options.stop && { stopSequences: [...options.stop] }),
  };
  return {
    skeleton: {
      messages: messages(plan, memo),
      ...(plan.system && { system: [{ text: plan.system }, ...mark] }),
      ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
      ...(specs.length > 0 && {
        toolConfig: {
          tools: [...specs, ...(plan.system ? [] : mark)],
          ...(options.toolChoice && { toolChoice: toolChoice(options.toolChoice) }),
        },
      }),
      ...(Object.keys(extra).length > 0 && { additionalModelRequestFields: extra }),
      ...(options.output && { outputConfig: outputConfig(options.output) }),
    },
  };
}

/** The same request for the commands of the vendor's SDK, which take bytes as bytes. */
export function sdk(body: ConverseBody, plan: Plan): ConverseSdkBody {
  const rest = withBytes(body) as Omit<ConverseSdkBody, 'modelId'>;
  return { modelId: plan.profile.id, ...rest };
}

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isBytes = (key === 'bytes' || key === 'redactedContent') && typeof item === 'string';
      const isFree = key === 'json' || key === 'input' || key === 'additionalModelRequestFields';
      return [key, isBytes ? decodeBase64(item) : isFree ? item : withBytes(item)];
    }),
  );
}

function toolSpec(tool: ToolSpec): ConverseTool {
  const json = inputSchema(tool) as { [key: string]: Json };
  return {
    toolSpec: { name: tool.name, ...(tool.description && { description: tool.description }), inputSchema: { json } },
  };
}

/** Converse wants tools wherever calls or results stand, even when none is offered any more. One stands for all of them, so that
 * the beginning of the request stays the same. */
function standIns(items: readonly PlanItem[]): ToolSpec[] {
  return items.some(({ role }) => role === 'batch')
    ? [{ name: 'earlier_tools', description: earlierTools, inputSchema: {} }]
    : [];
}

function toolChoice(choice: NonNullable<Plan['options']['toolChoice']>): ConverseChoice {
  if (typeof choice === 'object' && 'tool' in choice) return { tool: { name: choice.tool } };
  const must = choice === 'required' || (typeof choice === 'object' && choice.required);
  return must ? { any: {} } : { auto: {} };
}

function outputConfig({ name, schema }: NonNullable<Plan['options']['output']>): ConverseBody['outputConfig'] & {} {
  const jsonSchema = { schema: JSON.stringify(schema), ...(name !== undefined && { name }) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

function messages({ items, marks, options }: Plan, memo: ItemMemo): ConverseMessage[] {
  const cited = options.citations ?? false; // all documents of a request, or none
  const out: ConverseMessage[] = [];
  const grown = new Set<ConverseMessage>(); // those made here; the others are used again on the next turn
  let documents = 0;
  for (const [index, item] of items.entries()) {
    const written = memo.written(messagesOf, item, cited ? `${documents} cited` : `${documents}`);
    documents += documentsIn(item);
    const isMarked = written.at(-1)?.role === 'user' && marks.items.includes(index);
    for (const message of isMarked ? marked(written) : written) {
      const last = out.at(-1);
      if (last?.role !== message.role) {
        out.push(message);
        continue;
      }
      const both = grown.has(last) ? last : ({ ...last, content: [...last.content] } as ConverseMessage);
      (both.content as unknown[]).push(...message.content);
      grown.add(both);
      out[out.length - 1] = both;
    }
  }
  return out;
}

/** What an item came to, with a cache mark at its end. */
function marked(written: readonly ConverseMessage[]): ConverseMessage[] {
  return written.map((message, index) =>
    message.role === 'user' && index === written.length - 1
      ? { ...message, content: [...message.content, cachePoint] }
      : message,
  );
}

function shownIn(item: PlanItem): readonly Shown[] {
  if (item.role === 'user') return item.content;
  return item.role === 'batch' ? [...item.results.flatMap(({ content }) => content), ...item.after] : [];
}

function isDocument(block: Shown): boolean {
  return block.type === 'document' || (block.type === 'remote' && block.kind === 'document');
}

function documentsIn(item: PlanItem): number {
  return shownIn(item).filter(isDocument).length;
}

/** `before`: how many documents stand before this item, since no two of a request may have one name. */
function messagesOf(item: PlanItem, before: string): ConverseMessage[] {
  let count = Number.parseInt(before, 10);
  const cited = before.endsWith('cited');
  const shown = (block: Shown): ConverseShown => shownAs(block, isDocument(block) ? ++count : count, cited);
  switch (item.role) {
    case 'user':
      return [{ role: 'user', content: withWords(item.content, item.content.map(shown)) }];
    case 'assistant':
      return [{ role: 'assistant', content: item.content.map(said) }];
    case 'batch': {
      const results = item.results.map(({ callId, isError, content }): ToolResultBlock => ({
        toolResult: { toolUseId: callId, content: content.map(shown), ...(isError && { status: 'error' }) },
      }));
      const after = withWords(item.after, item.after.map(shown));
      if (item.bridge === undefined) return [{ role: 'user', content: [...results, ...after] }];
      return [
        { role: 'user', content: results },
        { role: 'assistant', content: [{ text: item.bridge }] },
        ...(after.length > 0 ? [{ role: 'user' as const, content: after }] : []),
      ];
    }
  }
}

/** A message with a document must hold words too. */
function withWords(content: readonly Shown[], written: ConverseShown[]): ConverseShown[] {
  const lacks = content.some(isDocument) && !content.some(({ type }) => type === 'text');
  return lacks ? [{ text: documentHeading }, ...written] : written;
}

function shownAs(block: Shown, document: number, cited: boolean): ConverseShown {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'remote':
      return mediumAs(block.kind, block.mediaType, block.name, sourceAt(block.at), document, cited);
    default:
      return mediumAs(block.type, block.asset.mediaType, block.asset.name, sourceOf(block), document, cited);
  }
}

function sourceOf({ asset, at }: PlannedMedia): ConverseSource<string> {
  return at ? sourceAt(at) : { bytes: slot(asset) };
}

function sourceAt(at: At): ConverseSource<string> {
  return { s3Location: { uri: 'url' in at ? at.url : at.file } };
}

function mediumAs(
  kind: PlannedRemote['kind'],
  mediaType = '',
  name = 'document',
  source: ConverseSource<string>,
  document: number,
  cited: boolean,
): ConverseShown {
  switch (kind) {
    case 'image':
      return { image: { format: pictureFormats[mediaType] ?? 'png', source } };
    case 'document': {
      const citations = cited ? { citations: { enabled: true as const } } : {};
      return { document: { format: 'pdf', name: `${plainName(name)} (${document})`, source, ...citations } };
    }
    case 'video':
      return { video: { format: filmFormats[mediaType] ?? 'mp4', source } };
    case 'audio':
      throw new TypeError('a plan for Converse cannot hold audio'); // the catalog has no slot for it
  }
}

/** A name as Converse takes it: letters, digits, hyphens and single spaces, without its ending and our count. */
function plainName(name: string): string {
  const bare = name.replace(/\.\w{1,5}$/, '').replace(/ \(\d+\)$/, '');
  const plain = bare.normalize('NFKD').replaceAll(/[^A-Za-z0-9-]+/g, ' ').trim(); // prettier-ignore
  return plain.slice(0, 150).trim() || 'document';
}

function said(block: Said): (ConverseMessage & { role: 'assistant' })['content'][number] {
  if ('seal' in block && block.seal) return block.seal.item as never;
  switch (block.type) {
    case 'call':
      return {
        toolUse: {
          toolUseId: block.id,
          name: block.name,
          input: argumentsObject(block.input) as { [key: string]: Json },
        },
      };
    case 'text':
      return { text: block.text };
    case 'thinking':
    case 'sealed':
    case 'image':
      throw new TypeError('a plan holds thinking only with its seal');
  }
}
