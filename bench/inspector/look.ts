// The page over a history, in a real Chromium: until rows and chart stand there, each request that is opened, and what the page
// holds when all of them were.
import { setTimeout } from 'node:timers/promises';
import { openInspector } from '../../src/inspect/open.ts';
import { openSessions } from '../../src/session/store.ts';
import type { Task } from '../harness.ts';
import { barePage } from './browser.ts';

export type LookInput = { home: string; id: string; visits: number };
export type LookFigures = { openMs: number; requestMs: number[]; heapMb: number; rendererMb: number; emptyMb: number };

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
  const store = openSessions({ home, readOnly: true });
  const inspector = await openInspector({ store: () => store });
  const page = await barePage(noting);
  try {
    await page.go(`${inspector.url.split('/#')[0]}/favicon.ico`); // the browser itself is up
    await setTimeout(500);
    const emptyMb = await page.ownMb();
    await page.go(`${inspector.url}/${id}`);
    while (!(await page.run<boolean>('globalThis.seen?.opened !== undefined'))) await setTimeout(20);
    await setTimeout(500);
    for (let visit = 0; visit < visits; visit++) {
      const before = await page.run<number>('Object.keys(seen.requests).length');
      await page.press('j');
      while ((await page.run<number>('Object.keys(seen.requests).length')) === before) await setTimeout(20);
    }
    const seen = await page.run<{ opened: number; requests: Record<string, number> }>('seen');
    await page.send('HeapProfiler.collectGarbage');
    const heap = await page.send<{ usedSize: number }>('Runtime.getHeapUsage');
    const rendererMb = await page.ownMb();
    return {
      openMs: seen.opened,
      requestMs: Object.values(seen.requests),
      heapMb: heap.usedSize / 1e6,
      rendererMb,
      emptyMb,
    };
  } finally {
    await page.close();
    await inspector.close(0);
    await store.close();
  }
};
export default task;
