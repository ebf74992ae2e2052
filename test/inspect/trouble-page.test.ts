// What is wrong with a home is a sentence on the page, in a real browser over the real program: a database that another process
// holds, from the start or later, one of a newer version, and records of which something is missing.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { image } from '../../src/content/input.ts';
import { webFolder } from '../../src/inspect/export.ts';
import { answer } from '../../src/model/answer.ts';
import { systemClock } from '../../src/model/http/clock.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { mainFile } from '../cli/run.ts';
import { effort } from '../effort.ts';
import { all } from '../model/all.ts';
import { violations } from './axe.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browserFile = places.find((place) => existsSync(place));
const isBuilt = existsSync(join(webFolder(), 'main.js'));
const patienceMs = 240_000; // only what hangs takes as long

const root = mkdtempSync(join(tmpdir(), 'sightline-trouble-page-'));
const aside = join(root, 'aside'); // made here, and moved to where the program looks
const home = join(root, 'home');
const model = 'anthropic/claude-sonnet-4-5';
const earlier = (ms: number): typeof systemClock => ({ ...systemClock, now: () => systemClock.now() - ms });
const hour = 60 * 60_000;

/** So many turns of a session with this title; the last one by a clock that was set back by so much. */
async function talk(store: SessionStore, title: string, turns: number, back = 0): Promise<string> {
  const session = await store.create({ title });
  const send = scriptedSend(script(Array.from({ length: turns }, () => ({ text: 'Fine.' }))));
  for (let turn = 1; turn <= turns; turn++) {
    const prompt = turn === 1 ? [`${title}?`, image('examples/chart.png')] : `And ${turn}?`;
    await runAgent({ model, session, send, prompt, ...(turn === turns && { clock: earlier(back) }) });
    const over = async (): Promise<number> => (await session.requests()).filter((row) => row.ended).length;
    await vi.waitFor(async () => expect(await over()).toBe(turn), { timeout: patienceMs });
  }
  await session.close();
  return session.id;
}

/** One turn of a conversation that no session holds, as a program that another one knows nothing of. */
async function beside({ recorder }: SessionStore, words: readonly string[]): Promise<void> {
  const roles = ['user', 'assistant'] as const;
  const messages = words.map((content, at) => ({ role: roles[at % 2] ?? 'user', content }));
  const send = scriptedSend(script([{ text: 'Yes.' }]));
  await all(answer({ messages }, { model, send, ...(recorder && { recorder }) }));
  await recorder?.end('nobody', { state: 'answered', attempts: [] }); // stands in line behind the rest
}

function change(sql: string): void {
  const database = new DatabaseSync(join(existsSync(home) ? home : aside, 'sessions.db'));
  database.exec(sql);
  database.close();
}

/** A process that has the database to itself until it is ended. */
async function holder(folder: string): Promise<ChildProcess> {
  const hold = `const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => database, 1000);`;
  const child = spawn(process.execPath, ['-e', hold, join(folder, 'sessions.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

const problem = async (shown: Page): Promise<string | null> => await shown.textContent('[role=alert]');

describe.skipIf(browserFile === undefined || !isBuilt || !effort.isWhole)('in a browser', () => {
  let [browser, page, program, lock]: [Browser?, Page?, ChildProcess?, ChildProcess?] = [];
  beforeAll(async () => {
    await using store = openSessions({ home: aside });
    const killed = await talk(store, 'Killed', 1, hour);
    const hole = await talk(store, 'Hole', 2);
    const altered = await talk(store, 'Altered', 1);
    await talk(store, 'Clock', 2, hour);
    await talk(store, 'Gone', 1);
    await beside(store, ['Two writers.']);
    {
      await using other = openSessions({ home: aside });
      await beside(other, ['Two writers.', 'Yes.', 'One more.']);
      await beside(store, ['Two writers.', 'Yes.', 'Another one.']);
    }
    change(`UPDATE request SET ended = NULL WHERE conversation = '${killed}'`);
    change(`DELETE FROM request WHERE number = (SELECT min(number) FROM request WHERE conversation = '${hole}')`);
    change(`UPDATE request SET body = replace(body, 'Altered?', 'Other?') WHERE conversation = '${altered}'`);
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({
      timeout: patienceMs,
      ...(browserFile !== undefined && { executablePath: browserFile }),
    });
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await ended(program);
    await ended(lock);
    rmSync(root, { recursive: true, force: true });
  });

  /** Starts the program as a person does, and opens the address that it says; gives what else it says. */
  const start = async (): Promise<{ shown: Page; told: () => string }> => {
    await ended(program);
    const env = { ...process.env, SIGHTLINE_HOME: home };
    program = spawn(process.execPath, [mainFile, 'inspect', '--no-open'], { cwd: root, env });
    let [said, told] = ['', ''];
    program.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    program.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    await expect.poll(() => said, { timeout: patienceMs }).toMatch(/#token=\S+\n/);
    await page?.close();
    page = await browser?.newPage();
    if (!page) throw new Error('no page');
    page.setDefaultTimeout(patienceMs);
    await page.goto(said.trim());
    return { shown: page, told: () => told };
  };
  const inUse = /sessions\.db is in use by another process for too long\. Try again when it is done\./;

  test(
    'a home that comes to be while another process holds it is told, and shown once that one lets go',
    async () => {
      const { shown } = await start();
      await shown.waitForSelector('text=Nothing is recorded yet.');
      expect(await violations(shown)).toEqual([]);
      lock = await holder(aside);
      renameSync(aside, home);
      expect(await problem(shown)).toMatch(inUse);
      expect(await shown.textContent('.live')).toContain('not connected');
      expect(await violations(shown)).toEqual([]);
      await ended(lock);
      await shown.waitForSelector('.list li a:has-text("Clock")');
      await shown.waitForSelector('.live.on');
      expect(await shown.locator('[role=alert]').count()).toBe(0);
    },
    patienceMs,
  );

  test(
    'a home that is held from the start is told at the terminal and on the page, and then shown; a writer hinders nobody',
    async () => {
      await ended(program);
      lock = await holder(home);
      const { shown, told } = await start();
      expect(await problem(shown)).toMatch(inUse);
      expect(told()).toMatch(inUse);
      await ended(lock);
      await shown.waitForSelector('.list li a:has-text("Clock")');
      expect(await shown.locator('[role=alert]').count()).toBe(0);
      const writer = new DatabaseSync(join(home, 'sessions.db'));
      writer.exec('BEGIN EXCLUSIVE');
      await shown.click('.list li a:has-text("Clock")');
      await shown.waitForSelector('.timeline .turn');
      writer.close();
    },
    patienceMs,
  );

  test.each<[title: string, request: number, view: string, sentence: string]>([
    ['Killed', 1, '3', 'No end was recorded: its process died'],
    ['Hole', 1, '1', 'A request that it is told by is no longer kept'],
    ['Altered', 1, '1', 'What is stored of it was altered, so its body cannot be trusted.'],
    ['Clock', 2, '1', 'By its clock it was sent before request 1, which was recorded first'],
    ['Two writers.', 3, '1', 'Two programs write to this conversation: request 2 came from another one'],
  ])(
    'what is wrong with %s is said where it is looked at',
    async (title, request, view, sentence) => {
      if (!page) throw new Error('no page');
      await page.click('nav a:has-text("Conversations")');
      await page.click(`.list li a:has-text("${title}")`);
      await page.click(`.rail li:nth-child(${request}) a`);
      await page.waitForSelector('#request');
      await page.keyboard.press(view);
      await page.waitForSelector(`main :text("${sentence}")`);
    },
    patienceMs,
  );

  test(
    'a medium that is gone is named where it stood, and so is a home of a newer version',
    async () => {
      for (const name of readdirSync(join(home, 'assets'), { recursive: true, encoding: 'utf8' }))
        if (/[0-9a-f]{60}/.test(name)) rmSync(join(home, 'assets', name));
      if (!page) throw new Error('no page');
      await page.click('nav a:has-text("Conversations")');
      await page.click('.list li a:has-text("Gone")');
      await page.click('.rail li:nth-child(1) a');
      await page.waitForSelector('.lost :text-matches("image/png, asset [0-9a-f]{8}, is no longer stored")');
      change('PRAGMA user_version = 99');
      const { shown, told } = await start();
      const newer = /was written by a newer version of sightline\. Update sightline/;
      expect(await problem(shown)).toMatch(newer);
      expect(told()).toMatch(newer);
    },
    patienceMs,
  );
});
