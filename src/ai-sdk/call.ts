// What the AI SDK asks of a model, in our terms: a transcript, the options of a request, and what of it has no place here.
import type { Block, Seal } from '../content/block.ts';
import type { BlockInput, ContentInput } from '../content/input.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import { deniedCall } from '../content/words.ts';
import type { MessageInput, TranscriptInput } from '../message/message.ts';
import { normaliseResult } from '../tool/normalise.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { RequestOptions, ToolChoice } from '../window/plan-types.ts';
import type { Effort } from '../window/rules.ts';
import { unknownPart } from '../wire/accepted.ts';
import { mediumElsewhere, mediumOf } from './turn.ts';
import type {
  LanguageModelV4CallOptions as CallOptions,
  LanguageModelV4Message as PromptMessage,
  LanguageModelV4ToolResultPart as ResultPart,
  SharedV4ProviderOptions as ProviderOptions,
  SharedV4Warning as Warning,
} from './types.ts';

/** The name under which we keep what must come back to us. */
export const ownName = 'sightline';

export type ModelCall = { transcript: TranscriptInput; options: RequestOptions; warnings: Warning[] };

/** Reads a call of the AI SDK. Media in results are found wherever they hide. */
export async function readCall(given: CallOptions, model: string, intake: Intake): Promise<ModelCall> {
  const warnings: Warning[] = [];
  const system = given.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  const messages: MessageInput[] = [];
  for (const message of given.prompt) messages.push(...(await messagesFrom(message, model, intake, warnings)));
  const tools = toolsOf(given, warnings);
  for (const option of ['presencePenalty', 'frequencyPenalty'] as const)
    if (given[option] !== undefined) warnings.push({ type: 'unsupported', feature: option });
  const transcript = { messages, ...(system.length > 0 && { system: system.join('\n\n') }), ...(tools && { tools }) };
  return { transcript, options: optionsOf(given), warnings };
}

function toolsOf({ tools }: CallOptions, warnings: Warning[]): ToolSpec[] | undefined {
  return tools?.flatMap((tool): ToolSpec[] => {
    if (tool.type === 'function') {
      const { name, description = '', inputSchema } = tool;
      return [{ name, description, inputSchema: inputSchema as ToolSpec['inputSchema'] }];
    }
    warnings.push({ type: 'unsupported', feature: `the provider's own tool ${tool.name}` });
    return [];
  });
}

function optionsOf(given: CallOptions): RequestOptions {
  const { maxOutputTokens, temperature, stopSequences, topP, topK, seed, responseFormat, reasoning } = given;
  const thinking = reasoning && efforts[reasoning];
  const form = responseFormat?.type === 'json' ? responseFormat : undefined;
  return {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences && stopSequences.length > 0 && { stop: stopSequences }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(thinking && { thinking }),
    ...(given.toolChoice && { toolChoice: choiceOf(given.toolChoice) }),
    ...(form && !form.schema && { json: true }),
    ...(form?.schema && {
      output: { schema: form.schema as Record<string, unknown>, ...(form.name !== undefined && { name: form.name }) },
    }),
  };
}

const efforts: Record<NonNullable<CallOptions['reasoning']>, Effort | undefined> = {
  'provider-default': undefined,
  none: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

function choiceOf(choice: NonNullable<CallOptions['toolChoice']>): ToolChoice {
  return choice.type === 'tool' ? { tool: choice.toolName } : choice.type;
}

async function messagesFrom(
  message: PromptMessage,
  model: string,
  intake: Intake,
  warnings: Warning[],
): Promise<MessageInput[]> {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', content: message.content.map((part) => blockFrom(part, warnings)) }];
    case 'assistant': {
      const content = message.content.flatMap((part) => saidIn(part, warnings));
      const seal = content.find((block) => 'seal' in block && block.seal);
      const author = seal && 'seal' in seal && seal.seal ? `${seal.seal.endpoint}/${seal.seal.model}` : model;
      return content.length > 0 ? [{ role: 'assistant', model: author, content }] : [];
    }
    case 'tool': {
      const results = message.content.filter((part) => part.type === 'tool-result');
      return Promise.all(results.map((part) => resultFrom(part, intake, warnings)));
    }
  }
}

type GivenPart = Parameters<typeof mediumOf>[0] | { type: 'text'; text: string } | { type: 'custom' };

function blockFrom(part: GivenPart, warnings: Warning[]): BlockInput {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const medium = part.type === 'file' ? mediumOf(part) : undefined;
  if (medium) return medium;
  if (part.type === 'file' && part.data.type === 'text') return { type: 'text', text: part.data.text };
  const elsewhere = part.type === 'file' ? mediumElsewhere(part) : undefined;
  if (elsewhere) return elsewhere;
  warnings.push({ type: 'unsupported', feature: 'files by their id' });
  return unknownPart(part);
}

type SaidPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];

function saidIn(part: SaidPart, warnings: Warning[]): BlockInput[] {
  const seal = sealIn(part.providerOptions);
  switch (part.type) {
    case 'text':
      return part.text === '' && !seal ? [] : [{ type: 'text', text: part.text, ...(seal && { seal }) }];
    case 'reasoning': {
      const isRedacted = part.providerOptions?.[ownName]?.['redacted'] === true;
      return [{ type: 'thinking', text: part.text, ...(isRedacted && { redacted: true }), ...(seal && { seal }) }];
    }
    case 'tool-call':
      return [{ type: 'call', id: part.toolCallId, name: part.toolName, input: part.input, ...(seal && { seal }) }];
    case 'custom':
      return seal ? [{ type: 'sealed', seal }] : [];
    case 'file':
      return [blockIn(part.providerOptions) ?? blockFrom(part, warnings)];
    default:
      warnings.push({ type: 'unsupported', feature: `${part.type} of an assistant` });
      return [];
  }
}

function sealIn(options: ProviderOptions | undefined): Seal | undefined {
  const seal = options?.[ownName]?.['seal'];
  return isRecord(seal) && 'item' in seal ? (seal as unknown as Seal) : undefined;
}

/** A picture that a model made, as it was stored. */
function blockIn(options: ProviderOptions | undefined): Block | undefined {
  const block = options?.[ownName]?.['block'];
  return isRecord(block) && block['type'] === 'image' && 'asset' in block ? (block as unknown as Block) : undefined;
}

async function resultFrom(
  { toolCallId, toolName, output }: ResultPart,
  intake: Intake,
  warnings: Warning[],
): Promise<MessageInput> {
  const isError = output.type.startsWith('error') || output.type === 'execution-denied';
  const content = async (): Promise<ContentInput> => {
    if (output.type === 'content') return output.value.map((part) => blockFrom(part, warnings));
    if (output.type === 'execution-denied') return output.reason ?? deniedCall;
    return (await normaliseResult(output.value, intake)).content;
  };
  return { role: 'tool', callId: toolCallId, name: toolName, content: await content(), ...(isError && { isError }) };
}
