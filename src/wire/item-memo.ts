// What was written of a conversation for the turn before, so that a turn writes and spells only what is new. Plans of one
// conversation hold the same item objects again; whoever encodes without a memo gets the same bytes.
import type { Plan } from '../window/plan-types.ts';

type PlanItem = Plan['items'][number];

/** Writes one item in a dialect; `variant` is what else the writing depends on. */
export type WriteItem<Written, Variant> = (item: PlanItem, variant: Variant) => Written;

/** What a conversation's next request takes over from its last one: elements that are written already. */
export type ItemMemo = {
  /** From here on a new turn is written: what the last one did not have is forgotten. */
  turn: () => void;
  written: <Written, Variant>(write: WriteItem<Written, Variant>, item: PlanItem, variant: Variant) => Written;
  /** How an element of a body is spelled as JSON. */
  spelled: <Spelling>(element: object, spell: () => Spelling) => Spelling;
};

export function openItemMemo(): ItemMemo {
  const items = generations<PlanItem, { written: unknown; write: unknown; variant: unknown }>();
  const texts = generations<object, unknown>();
  return {
    turn() {
      items.turn();
      texts.turn();
    },
    written(write, item, variant) {
      const known = items.get(item);
      if (known && known.write === write && known.variant === variant) return known.written as ReturnType<typeof write>;
      const written = write(item, variant);
      items.set(item, { written, write, variant });
      return written;
    },
    spelled(element, spell) {
      const known = texts.get(element) ?? spell();
      texts.set(element, known);
      return known as ReturnType<typeof spell>;
    },
  };
}

/** For whoever writes one request alone. */
export const noMemo: ItemMemo = {
  turn: () => undefined,
  written: (write, item, variant) => write(item, variant),
  spelled: (_, spell) => spell(),
};

type Generations<Key, Value> = {
  turn: () => void;
  get: (key: Key) => Value | undefined;
  set: (key: Key, value: Value) => void;
};

/** A map that forgets what two turns did not ask for. */
function generations<Key, Value>(): Generations<Key, Value> {
  let before = new Map<Key, Value>();
  let now = new Map<Key, Value>();
  return {
    turn() {
      before = now;
      now = new Map();
    },
    get(key) {
      const known = now.get(key) ?? before.get(key);
      if (known !== undefined) now.set(key, known);
      return known;
    },
    set: (key, value) => now.set(key, value),
  };
}
