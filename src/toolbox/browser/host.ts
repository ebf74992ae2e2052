// One browser for all pages of a program: started when first needed, with a profile of its own for each page, and
// ended when nobody has used it for a while.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { UrlRules } from '../../media/remote/address.ts';
import type { Page, Running } from './launch.ts';
import { launch } from './launch.ts';

/** Which browser the tools steer, where it may go, and how many pages may be open. */
export type BrowserOptions = {
  /** Where pages may come from besides public https addresses. */
  urls?: UrlRules;
  /** The browser to run; else SIGHTLINE_BROWSER, else the first that is found. */
  executable?: string;
  /** Sessions that may be open at once, and how long each may go unused. */
  maxSessions?: number;
  idleMs?: number;
};

export type Viewport = { width: number; height: number };

export type Host = {
  /** A new page that shares nothing with any other. */
  open(viewport: Viewport): Promise<Read<Page>>;
  /** Ends the browser with all its pages. It starts again when asked for one. */
  close(): Promise<void>;
};

/** How long a browser without pages is kept for the next one. */
const restMs = 10_000;
const maxPages = 8;

export function browserHost({ urls = {}, executable }: BrowserOptions): Host {
  let running: Promise<Read<Running>> | undefined;
  let rest: NodeJS.Timeout | undefined;
  let pages = 0;

  const start = (): Promise<Read<Running>> => {
    const begun = launch(urls, executable);
    running = begun;
    const forget = (): void => {
      if (running === begun) running = undefined;
    };
    void begun.then((started) => (started.ok ? started.value.browser.once('disconnected', forget) : forget()), forget);
    return begun;
  };

  const close = async (): Promise<void> => {
    clearTimeout(rest);
    const going = running;
    running = undefined;
    const started = await going;
    if (started?.ok) await started.value.close();
  };

  const left = (): void => {
    pages--;
    clearTimeout(rest);
    if (pages === 0 && running) rest = setTimeout(() => void close().catch(() => undefined), restMs);
  };

  return {
    async open(viewport) {
      if (pages >= maxPages) {
        return refuse('not-allowed', 'Too many pages are open', 'Close one first.', `${maxPages} pages`);
      }
      clearTimeout(rest);
      pages++;
      const started = await (running ?? start());
      if (!started.ok) {
        pages--;
        return started;
      }
      try {
        const context = await started.value.browser.newContext({
          viewport,
          acceptDownloads: false,
          serviceWorkers: 'block',
        });
        context.once('close', left);
        return { ok: true, value: await context.newPage() };
      } catch (error) {
        left();
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
        return refuse('not-allowed', `The browser opened no page: ${why}`, 'Try again.');
      }
    },
    close,
  };
}
