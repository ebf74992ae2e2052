// Trouble as a client is told of it: in its own dialect, with a status that says whose fault it is.
import { SightlineError } from '../content/refusal.ts';
import type { ErrorCode, MessageError } from '../message/error.ts';
import type { WireName } from '../window/profile.ts';
import { redact } from '../model/redact.ts';
import { waitHeaders } from '../wire/emitter.ts';
import { wires } from '../wire/registry.ts';

/** Trouble after which another model may do better. */
export const mayPass: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate-limited',
  'overloaded',
  'server',
  'network',
  'timed-out',
  'cut-off',
  'malformed',
  'not-found',
  'auth',
]);

/** What stands behind the gateway failed: no fault of the client's, whatever a provider called it. */
const behind: Partial<Record<ErrorCode, number>> = {
  network: 502,
  'cut-off': 502,
  malformed: 502,
  redirected: 502,
  server: 502,
  output: 502,
  auth: 502, // our key was refused, not the client's
  'timed-out': 504,
};

/** Trouble of a provider as trouble of this server. That a client's own key is refused is its own. */
export function ofProvider(error: MessageError, ownKey = false): MessageError {
  const status = behind[error.code];
  if (status === undefined || (ownKey && error.code === 'auth')) return error;
  const ours = error.code === 'auth' && error.status !== undefined; // without a status nobody was asked
  const message = ours ? `The provider refuses the key of this gateway: ${error.message}` : error.message;
  return { ...error, code: error.code === 'timed-out' ? error.code : 'server', status, message };
}

/** A key that asks more often than it may: when it may again. */
export function tooOften(key: string, retryAfter: number): MessageError {
  const message = `The key ${key} asks more often than it may. Ask again in ${Math.ceil(retryAfter / 1000)} s.`;
  return { ...invalid(message, 429), retryable: true, retryAfter };
}

/** What went wrong here, in words without keys. What nobody could send is the client's to mend. */
export function ofGateway(error: unknown): MessageError {
  if (error instanceof SightlineError && error.code === 'input') return invalid(redact(error.message));
  const message = error instanceof SightlineError ? redact(error.message) : 'The gateway failed.';
  return { ...invalid(message, 500), code: 'server' };
}

/** Nobody waits for the answer any more. */
export const clientGone: MessageError = {
  type: 'message-error',
  code: 'aborted',
  message: 'The client has gone.',
  retryable: false,
};

/** A request that will not be served. */
export function invalid(message: string, status = 400): MessageError {
  const code = statusCodes[status] ?? 'invalid';
  return { type: 'message-error', code, status, message, retryable: false };
}

const statusCodes: Partial<Record<number, ErrorCode>> = {
  401: 'auth',
  403: 'auth',
  404: 'not-found',
  408: 'timed-out',
  413: 'too-large',
  429: 'rate-limited',
  503: 'overloaded',
};

/** What several vendors call it. */
const commonTypes: Partial<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

/** An error as a whole answer. */
export function errorAnswer(
  error: MessageError,
  wire: WireName | undefined,
): { status: number; body: unknown; headers: Record<string, string> } {
  const headers = { ...waitHeaders(error), ...(error.code === 'spent' && { 'x-should-retry': 'false' }) };
  if (wire) return { ...wires[wire].emit({ model: '' }).whole(error), headers };
  const { message, status = 400 } = error;
  // Nobody knows which dialect is meant: most readers find their words in this.
  const type = commonTypes[status] ?? 'invalid_request_error';
  return { status, body: { type: 'error', error: { type, message, code: status } }, headers };
}
