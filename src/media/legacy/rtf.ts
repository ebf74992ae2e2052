// Rich Text in, Markdown out: paragraphs, headings, tables, lists as their text, links, notes, comments; its pictures
// when asked for. Tracked changes are marked, hidden text is left out. Refused: bytes that do not begin as Rich Text does.
import { change, changesPieces, commentText, newChanges } from '../document/changes.ts';
import type { Piece } from '../document/markdown.ts';
import { heading, joined, picture } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture, ReaderOptions } from '../document/reader.ts';
import { looks } from '../document/styled.ts';
import { finish } from '../web/markdown.ts';
import { encodingOfPage } from './code-page.ts';
import { corrupt } from './refusals.ts';
import { rtfLists } from './rtf-list.ts';
import type { Page } from './rtf-page.ts';
import { newPage } from './rtf-page.ts';
import { aside, characters, charsets, silent, spoken } from './rtf-state.ts';
import type { Token } from './rtf-tokens.ts';
import { tokens } from './rtf-tokens.ts';

export const readRtf: DocumentReader = async (bytes, options) => {
  const source = Buffer.from(bytes).toString('latin1');
  if (!/^\s*\{\\rtf/.test(source.slice(0, 100))) return corrupt(options.name, 'it does not begin as Rich Text');
  const pictures: InnerPicture[] = [];
  const document = interpreter(pictures, options);
  for (const token of tokens(source)) document.take(token);
  return finish(joined(document.pieces()), options, { pictures });
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
  end?: () => void;
};

function isDestination(name: string): boolean {
  return silent.has(name) || spoken.has(name) || aside.has(name) || name === 'footnote' || name === 'fldrslt';
}

const maxDepth = 2000;
const maxPictureDigits = 64 * 1024 * 1024;

type Interpreter = { take(token: Token): void; pieces(): Piece[] };

/** What a paragraph says of itself; the mark of its item comes before it. */
type Paragraph = { heading?: number; inTable: boolean; list?: number; level: number; indent: number };

const plainParagraph: Paragraph = { inTable: false, level: 0, indent: 0 };

function interpreter(pictures: InnerPicture[], { pictures: wanted, clean }: ReaderOptions): Interpreter {
  const body = newPage();
  const notes: Piece[] = [];
  const asides = new Set<string>();
  const changes = newChanges(clean);
  const authors: string[] = [];
  const lists = rtfLists();
  const fonts = new Map<number, number>();
  const decoders = new Map<number, TextDecoder>();
  const groups: Group[] = [];
  let group: Group = { silent: false, hidden: false, skip: 1, page: 1252, destination: '', look: 0, author: 0 };
  let page: Page = body;
  let [defaultPage, overflow, toSkip, font, starred] = [1252, 0, 0, 0, false];
  let [paragraph, mark, link, pending, linking, changed] = [plainParagraph, '', '', '', false, 0];
  let [commenter, boxed, ticked] = ['', false, false];
  let [instruction, digits, pictureKind, pictureCount, bare] = ['', [] as string[], '', 0, false];

  /** Bytes wait until the run ends, because two of them may be one character. */
  const flush = (): void => {
    if (pending === '') return;
    // In every code page these are what they seem to be.
    if (/^[ -~]*$/.test(pending)) say(pending);
    else {
      const decoder = decoders.get(group.page) ?? new TextDecoder(encodingOfPage(group.page));
      decoders.set(group.page, decoder);
      say(decoder.decode(Buffer.from(pending, 'latin1')));
    }
    pending = '';
  };
  /** Neighbours with the same mark of a change are one change. */
  const say = (text: string): void => {
    const own = group.look & (looks.inserted | looks.deleted);
    if (own !== 0 && own !== changed)
      change(changes, own === looks.inserted ? 'inserted' : 'deleted', authors[group.author]);
    changed = own;
    if (clean !== true) page.words(text, group.look);
    else if (own !== looks.deleted) page.words(text, group.look & ~looks.inserted);
  };
  const speaks = (): boolean => !group.silent && !group.hidden;
  const write = (text: string): void => {
    if (!speaks()) return;
    flush();
    say(text);
  };
  const raw = (text: string): void => {
    const shown = toSkip === 0 ? text : text.slice(toSkip);
    toSkip = Math.max(0, toSkip - text.length);
    if (group.destination === 'fldinst' && instruction.length < 4000) instruction += shown;
    else if (group.destination === 'pict') digits.push(shown);
    else if (group.destination === 'revtbl') authors.push(shown.replace(/;$/, ''));
    else if (group.destination === 'atnauthor') commenter += shown;
    else if (speaks()) pending += shown;
  };
  const open = (): void => {
    flush();
    [toSkip, starred] = [0, false];
    if (groups.length >= maxDepth) {
      overflow += 1;
      return;
    }
    groups.push(group);
    const { end: _, ...inherited } = group;
    group = inherited;
  };
  const close = (): void => {
    flush();
    [toSkip, starred] = [0, false];
    if (overflow > 0) {
      overflow -= 1;
      return;
    }
    group.end?.();
    group = groups.pop() ?? group;
  };
  /** A group with words of its own; `told` gets them when it ends. */
  const apart = (told: (text: string) => void): void => {
    const [outer, around, inMark] = [page, paragraph, mark];
    const own = newPage();
    [page, paragraph, mark] = [own, plainParagraph, ''];
    group.look = 0;
    group.end = () => {
      [page, paragraph, mark] = [outer, around, inMark];
      const text = joined(own.pieces());
      if (text !== '') told(text);
    };
  };
  const note = (text: string): void => {
    notes.push({ text: `[^${notes.length + 1}]: ${text.replaceAll(/\n+/g, '\n  ')}`, tight: true });
    page.words(`[^${notes.length}]`);
  };
  const endPicture = (): void => {
    if (pictureKind === '') return;
    pictureCount += 1;
    const name = `picture-${pictureCount}.${pictureKind}`;
    const text = digits.join('');
    if (!bare && text.length < 16) return;
    page.words(picture('', name));
    if (!wanted || text.length > maxPictureDigits) return;
    const bytes = bare ? Buffer.from(text, 'latin1') : Buffer.from(text.replaceAll(/[^\da-f]/gi, ''), 'hex');
    pictures.push({ name, bytes: new Uint8Array(bytes) });
  };
  /** A group that begins; what it is decides where its text goes. */
  const begin = (name: string): void => {
    const outside = group.silent;
    group.destination = name;
    if (silent.has(name) || (starred && !spoken.has(name))) group.silent = true;
    if (name === 'ud') group.silent = groups.at(-2)?.silent ?? false; // the same words as around it, but right
    if (outside) return;
    if (name === 'footnote') apart(note);
    else if (aside.has(name)) apart((text) => void asides.add(text));
    else if (name === 'annotation') {
      group.silent = false;
      apart((text) => page.words(commentText(changes, commenter, text)));
    } else if (name === 'atnauthor') {
      commenter = '';
      group.end = () => (commenter = commenter.trim());
    } else if (name === 'listtext' || name === 'pntext') apart((text) => (mark = markOf(text)));
    else if (name === 'fldinst') {
      instruction = '';
      [boxed, ticked] = [false, false];
      group.end = () => {
        if (/FORMCHECKBOX/.test(instruction) && boxed) page.words(ticked ? '[x]' : '[ ]');
        link = /HYPERLINK\s+(?:\\[a-z]\s+)?"([^"]{1,2000})"/i.exec(instruction)?.[1] ?? '';
      };
    } else if (name === 'fldrslt' && link !== '' && !linking) {
      const [from, url, on] = [page.mark(), link, page];
      [link, linking] = ['', true];
      group.end = () => {
        linking = false;
        on.linkFrom(from, url);
      };
    } else if (name === 'pict') {
      [digits, pictureKind, bare] = [[], '', false];
      group.end = endPicture;
    }
  };
  const word = (name: string, value: number | undefined): void => {
    flush();
    const character = characters.get(name);
    if (character !== undefined) write(character);
    else if (name === 'u') {
      write(String.fromCharCode((value ?? 0) & 0xffff));
      toSkip = group.skip;
    } else if (starred || isDestination(name)) begin(name);
    else setting(name, value);
    starred = false;
  };
  const endParagraph = (): void => {
    const { heading: level, inTable, list, level: depth, indent } = paragraph;
    const sign = mark === '' && list !== undefined && list > 0 ? lists.mark(list, depth) : mark;
    page.endParagraph({ heading: level, inTable, indent, ...(sign !== '' && { item: { level: depth, mark: sign } }) });
    mark = '';
  };
  /** Settings of the words and of the paragraph; tells whether the word was one. */
  const ofWords = (name: string, value: number | undefined): boolean => {
    const look = lookWith(group.look, name, value);
    if (look !== undefined) group.look = look;
    const inMark = group.destination === 'listtext' || group.destination === 'pntext';
    const next = group.silent || inMark ? undefined : paragraphWith(paragraph, name, value);
    paragraph = next ?? paragraph;
    return look !== undefined || next !== undefined;
  };
  const setting = (name: string, value: number | undefined): void => {
    const speaking = !group.silent;
    if (group.destination === 'listtable' || group.destination === 'listoverridetable') return lists.take(name, value);
    if (ofWords(name, value)) return;
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
        if (speaking) endParagraph();
        return;
      case 'cell':
      case 'nestcell':
        if (speaking) page.endCell();
        return;
      case 'row':
      case 'nestrow':
        if (speaking) page.endRow();
        return;
      case 'v':
        group.hidden = value !== 0;
        return;
      case 'revauth':
      case 'revauthdel':
        group.author = value ?? 0;
        return;
      case 'plain':
        [group.hidden, group.page] = [false, defaultPage];
        group.look &= looks.inserted | looks.deleted;
        return;
      case 'ffres':
      case 'ffdefres':
        // A result of 25 means that nobody touched the box.
        if (name === 'ffres' ? value === 0 || value === 1 : !boxed) [ticked, boxed] = [value === 1, true];
        return;
      case 'uc':
        group.skip = Math.min(Math.max(value ?? 1, 0), 16);
        return;
      case 'ansicpg':
        [defaultPage, group.page] = [value ?? 1252, value ?? 1252];
        return;
      case 'mac':
        [defaultPage, group.page] = [10000, 10000];
        return;
      case 'f':
        font = value ?? 0;
        group.page = fonts.get(font) ?? defaultPage;
        return;
      case 'fcharset':
        if (group.silent) fonts.set(font, charsets.get(value ?? 0) ?? defaultPage);
        return;
      case 'pngblip':
      case 'jpegblip':
        if (group.destination === 'pict') pictureKind = name === 'pngblip' ? 'png' : 'jpg';
    }
  };
  const symbol = (character: string): void => {
    if (character === '*') {
      starred = true;
      return;
    }
    if (toSkip > 0) toSkip -= 1;
    else if (character === '~') write(' ');
    else if (character === '_') write('-');
    else if (character === '\n' || character === '\r') word('par', undefined);
    else if ('{}\\'.includes(character)) raw(character);
  };
  const take = (token: Token): void => {
    switch (token.type) {
      case 'open':
        return open();
      case 'close':
        return close();
      case 'word':
        return word(token.name, token.value);
      case 'symbol':
        return symbol(token.character);
      case 'byte':
      case 'text':
        return raw(token.text);
      case 'binary':
        if (group.destination !== 'pict') return;
        bare = true;
        digits = [token.text];
    }
  };
  const pieces = (): Piece[] => {
    flush();
    while (groups.length > 0) close();
    const ends = asides.size === 0 ? [] : [heading(2, 'Headers and footers'), ...asides];
    return [...changesPieces(changes), ...body.pieces(), ...notes, ...ends.map((text) => ({ text }))];
  };
  return { take, pieces };
}

/** The paragraph with one of its settings changed; nothing for a word that is no setting of paragraphs. */
function paragraphWith(paragraph: Paragraph, name: string, value = 0): Paragraph | undefined {
  switch (name) {
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
