// The code of a format for numbers in, such as `#,##0.00;[Red](#,##0.00)`; its sections out, each as the signs it is made of, with
// the numbers it is for. Pure.

export type SignKind =
  | 'words'
  | 'digit'
  | 'point'
  | 'comma'
  | 'percent'
  | 'power'
  | 'bar'
  | 'general'
  | 'text'
  | 'date'
  | 'elapsed'
  | 'half';

export type Sign = { kind: SignKind; text: string };

/** Which numbers a section shows. `signless`: they are all negative, and the section writes their sign itself. */
export type Section = { signs: Sign[]; isFor: (value: number) => boolean; signless: boolean };

type Raw = { signs: Sign[]; condition?: readonly [comparison: string, limit: number] };

/** What stands for something in a code; whatever else there is stands for itself. */
const signPattern =
  /"([^"]*)"?|\\(.)|_.|\*.|b[12]|\[([^\]]*)\]|(General)|(AM\/PM|A\/P|上午\/下午)|(E[+-])|(y+|m+|d+|h+|s+|g+|e+|bb+|aaa+)|([1-9]\d*)|([0#?])|([.,%/@;])|(.)/gisu;

const byMark: Readonly<Record<string, SignKind>> = {
  '.': 'point',
  ',': 'comma',
  '%': 'percent',
  '/': 'bar',
  '@': 'text',
};

/** The sections for numbers, in order; the fourth, and a last one with the sign for words, is for words. */
export function formatSections(code: string): Section[] {
  const raw = rawSections(code);
  const isForWords = raw.length > 1 && raw.at(-1)?.signs.some(({ kind }) => kind === 'text') === true;
  const numbers = raw.slice(0, Math.min(3, isForWords ? raw.length - 1 : raw.length));
  return numbers.map((one, at) => section(one, at, numbers));
}

function rawSections(code: string): Raw[] {
  const raw: Raw[] = [{ signs: [] }];
  for (const match of code.matchAll(signPattern)) {
    const [all, quoted, escaped, bracket, general, half, power, date, number, digit, mark, other] = match;
    const own = raw.at(-1) ?? { signs: [] };
    const add = (kind: SignKind, text: string): void => void own.signs.push({ kind, text });
    const words = quoted ?? escaped ?? number ?? other;
    if (mark === ';') raw.push({ signs: [] });
    else if (bracket !== undefined) addBracket(own, bracket);
    else if (words !== undefined) add('words', words);
    else if (general !== undefined) add('general', '');
    else if (half !== undefined) add('half', half);
    else if (power !== undefined) add('power', power);
    else if (date !== undefined) add('date', date);
    else if (digit !== undefined) add('digit', digit);
    else if (mark !== undefined) add(byMark[mark] ?? 'words', mark);
    else if (all.startsWith('_')) add('words', ' ');
  }
  return raw;
}

/** A colour and a script say nothing here; a currency is a word, a time that has passed is counted on. */
function addBracket(own: Raw, inside: string): void {
  const [, comparison, limit] = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(inside) ?? [];
  if (comparison !== undefined) own.condition = [comparison, Number(limit)];
  else if (/^(?:h+|m+|s+)$/i.test(inside)) own.signs.push({ kind: 'elapsed', text: inside });
  else if (inside.startsWith('$')) own.signs.push({ kind: 'words', text: inside.slice(1).replace(/-[^-]*$/, '') });
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

/** Where a code says nothing of it, the first section is for what is above zero, the second for what is below, the last for the rest. */
function section({ signs, condition }: Raw, at: number, all: readonly Raw[]): Section {
  if (condition !== undefined) {
    const [comparison, limit] = condition;
    const test = comparisons[comparison] ?? comparisons['='];
    const signless = limit === 0 && comparison.startsWith('<') && comparison !== '<>';
    return { signs, isFor: (value) => test?.(value, limit) === true, signless };
  }
  const [first] = all;
  const rest = at === all.length - 1;
  // Only what is below zero is left for a second section behind one for all the rest.
  const signless =
    at === 1 && (first?.condition === undefined || (first.condition[0].startsWith('>') && first.condition[1] === 0));
  if (rest) return { signs, isFor: () => true, signless: signless && all.length === 2 };
  if (at === 1) return { signs, isFor: (value) => value < 0, signless: true };
  return { signs, isFor: (value) => (all.length > 2 ? value > 0 : value >= 0), signless: false };
}
