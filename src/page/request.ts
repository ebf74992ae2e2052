// A request → HTML: what it saw, how it differs from the one before, what came back. The same for the page and for a file.
import type { AssetId } from '../content/block.ts';
import { byteText, grouped, money, timeText } from '../content/figures.ts';
import { toJsonText } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import { describeMedia, shortId } from '../content/words.ts';
import type { PrefixBreak } from '../record/prefix.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Html } from './html.ts';
import { markup, nothing } from './html.ts';
import { partsHtml } from './timeline.ts';
import type { FigureOf } from './timeline.ts';
import { foldsOf, pathText, stateOf, stateWords } from './view.ts';
import type { RequestView, StripPart, ViewLeaf, ViewSection } from './view.ts';

/** Where the bytes of a medium are found: an address of the server, or all of them. */
export type AddressOf = (id: AssetId, mediaType: string) => string | undefined;

const maxText = 4000;

/** What it saw: original, sent, where and why. */
export function sawHtml(view: RequestView, address: AddressOf, isOpen = false): Html {
  const clock = clockHtml(view);
  if (view.problem !== undefined) return markup`${clock}<p class="problem">${view.problem}</p>`;
  return markup`${clock}${healingHtml(view)}${tilesHtml(view)}
    <div class="sheet">
      <div class="row head"><span>Original</span><span>Sent</span><span>Where and why</span></div>
      ${foldedSections(view, address, isOpen)}
    </div>`;
}

/** Sections that stood in the request before are one line that opens. */
function foldedSections(view: RequestView, address: AddressOf, isOpen: boolean): Html[] {
  const { sections, before } = view;
  const folds = before ? foldsOf(sections) : [];
  return sections.flatMap((section, at) => {
    const fold = folds.find(({ from, to }) => from <= at && at < to);
    if (!fold) return [sectionHtml(section, view, address)];
    if (fold.from !== at) return [];
    const { from, to, media } = fold;
    const what = media === 0 ? '' : `, ${media} ${media === 1 ? 'medium' : 'media'}`;
    const summary = markup`<summary>${to - from} parts${what}, unchanged since request ${before?.number ?? 0}</summary>`;
    if (!view.whole)
      return [markup`<details class="folded" data-left-out="">${summary}<p class="none">Loading …</p></details>`];
    const parts = sections.slice(from, to).map((one) => sectionHtml(one, view, address));
    return isOpen
      ? [markup`<details class="folded" open="">${summary}${parts}</details>`]
      : [markup`<details class="folded">${summary}${parts}</details>`];
  });
}

function sectionHtml({ title, leaves, path }: ViewSection, view: RequestView, address: AddressOf): Html {
  const rows: Html[] = [];
  for (let at = 0; at < leaves.length; at++) {
    const [leaf, next] = [leaves[at], leaves[at + 1]];
    if (leaf?.kind === 'text' && leaf.ours && leaf.original === undefined && next?.kind === 'medium') {
      rows.push(mediumRow(next, view, address, leaf.text));
      at++;
    } else if (leaf) rows.push(leafRow(leaf, view, address));
  }
  return markup`<section class="part"><h2>${title} <code>${pathText(path)}</code></h2>${rows}</section>`;
}

function leafRow(leaf: ViewLeaf, view: RequestView, address: AddressOf): Html {
  const where = markup`<code>${pathText(leaf.path)}</code>`;
  switch (leaf.kind) {
    case 'text': {
      if (!leaf.ours)
        return rowHtml(
          textHtml(leaf.text),
          textHtml(leaf.text),
          markup`<p><span class="pill">same words</span></p>${where}`,
        );
      const pill = markup`<p><span class="pill ours">our words</span></p>`;
      if (leaf.original === undefined)
        return rowHtml(
          markup`<span class="none">said by nobody</span>`,
          markup`<p class="put">${cutText(leaf.text, maxText)}</p>`,
          markup`${pill}${where}`,
        );
      const put = leaf.text.slice(leaf.original.length).trim();
      const sent = markup`${textHtml(leaf.original)}<p class="put">${cutText(put, maxText)}</p>`;
      return rowHtml(textHtml(leaf.original), sent, markup`${pill}${where}`);
    }
    case 'call': {
      const call = markup`<b>${leaf.name}</b> <code>${cutText(leaf.input, 300)}</code>`;
      return rowHtml(call, call, where);
    }
    case 'medium':
      return mediumRow(leaf, view, address);
  }
}

function rowHtml(original: Html, sent: Html, why: Html): Html {
  return markup`<div class="row"><div>${original}</div><div>${sent}</div><div>${why}</div></div>`;
}

/** One part by itself. */
export function leafHtml(leaf: ViewLeaf, view: RequestView, address: AddressOf): Html {
  switch (leaf.kind) {
    case 'text':
      return leaf.ours ? markup`<p class="put">${cutText(leaf.text, maxText)}</p>` : textHtml(leaf.text);
    case 'call':
      return markup`<p><b>${leaf.name}</b> <code>${cutText(leaf.input, 300)}</code></p>`;
    case 'medium':
      return sentFigure(leaf, view, address);
  }
}

function sentFigure({ medium, byId }: ViewLeaf & { kind: 'medium' }, view: RequestView, address: AddressOf): Html {
  const caption = `${byteText(medium.size)} · ${shortId(medium.$asset)}${byId ? ' · by its file id' : ''}`;
  return figure(medium.$asset, medium.mediaType, 'sent', caption, view, address);
}

function textHtml(text: string): Html {
  const cut = text.length > maxText ? markup` <em>… ${grouped(text.length - maxText)} more characters</em>` : nothing;
  return text.length > 600
    ? markup`<details><summary>${cutText(text.replaceAll(/\s+/g, ' '), 160)} …</summary><pre>${cutText(text, maxText)}${cut}</pre></details>`
    : markup`<p class="words">${text}</p>`;
}

function mediumRow(leaf: ViewLeaf & { kind: 'medium' }, view: RequestView, address: AddressOf, put?: string): Html {
  const { medium, receipt } = leaf;
  const original = receipt?.asset === undefined ? undefined : view.originals[receipt.asset];
  const isReduced = receipt !== undefined && receipt.asset !== medium.$asset;
  const first = original
    ? figure(
        original.asset.id,
        original.asset.mediaType,
        original.asset.name ?? 'original',
        sizeText(original.width, original.height, original.asset.size),
        view,
        address,
      )
    : isReduced && receipt.asset !== undefined
      ? figure(receipt.asset, medium.mediaType, 'original', shortId(receipt.asset), view, address)
      : markup`<span class="none">as it was sent</span>`;
  const sent = sentFigure(leaf, view, address);
  const loupe = isReduced && isPicture(medium.mediaType);
  const words = put === undefined ? nothing : markup`<p class="put">${cutText(put, maxText)}</p>`;
  return markup`<div class="${loupe ? 'row attention pair' : 'row pair'}"><div>${first}</div><div>${words}${sent}</div><div>${receipt ? receiptHtml(receipt) : nothing}<code>${pathText(leaf.path)}</code>${rungsHtml(leaf, view)}</div></div>`;
}

/** In which forms it was refused before it was taken in this one. */
function rungsHtml({ medium, receipt }: ViewLeaf & { kind: 'medium' }, { refusedForms, row }: RequestView): Html {
  const refused = (receipt?.asset && refusedForms?.[receipt.asset]) || [];
  if (refused.length === 0) return nothing;
  const state = row.ended?.state === 'answered' ? 'accepted' : stateWords(row.ended?.state ?? 'running');
  return markup`<ol class="rungs">${refused.map(({ number, sent }) => markup`<li class="refused">as ${shortId(sent)}, refused in request ${number}</li>`)}<li class="taken">as ${shortId(medium.$asset)}, ${byteText(medium.size)}, ${state}</li></ol>`;
}

const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/') && !mediaType.includes('svg');

function sizeText(width: number | undefined, height: number | undefined, bytes: number): string {
  const pixels = width === undefined || height === undefined ? '' : `${width}×${height} · `;
  return `${pixels}${byteText(bytes)}`;
}

function figure(
  id: AssetId,
  mediaType: string,
  name: string,
  caption: string,
  { missing }: Pick<RequestView, 'missing'>,
  address: AddressOf,
): Html {
  if (missing.includes(id))
    return markup`<figure class="lost"><p>${mediaType}, asset ${shortId(id)}, is no longer stored.</p><figcaption>${caption}</figcaption></figure>`;
  const source = address(id, mediaType);
  const drawn = isPicture(mediaType) || mediaType === 'application/pdf';
  if (source === undefined || !drawn)
    return markup`<figure class="lost"><p>${mediaType}</p><figcaption>${name} · ${caption}</figcaption></figure>`;
  return markup`<figure><img src="${source}" alt="${name}, ${caption}" loading="lazy" decoding="async" data-asset="${id}" /><figcaption>${name} · ${caption}</figcaption></figure>`;
}

const words: Partial<Record<Receipt['action'], string>> = {
  inside: 'inside its result',
  after: 'after the results',
  tiles: 'in tiles',
  reduced: 'reduced',
  pages: 'as page pictures',
  text: 'as its text',
  words: 'in words',
};

function receiptHtml({ action, why, tokens, bytes, repeated }: Receipt): Html {
  const facts = [
    tokens === undefined ? '' : `${grouped(tokens)} tokens`,
    bytes === undefined ? '' : byteText(bytes),
    repeated ? 'the same bytes as before' : '',
  ].filter((fact) => fact !== '');
  return markup`<p><span class="pill ${action}">${words[action] ?? action}</span></p><p>${why}</p><p class="facts">${facts.join(' · ')}</p>`;
}

function clockHtml({ later }: RequestView): Html {
  return later === undefined
    ? nothing
    : markup`<p class="problem">By its clock it was sent before request ${later}, which was recorded first: the clock was set back, or it is that of another machine. The order is that of recording.</p>`;
}

function healingHtml({ healing }: RequestView): Html {
  if (healing.length === 0) return nothing;
  return markup`<ol class="healing" aria-label="How it was healed">${healing.map(({ number, text }) => markup`<li><b class="number">${number}</b><span>${text}</span></li>`)}</ol>`;
}

function meter(value: number, ceiling: number): Html {
  const share = ceiling > 0 && Number.isFinite(ceiling) ? Math.min(1, value / ceiling) : 0;
  return markup`<svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4" rx="2" /><rect class="fill" width="${Math.max(share > 0 ? 1 : 0, share * 100)}" height="4" rx="2" /></svg>`;
}

function tile(name: string, value: string, more: Html): Html {
  return markup`<div class="tile"><span>${name}</span><b>${value}</b>${more}</div>`;
}

const open = (most: number): boolean => most >= Number.MAX_SAFE_INTEGER;

/** Input, cost, and how full each budget is. */
function tilesHtml({ row }: RequestView): Html {
  const { ended, totals, bytes } = row;
  const usage = ended?.usage;
  const read = usage
    ? `${grouped(usage.cachedTokens ?? 0)} read, ${grouped(usage.writtenTokens ?? 0)} written`
    : 'estimated';
  const input = usage?.inputTokens ?? totals?.used.tokens;
  return markup`<div class="tiles">
    ${tile('Input', input === undefined ? 'unknown' : grouped(input), markup`<small>${read}</small>`)}
    ${tile('Cost', ended?.cost === undefined ? 'unknown' : money(ended.cost), markup`<small>by the prices of the catalog</small>`)}
    ${totals && tile('Window', grouped(totals.used.tokens), markup`<small>of ${open(totals.ceiling.tokens) ? 'any' : grouped(totals.ceiling.tokens)}</small>${meter(totals.used.tokens, totals.ceiling.tokens)}`)}
    ${tile('Body', byteText(bytes), totals ? markup`<small>of ${open(totals.ceiling.bytes) ? 'any' : byteText(totals.ceiling.bytes)}</small>${meter(bytes, totals.ceiling.bytes)}` : nothing)}
    ${totals && tile('Pictures', String(totals.used.images), markup`<small>of ${open(totals.ceiling.images) ? 'any' : grouped(totals.ceiling.images)}</small>${meter(totals.used.images, totals.ceiling.images)}`)}
  </div>`;
}

const partWords: Record<string, string> = {
  model: 'the model',
  thinking: 'thinking',
  'tool choice': 'the tool choice',
  output: 'the form of the answer',
  tools: 'the tools',
  system: 'the system prompt',
  items: 'the conversation',
  marks: 'the cache marks',
  options: 'an option',
};
const kindWords: Record<string, string> = {
  changed: 'was changed',
  inserted: 'was put in',
  removed: 'was taken out',
  reordered: 'changed places',
  'key-order': 'has its fields in another order',
  'other-bytes': 'holds another medium',
  'medium-to-words': 'became words',
  marks: 'lost their marks',
};

/** Against the request before it. */
export function againstHtml(view: RequestView): Html {
  const { before, broke, miss, row } = view;
  if (!before)
    return markup`<p class="problem">There is no answered request of the same model and address before it.</p>`;
  const verdict = broke
    ? brokeHtml(view)
    : miss === undefined
      ? markup`<div class="verdict good"><p>The prefix is <b>stable</b>: everything of request ${before.number} stands in front.</p></div>`
      : markup`<div class="verdict miss"><p>The prefix is stable, and little of it was read: <b>the provider’s miss</b>.</p><p>${miss}</p></div>`;
  const usage = row.ended?.usage;
  const read = usage
    ? `${grouped(usage.cachedTokens ?? 0)} of ${grouped(usage.inputTokens)} read, ${grouped(usage.writtenTokens ?? 0)} written`
    : 'nothing yet';
  const moved = broke?.moved.map(({ subject, why }) => `checkpoint ${subject}: ${why}`).join('; ') ?? '';
  return markup`${verdict}${stripsHtml(view)}
    <div class="sides">${broke ? sidesHtml(broke, before.number) : nothing}<dl class="facts">
      <div><dt>Usage says</dt><dd>${read}</dd></div>
      <div><dt>Receipts</dt><dd>${moved === '' ? 'no checkpoint of ours' : moved}</dd></div>
      ${broke ? markup`<div><dt>What helps</dt><dd>${helps[broke.part]}</dd></div>` : nothing}
    </dl></div>`;
}

/** What keeps a prefix whole, by what broke it. */
const helps: Record<PrefixBreak['part'], string> = {
  model: 'Every model has a cache of its own; stay with one for as long as a conversation lasts.',
  thinking: 'Keep thinking and effort as they are for as long as a conversation lasts.',
  'tool choice': 'Keep the tool choice as it is; say in words what is wanted of one turn.',
  output: 'Keep the form of the answer for as long as a conversation lasts.',
  tools: 'Send the same tools in the same order and the same words; what is not needed does no harm.',
  system: 'Put what changes into the newest message: nothing stands behind it.',
  items: 'Leave what was sent as it is, and add at the end.',
  marks: 'Send the cache marks with every request.',
  options: 'Keep the options as they are for as long as a conversation lasts.',
};

function brokeHtml({ broke, row }: RequestView): Html {
  if (!broke) return nothing;
  const { part, kind, path, keptTokens, lostTokens, moved, dollars } = broke;
  const { cost } = row.ended ?? {};
  const who = moved.length > 0 ? ' We moved it ourselves, at a checkpoint.' : '';
  const price =
    dollars === undefined
      ? nothing
      : cost === undefined || cost < dollars
        ? markup` That is about <b>${money(dollars)}</b> more than reading them.`
        : markup` The request cost <b>${money(cost)}</b>; had it only grown, about <b>${money(cost - dollars)}</b>.`;
  return markup`<div class="verdict bad"><p>The prefix broke in <b>${partWords[part] ?? part}</b>: <code>${pathText(path)}</code> ${kindWords[kind] ?? kind}.</p>
    <p>About ${grouped(keptTokens)} tokens could still be read from the cache, ${grouped(lostTokens)} could not.${price}${who}</p></div>`;
}

function sidesHtml({ path, was, is }: PrefixBreak, before: number): Html {
  return markup`<p><code>${pathText(path)}</code></p>${side(String(before), was, is, 'was')}${side('now', is, was, 'is')}`;
}

/** One side, with what it does not have in common with the other one marked. */
function side(label: string, value: Json | undefined, other: Json | undefined, kind: 'was' | 'is'): Html {
  if (value === undefined)
    return markup`<div><b class="number">${label}</b> <span class="none">nothing stood here</span></div>`;
  const [text, rest] = [spelled(value), other === undefined ? '' : spelled(other)];
  const [start, end] = commonEdges(text, rest);
  const mark = text.slice(start, text.length - end);
  const marked = kind === 'was' ? markup`<del>${cutText(mark, 1500)}</del>` : markup`<ins>${cutText(mark, 1500)}</ins>`;
  return markup`<div><b class="number">${label}</b> <span class="words">${start > 80 ? '… ' : ''}${text.slice(Math.max(0, start - 80), start)}${marked}${text.slice(text.length - end, text.length - end + 80)}${end > 80 ? ' …' : ''}</span></div>`;
}

function spelled(value: Json): string {
  return typeof value === 'string' ? value : toJsonText(value);
}

function commonEdges(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [start, end];
}

/** The parts of both requests: the same, differs, behind the break, new. */
function stripsHtml({ strips, before, number }: RequestView): Html {
  if (!strips) return nothing;
  const [older, newer] = strips;
  const all = Math.max(...strips.map((parts) => parts.reduce((sum, { tokens }) => sum + tokens, 0)));
  return markup`<div class="strips">${stripHtml(older, all, before?.number ?? 0)}${stripHtml(newer, all, number)}</div>
    <p class="legend"><span class="key same"></span> the same <span class="key differs"></span> differs <span class="key behind"></span> the same words, behind the break <span class="key new"></span> new</p>`;
}

function stripHtml(parts: readonly StripPart[], all: number, number: number): Html {
  let x = 0;
  const bars = parts.map(({ tokens, state, title }) => {
    const width = (tokens / Math.max(1, all)) * 1000;
    const bar = markup`<rect class="${state}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - 2).toFixed(1)}" height="26" rx="3"><title>${title}: ${state}</title></rect>`;
    x += width;
    return bar;
  });
  const stripes = markup`<defs><pattern id="behind" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="8" height="8" /><line class="stripe" x1="0" y1="0" x2="0" y2="8" /></pattern></defs>`;
  return markup`<b>${number}</b><svg class="strip" viewBox="0 0 1000 26" preserveAspectRatio="none" role="img" aria-label="The parts of request ${number}">${stripes}${bars}</svg>`;
}

/** What came back. */
export function answerHtml({ answer, row }: RequestView, figureOf: FigureOf, now: number): Html {
  const { ended } = row;
  const attempts = (ended?.attempts ?? []).map(
    ({ ms, status, wait, error, requestId }) =>
      markup`<li>${status === undefined ? 'no answer' : `status ${status}`} after ${timeText(ms)}${wait === undefined ? '' : `, waited ${timeText(wait)} before`}${requestId === undefined ? '' : `, ${requestId}`}${error === undefined ? '' : `: ${error}`}</li>`,
  );
  const name = stateOf(row, now);
  const state = ended
    ? markup`<p><span class="pill ${name}">${name}</span> ${ended.stop === undefined ? '' : `stop: ${ended.stop}`} ${ended.latency ? ` · first words after ${timeText(ended.latency.firstMs)}, all after ${timeText(ended.latency.totalMs)}` : ''}${ended.usage ? ` · ${grouped(ended.usage.outputTokens)} tokens` : ''}</p>`
    : markup`<p><span class="pill running">${name === 'running' ? 'under way' : 'no end was recorded: its process died'}</span></p>`;
  const error = ended?.error
    ? markup`<p class="problem">${ended.error.message === '' ? ended.error.code : ended.error.message}</p>`
    : nothing;
  const said =
    answer && answer.length > 0
      ? markup`<div class="said">${partsHtml(answer, figureOf)}</div>`
      : ended?.state === 'answered'
        ? markup`<p class="none">What was answered is kept by whoever asked.</p>`
        : nothing;
  return markup`${state}${error}${said}${attempts.length > 0 ? markup`<h2 class="over">Attempts</h2><ol class="attempts">${attempts}</ol>` : nothing}`;
}

/** A medium of the conversation at an address. */
export function figureAt(address: AddressOf, missing: readonly AssetId[] = []): FigureOf {
  return (medium) => {
    const { asset } = medium;
    const name = medium.type === 'medium' ? (asset.name ?? asset.mediaType) : describeMedia(medium);
    return figure(asset.id, asset.mediaType, name, byteText(asset.size), { missing }, address);
  };
}

/** The body as it was spelled, base64 left out. */
export function jsonHtml({ outline, problem }: RequestView): Html {
  return outline === undefined
    ? markup`<p class="problem">${problem ?? 'No body is kept.'}</p>`
    : markup`<pre class="json">${JSON.stringify(outline, null, 2)}</pre>`;
}
