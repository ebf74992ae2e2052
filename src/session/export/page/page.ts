// A session as one HTML page that needs nothing else: pictures inside, thinking folded, calls as cards, receipts at the
// end. No script runs in it, and nothing is loaded from anywhere.
import type { Block, CallBlock } from '../../../content/block.ts';
import { isMedia } from '../../../content/block.ts';
import { toJsonText } from '../../../content/json.ts';
import { cutText } from '../../../content/text.ts';
import type { ToolMessage } from '../../../tool/result.ts';
import type { Entry } from '../../entry.ts';
import type { SessionInfo } from '../../log/port.ts';
import type { SessionReader } from '../../reader.ts';
import type { RecordedRequest } from '../../sent.ts';
import type { Html } from '../../../page/html.ts';
import { markup, nothing } from '../../../page/html.ts';
import type { Gallery } from './media.ts';
import { gallery } from './media.ts';
import { prose } from '../../../page/prose.ts';
import { style } from './style.ts';

type PageOptions = {
  /** The newest request as it was sent, or why it cannot be shown. */
  sent?: RecordedRequest | string | undefined;
  /** The most bytes of media in the page. */
  maxBytes?: number;
};

const policy =
  "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The page in pieces, so that nobody has to hold it whole. */
export async function* sessionPage(
  session: SessionReader,
  { sent, maxBytes = 64 * 1024 * 1024 }: PageOptions = {},
): AsyncGenerator<string> {
  const info = await session.info();
  const entries = await session.entries();
  const receipts = typeof sent === 'object' ? sent.receipts : [];
  const show = gallery(session.assets, { maxBytes, receipts });
  const title = info.title ?? `Session ${info.id}`;
  const styles: Html = { html: style };
  const head = markup`<html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="referrer" content="no-referrer" />
<title>${title}</title><style>${styles}</style></head><body><main>
<header><h1>${title}</h1>${facts(info, entries)}</header>
`;
  yield `<!doctype html>\n${head.html}`;
  const results = resultsIn(entries);
  for (const entry of entries) yield (await section(entry, results, show)).html;
  yield markup`${receiptTable(sent)}<footer>${
    show.leftOut() > 0 && markup`${show.leftOut()} media were left out of this page to keep it small. `
  }Exported by Sightline from session ${info.id}.</footer></main></body></html>\n`.html;
}

const counted = (count: number, one: string, many: string): Html =>
  markup`<b>${count.toLocaleString('en-US')}</b> ${count === 1 ? one : many}`;

function facts({ created, model, inputTokens, outputTokens, cost }: SessionInfo, entries: readonly Entry[]): Html {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const media = new Set(messages.flatMap(({ content }) => content.filter(isMedia).map(({ asset }) => asset.id)));
  const items = [
    markup`${timeOf(created)}`,
    ...(model === undefined ? [] : [markup`<b>${model}</b>`]),
    counted(messages.length, 'message', 'messages'),
    ...(media.size > 0 ? [counted(media.size, 'medium', 'media')] : []),
    ...(inputTokens > 0 ? [counted(inputTokens + outputTokens, 'token', 'tokens')] : []),
    ...(cost === undefined ? [] : [markup`<b>$${cost.toFixed(cost < 0.1 ? 4 : 2)}</b>`]),
  ];
  return markup`<ul class="facts">
    ${items.map((item) => markup`<li>${item}</li>`)}
  </ul>`;
}

function timeOf(time: number): Html {
  const iso = new Date(time).toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

type Results = Map<string, ToolMessage[]>;

/** Results by call, the oldest first; a card takes the one that is next. */
function resultsIn(entries: readonly Entry[]): Results {
  const results: Results = new Map();
  for (const entry of entries) {
    if (entry.type !== 'message' || entry.message.role !== 'tool') continue;
    results.set(entry.message.callId, [...(results.get(entry.message.callId) ?? []), entry.message]);
  }
  return results;
}

async function section(entry: Entry, results: Results, show: Gallery): Promise<Html> {
  if (entry.type === 'note' || entry.type === 'quarantine') {
    const text = entry.type === 'note' ? entry.text : `${entry.model} refused a medium: ${entry.why}`;
    return markup`<p class="note">${text}</p> `;
  }
  if (entry.type !== 'message') return nothing;
  const { message } = entry;
  if (message.role === 'tool') {
    const waiting = results.get(message.callId);
    if (!waiting?.includes(message)) return nothing; // its card has shown it
    results.set(
      message.callId,
      waiting.filter((one) => one !== message),
    );
    return markup`<section>${await card({ name: message.name }, message, show)}</section> `;
  }
  const blocks: Html[] = [];
  for (const block of message.content) blocks.push(await blockHtml(block, results, show));
  const who = message.role === 'user' ? 'You' : message.model || 'Assistant';
  const heading = markup`<div class="who"><span>${who}</span>${timeOf(entry.time)}</div>`;
  return message.role === 'user'
    ? markup`<section class="user">
        ${heading}
        <div class="said">${blocks}</div>
      </section> `
    : markup`<section>
        ${heading}
        <div class="said">${blocks}</div>
      </section> `;
}

async function blockHtml(block: Block, results: Results, show: Gallery): Promise<Html> {
  switch (block.type) {
    case 'text':
      return prose(block.text);
    case 'thinking': {
      if (block.redacted || block.text.trim() === '') return nothing;
      return markup`<details class="thinking">
        <summary>Thinking</summary>
        ${prose(block.text)}
      </details>`;
    }
    case 'call': {
      const [result, ...later] = results.get(block.id) ?? [];
      if (result) results.set(block.id, later);
      return await card(block, result, show);
    }
    case 'sealed':
      return nothing;
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
      return await show.figure(block);
  }
}

const maxShown = 20_000;

async function card(
  call: Pick<CallBlock, 'name'> & { input?: unknown },
  result: ToolMessage | undefined,
  show: Gallery,
): Promise<Html> {
  const input = call.input === undefined ? '' : toJsonText(call.input);
  const state = result === undefined ? 'no result' : result.isError ? 'failed' : 'done';
  const body: Html[] = [];
  if (input.length > 60)
    body.push(
      markup`<details>
        <summary>Arguments</summary>
        <pre>${cutText(toJsonText(call.input, 2), maxShown)}</pre>
      </details>`,
    );
  for (const block of result?.content ?? []) {
    if (isMedia(block)) body.push(await show.figure(block));
    else if (block.type === 'text') body.push(resultText(block.text));
  }
  return markup`<div class="card">
    <div class="call">
      <b>${call.name}</b><span class="input">${cutText(input, 200)}</span
      ><span class="state${state === 'done' ? '' : ' bad'}">${state}</span>
    </div>
    ${body.length > 0 && markup`<div class="body">${body}</div>`}
  </div>`;
}

/** Short words as they are; anything long folded, in the letters of a terminal. */
function resultText(text: string): Html {
  const lines = text.split('\n').length;
  if (lines <= 3 && text.length <= 400) return markup`<p>${text}</p>`;
  const cut = text.length > maxShown ? markup` … ${text.length - maxShown} more characters` : nothing;
  const pre = markup`<pre>${cutText(text, maxShown)}${cut}</pre>`;
  return lines <= 15
    ? pre
    : markup`<details>
        <summary>${lines} lines</summary>
        ${pre}
      </details>`;
}

function receiptTable(sent: RecordedRequest | string | undefined): Html {
  if (typeof sent === 'string') return markup`<section><p>${sent}</p></section>`;
  if (!sent || sent.receipts.length === 0) return nothing;
  const { receipts, row } = sent;
  const rows = receipts.map(
    ({ action, subject, why, tokens }) =>
      markup`<tr>
        <td>${subject}</td>
        <td>${action}</td>
        <td>${why}</td>
        <td class="number">${tokens?.toLocaleString('en-US')}</td>
      </tr>`,
  );
  return markup`<section>
    <details>
      <summary>What ${row.model} was given in the newest request (${receipts.length} receipts)</summary>
      <table>
        <tr>
          <th>what</th>
          <th>how</th>
          <th>why</th>
          <th>tokens</th>
        </tr>
        ${rows}
      </table>
    </details>
  </section>`;
}
