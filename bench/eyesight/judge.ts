// Readings in, figures and bars out.
import type { Delivery, Library } from './deliver.ts';
import { families } from './families.ts';
import type { Family } from './families.ts';
import { kinds } from './items.ts';
import type { Kind } from './items.ts';
import type { Reading } from './readings.ts';
import { profileOf } from './families.ts';
import { sightOf } from '../../src/window/sight.ts';

export type Cell = Omit<Delivery, 'pictures'> & Reading & { library: Library; count: number };

/** One picture: what eyes read on it, and on what became of it. */
export type Judged = { id: string; kind: Kind; original: [number, number]; cells: Cell[] };

/** Means over the pictures of one kind, for one family, through one library. */
export type Figure = {
  kind: Kind;
  family: string;
  library: Library;
  recall: number;
  tokens: number;
  pictures: number;
  refused: number;
};

export type Results = {
  items: number;
  words: string;
  versions: Record<string, string>;
  originals: Record<Kind, number>;
  figures: Figure[];
  bars: Bar[];
  moved?: { tried: number; moved: string[] };
};

/** `worst`: pictures that missed it. */
export type Bar = { name: string; holds: boolean; figure: string; worst: string[] };

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
}

function both([one, other]: readonly [number, number]): number {
  return (one + other) / 2;
}

export function resultsOf(judged: readonly Judged[], versions: Record<string, string>): Results {
  const figures: Figure[] = [];
  const libraries = [...new Set(judged.flatMap(({ cells }) => cells.map(({ library }) => library)))];
  for (const kind of kinds)
    for (const { id: family } of families)
      for (const library of libraries) {
        const own = judged
          .filter((one) => one.kind === kind)
          .flatMap(({ cells }) => cells.filter((cell) => cell.library === library && cell.family === family));
        figures.push({
          kind,
          family,
          library,
          recall: round(meanOf(own.map(({ recall }) => both(recall)))),
          tokens: Math.round(meanOf(own.map(({ tokens }) => tokens))),
          pictures: Number(meanOf(own.map(({ count }) => count)).toFixed(1)),
          refused: own.filter(({ refused }) => refused).length,
        });
      }
  const originals = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      round(meanOf(judged.filter((one) => one.kind === kind).map(({ original }) => both(original)))),
    ]),
  ) as Record<Kind, number>;
  const shown = ['ai', '@langchain/core', '@earendil-works/pi-coding-agent'];
  return {
    items: judged.length,
    words: 'about 20 a picture',
    versions: Object.fromEntries(shown.map((name) => [name, versions[name] ?? '?'])),
    originals,
    figures,
    bars: allBars(judged, figures),
  };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

function allBars(judged: readonly Judged[], figures: readonly Figure[]): Bar[] {
  return [
    ...families.map((family) =>
      family.bar === 'same tokens' ? atSameTokens(family, judged) : withinMost(family, judged),
    ),
    belowSix(judged),
    betweenSixAndNine(judged),
    ...(['sightline', 'sightline-auto'] as const).map((library) => notBelowRaw(library, figures)),
  ];
}

function cellsOf(judged: readonly Judged[], library: Library, family?: Family): { of: Judged; cell: Cell }[] {
  return judged.flatMap((of) =>
    of.cells
      .filter((cell) => cell.library === library && (!family || cell.family === family.id))
      .map((cell) => ({ of, cell })),
  );
}

/** What the picture as it stands in the conversation costs: the tokens before anything is planned for its writing. */
function plainTokens({ canonical, family }: Cell): number {
  const found = families.find(({ id }) => id === family);
  if (!found || !canonical) return 0;
  const { tokens, defaultDetail } = profileOf(found);
  return sightOf(tokens.image, canonical.width, canonical.height, defaultDetail).tokens;
}

function atSameTokens(family: Family, judged: readonly Judged[]): Bar {
  const own = cellsOf(judged, 'sightline-auto', family);
  const recall = meanOf(own.map(({ cell }) => both(cell.recall)));
  const original = meanOf(own.map(({ of }) => both(of.original)));
  const tokens = own.reduce((sum, { cell }) => sum + cell.tokens, 0);
  const plain = own.reduce((sum, { cell }) => sum + plainTokens(cell), 0);
  const lost = lostUntold(own);
  return {
    name: `${family.title}: recall at least .95 of the original's, at the tokens of the set as it was`,
    holds: recall >= 0.95 * original && tokens <= plain && lost.length === 0,
    figure: `${(recall / original).toFixed(3)} of it at ${tokens} tokens, ${plain} before; ${lost.length} below .8 untold`,
    worst: lost.map(({ of, cell }) => shortOf(of, cell)),
  };
}

function withinMost(family: Family, judged: readonly Judged[]): Bar {
  const own = cellsOf(judged, 'sightline-auto', family);
  const dear = own.filter(({ cell }) => cell.tokens > 6000);
  const readable = own.filter(({ cell }) => !isToldToAll(cell));
  const recall = meanOf(readable.map(({ cell }) => both(cell.recall)));
  const original = meanOf(readable.map(({ of }) => both(of.original)));
  const lost = lostUntold(own);
  return {
    name: `${family.title}: within 6,000 tokens a picture recall at least .95 of the original's, or it is told`,
    holds: recall >= 0.95 * original && dear.length === 0 && lost.length === 0,
    figure: `${(recall / original).toFixed(3)} of it over ${readable.length} pictures, ${own.length - readable.length} told; ${lost.length} below .8 untold, ${dear.length} dearer`,
    worst: [...dear, ...lost].map(({ of, cell }) => shortOf(of, cell)),
  };
}

/** What loses a fifth of its words without a receipt and a sentence that say so. */
function lostUntold(own: readonly { of: Judged; cell: Cell }[]): { of: Judged; cell: Cell }[] {
  return own.filter(({ of, cell }) => both(cell.recall) < 0.8 * both(of.original) && !isToldToAll(cell));
}

/** Whether the caller reads in a receipt that its writing is hard to read, and the model in a sentence. */
function isToldToAll(cell: Cell): boolean {
  return isTold(cell) && cell.told === true;
}

/** Whether its receipt says that its writing is hard to read. */
function isTold({ receipt }: Cell): boolean {
  return receipt?.legible?.ok === false;
}

function belowSix(judged: readonly Judged[]): Bar {
  const own = cellsOf(judged, 'sightline').filter(({ cell }) => cell.receipt?.action === 'tiles');
  const recall = meanOf(own.map(({ cell }) => both(cell.recall)));
  const original = meanOf(own.map(({ of }) => both(of.original)));
  const silent = cellsOf(judged, 'sightline').filter(
    ({ cell }) => (cell.receipt?.legible?.textPx ?? 9) < 6 && !cell.told,
  );
  return {
    name: 'With the defaults, what would fall below 6 px is read at .9 of the original',
    holds: recall >= 0.9 * original && silent.length === 0,
    figure: `${(recall / original).toFixed(3)} of it over ${own.length} deliveries in pieces; ${silent.length} below 6 px without a sentence`,
    worst: own
      .filter(({ of, cell }) => both(cell.recall) < 0.8 * both(of.original))
      .map(({ of, cell }) => shortOf(of, cell)),
  };
}

function betweenSixAndNine(judged: readonly Judged[]): Bar {
  const own = cellsOf(judged, 'sightline');
  const between = own.filter(({ cell }) => {
    const { textPx = 0 } = cell.receipt?.legible ?? {};
    return textPx >= 6 && textPx < 9;
  });
  const lost = own.filter(({ of, cell }) => both(cell.recall) < 0.8 * both(of.original));
  const silent = [...new Set([...between, ...lost])].filter(({ cell }) => !isTold(cell));
  return {
    name: 'With the defaults, letters between 6 and 9 px, and whatever loses a fifth of its words, are told in the receipt',
    holds: silent.length === 0,
    figure: `${between.length} of ${own.length} deliveries between 6 and 9 px, ${lost.length} lose a fifth; ${silent.length} of them untold`,
    worst: silent.map(({ of, cell }) => shortOf(of, cell)),
  };
}

function notBelowRaw(library: Library, figures: readonly Figure[]): Bar {
  const below = figures
    .filter((one) => one.library === library)
    .flatMap((one) => {
      const raw = figures.find(
        (other) => other.library === 'ai-sdk' && other.kind === one.kind && other.family === one.family,
      );
      return raw && one.recall < raw.recall - 0.03
        ? [`${one.kind}, ${one.family}: ${one.recall} against ${raw.recall}`]
        : [];
    });
  return {
    name: `${library === 'sightline' ? 'The defaults' : 'auto and thrifty'}: no kind and family more than .03 below the AI SDK`,
    holds: below.length === 0,
    figure: `${below.length} of ${kinds.length * families.length} are`,
    worst: below,
  };
}

function shortOf({ id, original }: Judged, { family, recall, tokens, count, receipt }: Cell): string {
  const size = receipt?.legible ? `, ${receipt.legible.textPx} px` : '';
  return `${id}, ${family}: ${both(recall).toFixed(2)} of ${both(original).toFixed(2)}, ${count} pictures, ${tokens} tokens, ${receipt?.action ?? '?'}${size}`;
}

export function barsOf({ bars, moved }: Results): string[] {
  const blank = moved
    ? [
        `${moved.moved.length === 0 ? 'holds' : 'missed'}: pictures without writing unchanged, ${moved.tried} tried: ${moved.moved.join('; ')}`,
      ]
    : [];
  return [
    ...bars.map(({ name, holds, figure, worst }) =>
      [`${holds ? 'holds' : 'missed'}: ${name}: ${figure}`, ...worst.slice(0, 12).map((one) => `    ${one}`)].join(
        '\n',
      ),
    ),
    ...blank,
  ];
}
