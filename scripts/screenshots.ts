// The pictures of `docs/inspector.md`: the demo's conversation in a real Chromium.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { demoSessions } from '../src/cli/inspect/demo.ts';
import { openInspector } from '../src/inspect/open.ts';

const store = await demoSessions();
const inspector = await openInspector({ store: () => store });
const browser = await chromium.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium' });
const heights = { '0': 1500, '1': 1400, '2': 1050 };
mkdirSync('docs/images', { recursive: true });
try {
  for (const [name, colorScheme, key] of [
    ['inspector-saw', 'light', '1'],
    ['inspector-against', 'dark', '2'],
    ['inspector-timeline', 'light', '0'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: heights[key] }, colorScheme });
    page.setDefaultTimeout(120_000); // also on a machine that does other things
    await page.goto(inspector.url);
    await page.click('.list li a');
    await page.waitForSelector('.timeline');
    await page.keyboard.press(key);
    if (key === '1') {
      await page.click('.rail li:nth-child(4) a');
      await page.waitForSelector('.sheet img');
    }
    await page.waitForTimeout(1500); // pages of a PDF are drawn
    await page.screenshot({ path: `docs/images/${name}.png` });
  }
} finally {
  await browser.close();
  await inspector.close(0);
}
