// What was worked out from the bytes of a store: checked blocks, the words of documents, renditions. Bytes are named by
// their hash, so it stays true; it goes with its store, and the oldest goes first.
import type { AssetStore } from './store.ts';

export type AssetMemo<Value> = { get: (key: string) => Value | undefined; set: (key: string, value: Value) => void };

const most = 1000;
const memos = new WeakMap<AssetStore, Map<string, Map<string, unknown>>>();

/** The memo of a store for one kind of findings; whoever asks for a kind says what it holds. */
export function memoOf<Value>(assets: AssetStore, kind: string): AssetMemo<Value> {
  const kinds = memos.get(assets) ?? new Map<string, Map<string, unknown>>();
  memos.set(assets, kinds);
  const values = (kinds.get(kind) ?? new Map<string, unknown>()) as Map<string, Value>;
  kinds.set(kind, values);
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
}
