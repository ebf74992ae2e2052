// PDFs that the plain maker cannot make: objects as they are written, numbered from one, the first one the catalog.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** A PDF of these objects. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, body] of objects.entries()) {
    offsets.push(length);
    const object = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    parts.push(object);
    length += object.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** A compressed stream object. */
export function streamOf(data: Buffer | string, entries = ''): Buffer {
  const packed = deflateSync(data);
  const head = Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode ${entries} >>\nstream\n`);
  return Buffer.concat([head, packed, Buffer.from('\nendstream')]);
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const page = (contents: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${contents} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
const field = (name: string, rest: string, y: number): string =>
  `<< /Type /Annot /Subtype /Widget /Rect [20 ${y} 120 ${y + 15}] /P 4 0 R /F 4 /T (${name}) ${rest} >>`;

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, other: number): void => {
    [box[one], box[other]] = [box[other] ?? 0, box[one] ?? 0];
  };
  for (let at = 0, to = 0; at < 256; at++) {
    to = (to + (box[at] ?? 0) + (key[at % key.length] ?? 0)) & 255;
    swap(at, to);
  }
  let [at, to] = [0, 0];
  return data.map((byte) => {
    at = (at + 1) & 255;
    to = (to + (box[at] ?? 0)) & 255;
    swap(at, to);
    return byte ^ (box[((box[at] ?? 0) + (box[to] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}

const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;

/** One page that says something, locked as PDF 1.4 has it: 128 bits, with this password for reading. */
export function lockedPdf(password: string, words: string): Buffer {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const padded = (text: string): Buffer => Buffer.concat([Buffer.from(text), padding]).subarray(0, 32);
  const hashed = (first: Buffer): Buffer => {
    let key = first;
    for (let round = 0; round < 50; round++) key = md5(key);
    return key;
  };
  const wrapped = (key: Buffer, data: Buffer): Buffer =>
    Array.from({ length: 20 }, (_, round) => round).reduce(
      (bytes, round) => rc4(key.map((byte) => byte ^ round) as Buffer, bytes),
      data,
    );
  const id = md5(Buffer.from('one'));
  const owner = wrapped(hashed(md5(padded('owner'))), padded(password));
  const key = hashed(md5(padded(password), owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id));
  const user = Buffer.concat([wrapped(key, md5(padding, id)), Buffer.alloc(16)]);
  const content = rc4(md5(key, Buffer.from([5, 0, 0, 0, 0])), Buffer.from(`BT /F1 12 Tf 20 350 Td (${words}) Tj ET`));
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      font,
      page(5),
      Buffer.concat([Buffer.from(`<< /Length ${content.length} >>\nstream\n`), content, Buffer.from('\nendstream')]),
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${hex(owner)} /U ${hex(user)} >>`,
    ],
    `/Encrypt 6 0 R /ID [${hex(id)} ${hex(id)}] `,
  );
}

/** Three pages, of which the second is lost. */
export function tornPdf(): Buffer {
  const [before, after] = ['before', 'after'].map((word) => streamOf(`BT /F1 12 Tf 20 350 Td (${word}) Tj ET`));
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R 9 0 R 5 0 R] /Count 3 >>', // there is no ninth object
    font,
    page(6),
    page(7),
    before ?? '',
    after ?? '',
  ]);
}

/** Two pages with an outline of three bookmarks, one of them inside another. */
export function outlinedPdf(): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 8 0 R >>',
    '<< /Type /Pages /Kids [4 0 R 5 0 R] /Count 2 >>',
    font,
    page(6),
    page(7),
    streamOf('BT /F1 12 Tf 20 350 Td (first) Tj ET'),
    streamOf('BT /F1 12 Tf 20 350 Td (second) Tj ET'),
    '<< /Type /Outlines /First 9 0 R /Last 11 0 R /Count 3 >>',
    '<< /Title (Start [here]) /Parent 8 0 R /Next 11 0 R /First 10 0 R /Last 10 0 R /Count 1 /Dest [4 0 R /Fit] >>',
    '<< /Title (Inner) /Parent 9 0 R /A << /S /GoTo /D [5 0 R /Fit] >> >>',
    '<< /Title <FEFF00DC00620065007200200055006E0073> /Parent 8 0 R /Prev 9 0 R /Next 9 0 R >>',
  ]);
}

/** One page of three lines with these objects laid over it, each an annotation. */
export function markedPdf(marks: readonly string[]): Buffer {
  const lines = ['Read our terms before you sign.', 'Costs are 400 EUR a year.', 'See example.com for more.'];
  const shown = lines.map((line, at) => `BT /F1 12 Tf 20 ${350 - at * 20} Td (${line}) Tj ET`).join('\n');
  const over = marks.map((_, at) => `${at + 6} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    font,
    page(5).replace(/>>$/, `/Annots [${over}] >>`),
    streamOf(shown),
    ...marks.map((mark) => `<< /Type /Annot ${mark} >>`),
  ]);
}

/** One page with a form (text, check box, a password, an empty field) and a link. */
export function formPdf(): Buffer {
  const look = (words: string): Buffer =>
    streamOf(
      `/Tx BMC BT /F1 10 Tf 2 4 Td (${words}) Tj ET EMC`,
      '/Type /XObject /Subtype /Form /BBox [0 0 100 15] /Resources << /Font << /F1 3 0 R >> >>',
    );
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R] /DR << /Font << /F1 3 0 R >> >> /DA (/F1 10 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [4 0 R 13 0 R] /Count 2 >>',
    font,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 5 0 R /Annots [6 0 R 7 0 R 8 0 R 9 0 R 12 0 R] /Resources << /Font << /F1 3 0 R >> >> >>',
    streamOf('BT /F1 12 Tf 20 350 Td (Application) Tj ET'),
    field('full name', '/FT /Tx /V (Ada Lovelace) /DA (/F1 10 Tf 0 g) /AP << /N 10 0 R >>', 300),
    field('agreed', '/FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes 11 0 R /Off 14 0 R >> >>', 270),
    field('secret', '/FT /Tx /Ff 8192 /V (hunter2) /DA (/F1 10 Tf 0 g)', 240),
    field('notes', '/FT /Tx /DA (/F1 10 Tf 0 g)', 210),
    look('Ada Lovelace'),
    look('X'),
    '<< /Type /Annot /Subtype /Link /Rect [20 340 120 360] /A << /S /URI /URI (https://example.org/help) >> >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    look(''),
  ]);
}

/** Pages that are each one grey picture, in as many strips; those told to have words get some. */
export function scannedPdf(pages: readonly { words?: string; strips: number; cover: number }[]): Buffer {
  const first = 5;
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font,
    streamOf(
      Buffer.alloc(64, 0x88),
      '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
    ...pages.flatMap(({ words, strips, cover }, at) => {
      const height = (400 * cover) / strips;
      const drawn = Array.from({ length: strips }, (_, strip) => `q 300 0 0 ${height} 0 ${strip * height} cm /I Do Q`);
      const said = words === undefined ? '' : `BT /F1 12 Tf 20 350 Td (${words}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents ${first + at * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /I 4 0 R >> >> >>`,
        streamOf(`${drawn.join('\n')}\n${said}`),
      ];
    }),
  ]);
}

/** A PDF whose pages are one picture. */
export function scanOf(
  jpeg: Buffer,
  { width, height, wide, high, pages = 1 }: Record<'width' | 'height' | 'wide' | 'high', number> & { pages?: number },
): Buffer {
  const head = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`;
  const draw = `q ${wide} 0 0 ${high} 0 0 cm /I Do Q`;
  const one = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, at) => (at === 0 ? '3 0 R' : `${at + 5} 0 R`)).join(' ')}] /Count ${pages} >>`,
    one,
    `<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`,
    Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\nendstream')]),
    ...Array.from({ length: pages - 1 }, () => one),
  ]);
}
