// The events of a run with its streamed words held back so far that no secret is told in two parts.
import type { AgentEvent } from '../agent/event.ts';
import { hidingStream } from '../config/secrets.ts';
import type { HidingStream } from '../config/secrets.ts';

type Delta = Extract<AgentEvent, { type: 'block-delta' }>;

/** Every event as it is, but words that may be the beginning of a secret wait for those that follow. */
export async function* hiddenDeltas(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let open: { last: Delta; hiding: HidingStream } | undefined;
  for await (const event of events) {
    if (open && !(event.type === 'block-delta' && event.index === open.last.index)) {
      const rest = open.hiding.end();
      if (rest !== '') yield { ...open.last, text: rest };
      open = undefined;
    }
    if (event.type !== 'block-delta') {
      yield event;
      continue;
    }
    open = { last: event, hiding: open?.hiding ?? hidingStream() };
    const text = open.hiding.add(event.text);
    if (text !== '') yield { ...event, text };
  }
}
