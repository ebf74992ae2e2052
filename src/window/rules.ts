// What rows of the catalog and profiles say alike: places, limits, formulas.

/** Inside the tool result · after all results of the turn, as user content · only as words. */
export type Placement = 'inside' | 'after' | 'words';

/** Where a medium may stand that goes by reference. */
export type Carried = {
  result: Placement;
  user: 'inside' | 'words';
  /** Only from these hosts, and those below them. */
  hosts?: readonly string[];
};

/** By which references a medium may go; what is left out never does. */
export type Carriers = { readonly url?: Carried; readonly file?: Carried };

/** How a medium travels. What is seen of it stays the same. */
export type Carrier = 'inline' | 'file' | 'url';

/** Where an API takes one kind of media, in which formats, and how large. */
export type MediumRule = {
  types: readonly string[];
  result: Placement;
  /** Some APIs take nothing but text in a result that reports an error. */
  errorResult: Placement;
  user: 'inside' | 'words';
  maxBase64: number;
  maxEdge: number;
  maxPages: number;
  /** So many of them may stand in one message, results of a turn included, where an API counts. */
  maxPerMessage?: number;
  carriers: Carriers;
};

/** The same rule for a kind that is not shown at all. */
export function unshown(rule: MediumRule): MediumRule {
  return { ...rule, types: [], result: 'words', errorResult: 'words', user: 'words', carriers: {} };
}

/** How a provider counts what a picture costs. */
export type ImageTokens =
  | { by: 'patches'; patch: number; maxEdge: number; maxTokens: number }
  | { by: 'budget'; factor: number; high: number; original: number }
  | { by: 'tiles'; base: number; tile: number }
  | { by: 'gemini-tiles' }
  /** so many tokens, each for so many pixels of the whole */
  | { by: 'area'; tokens: number; pixels: number }
  /** squeezed or stretched into a square, whatever its shape */
  | { by: 'square'; edge: number; tokens: number }
  /** sides in whole patches, the area between two bounds */
  | { by: 'pixels'; patch: number; min: number; max: number }
  /** a rough count of a server whose scaling depends on the model */
  | { by: 'flat'; tokens: number };

/** What media cost at a provider: pictures by their size, pages, and seconds. */
export type TokenRule = { image: ImageTokens; page: number; audioSecond: number; videoSecond: number };

/** From none to as much as the model can. */
export const efforts = ['off', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** How much the model thinks before it answers. */
export type Effort = (typeof efforts)[number];

/** How a model is told to think: an effort word, a budget of tokens, a switch, or not at all. */
export type ThinkingStyle = 'adaptive' | 'budget' | 'effort' | 'level' | 'switch' | 'none';

/** Above so many pictures in a request each may only be so large. */
export type ManyImages = { above: number; maxEdge: number };

/** US dollars per million tokens: fresh input, input read from the cache, input written to it, output. */
export type Prices = { input: number; read: number; write: number; output: number };

/** What strict servers want that speak OpenAI's Chat dialect. */
export type Dialect = {
  /** A tool message names its tool. */
  toolName: boolean;
  /** A few words of the assistant stand between tool messages and a user message. */
  bridge: boolean;
  /** Usage is asked for in a stream. */
  streamUsage: boolean;
  /** Answers come in one piece: the account may not have them as a stream. */
  unstreamed?: boolean;
  /** No summary of its thinking is asked for: the account may not have one. */
  unsummarised?: boolean;
  /** A PDF is a part of the type `document_url`. */
  documentUrl?: boolean;
  /** This field stands on every assistant message, empty where the model said nothing in it. */
  reasoning?: string;
};
