// A session as one HTML page that needs nothing else: pictures inside, thinking folded, calls as cards, receipts at the
// end. No script runs in it, and nothing is loaded from anywhere.
import { isMedia } from '../../../content/block.ts';
import { countOf, grouped, money } from '../../../content/figures.ts';
import type { Entry } from '../../entry.ts';
import type { SessionInfo } from '../../log/port.ts';
import type { SessionReader } from '../../reader.ts';
import type { RecordedRequest } from '../../sent.ts';
import type { Html } from '../../../page/html.ts';
import { markup, nothing } from '../../../page/html.ts';
import type { Gallery } from './media.ts';
import { gallery } from './media.ts';
import { style } from '../../../page/style.ts';
import { mediaOfParts, timeHtml, turnHtml, turnsOf } from '../../../page/timeline.ts';
import type { SaidOrNoted, TimelineMedium, TimelineTurn } from '../../../page/timeline.ts';

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
<title>${title}</title><style>${styles}</style></head><body class="file session"><main>
<header><h1>${title}</h1>${facts(info, entries)}</header>
`;
  yield `<!doctype html>\n${head.html}`;
  for (const turn of turnsOf(saidIn(entries))) yield `${(await drawnTurn(turn, show)).html}\n`;
  yield markup`${receiptTable(sent)}<footer>${
    show.leftOut() > 0 && markup`${show.leftOut()} media were left out of this page to keep it small. `
  }Exported by Sightline from session ${info.id}.</footer></main></body></html>\n`.html;
}

const counted = (count: number, one: string, many: string): Html =>
  markup`<b>${grouped(count)}</b> ${count === 1 ? one : many}`;

function facts({ created, model, inputTokens, outputTokens, cost }: SessionInfo, entries: readonly Entry[]): Html {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const media = new Set(messages.flatMap(({ content }) => content.filter(isMedia).map(({ asset }) => asset.id)));
  const items = [
    timeHtml(new Date(created).toISOString()),
    ...(model === undefined ? [] : [markup`<b>${model}</b>`]),
    counted(messages.length, 'message', 'messages'),
    ...(media.size > 0 ? [counted(media.size, 'medium', 'media')] : []),
    ...(inputTokens > 0 ? [counted(inputTokens + outputTokens, 'token', 'tokens')] : []),
    ...(cost === undefined ? [] : [markup`<b>${money(cost)}</b>`]),
  ];
  return markup`<ul class="facts">
    ${items.map((item) => markup`<li>${item}</li>`)}
  </ul>`;
}

/** What is shown of a session: what was said, and what was noted for people. */
export function saidIn(entries: readonly Entry[]): SaidOrNoted[] {
  return entries.flatMap((entry): SaidOrNoted[] => {
    const { id } = entry;
    const time = new Date(entry.time).toISOString();
    if (entry.type === 'message') return [{ id, time, message: entry.message }];
    if (entry.type === 'note') return [{ id, time, note: entry.text }];
    if (entry.type !== 'quarantine') return [];
    return [{ id, time, note: `${entry.model} refused a medium: ${entry.why}` }];
  });
}

/** Media are drawn before the turn that shows them. */
async function drawnTurn(turn: TimelineTurn, show: Gallery): Promise<Html> {
  const figures = new Map<TimelineMedium, Html>();
  for (const medium of mediaOfParts(turn.parts))
    if (medium.type !== 'medium') figures.set(medium, await show.figure(medium));
  return turnHtml(turn, (medium) => figures.get(medium) ?? nothing);
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
        <td class="number">${tokens !== undefined && grouped(tokens)}</td>
      </tr>`,
  );
  return markup`<section>
    <details>
      <summary>What ${row.model} was given in the newest request (${countOf(receipts.length, 'receipt')})</summary>
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
