// HTML that our renderer made, put in through the one policy that may.
import type { AssetId } from '../content/block.ts';
import { hashIn } from '../content/block.ts';
import type { Html } from '../page/html.ts';
import { pictureEdges } from '../page/view.ts';
import { dateAndTime } from './clock.ts';
import { useEffect, useRef } from './kit.ts';
import type { JSX } from './kit.ts';
import { followLoupe, wholeAddress } from './loupe.ts';
import { unfold } from './state.ts';

type Policy = { createHTML: (text: string) => string };
type Types = { createPolicy: (name: string, rules: Policy) => Policy };

const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
const rules: Policy = { createHTML: (text) => text };
const policy = types?.createPolicy('sightline', rules) ?? rules;

/** Where the server shows a medium, with its longer side at most so long. */
export const assetAddress = (id: AssetId, edge: number, page = 1): string =>
  `/api/assets/${hashIn(id)}?edge=${edge}${page > 1 ? `&page=${page}` : ''}`;

/** The same beside another one, with no more pixels than this screen has there. */
export function besideAddress(id: AssetId, _type: string, page?: number): string {
  const share = innerWidth > 700 ? 0.27 : 0.92; // of the width, as the style gives it
  const { beside, wide } = pictureEdges;
  return assetAddress(id, innerWidth * share * devicePixelRatio > beside ? wide : beside, page);
}

/** What is no longer looked at is not waited for, and its bytes are not kept until somebody collects them. */
function leave(place: HTMLElement): void {
  for (const image of place.querySelectorAll('img')) image.removeAttribute('src');
}

/** In the time of whoever looks, as everywhere on the page. */
function tellLocally(time: HTMLTimeElement): void {
  time.title = time.textContent;
  time.textContent = dateAndTime(Date.parse(time.dateTime));
}

/** A picture leads to itself with every pixel it has. */
function openWhole(image: HTMLImageElement): void {
  const link = document.createElement('a');
  link.className = 'full';
  link.href = wholeAddress(image.src);
  link.target = '_blank';
  link.title = 'Every pixel of it, in a page of its own';
  image.replaceWith(link);
  link.append(image);
}

export function Fragment({ of: { html } }: { of: Html }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const now = place.current;
    if (!now) return undefined;
    now.innerHTML = policy.createHTML(html);
    for (const left of now.querySelectorAll('details[data-left-out]'))
      left.addEventListener('toggle', unfold, { once: true });
    for (const time of now.querySelectorAll('time')) tellLocally(time);
    const end = followLoupe(now);
    for (const image of now.querySelectorAll<HTMLImageElement>('figure img')) openWhole(image);
    return () => {
      end();
      leave(now);
    };
  }, [html]);
  return <div class="fragment" ref={place} />;
}
