// The pictures of `docs/inspector.md`: the demo's conversation in a real Chromium.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { demoSessions } from '../src/cli/inspect/demo.ts';
import { openInspector } from '../src/inspect/open.ts';

const store = await demoSessions();
const inspector = await openInspector({ store: () => store });
const browser = await chromium.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium' });
mkdirSync('docs/images', { recursive: true });

type Shot = { name: string; dark?: true; height: number; conversation: string; key: string; ready: string };
const sales = 'How did sales go';
const shots: Shot[] = [
  { name: 'saw', height: 1400, conversation: sales, key: '1', ready: '.rail li:nth-child(4) a' },
  { name: 'healed', height: 1270, conversation: 'Which orders', key: '1', ready: '.loupe' },
  { name: 'against', dark: true, height: 1050, conversation: sales, key: '2', ready: '.verdict' },
  { name: 'timeline', height: 1500, conversation: sales, key: '0', ready: '.timeline .turn' },
];
try {
  for (const { name, dark, height, conversation, key, ready } of shots) {
    const colorScheme = dark ? 'dark' : 'light';
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme });
    page.setDefaultTimeout(120_000); // also on a machine that does other things
    await page.goto(inspector.url);
    await page.click(`.list li a:has-text("${conversation}")`);
    await page.waitForSelector('.timeline');
    await page.keyboard.press(key);
    await page.waitForSelector(ready);
    if (name === 'saw') await page.click(ready);
    await page.waitForTimeout(2500); // pages of a PDF are drawn
    await page.screenshot({ path: `docs/images/inspector-${name}.png` });
  }
} finally {
  await browser.close();
  await inspector.close(0);
}
