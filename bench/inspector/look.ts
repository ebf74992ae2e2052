// The page over a history, in a real Chromium: until rows and chart stand there, each request that is opened, and what the page
// holds when all of them were.
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { openInspector } from '../../src/inspect/open.ts';
import { openSessions } from '../../src/session/store.ts';
import type { Task } from '../harness.ts';

export type LookInput = { home: string; id: string; visits: number };
export type LookFigures = { openMs: number; requestMs: number[]; heapMb: number; rendererMb: number; emptyMb: number };

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Runs in the page before it: notes when something stands there, measured from when it was asked for. */
const noting = `(() => {
  const seen = (globalThis.seen = { requests: {} });
  let pressed = 0;
  addEventListener('keydown', () => (pressed = performance.now()), true);
  const look = () => {
    if (seen.opened === undefined && document.querySelector('.rail li a') && document.querySelector('.chart .column'))
      requestAnimationFrame(() => (seen.opened ??= performance.now()));
    const name = document.querySelector('h1')?.textContent ?? '';
    if (document.querySelector('.sheet') && seen.requests[name] === undefined)
      requestAnimationFrame(() => (seen.requests[name] ??= performance.now() - pressed));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
})()`;

const task: Task<LookInput, LookFigures> = async ({ home, id, visits }) => {
  const executablePath = browsers.find((file) => existsSync(file));
  if (executablePath === undefined) throw new Error('There is no Chromium here.');
  const store = openSessions({ home, readOnly: true });
  const inspector = await openInspector({ store: () => store });
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(120_000);
    await page.goto(`${inspector.url.split('/#')[0]}/favicon.ico`).catch(() => undefined); // the browser itself is up
    const emptyMb = await rendererMb(browser);
    await page.addInitScript(noting);
    await page.goto(`${inspector.url}/${id}`);
    await page.waitForSelector('.chart .column');
    await page.waitForTimeout(500);
    for (let visit = 0; visit < visits; visit++) {
      const before = await page.evaluate<number>('Object.keys(seen.requests).length');
      await page.keyboard.press('j');
      while ((await page.evaluate<number>('Object.keys(seen.requests).length')) === before)
        await page.waitForTimeout(20);
    }
    const seen = await page.evaluate<{ opened: number; requests: Record<string, number> }>('seen');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    const heap = await devtools.send('Runtime.getHeapUsage');
    return {
      openMs: seen.opened,
      requestMs: Object.values(seen.requests),
      heapMb: heap.usedSize / 1e6,
      rendererMb: await rendererMb(browser),
      emptyMb,
    };
  } finally {
    await browser.close();
    await inspector.close(0);
    await store.close();
  }
};
export default task;

/** Memory of its own of the largest process that draws a page. */
async function rendererMb(browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const own = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ownBytes(id));
  return Math.max(0, ...own) / 1e6;
}

function ownBytes(process: number): number {
  const status = readFileSync(`/proc/${process}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}
