// Requests of a home on their way into its records: how much of each is kept, for how long, and without whose secrets.
import type { AssetStore } from '../content/asset-store.ts';
import { environmentSecrets, withoutSecrets } from '../config/secret-names.ts';
import type { Ended, Recorder } from '../record/record.ts';
import type { RecordMode, RequestTable } from '../record/table.ts';
import type { EntryId } from './entry.ts';
import { thisHolder } from './log/holder.ts';

/** How much of a request is kept, and for how long. */
export type RecordOptions = {
  /** `all` unless set; `shape` keeps digests and lengths in place of words, `off` nothing. */
  record?: RecordMode | 'off';
  /** 30 days unless set. */
  keepMs?: number;
  /** What all records may take, media aside; 256 MB unless set. */
  maxBytes?: number;
  /** What is masked wherever it stands; by default the keys of the environment. */
  secrets?: () => readonly string[];
};

type Recording = { recorder: Recorder; close: () => Promise<void>; retain: () => Promise<void> };

const keepMs = 30 * 24 * 60 * 60 * 1000;
const maxBytes = 256 * 1000 * 1000;
/** Looked after with the first record, and then every so many. */
const tidyEvery = 200;
/** How long nothing is recorded after a record could not be stored. */
const offMs = 60_000;

/** How a request ended whose end nobody was told. */
export function unheard(why: string): Ended {
  const message = `${why}: how it ended was not recorded.`;
  return {
    state: 'broken',
    attempts: [],
    error: { type: 'message-error', code: 'aborted', message, retryable: false },
  };
}

/** Records over a table; undefined where there is none, or nothing is to be recorded. */
export function recordingOver(
  table: RequestTable | undefined,
  assets: AssetStore,
  options: RecordOptions & { now: () => number },
): Recording | undefined {
  const { record = 'all', secrets: find = environmentSecrets, now } = options;
  if (!table || record === 'off') return undefined;
  let secrets: readonly string[] | undefined;
  const mask = (text: string): string => withoutSecrets(text, (secrets ??= find()));
  let opening: Promise<Recorder> | undefined; // loaded with the first request
  const kept = (): Promise<Recorder> =>
    (opening ??= import('../record/keeper.ts').then(({ keeper }) => keeper(table, { record, mask, by: thisHolder() })));
  const tidy = async (): Promise<void> => {
    const { retain } = await import('../record/table.ts');
    const until = now() - (options.keepMs ?? keepMs);
    await retain(table, { until, maxBytes: options.maxBytes ?? maxBytes });
  };
  let begun = 0;
  const underWay = new Map<string, Ended | undefined>(); // and how it ended, until that is stored
  let last: Promise<unknown> = Promise.resolve();
  let offUntil = -Infinity;
  /** One that failed is left alone for a while: whoever uses it is told, and not with every request. */
  const unlessOff = <Result>(work: () => Promise<Result>): Promise<Result | void> => {
    if (now() < offUntil) return Promise.resolve();
    const done = work().catch((error: unknown) => {
      offUntil = Math.max(offUntil, now() + offMs);
      opening = undefined; // what stood on a record that was never stored stands alone
      throw error;
    });
    last = done.catch(() => undefined);
    return done;
  };
  const stored: Recorder['begin'] = async (request, body) => {
    try {
      return await (await kept()).begin(request, body);
    } catch (error) {
      underWay.delete(request.id); // there is nothing that could end
      throw error;
    }
  };
  return {
    recorder: {
      inOrder: true,
      begin: (request, body) =>
        unlessOff(async () => {
          underWay.set(request.id, undefined);
          const found = await stored(request, body);
          if (begun++ % tidyEvery === 0) await tidy();
          return found;
        }),
      end: (id, ended) => {
        if (underWay.has(id)) underWay.set(id, ended);
        return unlessOff(async () => {
          await (await kept()).end(id, ended);
          underWay.delete(id);
        });
      },
      ...(record === 'all' && { assets }),
    },
    close: async () => {
      for (let before: unknown; before !== last;) {
        before = last;
        await before;
        await new Promise((resolve) => setTimeout(resolve, 0)); // an end may stand behind its begin
      }
      const closed = unheard('The sessions were closed before it ended');
      for (const [id, ended = closed] of underWay)
        void unlessOff(async () => (await kept()).end(id, ended)).catch(() => undefined);
      offUntil = Infinity; // what ends later is told to nobody, and is no trouble
      await last;
    },
    retain: tidy,
  };
}

/** The recorder of one session: its requests name it and the entry they were planned from, and it holds the answers. */
export function sessionRecorder(
  to: Recorder,
  { id: session, assets, newest }: { id: string; assets: AssetStore; newest: () => EntryId | undefined },
): Recorder {
  const asked = new Set<string>(); // requests for an answer that are under way
  return {
    ...to,
    ...(to.assets && { assets }),
    conversation: session,
    begin: (record, body) => {
      const upTo = newest();
      if (record.purpose === 'answer') asked.add(record.id);
      return to.begin({ ...record, conversation: session, ...(upTo !== undefined && { upTo }) }, body);
    },
    end: (id, ended) => {
      const { answer: _, ...rest } = ended;
      return to.end(id, asked.delete(id) ? rest : ended);
    },
  };
}
