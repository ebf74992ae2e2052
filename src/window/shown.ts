// What a plan shows: its media, wherever they stand.
import type { Plan, PlannedMedia, PlannedRemote } from './plan-types.ts';

/** The media of a request, in whatever form. */
export function shownMedia({ items }: Pick<Plan, 'items'>): ShownMedia[] {
  return items
    .flatMap((item) =>
      item.role === 'assistant'
        ? []
        : item.role === 'user'
          ? item.content
          : [...item.results.flatMap(({ content }) => content), ...item.after],
    )
    .filter((block) => block.type !== 'text');
}

export type ShownMedia = PlannedMedia | PlannedRemote;

/** What kind of medium a block of a plan is. */
export function kindOfShown(block: ShownMedia): PlannedMedia['type'] {
  return block.type === 'remote' ? block.kind : block.type;
}

/** Those of them that stand inside results. */
export function insideMedia({ items }: Pick<Plan, 'items'>): ShownMedia[] {
  return items
    .flatMap((item) => (item.role === 'batch' ? item.results.flatMap(({ content }) => content) : []))
    .filter((block) => block.type !== 'text');
}
