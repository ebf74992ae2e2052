// The files that are read: made anew for every run, so that nothing has to be kept. A photograph, two screenshots full
// of words, a book of 500 pages and one of 2000, a Word document of 168 000 characters, and two bombs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const words = 'the quick brown fox jumps over a lazy dog while seven wizards mix vials of fresh jade liquid '.split(
  ' ',
);

export type Inputs = {
  photo: string;
  screen: string;
  shot: string;
  book: string;
  tome: string;
  letter: string;
  bomb: string;
  zipBomb: string;
};

export async function makeInputs(folder: string): Promise<Inputs> {
  const at = (name: string): string => join(folder, name);
  const inputs: Inputs = {
    photo: at('photo.jpg'),
    screen: at('screen.png'),
    shot: at('shot.png'),
    book: at('book.pdf'),
    tome: at('tome.pdf'),
    letter: at('letter.docx'),
    bomb: at('bomb.png'),
    zipBomb: at('bomb.docx'),
  };
  await writeFile(inputs.photo, await photograph(4000, 3000));
  await writeFile(inputs.screen, await screenshot(3840, 2160));
  await writeFile(inputs.shot, await screenshot(2880, 1800));
  await writeFile(inputs.book, book(500));
  await writeFile(inputs.tome, book(2000));
  await writeFile(inputs.letter, letter(168_000));
  await writeFile(inputs.bomb, pngHeader(50_000, 50_000));
  await writeFile(inputs.zipBomb, zip([['word/document.xml', Buffer.alloc(1_500_000_000)]]));
  return inputs;
}

async function photograph(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer();
  return sharp(grain).blur(2).jpeg({ quality: 85 }).toBuffer();
}

async function screenshot(width: number, height: number): Promise<Buffer> {
  const rows = Array.from({ length: Math.floor(height / 24) }, (_, row) => {
    return `<text x="20" y="${row * 24 + 20}" font-size="16" font-family="monospace">${row} ${line(row, 160)}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${rows.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten().png().toBuffer();
}

/** Words of about so many characters, other ones for every seed. */
export function line(seed: number, length: number): string {
  let text = '';
  for (let at = seed; text.length < length; at++) text += `${words[(at * 7 + seed) % words.length]} `;
  return text.slice(0, length).trim();
}

export function book(pages: number): Buffer {
  const streams = Array.from({ length: pages }, (_, page) => {
    const lines = Array.from({ length: 45 }, (_unused, row) => `(${line(page + row, 80)}) '`);
    return `BT /F1 10 Tf 14 TL 50 790 Td (Page ${page + 1}) '\n${lines.join('\n')}\nET`;
  });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${streams.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ];
  const parts = ['%PDF-1.4\n'];
  let offset = 9;
  const entries = objects.map((body, at) => {
    const text = `${at + 1} 0 obj\n${body}\nendobj\n`;
    parts.push(text);
    offset += text.length;
    return `${String(offset - text.length).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.from(`${parts.join('')}xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}${trailer}`, 'latin1');
}

export function letter(characters: number): Buffer {
  const paragraphs = Array.from({ length: Math.ceil(characters / 420) }, (_, at) => {
    const style = at % 20 === 0 ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '';
    return `<w:p>${style}<w:r><w:t>${line(at, style ? 40 : 440)}</w:t></w:r></w:p>`;
  });
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  return zip([
    ['[Content_Types].xml', Buffer.from(types)],
    ['_rels/.rels', Buffer.from(relations)],
    [
      'word/document.xml',
      Buffer.from(
        `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${main}"><w:body>${paragraphs.join('')}</w:body></w:document>`,
      ),
    ],
  ]);
}

function zip(files: readonly (readonly [string, Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), about, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), about, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(4 * 1024 * 1024), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
