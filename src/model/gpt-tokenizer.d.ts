// The part of gpt-tokenizer that we use; it is brought on demand.
declare module 'gpt-tokenizer/encoding/o200k_base' {
  export function countTokens(text: string, options: { allowedSpecial: 'all' }): number;
}
