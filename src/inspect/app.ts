// The inspector: a web application for one person on this machine. It looks and never changes anything.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetId } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { shortId } from '../content/words.ts';
import { isToken } from '../model/guard.ts';
import { style } from '../page/style.ts';
import { pictureEdges } from '../page/view.ts';
import { assetsInBody } from '../record/body.ts';
import { replayChain, sentStream } from '../record/table.ts';
import { unreadableWords } from '../session/sent.ts';
import type { SessionStore } from '../session/store.ts';
import { exportedPage } from './export.ts';
import { conversationsOf, plannedFor, requestView, rowsThere, sentView, summaryOf, tableOf } from './look.ts';
import type { ListQuery } from './look.ts';
import { drawingOf } from './pictures.ts';
import { readingOn } from './said.ts';
import type { ReadSaid } from './said.ts';
import { timelineOf } from './timeline.ts';

export type InspectorOptions = {
  /** The sessions as they are now: a home may come to be while the page is open. */
  store: () => SessionStore;
  /** The folder with the page. */
  web: string;
  token?: string;
  /** Takes out of an exported page what must not leave. */
  hide?: (text: string) => string;
};

export type Inspector = { token: string; handle: (request: Request) => Promise<Response> };

const security = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types sightline",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const unforeseen = 'Load the page again; if it stays, this is a bug: please report it.';

const files: Record<string, string> = {
  '/': 'index.html',
  '/main.js': 'main.js',
};
const types: Record<string, string> = { html: 'text/html; charset=utf-8', js: 'text/javascript' };

/** Makes the application; whoever mounts it has asked the guard. */
export function inspector({
  store,
  web,
  token = randomBytes(32).toString('base64url'),
  hide,
}: InspectorOptions): Inspector {
  let pictures: { of: SessionStore; draw: ReturnType<typeof drawingOf> } | undefined;
  const draw = (): ReturnType<typeof drawingOf> => {
    const now = store();
    if (pictures?.of !== now) pictures = { of: now, draw: drawingOf(now.assets) };
    return pictures.draw;
  };
  const read = readingOn();
  const answer = async (request: Request, url: URL): Promise<Response> => {
    if (!isFromHere(request, url))
      return told(403, 'Only the inspector’s own page may ask this. Open the address that the terminal shows.');
    if (url.pathname === '/favicon.ico') return new Response(null, { status: 204, headers: security });
    if (url.pathname === '/style.css') return pageFile(style, 'text/css');
    const file = request.method === 'GET' ? files[url.pathname] : undefined;
    if (file !== undefined) return await fileOf(web, file);
    if (url.pathname === '/api/enter') return await enter(request, url, token);
    if (!isToken(cookieOf(request, url), token))
      return told(401, 'Open the address that the terminal shows: the token in it lets you in.');
    if (url.pathname === '/api/live' && request.method === 'GET') return live(store, request);
    return await route(request, url, store(), { draw: draw(), hide, read });
  };
  return {
    token,
    handle: async (request) => {
      try {
        return await answer(request, new URL(request.url));
      } catch (error) {
        const isOurs = error instanceof SightlineError;
        const why = error instanceof Error ? error.message : String(error);
        const words = isOurs ? why : `This went wrong: ${why}. ${unforeseen}`;
        return told(isOurs && error.code === 'input' ? 404 : 500, hide ? hide(words) : words);
      }
    },
  };
}

/** A page on another port of this machine is of the same site, and still a stranger. */
function isFromHere({ headers }: Request, url: URL): boolean {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')];
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  return headers.get('host') === url.host && (origin === null || origin === url.origin);
}

const cookieName = (url: URL): string => `sightline-${url.port}`;

function cookieOf({ headers }: Request, url: URL): string {
  const pairs = (headers.get('cookie') ?? '').split(/;\s*/).map((pair) => pair.split('='));
  return pairs.find(([name]) => name === cookieName(url))?.[1] ?? '';
}

async function enter(request: Request, url: URL, token: string): Promise<Response> {
  const given: unknown = request.method === 'POST' ? await request.json().catch(() => undefined) : undefined;
  const word = isRecord(given) && typeof given['token'] === 'string' ? given['token'] : '';
  if (!isToken(word, token)) return told(401, 'The token is another one. Open the address that the terminal shows.');
  const cookie = `${cookieName(url)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
  return new Response('{}', { headers: { ...security, 'set-cookie': cookie, 'content-type': 'application/json' } });
}

async function fileOf(web: string, file: string): Promise<Response> {
  const bytes = await readFile(join(web, file)).catch(() => undefined);
  if (!bytes) return told(500, 'The page is not built. Run "npm run build" where Sightline lies.');
  return pageFile(new Uint8Array(bytes), types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
}

function pageFile(bytes: Uint8Array<ArrayBuffer> | string, type: string): Response {
  return new Response(bytes, { headers: { ...security, 'content-type': type, 'cache-control': 'no-cache' } });
}

type Draw = ReturnType<typeof drawingOf>;
type Means = { hide: InspectorOptions['hide']; draw: Draw; read: ReadSaid };

async function route(request: Request, url: URL, store: SessionStore, { draw, hide, read }: Means): Promise<Response> {
  const [, , kind = '', id = '', what = '', other = ''] = url.pathname.split('/').map(decodeURIComponent);
  const number = (name: string): number | undefined => numberIn(url, name);
  const place = `${request.method} ${kind} ${id === '' ? '' : ':id'} ${what}`.trim();
  switch (place) {
    case 'GET conversations':
      return json(await conversationsOf(store, listQuery(url)));
    case 'GET conversations :id':
      return json(await conversationOf(store, id));
    case 'GET conversations :id entries':
      return json(await timelineOf(store, id, { from: number('from'), count: Math.min(200, number('count') ?? 100) }));
    case 'GET conversations :id page':
      return await exportedPage(store, id, hide);
    case 'GET requests :id':
      return json(await sentView(store, id, url.searchParams.has('whole'), read));
    case 'GET requests :id against':
      return json({ now: await requestView(store, id), other: await requestView(store, other) });
    case 'GET requests :id body':
      return await bodyOf(store, id);
    case 'POST requests :id as': {
      const asked: unknown = await request.json().catch(() => undefined);
      const model = isRecord(asked) && typeof asked['model'] === 'string' ? asked['model'] : '';
      return json(await plannedFor(store, id, model));
    }
    case 'GET assets :id':
      return await assetOf(id, url, draw, request.signal);
    default:
      return told(404, 'There is nothing here. Begin at the address that the terminal shows.');
  }
}

async function conversationOf(store: SessionStore, id: string): Promise<object> {
  const requests = await rowsThere(store, id);
  return { about: await summaryOf(store, id, requests), requests };
}

function numberIn({ searchParams }: URL, name: string): number | undefined {
  const text = searchParams.get(name) ?? '';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

const onlyThose = ['broke', 'failed', 'live'] as const;

function listQuery(url: URL): ListQuery {
  const [words, model, asked] = ['q', 'model', 'only'].map((name) => url.searchParams.get(name) ?? '');
  const [cost, before, only] = [numberIn(url, 'cost'), numberIn(url, 'after'), onlyThose.find((one) => one === asked)];
  return {
    ...(words && { words }),
    ...(model && { model }),
    ...(only && { only }),
    ...(cost !== undefined && { cost }),
    ...(before !== undefined && { before }),
  };
}

async function bodyOf(store: SessionStore, id: string): Promise<Response> {
  const whole = replayChain(await tableOf(store).chain(id));
  if (typeof whole === 'string') return told(410, unreadableWords(whole));
  const media = [...new Set(assetsInBody(whole.body).map(({ $asset }) => $asset))];
  const missing = await store.assets.missing(media);
  if (missing.size > 0) return told(410, missingWords(media.length, missing));
  const stream = sentStream(whole.body, (asset) => store.assets.stream(asset));
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      ...security,
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="request.json"`,
    },
  });
}

function missingWords(all: number, missing: ReadonlySet<AssetId>): string {
  const names = [...missing].map(shortId).join(', ');
  const which = all === 1 ? 'Its medium is' : `${missing.size} of its ${all} media are`;
  return `${which} no longer stored (${names}), so the bytes that were sent cannot be put together.`;
}

const edges = new Set<number>(Object.values(pictureEdges));

async function assetOf(hash: string, url: URL, draw: Draw, signal: AbortSignal): Promise<Response> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return told(404, 'That is no name of an asset.');
  const edge = Number(url.searchParams.get('edge') ?? 0);
  const page = Math.max(0, Number(url.searchParams.get('page') ?? 1) - 1);
  const id: AssetId = `sha256:${hash}`;
  const shown = await draw(id, { ...(edges.has(edge) ? { edge } : {}), page, signal });
  if (!shown) return told(404, 'It is no longer stored, or nothing that can be drawn.');
  return new Response(shown.bytes, {
    headers: {
      ...security,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': shown.mediaType,
      'cache-control': 'private, max-age=31536000, immutable',
    },
  });
}

/** How often it is looked whether the sessions are others by now. */
const otherMs = 1000;

/**
 * Tells that something was recorded, by whichever process; the page asks for what it shows. Who was here before and comes
 * again is told at once: meanwhile something may have been. Ends where the sessions are others, or can no longer be read.
 */
function live(storeNow: InspectorOptions['store'], { signal, headers }: Request): Response {
  const store = storeNow();
  const isOther = (): boolean => {
    try {
      return storeNow() !== store;
    } catch {
      return true;
    }
  };
  const other = new AbortController();
  const timer = setInterval(() => isOther() && other.abort(), otherMs);
  timer.unref();
  const encoder = new TextEncoder();
  const before = headers.get('last-event-id');
  let number = Number(before ?? 0) || 0;
  const changed = (): Uint8Array<ArrayBuffer> => encoder.encode(`id: ${++number}\nevent: changed\ndata: {}\n\n`);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      controller.enqueue(encoder.encode('retry: 1000\n\n'));
      if (before !== null) controller.enqueue(changed());
      try {
        const over = AbortSignal.any([signal, other.signal]);
        for await (const _ of tableOf(store).watch(over)) controller.enqueue(changed());
      } catch {
        other.abort(); // why they cannot be read is told to who asks next
      } finally {
        clearInterval(timer);
      }
      if (other.signal.aborted) controller.enqueue(changed());
      controller.close();
    },
  });
  return new Response(stream, {
    headers: { ...security, 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), {
    headers: { ...security, 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

/** A refusal in words. */
export function told(status: number, message: string): Response {
  return new Response(JSON.stringify({ message }), {
    status,
    headers: { ...security, 'content-type': 'application/json' },
  });
}
