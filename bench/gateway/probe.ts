// Loaded into every server of the comparison, whoever wrote it: tells its CPU time, its memory and how long its event loop
// stood still when asked.
import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export type Usage = { cpuMs: number; rssMb: number; peakMb: number; stallMs: number };

const megabyte = 1e6;
const resolution = 10;

/** Counts only while it is watched: its own timer costs, too. */
const delays = monitorEventLoopDelay({ resolution });

process.on('message', (word) => {
  if (word === 'reset') {
    (globalThis as { gc?: () => void }).gc?.();
    try {
      writeFileSync('/proc/self/clear_refs', '5'); // Linux forgets the peak
    } catch {
      // then the peak is that of the process
    }
  }
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage.rss() / megabyte,
    peakMb: peak(),
    stallMs: Math.max(0, delays.max / 1e6 - resolution),
  };
  delays.disable();
  if (word === 'watch') {
    delays.reset();
    delays.enable();
  }
  process.send?.(usage);
});

function peak(): number {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return (Number(line?.[1] ?? 0) * 1024) / megabyte;
  } catch {
    return process.resourceUsage().maxRSS / 1000;
  }
}
