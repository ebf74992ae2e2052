// The styles and the numbering of a Word document in; for a paragraph, its heading level and the mark of its list item
// out. Numbers count on from paragraph to paragraph, so the marks must be asked for in document order.
import { looks } from '../document/styled.ts';
import type { XmlNode } from '../xml/tree.ts';
import { element, elements } from '../xml/tree.ts';
import type { ListLevel, ListMark, Numbering } from './numbering.ts';
import { listCounter } from './numbering.ts';

export type Styles = {
  headingLevel(properties: XmlNode | undefined): number | undefined;
  listMark(properties: XmlNode | undefined): ListMark | undefined;
  /** how a run is set, by itself and by its style */
  runLook(properties: XmlNode | undefined): number;
};

const val = (node: XmlNode | undefined, ...way: string[]): string | undefined =>
  element(node, ...way)?.attributes['val'];

/** `numbering` is asked for once something is numbered. */
export function docxStyles(styles: XmlNode | undefined, numbering: () => XmlNode | undefined): Styles {
  const byId = new Map(elements(styles, 'style').map((style) => [style.attributes['styleId'] ?? '', style]));
  let numberings: ReadonlyMap<string, Numbering> | undefined;
  const nextMark = listCounter();

  /** What a style or those it is based on say first. */
  function inherited<T>(style: string | undefined, find: StyleQuestion<T>): T | undefined {
    let [found, id]: [T | undefined, string | undefined] = [undefined, style];
    for (let steps = 0; found === undefined && id !== undefined && steps < 20; steps += 1) {
      const at = byId.get(id);
      found = find(element(at, 'pPr'), at);
      id = val(at, 'basedOn');
    }
    return found;
  }

  /** What a paragraph or its style says first; each style is asked once. */
  function asked<T>(find: StyleQuestion<T>): (properties: XmlNode | undefined) => T | undefined {
    const known = new Map<string, T | undefined>();
    return (properties) => {
      const own = properties && find(properties);
      const style = own === undefined ? val(properties, 'pStyle') : undefined;
      if (style === undefined) return own;
      if (!known.has(style)) known.set(style, inherited(style, find));
      return known.get(style);
    };
  }
  const outlineOf = asked(outlineLevel);
  const listOf = asked((own) => val(own, 'numPr', 'numId'));
  const depthOf = asked((own) => val(own, 'numPr', 'ilvl'));

  const styleLooks = new Map<string, readonly [on: number, off: number]>();
  const styleLook = (id: string | undefined, steps = 0): readonly [on: number, off: number] => {
    if (id === undefined || steps > 20) return [0, 0];
    const known = styleLooks.get(id);
    if (known !== undefined) return known;
    const style = byId.get(id);
    const [on, off] = ownLook(element(style, 'rPr'));
    const [below, belowOff] = styleLook(val(style, 'basedOn'), steps + 1);
    const found = [on | (below & ~off), off | (belowOff & ~on)] as const;
    styleLooks.set(id, found);
    return found;
  };

  return {
    runLook: (properties) => {
      if (properties === undefined) return 0;
      const [on, off] = ownLook(properties);
      return on | (styleLook(val(properties, 'rStyle'))[0] & ~off);
    },
    headingLevel: (properties) => {
      const level = outlineOf(properties);
      return level !== undefined && level >= 0 && level < 9 ? level + 1 : undefined;
    },
    listMark: (properties) => {
      const id = listOf(properties);
      if (id === undefined) return undefined;
      numberings ??= readNumbering(numbering());
      const list = numberings.get(id);
      if (list === undefined) return undefined;
      const level = Math.min(8, Number(depthOf(properties) ?? 0) || 0);
      return nextMark(id, list, level);
    },
  };
}

type StyleQuestion<T> = (own: XmlNode | undefined, style?: XmlNode) => T | undefined;

function outlineLevel(own: XmlNode | undefined, style?: XmlNode): number | undefined {
  const outline = val(own, 'outlineLvl');
  if (outline !== undefined) return Number(outline);
  const name = val(style, 'name') ?? '';
  if (/^title$/i.test(name)) return 0;
  const number = /^heading ?([1-9])$/i.exec(name)?.[1];
  return number === undefined ? undefined : Number(number) - 1;
}

const toggles: readonly (readonly [name: string, look: number])[] = [
  ['b', looks.bold],
  ['i', looks.italic],
  ['strike', looks.struck],
  ['dstrike', looks.struck],
];

/** What properties switch on and off by themselves. */
function ownLook(properties: XmlNode | undefined): readonly [on: number, off: number] {
  let [on, off] = [0, 0];
  for (const { name, attributes } of elements(properties)) {
    const look = toggles.find(([toggle]) => toggle === name)?.[1];
    if (look !== undefined) {
      if (isOff(attributes['val'])) off |= look;
      else on |= look;
    } else if (name === 'vertAlign') {
      if (attributes['val'] === 'superscript') on |= looks.raised;
      else if (attributes['val'] === 'subscript') on |= looks.lowered;
      else off |= looks.raised | looks.lowered;
    } else if (name === 'position') on |= movedLook(Number(attributes['val'] ?? 0));
  }
  return [on, off];
}

/** Letters that are moved up or down by hand, in halves of a point; a little is only for their looks. */
export function movedLook(halves: number): number {
  return Math.abs(halves) < 4 ? 0 : halves > 0 ? looks.raised : looks.lowered;
}

export function isOff(value: string | undefined): boolean {
  return value === '0' || value === 'false' || value === 'off';
}

function readNumbering(numbering: XmlNode | undefined): ReadonlyMap<string, Numbering> {
  const all = elements(numbering, 'abstractNum');
  // A list may say only by the name of a style how it counts; another one says it for that style.
  const styled = new Map(all.map((one) => [val(one, 'styleLink'), one]));
  const abstracts = new Map(
    all.map((one) => [
      one.attributes['abstractNumId'] ?? '',
      readLevels(styled.get(val(one, 'numStyleLink') ?? '') ?? one),
    ]),
  );
  return new Map(
    elements(numbering, 'num').map((num) => {
      const abstract = val(num, 'abstractNumId') ?? '';
      const overrides = elements(num, 'lvlOverride');
      const restarts = overrides.flatMap((one) => {
        const start = val(one, 'startOverride');
        return start === undefined ? [] : [[Number(one.attributes['ilvl'] ?? 0), Number(start)] as const];
      });
      const levels = new Map(abstracts.get(abstract));
      for (const one of overrides) for (const [at, level] of readLevels(one)) levels.set(at, level);
      return [num.attributes['numId'] ?? '', { levels, abstract, restarts: new Map(restarts) }];
    }),
  );
}

function readLevels(node: XmlNode): Map<number, ListLevel> {
  return new Map(
    elements(node, 'lvl').map((level) => {
      const format = val(level, 'numFmt') ?? 'decimal';
      const start = Number(val(level, 'start') ?? 1);
      const under = val(level, 'lvlRestart');
      const own = { format, text: val(level, 'lvlText') ?? '', start, legal: isOn(element(level, 'isLgl')) };
      return [Number(level.attributes['ilvl'] ?? 0), under === undefined ? own : { ...own, under: Number(under) }];
    }),
  );
}

/** Whether something is set that only needs to stand there. */
export function isOn(node: XmlNode | undefined): boolean {
  return node !== undefined && !isOff(node.attributes['val']);
}
