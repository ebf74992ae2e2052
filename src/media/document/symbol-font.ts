// Words set in a font of signs in, the signs it shows out: such fonts draw a Greek letter where the file says a Latin one. Pure.

/** What the font Symbol shows from 0x20 to 0x7e, and from 0xa0 to 0xfe. */
const lower = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const upper = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';
const symbols = new Map([
  ...Array.from(lower, (sign, at) => [0x20 + at, sign] as const),
  ...Array.from(upper, (sign, at) => [0xa0 + at, sign] as const),
]);

/** Signs of picture fonts that carry meaning. */
const pictures = new Map([
  [0xfe, '☑'],
  [0x52, '☑'],
  [0xa8, '☐'],
  [0x6f, '☐'],
  [0xfc, '✓'],
  [0xfb, '✗'],
  [0xe0, '→'],
]);

/** Where files put the letters of such fonts that are no letters of Unicode. */
const [firstSign, lastSign] = [0xf020, 0xf0ff];

function signsOfFont(font: string): ReadonlyMap<number, string> | undefined {
  return /^symbol\b/i.test(font) ? symbols : /^(?:wing|web)dings/i.test(font) ? pictures : undefined;
}

export function isSignFont(font: string): boolean {
  return signsOfFont(font) !== undefined;
}

/** The signs that a font shows for these words; words of other fonts are as they are. Ornaments are left out. */
export function signText(text: string, font: string): string {
  const known = signsOfFont(font);
  if (known === undefined) return text;
  return Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const own = code >= firstSign && code <= lastSign ? code - 0xf000 : code;
    if (own > 0xff || own < 0x20) return letter;
    return known.get(own) ?? (own === 0xb7 ? '•' : own === 0x20 ? ' ' : '');
  }).join('');
}
