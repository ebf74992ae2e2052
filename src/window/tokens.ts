// What things cost, estimated from what will really be sent: pictures by the vendor's own formula, documents by the
// page, sound by the second, text by its kinds of characters. Unknown sizes are taken as large, never as free.
import { base64Length } from '../content/base64.ts';
import type { PlannedRemote, Shown } from './plan-types.ts';
import type { TokenRule } from './rules.ts';
import { sightOf } from './sight.ts';

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/**
 * The tokens of one planned block.
 *
 * @example
 * tokensOf({ type: 'text', text: 'Hello.' }, profileFor('openai/gpt-5.2').tokens);
 */
export function tokensOf(block: Shown, rule: TokenRule): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'image':
      return sightOf(rule.image, block.width || 1024, block.height || 1024, block.detail).tokens;
    case 'document':
      return (block.pages ?? Math.max(1, Math.ceil(block.asset.size / 50_000))) * rule.page;
    case 'audio':
      return Math.ceil((block.seconds || 60) * rule.audioSecond);
    case 'video':
      return Math.ceil((block.seconds || 60) * rule.videoSecond);
    case 'remote':
      return remoteTokens(block, rule);
  }
}

/** What nobody has measured is taken as large: a picture that fills the model's sight, pages and minutes of some length. */
const unmeasured = { edge: 4096, pages: 20, seconds: 300 };

function remoteTokens({ kind, width, height, pages, seconds, detail }: PlannedRemote, rule: TokenRule): number {
  switch (kind) {
    case 'image':
      return sightOf(rule.image, width || unmeasured.edge, height || unmeasured.edge, detail).tokens;
    case 'document':
      return (pages ?? unmeasured.pages) * rule.page;
    case 'audio':
    case 'video':
      return Math.ceil((seconds || unmeasured.seconds) * (kind === 'audio' ? rule.audioSecond : rule.videoSecond));
  }
}

/** The bytes a block takes in a request body. */
export function bytesOf(block: Shown): number {
  if (block.type === 'text') return jsonBytes(block.text);
  if (block.type === 'remote') return jsonBytes('url' in block.at ? block.at.url : block.at.file);
  return block.at ? jsonBytes(block.at.file) : base64Length(block.asset.size);
}

/** The bytes of a text as a JSON string, without making it. */
export function jsonBytes(text: string): number {
  let bytes = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x20 && code < 0x80) bytes += code === 0x22 || code === 0x5c ? 2 : 1;
    else if (code < 0x20) bytes += shortEscapes.has(code) ? 2 : 6;
    else if (code < 0x800) bytes += 2;
    else bytes += code >= 0xd800 && code <= 0xdfff ? 2 : 3; // half of a pair; one without its other half is mended to 3
  }
  return bytes;
}

/** Backspace, tab, newline, form feed, carriage return. */
const shortEscapes = new Set([8, 9, 10, 12, 13]);

/**
 * An estimate for text of any kind, from the runs that tokenizers cut it into: a word is a token and a little more the
 * longer it is, digits go by three, marks by one or two, and every script has its own price. Against o200k it is within
 * a fifth for prose, code, JSON, tables and logs in European and East Asian languages.
 */
export function textTokens(text: string): number {
  let tokens = 0;
  let kind = 0;
  let run = 0;
  for (let index = 0; index <= text.length; index++) {
    const next = index < text.length ? kindOf(text.charCodeAt(index)) : 0;
    if (next === kind && index < text.length) {
      run++;
      continue;
    }
    tokens += costOfRun(kind, run);
    kind = next;
    run = 1;
  }
  return Math.ceil(tokens);
}

const letter = 1;
const digit = 2;
const space = 3;
const line = 4;
const mark = 5;
const accented = 6;
const alphabet = 7;
const ideograph = 8;
const half = 9;

function kindOf(code: number): number {
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return letter;
    if (code >= 48 && code <= 57) return digit;
    if (code === 32 || code === 9) return space;
    return code < 32 ? line : mark;
  }
  if (code < 0x250) return accented;
  if (code < 0x1e00) return alphabet;
  if (code < 0x2e80) return mark;
  return code >= 0xd800 && code <= 0xdfff ? half : ideograph;
}

function costOfRun(kind: number, run: number): number {
  switch (kind) {
    case letter:
      return run <= 6 ? 0.98 : 0.98 + (run - 6) * 0.17;
    case digit:
      return Math.ceil(run / 3);
    case space:
      return run === 1 ? 0.03 : 0.75;
    case line:
      return 0.7;
    case mark:
      return run <= 3 ? 0.5 + run * 0.38 : run * 0.55;
    case accented:
      return run * 0.5;
    case alphabet:
      return 0.4 + run * 0.28;
    case ideograph:
      return run * 0.75;
    case half:
      return run * 0.9;
    default:
      return 0;
  }
}
