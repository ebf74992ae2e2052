import { mediaBlocks, roleTurns } from '../turns.ts';
import type { Turns } from '../turns.ts';

export const turns: Turns = {
  ...roleTurns({}),
  repair: (items) => items,
  protect: (items) => [...items],
  media: (value) => mediaBlocks(value, ['images']),
};
