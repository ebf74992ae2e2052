// A request → HTML: what it saw, how it differs from the one before, what came back. The same for the page and for a file.
import type { AssetId } from '../content/block.ts';
import { byteText, grouped, money, timeText } from '../content/figures.ts';
import { toJsonText } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import { describeMedia, shortId } from '../content/words.ts';
import type { Stop } from '../message/message.ts';
import type { PrefixBreak } from '../record/prefix.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Html } from './html.ts';
import { markup, nothing } from './html.ts';
import { partsHtml } from './timeline.ts';
import type { FigureOf } from './timeline.ts';
import { foldsOf, pathText, stateOf, stateWords } from './view.ts';
import type { PictureSize, RequestView, StripPart, ViewLeaf, ViewPath, ViewSection } from './view.ts';

/** Where the bytes of a medium are found: an address of the server, or all of them. Pages are counted from 1. */
export type AddressOf = (id: AssetId, mediaType: string, page?: number) => string | undefined;

const maxText = 4000;

/** How parts are shown that stood in the request before: one line that opens, opened, or a line that names that request. */
type Folds = 'closed' | 'open' | 'named';

/** What it saw: original, sent, where and why. */
export function sawHtml(view: RequestView, address: AddressOf, folds: Folds = 'closed'): Html {
  const odd = markup`${clockHtml(view)}${besideHtml(view)}`;
  if (view.problem !== undefined) return markup`${odd}<p class="problem">${view.problem}</p>`;
  return markup`${odd}${healingHtml(view)}${tilesHtml(view)}
    <div class="sheet">
      <div class="row head"><span>Original</span><span>Sent</span><span>Where and why</span></div>
      ${foldedSections(view, address, folds)}
    </div>`;
}

/** Sections that stood in the request before are one line. */
function foldedSections(view: RequestView, address: AddressOf, how: Folds): Html[] {
  const { sections, before, whole } = view;
  const number = before?.number ?? 0;
  const folds = before ? foldsOf(sections) : [];
  return sections.flatMap((section, at) => {
    const fold = folds.find(({ from, to }) => from <= at && at < to);
    if (!fold) return [sectionHtml(section, view, address)];
    if (fold.from !== at) return [];
    const { from, to, media } = fold;
    const what = `${to - from} parts${media === 0 ? '' : `, ${media} ${media === 1 ? 'medium' : 'media'}`}`;
    if (how === 'named' && !whole)
      return [
        markup`<p class="folded">${what}, unchanged since <a href="#request-${number}">request ${number}</a></p>`,
      ];
    const summary = markup`<summary>${what}, unchanged since request ${number}</summary>`;
    if (!whole)
      return [markup`<details class="folded" data-left-out="">${summary}<p class="none">Loading …</p></details>`];
    const parts = sections.slice(from, to).map((one) => sectionHtml(one, view, address));
    return how === 'open'
      ? [markup`<details class="folded" open="">${summary}${parts}</details>`]
      : [markup`<details class="folded">${summary}${parts}</details>`];
  });
}

/** Of a message of very many parts so many are shown. */
const maxParts = 500;

function sectionHtml({ title, leaves: all, path }: ViewSection, view: RequestView, address: AddressOf): Html {
  const rows: Html[] = [];
  const leaves = all.slice(0, maxParts);
  const rest = all.length - leaves.length;
  for (let at = 0; at < leaves.length; at++) {
    const [leaf, next] = [leaves[at], leaves[at + 1]];
    if (leaf?.kind === 'text' && leaf.ours && leaf.original === undefined && next?.kind === 'medium') {
      rows.push(mediumRow(next, view, address, leaf.text));
      at++;
    } else if (leaf) rows.push(leafRow(leaf, view, address));
  }
  const more =
    rest > 0 && markup`<p class="folded">${grouped(rest)} more parts are left out here; the body has all of them.</p>`;
  return markup`<section class="part"><h2>${title} ${placeHtml(path)}</h2>${rows}${more}</section>`;
}

function leafRow(leaf: ViewLeaf, view: RequestView, address: AddressOf): Html {
  const where = placeHtml(leaf.path);
  switch (leaf.kind) {
    case 'text': {
      if (!leaf.ours)
        return rowHtml(
          textHtml(leaf.text),
          textHtml(leaf.text),
          markup`<p><span class="pill">same words</span></p>${where}`,
        );
      if (leaf.told) return toldRow(leaf, leaf.told, view, address);
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

/** Where it stands in the body; a long one goes on in the next line between two names. */
export function placeHtml(path: ViewPath): Html {
  const [first = nothing, ...rest] = pathText(path)
    .split(/(?=[.[])/)
    .map((part) => markup`${part}`);
  return markup`<code>${first}${rest.map((part) => markup`<wbr />${part}`)}</code>`;
}

/** A row whose sides are the same says so to small screens, which show it once. */
function rowHtml(original: Html, sent: Html, why: Html): Html {
  return markup`<div class="${original.html === sent.html ? 'row same' : 'row'}"><div>${original}</div><div>${sent}</div><div>${why}</div></div>`;
}

/** Words that stand for media, beside those media. */
function toldRow(
  { text, original = '', path }: ViewLeaf & { kind: 'text' },
  told: readonly Receipt[],
  view: RequestView,
  address: AddressOf,
): Html {
  const said = original === '' ? nothing : textHtml(original);
  const put = text.slice(original.length).trim();
  const words = put.length > 600 ? textHtml(put) : markup`${put}`;
  const media = told.map(
    (receipt) => originalFigure(receipt, view, address) ?? markup`<p class="none">${receipt.subject}</p>`,
  );
  return rowHtml(
    markup`${said}${media}`,
    markup`${said}<div class="put">${words}</div>`,
    markup`${told.map(receiptHtml)}${placeHtml(path)}`,
  );
}

/** A medium as the conversation has it, where that is known. */
function originalFigure({ asset }: Receipt, view: RequestView, address: AddressOf): Html | undefined {
  const original = asset && view.originals[asset];
  if (!original) return undefined;
  const { id, mediaType, name = 'original', size } = original.asset;
  return figure(id, mediaType, name, sizeText(original, size), view, address, original.pages);
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
  const size = sizeText(pixelsOf(medium.$asset, view), medium.size);
  const caption = `${size} · ${shortId(medium.$asset)}${byId ? ' · by its file id' : ''}`;
  return figure(medium.$asset, medium.mediaType, 'sent', caption, view, address, view.originals[medium.$asset]?.pages);
}

function textHtml(text: string): Html {
  const cut = text.length > maxText ? markup` <em>… ${grouped(text.length - maxText)} more characters</em>` : nothing;
  return text.length > 600
    ? markup`<details><summary>${cutText(text.replaceAll(/\s+/g, ' '), 160)} …</summary><pre>${cutText(text, maxText)}${cut}</pre></details>`
    : markup`<p class="words">${text}</p>`;
}

function mediumRow(leaf: ViewLeaf & { kind: 'medium' }, view: RequestView, address: AddressOf, put?: string): Html {
  const { medium, receipt } = leaf;
  const original = receipt && originalFigure(receipt, view, address);
  const isReduced = receipt !== undefined && receipt.asset !== medium.$asset;
  const first = original
    ? original
    : isReduced && receipt.asset !== undefined
      ? figure(receipt.asset, medium.mediaType, 'original', shortId(receipt.asset), view, address)
      : markup`<span class="none">as it was sent</span>`;
  const sent = sentFigure(leaf, view, address);
  const loupe = isReduced && isPicture(medium.mediaType);
  const words = put === undefined ? nothing : markup`<p class="put">${cutText(put, maxText)}</p>`;
  return markup`<div class="${loupe ? 'row attention pair' : 'row pair'}"><div>${first}</div><div>${words}${sent}</div><div>${receipt ? receiptHtml(receipt) : nothing}${placeHtml(leaf.path)}${rungsHtml(leaf, view)}</div></div>`;
}

/** In which forms it was refused before it was taken in this one. */
function rungsHtml({ medium, receipt }: ViewLeaf & { kind: 'medium' }, view: RequestView): Html {
  const { refusedForms, row } = view;
  const refused = (receipt?.asset && refusedForms?.[receipt.asset]) || [];
  if (refused.length === 0) return nothing;
  const state = row.ended?.state === 'answered' ? 'accepted' : (row.ended?.state ?? 'not answered yet');
  const named = (id: AssetId): string => {
    const { width, height } = pixelsOf(id, view);
    return width === undefined || height === undefined ? `as ${shortId(id)}` : `${width}×${height}`;
  };
  return markup`<ol class="rungs">${refused.map(({ number, sent }) => markup`<li class="refused">${named(sent)}, refused in request ${number}</li>`)}<li class="taken">${named(medium.$asset)}, ${state}</li></ol>`;
}

const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/') && !mediaType.includes('svg');

/** Whether it is shown as a picture: whatever is no plain pixels is drawn first. */
export function isDrawn(mediaType: string): boolean {
  return mediaType.startsWith('image/') || mediaType === 'application/pdf';
}

function sizeText({ width, height }: Partial<PictureSize>, bytes: number): string {
  const pixels = width === undefined || height === undefined ? '' : `${width}×${height} · `;
  return `${pixels}${byteText(bytes)}`;
}

/** How large a picture is, where that is known. */
function pixelsOf(id: AssetId, { originals, sizes = {} }: RequestView): Partial<PictureSize> {
  return sizes[id] ?? originals[id]?.held ?? {};
}

/** Of a longer document so many pages are shown. */
const maxPages = 20;

function figure(
  id: AssetId,
  mediaType: string,
  name: string,
  caption: string,
  { missing }: Pick<RequestView, 'missing'>,
  address: AddressOf,
  pages = 1,
): Html {
  if (missing.includes(id))
    return markup`<figure class="lost"><p>${mediaType}, asset ${shortId(id)}, is no longer stored.</p><figcaption>${caption}</figcaption></figure>`;
  const source = address(id, mediaType);
  if (source === undefined || !isDrawn(mediaType))
    return markup`<figure class="lost"><p>${mediaType}</p><figcaption>${name} · ${caption}</figcaption></figure>`;
  const all =
    pages > 1 && !name.includes(` ${pages} pages`) ? `${name} · ${pages} pages · ${caption}` : `${name} · ${caption}`;
  const others = Array.from({ length: Math.min(pages, maxPages) - 1 }, (_, at) => address(id, mediaType, at + 2));
  const image = (at: string, which: string): Html =>
    markup`<img src="${at}" alt="${which}" loading="lazy" decoding="async" data-asset="${id}" />`;
  const shown = [source, ...others].flatMap((at, index) =>
    at === undefined ? [] : [image(at, pages > 1 ? `${name}, page ${index + 1} of ${pages}` : `${name}, ${caption}`)],
  );
  const rest = pages - shown.length;
  const more = rest > 0 ? `, the first ${shown.length === 1 ? '' : `${shown.length} `}shown` : '';
  return shown.length === 1
    ? markup`<figure>${shown}<figcaption>${all}${more}</figcaption></figure>`
    : markup`<figure><div class="pages" role="group" tabindex="0" aria-label="${name}, its pages">${shown}</div><figcaption>${all}${more}</figcaption></figure>`;
}

/** What was decided about a medium, for people. */
export const actionWords: Partial<Record<Receipt['action'], string>> = {
  inside: 'inside its result',
  after: 'after the results',
  tiles: 'in tiles',
  reduced: 'reduced',
  pages: 'as page pictures',
  text: 'as its text',
  words: 'in words',
};

function receiptHtml({ action, callId, why, tokens, bytes, repeated }: Receipt): Html {
  const how = action === 'inside' && callId === undefined ? 'in its message' : (actionWords[action] ?? action);
  const facts = [
    tokens === undefined ? '' : `${grouped(tokens)} tokens`,
    bytes === undefined ? '' : byteText(bytes),
    repeated ? 'the same bytes as before' : '',
  ].filter((fact) => fact !== '');
  return markup`<p><span class="pill ${action}">${how}</span></p><p>${why}</p><p class="facts">${facts.join(' · ')}</p>`;
}

function clockHtml({ later }: RequestView): Html {
  return later === undefined
    ? nothing
    : markup`<p class="problem">By its clock it was sent before request ${later}, which was recorded first: the clock was set back, or it is that of another machine. The order is that of recording.</p>`;
}

function besideHtml({ beside, before }: RequestView): Html {
  if (beside === undefined) return nothing;
  const from = before ? `goes on from request ${before.number}, the last one that` : 'begins anew, because';
  const knew = before ? 'its own program knew' : 'its own program knew of none';
  return markup`<p class="problem">Two programs write to this conversation: request ${beside} came from another one, and this one ${from} ${knew}.</p>`;
}

function healingHtml({ healing }: RequestView): Html {
  if (healing.length === 0) return nothing;
  return markup`<ol class="healing" aria-label="How it was healed">${healing.map(({ number, what, text }) => markup`<li><b class="number">${number}</b><span><b>${what}.</b> ${text}</span></li>`)}</ol>`;
}

function meter(value: number, ceiling: number): Html {
  const share = ceiling > 0 && Number.isFinite(ceiling) ? Math.min(1, value / ceiling) : 0;
  return markup`<svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4" rx="2" /><rect class="fill" width="${Math.max(share > 0 ? 1 : 0, share * 100)}" height="4" rx="2" /></svg>`;
}

function tile(name: string, value: string, more: Html): Html {
  return markup`<div class="tile"><span>${name}</span><b>${value}</b>${more}</div>`;
}

const open = (most: number): boolean => most >= Number.MAX_SAFE_INTEGER;

function costWords(ended: RequestView['row']['ended']): string {
  if (ended?.cost !== undefined) return 'by the prices of the catalog';
  return ended?.usage ? 'its price is not known' : ended ? 'nothing was counted' : 'told when it ends';
}

/** Input, cost, and how full each budget is. */
function tilesHtml({ row }: RequestView): Html {
  const { ended, totals, bytes } = row;
  const usage = ended?.usage;
  const read = usage
    ? `${grouped(usage.cachedTokens ?? 0)} from the cache, ${grouped(usage.writtenTokens ?? 0)} written to it`
    : 'estimated';
  const input = usage?.inputTokens ?? totals?.used.tokens;
  return markup`<div class="tiles">
    ${tile('Input', input === undefined ? 'unknown' : grouped(input), markup`<small>${read}</small>`)}
    ${tile('Cost', ended?.cost === undefined ? '–' : money(ended.cost), markup`<small>${costWords(ended)}</small>`)}
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
    return markup`<p class="empty">It is the first of its model and address with this system prompt: there is none to compare it with.</p>`;
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
  const cut = cutText(mark, 1500);
  const marked = cut === '' ? nothing : kind === 'was' ? markup`<del>${cut}</del>` : markup`<ins>${cut}</ins>`;
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
    <p class="legend"><span class="item"><span class="key same"></span> the same</span> <span class="item"><span class="key differs"></span> differs</span> <span class="item"><span class="key behind"></span> the same words, behind the break</span> <span class="item"><span class="key new"></span> new</span></p>`;
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

/** Why a model stopped. */
const stopWords: Record<Stop, string> = {
  end: 'came to its end',
  calls: 'calls tools',
  length: 'cut off at its limit',
  paused: 'paused by its provider',
  declined: 'declined to answer',
  aborted: 'stopped by whoever asked',
  error: 'ended by an error',
};

/** What came back. */
export function answerHtml({ answer, row }: RequestView, figureOf: FigureOf, now: number): Html {
  const { ended } = row;
  const attempts = (ended?.attempts ?? []).map(
    ({ ms, status, wait, error, requestId }) =>
      markup`<li>${status === undefined ? 'no answer' : `status ${status}`} after ${timeText(ms)}${wait === undefined ? '' : `, waited ${timeText(wait)} before`}${requestId === undefined ? '' : `, ${requestId}`}${error === undefined ? '' : `: ${error}`}</li>`,
  );
  const name = stateOf(row, now);
  const state = ended
    ? markup`<p><span class="pill ${name}">${name}</span> ${ended.stop === undefined ? '' : stopWords[ended.stop]} ${ended.latency ? ` · first words after ${timeText(ended.latency.firstMs)}, all after ${timeText(ended.latency.totalMs)}` : ''}${ended.usage ? ` · ${grouped(ended.usage.outputTokens)} tokens` : ''}</p>`
    : name !== 'no end'
      ? markup`<p><span class="pill ${name}">${stateWords(row, now)}</span></p>${name === 'silent' && markup`<p class="none">It was sent by a process${row.by ? ` on ${row.by.host}` : ''}, and nothing here tells whether that still runs.</p>`}`
      : markup`<p class="problem">No end was recorded: its process died, or could no longer write it down.</p>`;
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
    const pages = medium.type === 'document' ? medium.pages : undefined;
    return figure(asset.id, asset.mediaType, name, byteText(asset.size), { missing }, address, pages);
  };
}

/** The body as it was spelled, base64 left out. */
export function jsonHtml({ outline, problem }: RequestView): Html {
  return outline === undefined
    ? markup`<p class="problem">${problem ?? 'No body is kept.'}</p>`
    : markup`<pre class="json">${JSON.stringify(outline, null, 2)}</pre>`;
}
