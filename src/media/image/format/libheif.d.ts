// The part of libheif that we use; the package brings no types for this entry.
declare module 'libheif-js/wasm-bundle.js' {
  type Shown = { data: Uint8ClampedArray; width: number; height: number };
  export type HeifImage = {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** fills `data` with RGBA and hands it on; nothing when it cannot */
    display(into: Shown, done: (shown: Shown | null) => void): void;
    free(): void;
  };
  export type HeifDecoder = { decode(bytes: Uint8Array): HeifImage[] };
  const libheif: { HeifDecoder: new () => HeifDecoder };
  export default libheif;
}
