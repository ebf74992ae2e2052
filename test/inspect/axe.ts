// The judge of accessibility that nobody here wrote, on a page of the browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** Violations, found by a judge that nobody here wrote; it runs outside of the page's own policy. */
export async function violations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { result: here } = await session.send('Runtime.evaluate', { expression: "typeof axe === 'object'" });
  if (here.value !== true) await session.send('Runtime.evaluate', { expression: axe });
  const found = await session.send('Runtime.evaluate', {
    expression:
      'axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes[0].html)))',
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(found.result.value)) as string[];
}
