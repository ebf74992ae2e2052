// An Office file of the zip kind in, its parts and their relations out. A part that others can do without and that
// cannot be read becomes a note; only what everything hangs on is a refusal.
import type { Read } from '../../content/refusal.ts';
import { pictureName } from '../document/markdown.ts';
import type { InnerPicture, ReaderOptions } from '../document/reader.ts';
import { corrupt } from '../document/refusals.ts';
import { xmlText } from '../xml/index.ts';
import type { XmlNode } from '../xml/tree.ts';
import { elements, xmlTree } from '../xml/tree.ts';
import type { Zip } from '../zip/read.ts';
import { openZip } from '../zip/read.ts';
import { withoutLooks } from './looks.ts';

export type Relation = { id: string; type: string; target: string; external: boolean };

export type Package = {
  /** the part that the file is about, and where it lies */
  main: XmlNode;
  mainPath: string;
  /** A part that may be absent; a damaged one leaves a note. */
  part(path: string | undefined): XmlNode | undefined;
  /** The bytes of a part that is no XML. */
  bytes(path: string): Uint8Array | undefined;
  relations(path: string): ReadonlyMap<string, Relation>;
  /** The target of the first relation of this type. */
  related(path: string, type: string): string | undefined;
  /** Takes a picture into the collection; gives the name under which the Markdown shows it. */
  picture(path: string): string;
  pictures: InnerPicture[];
  /** what could not be read, in words */
  notes: string[];
};

/** Opens the package and its main part, which the root relations name; `usual` is where it mostly lies. */
export function openPackage(bytes: Uint8Array, usual: string, options: ReaderOptions): Read<Package> {
  const opened = openZip(bytes, options.name, options.limits);
  return opened.ok ? packageIn(opened.value, usual, options) : opened;
}

/** The same of an archive that is open already. */
export function packageIn(zip: Zip, usual: string, options: ReaderOptions): Read<Package> {
  const { name, limits } = options;
  const [notes, pictures] = [new Set<string>(), new Map<string, InnerPicture>()];
  const treeOf = (path: string): Read<XmlNode> => {
    const data = zip.read(path);
    return data.ok ? xmlTree(withoutLooks(xmlText(data.value)), name, limits) : data;
  };
  const part = (path: string | undefined): XmlNode | undefined => {
    if (path === undefined || !zip.has(path)) return undefined;
    const tree = treeOf(path);
    if (!tree.ok) notes.add(`[${pictureName(path)} in this file could not be read]`);
    return tree.ok ? tree.value : undefined;
  };
  const bytes = (path: string): Uint8Array | undefined => {
    const data = zip.has(path) ? zip.read(path) : undefined;
    return data?.ok === true ? data.value : undefined;
  };
  const relations = relationsBy(part);
  const related = (path: string, type: string): string | undefined =>
    [...relations(path).values()].find((one) => one.type === type && !one.external)?.target;
  const named = related('', 'officeDocument');
  const mainPath = named !== undefined && zip.has(named) ? named : usual;
  if (!zip.has(mainPath)) return corrupt(name, 'its main part is missing');
  const main = treeOf(mainPath);
  if (!main.ok) return main;
  return {
    ok: true,
    value: {
      main: main.value,
      mainPath,
      part,
      bytes,
      relations,
      related,
      picture: pictureCollector(zip, pictures, options.pictures),
      get pictures() {
        return [...pictures.values()];
      },
      get notes() {
        return [...notes];
      },
    },
  };
}

function relationsBy(part: Package['part']): Package['relations'] {
  const known = new Map<string, ReadonlyMap<string, Relation>>();
  return (path) => {
    const found = known.get(path) ?? readRelations(path, part);
    known.set(path, found);
    return found;
  };
}

/** The relations of a part lie beside it; those of the whole package belong to the empty path. */
function readRelations(path: string, part: Package['part']): ReadonlyMap<string, Relation> {
  const cut = path.lastIndexOf('/') + 1;
  const list = part(`${path.slice(0, cut)}_rels/${path.slice(cut)}.rels`);
  const found = elements(list, 'Relationship').map(({ attributes }): Relation => {
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    const external = mode === 'External';
    const kind = type.slice(type.lastIndexOf('/') + 1);
    return { id, type: kind, external, target: external ? target : resolved(path.slice(0, cut), target) };
  });
  return new Map(found.map((relation) => [relation.id, relation]));
}

/** A target as a path from the root of the package. */
export function resolved(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** Pictures by their names; two that are called alike in different folders get different ones. */
export function pictureCollector(
  zip: Zip,
  pictures: Map<string, InnerPicture>,
  wanted: boolean,
): (path: string) => string {
  const names = new Map<string, string>();
  return (path) => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const plain = pictureName(path);
    const name = [...names.values()].includes(plain) ? `${names.size}-${plain}` : plain;
    names.set(path, name);
    const bytes = wanted && zip.has(path) ? zip.read(path) : undefined;
    if (bytes?.ok === true) pictures.set(name, { name, bytes: bytes.value });
    return name;
  };
}
