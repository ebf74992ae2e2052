// The styles of an OpenDocument file in; how the words of a span or of a paragraph are set out.
import { looks } from '../document/styled.ts';
import type { Attributes } from '../xml/index.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements } from '../xml/tree.ts';

/** The look of a style by its name; a paragraph counts only by what was set on it alone. */
export type TextStyles = {
  span(name: string): number;
  paragraph(name: string): number;
  /** whether a paragraph is the title of the text */
  title(name: string): boolean;
};

type Style = { on: number; off: number; parent: string };

export function textStyles(parts: readonly (XmlNode | undefined)[]): TextStyles {
  const spans = new Map<string, Style>();
  const paragraphs = new Map<string, number>();
  const titles = new Set(['Title']);
  for (const part of parts) {
    for (const group of ['styles', 'automatic-styles']) {
      for (const style of elements(element(part, group), 'style')) {
        const { name = '', family, 'parent-style-name': parent = '' } = style.attributes;
        const [on, off] = ownLook(element(style, 'text-properties')?.attributes);
        if (family === 'text') spans.set(name, { on, off, parent });
        else if (family === 'paragraph' && group === 'automatic-styles') paragraphs.set(name, on);
        if (family === 'paragraph' && titles.has(parent) && parent !== name) titles.add(name);
      }
    }
  }
  const span = (name: string, steps = 0): number => {
    const style = spans.get(name);
    return style === undefined || steps > 20 ? 0 : style.on | (span(style.parent, steps + 1) & ~style.off);
  };
  return {
    span: (name) => span(name),
    paragraph: (name) => paragraphs.get(name) ?? 0,
    title: (name) => titles.has(name),
  };
}

/** How the properties of a style set words. */
export function ownLook(attributes: Attributes = {}): readonly [on: number, off: number] {
  let [on, off] = [0, 0];
  const set = (look: number, value: string | undefined, isOn: (value: string) => boolean): void => {
    if (value === undefined) return;
    if (isOn(value)) on |= look;
    else off |= look;
  };
  set(looks.bold, attributes['font-weight'], (value) => value === 'bold' || Number(value) >= 600);
  set(looks.italic, attributes['font-style'], (value) => value === 'italic' || value === 'oblique');
  // Of a line that LibreOffice draws through words in a cell it tells only the type.
  const line = attributes['text-line-through-style'] ?? attributes['text-line-through-type'];
  set(looks.struck, line, (value) => value !== 'none');
  set(looks.hidden, attributes['display'], (value) => value === 'none');
  const position = attributes['text-position'];
  set(looks.raised, position, (value) => positionLook(value) === looks.raised);
  set(looks.lowered, position, (value) => positionLook(value) === looks.lowered);
  return [on, off];
}

/** Whether a position raises words or lowers them. */
function positionLook(position: string): number {
  if (/^(?:super|[1-9]\d*%)/.test(position)) return looks.raised;
  return /^(?:sub|-[1-9]\d*%)/.test(position) ? looks.lowered : 0;
}
