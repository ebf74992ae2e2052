// Formulas as models write them, in LaTeX, for a page: MathML, which browsers typeset by themselves. A formula that is
// not understood as a whole is left as it was written.
import type { Html } from './html.ts';
import { markup } from './html.ts';
import { accents, functions, letters, operators, styles, symbols } from './maths-signs.ts';

const mostLetters = 4000;
const mostLevels = 40;

/** The formula, typeset; nothing when it holds what is not known here. */
export function typeset(source: string, isDisplay: boolean): Html | undefined {
  if (source.length > mostLetters) return undefined;
  const reader: Reader = { tokens: tokensOf(source), at: 0, level: 0, isDisplay };
  try {
    const rows = [lineOf(reader)];
    while (reader.tokens[reader.at] === '\\\\') {
      reader.at += 1;
      rows.push(lineOf(reader));
    }
    if (reader.at < reader.tokens.length) return undefined;
    const body =
      rows.length === 1
        ? rows[0]
        : tableOf(
            rows.map((row) => [row]),
            'left',
          );
    return isDisplay ? markup`<math display="block">${body}</math>` : markup`<math>${body}</math>`;
  } catch (error) {
    if (error === notKnown) return undefined;
    throw error;
  }
}

type Reader = { tokens: readonly string[]; at: number; level: number; isDisplay: boolean };

/** Thrown through the levels of a formula, never out of this file. */
const notKnown = new Error('not known');

/** Words inside a formula are one token, so that they keep their spaces. */
function tokensOf(source: string): string[] {
  return source.match(/\\(?:text\w*|mbox|operatorname)\*?\s*\{[^{}]*\}|\\[a-zA-Z]+|\\[^]|\d+(?:[.,]\d+)*|\S/gu) ?? [];
}

/** What stands up to the end of a group, a cell or a row. */
function lineOf(reader: Reader): Html {
  if (++reader.level > mostLevels) throw notKnown;
  const pieces: Html[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (
      token === undefined ||
      token === '}' ||
      token === '&' ||
      token === '\\\\' ||
      token === '\\right' ||
      token === '\\end'
    )
      break;
    pieces.push(scripted(reader));
  }
  reader.level -= 1;
  return rowOf(pieces);
}

function rowOf(pieces: readonly Html[]): Html {
  return pieces.length === 1 && pieces[0] ? pieces[0] : markup`<mrow>${pieces}</mrow>`;
}

/** An atom with what stands above and below it. */
function scripted(reader: Reader): Html {
  const token = reader.tokens[reader.at] ?? '';
  const stands = reader.isDisplay && overUnder.has(token);
  const base = token === '^' || token === '_' ? markup`<mrow></mrow>` : atom(reader);
  let below: Html | undefined;
  let above: Html | undefined;
  for (;;) {
    const sign = reader.tokens[reader.at];
    if (sign === "'" && above === undefined) {
      let primes = '';
      for (; reader.tokens[reader.at] === "'"; reader.at++) primes += '′';
      above = markup`<mo>${primes}</mo>`;
    } else if (sign === '_' && below === undefined) below = argument(reader, 1);
    else if (sign === '^' && above === undefined) above = argument(reader, 1);
    else if (sign === '\\limits' || sign === '\\nolimits') reader.at += 1;
    else break;
  }
  if (below && above)
    return stands
      ? markup`<munderover>${base}${below}${above}</munderover>`
      : markup`<msubsup>${base}${below}${above}</msubsup>`;
  if (below) return stands ? markup`<munder>${base}${below}</munder>` : markup`<msub>${base}${below}</msub>`;
  if (above) return stands ? markup`<mover>${base}${above}</mover>` : markup`<msup>${base}${above}</msup>`;
  return base;
}

const overUnder = new Set(
  '\\sum \\prod \\coprod \\bigcup \\bigcap \\lim \\max \\min \\sup \\inf \\limsup \\liminf \\argmax \\argmin'.split(
    ' ',
  ),
);

/** One thing after `skip` signs: a group, or the next sign alone. */
function argument(reader: Reader, skip = 0): Html {
  reader.at += skip;
  return atom(reader);
}

function atom(reader: Reader): Html {
  const token = reader.tokens[reader.at];
  if (token === undefined || token === '}' || token === '&') throw notKnown;
  reader.at += 1;
  if (token === '{') return groupOf(reader);
  const [, hand, words] = /^\\([a-z]+)\*?\s*\{([^]*)\}$/.exec(token) ?? [];
  if (hand !== undefined && words !== undefined) {
    const style = own(styles, hand);
    if (style === undefined) throw notKnown;
    return hand === 'operatorname'
      ? markup`<mi>${words}</mi>`
      : markup`<mtext>${styled(words, style).replaceAll(' ', '\u{A0}')}</mtext>`;
  }
  if (token.startsWith('\\')) return command(token.slice(1), reader);
  if (/^\d/.test(token)) return markup`<mn>${token}</mn>`;
  if (/^\p{L}/u.test(token)) return markup`<mi>${token}</mi>`;
  if (/^[()[\]|/]$/.test(token)) return markup`<mo stretchy="false">${token}</mo>`;
  return markup`<mo>${token === '-' ? '−' : token}</mo>`;
}

function groupOf(reader: Reader): Html {
  const inside = lineOf(reader);
  if (reader.tokens[reader.at] !== '}') throw notKnown;
  reader.at += 1;
  return inside;
}

const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function command(name: string, reader: Reader): Html {
  const letter = own(letters, name);
  if (letter !== undefined) return markup`<mi>${letter}</mi>`;
  const sign = own(operators, name);
  if (sign !== undefined) return markup`<mo>${sign}</mo>`;
  const symbol = own(symbols, name);
  if (symbol !== undefined) return markup`<mi mathvariant="normal">${symbol}</mi>`;
  const spoken = own(functions, name);
  if (spoken !== undefined) return markup`<mrow><mi>${spoken}</mi><mo>&#8289;</mo></mrow>`;
  const accent = own(accents, name);
  if (accent !== undefined) return markup`<mover accent="true">${atom(reader)}<mo>${accent}</mo></mover>`;
  const style = own(styles, name);
  if (style !== undefined) return markup`<mi mathvariant="normal">${styled(wordsOf(reader), style)}</mi>`;
  const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (!build) throw notKnown;
  return build(reader, name);
}

/** Letters of another alphabet, where there is one sign for each. */
function styled(words: string, style: string): string {
  if (style === '') return words;
  return Array.from(words, (letter) => {
    const exception = style === 'double' ? own(doubleStruck, letter) : undefined;
    if (exception !== undefined) return exception;
    const at = /[A-Z]/.test(letter) ? letter.charCodeAt(0) - 65 : /[a-z]/.test(letter) ? letter.charCodeAt(0) - 71 : -1;
    const start = { bold: 0x1_d4_00, double: 0x1_d5_38, script: 0x1_d4_d0 }[style];
    return at < 0 || start === undefined ? letter : String.fromCodePoint(start + at);
  }).join('');
}

const doubleStruck = { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' };

/** The letters of a group, one after the other. */
function wordsOf(reader: Reader): string {
  const first = reader.tokens[reader.at++];
  if (first === undefined) throw notKnown;
  if (first !== '{') return first;
  let words = '';
  for (;;) {
    const token = reader.tokens[reader.at++];
    if (token === undefined || token === '{') throw notKnown;
    if (token === '}') return words;
    words += token === '\\ ' ? ' ' : token.startsWith('\\') ? (own(letters, token.slice(1)) ?? token.slice(1)) : token;
  }
}

type Build = (reader: Reader, name: string) => Html;

const fraction: Build = (reader) => markup`<mfrac>${atom(reader)}${atom(reader)}</mfrac>`;
const spaced =
  (width: string): Build =>
  () =>
    markup`<mspace width="${width}"></mspace>`;
const nothingHere: Build = () => markup`<mrow></mrow>`;

const builders: Readonly<Record<string, Build>> = {
  frac: fraction,
  dfrac: fraction,
  tfrac: fraction,
  cfrac: fraction,
  binom: (reader) =>
    markup`<mrow><mo>(</mo><mfrac linethickness="0">${atom(reader)}${atom(reader)}</mfrac><mo>)</mo></mrow>`,
  sqrt: (reader) => {
    if (reader.tokens[reader.at] !== '[') return markup`<msqrt>${atom(reader)}</msqrt>`;
    reader.at += 1;
    const degree: Html[] = [];
    while (reader.tokens[reader.at] !== ']') degree.push(scripted(reader));
    reader.at += 1;
    return markup`<mroot>${atom(reader)}${rowOf(degree)}</mroot>`;
  },
  overset: (reader) => {
    const above = atom(reader);
    return markup`<mover>${atom(reader)}${above}</mover>`;
  },
  underset: (reader) => {
    const below = atom(reader);
    return markup`<munder>${atom(reader)}${below}</munder>`;
  },
  underline: (reader) => markup`<munder>${atom(reader)}<mo>_</mo></munder>`,
  underbrace: (reader) => markup`<munder>${atom(reader)}<mo>⏟</mo></munder>`,
  overbrace: (reader) => markup`<mover>${atom(reader)}<mo>⏞</mo></mover>`,
  boxed: (reader) => markup`<mrow class="boxed">${atom(reader)}</mrow>`,
  left: (reader) => {
    const open = fence(reader);
    const inside = lineOf(reader);
    if (reader.tokens[reader.at] !== '\\right') throw notKnown;
    reader.at += 1;
    return markup`<mrow>${open}${inside}${fence(reader)}</mrow>`;
  },
  begin: (reader) => {
    const name = wordsOf(reader).replace('*', '');
    const made = environment(name, reader);
    if (reader.tokens[reader.at++] !== '\\end' || wordsOf(reader).replace('*', '') !== name) throw notKnown;
    return made;
  },
  ' ': spaced('.25em'),
  ',': spaced('.17em'),
  ':': spaced('.22em'),
  ';': spaced('.28em'),
  '!': nothingHere,
  quad: spaced('1em'),
  qquad: spaced('2em'),
  displaystyle: nothingHere,
  textstyle: nothingHere,
  big: nothingHere,
  Big: nothingHere,
  bigl: nothingHere,
  bigr: nothingHere,
};

/** A bracket that grows with what it holds; a dot is none. */
function fence(reader: Reader): Html {
  const token = reader.tokens[reader.at++];
  if (token === undefined) throw notKnown;
  const sign = token.startsWith('\\') ? own(operators, token.slice(1)) : token;
  if (sign === undefined) throw notKnown;
  return bracket(sign === '.' ? '' : sign);
}

function bracket(sign: string): Html {
  return sign === '' ? markup`<mrow></mrow>` : markup`<mo fence="true" stretchy="true">${sign}</mo>`;
}

const brackets: Readonly<Record<string, readonly [string, string]>> = {
  matrix: ['', ''],
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  Bmatrix: ['{', '}'],
  vmatrix: ['|', '|'],
  Vmatrix: ['‖', '‖'],
  cases: ['{', ''],
  array: ['', ''],
  align: ['', ''],
  aligned: ['', ''],
  split: ['', ''],
  gather: ['', ''],
  gathered: ['', ''],
  equation: ['', ''],
};

function environment(name: string, reader: Reader): Html {
  const around = Object.hasOwn(brackets, name) ? brackets[name] : undefined;
  if (!around) throw notKnown;
  if (name === 'array') wordsOf(reader); // how its columns are aligned
  const rows: Html[][] = [[]];
  for (;;) {
    rows.at(-1)?.push(lineOf(reader));
    const token = reader.tokens[reader.at];
    if (token === '&') reader.at += 1;
    else if (token === '\\\\') {
      reader.at += 1;
      if (reader.tokens[reader.at] === '\\end') break;
      rows.push([]);
    } else break;
  }
  const [open, close] = around;
  const side = name === 'cases' ? 'left' : /align|split/.test(name) ? 'turns' : 'center';
  return markup`<mrow>${bracket(open)}${tableOf(rows, side)}${bracket(close)}</mrow>`;
}

/** `turns`: the columns of an alignment meet at its signs. */
function tableOf(rows: readonly (readonly (Html | undefined)[])[], side: 'left' | 'center' | 'turns'): Html {
  const cell = (content: Html | undefined, at: number): Html => {
    const align = side === 'turns' ? (at % 2 === 0 ? 'right' : 'left') : side;
    return markup`<mtd class="${align}${side === 'turns' ? ' close' : ''}">${content}</mtd>`;
  };
  return markup`<mtable displaystyle="true">${rows.map((row) => markup`<mtr>${row.map(cell)}</mtr>`)}</mtable>`;
}
