// HTML that our renderer made, put in through the one policy that may.
import type { AssetId } from '../content/block.ts';
import type { Html } from '../page/html.ts';
import { pictureEdges } from '../page/view.ts';
import { useEffect, useRef } from './kit.ts';
import type { JSX } from './kit.ts';
import { followLoupe } from './loupe.ts';
import { unfold } from './state.ts';

type Policy = { createHTML: (text: string) => string };
type Types = { createPolicy: (name: string, rules: Policy) => Policy };

const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
const rules: Policy = { createHTML: (text) => text };
const policy = types?.createPolicy('sightline', rules) ?? rules;

/** Where the server shows a medium, with its longer side at most so long. */
export const assetAddress = (id: AssetId, edge: number = pictureEdges.beside): string =>
  `/api/assets/${id.slice('sha256:'.length)}?edge=${edge}`;

export function Fragment({ of: { html } }: { of: Html }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current) place.current.innerHTML = policy.createHTML(html);
    for (const left of place.current?.querySelectorAll('details[data-left-out]') ?? [])
      left.addEventListener('toggle', unfold, { once: true });
    return place.current ? followLoupe(place.current) : undefined;
  }, [html]);
  return <div class="fragment" ref={place} />;
}
