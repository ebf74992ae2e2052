// Documents that nobody writes: things in things without end, and very many of what a reader keeps a list of. Each is read or
// refused, with little work.
import { expect, test } from 'vitest';
import type { DocumentReader } from '../../src/media/document/reader.ts';
import { readRtf } from '../../src/media/legacy/rtf.ts';
import { withLimits } from '../../src/media/limits.ts';
import { readEml } from '../../src/media/mail/eml.ts';
import { readDocx } from '../../src/media/office/docx.ts';
import { readOdf } from '../../src/media/office/odf.ts';
import { readPptx } from '../../src/media/office/pptx.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import { readHtml } from '../../src/media/web/html.ts';
import { cpuMs } from '../cpu.ts';
import { archive, docx, line, openDocument, pptx, shape, wordPart } from './archive.ts';

/** Something in itself, so many times. */
function nested(open: string, close: string, times: number, inside = 'x'): string {
  return open.repeat(times) + inside + close.repeat(times);
}

const many = (times: number, make: (at: number) => string): string =>
  Array.from({ length: times }, (_, at) => make(at)).join('');
const wordTable = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'] as const;
const paragraph = '<w:p><w:r><w:t>x</w:t></w:r></w:p>';
const openTable = [
  '<table:table><table:table-row><table:table-cell>',
  '</table:table-cell></table:table-row></table:table>',
] as const;
const sheet = (cell: string): Buffer =>
  archive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles><style:style style:name="u"><style:text-properties style:text-position="super 58%"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="a"><table:table-row><table:table-cell>${cell}</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    'META-INF/manifest.xml': '<manifest/>',
  });

type Row = [what: string, reader: DocumentReader, make: () => Uint8Array | string];

const chart = (places: string): Buffer =>
  pptx(
    [
      {
        shapes:
          '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>',
        relations: [['c', 'chart', '../charts/chart1.xml']],
      },
    ],
    {
      'charts/chart1.xml': `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:barChart><c:ser><c:cat>${places}</c:cat><c:val><c:pt idx="0"><c:v>1</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    },
  );

test.each<Row>([
  ['tables in tables of a page', readHtml, () => nested('<table><tr><td>', '</table>', 5000)],
  ['lists in lists of a page', readHtml, () => nested('<ul><li>', '</ul>', 5000)],
  ['quotes in quotes of a page', readHtml, () => nested('<blockquote>', '</blockquote>', 5000)],
  [
    'a cell that spans a thousand million columns',
    readHtml,
    () => many(300, () => '<table><tr><td colspan=1000000000 rowspan=1000000000>x<td>y</table>'),
  ],
  [
    'formulas in formulas of a page',
    readHtml,
    () => `<math>${nested('<mfrac><mn>1</mn>', '</mfrac>', 5000, '<mn>2</mn>')}</math>`,
  ],
  [
    'footnotes of a page',
    readHtml,
    () => many(5000, (at) => `<p>a<a href="#n${at}"><sup>${at}</sup></a><p id="n${at}">b`),
  ],
  [
    'looks of a chart that never end',
    readDocx,
    () =>
      docx(
        '<w:p><w:r><w:drawing><c:chart xmlns:c="c" r:id="c"/></w:drawing></w:r></w:p>',
        [['c', 'chart', 'chart.xml']],
        {
          'chart.xml': `<c:chartSpace xmlns:c="c">${many(200_000, (at) => `<c:spPr>${at}`)}</c:chartSpace>`,
        },
      ),
  ],
  ['tables in tables of Word', readDocx, () => docx(nested(...wordTable, 150, paragraph))],
  ['tables in tables of Word, deeper than anybody reads', readDocx, () => docx(nested(...wordTable, 5000, paragraph))],
  [
    'formulas in formulas of Word',
    readDocx,
    () =>
      docx(`<w:p><m:oMath>${nested('<m:rad><m:e>', '</m:e></m:rad>', 120, '<m:r><m:t>x</m:t></m:r>')}</m:oMath></w:p>`),
  ],
  [
    'changes by as many people',
    readDocx,
    () => docx(`<w:p>${many(10_000, (at) => `<w:ins w:author="a${at}"><w:r><w:t>x</w:t></w:r></w:ins>`)}</w:p>`),
  ],
  [
    'comments and notes of Word',
    readDocx,
    () => {
      const ids = Array.from({ length: 5000 }, (_, at) => at);
      const body = ids
        .map((id) => `<w:r><w:commentReference w:id="${id}"/><w:footnoteReference w:id="${id}"/></w:r>`)
        .join('');
      return docx(
        `<w:p>${body}</w:p>`,
        [
          ['c', 'comments', 'comments.xml'],
          ['f', 'footnotes', 'footnotes.xml'],
        ],
        {
          'comments.xml': wordPart(
            'comments',
            ids.map((id) => `<w:comment w:id="${id}">${paragraph}</w:comment>`).join(''),
          ),
          'footnotes.xml': wordPart(
            'footnotes',
            ids.map((id) => `<w:footnote w:id="${id}">${paragraph}</w:footnote>`).join(''),
          ),
        },
      );
    },
  ],
  [
    'tables in tables of OpenDocument',
    readOdf,
    () => openDocument('text', nested(...openTable, 70, '<text:p>x</text:p>')),
  ],
  [
    'lists in lists of OpenDocument',
    readOdf,
    () =>
      openDocument(
        'text',
        nested('<text:list><text:list-item>', '</text:list-item></text:list>', 90, '<text:p>x</text:p>'),
      ),
  ],
  [
    'raised words in a cell',
    readSheet,
    () => sheet(`<text:p>${many(50_000, () => '1<text:span text:style-name="u">2</text:span>')}</text:p>`),
  ],
  [
    'raised words in raised words',
    readSheet,
    () => sheet(`<text:p>${nested('1<text:span text:style-name="u">', '</text:span>', 200)}</text:p>`),
  ],
  [
    'groups in groups of a slide',
    readPptx,
    () => pptx([{ shapes: nested('<p:grpSp>', '</p:grpSp>', 200, shape(line('x'))) }]),
  ],
  [
    'places in places of a chart',
    readPptx,
    () => chart(nested('<c:lvl>', '</c:lvl>', 24, '<c:pt idx="0"><c:v>x</c:v></c:pt>')),
  ],
  [
    'places of a chart below one with many words',
    readPptx,
    () =>
      chart(
        `<c:lvl>${many(9000, (at) => `<c:pt idx="${at}"><c:v>x</c:v></c:pt>`)}</c:lvl><c:lvl><c:pt idx="0"><c:v>${'many words '.repeat(6000)}</c:v></c:pt></c:lvl>`,
      ),
  ],
  [
    'tables in tables of Rich Text',
    readRtf,
    () => `{\\rtf1 ${many(3000, (at) => `\\trowd\\itap${at}\\intbl x\\nestcell`)}\\par}`,
  ],
  ['groups in groups of Rich Text', readRtf, () => `{\\rtf1 ${nested('{\\super ', '}', 30_000)}}`],
  [
    'mails in mails',
    readEml,
    () =>
      `${many(3000, (at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`)}Content-Type: text/plain\r\n\r\nx`,
  ],
])('%s are read or refused', async (_what, reader, make) => {
  const made = make();
  const bytes = typeof made === 'string' ? Buffer.from(made) : made;
  const took = await cpuMs(async () => {
    const result = await reader(bytes, { name: 'odd', pictures: true, limits: withLimits() });
    if (result.ok) expect(result.value.markdown.length).toBeLessThanOrEqual(withLimits().documentCharacters);
    else expect(result.refusal.next).not.toBe('');
  });
  expect(took).toBeLessThan(15_000);
});
