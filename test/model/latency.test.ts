// How long an answer took is told with it, by the clock that everything else goes by.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { collect } from '../../src/message/collect.ts';
import { parseTranscript } from '../../src/wire/parse-transcript.ts';
import { answer } from '../../src/model/answer.ts';
import type { Fetch } from '../../src/model/http/http.ts';
import { streamOf } from './fault-server.ts';
import { hastyClock } from './hasty-clock.ts';
import type { HastyClock } from './hasty-clock.ts';

/** A provider that needs 300 ms to answer at all and 50 ms for each event, by the clock given. */
function provider(clock: HastyClock): Fetch {
  return async () => {
    clock.pass(300);
    const events = streamOf('fine')
      .split('\n\n')
      .filter((event) => event !== '');
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const event = events.shift();
          if (event === undefined) return controller.close();
          clock.pass(50);
          controller.enqueue(new TextEncoder().encode(`${event}\n\n`));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

test('an answer says how long its first content took, and all of it', async () => {
  const clock = hastyClock();
  const options = { model: 'anthropic/claude-sonnet-4-5', key: 'k', assets: memoryAssets(), clock };
  const messages = [{ role: 'user', content: 'x' } as const];
  const message = await collect(answer({ messages }, { ...options, fetch: provider(clock) }));
  // The first event only says that an answer begins; the sixth is the last.
  expect(message.latency).toEqual({ firstMs: 300 + 2 * 50, totalMs: 300 + 6 * 50 });
  const read = parseTranscript({ messages: [...messages, message] });
  expect(read.ok && read.value.messages[1]).toMatchObject({ latency: { firstMs: 400, totalMs: 600 } });
});
