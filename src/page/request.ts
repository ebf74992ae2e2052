// A request → HTML: what it saw, how it differs from the one before, what came back. The same for the page and for a file.
import type { AssetId, Block } from '../content/block.ts';
import { byteText, grouped, money, timeText } from '../content/figures.ts';
import { toJsonText } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { cutText } from '../content/text.ts';
import { shortId } from '../content/words.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Html } from './html.ts';
import { markup, nothing } from './html.ts';
import { prose } from './prose.ts';
import { pathText } from './view.ts';
import type { RequestView, ViewLeaf, ViewSection } from './view.ts';

/** Where the bytes of a medium are found: an address of the server, or all of them. */
export type AddressOf = (id: AssetId, mediaType: string) => string | undefined;

const maxText = 4000;

/** What it saw: original, sent, where and why. */
export function sawHtml(view: RequestView, address: AddressOf): Html {
  if (view.problem !== undefined) return markup`<p class="problem">${view.problem}</p>`;
  return markup`${healingHtml(view)}${tilesHtml(view)}
    <div class="sheet">
      <div class="row head"><span>Original</span><span>Sent</span><span>Where and why</span></div>
      ${foldedSections(view, address)}
    </div>`;
}

/** Sections that stood in the request before are one line that opens. */
function foldedSections(view: RequestView, address: AddressOf): Html[] {
  const out: Html[] = [];
  const { sections, before } = view;
  for (let at = 0; at < sections.length;) {
    let end = at;
    if (before) while (sections[end]?.same) end++;
    const folded = sections.slice(at, end);
    if (folded.length > 1) {
      const media = folded.flatMap(({ leaves }) => leaves.filter(({ kind }) => kind === 'medium')).length;
      const what = media === 0 ? '' : `, ${media} ${media === 1 ? 'medium' : 'media'}`;
      out.push(
        markup`<details class="folded"><summary>${folded.length} parts${what}, unchanged since request ${before?.number ?? 0}</summary>${folded.map((one) => sectionHtml(one, view, address))}</details>`,
      );
    } else out.push(...folded.map((one) => sectionHtml(one, view, address)));
    const next = sections[end];
    if (next) out.push(sectionHtml(next, view, address));
    at = Math.max(end, at) + 1;
  }
  return out;
}

function sectionHtml({ title, leaves, path }: ViewSection, view: RequestView, address: AddressOf): Html {
  return markup`<section class="turn"><h2>${title} <code>${pathText(path)}</code></h2>${leaves.map((leaf) => leafRow(leaf, view, address))}</section>`;
}

function leafRow(leaf: ViewLeaf, view: RequestView, address: AddressOf): Html {
  const where = markup`<code>${pathText(leaf.path)}</code>`;
  switch (leaf.kind) {
    case 'text': {
      const text = textHtml(leaf.text);
      const note = leaf.ours ? markup`<p><span class="pill ours">our words</span></p>` : nothing;
      return rowHtml(
        leaf.original !== undefined
          ? textHtml(leaf.original)
          : leaf.ours
            ? markup`<span class="none">not said by anybody</span>`
            : text,
        text,
        markup`${note}${where}`,
      );
    }
    case 'call':
      return rowHtml(
        markup`<b>${leaf.name}</b> <code>${cutText(leaf.input, 300)}</code>`,
        markup`<b>${leaf.name}</b> <code>${cutText(leaf.input, 300)}</code>`,
        where,
      );
    case 'medium':
      return mediumRow(leaf, view, address);
  }
}

function rowHtml(original: Html, sent: Html, why: Html, attention = false): Html {
  return markup`<div class="${attention ? 'row attention' : 'row'}"><div>${original}</div><div>${sent}</div><div>${why}</div></div>`;
}

function textHtml(text: string): Html {
  const cut = text.length > maxText ? markup` <em>… ${grouped(text.length - maxText)} more characters</em>` : nothing;
  return text.length > 600
    ? markup`<details><summary>${cutText(text.replaceAll(/\s+/g, ' '), 160)} …</summary><pre>${cutText(text, maxText)}${cut}</pre></details>`
    : markup`<p class="words">${text}</p>`;
}

function mediumRow(leaf: ViewLeaf & { kind: 'medium' }, view: RequestView, address: AddressOf): Html {
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
  const sent = figure(
    medium.$asset,
    medium.mediaType,
    'sent',
    `${byteText(medium.size)} · ${shortId(medium.$asset)}`,
    view,
    address,
  );
  const loupe = isReduced && isPicture(medium.mediaType);
  return markup`<div class="${loupe ? 'row attention pair' : 'row pair'}"><div>${first}</div><div>${sent}</div><div>${receipt ? receiptHtml(receipt) : nothing}<code>${pathText(leaf.path)}</code></div></div>`;
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
  { missing }: RequestView,
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

function healingHtml({ healing }: RequestView): Html {
  if (healing.length === 0) return nothing;
  return markup`<ol class="healed" aria-label="How it was healed">${healing.map(({ number, text }) => markup`<li><b class="number">${number}</b> ${text}</li>`)}</ol>`;
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
  return markup`${broke ? brokeHtml(view) : miss === undefined ? markup`<div class="verdict good"><p>The prefix is <b>stable</b>: everything of request ${before.number} stands in front.</p></div>` : markup`<div class="verdict miss"><p>The prefix is stable, and little of it was read: <b>the provider's miss</b>.</p><p>${miss}</p></div>`}
    ${stripHtml(view)}
    <dl class="facts">
      <dt>Usage says</dt><dd>${row.ended?.usage ? `${grouped(row.ended.usage.cachedTokens ?? 0)} of ${grouped(row.ended.usage.inputTokens)} read, ${grouped(row.ended.usage.writtenTokens ?? 0)} written` : 'nothing yet'}</dd>
      <dt>Receipts</dt><dd>${broke && broke.moved.length > 0 ? broke.moved.map(({ subject, why }) => `checkpoint ${subject}: ${why}`).join('; ') : 'no checkpoint of ours'}</dd>
    </dl>`;
}

function brokeHtml({ broke, before }: RequestView): Html {
  if (!broke) return nothing;
  const { part, kind, path, keptTokens, lostTokens, moved, dollars, was, is } = broke;
  const cost = dollars === undefined ? '' : ` That costs about ${money(dollars)} more than reading it.`;
  const who = moved.length > 0 ? 'We moved it ourselves, at a checkpoint.' : 'Whoever made this request moved it.';
  return markup`<div class="verdict bad"><p>The prefix broke in <b>${partWords[part] ?? part}</b>: <code>${pathText(path)}</code> ${kindWords[kind] ?? kind}.</p>
    <p>About ${grouped(keptTokens)} tokens could still be read, ${grouped(lostTokens)} could not.${cost} ${who}</p></div>
    <div class="sides">${side(before?.number ?? 0, was, is, 'was')}${side(undefined, is, was, 'is')}</div>`;
}

/** One side, with what it does not have in common with the other one marked. */
function side(number: number | undefined, value: Json | undefined, other: Json | undefined, kind: 'was' | 'is'): Html {
  const label = number === undefined ? 'now' : String(number);
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

/** The parts of this request as one strip: the same, differs, behind the break, new. */
function stripHtml({ sections, broke, before }: RequestView): Html {
  const all = sections.reduce((sum, { tokens }) => sum + tokens + 20, 0);
  const at = broke ? sections.findIndex(({ path }) => path.every((key, index) => broke.path[index] === key)) : -1;
  let x = 0;
  const bars = sections.map(({ tokens, same, title, path }, index) => {
    const width = ((tokens + 20) / Math.max(1, all)) * 1000;
    const state = index === at ? 'differs' : at >= 0 && index > at ? (same ? 'behind' : 'new') : same ? 'same' : 'new';
    const bar = markup`<rect class="${state}" x="${x.toFixed(1)}" y="0" width="${Math.max(1, width - 2).toFixed(1)}" height="26" rx="3"><title>${title} ${pathText(path)}: ${state}</title></rect>`;
    x += width;
    return bar;
  });
  return markup`<svg class="strip" viewBox="0 0 1000 26" preserveAspectRatio="none" role="img" aria-label="The parts of this request against request ${before?.number ?? 0}">${bars}</svg>
    <p class="legend"><span class="key same"></span> the same <span class="key differs"></span> differs <span class="key behind"></span> the same words, behind the break <span class="key new"></span> new</p>`;
}

/** What came back. */
export function answerHtml({ answer, row }: RequestView): Html {
  const { ended } = row;
  const attempts = (ended?.attempts ?? []).map(
    ({ ms, status, wait, error, requestId }) =>
      markup`<li>${status === undefined ? 'no answer' : `status ${status}`} after ${timeText(ms)}${wait === undefined ? '' : `, waited ${timeText(wait)} before`}${requestId === undefined ? '' : `, ${requestId}`}${error === undefined ? '' : `: ${error}`}</li>`,
  );
  const state = ended
    ? markup`<p><span class="pill ${ended.state}">${ended.state}</span> ${ended.stop ?? ''} ${ended.latency ? `first words after ${timeText(ended.latency.firstMs)}, all after ${timeText(ended.latency.totalMs)}` : ''}</p>`
    : markup`<p><span class="pill running">under way, or its process died</span></p>`;
  const error = ended?.error
    ? markup`<p class="problem">${ended.error.message === '' ? ended.error.code : ended.error.message}</p>`
    : nothing;
  const said = answer ? markup`<div class="said">${answer.content.map(blockHtml)}</div>` : nothing;
  return markup`${state}${error}${said}${attempts.length > 0 ? markup`<h2>Attempts</h2><ol class="attempts">${attempts}</ol>` : nothing}`;
}

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'text':
      return prose(block.text);
    case 'thinking':
      return block.text.trim() === ''
        ? markup`<p class="none">thinking, sealed by its provider</p>`
        : markup`<details class="thinking"><summary>Thinking</summary>${prose(block.text)}</details>`;
    case 'call':
      return markup`<p class="call"><b>${block.name}</b> <code>${cutText(toJsonText(block.input), 2000)}</code></p>`;
    case 'sealed':
      return markup`<p class="none">an item sealed by ${block.seal.endpoint}</p>`;
    default:
      return markup`<p class="none">${block.type}, asset ${shortId(block.asset.id)}</p>`;
  }
}

/** The body as it was spelled, base64 left out. */
export function jsonHtml({ outline, problem }: RequestView): Html {
  return outline === undefined
    ? markup`<p class="problem">${problem ?? 'No body is kept.'}</p>`
    : markup`<pre class="json">${JSON.stringify(outline, null, 2)}</pre>`;
}
