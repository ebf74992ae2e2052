// A conversation's requests as one HTML file that needs nothing else, drawn by the same hands as the page.
import { join } from 'node:path';
import { folderOf, packageFolder } from '../config/package.ts';
import { encodeBase64 } from '../content/base64.ts';
import type { AssetId } from '../content/block.ts';
import { maskKeys } from '../content/keys.ts';
import type { Html } from '../page/html.ts';
import { markup } from '../page/html.ts';
import { againstHtml, answerHtml, figureAt, isDrawn, sawHtml } from '../page/request.ts';
import type { AddressOf } from '../page/request.ts';
import { mediaOfParts } from '../page/timeline.ts';
import { style } from '../page/style.ts';
import { pictureEdges, stateWords } from '../page/view.ts';
import type { RequestView } from '../page/view.ts';
import type { SessionStore } from '../session/store.ts';
import { requestView, rowsThere, summaryOf } from './look.ts';
import { drawingOf } from './pictures.ts';

/** The folder with the built page, from source and in the package. */
export function webFolder(): string {
  return import.meta.url.endsWith('.ts') ? join(packageFolder, 'dist', 'web') : folderOf('web');
}

const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The most that goes into one file: the newest requests, and so many bytes of pictures. */
export type ExportLimits = { requests: number; bytes: number };
const usual: ExportLimits = { requests: 200, bytes: 48 * 1024 * 1024 };

/** What goes by the name of a secret, in JSON, settings and headers, as HTML spells them. */
const named = /(?<=(?:api_?key|token|secret|password|passwd|authorization)(?:&quot;|&#39;)?\s{0,3}[:=]\s{0,3}(?:&quot;|&#39;)?)(?=[^\s&<]*[\d-])[^\s&<,;]{8,}/gi; // prettier-ignore

/** The ids of files at providers, in the spellings of their stores. */
const fileId = /\bfile[-_][A-Za-z0-9]{8,}\b|(?<=\/v1(?:beta)?\/files\/)[\w-]+/g;

/** The page of a conversation; what is too much is left out with a sentence. */
export async function exportedPage(
  store: SessionStore,
  id: string,
  hide: (text: string) => string = (text) => text,
  limits: ExportLimits = usual,
): Promise<Response> {
  const all = await rowsThere(store, id);
  const about = await summaryOf(store, id, all);
  const rows = all.slice(-limits.requests);
  const kept = new Set(rows.map((row) => row.id));
  const pictures = insidePictures(store, limits.bytes);
  const masking = maskingOf(hide);
  const articles: string[] = [];
  for (const row of rows) {
    const view = await requestView(store, row.id, !kept.has(row.before ?? ''), all);
    await pictures.load(view);
    articles.push(masking.html(articleHtml(view, pictures.address)));
  }
  const title = masking.html(markup`${about.title}`);
  const few = rows.length < about.requests ? `the newest ${rows.length} of ` : '';
  const many = `${few}${about.requests} ${about.requests === 1 ? 'request' : 'requests'}`;
  const styles: Html = { html: style };
  const page = markup`<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><meta http-equiv="Content-Security-Policy" content="${policy}" /><title>${{ html: title }}</title><style>${styles}</style></head><body class="file"><main><header><h1>${{ html: title }}</h1><p>${about.models.join(', ')} · ${many}, as they were sent</p></header>`;
  const [masked, left] = [masking.count(), pictures.leftOut()];
  const foot = markup`<footer>${left === 0 ? '' : `${left} ${left === 1 ? 'picture was' : 'pictures were'} left out of this page to keep it small. `}${masked === 0 ? 'Nothing was masked.' : `${masked} ${masked === 1 ? 'word that looks like a key or names a file was' : 'words that look like keys or name files were'} masked.`} Exported by Sightline.</footer></main></body></html>`;
  return new Response(`<!doctype html>\n${page.html}${articles.join('\n')}${foot.html}\n`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="requests-${id.replaceAll(/[^\w-]/g, '')}.html"`,
    },
  });
}

function articleHtml(view: RequestView, address: AddressOf): Html {
  const { row, number, before, missing } = view;
  const state = stateWords(row, Date.now());
  return markup`<article id="request-${number}"><h2>Request ${number} <small>${row.model} · ${row.purpose} · ${state}</small></h2>${sawHtml(view, address, 'named')}${before ? againstHtml(view) : undefined}${answerHtml(view, figureAt(address, missing), Date.now())}</article>`;
}

type InsidePictures = { load: (view: RequestView) => Promise<void>; address: AddressOf; leftOut: () => number };

/** Pictures as they stand in a file, as many as there is room for. */
function insidePictures(store: SessionStore, bytes: number): InsidePictures {
  const draw = drawingOf(store.assets);
  const sources = new Map<AssetId, string>();
  const left = new Set<AssetId>();
  let room = bytes;
  return {
    load: async ({ sections, originals, answer = [] }) => {
      const wanted = sections.flatMap(({ leaves }) =>
        leaves.flatMap((leaf) => {
          if (leaf.kind !== 'medium') return [];
          const { medium, receipt } = leaf;
          const original = receipt?.asset && (originals[receipt.asset]?.asset.id ?? receipt.asset);
          return original ? [medium.$asset, original] : [medium.$asset];
        }),
      );
      for (const asset of [...wanted, ...mediaOfParts(answer).map(({ asset: { id } }) => id)]) {
        if (sources.has(asset) || room <= 0) continue;
        const shown = await draw(asset, { edge: pictureEdges.wide });
        if (shown) sources.set(asset, `data:${shown.mediaType};base64,${encodeBase64(shown.bytes)}`);
      }
    },
    address: (asset, mediaType, page = 1) => {
      if (page > 1) return undefined; // of a document the first one is enough
      const source = sources.get(asset);
      room -= source?.length ?? 0;
      if (source !== undefined && room > 0) return source;
      if (isDrawn(mediaType)) left.add(asset);
      return undefined;
    },
    leftOut: () => left.size,
  };
}

type Masking = { html: (from: Html) => string; count: () => number };

/** Takes keys and names of files out of what people and programs said; the bytes of pictures stay as they are. */
function maskingOf(hide: (text: string) => string): Masking {
  let masked = 0;
  const mask = (instead: string) => (): string => {
    masked++;
    return instead;
  };
  const words = (text: string): string =>
    maskKeys(hide(text), mask('[key]')).replaceAll(named, mask('[key]')).replaceAll(fileId, mask('[file]'));
  const bytes = /(<img src="data:[^"]+")/; // only we write this: what others said has no such quote
  return {
    html: ({ html }) =>
      html
        .split(bytes)
        .map((part, at) => (at % 2 === 0 ? words(part) : part))
        .join(''),
    count: () => masked,
  };
}
