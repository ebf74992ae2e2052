// Rich Text in, Markdown out: paragraphs, headings, tables, lists as their text, links, notes, comments; its pictures
// when asked for. Tracked changes are marked, hidden text is left out. Refused: bytes that do not begin as Rich Text does.
import { change, changesPieces, commentText, newChanges } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import {
  footnote,
  heading,
  isPageField,
  joined,
  pageSign,
  picture,
  saysMore,
  unknownBox,
} from '../document/markdown.ts';
import type { DocumentReader, InnerPicture, ReaderOptions } from '../document/reader.ts';
import { looks } from '../document/styled.ts';
import { signText } from '../document/symbol-font.ts';
import { equationText } from '../office/equation-field.ts';
import { finish } from '../web/markdown.ts';
import { encodingOfPage } from './code-page.ts';
import { corrupt } from '../document/refusals.ts';
import { rtfLists } from './rtf-list.ts';
import type { Page } from './rtf-page.ts';
import { newPage } from './rtf-page.ts';
import { aside, characters, charsets, silent, spoken } from './rtf-state.ts';
import type { Token } from './rtf-tokens.ts';
import { tokens } from './rtf-tokens.ts';

export const readRtf: DocumentReader = async (bytes, options) => {
  const source = Buffer.from(bytes).toString('latin1');
  if (!/^\s*\{\\rtf/.test(source.slice(0, 100))) return corrupt(options.name, 'it does not begin as Rich Text');
  const document = newInterpreter(options);
  for (const token of tokens(source)) take(document, token);
  return finish(joined(pieces(document)), options, { pictures: document.pictures });
};

/** What a group changes until it ends. `end` runs then. */
type Group = {
  silent: boolean;
  hidden: boolean;
  skip: number;
  page: number;
  destination: string;
  /** how words are set, and whose change they are */
  look: number;
  author: number;
  /** a note of this group stands at the end of the document */
  endnote?: boolean;
  /** at the head or the foot of pages */
  inMargin?: boolean;
  end?: () => void;
};

function isDestination(name: string): boolean {
  return silent.has(name) || spoken.has(name) || aside.has(name) || name === 'footnote' || name === 'fldrslt';
}

const [maxDepth, mostCells] = [2000, 1000];
/** A font of signs has no code page; from here on stand numbers for the fonts themselves. */
const signPages = 100_000;
const maxPictureDigits = 64 * 1024 * 1024;

/** What a paragraph says of itself; the mark of its item comes before it. */
type Paragraph = { heading?: number; inTable: boolean; list?: number; level: number; indent: number };

const plainParagraph: Paragraph = { inTable: false, level: 0, indent: 0 };

/** A document as far as it was read. */
type Interpreter = {
  pictures: InnerPicture[];
  /** Whether the bytes of pictures are wanted. */
  wanted: boolean;
  clean: ReaderOptions['clean'];
  body: Page;
  /** Where words go now: the body, a note, what stands aside. */
  page: Page;
  notes: Piece[];
  endnotes: Piece[];
  asides: Set<string>;
  changes: ReturnType<typeof newChanges>;
  /** Whose change the last words were. */
  changed: number;
  authors: string[];
  commenter: string;
  lists: ReturnType<typeof rtfLists>;
  /** Which styles are headings, by their number; and the style that is being told. */
  headings: Map<number, number>;
  style: number;
  /** Code pages of fonts, by their number. */
  fonts: Map<number, number>;
  /** The names of fonts of signs, by the number that stands for their code page. */
  signFonts: Map<number, string>;
  font: number;
  defaultPage: number;
  decoders: Map<number, TextDecoder>;
  groups: Group[];
  group: Group;
  /** Groups that were opened beyond the deepest that is followed. */
  overflow: number;
  /** Characters that stand for one that was just written. */
  toSkip: number;
  /** The group began with an asterisk. */
  starred: boolean;
  paragraph: Paragraph;
  mark: string;
  /** Where the cells of the row end. */
  edges: number[];
  /** Bytes wait here until their run ends. */
  pending: string;
  instruction: string;
  link: string;
  linking: boolean;
  /** A box of a form, and whether it is ticked. */
  boxed: boolean;
  ticked: boolean;
  /** The name of the last property of a shape. */
  property: string;
  /** What the shape is said to show. */
  described: string;
  digits: string[];
  pictureKind: string;
  pictureCount: number;
  /** The picture came as bytes, not as digits. */
  bare: boolean;
};

const nothingYet = {
  changed: 0,
  commenter: '',
  style: 0,
  font: 0,
  defaultPage: 1252,
  overflow: 0,
  toSkip: 0,
  starred: false,
  paragraph: plainParagraph,
  mark: '',
  pending: '',
  instruction: '',
  link: '',
  linking: false,
  boxed: false,
  ticked: false,
  property: '',
  described: '',
  pictureKind: '',
  pictureCount: 0,
  bare: false,
};

function newInterpreter({ pictures: wanted, clean }: ReaderOptions): Interpreter {
  const body = newPage();
  return {
    ...nothingYet,
    pictures: [],
    wanted,
    clean,
    body,
    page: body,
    notes: [],
    endnotes: [],
    asides: new Set(),
    changes: newChanges(clean),
    authors: [],
    lists: rtfLists(),
    headings: new Map(),
    fonts: new Map(),
    signFonts: new Map(),
    decoders: new Map(),
    groups: [],
    group: { silent: false, hidden: false, skip: 1, page: 1252, destination: '', look: 0, author: 0 },
    digits: [],
    edges: [],
  };
}

/** Bytes wait until the run ends, because two of them may be one character. */
function flush(at: Interpreter): void {
  if (at.pending === '') return;
  // In every code page these are what they seem to be.
  if (/^[ -~]*$/.test(at.pending) || at.group.page >= signPages) say(at, at.pending);
  else {
    const decoder = at.decoders.get(at.group.page) ?? new TextDecoder(encodingOfPage(at.group.page));
    at.decoders.set(at.group.page, decoder);
    say(at, decoder.decode(Buffer.from(at.pending, 'latin1')));
  }
  at.pending = '';
}

/** Neighbours with the same mark of a change are one change. */
function say(at: Interpreter, words: string): void {
  const font = at.group.page < signPages ? undefined : at.signFonts.get(at.group.page);
  const text = font === undefined ? words : signText(words, font);
  const own = at.group.look & (looks.inserted | looks.deleted);
  if (own !== 0 && own !== at.changed)
    change(at.changes, own === looks.inserted ? 'inserted' : 'deleted', at.authors[at.group.author]);
  at.changed = own;
  // A heading is set apart already.
  const look = at.paragraph.heading === undefined ? at.group.look : at.group.look & ~looks.bold;
  if (at.clean !== true) at.page.words(text, look);
  else if (own !== looks.deleted) at.page.words(text, look & ~looks.inserted);
}

function speaks(at: Interpreter): boolean {
  return !at.group.silent && !at.group.hidden;
}

function write(at: Interpreter, text: string): void {
  if (!speaks(at)) return;
  flush(at);
  say(at, text);
}

function raw(at: Interpreter, text: string): void {
  const shown = at.toSkip === 0 ? text : text.slice(at.toSkip);
  at.toSkip = Math.max(0, at.toSkip - text.length);
  if (at.group.destination === 'fldinst' && at.instruction.length < 4000) at.instruction += shown;
  else if (at.group.destination === 'pict') at.digits.push(shown);
  else if (at.group.destination === 'revtbl') at.authors.push(shown.replace(/;$/, ''));
  else if (at.group.destination === 'sn') at.property += shown;
  else if (at.group.destination === 'atnauthor') at.commenter += shown;
  else if (at.group.destination === 'fonttbl') at.signFonts.set(signPages + at.font, shown);
  else if (at.group.destination === 'stylesheet') nameStyle(at, shown);
  else if (speaks(at)) at.pending += shown;
}

function open(at: Interpreter): void {
  flush(at);
  [at.toSkip, at.starred] = [0, false];
  if (at.groups.length >= maxDepth) {
    at.overflow += 1;
    return;
  }
  at.groups.push(at.group);
  const { end: _, ...inherited } = at.group;
  at.group = inherited;
}

function close(at: Interpreter): void {
  flush(at);
  [at.toSkip, at.starred] = [0, false];
  if (at.overflow > 0) {
    at.overflow -= 1;
    return;
  }
  at.group.end?.();
  at.group = at.groups.pop() ?? at.group;
}

/** A group with words of its own; `told` gets them when it ends. */
function apart(at: Interpreter, told: (text: string) => void): void {
  const [outer, around, inMark] = [at.page, at.paragraph, at.mark];
  const own = newPage();
  [at.page, at.paragraph, at.mark] = [own, plainParagraph, ''];
  at.group.look = 0;
  at.group.end = () => {
    [at.page, at.paragraph, at.mark] = [outer, around, inMark];
    const text = joined(own.pieces());
    if (text !== '') told(text);
  };
}

function note(at: Interpreter, text: string): void {
  const notes = at.group.endnote === true ? at.endnotes : at.notes;
  const mark = `${notes === at.endnotes ? 'e' : ''}${notes.length + 1}`;
  notes.push({ text: footnote(mark, text), tight: true });
  at.page.words(`[^${mark}]`);
}

function endPicture(at: Interpreter): void {
  if (at.pictureKind === '') return;
  at.pictureCount += 1;
  const name = `picture-${at.pictureCount}.${at.pictureKind}`;
  const text = at.digits.join('');
  if (!at.bare && text.length < 16) return;
  at.page.words(picture(at.described, name));
  at.described = '';
  if (!at.wanted || text.length > maxPictureDigits) return;
  const bytes = at.bare ? Buffer.from(text, 'latin1') : Buffer.from(text.replaceAll(/[^\da-f]/gi, ''), 'hex');
  at.pictures.push({ name, bytes: new Uint8Array(bytes) });
}

/** A group that begins; what it is decides where its text goes. */
function begin(at: Interpreter, name: string): void {
  const outside = at.group.silent;
  at.group.destination = name;
  if (silent.has(name) || (at.starred && !spoken.has(name) && name !== 'footnote')) at.group.silent = true;
  if (name === 'ud') at.group.silent = at.groups.at(-2)?.silent ?? false; // the same words as around it, but right
  if (outside && name !== 'sn' && name !== 'sv') return;
  if (name === 'shpinst') at.described = '';
  if (name === 'footnote') apart(at, (text) => note(at, text));
  else if (aside.has(name)) {
    at.group.inMargin = true;
    apart(at, (text) => void (saysMore(text) && at.asides.add(text)));
  } else if (name === 'annotation') {
    at.group.silent = false;
    apart(at, (text) => at.page.words(commentText(at.changes, at.commenter, text)));
  } else if (name === 'atnauthor') {
    at.commenter = '';
    at.group.end = () => (at.commenter = at.commenter.trim());
  } else if (name === 'listtext' || name === 'pntext') apart(at, (text) => (at.mark = markOf(text)));
  else if (name === 'fldinst') {
    at.instruction = '';
    [at.boxed, at.ticked] = [false, false];
    at.group.end = () => {
      if (/FORMCHECKBOX/.test(at.instruction)) at.page.words(at.boxed ? (at.ticked ? '[x]' : '[ ]') : unknownBox);
      say(at, equationText(at.instruction) ?? '');
      const [, code, font] = /SYMBOL\s+(\d{1,5})\b.*\\f\s+"?([^"\\]+)/i.exec(at.instruction) ?? [];
      if (code !== undefined) say(at, signText(String.fromCharCode(Number(code)), font ?? ''));
      at.link = /HYPERLINK\s+(?:\\[a-z]\s+)?"([^"]{1,2000})"/i.exec(at.instruction)?.[1] ?? '';
      if (at.group.inMargin === true && isPageField(at.instruction)) say(at, pageSign);
    };
  } else if (name === 'fldrslt' && isShownAlready(at)) at.group.silent = true;
  else if (name === 'fldrslt' && at.link !== '' && !at.linking) {
    const [from, url, on] = [at.page.mark(), at.link, at.page];
    [at.link, at.linking] = ['', true];
    at.group.end = () => {
      at.linking = false;
      on.linkFrom(from, url);
    };
  } else if (name === 'sn' || name === 'sv') beginProperty(at, name);
  else if (name === 'pict') {
    [at.digits, at.pictureKind, at.bare] = [[], '', false];
    at.group.end = () => endPicture(at);
  }
}

/** Whether the code of the field said what it shows. */
function isShownAlready(at: Interpreter): boolean {
  return /^\s*(?:SYMBOL|EQ)\b/i.test(at.instruction) || (at.group.inMargin === true && isPageField(at.instruction));
}

/** What is said of a shape: of its properties the words that LibreOffice lets stand in it are shown, and a picture with its words. */
function beginProperty(at: Interpreter, name: 'sn' | 'sv'): void {
  if (name === 'sn') at.property = '';
  else if (at.groups.at(-2)?.silent === true) return; // the shape stands in something that is left out
  else if (at.property === 'gtextUNICODE' || at.property === 'wzDescription') {
    at.group.silent = false;
    const isText = at.property === 'gtextUNICODE';
    apart(at, (text) => (isText ? at.page.words(`\n${text}\n`) : void (at.described = text)));
  } else if (at.property === 'pib') at.group.silent = false;
}

function word(at: Interpreter, name: string, value: number | undefined): void {
  flush(at);
  const character = characters.get(name);
  if (character !== undefined) write(at, character);
  else if (name === 'u') {
    const letter = String.fromCharCode((value ?? 0) & 0xffff);
    if (at.group.destination === 'fldinst') raw(at, letter);
    else write(at, letter);
    at.toSkip = at.group.skip;
  } else if (at.starred || isDestination(name)) begin(at, name);
  else setting(at, name, value);
  at.starred = false;
}

function endParagraph(at: Interpreter): void {
  const { heading: level, inTable, indent } = at.paragraph;
  const own = at.group.look & (looks.inserted | looks.deleted);
  // Once the end of a paragraph is deleted, its words stand in the next.
  if (at.clean === true && own === looks.deleted) return;
  const changed = own === 0 || at.clean === true ? undefined : own === looks.inserted ? 'inserted' : 'deleted';
  if (changed !== undefined && own !== at.changed) change(at.changes, changed, at.authors[at.group.author]);
  at.page.endParagraph({ heading: level, inTable, indent, changed, ...itemOf(at) });
}

/** The item of a list that the paragraph is; its mark is taken. */
function itemOf(at: Interpreter): Pick<Piece, 'item'> {
  const { list, level } = at.paragraph;
  const mark = at.mark === '' && list !== undefined && list > 0 ? at.lists.mark(list, level) : at.mark;
  at.mark = '';
  return mark === '' ? {} : { item: { level, mark } };
}

/** Settings of the words and of the paragraph; tells whether the word was one. */
/** Programs that write no level beside a heading name its style so. */
function nameStyle(at: Interpreter, name: string): void {
  const found = /^\s*(?:heading ([1-9])|title)\s*;/i.exec(name);
  if (found !== null) at.headings.set(at.style, Number(found[1] ?? 1) - 1);
}

function ofWords(at: Interpreter, name: string, value: number | undefined): boolean {
  const look = lookWith(at.group.look, name, value);
  if (look !== undefined) at.group.look = look;
  const inMark = at.group.destination === 'listtext' || at.group.destination === 'pntext';
  const next = at.group.silent || inMark ? undefined : paragraphWith(at.paragraph, name, value ?? 0, at.headings);
  at.paragraph = next ?? at.paragraph;
  return look !== undefined || next !== undefined;
}

function setting(at: Interpreter, name: string, value: number | undefined): void {
  const speaking = !at.group.silent;
  if (at.group.destination === 'listtable' || at.group.destination === 'listoverridetable')
    return at.lists.take(name, value);
  if (at.group.destination === 'stylesheet' && name === 's') at.style = value ?? 0;
  if (ofWords(at, name, value) || ofTable(at, name, value)) return;
  switch (name) {
    case 'par':
    case 'sect':
    case 'page':
      if (speaking) endParagraph(at);
      return;
    case 'shptxt': // words of a box do not go on with those before it
      if (speaking) endParagraph(at);
      return;
    case 'chpgn':
      if (speaking) write(at, pageSign);
      return;
    case 'ftnalt':
      at.group.endnote = true;
      return;
    case 'v':
      at.group.hidden = value !== 0;
      return;
    case 'revauth':
    case 'revauthdel':
      at.group.author = value ?? 0;
      return;
    case 'plain':
      [at.group.hidden, at.group.page] = [false, at.defaultPage];
      at.group.look &= looks.inserted | looks.deleted;
      return;
    case 'ffres':
    case 'ffdefres':
      // A result of 25 means that nobody touched the box.
      if (name === 'ffres' ? value === 0 || value === 1 : !at.boxed) [at.ticked, at.boxed] = [value === 1, true];
      return;
    case 'uc':
      at.group.skip = Math.min(Math.max(value ?? 1, 0), 16);
      return;
    case 'ansicpg':
      [at.defaultPage, at.group.page] = [value ?? 1252, value ?? 1252];
      return;
    case 'mac':
      [at.defaultPage, at.group.page] = [10000, 10000];
      return;
    case 'f':
      at.font = value ?? 0;
      at.group.page = at.fonts.get(at.font) ?? at.defaultPage;
      return;
    case 'fcharset':
      if (at.group.silent)
        at.fonts.set(at.font, value === 2 ? signPages + at.font : (charsets.get(value ?? 0) ?? at.defaultPage));
      return;
    case 'pngblip':
    case 'jpegblip':
      if (at.group.destination === 'pict') at.pictureKind = name === 'pngblip' ? 'png' : 'jpg';
  }
}

/** Cells and rows; false for a word that is none of them. */
function ofTable(at: Interpreter, name: string, value = 0): boolean {
  // The row of a table in a cell ends among what is said of it.
  if (name === 'nestrow' && at.group.destination === 'nesttableprops') at.page.endInnerRow();
  if (!speaks(at)) return false;
  if (name === 'trowd') at.edges = [];
  else if (name === 'cellx') {
    if (at.edges.length < mostCells) at.edges.push(value);
  } else if (name === 'cell') at.page.endCell(itemOf(at).item);
  else if (name === 'nestcell') at.page.endInnerCell();
  else if (name === 'nestrow') at.page.endInnerRow();
  else if (name === 'row') at.page.endRow(at.edges);
  else return false;
  return true;
}

function symbol(at: Interpreter, character: string): void {
  if (character === '*') {
    at.starred = true;
    return;
  }
  if (at.toSkip > 0) at.toSkip -= 1;
  else if (character === '~') write(at, ' ');
  else if (character === '_') write(at, '-');
  else if (character === '\n' || character === '\r') word(at, 'par', undefined);
  else if ('{}\\'.includes(character)) raw(at, character);
}

function take(at: Interpreter, token: Token): void {
  switch (token.type) {
    case 'open':
      return open(at);
    case 'close':
      return close(at);
    case 'word':
      return word(at, token.name, token.value);
    case 'symbol':
      return symbol(at, token.character);
    case 'byte':
    case 'text':
      return raw(at, token.text);
    case 'binary':
      if (at.group.destination !== 'pict') return;
      at.bare = true;
      at.digits = [token.text];
  }
}

function pieces(at: Interpreter): Piece[] {
  flush(at);
  while (at.groups.length > 0) close(at);
  const ends = at.asides.size === 0 ? [] : [heading(2, 'Headers and footers'), ...at.asides];
  return [
    ...changesPieces(at.changes),
    ...at.body.pieces(),
    ...at.notes,
    ...at.endnotes,
    ...ends.map((text) => ({ text })),
  ];
}

/** The paragraph with one of its settings changed; nothing for a word that is no setting of paragraphs. */
function paragraphWith(
  paragraph: Paragraph,
  name: string,
  value: number,
  headings: ReadonlyMap<number, number>,
): Paragraph | undefined {
  switch (name) {
    case 's': {
      const level = headings.get(value);
      return level === undefined ? paragraph : { ...paragraph, heading: level };
    }
    case 'pard':
      return plainParagraph;
    case 'intbl':
      return { ...paragraph, inTable: true };
    case 'outlinelevel':
      return value >= 0 && value < 9 ? { ...paragraph, heading: value } : paragraph;
    case 'ls':
      return { ...paragraph, list: value };
    case 'ilvl':
      return { ...paragraph, level: Math.min(Math.max(value, 0), 8) };
    case 'li':
      return { ...paragraph, indent: value };
    default:
      return undefined;
  }
}

/** Control words that switch a look on, or off with a zero. */
const switches = new Map<string, number>([
  ['b', looks.bold],
  ['i', looks.italic],
  ['strike', looks.struck],
  ['striked', looks.struck],
  ['super', looks.raised],
  ['sub', looks.lowered],
  ['revised', looks.inserted],
  ['deleted', looks.deleted],
]);

const shifted = looks.raised | looks.lowered;

/** The look with one of its settings changed; nothing for a word that is none. */
function lookWith(look: number, name: string, value: number | undefined): number | undefined {
  const bit = switches.get(name);
  if (bit !== undefined) return value === 0 ? look & ~bit : look | bit;
  if (name === 'nosupersub') return look & ~shifted;
  if (name !== 'up' && name !== 'dn') return undefined;
  return (look & ~shifted) | (value === 0 ? 0 : name === 'up' ? looks.raised : looks.lowered);
}

/** The sign before an item; whatever is no number and no letter is a bullet. */
function markOf(text: string): string {
  const sign = text.trim();
  return /[\p{L}\p{N}]/u.test(sign) && !/^[o§]$/.test(sign) ? sign : '-';
}
