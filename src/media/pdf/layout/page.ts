// What the layout of a page is made from. Coordinates run to the right and downwards, in points.

/** Quarter turns clockwise in which text runs. */
export type QuarterTurn = 0 | 1 | 2 | 3;

/** Letters set alike, on one line, without a gap between them; words, where a gap or a line could divide them. */
export type LaidRun = {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** where the letters stand */
  base: number;
  size: number;
  bold: boolean;
  turn: QuarterTurn;
  /** whether a blank stands before it */
  spaced: boolean;
  /** whether the file does not say what its letters mean */
  unmapped: boolean;
  /** how wide its first word is, when it has several */
  opening: number | undefined;
  /** which mark of the page lies on it */
  mark: number | undefined;
  /** where it leads */
  link: string | undefined;
  /** the line that is drawn through it */
  strike: Edge | undefined;
};

/** A straight line, level or upright; as a page has it, before it is turned, y runs upwards. */
export type Edge = { x0: number; y0: number; x1: number; y1: number };

/** What lies over words: a link, a line through them, or what somebody said about them. Its places are as the page has them. */
export type PageMark =
  | { kind: 'struck'; places: Edge[] }
  | { kind: 'link'; to: string; places: Edge[] }
  | { kind: 'comment'; words: string; author: string; places: Edge[] };

/** What stands in a field of a form, and what the file calls it; `ticked` for boxes. */
export type FilledField = { place: Edge; text: string; label: string; ticked?: boolean };

/** `pictured`: whether a picture worth looking at stands on it. */
export type PageGlyphs = { runs: LaidRun[]; edges: Edge[]; pictured: boolean; width: number; height: number };

/** A run, or several that touch. */
export type Word = Omit<LaidRun, 'turn' | 'unmapped' | 'mark' | 'strike'>;

/** Words that stand in one row without a gap between them, or a table that is taken as one. */
export type Segment = {
  words: Word[];
  left: number;
  right: number;
  base: number;
  size: number;
  table?: string[][];
};

export type Row = { base: number; segments: Segment[] };

/** What is pageMarkdown one after the other. Lines of one flow belong together; `wide` is how wide a line's first word is. */
export type PagePiece =
  | {
      kind: 'line';
      flow: number;
      text: string;
      wide: number;
      left: number;
      right: number;
      base: number;
      size: number;
      bold: boolean;
    }
  | { kind: 'table'; rows: string[][] };
