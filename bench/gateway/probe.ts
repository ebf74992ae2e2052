// Loaded into every server of the comparison, whoever wrote it: tells its CPU time and memory when asked.
import { readFileSync, writeFileSync } from 'node:fs';

export type Usage = { cpuMs: number; rssMb: number; peakMb: number };

const megabyte = 1e6;

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
  const usage: Usage = { cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / megabyte, peakMb: peak() };
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
