// The page in a real browser: every view, light and dark, wide and narrow, by keyboard alone, and live.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { demoSessions } from '../../src/cli/inspect/demo.ts';
import { webFolder } from '../../src/inspect/export.ts';
import { tableOf } from '../../src/inspect/look.ts';
import { openInspector } from '../../src/inspect/open.ts';
import type { OpenInspector } from '../../src/inspect/open.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Send } from '../../src/model/send-options.ts';
import { keptBody } from '../../src/record/body.ts';
import { memorySessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { pdfSaying } from '../media/make.ts';
import { onlySome, some } from '../some.ts';
import { violations } from './axe.ts';

onlySome(3);

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browserFile = places.find((place) => existsSync(place));
const isBuilt = existsSync(join(webFolder(), 'main.js'));
if (browserFile === undefined) console.warn('no Chromium here: the page of the inspector is not tried');

test.skipIf(!isBuilt)('the script of the page is small', () => {
  expect(gzipSync(readFileSync(join(webFolder(), 'main.js'))).length).toBeLessThan(100 * 1024);
});

/** Only what hangs takes as long, however busy the machine is. */
const patienceMs = 240_000;

describe.skipIf(browserFile === undefined || !isBuilt)('in a browser', () => {
  let [browser, opened, store]: [Browser?, OpenInspector?, SessionStore?] = [];
  beforeAll(async () => {
    const { chromium } = await import('playwright-core');
    const demo = await demoSessions();
    store = demo;
    opened = await openInspector({ store: () => demo });
    browser = await chromium.launch({
      timeout: patienceMs,
      ...(browserFile !== undefined && { executablePath: browserFile }),
    });
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await opened?.close(0);
  });

  const visit = async (width: number, where: BrowserContextOptions = {}): Promise<{ page: Page; errors: string[] }> => {
    const context = await browser?.newContext({ viewport: { width, height: 900 }, ...where });
    const page = await context?.newPage();
    if (!page) throw new Error('no page');
    page.setDefaultTimeout(patienceMs);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(opened?.url ?? '');
    await page.waitForSelector('.list li a');
    return { page, errors };
  };

  test.each(some([1440, 820, 390], 1))(
    '%d px, light and dark: every view is reached by keys, fits, and has nothing that a judge complains about',
    async (width) => {
      const { page, errors } = await visit(width);
      const check = async (view: string): Promise<void> => {
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await violations(page), `${view}, ${colorScheme}`).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), view).toBe(true);
      };
      await check('list');
      expect(page.url()).not.toContain('token');
      await page.keyboard.press('?');
      await page.waitForSelector('.keys');
      await page.focus('.list li a');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.timeline .turn figure img');
      await check('timeline');
      for (const key of ['1', '2', '3', '4', '5']) {
        await page.keyboard.press(key);
        await page.waitForSelector(`.tabs a:nth-child(${key})[aria-current]`);
        await check(`view ${key}`);
      }
      await page.keyboard.press('0');
      await page.waitForSelector('.timeline');
      expect(errors).toEqual([]);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a conversation is its turns with pictures, and each answer leads to its request',
    async () => {
      const { page } = await visit(1440);
      await page.click('.list li a');
      await page.waitForSelector('.timeline .turn figure img');
      expect(await page.textContent('.turn.user')).toContain('How did sales go this year, and why?');
      expect(await page.textContent('.card .call')).toContain('draw_chart');
      await page.click('.turn.assistant .who a >> nth=-1');
      await page.waitForSelector('.sheet');
      expect(await page.textContent('h1')).toBe('Request 9');
      await page.keyboard.press('0');
      await page.waitForSelector('.timeline');
      await page.keyboard.press('j');
      await page.waitForSelector('.sheet');
      expect(await page.textContent('h1')).toBe('Request 1');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'the list is narrowed by what happened, by model and by cost',
    async () => {
      const { page } = await visit(1440);
      const none = async (): Promise<void> => void (await page.waitForSelector('text=No conversation is like that.'));
      await page.click('.filters button:has-text("failed")');
      await page.waitForSelector('.list li:only-child:has-text("Which orders are the latest ones?")');
      await page.click('.filters button:has-text("failed")');
      await page.click('.filters button:has-text("broken prefix")');
      await page.waitForSelector('.list li a');
      await page.fill('.filters input >> nth=0', 'nobody');
      await none();
      await page.fill('.filters input >> nth=0', 'gpt-4.1');
      await page.waitForSelector('.list li a');
      await page.fill('.filters input >> nth=1', '5');
      await none();
      await page.fill('.filters input >> nth=1', '0.01');
      await page.waitForSelector('.list li a');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a break is named, keys lead to it, and another model is planned',
    async () => {
      const { page } = await visit(1440);
      await page.click('.list li a');
      await page.waitForSelector('.timeline');
      await page.keyboard.press('2');
      await page.waitForSelector('.verdict.bad');
      expect(await page.textContent('.verdict')).toContain(
        'The prefix broke in the system prompt: system[0].text was changed.',
      );
      expect(await page.textContent('.verdict')).toMatch(
        /The request cost \$0\.\d+; had it only grown, about \$0\.\d+/,
      );
      expect(await page.textContent('.sides ins')).toContain('It is 16:09.');
      await page.keyboard.press('k');
      await page.waitForSelector('.verdict.good');
      await page.keyboard.press(']');
      await page.waitForSelector('.verdict.bad');
      await page.keyboard.press('4');
      await page.fill('#model', 'ollama/llama3.1');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.row.two');
      expect(await page.textContent('.other')).toContain('ollama/llama3.1 would get');
      expect(await page.textContent('.row.two .put')).toContain('this model takes no pictures');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'what is removed while it is looked at is shown no longer, and a sentence says why',
    async () => {
      const session = await store?.create({ title: 'Soon gone' });
      const send = scriptedSend(script([{ text: 'The canary sings.' }]));
      await runAgent({ model: 'anthropic/claude-sonnet-4-5', prompt: 'Sing.', send, ...(session && { session }) });
      await session?.close();
      const { page, errors } = await visit(1440);
      await page.click('.list li a:has-text("Soon gone")');
      await page.waitForSelector('.timeline :text("The canary sings.")');
      await page.keyboard.press('3');
      await page.waitForSelector('.said :text("The canary sings.")');
      await store?.remove(session?.id ?? '');
      await page.waitForSelector('.problem:has-text("It may have been removed since.")');
      await page.waitForSelector('text=The canary sings.', { state: 'detached' });
      expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a request whose process is killed is told to be broken off while it is looked at',
    async () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
      const over = new Promise((resolve) => child.once('close', resolve));
      const id = 'killed-1';
      const kept = keptBody({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Are you there?' }] });
      const about = { purpose: 'answer', via: 'send', model: 'openai-chat/gpt-4.1', wire: 'openai-chat' } as const;
      const frame = {
        version: 1,
        time: Date.now(),
        url: 'https://x.test',
        bytes: 1,
        repairs: [],
        receipts: [],
      } as const;
      await store?.recorder?.begin({ ...frame, ...about, id: 'alive-1', conversation: 'killed' }, () => kept);
      const [row] = (await store?.requests?.chain('alive-1')) ?? [];
      if (row?.by && child.pid) await store?.requests?.begin({ ...row, id, by: { ...row.by, process: child.pid } });
      const { page, errors } = await visit(1440);
      await page.goto(`${opened?.url.split('/#')[0]}/#/killed/${id}/answer`);
      await page.waitForSelector('.state.running');
      child.kill('SIGKILL');
      await over;
      await page.waitForSelector('.problem:has-text("The process that sent it is gone")');
      await page.waitForSelector('.state.broken');
      expect(await page.locator('.rail .pill.running').count()).toBe(1); // that of this process
      expect(errors).toEqual([]);
      await store?.requests?.forget('killed');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a healed picture shows what was lost: the same place in both, moved by keys, and in which form it was refused',
    async () => {
      const { page, errors } = await visit(1440);
      await page.click('.list li a:has-text("Which orders")');
      await page.waitForSelector('.timeline .turn figure img');
      await page.keyboard.press('1');
      await page.waitForSelector('.loupe');
      expect(await page.textContent('.healing')).toMatch(
        /Refused, 400\. .*image dimensions exceed.*Sent again\. image "orders\.png" 1000×625: reduced/s,
      );
      expect(await page.textContent('.rungs')).toBe('2000×1250, refused in request 21000×625, accepted');
      const notes = page.locator('.loupe + figcaption');
      await expect
        .poll(() => notes.allTextContents(), { timeout: patienceMs })
        .toEqual([expect.stringMatching(/^403×\d+ px of it$/), expect.stringMatching(/^140×\d+ px of it$/)]);
      const placed = "[...document.querySelectorAll('.loupe')].map((one) => one.style.backgroundPosition)";
      await page.focus('.loupe >> nth=0');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(placed)).toEqual(['15% 15%', '15% 15%']);
      await page
        .locator('.pair.attention img')
        .last()
        .hover({ position: { x: 60, y: 60 } });
      await expect.poll(() => page.evaluate(placed), { timeout: patienceMs }).not.toContain('15% 15%');
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page), colorScheme).toEqual([]);
      }
      expect(errors).toEqual([]);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'times are those of whoever looks, with the time of the record behind them',
    async () => {
      const where = { locale: 'en-GB', timezoneId: 'Asia/Tokyo' };
      const { page } = await visit(1440, where);
      await page.click('.list li a');
      await page.waitForSelector('.turn time');
      const shown =
        "[...document.querySelectorAll('.turn time')].map((one) => [one.dateTime, one.textContent, one.title])";
      const times = await page.evaluate<[string, string, string][]>(shown);
      expect(times.length).toBeGreaterThan(3);
      const written = new Intl.DateTimeFormat(where.locale, {
        dateStyle: 'medium',
        timeStyle: 'medium',
        timeZone: where.timezoneId,
      });
      for (const [iso, text, title] of times)
        expect([text, title]).toEqual([written.format(new Date(iso)), `${iso.slice(0, 16).replace('T', ' ')} UTC`]);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a picture that is shown small leads to itself with every pixel',
    async () => {
      const { page } = await visit(1440);
      await page.click('.list li a:has-text("Which orders")');
      await page.waitForSelector('.timeline figure a.full img');
      const width = '[...document.images].at(-1).naturalWidth';
      await expect.poll(() => page.evaluate(width), { timeout: patienceMs }).toBe(320);
      const [whole] = await Promise.all([
        page.context().waitForEvent('page'),
        page.click('.timeline a.full >> nth=-1'),
      ]);
      await whole.waitForLoadState();
      expect(await whole.evaluate('[document.images[0].naturalWidth, document.images[0].naturalHeight]')).toEqual([
        2000, 1250,
      ]);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'on a small screen the requests stand above, and what was sent below its original, each named',
    async () => {
      const { page } = await visit(390);
      await page.click('.list li a:has-text("Which orders")');
      await page.waitForSelector('.timeline .turn');
      await page.keyboard.press('1');
      await page.waitForSelector('.pair.attention, .loupe');
      const boxOf = async (selector: string): Promise<{ x: number; y: number; width: number; height: number }> => {
        const box = await page.locator(selector).first().boundingBox();
        if (!box) throw new Error(`${selector} is not shown`);
        return box;
      };
      const [rail, main] = [await boxOf('.rail'), await boxOf('#main')];
      expect(rail.y + rail.height).toBeLessThanOrEqual(main.y + 1);
      const row = '.row:not(.head, .same):has(img)';
      const [original, sent] = [await boxOf(`${row} > :nth-child(1)`), await boxOf(`${row} > :nth-child(2)`)];
      expect(sent.y).toBeGreaterThanOrEqual(original.y + original.height - 1);
      expect([original.x, original.width]).toEqual([sent.x, sent.width]);
      const names = `[...document.querySelector('${row}').children].map((one) => getComputedStyle(one, '::before').content)`;
      expect(await page.locator('.row.head').first().isVisible()).toBe(false);
      expect(await page.evaluate(names)).toEqual(['"Original"', '"Sent"', 'none']);
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'whatever can be clicked is reached with the tab key, and opened with enter',
    async () => {
      const { page } = await visit(1440);
      const all = `[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter((one) => one.checkVisibility())`;
      const reachesAll = async (view: string): Promise<void> => {
        await page.evaluate('document.activeElement?.blur(); globalThis.reached = new Set(); undefined');
        await page.evaluate('addEventListener("focusin", ({ target }) => reached.add(target)); undefined');
        const count = await page.evaluate<number>(`${all}.length`);
        expect(count, view).toBeGreaterThan(8);
        for (let at = 0; at < count + 2; at++) await page.keyboard.press('Tab');
        const missed = `${all}.filter((one) => !reached.has(one)).map((one) => one.outerHTML.slice(0, 80))`;
        expect(await page.evaluate(missed), view).toEqual([]);
      };
      const opens = async (link: string, ready: string): Promise<void> => {
        await page.focus(link);
        await page.keyboard.press('Enter');
        await page.waitForSelector(ready);
        await reachesAll(link);
      };
      await reachesAll('the list');
      await opens('.list li a:has-text("Which orders")', '.timeline .turn');
      await opens('.rail li:nth-child(3) a', '.loupe');
      await opens('.tabs a:has-text("For another model")', '#model');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'of very many requests only those are made that can be seen, and what is folded comes when it is opened',
    async () => {
      const recorder = store?.recorder;
      const talk = Array.from({ length: 700 }, (_, at) => ({ role: 'user', content: `Question ${at} of many.` }));
      for (let at = 0; at < talk.length; at++) {
        const record = {
          version: 1,
          id: `many-${at}`,
          time: Date.now(),
          conversation: 'many',
          bytes: 1,
          repairs: [],
          receipts: [],
        } as const;
        const about = {
          purpose: 'answer',
          via: 'send',
          model: 'openai-chat/gpt-4.1',
          wire: 'openai-chat',
          url: 'https://x.test',
        } as const;
        const messages = talk.slice(Math.max(0, at - 9), at + 1);
        await recorder?.begin({ ...record, ...about }, () => keptBody({ model: 'gpt-4.1', messages }));
        await recorder?.end(record.id, { state: 'answered', attempts: [] });
      }
      const { page, errors } = await visit(1440);
      await page.goto(`${opened?.url.split('/#')[0]}/#/many`);
      await page.waitForSelector('.rail li a');
      expect(await page.locator('.rail li').count()).toBeLessThan(200);
      expect(await page.locator('.rail ol').count()).toBe(14);
      expect(await page.locator('.chart .column').count()).toBe(350);
      expect(await page.textContent('.chart .column >> nth=1')).toContain('Requests 3 to 4, on average');
      await page.keyboard.press('k'); // from the timeline on, the last one
      await page.waitForSelector('.rail li [aria-current] .number:has-text("700")');
      expect(await page.textContent('h1')).toBe('Request 700');
      await page.goto(`${opened?.url.split('/#')[0]}/#/many/many-5`);
      await page.waitForSelector('h1:has-text("Request 6")');
      await page.waitForSelector('.rail li [aria-current] .number:has-text("6")');
      expect(await page.textContent('.folded')).toContain('5 parts, unchanged since request 5');
      expect(await page.textContent('.sheet')).not.toContain('Question 2 of many.');
      await page.focus('.folded summary');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.folded[open] .words:has-text("Question 2 of many.")');
      expect(errors).toEqual([]);
      if (store) await tableOf(store).forget('many');
      await page.context().close();
    },
    patienceMs,
  );

  test(
    'a hostile SVG and a hostile PDF are drawn, and nothing of them runs or calls anybody',
    async () => {
      const calls: string[] = [];
      const trap = createServer((request, response) => {
        calls.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => trap.once('listening', resolve));
      const there = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="40" onload="document.title='ran'"><script>document.title='ran';fetch('${there}/script')</script><image xlink:href="${there}/image.png" width="9" height="9"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${there}/frame"/></foreignObject><rect width="80" height="40" fill="#c00"/></svg>`;
      const action = `/OpenAction << /S /JavaScript /JS (app.launchURL("${there}/pdf")) >>`;
      const pdf = pdfSaying('evil').toString('latin1').replace('/Type /Catalog', `/Type /Catalog ${action}`);
      const session = await store?.create({ title: 'Hostile' });
      const put = async (bytes: Buffer, mediaType: string): Promise<string> =>
        (await session?.assets.put(bytes, { mediaType }))?.id.slice('sha256:'.length) ?? '';
      const hashes = [
        await put(Buffer.from(svg), 'image/svg+xml'),
        await put(Buffer.from(pdf, 'latin1'), 'application/pdf'),
        await put(Buffer.from(`<html><script>fetch('${there}/html')</script>`), 'text/html'),
      ];
      const prompt = [
        'Look.',
        { type: 'image' as const, data: Buffer.from(svg), name: 'evil.svg' },
        { type: 'document' as const, data: Buffer.from(pdf, 'latin1'), name: 'evil.pdf' },
      ];
      const send = scriptedSend(script([{ text: 'Seen.' }]));
      await runAgent({ model: 'anthropic/claude-sonnet-4-5', prompt, send, ...(session && { session }) });
      const { page, errors } = await visit(1440);
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
      await page.click('.list li:first-child a');
      await page.waitForSelector('.timeline .turn.user');
      await page.keyboard.press('1');
      await page.waitForSelector('.sheet');
      const drawn = '[...document.images].filter((one) => one.complete && one.naturalWidth > 0).length';
      await expect.poll(() => page.evaluate(drawn), { timeout: patienceMs }).toBeGreaterThan(0);
      expect(await page.title()).toBe('Sightline');
      expect(errors).toEqual([]);
      const base = opened?.url.split('/#')[0] ?? '';
      for (const [at, hash] of hashes.entries())
        for (const query of ['', '?edge=320', '?edge=800']) {
          const shown = await page.request.get(`${base}/api/assets/${hash}${query}`);
          const type = shown.headers()['content-type'] ?? '';
          expect(type, `${at}${query}`).toMatch(at === 2 ? /^application\/json/ : /^image\/(?:png|webp|jpeg)$/);
          if (at < 2) expect(shown.headers()['content-security-policy']).toBe("default-src 'none'; sandbox");
        }
      await page.goto(`${base}/api/assets/${hashes[0]}`);
      expect(await page.title()).not.toBe('ran');
      expect([dialogs, calls]).toEqual([[], []]);
      await page.context().close();
      trap.close();
    },
    patienceMs,
  );

  test(
    'a view that is left waits for none of its pictures, which are no larger than they are shown',
    async () => {
      if (!store) throw new Error('no store');
      const [gate, kept] = [Promise.withResolvers<void>(), store.assets];
      const get: typeof kept.get = async (id) => (await gate.promise, await kept.get(id));
      const slow = { ...store, assets: { ...kept, get } };
      const own = await openInspector({ store: () => slow });
      const page = await browser?.newPage({ viewport: { width: 1440, height: 900 } });
      if (!page) throw new Error('no page');
      page.setDefaultTimeout(patienceMs);
      const [asked, left]: [string[], string[]] = [[], []];
      page.on('request', (request) => request.url().includes('/api/assets/') && asked.push(request.url()));
      page.on('requestfailed', (request) => left.push(request.url()));
      await page.goto(own.url);
      await page.click('.list li a:has-text("Which orders")');
      await page.waitForSelector('.timeline .turn');
      await page.click('.rail li:nth-child(3) a');
      await page.waitForSelector('.sheet img', { state: 'attached' });
      const shown = (): string[] => asked.filter((url) => url.endsWith('edge=400'));
      await expect.poll(shown, { timeout: patienceMs }).not.toEqual([]);
      await page.keyboard.press('3');
      await expect.poll(() => left, { timeout: patienceMs }).toEqual(expect.arrayContaining(shown()));
      gate.resolve();
      await page.context().close();
      await own.close(0);
    },
    patienceMs,
  );

  test(
    'older conversations and earlier turns that somebody opened stay when something new comes',
    async () => {
      const own = memorySessions();
      const record = async (name: string, time: number): Promise<void> => {
        const what = { version: 1, id: name, conversation: name, time, bytes: 1, repairs: [], receipts: [] } as const;
        const where = { purpose: 'answer', via: 'send', wire: 'openai-chat', url: 'https://x.test' } as const;
        const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: `Talk ${name}.` }] };
        await own.recorder?.begin({ ...what, ...where, model: 'openai-chat/gpt-4.1' }, () => keptBody(body));
        await own.recorder?.end(name, { state: 'answered', attempts: [] });
      };
      const now = Date.now();
      for (let at = 0; at < 60; at++) await record(`old-${at}`, now - 1000 * (at + 1));
      const session = await own.create({ title: 'Long' });
      const say = async (text: string): Promise<unknown> =>
        await session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });
      for (let at = 0; at < 130; at++) await say(`Turn ${at}.`);
      const inspected = await openInspector({ store: () => own });
      const page = await browser?.newPage();
      if (!page) throw new Error('no page');
      page.setDefaultTimeout(patienceMs);
      await page.goto(inspected.url);
      await page.click('.list .more');
      await page.waitForSelector('.list li:has-text("Talk old-59.")');
      await record('new', now);
      await page.waitForSelector('.list li:has-text("Talk new.")');
      expect(await page.locator('.list li').count()).toBe(61);
      await page.goto(`${inspected.url.split('/#')[0]}/#/${session.id}`);
      await page.click('.timeline .more');
      await page.waitForSelector('.turn:has-text("Turn 0.")');
      await say('Turn 130.');
      await page.waitForSelector('.turn:has-text("Turn 130.")');
      expect(await page.locator('.turn').count()).toBe(131);
      await page.goto(`${inspected.url.split('/#')[0]}/#/old-3`); // and none of them in another conversation
      await page.waitForSelector('.turn:has-text("Talk old-3.")');
      expect(await page.locator('.turn').count()).toBe(1);
      await page.context().close();
      await inspected.close(0);
    },
    patienceMs,
  );

  test(
    'a request shows while its model thinks, and its end when it is over',
    async () => {
      const { page } = await visit(1440);
      const session = await store?.create({ title: 'Live' });
      const gate = Promise.withResolvers<void>();
      const send = scriptedSend(script([{ text: 'Done.' }]));
      const slow: Send = async function* (...given) {
        await gate.promise;
        yield* send(...given);
      };
      const run = runAgent({
        model: 'anthropic/claude-sonnet-4-5',
        prompt: 'Go.',
        send: slow,
        ...(session && { session }),
      });
      const over = run.result();
      await page.click('.list li a:has(:text-is("Live"))');
      await page.waitForSelector('.rail .pill.running');
      await page.keyboard.press('3');
      await page.waitForSelector('.state.running');
      gate.resolve();
      await over;
      await page.waitForSelector('.state.answered');
      await page.waitForSelector('.said:has-text("Done.")');
      await page.context().close();
    },
    patienceMs,
  );
});
