// A number and the way in which a list counts in, the sign a reader sees out.

const romans: readonly (readonly [value: number, sign: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Ways of counting by Word's names; those of other scripts are written in digits. */
export function numeral(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(value);
    case 'upperLetter':
      return letters(value).toUpperCase();
    case 'lowerRoman':
      return roman(value);
    case 'upperRoman':
      return roman(value).toUpperCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    default:
      return String(value);
  }
}

/** a to z, then aa, bb: as Word and LibreOffice count. */
function letters(value: number): string {
  if (!(value >= 1 && value <= 780)) return String(value);
  return String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function roman(value: number): string {
  if (!(value >= 1 && value < 4000)) return String(value);
  let [rest, text] = [value, ''];
  for (const [worth, sign] of romans) {
    for (; rest >= worth; rest -= worth) text += sign;
  }
  return text;
}
