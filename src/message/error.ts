// Trouble that ended an answer, as the program is told of it.

/** What kind of trouble ended an answer. Who asked decides by it whether to wait, to heal, or to tell the person. */
export type ErrorCode =
  | 'aborted' // cancelled by whoever asked
  | 'network' // no connection, or it broke
  | 'timed-out' // nothing came for too long
  | 'cut-off' // the stream ended before the answer did
  | 'malformed' // the answer is not in the format of this API
  | 'rate-limited' // 429
  | 'overloaded' // 503, 529
  | 'server' // any other 5xx, or an error event of the provider in mid-stream
  | 'auth' // no key, a wrong one, or no right to this model
  | 'not-found' // no such model or address
  | 'media' // the provider complains about a picture, a document or another medium
  | 'reference' // an address or a file id that the provider cannot or may not open
  | 'signature' // thinking that was changed or belongs elsewhere
  | 'too-large' // more bytes than one request may have
  | 'context' // more tokens than the model's window
  | 'invalid' // any other 4xx
  | 'redirected' // to another host
  | 'spent' // the budget is used up
  | 'output'; // no answer had the required form

/** The last event of an answer that failed. */
export type MessageError = {
  type: 'message-error';
  code: ErrorCode;
  /** The provider's own words, or ours. Never a key, never base64. */
  message: string;
  /** The same request may succeed later. */
  retryable: boolean;
  status?: number;
  /** The place in the request that the provider names, in its own spelling. */
  path?: string;
  /** Milliseconds the provider asks to wait. */
  retryAfter?: number;
};
