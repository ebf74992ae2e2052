// What whoever serves a page decides: where the page gets the media that a run tells of.
import type { Asset } from '../../content/block.ts';

/** The address under which a page gets a medium. Answer it with `assets.get(id)`, for those who may see it. */
export type MediaUrl = (asset: Asset) => string;

/** Without `mediaUrl` a page is told of media, and cannot show them. */
export type PageOptions = { mediaUrl?: MediaUrl };

/** Events, each as what a page is told of it, in a stream that is pulled: whoever stops reading it stops the run, whatever the
 * run waits for. */
export function streamOf<Event, Value>(
  events: AsyncIterable<Event>,
  valuesOf: (event: Event) => readonly Value[],
  first: readonly Value[] = [],
): ReadableStream<Value> {
  const ready = [...first];
  let source: Events<Event> | undefined; // a run begins when its first event is wanted
  const told = async (event: Event): Promise<readonly Value[]> => {
    try {
      return valuesOf(event);
    } catch (error) {
      await source?.leave();
      throw error;
    }
  };
  return new ReadableStream<Value>(
    {
      pull: async (controller) => {
        while (ready.length === 0) {
          const next = await (source ??= eventsFrom(events)).next();
          if (next.done === true) return controller.close();
          ready.push(...(await told(next.value)));
        }
        controller.enqueue(ready.shift() as Value);
      },
      cancel: async () => void (await source?.leave()),
    },
    { highWaterMark: 0 },
  );
}

type Events<Event> = { next: () => Promise<IteratorResult<Event, unknown>>; leave: () => Promise<unknown> };

/** The iterator of a stream would wait for the next value before it leaves; its reader does not. */
function eventsFrom<Event>(events: AsyncIterable<Event>): Events<Event> {
  if (events instanceof ReadableStream) {
    const reader: ReadableStreamDefaultReader<Event> = events.getReader();
    return { next: () => reader.read(), leave: () => reader.cancel() };
  }
  const iterator = events[Symbol.asyncIterator]();
  return { next: () => iterator.next(), leave: async () => await iterator.return?.() };
}
