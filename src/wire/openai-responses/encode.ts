// A plan as a request of OpenAI's Responses API. Media stand inside the output of their call. Nothing is stored at the
// provider, so reasoning comes back to us encrypted and is sent again as it came.
import type { Plan, PlanItem, PlannedRemote, PlannedResult, Said, Shown, ToolChoice } from '../../window/plan-types.ts';
import type { Profile } from '../../window/profile.ts';
import type { Skeleton } from '../body.ts';
import { ownItemOf } from '../picture.ts';
import { dataUri } from '../json-slots.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { argumentsText, hostedTool, inputSchema, pdfName, joinText, spelledTool } from '../spelling.ts';
import type { Fields } from '../fields.ts';
import { computerCalls, computerOutput } from './computer.ts';
import type { ChosenTool, InputContent, InputItem, ResponsesBody, ToolParam } from './types.ts';

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<ResponsesBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool) =>
    spelledTool(tool, profile, (): ToolParam => ({
      type: 'function',
      name: tool.name,
      ...(tool.description && { description: tool.description }),
      parameters: inputSchema(tool),
      strict: false,
    })),
  );
  return {
    skeleton: {
      model: profile.id,
      ...(plan.system && { instructions: plan.system }),
      input: plan.items.flatMap((item, index) => {
        const marked = plan.marks.items.includes(index);
        const screens = item.role === 'batch' ? computerCalls(plan.items[index - 1]) : undefined;
        if (marked || screens?.size) return inputItems(item, profile, marked, screens);
        return memo.written(unmarkedItems, item, profile);
      }),
      ...(tools.length > 0 && { tools }),
      ...(options.toolChoice && { tool_choice: toolChoice(options.toolChoice, plan) }),
      ...(options.maxTokens !== undefined && { max_output_tokens: options.maxTokens }),
      ...(options.temperature !== undefined && { temperature: options.temperature }),
      ...(options.thinking && { reasoning: reasoning(options.thinking, profile) }),
      ...text(options),
      ...(options.topP !== undefined && { top_p: options.topP }),
      ...(options.parallelCalls !== undefined && { parallel_tool_calls: options.parallelCalls }),
      ...(options.user !== undefined && { user: options.user }),
      store: false,
      ...(profile.thinking !== 'none' && { include: ['reasoning.encrypted_content'] }),
      ...(plan.cacheKey && { prompt_cache_key: plan.cacheKey }),
    },
  };
}

function text({ output: form, json, verbosity }: Plan['options']): Pick<ResponsesBody, 'text'> {
  const format = form && {
    type: 'json_schema' as const,
    name: form.name ?? 'output',
    schema: { ...form.schema },
    ...(form.strict !== undefined && { strict: form.strict }),
  };
  const any = json ? { format: { type: 'json_object' as const } } : {};
  const all = { ...any, ...(format && { format }), ...(verbosity && { verbosity }) };
  return Object.keys(all).length > 0 ? { text: all } : {};
}

function toolChoice(choice: ToolChoice, { tools: offered, profile }: Plan): ResponsesBody['tool_choice'] & {} {
  if (typeof choice !== 'object') return choice;
  const named = (name: string): ChosenTool => {
    const tool = offered.find((one) => one.name === name);
    const own = tool && hostedTool(tool, profile);
    return own ? ({ type: own['type'] } as ChosenTool) : { type: 'function', name };
  };
  if ('tool' in choice) return named(choice.tool);
  const tools = choice.among.map(named);
  return { type: 'allowed_tools', mode: choice.required ? 'required' : 'auto', tools };
}

function reasoning(
  asked: NonNullable<Plan['options']['thinking']>,
  { dialect, xhighBelowMax }: Profile,
): ResponsesBody['reasoning'] & {} {
  if (asked === 'off') return { effort: 'none' };
  return {
    effort: asked === 'max' && !xhighBelowMax ? 'xhigh' : asked,
    ...(!dialect.unsummarised && { summary: 'auto' }),
  };
}

function unmarkedItems(item: PlanItem, profile: Profile): InputItem[] {
  return inputItems(item, profile, false);
}

/** `screens`: the calls of the computer that the item answers. */
function inputItems(
  item: PlanItem,
  profile: Profile,
  marked: boolean,
  screens?: ReadonlyMap<string, Fields>,
): InputItem[] {
  switch (item.role) {
    case 'user':
      return [{ role: 'user', content: markEnd(item.content.map(content), marked) }];
    case 'assistant':
      return item.content.map(said);
    case 'batch': {
      const shots = item.results.map((result) => computerOutput(result, screens));
      const following = [...shots.flatMap((one) => one?.beside ?? []), ...item.after];
      const last = following.length > 0 ? -1 : item.results.length - 1;
      const outputs = item.results.map(
        (result, at) => shots[at]?.item ?? output(result, profile.breakpoints, marked && at === last),
      );
      const after: InputItem = { role: 'user', content: markEnd(following.map(content), marked) };
      return following.length > 0 ? [...outputs, after] : outputs;
    }
  }
}

/** Text alone is one string, unless a mark may ever have to stand in it: its form must not change with the mark. */
function output(result: PlannedResult, marks: boolean, marked: boolean): InputItem {
  const hasMedia = result.content.some((block) => block.type !== 'text');
  if (!hasMedia && !marks)
    return { type: 'function_call_output', call_id: result.callId, output: joinText(result.content) };
  const parts = markEnd(result.content.map(content), marked);
  return { type: 'function_call_output', call_id: result.callId, output: parts };
}

function markEnd(parts: InputContent[], marked: boolean): InputContent[] {
  const last = parts.at(-1);
  if (last && marked) last.prompt_cache_breakpoint = { mode: 'explicit' };
  return parts;
}

function said(block: Said): InputItem {
  const own = ownItemOf(block);
  if (own !== undefined) return own as InputItem;
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
      if (block.at) return { type: 'input_image', file_id: block.at.file, detail: block.detail ?? 'high' };
      return { type: 'input_image', image_url: dataUri(block.asset), detail: block.detail ?? 'high' };
    case 'document':
      if (block.at) return { type: 'input_file', file_id: block.at.file };
      return { type: 'input_file', filename: pdfName(block.asset), file_data: dataUri(block.asset) };
    case 'audio':
    case 'video':
      throw new TypeError(`a plan for the Responses API cannot hold ${block.type}`); // the catalog has no slot for it
    case 'remote':
      return remote(block);
  }
}

function remote({ kind, at, detail }: PlannedRemote): InputContent {
  if (kind === 'image') {
    const place = 'url' in at ? { image_url: at.url } : { file_id: at.file };
    return { type: 'input_image', ...place, detail: detail ?? 'high' };
  }
  return { type: 'input_file', ...('url' in at ? { file_url: at.url } : { file_id: at.file }) };
}
