// `act()`: the loop under the option names of Scrapybara's SDK, for programs that were written for it.
import type { CallBlock, Detail } from '../content/block.ts';
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage, Message, MessageInput, Stop, Usage } from '../message/message.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { JsonSchema, StandardSchema } from '../tool/schema.ts';
import { checkNames } from '../tool/tool.ts';
import type { InputOf, Tool } from '../tool/tool.ts';
import type { RunStop } from './event.ts';
import { runAgent } from './run.ts';
import type { AgentOptions, ModelChoice } from './options.ts';
import { ourMessages, ourModels, ourTool } from './scrapybara.ts';
import type { ActModel, ForeignTool } from './scrapybara.ts';

export type { ActModel, ForeignModel, ForeignTool } from './scrapybara.ts';

/** Why an answer ended, in the words of that SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** What a call gave: our message, and the same in that SDK's names with the very value that its tool returned. */
export type ActToolResult = ToolMessage & { toolCallId: string; toolName: string; isError: boolean; result?: unknown };

/** One answer with what its calls gave, media and details included. */
export type ActStep = {
  text: string;
  reasoning: string;
  toolCalls: CallBlock[];
  toolResults: ActToolResult[];
  finishReason: FinishReason;
  usage?: Usage;
};

/** What a run is told, in that SDK's names. */
export type ActOptions<Schema extends StandardSchema | JsonSchema = JsonSchema> = Omit<
  AgentOptions,
  'approve' | 'messages' | 'model' | 'tools' | 'output'
> & {
  /** Ours, or made with that SDK's `anthropic()` or `openai()`; several as for `runAgent`. */
  model: ActModel | readonly ActModel[];
  /** Ours, or made with that SDK's `tool()`. */
  tools?: readonly (Tool | ForeignTool)[];
  /** Ours, or made of that SDK's parts. */
  messages?: readonly (MessageInput | { role: string; content: unknown })[];
  /** The answer is wanted in this form; it is then in `output`. */
  schema?: Schema;
  /** Called when all calls of an answer are answered; the next one waits for it. */
  onStep?: (step: ActStep) => void | Promise<void>;
  onAssistantMessage?: (message: AssistantMessage) => void | Promise<void>;
  onToolMessage?: (message: ToolMessage) => void | Promise<void>;
};

/** How a run went, in that SDK's names. */
export type ActResult<Output> = {
  messages: Message[];
  steps: ActStep[];
  text: string;
  output?: Output;
  usage: Usage;
  stop: RunStop;
  error?: MessageError;
};

/** Screenshots pile up in such loops; exactly the newest stay, as programs for that SDK expect, unless more are asked for. */
const imagesToKeep = 4;

/** Screens change little from one picture to the next and are looked at often; who states a detail gets that. */
function screenDetail({ model, profile }: Pick<AgentOptions, 'model' | 'profile'>): Detail | undefined {
  const models = [model].flat() as readonly ModelChoice[];
  const stated = [profile, ...models.map((choice) => (typeof choice === 'string' ? undefined : choice.profile))];
  return stated.some((one) => one?.imageDetail !== undefined) ? undefined : 'low';
}

/**
 * Runs to the end. Rejects only for wrong options and for what a callback throws.
 *
 * @example
 * const { text, steps } = await act({ model: 'anthropic/claude-sonnet-5', tools: [computer], prompt: 'Open the news.' });
 */
export async function act<const Schema extends StandardSchema | JsonSchema = JsonSchema>(
  options: ActOptions<Schema>,
): Promise<ActResult<InputOf<Schema>>> {
  const steps = actStream(options);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
  }
}

/**
 * The same, a step at a time; what comes at the end is what `act` gives.
 *
 * @example
 * for await (const step of actStream({ model, tools, prompt: 'Open the news.' })) console.log(step.text);
 */
export async function* actStream<const Schema extends StandardSchema | JsonSchema = JsonSchema>(
  options: ActOptions<Schema>,
): AsyncGenerator<ActStep, ActResult<InputOf<Schema>>> {
  const { schema, onStep, onAssistantMessage, onToolMessage, tools = [], messages: before, model, ...given } = options;
  const rest = { ...ourModels(model), ...given };
  const steps: ActStep[] = [];
  const returned = new Map<string, unknown>();
  checkNames(tools);
  const detail = screenDetail(rest);
  const run = runAgent({
    imagesToKeep,
    strict: true,
    tiles: 'off', // what is clicked on has one system of coordinates
    ...rest,
    ...(before && { messages: await ourMessages(before, storedAt(rest), detail) }),
    tools: tools.map((tool) => ourTool(tool, returned, detail)),
    ...(schema && { output: schema }),
  });
  for await (const event of run) {
    if (event.type !== 'message-added') continue;
    const { message } = event;
    if (message.role === 'user' || (message.role === 'tool' && message.late)) continue; // they end no step
    if (message.role === 'assistant') {
      steps.push(stepOf(message));
      await onAssistantMessage?.(message);
    } else {
      steps.at(-1)?.toolResults.push(inTheirNames(message, returned));
      await onToolMessage?.(message);
    }
    const step = steps.at(-1);
    if (!step || step.toolResults.length < step.toolCalls.length) continue;
    await onStep?.(step);
    yield step;
  }
  const { messages, text, usage, stop, output, error } = await run;
  return {
    messages,
    steps,
    text,
    usage,
    stop,
    ...(schema && stop === 'end' && { output: output as InputOf<Schema> }),
    ...(error && { error }),
  };
}

/** Where the media of stored messages are kept, and which files they may name. */
function storedAt({ session, assets = session?.assets, base, roots }: AgentOptions): Parameters<typeof ourMessages>[1] {
  return { base, roots, ...(assets && { assets }) };
}

function inTheirNames(message: ToolMessage, returned: Map<string, unknown>): ActToolResult {
  const { callId: toolCallId, name: toolName, details } = message;
  const result = returned.get(toolCallId) ?? details;
  returned.delete(toolCallId);
  return {
    ...message,
    isError: message.isError ?? false,
    toolCallId,
    toolName,
    ...(result !== undefined && { result }),
  };
}

const reasons: Record<Stop, FinishReason> = {
  end: 'stop',
  calls: 'tool-calls',
  length: 'length',
  paused: 'other',
  declined: 'content-filter',
  aborted: 'other',
  error: 'error',
};

function stepOf({ content, usage, stop = 'end' }: AssistantMessage): ActStep {
  const wordsOf = (type: 'text' | 'thinking'): string =>
    content.flatMap((block) => (block.type === type ? [block.text] : [])).join('');
  return {
    text: wordsOf('text'),
    reasoning: wordsOf('thinking'),
    toolCalls: content.filter((block) => block.type === 'call'),
    toolResults: [],
    finishReason: reasons[stop],
    ...(usage && { usage }),
  };
}
