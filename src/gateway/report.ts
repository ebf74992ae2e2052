// What a gateway tells about its requests: a line of JSON for each, and counters. No words of a conversation, no secrets.
import type { Usage } from '../message/message.ts';
import type { Receipt } from '../window/receipt.ts';

/** One request, when it is over. */
export type RequestLine = {
  time: string;
  id: string;
  /** The name of the key that asked. */
  key?: string;
  wire: string;
  /** The name that was asked for, and who answered. */
  route: string;
  target?: string;
  way?: 'relay' | 'convert';
  status: number;
  bytes: number;
  usage?: Usage;
  cost?: number;
  firstMs?: number;
  /** How long it was here before it went on to the provider. */
  overheadMs?: number;
  totalMs: number;
  checkpoint?: string;
  /** How often it was sent again in another form, because the provider complained. */
  healed?: number;
  receipts: Record<string, number>;
  error?: string;
};

export type Report = {
  tell: (line: RequestLine) => void;
  /** What concerns no single request, such as a store that fails. */
  warn: (time: string, warning: string) => void;
  /** In the words of Prometheus, with what is counted elsewhere. */
  metrics: (now: Readonly<Record<string, number>>) => string;
};

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

const mostTargets = 1000;

/** How many were at most each of the bounds, all together, and how many there were. */
type Histogram = { below: number[]; sum: number; count: number };

function histogramRows([name, { below, sum, count }]: [string, Histogram]): [string, number][] {
  const rows = bounds.map((bound, at): [string, number] => [`${name}_bucket{le="${bound}"}`, below[at] ?? 0]);
  return [...rows, [`${name}_bucket{le="+Inf"}`, count], [`${name}_sum`, sum], [`${name}_count`, count]];
}

export function openReport(log: ((line: string) => void) | undefined): Report {
  const write = (line: object): void => {
    try {
      log?.(JSON.stringify(line));
    } catch {
      // a listener must not stop a request
    }
  };
  const counters = new Map<string, number>();
  const add = (name: string, by = 1): void => void counters.set(name, (counters.get(name) ?? 0) + by);
  const targets = new Set<string>();
  /** Clients may name any model of a vendor; a label has only so many values. */
  const labelOf = (target: string): string => {
    if (targets.size < mostTargets) targets.add(target);
    return targets.has(target) ? escaped(target) : 'other';
  };
  const histograms = new Map<string, Histogram>();
  const observe = (name: string, ms: number): void => {
    const seen = histograms.get(name) ?? { below: bounds.map(() => 0), sum: 0, count: 0 };
    histograms.set(name, seen);
    const seconds = ms / 1000;
    for (let at = bounds.findIndex((bound) => seconds <= bound); at >= 0 && at < bounds.length; at++)
      seen.below[at] = (seen.below[at] ?? 0) + 1;
    seen.sum += seconds;
    seen.count++;
  };
  return {
    tell(line) {
      const { wire, target = 'none', way = 'none', status, usage, cost, firstMs, overheadMs, totalMs, receipts } = line;
      add(`sightline_requests_total{wire="${wire}",target="${labelOf(target)}",way="${way}",status="${status}"}`);
      if (usage) {
        add('sightline_tokens_total{kind="input"}', usage.inputTokens);
        add('sightline_tokens_total{kind="output"}', usage.outputTokens);
        add('sightline_tokens_total{kind="cached"}', usage.cachedTokens ?? 0);
      }
      if (cost !== undefined) add('sightline_cost_dollars_total', cost);
      if (firstMs !== undefined) observe('sightline_first_byte_seconds', firstMs);
      if (overheadMs !== undefined) observe('sightline_overhead_seconds', overheadMs);
      observe('sightline_request_seconds', totalMs);
      for (const [action, count] of Object.entries(receipts))
        add(`sightline_receipts_total{action="${action}"}`, count);
      add('sightline_healed_total', line.healed ?? 0);
      write(line);
    },
    warn: (time, warning) => write({ time, warning }),
    metrics: (now) =>
      [...counters, ...[...histograms].flatMap(histogramRows), ...Object.entries(now)]
        .map(([name, value]) => `${name} ${value}\n`)
        .join(''),
  };
}

function escaped(label: string): string {
  return label.replaceAll(/["\\\n]/g, '_');
}

/** The same in the words of a header: `2 inside, 1 ignored`. */
export function receiptWords(receipts: readonly Receipt[]): string {
  return Object.entries(countedActions(receipts))
    .map(([action, count]) => `${count} ${action}`)
    .join(', ');
}

/** How often each decision was taken. */
export function countedActions(receipts: readonly Receipt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of receipts) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}
