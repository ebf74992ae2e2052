// The pictures of docs/inspector.md: the demo's conversation in a real Chromium, which has to be installed.
//   npx node scripts/screenshots.ts
import { mkdirSync } from 'node:fs';
import { demoSessions } from '../src/cli/inspect/demo.ts';
import { openInspector } from '../src/inspect/open.ts';
import { missingBrowser, openBrowser } from '../bench/eyesight/draw.ts';
import { argumentsOf } from './arguments.ts';

argumentsOf(import.meta.filename, {});
const trouble = missingBrowser();
if (trouble !== undefined) {
  console.error(`Nothing is drawn: ${trouble}.`);
  process.exit(2);
}

const store = await demoSessions();
const inspector = await openInspector({ store: () => store });
const browser = await openBrowser();
mkdirSync('docs/images', { recursive: true });

type Shot = { name: string; dark?: true; height: number; conversation: string; key: string; ready: string };
const sales = 'How did sales go';
const shots: Shot[] = [
  { name: 'saw', height: 2000, conversation: sales, key: '1', ready: '.rail li:nth-child(4) a' },
  { name: 'healed', height: 1320, conversation: 'Which orders', key: '1', ready: '.loupe' },
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
    await page.mouse.move(0, 0); // nothing is pointed at
    await page.waitForTimeout(2500); // pages of a PDF are drawn
    await page.screenshot({ path: `docs/images/inspector-${name}.png` });
  }
} finally {
  await browser.close();
  await inspector.close(0);
}
