// Going to a page and taking its picture: what both the one-shot tools and the sessions do.
import { setTimeout } from 'node:timers/promises';
import type { AssetStore } from '../../asset/store.ts';
import type { Asset } from '../../content/block.ts';
import type { BlockInput } from '../../content/input.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeName, safeWords } from '../../content/text.ts';
import { pageWordsNote } from '../../content/words.ts';
import type { Region } from '../../media/index.ts';
import { cropPicture } from '../../media/index.ts';
import type { JsonSchema } from '../../tool/schema.ts';
import type { Given } from '../argument.ts';
import { flag, integer, numberAt, regionAt, regionSchema, string, textAt } from '../argument.ts';
import type { UrlRules } from '../../media/remote/address.ts';
import type { Page } from './launch.ts';

const visitMs = 30_000;
const settleMs = 2000;
const titleMs = 2000;
const scriptMs = 5000;
/** The page stands still by then: what is not there will not come. */
const elementMs = 5000;
/** Chromium draws no picture that is longer. */
const maxPageEdge = 16_384;

/** What of a page to show; the same words for every tool that takes pictures of pages. */
export const shotSchema: Record<string, JsonSchema> = {
  full_page: flag('The whole page and not only what the window shows'),
  selector: string('Only the first element that this CSS selector finds'),
  region: regionSchema('Only this part of the window, in pixels'),
  max_dimension: integer('Scale the picture down to at most so many pixels on its longer side', { minimum: 16 }),
};

export type Shot = {
  fullPage: boolean;
  selector: string | undefined;
  region: Region | undefined;
  maxDimension: number | undefined;
};

export function shotOf(given: Given): Shot {
  return {
    fullPage: given['full_page'] === true,
    selector: textAt(given, 'selector'),
    region: regionAt(given),
    maxDimension: numberAt(given, 'max_dimension'),
  };
}

export type Visited = { url: string; title: string; status: number | undefined };

/** Whether a URL may be opened. The proxy would refuse it too, but cannot say why. */
export async function allowedUrl(text: string, rules: UrlRules): Promise<Read<URL>> {
  const { addressesOf, checkUrl } = await import('../../media/remote/address.ts');
  const url = checkUrl(text, rules);
  const addresses = url.ok ? await addressesOf(url.value, rules) : url;
  return addresses.ok ? url : addresses;
}

/** Opens a URL in a page and waits until it stands still. */
export async function visit(page: Page, text: string, rules: UrlRules): Promise<Read<Visited>> {
  const url = await allowedUrl(text, rules);
  if (!url.ok) return url;
  try {
    const response = await page.goto(url.value.href, { waitUntil: 'load', timeout: visitMs });
    await settled(page);
    const { url: reached, title } = await standing(page);
    const led = reached === url.value.href ? url : await allowedUrl(reached, rules);
    return led.ok ? { ok: true, value: { url: reached, title, status: response?.status() } } : led;
  } catch (error) {
    return unreachable(url.value, error);
  }
}

/** Waits a moment for what a page still loads. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: settleMs }).catch(() => undefined); // some pages never rest
}

/** What a script gives that runs in a page; nothing from one that is too busy with itself to run it. */
export async function inPage(page: Page, script: string): Promise<unknown> {
  const late = setTimeout(scriptMs, undefined, { ref: false });
  return await Promise.race([page.evaluate(script), late]).catch(() => undefined);
}

/** Where a page really is, after all redirects. One that is busy with itself does not say its title. */
export async function standing(page: Page): Promise<{ url: string; title: string }> {
  const late = setTimeout(titleMs, '', { ref: false });
  return { url: page.url(), title: safeWords(await Promise.race([page.title().catch(() => ''), late])) };
}

function unreachable({ host }: URL, error: unknown): Read<never> {
  const message = error instanceof Error ? error.message : String(error);
  const code = /net::(ERR_[A-Z_]+)/.exec(message)?.[1];
  if (code === 'ERR_TUNNEL_CONNECTION_FAILED') {
    return refuse('not-allowed', `${host} leads to an address that may not be opened`, 'Use another address.');
  }
  if (message.includes('Download is starting')) {
    return refuse('unsupported', `${host} gives a file here, not a page`, 'fetch_url reads it.');
  }
  if (/Timeout .* exceeded/.test(message)) {
    return refuse('timed-out', `${host} did not finish loading`, 'Try again later.', `${visitMs / 1000} s`);
  }
  return refuse('not-found', `${host} could not be opened (${code ?? firstLine(message)})`, 'Check the address.');
}

/** The picture of a page as PNG, or why there is none. */
export async function capture(page: Page, shot: Shot): Promise<Read<Uint8Array>> {
  const { fullPage, selector, region } = shot;
  try {
    if (selector !== undefined) {
      const element = page.locator(selector).first();
      await element.waitFor({ timeout: elementMs }); // until it can be seen
      return { ok: true, value: await element.screenshot({ timeout: 15_000, animations: 'disabled' }) };
    }
    const clip = region ?? (fullPage ? await wholePage(page) : undefined);
    const bytes = await page.screenshot({ fullPage, animations: 'disabled', timeout: 15_000, ...(clip && { clip }) });
    return { ok: true, value: bytes };
  } catch (error) {
    const why = firstLine(error instanceof Error ? error.message : String(error));
    return refuse('bad-range', `Error capturing image: ${why}`, nextFor(shot));
  }
}

function nextFor({ selector, region }: Shot): string {
  if (selector !== undefined) return 'Check the selector: nothing visible was found.';
  return region ? 'Check the region.' : 'The page may be busy with itself: try again, or another page.';
}

/** A page that is longer than a picture can be is shown as far as that goes. */
async function wholePage(page: Page): Promise<Region | undefined> {
  const size = await inPage(page, '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]');
  const [width = 0, height = 0] = Array.isArray(size) ? size.map(Number) : [];
  if (Math.max(width, height) <= maxPageEdge) return undefined;
  return { x: 0, y: 0, width: Math.min(width, maxPageEdge), height: Math.min(height, maxPageEdge) };
}

/** A picture as content, scaled down where that was asked for. */
export async function pictureOf(
  bytes: Uint8Array,
  url: string,
  { maxDimension }: Shot,
  { assets, signal }: { assets: AssetStore; signal: AbortSignal },
): Promise<Read<BlockInput>> {
  const name = `${safeName(URL.canParse(url) ? new URL(url).hostname || 'page' : 'page')}.png`;
  if (maxDimension === undefined) return { ok: true, value: { type: 'image', data: bytes, name } };
  return await cropPicture(bytes, { assets, signal, name, maxEdge: maxDimension });
}

const mostWords = 500_000;
const wordsAndHeight = '[document.body ? document.body.innerText : "", document.documentElement.scrollHeight]';

/** Where the words of a page are: a line that names them, and their asset. */
export type PageWords = { content: BlockInput[]; kept: Asset[] };

const noWords: PageWords = { content: [], kept: [] };

/** The words of a page that was shown whole, as an asset: a page has them exactly, a picture only as far as it can be read. */
export async function wordsOnPage(
  page: Page,
  { fullPage }: Shot,
  { assets }: { assets: AssetStore },
): Promise<PageWords> {
  if (!fullPage) return noWords;
  const found = await inPage(page, wordsAndHeight);
  const [said, height] = Array.isArray(found) ? (found as unknown[]) : [];
  const words = typeof said === 'string' ? said.slice(0, mostWords).toWellFormed().trim() : '';
  if (words === '') return noWords;
  const asset = await assets.put(new TextEncoder().encode(words), { mediaType: 'text/plain', name: 'page.txt' });
  const unseen = Number(height) > maxPageEdge ? { height: Number(height), shown: maxPageEdge } : undefined;
  return { content: [{ type: 'text', text: pageWordsNote(asset, words.length, unseen) }], kept: [asset] };
}

function firstLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- the library colours its messages
  return (text.split('\n')[0] ?? '').replaceAll(/\u001b\[\d+m/g, '');
}
