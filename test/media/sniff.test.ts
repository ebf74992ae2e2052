import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentTypes } from '../../src/media/document/kinds.ts';
import { sniff } from '../../src/media/sniff.ts';
import { archive, docx, openDocument, pptx } from './archive.ts';
import { noise, pdfSaying, plain } from './make.ts';

const hex = (digits: string): Buffer => Buffer.concat([Buffer.from(digits, 'hex'), Buffer.alloc(40)]);

const rows: [string, Uint8Array, string | undefined][] = [
  ['a PNG', await plain(4, 4).png().toBuffer(), 'image/png'],
  ['a JPEG', await plain(4, 4).jpeg().toBuffer(), 'image/jpeg'],
  ['a GIF', await plain(4, 4).gif().toBuffer(), 'image/gif'],
  ['a WebP', await noise(4, 4).webp().toBuffer(), 'image/webp'],
  ['a TIFF', await plain(4, 4).tiff().toBuffer(), 'image/tiff'],
  ['an AVIF', await plain(16, 16).avif().toBuffer(), 'image/avif'],
  ['a PDF', pdfSaying('x'), 'application/pdf'],
  [
    'a PDF behind a mark and blank lines',
    Buffer.concat([Buffer.from('efbbbf0a0a', 'hex'), pdfSaying('x')]),
    'application/pdf',
  ],
  ['a PDF behind foreign bytes', Buffer.concat([Buffer.alloc(100, 0x81), pdfSaying('x')]), 'application/pdf'],
  ['words about PDFs', Buffer.from('A PDF begins with\n%PDF-1.7\nand ends with %%EOF'), undefined],
  ['an SVG behind a prolog', Buffer.from('<?xml version="1.0"?>\n<!-- hi -->\n<svg xmlns="x"/>'), 'image/svg+xml'],
  [
    'an SVG behind a mark, blanks and a long comment',
    Buffer.from(`\ufeff \n<!-- ${'words '.repeat(300)}-->\n<!DOCTYPE svg>\n<svg xmlns="x"/>`),
    'image/svg+xml',
  ],
  ['an SVG with a prefix', Buffer.from('<s:svg xmlns:s="x"></s:svg>'), 'image/svg+xml'],
  ['an enhanced metafile', Buffer.concat([hex('01000000').subarray(0, 40), Buffer.from(' EMF')]), 'image/emf'],
  ['a placeable metafile', hex('d7cdc69a'), 'image/wmf'],
  ['a JPEG 2000', hex('0000000c6a5020200d0a870a'), 'image/jp2'],
  ['a Photoshop file', hex('38425053'), 'image/vnd.adobe.photoshop'],
  ['a QOI', hex('716f6966'), 'image/x-qoi'],
  ['a pixmap', Buffer.from('P6\n# made by hand\n4 4\n255\n'), 'image/x-portable-pixmap'],
  ['a pixmap with alpha', Buffer.from('P7\nWIDTH 4\nHEIGHT 4\n'), 'image/x-portable-arbitrarymap'],
  ['an OpenEXR', hex('762f3101'), 'image/x-exr'],
  ['an Apple icon', hex('69636e7300001000'), 'image/x-icns'],
  [
    'a HEIF that is an AVIF',
    Buffer.from('\u0000\u0000\u0000\u0018ftypmif1\u0000\u0000\u0000\u0000mif1avif', 'latin1'),
    'image/avif',
  ],
  ['a HEIF', Buffer.from('\u0000\u0000\u0000\u0018ftypmif1\u0000\u0000\u0000\u0000mif1heic', 'latin1'), 'image/heic'],
  ['words about icns', Buffer.from('icns is a format of Apple'), undefined],
  [
    'a flat OpenDocument text',
    Buffer.from(
      '<?xml version="1.0"?>\n<office:document xmlns:office="o" office:mimetype="application/vnd.oasis.opendocument.text">',
    ),
    'application/vnd.oasis.opendocument.text-flat-xml',
  ],
  ['an HTML page', Buffer.from('<!DOCTYPE html><p>hi'), 'text/html'],
  ['words that begin with BM', Buffer.from('BM is a prefix, and this is a sentence.'), undefined],
  [
    'a bitmap',
    Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0]), Buffer.alloc(40)]),
    'image/bmp',
  ],
  ['an old Office file', hex('d0cf11e0a1b11ae1'), 'application/x-cfb'],
  ['a zip', hex('504b0304'), 'application/zip'],
  ['an icon', hex('00000100'), 'image/x-icon'],
  ['an MP4', Buffer.from('\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0000\u0000', 'latin1'), 'video/mp4'],
  [
    'a raw photograph',
    Buffer.from('\u0000\u0000\u0000\u0018ftypcrx \u0000\u0000\u0000\u0001', 'latin1'),
    'image/x-canon-cr3',
  ],
  ['a HEIC', Buffer.from('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000', 'latin1'), 'image/heic'],
  ['a WAV', Buffer.from('RIFF\u0000\u0000\u0000\u0000WAVEfmt ', 'latin1'), 'audio/wav'],
  ['a tagged MP3', hex('49443304'), 'audio/mpeg'],
  ['words that begin with ID3', Buffer.from('ID3 is a tag format'), undefined],
  ['one sync word', hex('fffb9000'), undefined],
  ['a page in UTF-16', Buffer.from('\ufeff<!DOCTYPE html>\r\n<html><p>hi', 'utf16le'), 'text/html'],
  ['a page in UTF-16 the other way round', Buffer.from('\ufeff<html><p>hi', 'utf16le').swap16(), 'text/html'],
  [
    'a drawing in UTF-16',
    Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><svg xmlns="x"/>', 'utf16le'),
    'image/svg+xml',
  ],
  ['text in UTF-16', Buffer.from('\ufeffhello', 'utf16le'), undefined],
  ['a Word document', docx(''), documentTypes.docx],
  ['slides', pptx([]), documentTypes.pptx],
  ['an OpenDocument text', openDocument('text', ''), documentTypes.odt],
  ['an archive that only looks like a Word document', archive({ 'word/a.txt': 'x' }), 'application/zip'],
  [
    'an archive that says at great length that it is a book',
    archive({ mimetype: Buffer.concat([Buffer.from('application/epub+zip'), randomBytes(5_000_000)]) }),
    'application/zip',
  ],
  [
    'a book that was packed anew without its type',
    archive({ 'META-INF/container.xml': '<container/>', 'OEBPS/content.opf': '<package/>' }),
    documentTypes.epub,
  ],
  [
    'music that is packed like a book',
    archive({ 'META-INF/container.xml': '<container/>', 'a.xml': '<x/>' }),
    'application/zip',
  ],
  ['a sheet of Excel 4', hex('09040600'), documentTypes.xls],
  ['a document of Word 2', hex('dba52d00'), documentTypes.doc],
  ['nothing', new Uint8Array(), undefined],
];

test.each(rows)('%s is known by its bytes', (_what, bytes, mediaType) => {
  expect(sniff(bytes)?.mediaType).toBe(mediaType);
});
