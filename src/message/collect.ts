// Events → the message they tell. What an answer that broke off had said is kept; a call that never became complete is
// not, because nobody may run half a call.
import type { Block } from '../content/block.ts';
import type { MessageError } from './error.ts';
import type { ModelEvent } from './event.ts';
import type { AssistantMessage, Latency, Stop, Usage } from './message.ts';

/** The events of an answer; what is told around it (`request-ready` and its like) is passed over. */
export type Collectable = ModelEvent | { type: `request-${string}` };

/** Takes events one by one. */
export type Collector = {
  push: (event: Collectable) => void;
  /** The message as far as it has come. */
  message: () => AssistantMessage;
};

/**
 * Puts events together as they arrive; its message can be had at any time.
 *
 * @example
 * const answer = collector();
 * for await (const event of events) answer.push(event);
 * show(answer.message());
 */
export function collector(): Collector {
  const blocks: { block: Block; text: string; whole: boolean }[] = [];
  let model = '';
  let stop: Stop = 'error'; // until the last event says better
  let usage: Usage | undefined;
  let latency: Latency | undefined;
  let error: MessageError | undefined;
  return {
    push(event) {
      switch (event.type) {
        case 'message-start':
          model = event.model;
          return;
        case 'block-start':
          blocks[event.index] = { block: event.block, text: '', whole: false };
          return;
        case 'block-delta': {
          const open = blocks[event.index];
          if (open) open.text += event.text;
          return;
        }
        case 'block-end':
          blocks[event.index] = { block: event.block, text: '', whole: true };
          return;
        case 'message-end':
          ({ stop, usage, latency } = event);
          return;
        case 'message-error':
          stop = event.code === 'aborted' ? 'aborted' : 'error';
          error = event;
          return;
        default:
      }
    },
    message() {
      const content = blocks.flatMap(({ block, text, whole }) => (whole ? [block] : unfinished(block, text)));
      return {
        role: 'assistant',
        content,
        model,
        ...(usage && { usage }),
        ...(latency && { latency }),
        stop,
        ...(error && { error }),
      };
    },
  };
}

/** What is kept of a block that broke off: its words. A seal belongs to the whole block only. */
function unfinished(block: Block, text: string): Block[] {
  const worded = block.type === 'text' || block.type === 'thinking';
  return worded && text !== '' ? [{ type: block.type, text }] : [];
}

/**
 * The message of a whole stream.
 *
 * @example
 * const message = await collect(send(request));
 */
export async function collect(events: AsyncIterable<Collectable>): Promise<AssistantMessage> {
  const collected = collector();
  for await (const event of events) collected.push(event);
  return collected.message();
}
