// Rich Text in, Markdown out: paragraphs, headings, tables, lists as their text, links, notes, comments; its pictures
// when asked for. Hidden and deleted text is left out. Refused: bytes that do not begin as Rich Text does.
import { heading, picture } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { finish } from '../web/markdown.ts';
import { encodingOfPage } from './code-page.ts';
import { corrupt } from './refusals.ts';
import type { Page } from './rtf-page.ts';
import { newPage } from './rtf-page.ts';
import { aside, characters, charsets, silent, spoken } from './rtf-state.ts';
import type { Token } from './rtf-tokens.ts';
import { tokens } from './rtf-tokens.ts';

export const readRtf: DocumentReader = async (bytes, options) => {
  const source = Buffer.from(bytes).toString('latin1');
  if (!/^\s*\{\\rtf/.test(source.slice(0, 100))) return corrupt(options.name, 'it does not begin as Rich Text');
  const pictures: InnerPicture[] = [];
  const document = interpreter(pictures, options.pictures);
  for (const token of tokens(source)) document.take(token);
  return finish(document.blocks().join('\n\n'), options, { pictures });
};

/** What a group changes until it ends. `end` runs then. */
type Group = {
  silent: boolean;
  hidden: boolean;
  skip: number;
  page: number;
  destination: string;
  end?: () => void;
};

function isDestination(name: string): boolean {
  return silent.has(name) || spoken.has(name) || aside.has(name) || name === 'footnote' || name === 'fldrslt';
}

const maxDepth = 2000;
const maxPictureDigits = 64 * 1024 * 1024;

type Interpreter = { take(token: Token): void; blocks(): string[] };

function interpreter(pictures: InnerPicture[], wanted: boolean): Interpreter {
  const body = newPage();
  const notes: string[] = [];
  const asides = new Set<string>();
  const fonts = new Map<number, number>();
  const decoders = new Map<number, TextDecoder>();
  const groups: Group[] = [];
  let group: Group = { silent: false, hidden: false, skip: 1, page: 1252, destination: '' };
  let page: Page = body;
  let [defaultPage, overflow, toSkip, font, starred, inTable] = [1252, 0, 0, 0, false, false];
  let [level, link, pending, linking] = [undefined as number | undefined, '', '', false];
  let [instruction, digits, pictureKind, pictureCount, bare] = ['', [] as string[], '', 0, false];

  /** Bytes wait until the run ends, because two of them may be one character. */
  const flush = (): void => {
    if (pending === '') return;
    // In every code page these are what they seem to be.
    if (/^[ -~]*$/.test(pending)) page.words(pending);
    else {
      const decoder = decoders.get(group.page) ?? new TextDecoder(encodingOfPage(group.page));
      decoders.set(group.page, decoder);
      page.words(decoder.decode(Buffer.from(pending, 'latin1')));
    }
    pending = '';
  };
  const speaks = (): boolean => !group.silent && !group.hidden;
  const write = (text: string): void => {
    if (!speaks()) return;
    flush();
    page.words(text);
  };
  const raw = (text: string): void => {
    const shown = toSkip === 0 ? text : text.slice(toSkip);
    toSkip = Math.max(0, toSkip - text.length);
    if (group.destination === 'fldinst' && instruction.length < 4000) instruction += shown;
    else if (group.destination === 'pict') digits.push(shown);
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
    const { silent: inSilence, hidden, skip, page: inPage, destination } = group;
    group = { silent: inSilence, hidden, skip, page: inPage, destination };
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
  const note = (words: string): void => {
    const outer = page;
    const own = newPage();
    page = own;
    group.end = () => {
      page = outer;
      const text = own.blocks().join(' ');
      if (text === '') return;
      notes.push(`[^${notes.length + 1}]: ${words}${text}`);
      page.words(`[^${notes.length}]`);
    };
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
    if (name === 'footnote') note('');
    else if (aside.has(name)) {
      const [outer, own] = [page, newPage()];
      page = own;
      group.end = () => {
        page = outer;
        for (const text of own.blocks()) asides.add(text);
      };
    } else if (name === 'annotation') {
      group.silent = false;
      note('Comment: ');
    } else if (name === 'fldinst') {
      instruction = '';
      group.end = () => {
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
  const setting = (name: string, value: number | undefined): void => {
    const speaking = !group.silent;
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
        if (speaking) page.endParagraph(level, inTable);
        return;
      case 'cell':
      case 'nestcell':
        if (speaking) page.endCell();
        return;
      case 'row':
      case 'nestrow':
        if (speaking) page.endRow();
        return;
      case 'pard':
        [level, inTable] = [undefined, false];
        return;
      case 'intbl':
        inTable ||= speaking;
        return;
      case 'outlinelevel':
        level = value !== undefined && value >= 0 && value < 9 && speaking ? value : level;
        return;
      case 'v':
      case 'deleted':
        group.hidden = value !== 0;
        return;
      case 'plain':
        [group.hidden, group.page] = [false, defaultPage];
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
  const blocks = (): string[] => {
    flush();
    while (groups.length > 0) close();
    const ends = asides.size === 0 ? [] : [heading(2, 'Headers and footers'), ...asides];
    return [...body.blocks(), ...notes, ...ends];
  };
  return { take, blocks };
}
