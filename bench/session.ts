// Sessions: what an append costs over bare SQLite with the same durability, and what it costs to open the end of a long
// session, whatever its pictures weigh. Beside it a session of the same messages in the format of pi, one JSON per line
// with the pictures as base64 inside, opened by pi itself.
import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSessions } from '../src/session/store.ts';
import type { Message } from '../src/index.ts';
import { interleave, show, spread } from './harness.ts';
import type { Job, Task } from './harness.ts';
import { watchMemory } from './measure.ts';
import type { Comparison } from './run.ts';

const [batches, batchSize, messageCount, pictureCount, windowSize] = [40, 25, 10_000, 2000, 200];
const sizes = { large: 500_000, small: 5000 };
/** Opening takes milliseconds: only many processes, large and small by turns, tell a difference from a busy moment. */
const openingsEach = 5;

type Input =
  | { what: 'append'; folder: string }
  | { what: 'open'; home: string; id: string }
  | { what: 'pi'; file: string };

/** Milliseconds: of one append, or of opening; and the memory that opening took. */
type Figures = { ms: number; cpuMs: number; memoryMb: number; allMs?: number; bareMs?: number; bareCpuMs?: number };

const task: Task<Input, Figures> = async (input) => {
  switch (input.what) {
    case 'append':
      return await appending(await mkdtemp(join(input.folder, 'append-')));
    case 'open':
      return await opening(input.home, input.id);
    case 'pi':
      return await piOpening(input.file);
  }
};
export default task;

function textMessage(at: number): Message {
  const text = `Message ${at}. ${'The quick brown fox jumps over the lazy dog while somebody counts words. '.repeat(5)}`;
  return at % 2 === 0
    ? { role: 'user', content: [{ type: 'text', text }] }
    : { role: 'assistant', model: 'anthropic/claude-sonnet-4-5', content: [{ type: 'text', text }] };
}

async function measured(count: number, work: () => Promise<void> | void): Promise<Figures> {
  globalThis.gc?.();
  const memory = process.memoryUsage.rss();
  const peak = watchMemory(); // a process begins with the peak of the one that started it
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const ms = (performance.now() - start) / count;
  const { user, system } = process.cpuUsage(cpu);
  const memoryMb = (peak.stop() - memory) / 1e6;
  return { ms, cpuMs: (user + system) / 1000 / count, memoryMb };
}

/** Small batches take turns on the same disk: what others write there meanwhile then falls on both alike. */
async function appending(folder: string): Promise<Figures> {
  await using store = openSessions({ home: join(folder, 'home') });
  const session = await store.create({ title: 'bench' });
  // The least that could be called the same: one row per message, on disk before the next.
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE entry (id INTEGER PRIMARY KEY, session INTEGER, time INTEGER, body TEXT)');
  const insert = database.prepare('INSERT INTO entry (session, time, body) VALUES (1, ?, ?)');
  const [ours, bare]: [Figures[], Figures[]] = [[], []];
  for (let batch = 0; batch < batches; batch++) {
    ours.push(
      await measured(batchSize, async () => {
        for (let at = 0; at < batchSize; at++) await session.append({ type: 'message', message: textMessage(at) });
      }),
    );
    bare.push(
      await measured(batchSize, () => {
        for (let at = 0; at < batchSize; at++) insert.run(Date.now(), JSON.stringify(textMessage(at)));
      }),
    );
  }
  database.close();
  const of = (figures: Figures[], field: 'ms' | 'cpuMs'): number => spread(figures.map((one) => one[field])).median;
  const [ms, cpuMs, bareMs, bareCpuMs] = [of(ours, 'ms'), of(ours, 'cpuMs'), of(bare, 'ms'), of(bare, 'cpuMs')];
  return { ms, cpuMs, memoryMb: 0, bareMs, bareCpuMs };
}

async function opening(home: string, id: string): Promise<Figures> {
  const figures = await measured(1, async () => {
    const store = openSessions({ home });
    const session = await store.open(id);
    const window = await session.messages({ last: windowSize });
    if (window.length < windowSize) throw new Error('The window is too short.');
  });
  const start = performance.now();
  const reader = await openSessions({ home, readOnly: true }).read(id);
  if ((await reader.messages()).length !== messageCount) throw new Error('Messages are missing.');
  return { ...figures, allMs: performance.now() - start };
}

async function piOpening(file: string): Promise<Figures> {
  const { SessionManager } = await import('@earendil-works/pi-coding-agent');
  return await measured(1, () => {
    const manager = SessionManager.open(file);
    if (manager.buildSessionContext().messages.length !== messageCount) throw new Error('Messages are missing.');
  });
}

/** Every fifth message shows a picture. */
const hasPicture = (at: number): boolean => at % (messageCount / pictureCount) === 0;

function pictureOf(at: number, size: number): Buffer {
  const bytes = randomFillSync(Buffer.alloc(size));
  bytes.writeUInt32BE(at);
  return bytes;
}

async function buildHome(home: string, size: number): Promise<string> {
  await using store = openSessions({ home, quotaBytes: 10 * 1024 ** 3 });
  const session = await store.create({ title: 'long' });
  for (let at = 0; at < messageCount; at++) {
    const message = textMessage(at);
    if (!hasPicture(at)) await session.append({ type: 'message', message });
    else {
      const asset = await session.assets.put(pictureOf(at, size), { mediaType: 'image/png', name: 'screen.png' });
      const image = { type: 'image', asset, width: 1440, height: 900 } as const;
      await session.append({ type: 'message', message: { ...message, content: [...message.content, image] } });
    }
  }
  return session.id;
}

function buildPi(file: string, size: number): void {
  const handle = openSync(file, 'w');
  const line = (value: unknown): void => void writeSync(handle, `${JSON.stringify(value)}\n`);
  const timestamp = new Date().toISOString();
  line({ type: 'session', version: 3, id: 'bench', timestamp, cwd: '/' });
  for (let at = 0; at < messageCount; at++) {
    const { role, content } = textMessage(at);
    const image = { type: 'image', data: pictureOf(at, size).toString('base64'), mimeType: 'image/png' };
    const blocks = hasPicture(at) ? [...content, image] : content;
    const answered = {
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      stopReason: 'stop',
    };
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } };
    const message = { role, content: blocks, timestamp: at, ...(role === 'assistant' && { ...answered, usage }) };
    line({ type: 'message', id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp, message });
  }
  closeSync(handle);
}

async function equalScreenshots(folder: string): Promise<{ files: number; bytes: number }> {
  const home = join(folder, 'equal');
  await using store = openSessions({ home });
  const session = await store.create({ title: 'equal' });
  const picture = pictureOf(1, sizes.large);
  for (let at = 0; at < 500; at++) {
    const asset = await session.assets.put(picture, { mediaType: 'image/png' });
    const image = { type: 'image', asset, width: 1440, height: 900 } as const;
    await session.append({ type: 'message', message: { role: 'user', content: [image] } });
  }
  const stored = readdirSync(join(home, 'assets'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return {
    files: stored.length,
    bytes: stored.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0),
  };
}

export const compareSessions: Comparison = async (repetitions) => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-session-'));
  try {
    const module = new URL('session.ts', import.meta.url);
    const job = (name: string, input: Input): Job => ({ name, module, input });
    const jobs = [job('append', { what: 'append', folder })];
    const openings: Job[] = [];
    for (const [name, size] of Object.entries(sizes)) {
      process.stderr.write(`  building sessions with pictures of ${size} bytes\n`);
      const home = join(folder, name);
      openings.push(job(`open ${name}`, { what: 'open', home, id: await buildHome(home, size) }));
      const file = join(folder, `${name}.jsonl`);
      buildPi(file, size);
      jobs.push(job(`pi ${name}`, { what: 'pi', file }));
    }
    if (process.platform !== 'win32') execFileSync('sync'); // what was just written is not to be written back meanwhile
    const results = new Map([
      ...(await interleave<Figures>(openings, repetitions * openingsEach)),
      ...(await interleave<Figures>(jobs, repetitions)),
    ]);
    const of = (name: string, field: keyof Figures): ReturnType<typeof spread> =>
      spread((results.get(name) ?? []).map((one) => one[field] ?? Number.NaN));
    const row = (label: string, name: string, digits: number): string[] => [
      label,
      show(of(name, 'ms'), digits),
      show(of(name, 'cpuMs'), digits),
    ];
    const openRow = (label: string, name: string): string[] => [
      ...row(label, name, 1),
      name.startsWith('open') ? show(of(name, 'allMs'), 0) : '–',
      show(of(name, 'memoryMb'), 0),
    ];
    const [ours, bare] = [of('append', 'ms').median, of('append', 'bareMs').median];
    const times = (field: 'ms' | 'cpuMs'): string =>
      (of('open large', field).median / of('open small', field).median).toFixed(2);
    const equal = await equalScreenshots(folder);
    return {
      title: 'Sessions',
      about: [
        `Appending: messages of about 400 characters, each on disk before the next (write-ahead log, \`synchronous = FULL\`); ${batches} batches of ${batchSize} on each side take turns in one process. ` +
          'Sightline also indexes the words for search, counts, and keeps references; bare SQLite inserts one row.',
        `Opening: ${messageCount} messages, every fifth with a picture; from nothing to the last ${windowSize} messages, with the lock of the ` +
          'writer taken, in a fresh process, files in the page cache; ' +
          `${openingsEach} processes per repetition, large and small by turns. ` +
          '“All messages” reads the whole conversation after that. pi opens the ' +
          'same messages in its own format with its own `SessionManager`, which reads all of them. Added memory is the highest resident ' +
          'memory over what there was before.',
      ],
      tables: [
        {
          caption: 'One append',
          columns: ['', 'ms', 'CPU, ms'],
          rows: [
            row('Sightline', 'append', 3),
            ['bare node:sqlite', show(of('append', 'bareMs'), 3), show(of('append', 'bareCpuMs'), 3)],
          ],
        },
        {
          caption: 'Opening a long session',
          columns: ['', 'ms', 'CPU, ms', 'all messages, ms', 'added memory, MB'],
          rows: [
            openRow('Sightline, pictures of 500 kB', 'open large'),
            openRow('Sightline, pictures of 5 kB', 'open small'),
            openRow('pi, pictures of 500 kB', 'pi large'),
            openRow('pi, pictures of 5 kB', 'pi small'),
          ],
        },
      ],
      notes: [
        `Appending runs at ${(bare / ours).toFixed(2)} times the speed of bare SQLite.`,
        `With pictures a hundred times as large, opening takes ${times('ms')} times as long and ${times('cpuMs')} times the CPU time.`,
        `500 equal screenshots of 500 kB are ${equal.files} file of ${(equal.bytes / 1e6).toFixed(1)} MB.`,
      ],
      raw: Object.fromEntries(results),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};
