// A plan as a request of Anthropic's Messages API. All results of a turn stand first in one user message, media that
// had to leave their result follow them there, and neighbours of one role are one message.
import type { At, Plan, PlanItem, PlannedRemote, PlannedResult, Said, Shown } from '../../window/plan-types.ts';
import type { Skeleton } from '../body.ts';
import { slot } from '../json-slots.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { argumentsObject, inputSchema, spelledTool } from '../spelling.ts';
import type {
  AdaptiveParam,
  AnthropicBody,
  AssistantParam,
  PictureType,
  ShownParam,
  SourceParam,
  ToolChoiceParam,
  ToolParam,
  ToolResultParam,
  UserParam,
} from './types.ts';

const ephemeral = { type: 'ephemeral' } as const;

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<AnthropicBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool) =>
    spelledTool(tool, profile, (): ToolParam => ({
      name: tool.name,
      ...(tool.description && { description: tool.description }),
      input_schema: inputSchema(tool),
    })),
  );
  const lastTool = tools.at(-1);
  if (lastTool && plan.marks.system && !plan.system) lastTool.cache_control = ephemeral;
  const mark = plan.marks.system ? { cache_control: ephemeral } : {};
  return {
    skeleton: {
      model: profile.id,
      max_tokens: options.maxTokens ?? profile.maxOutputTokens,
      ...(plan.system && { system: [{ type: 'text', text: plan.system, ...mark }] }),
      ...(tools.length > 0 && { tools }),
      ...((options.toolChoice || options.parallelCalls === false) && { tool_choice: toolChoice(options) }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.stop && { stop_sequences: [...options.stop] }),
      ...(options.user !== undefined && { metadata: { user_id: options.user } }),
      ...thinking(plan),
      messages: messages(plan, memo),
    },
  };
}

function toolChoice({ toolChoice: choice = 'auto', parallelCalls }: Plan['options']): ToolChoiceParam {
  const alone = parallelCalls === false && choice !== 'none' ? { disable_parallel_tool_use: true } : {};
  if (typeof choice === 'object' && 'tool' in choice) return { type: 'tool', name: choice.tool, ...alone };
  const must = choice === 'required' || (typeof choice === 'object' && choice.required);
  return { type: must ? 'any' : choice === 'none' ? 'none' : 'auto', ...alone };
}

function thinking({ profile, options }: Plan): Pick<AnthropicBody, 'thinking' | 'output_config'> {
  const effort = options.thinking;
  const format = options.output && { format: { type: 'json_schema' as const, schema: { ...options.output.schema } } };
  const adaptive = profile.thinking === 'adaptive' && effort !== undefined && effort !== 'off';
  const config = { ...(adaptive && { effort }), ...format };
  const shown = adaptive && profile.thinkingOmitted ? { display: 'summarized' as const } : {};
  return {
    ...(effort === 'off' && { thinking: { type: 'disabled' } }),
    ...((adaptive || options.dropUnbound) && { thinking: { type: 'adaptive', ...shown, ...binding(options) } }),
    ...(options.thinkingTokens && { thinking: { type: 'enabled', budget_tokens: options.thinkingTokens } }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
  };
}

function binding({ dropUnbound }: Plan['options']): Pick<AdaptiveParam, 'block_binding'> {
  return dropUnbound ? { block_binding: { prefix_mismatch_behavior: 'drop_block' } } : {};
}

function messages({ items, marks, options }: Plan, memo: ItemMemo): Param[] {
  const cited = options.citations ?? false; // all documents of a request, or none
  const out: Param[] = [];
  const grown = new Set<Param>(); // those made here; the others are used again on the next turn
  for (const [index, item] of items.entries()) {
    const plain = memo.written(messageOf, item, cited);
    const message = marks.items.includes(index) ? markedEnd(plain) : plain;
    const last = out.at(-1);
    if (last?.role !== message.role) {
      out.push(message);
      continue;
    }
    const both = grown.has(last) ? last : ({ ...last, content: [...last.content] } as Param);
    (both.content as unknown[]).push(...message.content);
    grown.add(both);
    out[out.length - 1] = both;
  }
  return out;
}

type Param = UserParam | AssistantParam;

function markedEnd(message: Param): Param {
  const end = message.content.at(-1);
  if (message.role !== 'user' || !end) return message;
  const content = [...message.content.slice(0, -1), { ...end, cache_control: ephemeral }];
  return { ...message, content } as UserParam;
}

function messageOf(item: PlanItem, cited: boolean): Param {
  const shown = (block: Shown): ShownParam => shownAs(block, cited);
  switch (item.role) {
    case 'user':
      return { role: 'user', content: item.content.map(shown) };
    case 'assistant':
      return { role: 'assistant', content: item.content.map(said) };
    case 'batch':
      return { role: 'user', content: [...item.results.map((one) => result(one, cited)), ...item.after.map(shown)] };
  }
}

function result(planned: PlannedResult, cited: boolean): ToolResultParam {
  return {
    type: 'tool_result',
    tool_use_id: planned.callId,
    content: planned.content.map((block) => shownAs(block, cited)),
    ...(planned.isError && { is_error: true }),
  };
}

function shownAs(block: Shown, cited: boolean): ShownParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image': {
      if (block.at) return { type: 'image', source: sourceOf(block.at) };
      const media_type = block.asset.mediaType as PictureType;
      return { type: 'image', source: { type: 'base64', media_type, data: slot(block.asset) } };
    }
    case 'document': {
      const title = block.asset.name === undefined ? {} : { title: block.asset.name };
      const data = { type: 'base64', media_type: 'application/pdf' } as const;
      const source = block.at ? sourceOf(block.at) : { ...data, data: slot(block.asset) };
      return { type: 'document', source, ...title, ...(cited && { citations: { enabled: true } }) };
    }
    case 'audio':
    case 'video':
      throw new TypeError(`a plan for Anthropic cannot hold ${block.type}`); // the catalog has no slot for it
    case 'remote':
      return remote(block, cited);
  }
}

function sourceOf(at: At): SourceParam {
  return 'url' in at ? { type: 'url', url: at.url } : { type: 'file', file_id: at.file };
}

function remote({ kind, at, name }: PlannedRemote, cited: boolean): ShownParam {
  const source = sourceOf(at);
  if (kind === 'image') return { type: 'image', source };
  const title = name === undefined ? {} : { title: name };
  return { type: 'document', source, ...title, ...(cited && { citations: { enabled: true } }) };
}

function said(block: Said): AssistantParam['content'][number] {
  if ('seal' in block && block.seal) return block.seal.item as AssistantParam['content'][number];
  switch (block.type) {
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: argumentsObject(block.input) };
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
    case 'sealed':
    case 'image':
      throw new TypeError('a plan holds thinking only with its seal');
  }
}
