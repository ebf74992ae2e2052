// An answer on its way to another SDK: its bytes pass as they are, and how it ended is read along. Whoever stops
// reading stops the provider, as without it.
import { collector } from '../message/collect.ts';
import type { ModelEvent } from '../message/event.ts';
import type { MessageError } from '../message/error.ts';
import { complaintOf } from '../model/heal/complaint.ts';
import { redact } from '../model/redact.ts';
import { unsealed } from '../model/recorder.ts';
import type { Ended } from '../record/record.ts';
import { costOf } from '../window/prices.ts';
import type { Profile, WireName } from '../window/profile.ts';
import { decodeEvents } from '../wire/decode.ts';

/** Whose answer it is, what must not be written down of it, and who may have stopped it. */
export type HeardFrom = {
  wire: WireName;
  profile: Profile;
  secrets: () => readonly string[];
  signal: AbortSignal | undefined;
};

type Heard = Omit<Ended, 'attempts'>;

/** The same answer; `over` hears once how it ended. */
export function heardAlong(response: Response, about: HeardFrom, over: (heard: Heard) => void): Response {
  if (response instanceof Response && response.ok && response.body)
    return passing(response, response.body, about, over);
  const status = response.status;
  if (response.ok) over({ state: 'answered' });
  else
    void wordsOf(response).then((words) =>
      over({ state: 'refused', error: plainError({ ...complaintOf(status, words, response.headers), status }, about) }),
    );
  return response;
}

/** Read from a copy; what nobody can read says nothing. */
async function wordsOf(response: Response): Promise<string> {
  try {
    return await response.clone().text();
  } catch {
    return '';
  }
}

function plainError({ code, message, retryable, status, path }: MessageError, { secrets }: HeardFrom): MessageError {
  return {
    type: 'message-error',
    code,
    message: redact(message, secrets()),
    retryable,
    ...(status !== undefined && { status }),
    ...(path !== undefined && { path }),
  };
}

function passing(
  response: Response,
  body: ReadableStream<Uint8Array>,
  about: HeardFrom,
  over: (heard: Heard) => void,
): Response {
  const reader = body.getReader();
  const copy = openCopy();
  const heard = hear(response, copy.stream, about);
  let isOver = false;
  const finish = async (cut?: Heard): Promise<void> => {
    if (isOver) return; // whoever aborts may stop reading as well
    isOver = true;
    copy.close();
    const { answer, ...ended } = await heard;
    over({ ...(cut && ended.state !== 'answered' ? cut : ended), ...(answer && { answer }) });
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (isOver) return; // whoever asked for this has stopped reading since
          if (next.done) {
            await finish();
            return controller.close();
          }
          copy.push(next.value.slice());
          controller.enqueue(next.value);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          const wrong = { type: 'message-error', code: 'network', message, retryable: true } as const;
          await finish(
            about.signal?.aborted ? { state: 'aborted' } : { state: 'broken', error: plainError(wrong, about) },
          );
          controller.error(error);
        }
      },
      async cancel(reason) {
        const told = finish({ state: 'aborted' });
        await reader.cancel(reason);
        await told;
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers, url, redirected, type } = response;
  const same = new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, { status, statusText, headers });
  return Object.defineProperties(same, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  });
}

type Copy = { stream: ReadableStream<Uint8Array>; push: (bytes: Uint8Array) => void; close: () => void };

/** Bytes for a reader that may stop before they do. */
function openCopy(): Copy {
  let to: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (to = controller),
    cancel: () => void (to = undefined),
  });
  const close = (): void => {
    to?.close();
    to = undefined;
  };
  return { stream, push: (bytes) => to?.enqueue(bytes), close };
}

/** What came, as far as it came. An answer that is none of this dialect is told by its status alone. */
async function hear(
  { status, headers }: Response,
  stream: ReadableStream<Uint8Array>,
  about: HeardFrom,
): Promise<Heard> {
  const { wire, profile } = about;
  const told = new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, { status, headers });
  const said = collector();
  let last: ModelEvent | undefined;
  for await (const event of decodeEvents(wire, { endpoint: profile.endpoint, model: profile.id }, told)) {
    said.push(event);
    last = event;
  }
  const answer = unsealed(said.message());
  return { ...endOf(last, about), ...(answer.content.length > 0 && { answer }) };
}

function endOf(last: ModelEvent | undefined, about: HeardFrom): Heard {
  if (last?.type === 'message-error' && last.code !== 'malformed')
    return { state: 'broken', error: plainError(last, about) };
  if (last?.type !== 'message-end') return { state: 'answered' };
  const { stop, usage, response } = last;
  const cost = usage && costOf(about.profile, usage);
  return {
    state: 'answered',
    stop,
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
    ...(response && { response }),
  };
}
