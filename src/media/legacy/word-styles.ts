// The style sheet of a Word 97 to 2003 file in, what a style says of its paragraphs and words out. A style that is based on
// another says what that one says, unless it says otherwise.
import { looks } from '../document/styled.ts';
import { movedLook } from '../office/docx-style.ts';
import type { Sprms } from './word-sprms.ts';
import { sprm, sprmsIn } from './word-sprms.ts';

type WordStyle = { builtIn: number; base: number; paragraph: Sprms; words: Sprms };

export type WordStyles = {
  /** the value of a property of paragraphs, by the style or those it is based on */
  paragraph(style: number, property: number): number | undefined;
  /** 1 to 9 for a heading, 0 for what is none */
  heading(style: number): number;
  /** how words are set whose properties these are */
  look(own: Sprms): number;
};

const sheetField = 0xa2;
const [isParagraph, isCharacter] = [1, 2];
const [title, bodyOutline, mostBases] = [62, 9, 20];

export function wordStyles(stream: Buffer, tables: Buffer): WordStyles {
  const styles = stylesOf(tables, stream.readUInt32LE(sheetField), stream.readUInt32LE(sheetField + 4));
  const first = <T>(id: number, find: (style: WordStyle) => T | undefined): T | undefined => {
    let at = id;
    for (let steps = 0; steps < mostBases; steps += 1) {
      const style = styles.get(at);
      const found = style && find(style);
      if (style === undefined || found !== undefined) return found;
      at = style.base;
    }
    return undefined;
  };
  return {
    paragraph: (style, property) => first(style, ({ paragraph }) => paragraph.get(property)),
    // The first nine styles are the headings, whether or not the sheet can be read.
    heading: (id) => (id >= 1 && id <= 9 ? id : (first(id, headingOf) ?? 0)),
    look: (own) => {
      const style = own.get(sprm.characterStyle);
      const below = style === undefined ? 0 : lookOf((property) => first(style, ({ words }) => words.get(property)), 0);
      return lookOf((property) => own.get(property), below);
    },
  };
}

/** How words are set whose properties these are, whatever styles say. */
export function plainLook(own: Sprms): number {
  return lookOf((property) => own.get(property), 0);
}

function headingOf({ builtIn, paragraph }: WordStyle): number | undefined {
  const outline = paragraph.get(sprm.outline);
  if (outline !== undefined) return outline < bodyOutline ? outline + 1 : 0;
  if (builtIn === title) return 1;
  return builtIn >= 1 && builtIn <= 9 ? builtIn : undefined;
}

const toggles: readonly (readonly [property: number, look: number])[] = [
  [sprm.bold, looks.bold],
  [sprm.italic, looks.italic],
  [sprm.struck, looks.struck],
  [sprm.doublyStruck, looks.struck],
];
const [on, oppositeOfStyle, asStyle] = [1, 0x81, 0x80];

function lookOf(value: (property: number) => number | undefined, below: number): number {
  let look = below;
  for (const [property, bit] of toggles) {
    const own = value(property);
    if (own === undefined || own === asStyle) continue;
    const isOn = own === oppositeOfStyle ? (below & bit) === 0 : own === on;
    look = isOn ? look | bit : look & ~bit;
  }
  const level = value(sprm.level);
  const moved = value(sprm.position);
  if (level === undefined && moved === undefined) return look;
  const byHand = movedLook(((moved ?? 0) << 16) >> 16);
  const shift = level === 1 ? looks.raised : level === 2 ? looks.lowered : byHand;
  return (look & ~(looks.raised | looks.lowered)) | shift;
}

/** Each style lies behind its length; one that is damaged is one that says nothing. */
function stylesOf(tables: Buffer, from: number, length: number): ReadonlyMap<number, WordStyle> {
  const found = new Map<number, WordStyle>();
  const sheet = tables.subarray(from, from + length);
  if (sheet.length < 6) return found;
  const [headSize, baseSize] = [sheet.readUInt16LE(0), sheet.readUInt16LE(4)];
  let at = 2 + headSize;
  for (let id = 0; at + 2 <= sheet.length; id += 1) {
    const size = sheet.readUInt16LE(at);
    const style = sheet.subarray(at + 2, at + 2 + size);
    if (style.length > baseSize + 2 && baseSize >= 8) found.set(id, styleOf(style, baseSize));
    at += 2 + size;
  }
  return found;
}

function styleOf(style: Buffer, baseSize: number): WordStyle {
  const [first, second] = [style.readUInt16LE(0), style.readUInt16LE(2)];
  const kind = second & 15;
  let at = baseSize + 2 + style.readUInt16LE(baseSize) * 2 + 2;
  const next = (skipped: number): Sprms => {
    at += at % 2;
    if (at + 2 > style.length) return new Map();
    const size = style.readUInt16LE(at);
    const sprms = sprmsIn(style, at + 2 + skipped, size - skipped);
    at += 2 + size;
    return sprms;
  };
  const paragraph = kind === isParagraph ? next(2) : new Map<number, number>();
  const words = kind === isParagraph || kind === isCharacter ? next(0) : new Map<number, number>();
  return { builtIn: first & 0xfff, base: second >> 4, paragraph, words };
}
