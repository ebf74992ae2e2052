// Names of tools that a client may give and not every API takes: too long, or with other letters. They go out in another
// spelling, the same on every turn, and a call comes back under the name that the client gave.
import type { BlockInput } from '../content/input.ts';
import { digest } from '../content/text.ts';
import type { ModelEvent } from '../message/event.ts';
import type { MessageInput, TranscriptInput } from '../message/message.ts';
import { namePattern } from '../tool/tool.ts';
import type { RequestOptions } from '../window/plan-types.ts';

/** A name as every API takes it; one that had to be changed stays distinct by a digest. */
function fitting(name: string): string {
  if (name === '' || namePattern.test(name)) return name;
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?=[\d-])/, '_');
  return `${plain.slice(0, 52)}_${digest(name)}`;
}

/** The same conversation with names that fit. */
export function withFittingNames<Given extends Pick<TranscriptInput, 'tools' | 'messages'>>(transcript: Given): Given {
  const { tools = [], messages } = transcript;
  return {
    ...transcript,
    ...(transcript.tools && { tools: tools.map((tool) => ({ ...tool, name: fitting(tool.name) })) }),
    messages: messages.map(withNames),
  };
}

function withNames(message: MessageInput): MessageInput {
  if (message.role === 'tool') return fitting(message.name) === message.name ? message : { ...message, name: fitting(message.name) }; // prettier-ignore
  if (message.role !== 'assistant' || !Array.isArray(message.content)) return message;
  const blocks = message.content as readonly BlockInput[];
  const content = blocks.map((block) =>
    block.type === 'call' && fitting(block.name) !== block.name ? { ...block, name: fitting(block.name) } : block,
  );
  return content.every((block, at) => block === blocks[at]) ? message : { ...message, content };
}

export function fittingChoice(choice: RequestOptions['toolChoice']): RequestOptions['toolChoice'] {
  if (typeof choice !== 'object') return choice;
  return 'tool' in choice ? { tool: fitting(choice.tool) } : { ...choice, among: choice.among.map(fitting) };
}

/** Gives calls the names that the client has for its tools. */
export function clientNames({ tools = [] }: Pick<TranscriptInput, 'tools'>): (event: ModelEvent) => ModelEvent {
  const own = new Map(tools.map(({ name }) => [fitting(name), name]));
  return (event) => {
    if (!('block' in event) || event.block.type !== 'call') return event;
    const { block } = event;
    return { ...event, block: { ...block, name: own.get(block.name) ?? block.name } };
  };
}
