// How many bytes of bodies are read at once: each asks for its length first, and waits its turn unread, so that the memory
// of many large ones is bounded and the network holds them.

export type Uploads = {
  /** Resolves when there is room; what it gives back is called when the body has been read. */
  enter: (bytes: number) => Promise<() => void>;
  readonly bytes: number;
};

export function openUploads(most: number): Uploads {
  let reading = 0;
  const waiting: { bytes: number; go: () => void }[] = [];
  const next = (): void => {
    for (let first = waiting[0]; first && (reading === 0 || reading + first.bytes <= most); first = waiting[0]) {
      waiting.shift();
      reading += first.bytes;
      first.go();
    }
  };
  return {
    get bytes() {
      return reading;
    },
    enter: (bytes) =>
      new Promise((resolve) => {
        const leave = (): void => {
          reading -= bytes;
          next();
        };
        waiting.push({ bytes, go: () => resolve(leave) });
        next();
      }),
  };
}
