// The part of jq that we use; the package brings no types.
declare module 'jq-web' {
  /** What jq prints, if anything. Throws with `Non-zero exit code: N` and what it says about it. */
  const jq: Promise<{ raw(json: string, program: string, flags: string[]): string | undefined }>;
  export default jq;
}
