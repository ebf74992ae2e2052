// A refusal is a file, a call or a request that we will not serve. It is expected, so it is a value and not an
// exception, and it always answers three questions: what is wrong, against which limit, what to do next.

/** The kinds of refusals, for programs. */
export type RefusalCode =
  | 'not-found' // no such file, host or asset
  | 'not-allowed' // it is there, but not for this caller: outside the roots, a private address, no right, no key
  | 'empty' // nothing to read or to ask
  | 'too-large' // more bytes, entries or text than a limit allows
  | 'too-many-pixels' // by its header; nothing was decoded
  | 'corrupt' // damaged, cut off, or not what its first bytes promise
  | 'encrypted' // a password is needed, or the one given is wrong
  | 'unsupported' // a known kind of file, or a way to look at one, that cannot be read here
  | 'unknown' // bytes of no known kind
  | 'bad-base64' // text that should be base64 and is not
  | 'bad-range' // pages, lines, a region or a path that do not exist in it
  | 'bad-transcript' // a conversation that cannot be understood
  | 'timed-out' // it took longer than a limit allows
  | 'missing-decoder' // an optional library or program is not installed
  | 'cancelled'; // cancelled by whoever asked

/** What is wrong, against which limit, and what to do next. */
export type Refusal = { code: RefusalCode; what: string; limit?: string; next: string };

/** What was asked for, or why there is none. */
export type Read<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

/** Shorthand for a refusal as a result. */
export function refuse(code: RefusalCode, what: string, next: string, limit?: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: limit === undefined ? { code, what, next } : { code, what, limit, next } };
}

/**
 * The refusal as one line for a person or a model.
 *
 * @example
 * const file = await read('report.pdf');
 * if (!file.ok) console.error(refusalText(file.refusal));
 */
export function refusalText(refusal: Refusal): string {
  const limit = refusal.limit === undefined ? '' : ` (limit: ${refusal.limit})`;
  return `${refusal.what}${limit}. ${refusal.next}`;
}

/** The one exception class: a bug, wrong use of the library, or the environment. Where a function that gives no value for
 * it meets a request that we will not serve, `refusal` is that value. */
export class SightlineError extends Error {
  override name = 'SightlineError';
  readonly code: 'config' | 'input' | 'storage' | 'protocol' | 'bug';
  readonly refusal: Refusal | undefined;
  constructor(code: SightlineError['code'], message: string, options?: ErrorOptions & { refusal?: Refusal }) {
    super(message, options);
    this.code = code;
    this.refusal = options?.refusal;
  }
}

/** A refusal as an exception, for functions that have no other way to say no. */
export function refusedInput(refusal: Refusal): SightlineError {
  return new SightlineError('input', refusalText(refusal), { refusal });
}
