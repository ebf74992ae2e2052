// What was sent beside what another model would get in its place: what differs first, the rest folded.
import { byteText, grouped } from '../content/figures.ts';
import { cutText } from '../content/text.ts';
import { shortId } from '../content/words.ts';
import type { Html } from './html.ts';
import { markup, nothing } from './html.ts';
import { leafHtml, placeHtml } from './request.ts';
import type { AddressOf } from './request.ts';
import type { PlannedView, RequestView, ViewLeaf, ViewSection } from './view.ts';

type LeafPair = { sent?: ViewLeaf; would?: ViewLeaf };

/** Totals side by side, then the parts. */
export function otherHtml(view: RequestView, planned: PlannedView, address: AddressOf): Html {
  const pairs = pairsOf(leavesIn(view.sections), leavesIn(planned.sections));
  const told = leavesIn(planned.sections).flatMap((leaf) => (leaf.kind === 'text' ? [leaf.text] : []));
  const isTold = (leaf: ViewLeaf): boolean => leaf.kind === 'text' && told.some((text) => text.includes(leaf.text));
  const differ = pairs.filter(({ sent, would }) => {
    if (sent && would) return keyOf(sent) !== keyOf(would);
    return !sent || !isTold(sent); // its words may stand inside a part that says more
  });
  const same = pairs.filter((pair) => !differ.includes(pair));
  const row = ({ sent, would }: LeafPair): Html =>
    markup`<div class="row two"><div>${cellHtml(sent, view, address)}</div><div>${would || !sent ? cellHtml(would, view, address) : elsewhereHtml(sent, planned)}</div></div>`;
  return markup`${totalsHtml(view, planned)}
    <div class="sheet"><div class="row two head"><span>Sent to ${view.row.model}</span><span>${planned.model} would get</span></div>
    ${differ.length === 0 ? markup`<div class="row"><p>The same, part by part.</p></div>` : differ.map(row)}
    ${same.length > 0 && markup`<details class="folded"><summary>${same.length} parts are the same</summary>${same.map(row)}</details>`}</div>`;
}

function totalsHtml({ row }: RequestView, { totals }: PlannedView): Html {
  const used = row.totals?.used;
  return markup`<div class="tiles">${bothTile('Tokens, about', used && grouped(used.tokens), grouped(totals.used.tokens))}${bothTile('Body', used && byteText(used.bytes), byteText(totals.used.bytes))}${bothTile('Pictures', used && String(used.images), String(totals.used.images))}</div>`;
}

function bothTile(name: string, was: string | undefined, would: string): Html {
  const sent = was === undefined ? 'not counted when it was sent' : `sent: ${was}`;
  return markup`<div class="tile"><span>${name}</span><b>${would}</b><small>${sent}</small></div>`;
}

function leavesIn(sections: readonly ViewSection[]): ViewLeaf[] {
  return sections.flatMap(({ leaves }) => leaves);
}

function keyOf(leaf: ViewLeaf): string {
  if (leaf.kind === 'text') return `text ${leaf.text}`;
  if (leaf.kind === 'call') return `call ${leaf.name} ${leaf.input}`;
  return `medium ${leaf.medium.$asset}`;
}

/** Each part that was sent with what would stand for it: the same, the same medium in another form, or words for it. */
function pairsOf(sent: readonly ViewLeaf[], would: readonly ViewLeaf[]): LeafPair[] {
  const waiting = [...would];
  const taken = (find: (leaf: ViewLeaf) => boolean): ViewLeaf | undefined => {
    const at = waiting.findIndex(find);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const pairs = sent.map((leaf): LeafPair => {
    const twin = taken((other) => keyOf(other) === keyOf(leaf));
    return { sent: leaf, ...(twin && { would: twin }) };
  });
  for (const pair of pairs) {
    if (pair.would || !pair.sent) continue;
    const { sent: leaf } = pair;
    const found = taken((other) => standsFor(leaf, other));
    if (found) pair.would = found;
  }
  return [...pairs, ...waiting.map((leaf): LeafPair => ({ would: leaf }))];
}

function standsFor(leaf: ViewLeaf, other: ViewLeaf): boolean {
  if (leaf.kind === 'medium') {
    const id = leaf.receipt?.asset ?? leaf.medium.$asset;
    if (other.kind === 'medium') return (other.receipt?.asset ?? other.medium.$asset) === id;
    return (
      other.kind === 'text' && (other.text.includes(shortId(id)) || other.text.includes(shortId(leaf.medium.$asset)))
    );
  }
  if (leaf.kind !== 'text') return false;
  if (other.kind === 'medium') return leaf.text.includes(shortId(other.receipt?.asset ?? other.medium.$asset));
  return (
    other.kind === 'text' && leaf.text.length > 20 && (other.text.includes(leaf.text) || leaf.text.includes(other.text))
  );
}

/** Where words stand for a medium that has no part of its own. */
function elsewhereHtml(sent: ViewLeaf, planned: PlannedView): Html {
  const told = leavesIn(planned.sections).find((leaf) => leaf.kind === 'text' && standsFor(sent, leaf));
  return sent.kind === 'medium' && told
    ? markup`<span class="none">told in words, at</span> ${placeHtml(told.path)}`
    : markup`<span class="none">nothing of its own</span>`;
}

function cellHtml(leaf: ViewLeaf | undefined, view: RequestView, address: AddressOf): Html {
  if (!leaf) return markup`<span class="none">nothing of its own</span>`;
  const why =
    leaf.kind === 'medium' && leaf.receipt ? markup`<p class="facts">${cutText(leaf.receipt.why, 200)}</p>` : nothing;
  return markup`${leafHtml(leaf, view, address)}${why}${placeHtml(leaf.path)}`;
}
