// A plan as a request of Ollama's /api/chat. Text is one string per message; pictures and sound stand beside it in
// `images`, as raw base64. A tool's message names its tool and its call.
import { isRecord } from '../../content/json.ts';
import type { Plan, PlanItem, Said, Shown } from '../../window/plan-types.ts';
import type { Effort, ThinkingStyle } from '../../window/rules.ts';
import type { Skeleton } from '../body.ts';
import { slot } from '../json-slots.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { argumentsObject, inputSchema, joinText, spelledTool } from '../spelling.ts';
import type { OllamaBody, OllamaCall, OllamaMessage, OllamaTool } from './types.ts';

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<OllamaBody> {
  const { profile, options } = plan;
  const tools = plan.tools.map((tool) =>
    spelledTool(tool, profile, (): OllamaTool => ({
      type: 'function',
      function: { name: tool.name, description: tool.description, parameters: inputSchema(tool) },
    })),
  );
  const system: OllamaMessage[] = plan.system ? [{ role: 'system', content: plan.system }] : [];
  return {
    skeleton: {
      model: profile.id,
      messages: [...system, ...plan.items.flatMap((item) => memo.written(messagesOf, item, undefined))],
      ...(tools.length > 0 && { tools }),
      ...(options.output && { format: { ...options.output.schema } }),
      ...(options.json && { format: 'json' }),
      ...(options.thinking && { think: think(options.thinking, profile.thinking) }),
      options: {
        num_ctx: profile.contextTokens,
        ...(options.maxTokens !== undefined && { num_predict: options.maxTokens }),
        ...(options.temperature !== undefined && { temperature: options.temperature }),
        ...(options.stop && { stop: [...options.stop] }),
        ...(options.topP !== undefined && { top_p: options.topP }),
        ...(options.topK !== undefined && { top_k: options.topK }),
        ...(options.seed !== undefined && { seed: options.seed }),
      },
      truncate: false,
      stream: false,
    },
  };
}

/** Some models know levels of thinking, the others only on and off. */
function think(asked: Effort, style: ThinkingStyle): OllamaBody['think'] & {} {
  if (asked === 'off' || style === 'switch') return asked !== 'off';
  return asked === 'xhigh' || asked === 'max' ? 'high' : asked;
}

function messagesOf(item: PlanItem): OllamaMessage[] {
  switch (item.role) {
    case 'user':
      return [{ role: 'user', content: joinText(item.content), ...images(item.content) }];
    case 'assistant':
      return [assistant(item.content)];
    case 'batch': {
      const results = item.results.map((result): OllamaMessage => ({
        role: 'tool',
        content: joinText(result.content),
        ...images(result.content),
        tool_name: result.name,
        tool_call_id: result.callId,
      }));
      if (item.after.length === 0) return results;
      return [...results, { role: 'user', content: joinText(item.after), ...images(item.after) }];
    }
  }
}

function assistant(content: readonly Said[]): OllamaMessage {
  const calls = content.flatMap((block): OllamaCall[] => {
    if (block.type !== 'call') return [];
    return [{ id: block.id, function: { name: block.name, arguments: argumentsObject(block.input) } }];
  });
  const thoughts = content.flatMap((block) => {
    const item = block.type === 'thinking' ? block.seal?.item : undefined;
    return isRecord(item) && typeof item['thinking'] === 'string' ? [item['thinking']] : [];
  });
  return {
    role: 'assistant',
    content: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    ...(thoughts.length > 0 && { thinking: thoughts.join('\n') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function images(content: readonly Shown[]): { images?: string[] } {
  const found = content.flatMap((block) => ('asset' in block ? [slot(block.asset)] : []));
  return found.length > 0 ? { images: found } : {};
}
