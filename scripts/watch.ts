// What the long scripts look after while they read thousands of files: time, memory of this process and its children,
// promises that nobody caught, and processes left behind.
import { readdirSync, readFileSync } from 'node:fs';

export type Watch = {
  /** Times one piece of work; too slow is a complaint. */
  timed: <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;
  complaints: string[];
  slowest: () => { name: string; ms: number };
  peakBytes: () => number;
  /** Ends the watch. Idle decoders end by themselves after half a minute; what is there later was left behind. */
  end: () => Promise<void>;
};

export function watch(maxMs: number, maxBytes: number): Watch {
  const complaints: string[] = [];
  let slowest = { name: '', ms: 0 };
  let peak = 0;
  let current = '';
  process.on('unhandledRejection', (error) => complaints.push(`${current}: nobody caught ${String(error)}`));
  const look = setInterval(() => {
    const bytes = Math.max(process.memoryUsage.rss(), ...children().map(residentBytes));
    if (bytes > maxBytes && peak <= maxBytes) complaints.push(`${current}: ${Math.round(bytes / 1e6)} MB of memory`);
    peak = Math.max(peak, bytes);
  }, 50);
  look.unref();
  return {
    complaints,
    slowest: () => slowest,
    peakBytes: () => peak,
    timed: async (name, work) => {
      current = name;
      const start = performance.now();
      try {
        return await work();
      } finally {
        const ms = Math.round(performance.now() - start);
        if (ms > slowest.ms) slowest = { name, ms };
        if (ms > maxMs) complaints.push(`${name}: took ${ms} ms`);
      }
    },
    end: async () => {
      clearInterval(look);
      for (let waited = 0; children().length > 0 && waited < 36_000; waited += 250) await sleep(250);
      const left = children();
      if (left.length > 0) complaints.push(`${left.length} processes are left behind`);
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Process ids of our children; only Linux tells, elsewhere none are seen. */
function children(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(id: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

function residentBytes(id: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
