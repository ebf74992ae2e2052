// What a program sees of the loop: what it is told, its events, its result. Only wrong use of a run throws; whatever
// happens in it is told by its result.
import { checkContent } from '../content/input.ts';
import type { ContentInput } from '../content/input.ts';
import { SightlineError } from '../content/refusal.ts';
import { checkHeld } from './check-options.ts';
import type { OutputOf, OutputSchema } from '../window/output.ts';
import type { AnyTool, Tool } from '../tool/tool.ts';
import { channel } from './channel.ts';
import type { AgentEvent, Emit } from './event.ts';
import { loop } from './loop.ts';
import type { Added } from './loop.ts';
import type { AgentOptions, RunResult } from './options.ts';

/** A run: read its events, or await its result. It begins with either; neither throws for what happens in it. */
export type AgentRun<Output = unknown, Tools extends readonly AnyTool[] = readonly AnyTool[]> = AsyncIterable<
  AgentEvent<Tools>
> &
  PromiseLike<RunResult<Output>> & {
    /** The same as awaiting the run. */
    result: () => Promise<RunResult<Output>>;
    /**
     * Says something while the run goes on; the model reads it before its next answer. False when the run is over. What
     * was added and an abort or an error came before is not in the messages: say it again.
     */
    add: (content: ContentInput) => boolean;
    /** Stops the run as its signal would: open calls are answered as cancelled, and its result carries the reason. */
    stop: (reason?: unknown) => void;
  };

/**
 * Runs a model and its tools until it has nothing more to call. It starts when its events are read or it is awaited.
 * Whoever stops reading the events stops the run.
 *
 * @example
 * const { text } = await runAgent({ model: 'anthropic/claude-sonnet-5', tools: [chart], prompt: 'How were sales?' });
 */
export function runAgent<
  const Schema extends OutputSchema | undefined = undefined,
  const Tools extends readonly AnyTool[] = readonly Tool[],
>(given: AgentOptions<Tools, Schema>): AgentRun<OutputOf<Schema>, Tools> {
  const options = given as unknown as AgentOptions; // what the types promise each other holds no more inside
  type Result = RunResult<OutputOf<Schema>>;
  const added: Added = { contents: [], over: false };
  const stopped = new AbortController();
  checkHeld(options);
  const signal = options.signal ? AbortSignal.any([options.signal, stopped.signal]) : stopped.signal;
  const events = channel<AgentEvent<Tools>>();
  let running: Promise<Result> | undefined;
  let read = false;
  const start = (emit: Emit): Promise<Result> =>
    (running ??= (loop({ ...options, signal }, added, emit) as Promise<Result>).finally(() => {
      added.over = true;
      events.close();
    }));
  const result = (): Promise<Result> => start(async () => undefined);
  async function* eventsOfRun(): AsyncGenerator<AgentEvent<Tools>> {
    void start(events.push as Emit);
    let whole = false;
    try {
      yield* events.read();
      whole = true;
    } finally {
      if (!whole) stopped.abort(left);
    }
  }
  return {
    add: (content) => {
      checkContent(content, 'What is added');
      if (!added.over) added.contents.push(content);
      return !added.over;
    },
    stop: (reason) => stopped.abort(reason),
    result,
    // oxlint-disable-next-line unicorn/no-thenable -- a run is awaited for its result
    then: (done, failed) => result().then(done, failed),
    [Symbol.asyncIterator]: () => {
      if (running ?? read) throw new SightlineError('input', read ? readTwice : readLate);
      read = true;
      return leavable(eventsOfRun(), () => stopped.abort(left));
    },
  };
}

const left = 'Nobody reads its events any more.';

/** A generator hears that its reader leaves when its next value is there; what leaves while it is waited for is heard at once. */
function leavable<Value>(values: AsyncGenerator<Value>, leave: () => void): AsyncIterator<Value> {
  let waited = false;
  const next = async (): Promise<IteratorResult<Value>> => {
    waited = true;
    return await values.next().finally(() => (waited = false));
  };
  return {
    next,
    return: (value) => {
      if (waited) leave();
      return values.return(value);
    },
  };
}

const readTwice =
  'The events of this run are read already, and told once. Hand them on from that one loop, or start another run.';
const readLate =
  'This run was started by awaiting it or by result(), which tells no events. Read its events first ("for await … of run"), then await it.';
