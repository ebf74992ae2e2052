// A plan as a request of OpenAI's Chat Completions API. Tool messages hold text only and stand together right after
// the calls; the media of the whole turn follow in one user message.
import { isRecord } from '../../content/json.ts';
import type { Plan, PlanItem, PlannedRemote, Said, Shown, ToolChoice } from '../../window/plan-types.ts';
import type { Dialect } from '../../window/rules.ts';
import type { Skeleton } from '../body.ts';
import { ownItemOf } from '../picture.ts';
import { dataUri, slot } from '../json-slots.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { argumentsText, inputSchema, pdfName, joinText, spelledTool } from '../spelling.ts';
import type { ChatBody, ChatMessage, ContentPart, ToolCallParam, ToolParam } from './types.ts';

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<ChatBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool) =>
    spelledTool(tool, profile, (): ToolParam => ({
      type: 'function',
      function: {
        name: tool.name,
        ...(tool.description && { description: tool.description }),
        parameters: inputSchema(tool),
      },
    })),
  );
  const system: ChatMessage[] = plan.system ? [{ role: 'system', content: plan.system }] : [];
  return {
    skeleton: {
      model: profile.id,
      messages: [...system, ...plan.items.flatMap((item) => memo.written(messagesOf, item, profile.dialect))],
      ...(tools.length > 0 && { tools }),
      ...(options.toolChoice && { tool_choice: toolChoice(options.toolChoice) }),
      ...(options.maxTokens !== undefined && { [profile.maxTokensField]: options.maxTokens }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.thinking && { reasoning_effort: effort(options.thinking) }),
      ...(options.output && {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: options.output.name ?? 'output',
            schema: { ...options.output.schema },
            ...(options.output.strict !== undefined && { strict: options.output.strict }),
          },
        },
      }),
      ...(options.json && { response_format: { type: 'json_object' } }),
      ...(options.stop && { stop: [...options.stop] }),
      ...(options.topP !== undefined && { top_p: options.topP }),
      ...(options.seed !== undefined && { seed: options.seed }),
      ...(options.parallelCalls !== undefined && { parallel_tool_calls: options.parallelCalls }),
      ...(options.verbosity && { verbosity: options.verbosity }),
      ...(options.user !== undefined && { user: options.user }),
      ...(plan.cacheKey && { prompt_cache_key: plan.cacheKey }),
    },
  };
}

function toolChoice(choice: ToolChoice): ChatBody['tool_choice'] & {} {
  if (typeof choice !== 'object') return choice;
  if ('tool' in choice) return { type: 'function', function: { name: choice.tool } };
  return choice.required ? 'required' : 'auto'; // the tools themselves were cut to these
}

function effort(asked: NonNullable<Plan['options']['thinking']>): ChatBody['reasoning_effort'] & {} {
  return asked === 'off' ? 'none' : asked === 'max' ? 'xhigh' : asked;
}

function messagesOf(item: PlanItem, dialect: Dialect): ChatMessage[] {
  switch (item.role) {
    case 'user':
      return [{ role: 'user', content: userContent(item.content, dialect) }];
    case 'assistant':
      return [assistant(item.content, dialect)];
    case 'batch': {
      const results = item.results.map((result): ChatMessage => ({
        role: 'tool',
        tool_call_id: result.callId,
        ...(dialect.toolName && { name: result.name }),
        content: joinText(result.content),
      }));
      const bridge: ChatMessage[] = item.bridge ? [{ role: 'assistant', content: item.bridge }] : [];
      const after: ChatMessage[] =
        item.after.length > 0 ? [{ role: 'user', content: item.after.map((block) => part(block, dialect)) }] : [];
      return [...results, ...bridge, ...after];
    }
  }
}

function userContent(content: readonly Shown[], dialect: Dialect): string | ContentPart[] {
  const [only] = content;
  return content.length === 1 && only?.type === 'text' ? only.text : content.map((block) => part(block, dialect));
}

function assistant(content: readonly Said[], { reasoning }: Dialect): ChatMessage {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const calls = content.flatMap((block): ToolCallParam[] => {
    if (block.type !== 'call') return [];
    if (block.seal) return [block.seal.item as ToolCallParam];
    return [{ id: block.id, type: 'function', function: { name: block.name, arguments: argumentsText(block.input) } }];
  });
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text, // which only calls can stand in for
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== undefined && { [reasoning]: '' }),
    ...echoed(content),
  };
}

/** Servers that hand out their reasoning get it back under the field names they used. */
function echoed(content: readonly Said[]): { [field: string]: unknown } {
  const fields: { [field: string]: unknown } = {};
  for (const block of content) {
    const own = block.type === 'call' ? undefined : ownItemOf(block);
    if (!isRecord(own)) continue;
    for (const [field, value] of Object.entries(own)) fields[field] = joined(fields[field], value);
  }
  return fields;
}

/** Two thoughts of one message are one field. */
function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'string' && typeof value === 'string') return `${before}\n${value}`;
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function part(block: Shown, { documentUrl }: Dialect): ContentPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image': {
      const detail = block.detail ? { detail: block.detail } : {};
      return { type: 'image_url', image_url: { url: dataUri(block.asset), ...detail } };
    }
    case 'document':
      if (block.at) return remote({ type: 'remote', kind: 'document', at: block.at });
      if (documentUrl) return document(dataUri(block.asset), pdfName(block.asset));
      return { type: 'file', file: { filename: pdfName(block.asset), file_data: dataUri(block.asset) } };
    case 'audio': {
      const format = block.asset.mediaType === 'audio/wav' ? 'wav' : 'mp3';
      return { type: 'input_audio', input_audio: { data: slot(block.asset), format } };
    }
    case 'video':
      throw new TypeError('a plan for Chat Completions cannot hold video'); // the catalog has no slot for it
    case 'remote':
      return remote(block);
  }
}

/** Mistral's own part for a PDF, which OpenAI's types do not have. */
function document(url: string, name?: string): ContentPart {
  const own = { type: 'document_url', document_url: url, ...(name !== undefined && { document_name: name }) };
  return own as unknown as ContentPart;
}

function remote({ at, detail, kind, name }: PlannedRemote): ContentPart {
  if (kind === 'document' && 'url' in at) return document(at.url, name);
  if ('file' in at) return { type: 'file', file: { file_id: at.file } };
  return { type: 'image_url', image_url: { url: at.url, ...(detail && { detail }) } };
}
