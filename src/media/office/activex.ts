// A control of a form (ActiveX) in an Office file in; what is ticked, chosen or written in it out ([MS-OFORMS] 2.2.5).
import { oneLine } from '../document/markdown.ts';
import { isCompound, openCompound } from '../legacy/compound.ts';
import type { XmlNode } from '../xml/tree.ts';
import { elements } from '../xml/tree.ts';
import type { Package } from './package.ts';

/** By the number of its class: whether a control is ticked, or shows words. */
const classes = new Map<string, 'tick' | 'words'>([
  ['8BD21D10', 'words'],
  ['8BD21D20', 'words'],
  ['8BD21D30', 'words'],
  ['8BD21D40', 'tick'],
  ['8BD21D50', 'tick'],
  ['8BD21D60', 'tick'],
]);

type Filled = { value: string; caption: string; isSecret: boolean };

/** Nothing for a control of another kind, and for one that cannot be read. */
export function controlText(pack: Package, path: string | undefined): string | undefined {
  const control = pack.part(path);
  const kind = classes.get(/[0-9a-f]{8}/i.exec(control?.attributes['classid'] ?? '')?.[0].toUpperCase() ?? '');
  if (control === undefined || path === undefined || kind === undefined) return undefined;
  const target = pack.relations(path).get(control.attributes['r:id'] ?? '')?.target;
  const bytes = target === undefined ? undefined : pack.bytes(target);
  const filled = bytes === undefined ? listed(control) : stored(Buffer.from(bytes));
  if (filled === undefined || filled.isSecret) return undefined;
  return kind === 'tick' ? boxText(filled.value === '1', filled.caption) : oneLine(filled.value);
}

/** A box as it is shown everywhere, and its label. */
export function boxText(isTicked: boolean, label: string): string {
  return `${isTicked ? '[x]' : '[ ]'} ${oneLine(label)}`.trim();
}

/** Its properties, where they are listed as words. */
function listed(control: XmlNode): Filled {
  const own = new Map(
    elements(control, 'ocxPr').map(({ attributes }) => [attributes['name'], attributes['value'] ?? '']),
  );
  return { value: own.get('Value') ?? '', caption: own.get('Caption') ?? '', isSecret: own.has('PasswordChar') };
}

/** How many bytes each property takes, in the order of the bits that say whether it is there; those of 0 take none here. */
const sizes = [
  4, 4, 4, 4, 1, 1, 1, 1, 0, 2, 4, 2, 2, 2, 2, 2, 1, 1, 1, 0, 1, 1, 4, 4, 4, 4, 4, 2, 2, 2, 0, 0, 4,
] as const;
const [sizeBit, passwordBit, valueBit, captionBit] = [8, 9, 22, 23];
const [classSize, headSize, isNarrow] = [16, 12, 0x8000_0000];

/** The stream of a container, or the same bytes behind the number of the class. */
function stored(bytes: Buffer): Filled | undefined {
  const data = isCompound(bytes) ? openCompound(bytes)?.stream('contents') : bytes.subarray(classSize);
  if (data === undefined || data.length < headSize) return undefined;
  const has = (bit: number): boolean => ((data.readUInt32LE(bit < 32 ? 4 : 8) >>> (bit % 32)) & 1) === 1;
  const places = new Map<number, number>();
  let at = headSize;
  for (const [bit, size] of sizes.entries()) {
    if (!has(bit) || size === 0) continue;
    at = Math.ceil(at / size) * size;
    places.set(bit, at);
    at += size;
  }
  // Behind all of them: how large it is, then the words of those that have any.
  at = Math.ceil(at / 4) * 4 + (has(sizeBit) ? 8 : 0);
  const words = (bit: number): string => {
    const place = places.get(bit);
    if (place === undefined || place + 4 > data.length) return '';
    const [length, narrow] = [data.readUInt32LE(place) & 0x7fff_ffff, data.readUInt32LE(place) >= isNarrow];
    const text = data.toString(narrow ? 'latin1' : 'utf16le', at, at + length);
    at += Math.ceil(length / 4) * 4;
    return text;
  };
  const sign = places.get(passwordBit) ?? data.length;
  const isSecret = sign + 2 <= data.length && data.readUInt16LE(sign) !== 0;
  return { value: words(valueBit), caption: words(captionBit), isSecret };
}
