// What whoever serves a page decides: where the page gets the media that a run tells of.
import type { Asset } from '../../content/block.ts';

/** The address under which a page gets a medium. Answer it with `assets.get(id)`, for those who may see it. */
export type MediaUrl = (asset: Asset) => string;

/** Without `mediaUrl` a page is told of media, and cannot show them. */
export type PageOptions = { mediaUrl?: MediaUrl };

/** Something that is pulled → a stream that is pulled: whoever stops reading it stops the run. */
export function streamOf<Value>(source: AsyncIterable<Value>): ReadableStream<Value> {
  const values = source[Symbol.asyncIterator]();
  return new ReadableStream<Value>(
    {
      pull: async (controller) => {
        const next = await values.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await values.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
