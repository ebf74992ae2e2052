// What went over the network, for people who look for a fault. No key and no body ever stands in it.
import type { Receipt } from '../window/receipt.ts';
import { redactHeaders, redactUrl } from './redact.ts';

export type Trace =
  | { type: 'sent'; attempt: number; url: string; headers: Record<string, string>; bytes: number }
  | { type: 'answered'; attempt: number; status: number; headers: Record<string, string>; ms: number }
  | { type: 'redirected'; attempt: number; url: string }
  | { type: 'waiting'; attempt: number; ms: number; why: string };

/** Tells the listener, if there is one. What it throws is its own business. */
export function tracer(listen: ((trace: Trace) => void) | undefined): (trace: Trace) => void {
  if (!listen) return () => undefined;
  return (trace) => {
    try {
      listen(clean(trace));
    } catch {
      // a listener must not end an answer
    }
  };
}

function clean(trace: Trace): Trace {
  if (trace.type === 'waiting') return trace;
  if (trace.type === 'answered') return { ...trace, headers: redactHeaders(trace.headers) };
  const url = redactUrl(trace.url);
  return trace.type === 'sent' ? { ...trace, url, headers: redactHeaders(trace.headers) } : { ...trace, url };
}

type Api = { trace: { getActiveSpan: () => Span | undefined } };
type Span = { setAttributes: (attributes: Record<string, string | number | string[]>) => unknown };

/** Kept out of the import statement, so that no bundler looks for a package that need not be there. */
const packageName = '@opentelemetry/api';

let loading: Promise<Api | undefined> | undefined;

/**
 * Receipts as attributes of the span in which an SDK sends its request, for programs that trace with OpenTelemetry. It is
 * looked for once, and nothing depends on it.
 */
export async function tellSpan(receipts: readonly Receipt[], model: string): Promise<void> {
  loading ??= import(packageName).then(
    (api: Api) => api,
    () => undefined,
  );
  const span = (await loading)?.trace.getActiveSpan();
  span?.setAttributes({
    'sightline.model': model,
    'sightline.media': receipts.filter(({ asset }) => asset !== undefined).length,
    'sightline.receipts': receipts.map(({ action, subject, why }) => `${action}: ${subject}: ${why}`),
  });
}
