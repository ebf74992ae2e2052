// A refusal is a file, a call or a request that we will not serve. It is expected, so it is a value and not an
// exception, and it always answers three questions: what is wrong, against which limit, what to do next.

export type RefusalCode =
  | 'not-found'
  | 'not-allowed'
  | 'empty'
  | 'too-large'
  | 'too-many-pixels'
  | 'corrupt'
  | 'encrypted'
  | 'unsupported'
  | 'bad-base64'
  | 'bad-range'
  | 'bad-transcript'
  | 'timed-out'
  | 'missing-decoder'
  | 'cancelled';

export type Refusal = { code: RefusalCode; what: string; limit?: string; next: string };

export type Read<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

/** Shorthand for a refusal as a result. */
export function refuse(code: RefusalCode, what: string, next: string, limit?: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: limit === undefined ? { code, what, next } : { code, what, limit, next } };
}

/** The refusal as one line for a person or a model. */
export function refusalText(refusal: Refusal): string {
  const limit = refusal.limit === undefined ? '' : ` (limit: ${refusal.limit})`;
  return `${refusal.what}${limit}. ${refusal.next}`;
}

/** The one exception class: a bug, wrong use of the library, or the environment. Refusals never become one. */
export class SightlineError extends Error {
  override name = 'SightlineError';
  readonly code: 'config' | 'input' | 'storage' | 'protocol' | 'bug';
  constructor(code: SightlineError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
