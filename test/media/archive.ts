// Zip archives for the tests, made on the spot; also such as no honest program writes.
import { crc32, deflateRawSync } from 'node:zlib';

export type Entry = {
  name: string;
  data: Uint8Array | string;
  stored?: boolean;
  /** what the directory says instead of the truth */
  size?: number;
  encrypted?: boolean;
  crc?: number;
};

/** An archive of these entries, in this order. */
export function archive(entries: readonly Entry[] | Readonly<Record<string, string | Uint8Array>>): Buffer {
  const list: readonly Entry[] = isList(entries)
    ? entries
    : Object.entries(entries).map(([name, data]) => ({ name, data }));
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const entry of list) {
    const data = Buffer.from(entry.data);
    const packed = entry.stored === true ? data : deflateRawSync(data);
    const name = Buffer.from(entry.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE((entry.encrypted === true ? 1 : 0) | 0x800, 2);
    shared.writeUInt16LE(entry.stored === true ? 0 : 8, 4);
    shared.writeUInt32LE(entry.crc ?? crc32(data), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(entry.size ?? data.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), shared, place, name]));
    bodies.push(body);
    offset += body.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(Math.min(list.length, 0xfffe), 8);
  end.writeUInt16LE(Math.min(list.length, 0xfffe), 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

function isList(entries: object): entries is readonly Entry[] {
  return Array.isArray(entries);
}

const officeNames = 'http://schemas.openxmlformats.org';
const main = `${officeNames}/officeDocument/2006/relationships`;

/** A list of relations: id, the last word of the type, target, and whether it points outside. */
export function relations(...rows: [id: string, type: string, target: string, external?: true][]): string {
  const list = rows.map(
    ([id, type, target, external]) =>
      `<Relationship Id="${id}" Type="${main}/${type}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${officeNames}/package/2006/relationships">${list.join('')}</Relationships>`;
}

const types = `<Types xmlns="${officeNames}/package/2006/content-types"/>`;
const word = `xmlns:w="${officeNames}/wordprocessingml/2006/main" xmlns:r="${main}" xmlns:a="${officeNames}/drawingml/2006/main" xmlns:mc="mc" xmlns:wp="wp" xmlns:wps="wps" xmlns:m="m"`;

/** A Word part: its root element around what stands in it. */
export function wordPart(root: string, inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><w:${root} ${word}>${inside}</w:${root}>`;
}

/** A Word document with this body, these relations of it, and these other parts under word/. */
export function docx(
  body: string,
  links: Parameters<typeof relations> = [],
  parts: Record<string, string | Uint8Array> = {},
): Buffer {
  return archive({
    '[Content_Types].xml': types,
    '_rels/.rels': relations(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': wordPart('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relations(...links),
    ...Object.fromEntries(Object.entries(parts).map(([name, data]) => [`word/${name}`, data])),
  });
}

/** A paragraph of plain words, with properties when there are any. */
export function paragraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

const slideNames = `xmlns:p="${officeNames}/presentationml/2006/main" xmlns:a="${officeNames}/drawingml/2006/main" xmlns:r="${main}" xmlns:c="c" xmlns:dgm="dgm" xmlns:mc="mc"`;

export type Slide = { shapes: string; attributes?: string; relations?: Parameters<typeof relations> };

/** A presentation; its slides lie in files numbered against their order. */
export function pptx(slides: readonly Slide[], parts: Record<string, string | Uint8Array> = {}): Buffer {
  const file = (at: number): string => `slides/slide${slides.length - at}.xml`;
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('');
  const entries: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': types,
    '_rels/.rels': relations(['rId1', 'officeDocument', '/ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation ${slideNames}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, at): [string, string, string] => [`rId${at + 1}`, 'slide', file(at)]),
    ),
  };
  for (const [at, slide] of slides.entries()) {
    entries[`ppt/${file(at)}`] = slidePart('sld', slide.shapes, slide.attributes);
    entries[`ppt/slides/_rels/${file(at).slice(7)}.rels`] = relations(...(slide.relations ?? []));
  }
  for (const [name, data] of Object.entries(parts)) entries[`ppt/${name}`] = data;
  return archive(entries);
}

export function slidePart(root: string, shapes: string, attributes = ''): string {
  return `<p:${root} ${slideNames} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;
}

/** A shape with words; `holder` is the kind of placeholder it is, if it is one. */
export function shape(paragraphs: string, holder?: string): string {
  const place = holder === undefined ? '' : `<p:ph${holder === '' ? '' : ` type="${holder}"`}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

export function line(text: string, properties = ''): string {
  return `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
}

/** An OpenDocument file: the kind, what stands in its body, its automatic styles, its other entries. */
export function openDocument(
  kind: 'text' | 'presentation',
  body: string,
  styles = '',
  parts: Record<string, string | Uint8Array> = {},
): Buffer {
  const names = 'office text table draw style presentation svg xlink fo dc manifest'
    .split(' ')
    .map((one) => `xmlns:${one}="${one}"`)
    .join(' ');
  const content = `<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  return archive([
    { name: 'mimetype', data: `application/vnd.oasis.opendocument.${kind}`, stored: true },
    { name: 'content.xml', data: content },
    ...Object.entries(parts).map(([name, data]) => ({
      name,
      data: typeof data === 'string' ? data.replace('NAMES', names) : data,
    })),
  ]);
}
