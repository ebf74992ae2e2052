// A plan as a request of Anthropic's Messages API. All results of a turn stand first in one user message, media that
// had to leave their result follow them there, and neighbours of one role are one message.
import type { Plan, PlanItem, PlannedResult, Said, Shown, ToolChoice } from '../../window/planned.ts';
import { slot } from '../body.ts';
import type { Skeleton } from '../body.ts';
import { argumentsObject, inputSchema } from '../wire.ts';
import type {
  AnthropicBody,
  AssistantParam,
  ImageParam,
  ShownParam,
  ToolChoiceParam,
  ToolParam,
  ToolResultParam,
  UserParam,
} from './types.ts';

const ephemeral = { type: 'ephemeral' } as const;

export function encode(plan: Plan): Skeleton<AnthropicBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool): ToolParam => ({
    name: tool.name,
    ...(tool.description && { description: tool.description }),
    input_schema: inputSchema(tool),
  }));
  const lastTool = tools.at(-1);
  if (lastTool && plan.marks.system && !plan.system) lastTool.cache_control = ephemeral;
  const mark = plan.marks.system ? { cache_control: ephemeral } : {};
  return {
    skeleton: {
      model: profile.id,
      max_tokens: options.maxTokens ?? profile.maxOutputTokens,
      ...(plan.system && { system: [{ type: 'text', text: plan.system, ...mark }] }),
      ...(tools.length > 0 && { tools }),
      ...(options.toolChoice && { tool_choice: toolChoice(options.toolChoice) }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...thinking(plan),
      messages: messages(plan),
    },
  };
}

function toolChoice(choice: ToolChoice): ToolChoiceParam {
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function thinking({ profile, options }: Plan): Pick<AnthropicBody, 'thinking' | 'output_config'> {
  const effort = options.thinking;
  const format = options.output && { format: { type: 'json_schema' as const, schema: { ...options.output.schema } } };
  const adaptive = profile.thinking === 'adaptive' && effort !== undefined && effort !== 'off';
  const config = { ...(adaptive && { effort }), ...format };
  return {
    ...(effort === 'off' && { thinking: { type: 'disabled' } }),
    ...(adaptive && { thinking: { type: 'adaptive' } }),
    ...(options.thinkingTokens && { thinking: { type: 'enabled', budget_tokens: options.thinkingTokens } }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
  };
}

function messages(plan: Plan): (UserParam | AssistantParam)[] {
  const out: (UserParam | AssistantParam)[] = [];
  for (const [index, item] of plan.items.entries()) {
    const last = out.at(-1);
    if (item.role === 'assistant') {
      const content = item.content.map(said);
      if (last?.role === 'assistant') last.content.push(...content);
      else out.push({ role: 'assistant', content });
      continue;
    }
    const content = userContent(item);
    const end = content.at(-1);
    if (end && plan.marks.items.includes(index)) end.cache_control = ephemeral;
    if (last?.role === 'user') last.content.push(...content);
    else out.push({ role: 'user', content });
  }
  return out;
}

function userContent(item: Exclude<PlanItem, { role: 'assistant' }>): UserParam['content'] {
  if (item.role === 'user') return item.content.map(shown);
  return [...item.results.map(result), ...item.after.map(shown)];
}

function result(planned: PlannedResult): ToolResultParam {
  return {
    type: 'tool_result',
    tool_use_id: planned.callId,
    content: planned.content.map(shown),
    ...(planned.isError && { is_error: true }),
  };
}

function shown(block: Shown): ShownParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image': {
      const media_type = block.asset.mediaType as ImageParam['source']['media_type'];
      return { type: 'image', source: { type: 'base64', media_type, data: slot(block.asset) } };
    }
    case 'document': {
      const title = block.asset.name === undefined ? {} : { title: block.asset.name };
      const source = { type: 'base64', media_type: 'application/pdf', data: slot(block.asset) } as const;
      return { type: 'document', source, ...title };
    }
    case 'audio':
    case 'video':
      throw new TypeError(`a plan for Anthropic cannot hold ${block.type}`); // the catalog has no slot for it
  }
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
      throw new TypeError('a plan holds thinking only with its seal');
  }
}
