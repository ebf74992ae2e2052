// Whether a process that wrote is still there.
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test, vi } from 'vitest';
import { isOver, thisHolder } from '../../../src/session/log/holder.ts';

const ended = (): number => spawnSync(process.execPath, ['-e', '0']).pid;

test('this process is there, one that ended is over, and of other machines nothing is known', () => {
  expect(thisHolder()).toEqual({ host: hostname(), process: process.pid });
  expect(isOver(thisHolder())).toBe(false);
  const gone = ended();
  expect(isOver({ host: hostname(), process: gone })).toBe(true);
  expect(isOver({ host: `not-${hostname()}`, process: gone })).toBe(false);
});

test('a process of somebody else, which nobody here may signal, is there', () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  try {
    expect(isOver(thisHolder())).toBe(false);
    expect(kill).toHaveBeenCalledWith(process.pid, 0);
  } finally {
    kill.mockRestore();
  }
});
