// Trouble that ended an answer, as the program is told of it.

/** What kind of trouble ended an answer. Who asked decides by it whether to wait, to heal, or to tell the person. */
export type ErrorCode =
  | 'aborted' // whoever asked has cancelled
  | 'network' // no connection, or it broke
  | 'timed-out' // nothing came for too long
  | 'cut-off' // the stream ended before the answer did
  | 'malformed' // what came is not this wire
  | 'rate-limited' // 429
  | 'overloaded' // 503, 529
  | 'server' // any other 5xx, or an error event of the provider in mid-stream
  | 'auth' // no key, a wrong one, or no right to this model
  | 'not-found' // no such model or address
  | 'media' // the provider complains about a picture, a document or another medium
  | 'reference' // an address or a file id leads the provider to nothing that it may open
  | 'signature' // thinking that was changed or belongs elsewhere
  | 'too-large' // more bytes than one request may have
  | 'context' // more tokens than the model's window
  | 'invalid' // any other 4xx
  | 'redirected' // to another host
  | 'spent' // what may be spent is spent
  | 'output'; // no answer had the form that was asked for

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
