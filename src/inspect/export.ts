// A conversation's requests as one HTML file that needs nothing else, drawn by the same hands as the page.
import { join } from 'node:path';
import { folderOf, packageFolder } from '../config/package.ts';
import type { AssetId } from '../content/block.ts';
import type { Html } from '../page/html.ts';
import { markup } from '../page/html.ts';
import { againstHtml, answerHtml, figureAt, sawHtml } from '../page/request.ts';
import type { AddressOf } from '../page/request.ts';
import { style } from '../page/style.ts';
import { pictureEdges } from '../page/view.ts';
import type { SessionStore } from '../session/store.ts';
import { requestView, requestRows, summaryOf } from './look.ts';
import { drawingOf } from './pictures.ts';

/** The folder with the built page, from source and in the package. */
export function webFolder(): string {
  return import.meta.url.endsWith('.ts') ? join(packageFolder, 'dist', 'web') : folderOf('web');
}

const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const maxBytes = 48 * 1024 * 1024;
const maxRequests = 200;

/** What has the shape of a key, wherever it came from. */
const keyShaped = /\b(?:sk|pk|gsk|xai|rk|ghp|gho|AKIA|hf|r8)[-_]?[A-Za-z0-9_-]{16,}\b/g;

/** The ids of files at providers, in the spellings of their stores. */
const fileId = /\bfile[-_][A-Za-z0-9]{8,}\b|(?<=\/v1(?:beta)?\/files\/)[\w-]+/g;

/** The page of a conversation; what is too much is left out with a sentence. */
export async function exportedPage(
  store: SessionStore,
  id: string,
  hide: (text: string) => string = (text) => text,
): Promise<Response> {
  const about = await summaryOf(store, id);
  const rows = (await requestRows(store, id)).slice(-maxRequests);
  const styles: Html = { html: style };
  const draw = drawingOf(store.assets);
  const sources = new Map<AssetId, string>();
  let room = maxBytes;
  const sections: Html[] = [];
  for (const row of rows) {
    const view = await requestView(store, row.id);
    const media = view.sections.flatMap(({ leaves }) =>
      leaves.flatMap((leaf) => (leaf.kind === 'medium' ? [leaf] : [])),
    );
    const wanted = media.flatMap(({ medium, receipt }) => [
      medium.$asset,
      ...(receipt?.asset ? [view.originals[receipt.asset]?.asset.id ?? receipt.asset] : []),
    ]);
    for (const asset of new Set(wanted)) {
      if (sources.has(asset)) continue;
      const shown = await draw(asset, { edge: pictureEdges.wide });
      if (!shown || shown.bytes.length > room) continue;
      room -= shown.bytes.length;
      sources.set(asset, `data:${shown.mediaType};base64,${Buffer.from(shown.bytes).toString('base64')}`);
    }
    const address: AddressOf = (asset) => sources.get(asset);
    const state = row.ended?.state ?? 'running';
    sections.push(
      markup`<article><h2>Request ${view.number} <small>${row.model} · ${row.purpose} · ${state}</small></h2>${sawHtml(view, address)}${view.before ? againstHtml(view) : undefined}${answerHtml(view, figureAt(address, view.missing), Date.now())}</article>`,
    );
  }
  let masked = 0;
  const mask = (words: string) => (): string => {
    masked++;
    return words;
  };
  const words = (text: string): string =>
    hide(text).replaceAll(keyShaped, mask('[key]')).replaceAll(fileId, mask('[file]'));
  const body = sections
    .map(({ html }) =>
      html
        .split(/(data:[^"]+)/)
        .map((part, at) => (at % 2 === 0 ? words(part) : part))
        .join(''),
    )
    .join('\n');
  const page = markup`<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><meta http-equiv="Content-Security-Policy" content="${policy}" /><title>${about.title}</title><style>${styles}</style></head><body class="file"><main><header><h1>${words(about.title)}</h1><p>${about.models.join(', ')} · ${about.requests} requests, as they were sent</p></header>`;
  const foot = markup`<footer>${masked === 0 ? 'Nothing was masked.' : `${masked} words that look like keys or name files were masked.`} Exported by Sightline.</footer></main></body></html>`;
  return new Response(`<!doctype html>\n${page.html}${body}${foot.html}\n`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="requests-${id.replaceAll(/[^\w-]/g, '')}.html"`,
    },
  });
}
