// Rich Text as one string of bytes in, its tokens out, one at a time. Linear; every sequence of bytes has tokens.
export type Token =
  | { type: 'open' | 'close' }
  | { type: 'word'; name: string; value: number | undefined }
  | { type: 'symbol'; character: string }
  /** one byte, written as two hex digits */
  | { type: 'byte'; text: string }
  | { type: 'text' | 'binary'; text: string };

const word = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
const plain = /[^\\{}\r\n]+/y;

export function* tokens(source: string): Generator<Token> {
  for (let at = 0; at < source.length;) {
    const character = source[at] ?? '';
    if (character === '{' || character === '}') {
      yield { type: character === '{' ? 'open' : 'close' };
      at += 1;
    } else if (character === '\\') {
      const { token, end } = control(source, at + 1);
      yield token;
      at = end;
    } else if (character === '\r' || character === '\n') at += 1;
    else {
      plain.lastIndex = at;
      const text = plain.exec(source)?.[0] ?? character;
      yield { type: 'text', text };
      at += text.length;
    }
  }
}

function control(source: string, at: number): { token: Token; end: number } {
  word.lastIndex = at;
  const found = word.exec(source);
  if (found !== null) {
    const name = found[1] ?? '';
    const value = found[2] === undefined ? undefined : Number(found[2]);
    const end = at + found[0].length;
    if (name !== 'bin') return { token: { type: 'word', name, value }, end };
    const until = Math.min(source.length, end + Math.max(0, value ?? 0));
    return { token: { type: 'binary', text: source.slice(end, until) }, end: until };
  }
  const character = source[at] ?? '';
  if (character !== "'") return { token: { type: 'symbol', character }, end: at + 1 };
  const code = Number.parseInt(source.slice(at + 1, at + 3), 16);
  return { token: { type: 'byte', text: Number.isNaN(code) ? '' : String.fromCharCode(code) }, end: at + 3 };
}
