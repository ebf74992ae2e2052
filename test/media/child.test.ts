// The processes that do the heavy work, seen from programs of their own: what they may know, cost and outlive.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { effort } from '../effort.ts';
import { noise, pdfSaying } from './make.ts';
import { onlySome } from '../some.ts';

onlySome(5);

/** Runs a program to its end and gives what it reported; a program that does not end is killed and gives nothing. `files` is how
 * many it may have open. */
function run(name: string, environment: Record<string, string> = {}, files?: number): Promise<unknown> {
  const path = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
  const options = { timeout: 240_000, killSignal: 'SIGKILL' as const, env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    const [program, start] =
      files === undefined
        ? [process.execPath, [path]]
        : ['sh', ['-c', `ulimit -n ${files}; exec "$0" "$1"`, process.execPath, path]];
    execFile(program, start, options, (_error, stdout) => resolve(stdout === '' ? undefined : JSON.parse(stdout)));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

describe('a child process', () => {
  test('never keeps a program alive', async () => {
    expect(await run('idle')).toEqual([true, true]);
  });

  test('that crashes costs its own job only', async () => {
    expect(await run('crash')).toMatchObject({
      lost: { code: 'corrupt', what: expect.stringContaining('slow.pdf') },
      others: [true, true, true, true, true, true],
    });
  });

  test.skipIf(process.platform === 'win32')('that cannot be started costs the job, not the program', async () => {
    const none = 'missing-decoder: dot.png cannot be decoded: the process for it does not start';
    expect(await run('unstarted', {}, 100)).toEqual(['read', none, none, 'read']);
  });

  test('is ended by time, memory or the caller, and replaced', async () => {
    expect(await run('limits')).toEqual(['timed-out', 'too-large', 'cancelled', 'read']);
  });

  test.runIf(effort.isLong)(
    'is given up with the reading that was cancelled, and a reading that waits needs none',
    async () => {
      expect(await run('abort')).toEqual({
        codes: ['cancelled', 'cancelled', 'cancelled'],
        busy: 2,
        gone: true,
        next: true,
      });
    },
  );

  test.runIf(effort.isLong)(
    'that is slow holds up no small picture, and nobody waits for ever or behind all files of another',
    async () => {
      const { place, ...rest } = (await run('lanes')) as { place: number };
      expect(rest).toEqual({
        picture: true,
        late: ['timed-out', 'late.pdf was not read: it waited too long for other files', '0.001 s of waiting'],
        meanwhile: 0,
      });
      expect(place).toBeLessThan(5);
    },
  );

  test('serves a few small pictures one after the other; who waits behind one that is stuck gets another', async () => {
    expect(await run('small')).toEqual({ first: [true, true, true], more: 0, behind: true, held: true, late: true });
  });

  test('that nobody needs for half a minute ends', async () => {
    expect(await run('quiet')).toEqual({ idle: 1, kept: 1, gone: true, next: true });
  });

  test.runIf(process.platform === 'linux')('is never left behind, whatever it was given', async () => {
    const { ends, pids } = (await run('hazards')) as { ends: boolean[]; pids: number[] };
    expect(ends).toEqual([true, false, false, true]);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('knows no keys', async () => {
    const names = await run('environment', { OPENAI_API_KEY: 'secret', SIGHTLINE_TEST: 'x', LANG: 'C' });
    expect(names).toContain('PATH');
    expect(names).not.toContain('OPENAI_API_KEY');
    expect(names).not.toContain('SIGHTLINE_TEST');
  });

  test.runIf(process.platform === 'linux')('does not outlive its program, even in mid-work', async () => {
    const pid = Number(await run('orphan'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

test('many readings at once all come back', async () => {
  const assets = memoryAssets();
  const picture = await noise(50, 50).png().toBuffer();
  const sources = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? picture : pdfSaying(`word${at}`)));
  const results = await Promise.all(sources.map((source) => read(source, { assets })));
  expect(results.every(({ ok }) => ok)).toBe(true);
});

test('no decoder is loaded into the caller', async () => {
  const program = `
    const { read } = await import(${JSON.stringify(new URL('../../src/media/index.ts', import.meta.url).href)});
    await read(${JSON.stringify(fileURLToPath(new URL('make.ts', import.meta.url)))});
    const { ok } = await read(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
    const shared = process.report.getReport().sharedObjects.join();
    console.log(JSON.stringify({ ok, loaded: /libvips|sharp/.test(shared) }));`;
  const loaded = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], (_error, stdout) => resolve(stdout.trim()));
  });
  expect(loaded).toBe('{"ok":true,"loaded":false}');
});
