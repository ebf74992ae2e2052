// A provider's error → what kind of trouble it is. Read from its own words for it: a type, a code, a status. What the
// sentence itself says about media or signatures is judged where requests are repaired.
import { isRecord } from '../content/json.ts';
import { maskKeys } from '../content/keys.ts';
import { cutText } from '../content/text.ts';
import type { ErrorCode, MessageError } from '../message/error.ts';

export type ProviderError = Omit<MessageError, 'type'>;

const passing: ReadonlySet<ErrorCode> = new Set([
  'network',
  'timed-out',
  'cut-off',
  'malformed',
  'rate-limited',
  'overloaded',
  'server',
]);

/** Trouble in words. Base64 and keys that stand in them are cut out. */
export function providerError(code: ErrorCode, message: string, more: Partial<ProviderError> = {}): ProviderError {
  const clean = maskKeys(cutText(message, 4000).replace(/[A-Za-z0-9+/=_-]{160,}/g, '…'));
  return { code, message: cutText(clean, 1000), retryable: passing.has(code), ...more };
}

const codes = new Map<string, ErrorCode>(
  Object.entries({
    // Anthropic
    overloaded_error: 'overloaded',
    rate_limit_error: 'rate-limited',
    api_error: 'server',
    timeout_error: 'timed-out',
    authentication_error: 'auth',
    permission_error: 'auth',
    billing_error: 'auth',
    not_found_error: 'not-found',
    request_too_large: 'too-large',
    invalid_request_error: 'invalid',
    // OpenAI
    server_error: 'server',
    server_is_overloaded: 'overloaded',
    slow_down: 'overloaded',
    rate_limit_exceeded: 'rate-limited',
    insufficient_quota: 'rate-limited',
    context_length_exceeded: 'context',
    invalid_api_key: 'auth',
    model_not_found: 'not-found',
    invalid_prompt: 'invalid',
    // Gemini
    RESOURCE_EXHAUSTED: 'rate-limited',
    UNAVAILABLE: 'overloaded',
    INTERNAL: 'server',
    DEADLINE_EXCEEDED: 'timed-out',
    UNAUTHENTICATED: 'auth',
    PERMISSION_DENIED: 'auth',
    NOT_FOUND: 'not-found',
    INVALID_ARGUMENT: 'invalid',
    FAILED_PRECONDITION: 'invalid',
    // Amazon, in its streams
    throttlingException: 'rate-limited',
    serviceUnavailableException: 'overloaded',
    internalServerException: 'server',
    modelStreamErrorException: 'server',
    modelTimeoutException: 'timed-out',
    accessDeniedException: 'auth',
    resourceNotFoundException: 'not-found',
    validationException: 'invalid',
  }),
);

/** What an HTTP status says by itself. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not-found';
  if (status === 408 || status === 504) return 'timed-out';
  if (status === 413) return 'too-large';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'invalid';
}

/** The error in a body or in an event of any wire, if it is one. */
export function errorOf(value: unknown, status?: number): ProviderError | undefined {
  if (!isRecord(value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') return told({ message: error }, status);
  if (isRecord(error)) return told(isRecord(error['error']) ? error['error'] : error, status); // SDKs wrap it once more
  if (value['type'] === 'error' || value['object'] === 'error') return told(value, status);
  // Amazon has nothing but the sentence in its bodies, in two spellings; servers written in Python call it a detail.
  const said = status === undefined ? undefined : (value['message'] ?? value['Message'] ?? value['detail']);
  if (said === undefined || said === null) return undefined;
  return told({ message: typeof said === 'string' ? said : JSON.stringify(said) }, status);
}

function told(error: Record<string, unknown>, given: number | undefined): ProviderError {
  const words = [error['code'], error['type'], error['status']].filter((word) => typeof word === 'string');
  const numbers = [given, error['code'], error['status'], error['status_code']].map(Number);
  const status = numbers.find((number) => Number.isInteger(number) && number >= 400 && number < 600);
  const named = words.flatMap((word) => codes.get(word) ?? (/image/.test(word) ? 'media' : []))[0];
  const code = named ?? (status === undefined ? 'server' : codeOfStatus(status));
  const message = typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error);
  const retryAfter = retryDelay(error['details']);
  return providerError(code, message, {
    ...(words.includes('insufficient_quota') && { retryable: false }),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Google says in the details how long to wait: `{ "@type": "…RetryInfo", "retryDelay": "34.4s" }`. */
function retryDelay(details: unknown): number | undefined {
  const info = Array.isArray(details)
    ? details.find((detail) => isRecord(detail) && 'retryDelay' in detail)
    : undefined;
  const seconds = isRecord(info) ? Number.parseFloat(String(info['retryDelay'])) : Number.NaN;
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined;
}
