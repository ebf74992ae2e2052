// What went over the network, for people who look for a fault. No key and no body ever stands in it.
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
