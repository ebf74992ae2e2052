import { roleTurns } from '../turns.ts';
import type { Turns } from '../turns.ts';

export const turns: Turns = { ...roleTurns({}), repair: (items) => items, protect: (items) => [...items] };
