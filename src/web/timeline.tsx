// A conversation turn by turn, with its pictures; each answer leads to the requests it took.
import { figureAt } from '../page/request.ts';
import { turnHtml } from '../page/timeline.ts';
import { pictureEdges } from '../page/view.ts';
import { Fragment, assetAddress } from './fragment.tsx';
import type { JSX } from './kit.ts';
import { loadEarlier, place, timeline, trouble, viewAddress } from './state.ts';

export function Timeline(): JSX.Element {
  const now = timeline.value;
  const { conversation: id } = place.value;
  if (!now) return <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>;
  const figureOf = figureAt((asset) => assetAddress(asset, pictureEdges.list));
  return (
    <section class="timeline" aria-label="Timeline">
      {now.from > 0 && (
        <button type="button" class="more" onClick={loadEarlier}>
          {now.from} earlier turns
        </button>
      )}
      {now.all === 0 && <p class="empty">What was said here is not kept; its requests are.</p>}
      {now.turns.map((turn, at) => (
        <Fragment key={now.from + at} of={turnHtml(turn, figureOf, (one) => viewAddress(id, one.id))} />
      ))}
    </section>
  );
}
