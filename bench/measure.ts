// Wall time, CPU time, garbage collection and the peak of memory of a call inside this process. The call says itself when it is done, by
// ending its sink: what a peer does with the response afterwards is nobody's measurement.
import { readFileSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** Where a request body goes. `write` may be called once with all of it or many times. */
export type Sink = { write: (chunk: string | Uint8Array) => void; end: () => void };

export type Call = (sink: Sink) => Promise<void>;

export type Figures = {
  wallMs: number;
  cpuMs: number;
  peakMb: number;
  bytes: number;
  /** Spent on collecting garbage. */ gcMs: number;
};

export type Sample = {
  /** Resident memory after imports and inputs, before the first call. */
  baseMb: number;
  /** The first call of the process. */
  first: Figures;
  /** The calls after it. */
  later: Figures[];
};

const megabyte = 1e6;

export async function measureCalls(call: Call, calls: number): Promise<Sample> {
  await settle();
  const baseMb = process.memoryUsage.rss() / megabyte;
  const first = await measureOnce(call);
  const later: Figures[] = [];
  for (let count = 1; count < calls; count++) later.push(await measureOnce(call));
  return { baseMb, first, later };
}

/** Garbage of the set-up must not count, nor make room that the call would have had to ask for. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function measureOnce(call: Call): Promise<Figures> {
  const peak = watchMemory();
  let gcMs = 0;
  const garbage = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  });
  garbage.observe({ entryTypes: ['gc'] });
  let bytes = 0;
  let figures: Figures | undefined;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await call({
    write(chunk) {
      bytes += chunk.length; // the bodies measured here are ASCII, so a string has as many bytes as characters
      peak.sample();
    },
    end() {
      const wallMs = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      figures = { wallMs, cpuMs: (user + system) / 1000, peakMb: peak.stop() / megabyte, bytes, gcMs: 0 };
    },
  });
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve)); // it is told late
  garbage.disconnect();
  if (!figures) throw new Error('The call never ended its sink.');
  return { ...figures, gcMs };
}

/** The highest resident memory since now: by the kernel where it can be asked anew, else by sampling. */
export function watchMemory(): { sample: () => void; stop: () => number } {
  if (resetPeak()) return { sample: () => undefined, stop: kernelPeak };
  const before = process.resourceUsage().maxRSS * 1024;
  let highest = process.memoryUsage.rss();
  const sample = (): void => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 1);
  return {
    sample,
    stop() {
      clearInterval(timer);
      sample();
      const after = process.resourceUsage().maxRSS * 1024;
      return after > before ? Math.max(highest, after) : highest;
    },
  };
}

/** Linux forgets the peak of a process on request. */
function resetPeak(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false; // not allowed here; sampling has to do
  }
}

function kernelPeak(): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}
