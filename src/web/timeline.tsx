// A conversation turn by turn, with its pictures; each answer leads to the requests it took.
import { figureAt } from '../page/request.ts';
import { turnHtml } from '../page/timeline.ts';
import { isOpen, pictureEdges, stateOf, stateWords } from '../page/view.ts';
import { Fragment, assetAddress } from './fragment.tsx';
import type { JSX } from './kit.ts';
import { loadEarlier, opened, place, timeline, trouble, viewAddress } from './state.ts';

/** Whoever is asked right now. */
function UnderWay(): JSX.Element {
  const { conversation: id } = place.value;
  const rows = opened.value?.requests ?? [];
  return (
    <>
      {rows.map((row, at) =>
        isOpen(row, Date.now()) ? (
          <p key={row.id} class="who">
            <span>{row.model}</span>
            <a class={`pill ${stateOf(row, Date.now())}`} href={viewAddress(id, row.id)}>
              ● request {at + 1}: {stateWords(row, Date.now())}
            </a>
          </p>
        ) : null,
      )}
    </>
  );
}

export function Timeline(): JSX.Element {
  const now = timeline.value;
  const { conversation: id } = place.value;
  if (!now) return <p class="none">{trouble.value === '' ? 'Loading …' : ''}</p>;
  const figureOf = figureAt((asset, _type, page) => assetAddress(asset, pictureEdges.list, page));
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
      <UnderWay />
    </section>
  );
}
