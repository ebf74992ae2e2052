import { isUnderstood, roleTurns } from '../turns.ts';
import type { Turns } from '../turns.ts';

export const turns: Turns = {
  ...roleTurns('{}'),
  repair: (items) => items,
  protect: (items, wordFor, decides) =>
    items.map((item) => {
      const { role, content } = item;
      if (role !== 'user' || !Array.isArray(content)) return item;
      const blocks = content.map((block: unknown) =>
        isUnderstood(block, 'user', decides) ? block : { type: 'text', text: wordFor(block) },
      );
      return { ...item, content: blocks };
    }),
};
