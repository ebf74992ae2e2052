// What a careful eye sees: figures stand below each other, nothing is drawn of what nobody counted, what is no trouble is not red,
// and a small screen begins with what was asked for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import { webFolder } from '../../src/inspect/export.ts';
import { openInspector } from '../../src/inspect/open.ts';
import type { OpenInspector } from '../../src/inspect/open.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { keptBody } from '../../src/record/body.ts';
import { memorySessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { violations } from './axe.ts';

const browserFile = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const isBuilt = existsSync(join(webFolder(), 'main.js'));
const patienceMs = 240_000; // only what hangs takes as long

/** A conversation with costs, one of a model without a price, and one of which nothing was counted. */
async function history(): Promise<SessionStore> {
  const store = memorySessions();
  const usage = { inputTokens: 900, cachedTokens: 300, writtenTokens: 600, outputTokens: 9 };
  const ask = async (title: string, models: readonly string[]): Promise<void> => {
    const session = await store.create({ title });
    for (const model of models)
      await runAgent({
        model,
        session,
        prompt: ['Look.', image('examples/chart.png')],
        send: scriptedSend(script([{ text: 'Seen.', usage }])),
      });
    await session.close();
  };
  await ask('Dear', [
    'anthropic/claude-sonnet-4-5',
    'ollama/qwen3-vl',
    'ollama/llama3.1',
    'anthropic/claude-sonnet-4-5',
  ]);
  await ask('Without a price', ['ollama/qwen3-vl']);
  const session = await store.create({ title: 'A tool' });
  const about = { name: 'screenshot', description: 'Takes a picture.', input: { type: 'object' } } as const;
  const shoot = defineTool({ ...about, run: () => image('examples/chart.png') });
  const answers = script([{ calls: [{ name: 'screenshot', input: {} }] }, { text: 'Seen.', usage }]);
  const how = { model: 'anthropic/claude-sonnet-4-5', session, tools: [shoot], send: scriptedSend(answers) };
  await runAgent({ ...how, prompt: 'Look.' });
  await session.close();
  const where = { model: 'openai-chat/gpt-4.1', url: 'https://api.openai.com/v1/chat/completions' };
  const frame = {
    version: 1,
    purpose: 'answer',
    via: 'fetch',
    wire: 'openai-chat',
    repairs: [],
    receipts: [],
  } as const;
  const record = { ...frame, ...where, conversation: 'uncounted', id: 'u1', time: Date.now(), bytes: 40 };
  const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Not counted' }] };
  await store.recorder?.begin(record, () => keptBody(body));
  return store;
}

/** Where things end on the right. */
const rightEdges = (page: Page, what: string): Promise<number[]> =>
  page.$$eval(what, (found) => found.map((one) => Math.round(one.getBoundingClientRect().right)));

describe.skipIf(browserFile === undefined || !isBuilt)('in a browser', () => {
  let [browser, opened]: [Browser?, OpenInspector?] = [];
  beforeAll(async () => {
    const { chromium } = await import('playwright-core');
    const store = await history();
    opened = await openInspector({ store: () => store });
    browser = await chromium.launch({ timeout: patienceMs, ...(browserFile && { executablePath: browserFile }) });
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await opened?.close(0);
  });

  const visit = async (width: number, title?: string): Promise<Page> => {
    const page = await browser?.newPage({ viewport: { width, height: 900 } });
    if (!page) throw new Error('no page');
    page.setDefaultTimeout(patienceMs);
    await page.goto(opened?.url ?? '');
    await page.waitForSelector('.list li a');
    if (title === undefined) return page;
    await page.click(`.list li a:has-text("${title}")`);
    await page.waitForSelector('.timeline, .empty');
    return page;
  };

  test(
    'figures of conversations stand below each other, and on a small screen in one line below the title',
    async () => {
      const wide = await visit(1440);
      for (const figure of ['requests', 'age']) {
        const right = await rightEdges(wide, `.list .${figure}`);
        expect(right, figure).toHaveLength(4);
        expect(new Set(right), figure).toHaveProperty('size', 1);
      }
      const gap = await wide.$eval('.list li', (row) => {
        const [thumb, title] = ['.thumb', '.title'].map((one) => row.querySelector(one)?.getBoundingClientRect());
        return (title?.left ?? 0) - (thumb?.right ?? 0);
      });
      expect(gap).toBeGreaterThan(10);
      await wide.close();
      const small = await visit(390);
      const odd = await small.$$eval('.list .figures', (lines) =>
        lines.flatMap((line) => {
          const { left } = line.getBoundingClientRect();
          const shown = [...line.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
          const begin = shown.filter(({ top }, at) => at === 0 || top !== shown[at - 1]?.top);
          return begin.filter((one) => one.left !== left); // each line of figures begins where the title does
        }),
      );
      expect(odd).toEqual([]);
      const header = await small.$eval('.top', (top) => top.getBoundingClientRect().height);
      expect(header).toBeLessThan(100);
      await small.close();
    },
    patienceMs,
  );

  test(
    'a cost that nobody knows is a gap in the line, and where nothing was counted there is a sentence in place of a chart',
    async () => {
      const page = await visit(1440, 'Dear');
      expect(await page.$$eval('.chart .column', (all) => all.length)).toBe(4);
      expect(await page.$$eval('.chart .dot', (all) => all.length)).toBe(2);
      expect(await page.$$eval('.chart .cost', (all) => all.length)).toBe(2);
      await page.close();
      const none = await visit(1440, 'Without a price');
      expect(await none.textContent('.chart figcaption')).toContain('its cost is not known');
      await none.close();
      const bare = await visit(1440, 'Not counted');
      expect(await bare.textContent('.chart')).toBe('Nothing was counted yet.');
      expect(await violations(bare)).toEqual([]);
      await bare.close();
    },
    patienceMs,
  );

  test(
    'what the dearest request cost stands whole beside the chart, however little it is',
    async () => {
      const store = memorySessions();
      const session = await store.create({ title: 'Cheap' });
      const usage = { inputTokens: 1, outputTokens: 6 };
      const send = scriptedSend(script([{ text: 'Hi.', usage }]));
      await runAgent({ model: 'anthropic/claude-sonnet-5', prompt: 'Hi.', session, send });
      const cheap = await openInspector({ store: () => store });
      const page = await browser?.newPage({ viewport: { width: 1280, height: 900 } });
      await page?.goto(cheap.url);
      await page?.click('.list li a:has-text("Cheap")');
      await page?.waitForSelector('.chart svg');
      const [end = 0] = page ? await rightEdges(page, '.chart svg') : [];
      expect(await page?.textContent('.chart svg')).toContain('<$0.0001');
      for (const right of page ? await rightEdges(page, '.chart svg text') : []) expect(right).toBeLessThanOrEqual(end);
      await page?.close();
      await cheap.close(0);
    },
    patienceMs,
  );

  test(
    'the first request of a model is no trouble',
    async () => {
      const page = await visit(1440, 'Dear');
      await page.keyboard.press('j');
      await page.waitForSelector('.sheet');
      await page.keyboard.press('2');
      await page.waitForSelector(
        'text=It is the first of its model and address with this system prompt: there is none to compare it with.',
      );
      expect(await page.$$('.problem')).toEqual([]);
      await page.close();
    },
    patienceMs,
  );

  test(
    'a picture that became words in a part of more words is told where they stand',
    async () => {
      const page = await visit(1440, 'A tool');
      await page.keyboard.press('4');
      await page.fill('#model', 'ollama/llama3.1');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.other .sheet');
      const cell = await page.textContent('.row.two:has(img) > :nth-child(2)');
      expect(cell).toMatch(/^told in words, at messages\[\d+\]\.content/);
      await page.close();
    },
    patienceMs,
  );
});
