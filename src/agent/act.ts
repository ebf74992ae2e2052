// `act()`: the loop under the option names of Scrapybara's SDK, for programs that were written for it.
import { isRecord } from '../content/json.ts';
import type { CallBlock } from '../content/block.ts';
import type { MessageError } from '../message/event.ts';
import type { AssistantMessage, Message, Usage } from '../message/message.ts';
import type { ToolMessage } from '../tool/result.ts';
import type { JsonSchema, StandardSchema } from '../tool/schema.ts';
import { defineTool } from '../tool/tool.ts';
import type { InputOf } from '../tool/tool.ts';
import type { RunStop } from './event.ts';
import { runAgent } from './run.ts';
import type { AgentOptions } from './run.ts';

/** One answer with what its calls gave, media and details included. */
export type ActStep = {
  text: string;
  reasoning: string;
  toolCalls: CallBlock[];
  toolResults: ToolMessage[];
  usage?: Usage;
};

export type ActOptions<Schema extends StandardSchema | JsonSchema = JsonSchema> = Omit<AgentOptions, 'approve'> & {
  /** The answer is wanted in this form; it is then in `output`. */
  schema?: Schema;
  onStep?: (step: ActStep) => void | Promise<void>;
  onAssistantMessage?: (message: AssistantMessage) => void | Promise<void>;
  onToolMessage?: (message: ToolMessage) => void | Promise<void>;
};

export type ActResult<Output> = {
  messages: Message[];
  steps: ActStep[];
  text: string;
  output?: Output;
  usage: Usage;
  stop: RunStop;
  error?: MessageError;
};

/** Screenshots pile up in such loops; the newest are enough unless more are asked for. */
const imagesToKeep = 4;

export async function act<const Schema extends StandardSchema | JsonSchema = JsonSchema>(
  options: ActOptions<Schema>,
): Promise<ActResult<InputOf<Schema>>> {
  const { schema, onStep, onAssistantMessage, onToolMessage, tools = [], ...rest } = options;
  const stopped = new AbortController();
  const steps: ActStep[] = [];
  let output: { value: unknown } | undefined;
  const structured =
    schema &&
    defineTool({
      name: 'structured_output',
      description: 'Gives the final answer in the form that the user asked for. Call it once, when all is done.',
      input: schema,
      run: (input) => {
        output = { value: input };
        return 'The answer was taken.';
      },
    });
  const run = runAgent({
    imagesToKeep,
    ...rest,
    tools: structured ? [...tools, structured] : tools,
    signal: rest.signal ? AbortSignal.any([rest.signal, stopped.signal]) : stopped.signal,
  });
  let step: ActStep | undefined;
  let reminded = false;
  for await (const event of run) {
    if (event.type === 'step-start' || event.type === 'run-end') {
      if (step) await onStep?.(step);
      step = undefined;
      if (event.type === 'step-start' && output) stopped.abort(); // it has answered; nothing more is wanted
    }
    if (event.type !== 'message-added') continue;
    const { message } = event;
    if (message.role === 'assistant') {
      step = stepOf(message);
      steps.push(step);
      await onAssistantMessage?.(message);
      if (structured && !output && step.toolCalls.length === 0 && !reminded) {
        reminded = true;
        run.add('Give the answer by calling structured_output.');
      }
    } else if (message.role === 'tool') {
      step?.toolResults.push(message);
      await onToolMessage?.(message);
    }
  }
  const { messages, text, usage, stop, error } = await run.result();
  return {
    messages,
    steps,
    text,
    usage,
    stop: output && stop === 'aborted' ? 'end' : stop,
    ...(output && { output: output.value as InputOf<Schema> }),
    ...(error && { error }),
  };
}

function stepOf({ content, usage }: AssistantMessage): ActStep {
  const textOf = (type: 'text' | 'thinking'): string =>
    content.flatMap((block) => (block.type === type && isRecord(block) ? [block.text] : [])).join('');
  return {
    text: textOf('text'),
    reasoning: textOf('thinking'),
    toolCalls: content.filter((block) => block.type === 'call'),
    toolResults: [],
    ...(usage && { usage }),
  };
}
