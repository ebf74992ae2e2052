// A plan as a request of OpenAI's Responses API. Media stand inside the output of their call. Nothing is stored at the
// provider, so reasoning comes back to us encrypted and is sent again as it came.
import type { Plan, PlannedResult, Said, Shown, ToolChoice } from '../../window/planned.ts';
import { dataUri } from '../body.ts';
import type { Skeleton } from '../body.ts';
import { argumentsText, inputSchema, pdfName, joinText } from '../wire.ts';
import type { InputContent, InputItem, ResponsesBody, ToolParam } from './types.ts';

export function encode(plan: Plan): Skeleton<ResponsesBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool): ToolParam => ({
    type: 'function',
    name: tool.name,
    ...(tool.description && { description: tool.description }),
    parameters: inputSchema(tool),
    strict: false,
  }));
  return {
    skeleton: {
      model: profile.id,
      ...(plan.system && { instructions: plan.system }),
      input: plan.items.flatMap(inputItems),
      ...(tools.length > 0 && { tools }),
      ...(options.toolChoice && { tool_choice: toolChoice(options.toolChoice) }),
      ...(options.maxTokens !== undefined && { max_output_tokens: options.maxTokens }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.thinking && { reasoning: reasoning(options.thinking) }),
      ...(options.output && {
        text: {
          format: { type: 'json_schema', name: options.output.name ?? 'output', schema: { ...options.output.schema } },
        },
      }),
      store: false,
      ...(profile.thinking !== 'none' && { include: ['reasoning.encrypted_content'] }),
      ...(plan.cacheKey && { prompt_cache_key: plan.cacheKey }),
    },
  };
}

function toolChoice(choice: ToolChoice): ResponsesBody['tool_choice'] & {} {
  return typeof choice === 'object' ? { type: 'function', name: choice.tool } : choice;
}

function reasoning(asked: NonNullable<Plan['options']['thinking']>): ResponsesBody['reasoning'] & {} {
  if (asked === 'off') return { effort: 'none' };
  return { effort: asked === 'max' ? 'xhigh' : asked, summary: 'auto' };
}

function inputItems(item: Plan['items'][number]): InputItem[] {
  switch (item.role) {
    case 'user':
      return [{ role: 'user', content: item.content.map(content) }];
    case 'assistant':
      return item.content.map(said);
    case 'batch': {
      const outputs = item.results.map(output);
      return item.after.length > 0 ? [...outputs, { role: 'user', content: item.after.map(content) }] : outputs;
    }
  }
}

function output(result: PlannedResult): InputItem {
  const hasMedia = result.content.some((block) => block.type !== 'text');
  if (!hasMedia) return { type: 'function_call_output', call_id: result.callId, output: joinText(result.content) };
  const parts = result.content.map(content);
  return { type: 'function_call_output', call_id: result.callId, output: parts };
}

function said(block: Said): InputItem {
  if ('seal' in block && block.seal) return block.seal.item as InputItem;
  switch (block.type) {
    case 'call':
      return { type: 'function_call', call_id: block.id, name: block.name, arguments: argumentsText(block.input) };
    default:
      return { role: 'assistant', content: block.type === 'text' ? block.text : '' };
  }
}

function content(block: Shown): InputContent {
  switch (block.type) {
    case 'text':
      return { type: 'input_text', text: block.text };
    case 'image':
      return { type: 'input_image', image_url: dataUri(block.asset), detail: block.detail ?? 'high' };
    case 'document':
      return { type: 'input_file', filename: pdfName(block.asset), file_data: dataUri(block.asset) };
    case 'audio':
    case 'video':
      throw new TypeError(`a plan for the Responses API cannot hold ${block.type}`); // the catalog has no slot for it
  }
}
