// What the readers of a framing have in common.

/** Takes bytes and hands on the text of one event after the other. */
export type Splitter = {
  push: (bytes: Uint8Array) => void;
  end: () => void;
  /** Bytes that wait for the rest of their event. */
  waiting: () => number;
  /** Text that belongs to no event, as an excerpt. */
  stray: () => string;
  /** Why nothing more can be read, where the framing itself can tell. */
  wrong?: () => string | undefined;
};

/** Opens a splitter that hands on the JSON text of each event. */
export type Split = (emit: (text: string) => void) => Splitter;

/** Chunks as one, whose size is known. */
export function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
