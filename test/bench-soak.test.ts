// Five seconds of the soak: random tools, media, models, faults, aborts and killed processes leave nothing broken.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { growth, steadiness } from '../scripts/soak/growth.ts';
import { effort } from './effort.ts';

type Report = {
  rounds: number;
  requests: number;
  calls: number;
  killed: number;
  sessions: number;
  violations: string[];
};

test.runIf(effort.isLong)('five seconds of storms, aborts and killed processes leave every session whole', async () => {
  const script = fileURLToPath(new URL('../scripts/soak.ts', import.meta.url));
  const words = [script, '--minutes', '0.08', '--seed', '7', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }));
  const report = JSON.parse(stdout) as Report;
  expect(report.violations).toEqual([]);
  expect(report.rounds).toBeGreaterThan(0);
  expect(report.requests).toBeGreaterThan(0);
  expect(report.killed).toBeGreaterThan(0);
  expect(report.sessions).toBeGreaterThan(0);
});

test.each([
  ['level', (at: number) => 100 + (at % 3), []],
  ['growing', (at: number) => 100 + at * 4, ['resident memory', 'heap after a collection']],
])('memory that is %s is told apart', (_, megabytes, names) => {
  const samples = Array.from({ length: 60 }, (__, at) => ({
    rssMb: megabytes(at),
    heapMb: megabytes(at),
    outsideMb: megabytes(at),
    handles: 3,
  }));
  const { complaints } = growth('it', samples, 20);
  expect(complaints.map((line) => line.slice(0, line.indexOf(' of it:')))).toEqual(names);
});

const rising = (more: number): Parameters<typeof growth>[1] =>
  Array.from({ length: 100 }, (_, at) => ({
    rssMb: 100 + at * more + (at % 3),
    heapMb: 50,
    outsideMb: 20 + at,
    handles: 3,
  }));

test('a slope of more than one in a hundred in ten minutes is told, and answers that are slow now and then', () => {
  expect(growth('it', rising(0.005), 60).complaints).toEqual([]);
  expect(growth('it', rising(0.1), 60).complaints).toHaveLength(1);
  const slowOnes = Array.from({ length: 2000 }, (_, at) => ({
    from: at * 500,
    to: at * 500 + (at % 50 === 0 ? 40 : 10),
  }));
  expect(steadiness(slowOnes, [], 0).complaints).toHaveLength(1);
  expect(steadiness(slowOnes, [], 0).lines[0]).toContain('half within 10 ms');
  const collections = slowOnes.filter((_, at) => at % 50 === 0).map(({ from }) => ({ from: from + 5, to: from + 35 }));
  const { lines, complaints } = steadiness(slowOnes, collections, 0);
  expect(complaints).toHaveLength(1); // what the soak itself does to a gateway excuses nothing
  expect(lines[0]).toContain('2000 answers through the gateway: half within 10 ms, 99 of 100 within 40 ms');
  expect(lines[1]).toContain('1960 of them not under way');
  expect(lines[1]).toContain('99 of 100 within 10 ms');
});

test('a soak that is told nonsense says what it takes', async () => {
  const script = fileURLToPath(new URL('../scripts/soak.ts', import.meta.url));
  const asked = promisify(execFile)(process.execPath, [script, '--minutes', 'many']);
  await expect(asked).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--minutes takes a number') });
});
