// Runs in DBOS, on a real PostgreSQL: the program of the example is killed at random moments of what it does to the world
// outside, and started again. SIGHTLINE_DBOS_KILLS=100 runs the long version (npm run kills).
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { interruptedCall } from '../../src/content/words.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/index.ts';
import { effort } from '../effort.ts';
import { startPostgres } from '../postgres/server.ts';
import type { PostgresServer } from '../postgres/server.ts';

const folder = join(import.meta.dirname, '..', '..', 'examples', 'durable');
const hasDbos = existsSync(join(folder, 'node_modules', '@dbos-inc', 'dbos-sdk'));
if (!hasDbos)
  console.warn(
    'DBOS: skipped; "npm install --no-save --ignore-scripts --prefix examples/durable" installs it (12 MB).',
  );
const kills = effort.durableKills;
const together = 3; // runs of one program
const turns = 2;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));

describe.skipIf(!hasDbos)('runs in DBOS', () => {
  const paid: unknown[] = [];
  let [postgres, model]: [PostgresServer?, ScriptedServer?] = [];
  let [child, left]: [ChildProcess?, number?] = [];

  /** Something outside is asked for: the moment to kill who asks, or not. */
  const moment = async (): Promise<void> => {
    if (left !== undefined && --left <= 0) child?.kill('SIGKILL');
    await pause();
  };
  const bank = createServer((request, response) => {
    void (async () => {
      const body = (await Array.fromAsync(request as AsyncIterable<Buffer>)).join('');
      await moment();
      if (request.url === '/pay') paid.push((JSON.parse(body) as { key: string }).key);
      await moment();
      response.end(request.url === '/pay' ? 'paid' : 'a line of many\n'.repeat(20_000));
    })();
  });

  beforeAll(async () => {
    postgres = await startPostgres();
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    const pays = { calls: [{ name: 'pay' }, { name: 'invoices' }, { name: 'pay' }] };
    model = await scriptedServer(
      script(async ({ transcript: { messages } }) => {
        await moment();
        return messages.filter(({ role }) => role === 'assistant').length < turns ? pays : { text: 'All is paid.' };
      }),
    );
  });
  afterAll(async () => {
    bank.close();
    await model?.close();
    postgres?.close();
  });

  /** What the program printed; undefined when it was killed on the way. */
  const played = (url: string, months: readonly string[], killAt?: number): Promise<string | undefined> => {
    left = killAt;
    const one = spawn(process.execPath, ['run.ts', ...months], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DATABASE_URL: url,
        BANK_URL: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`,
        ANTHROPIC_BASE_URL: model?.url,
        ANTHROPIC_API_KEY: 'key',
      },
    });
    child = one;
    let [out, errors] = ['', ''];
    one.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    one.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return new Promise((resolve, reject) => {
      one.on('close', (code, signal) => {
        if (signal === null && code !== 0) reject(new Error(`${out}${errors}`));
        else resolve(signal === null ? out : undefined);
      });
    });
  };

  const patience = { timeout: 300_000 + kills * 30_000 };
  test(`after ${kills} kills every run ends, nothing is paid twice, and no step is large`, patience, async () => {
    const url = (await postgres?.newDatabase()) ?? '';
    let [killed, runs] = [0, 0];
    while (killed < kills) {
      const months = Array.from({ length: together }, () => `month-${++runs}`);
      const over = months.map((month) => `${month}: All is paid.\n`).join('');
      let printed: string | undefined;
      while (printed === undefined && killed < kills) {
        printed = await played(url, months, 1 + Math.floor(Math.random() * 20));
        if (printed === undefined) killed += 1;
      }
      expect(printed ?? (await played(url, months))).toBe(over);
    }
    expect(new Set(paid).size).toBe(paid.length);

    const ask = async (sql: string): Promise<unknown[]> => (await postgres?.ask(sql, url)) ?? [];
    const statuses = 'SELECT status, count(*)::integer AS runs FROM dbos.workflow_status GROUP BY status';
    expect(await ask(statuses)).toEqual([{ status: 'SUCCESS', runs }]);
    const [{ longest }] = (await ask('SELECT max(length(output)) AS longest FROM dbos.operation_outputs')) as [
      { longest: number },
    ];
    expect(longest).toBeLessThan(64 * 1024);

    await using store = openSessions({ url, readOnly: true });
    let [calls, interrupted] = [0, 0];
    for (const { id } of await store.list({ limit: runs + killed })) {
      const messages = await (await store.read(id)).messages();
      if (messages.length === 0) continue; // killed after it was made and before the engine knew of it: the run made another
      expect(messages.map(({ role }) => role).join(' ')).toBe(
        `user ${'assistant tool tool tool '.repeat(turns)}assistant`,
      );
      const results = messages.filter((message) => message.role === 'tool');
      calls += results.length;
      interrupted += results.filter(({ content }) => JSON.stringify(content).includes(interruptedCall)).length;
    }
    expect(calls).toBe(runs * turns * 3);
    console.log(
      `DBOS: ${killed} kills, ${runs} runs ended, ${calls} calls of which ${interrupted} were told as interrupted, ` +
        `${paid.length} payments, 0 twice; the largest step ${longest} characters`,
    );
  });
});
