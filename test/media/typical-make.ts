// Twelve documents as people get them, made on the spot: what a model is shown of each is kept in test/fixtures/typical.
import * as xlsx from '@e965/xlsx';
import sharp from 'sharp';
import { archive, docx, line, paragraph, pptx, relations, shape, slidePart, wordPart } from './archive.ts';
import { openZip } from '../../src/media/zip/read.ts';
import { limits } from '../../src/media/limits.ts';
import { pdfOf, streamOf } from './pdf-make.ts';

type Look = 'F1' | 'F2';
type Said = [x: number, y: number, text: string, size?: number, look?: Look];

const said = ([x, y, text, size = 10, look = 'F1']: Said): string =>
  `BT /${look} ${size} Tf ${x} ${y} Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`;
/** Figures of this font have one width, their points half of it. */
const endingAt = (right: number, y: number, text: string, look: Look = 'F1'): Said => [
  right - 5.56 * text.replaceAll(/[.,]/g, '').length - 2.78 * text.replaceAll(/[^.,]/g, '').length,
  y,
  text,
  10,
  look,
];
const stroke = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S`;

const faces = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
];

function printed(pages: readonly { words: readonly Said[]; drawn?: readonly string[] }[]): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${5 + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ...faces,
    ...pages.flatMap(({ words, drawn = [] }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${6 + at * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      streamOf(Buffer.from([...words.map(said), ...drawn].join('\n'), 'latin1')),
    ]),
  ]);
}

function invoice(): Buffer {
  const items = [
    ['1', 'Site survey, two days', '2', '640.00', '1,280.00'],
    ['2', 'Solar panel 410 W, black', '14', '118.50', '1,659.00'],
    ['3', 'Inverter, three phases', '1', '1,490.00', '1,490.00'],
    ['4', 'Scaffold, discount 10 %', '1', '405.00', '-40.50'],
  ];
  const words: Said[] = [
    [50, 790, 'Helios Installations Ltd', 16, 'F2'],
    [50, 774, '12 Quay Street, Bristol BS1 4ND'],
    [400, 790, 'Invoice 2026-0417', 12, 'F2'],
    [400, 774, 'Date: 3 March 2026'],
    [400, 760, 'Due: 2 April 2026'],
    [50, 730, 'Bill to', 10, 'F2'],
    [50, 716, 'The Corner Bakery'],
    [50, 702, '7 Elm Road, Bath BA2 3PL'],
    [55, 664, 'No', 10, 'F2'],
    [90, 664, 'Item', 10, 'F2'],
    [318, 664, 'Qty', 10, 'F2'],
    [380, 664, 'Unit price', 10, 'F2'],
    [490, 664, 'Amount', 10, 'F2'],
    ...items.flatMap(([no = '', item = '', count = '', price = '', sum = ''], at): Said[] => [
      [55, 644 - at * 20, no],
      [90, 644 - at * 20, item],
      endingAt(336, 644 - at * 20, count),
      endingAt(428, 644 - at * 20, price),
      endingAt(528, 644 - at * 20, sum),
    ]),
    [380, 550, 'Subtotal'],
    endingAt(528, 550, '4,388.50'),
    [380, 534, 'VAT 20 %'],
    endingAt(528, 534, '877.70'),
    [380, 514, 'Total due', 10, 'F2'],
    endingAt(528, 514, '5,266.20', 'F2'),
    [50, 470, 'Please pay within 30 days to IBAN GB33 BUKB 2020 1555 5555 55, reference 2026-0417.'],
    [50, 456, 'Late payments bear interest of 8 % a year.'],
  ];
  const lines = [680, 658, 638, 618, 598, 578].map((y) => stroke(50, y, 545, y));
  return printed([{ words, drawn: lines }]);
}

/** Words set into lines of a column, as wide as they come in Helvetica of 9 points. */
function columnOf(text: string, x: number, top: number, letters: number): Said[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const [head = '', tail] = word.split('|'); // a word divided at the end of its line
    const fits = `${row} ${head}`.trim().length <= letters;
    if (!fits) rows.push(row);
    row = fits ? `${row} ${head}`.trim() : head;
    if (tail === undefined) continue;
    rows.push(row);
    row = tail;
  }
  return [...rows, row].map((words, at): Said => [x, top - at * 12, words, 9]);
}

function paper(): Buffer {
  const left =
    'Soils store more carbon than the air and all plants together. How fast they lose it when they warm is there-|fore one of the larger unknowns of every forecast. We heated 24 plots of a spruce forest by 4 degrees for nine years and measured what left the ground every month.';
  const right =
    'Losses were largest in the second year (Table 1) and fell to a third of that by the ninth. The fall was not due to drier ground: plots that were watered lost as much as those that were not. We take it as a sign that microbes run out of what they can eat.';
  const rows = [
    ['Year', 'Control', 'Heated'],
    ['2', '412', '655'],
    ['5', '405', '518'],
    ['9', '409', '488'],
  ];
  return printed([
    {
      words: [
        [110, 780, 'Warmed soils lose less carbon than feared', 16, 'F2'],
        [205, 760, 'Institute for Harbours', 10],
        [50, 725, 'Abstract', 11, 'F2'],
        ...columnOf(
          'Nine years of warming raised the loss of carbon from a forest soil by 19 % a year at the end, against 59 % at the start.',
          50,
          710,
          110,
        ),
        [50, 665, '1 Introduction', 11, 'F2'],
        ...columnOf(left, 50, 648, 50),
        [310, 665, '2 Results', 11, 'F2'],
        ...columnOf(right, 310, 648, 50),
        [310, 560, 'Table 1. Carbon lost, in g per m'],
        [449, 563, '2', 6],
        [456, 560, 'and year.'],
        ...rows.flatMap((cells, at) =>
          cells.map((cell, column): Said => [320 + column * 70, 540 - at * 14, cell, 9, at === 0 ? 'F2' : 'F1']),
        ),
        [50, 40, 'Journal of Soils 41 (2026)', 8],
        [530, 40, '117', 8],
      ],
    },
  ]);
}

const bullet = (text: string, level = 0): string => line(text, `<a:pPr lvl="${level}"/>`);

const points = (values: readonly (string | number)[]): string =>
  `<c:strRef><c:strCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:strCache></c:strRef>`;

function deck(): Buffer {
  const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:t>Orders by quarter</a:t></c:title><c:plotArea><c:lineChart>
    <c:ser><c:tx>${points(['2025'])}</c:tx><c:cat>${points(['Q1', 'Q2', 'Q3', 'Q4'])}</c:cat><c:val>${points([120, 135, 128, 160])}</c:val></c:ser>
    <c:ser><c:tx>${points(['2026'])}</c:tx><c:cat>${points(['Q1', 'Q2', 'Q3', 'Q4'])}</c:cat><c:val>${points([171, 180, 214, 209])}</c:val></c:ser>
    </c:lineChart></c:plotArea></c:chart></c:chartSpace>`;
  const frame =
    '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></p:graphicFrame>';
  const notes = slidePart('notes', shape(line('Say that Q4 fell because the port was closed.'), 'body'));
  return pptx(
    [
      { shapes: shape(line('Year in review'), 'ctrTitle') + shape(line('Sales team, January 2027'), 'subTitle') },
      {
        shapes:
          shape(line('What went well'), 'title') +
          shape(
            bullet('Two new regions') +
              bullet('Poland, since March', 1) +
              bullet('Chile, since June', 1) +
              bullet('Returns below 2 %'),
            'body',
          ),
      },
      {
        shapes: shape(line('Orders'), 'title') + frame,
        relations: [
          ['rId1', 'chart', '../charts/chart1.xml'],
          ['rId2', 'notesSlide', '../notesSlides/notes1.xml'],
        ],
      },
    ],
    { 'charts/chart1.xml': chart, 'notesSlides/notes1.xml': notes },
  );
}

function sheet(): Buffer {
  const book = xlsx.utils.book_new();
  const rows = xlsx.utils.aoa_to_sheet([
    ['Month', 'Income', 'Costs', 'Left'],
    ['January', 5200, 4100.5, 0],
    ['February', 4800, 4300, 0],
    [],
    ['Together', 0, 0, 0],
  ]);
  for (const at of [2, 3])
    Object.assign(rows, { [`D${at}`]: { t: 'n', f: `B${at}-C${at}`, v: at === 2 ? 1099.5 : 500 } });
  for (const [column, sum] of [
    ['B', 10_000],
    ['C', 8400.5],
    ['D', 1599.5],
  ] as const) {
    Object.assign(rows, { [`${column}5`]: { t: 'n', f: `SUM(${column}2:${column}3)`, v: sum } });
  }
  for (const column of ['B', 'C', 'D']) {
    for (const at of [2, 3, 5]) Object.assign(rows[`${column}${at}`] as object, { z: '#,##0.00' });
  }
  xlsx.utils.book_append_sheet(book, rows, 'Budget');
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([['Rate'], [0.19]]), 'Rates');
  book.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 1 }] };
  return withChart(Buffer.from(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array));
}

const point = (...values: (string | number)[]): string =>
  `<c:numRef><c:numCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`;

const series = (name: string, ...values: number[]): string =>
  `<c:ser><c:tx>${point(name)}</c:tx><c:cat>${point('January', 'February')}</c:cat><c:val>${point(...values)}</c:val></c:ser>`;

/** The first sheet of a workbook with a chart on it. */
function withChart(workbook: Buffer): Buffer {
  const zip = openZip(workbook, 'budget.xlsx', limits);
  if (!zip.ok) throw new Error(zip.refusal.what);
  const parts = zip.value.names.map((name) => {
    const part = zip.value.read(name);
    return [name, part.ok ? part.value : ''] as const;
  });
  const names =
    'xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  return archive({
    ...Object.fromEntries(parts),
    'xl/worksheets/_rels/sheet1.xml.rels': relations(['rId1', 'drawing', '../drawings/drawing1.xml']),
    'xl/drawings/drawing1.xml': `<xdr:wsDr ${names}><xdr:twoCellAnchor><xdr:from><xdr:col>5</xdr:col><xdr:row>1</xdr:row></xdr:from><xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame></xdr:twoCellAnchor></xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels': relations(['rId1', 'chart', '../charts/chart1.xml']),
    'xl/charts/chart1.xml': `<c:chartSpace ${names}><c:chart><c:title><a:t>Income and costs</a:t></c:title><c:plotArea><c:barChart>${series('Income', 5200, 4800)}${series('Costs', 4100.5, 4300)}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
  });
}

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const by = (who: string, day: string): string => `w:id="1" w:author="${who}" w:date="2026-05-${day}T09:00:00Z"`;
const put = (who: string, text: string): string => `<w:ins ${by(who, '04')}>${run(text)}</w:ins>`;
const cut = (who: string, text: string): string =>
  `<w:del ${by(who, '04')}><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;

const heading = (text: string): string => paragraph(text, '<w:pStyle w:val="Heading1"/>');

function contract(): Buffer {
  const noted = (text: string): string =>
    `<w:commentRangeStart w:id="0"/>${run(text)}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`;
  return docx(
    [
      paragraph('Lease of the workshop at 4 Mill Lane', '<w:pStyle w:val="Title"/>'),
      heading('1. Rent'),
      `<w:p>${run('The tenant pays ')}${cut('Tenant', 'EUR 1,200')}${put('Tenant', 'EUR 1,150')}${run(' a month, ')}${noted('in advance')}${run(', by the third working day.')}</w:p>`,
      heading('2. Term'),
      `<w:p>${run('The lease runs for five years.')}${put('Landlord', ' It ends without notice.')}</w:p>`,
      `<w:p><w:pPr><w:rPr><w:del ${by('Tenant', '05')}/></w:rPr></w:pPr>${cut('Tenant', 'The tenant may not keep animals.')}</w:p>`,
      `<w:p>${run('The deposit is ')}${run('not', '<w:b/>')}${run(' to be paid in cash.')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    ].join(''),
    [
      ['rId1', 'comments', 'comments.xml'],
      ['rId2', 'footnotes', 'footnotes.xml'],
      ['rId3', 'styles', 'styles.xml'],
    ],
    {
      'comments.xml': wordPart(
        'comments',
        `<w:comment w:id="0" w:author="Landlord" w:date="2026-05-06T10:00:00Z">${paragraph('Quarterly would suit us better.')}</w:comment>`,
      ),
      'footnotes.xml': wordPart(
        'footnotes',
        `<w:footnote w:id="2">${paragraph('See section 551 of the Civil Code.')}</w:footnote>`,
      ),
      'styles.xml': wordPart(
        'styles',
        '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>',
      ),
    },
  );
}

/** Lines of type on paper, as a scanner or a camera sees them. */
function picture(lines: readonly string[], { wide, high, px, from }: Record<'wide' | 'high' | 'px' | 'from', number>) {
  const words = lines.map(
    (text, at) =>
      `<text x="${px * 2}" y="${from + at * px * 1.6}" font-family="DejaVu Sans Mono" font-size="${px}" xml:space="preserve">${text}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><rect width="100%" height="100%" fill="#fbfaf6"/>${words.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#fbfaf6' });
}

async function scannedLetter(): Promise<Buffer> {
  const lines = [
    'City Water Works',
    '18 September 2026',
    '',
    'Dear customer,',
    '',
    'your meter 88140 stood at 1204 m3 on 31 August.',
    'We have used too much of your deposit and will',
    'send back 63.75 EUR within 14 days.',
    '',
    'Yours sincerely',
    'Billing office',
  ];
  const [wide, high] = [1654, 2339];
  const jpeg = await picture(lines, { wide, high, px: 36, from: 260 }).jpeg({ quality: 85 }).toBuffer();
  const head = `<< /Type /XObject /Subtype /Image /Width ${wide} /Height ${high} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    streamOf('q 595 0 0 842 0 0 cm /I Do Q'),
    Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\nendstream')]),
  ]);
}

async function receipt(): Promise<Buffer> {
  const lines = [
    'GREEN GROCER',
    '22 Market Sq',
    '',
    'Apples 1.2 kg      3.48',
    'Bread              2.95',
    'Coffee 500 g       7.60',
    '-----------------------',
    'TOTAL             14.03',
    'CARD              14.03',
    '',
    '09/10/2026 17:42',
  ];
  const photo = picture(lines, { wide: 900, high: 1100, px: 44, from: 160 });
  return await photo
    .jpeg({ quality: 80 })
    .withExif({ IFD0: { Orientation: '1' } })
    .toBuffer();
}

const field = (name: string, rest: string, y: number): string =>
  `<< /Type /Annot /Subtype /Widget /Rect [200 ${y - 4} 420 ${y + 12}] /P 5 0 R /F 4 /T (${name}) ${rest} /DA (/F1 10 Tf 0 g) >>`;

const box = (value: string): string => `/FT /Btn /V /${value} /AS /${value} /AP << /N << /Yes 13 0 R /Off 14 0 R >> >>`;

const look = (text: string): Buffer =>
  streamOf(text, '/Type /XObject /Subtype /Form /BBox [0 0 220 16] /Resources << /Font << /F1 3 0 R >> >>');

function form(): Buffer {
  const labels = ['Family name', 'Given names', 'Date of birth', 'Nationality', 'Married', 'Children', 'Signature'];
  const words = [
    said([50, 780, 'Application for a residence permit', 14, 'F2']),
    ...labels.map((label, at) => said([50, 740 - at * 30, label])),
  ];
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 15 0 R] /DR << /Font << /F1 3 0 R >> >> /DA (/F1 10 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
    ...faces,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Annots [7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 15 0 R] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
    streamOf(words.join('\n')),
    field('family', '/TU (Family name) /FT /Tx /V (Example)', 740),
    field('given', '/TU (Given names) /FT /Tx /V (Every Letter)', 710),
    field('birth', '/TU (Date of birth) /FT /Tx /V (1991-07-30)', 680),
    field('nation', '/TU (Nationality) /FT /Ch /Ff 131072 /Opt [(Jordan) (Lebanon) (Syria)] /V (Jordan)', 650),
    field('married', `/TU (Married) ${box('Yes')}`, 620),
    field('children', '/TU (Children) /FT /Tx', 590),
    look('BT /F1 10 Tf 2 4 Td (X) Tj ET'),
    look(''),
    field('signature', '/TU (Signature) /FT /Sig', 560),
  ]);
}

function chapter(): Buffer {
  const page = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>The Lamp</title></head><body><h1>Chapter 3</h1><h2>The Lamp</h2><p>When the <em>Marigold</em> left harbour, nobody counted the barrels.<a epub:type="noteref" href="#n1"><sup>1</sup></a></p><blockquote><p>Two lamps for the shore,<br/>one lamp for the sea.</p></blockquote><p>The keeper wrote three words:</p><ol><li>Wind from the west.</li><li>Glass falling.<ul><li>29.4 at noon</li><li>29.1 at four</li></ul></li></ol><aside epub:type="footnote" id="n1"><p>There were forty-one, as the log shows.</p></aside></body></html>`;
  return archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="c"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="x"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package xmlns="p" xmlns:dc="d"><metadata><dc:title>Marigold</dc:title><dc:creator>T. Rowe</dc:creator></metadata><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'OEBPS/c.xhtml': page,
  });
}

const code = (source: string, ...outputs: object[]): object => ({ cell_type: 'code', source, outputs });

function notebook(): Buffer {
  const cells = [
    { cell_type: 'markdown', source: '# Bike counts\n\nHourly counts at the *north* bridge.' },
    code('import pandas as pd\ndf = pd.read_csv("counts.csv")\ndf.head(2)', {
      output_type: 'execute_result',
      data: {
        'text/html':
          '<table><thead><tr><th></th><th>hour</th><th>count</th></tr></thead><tbody><tr><th>0</th><td>07:00</td><td>212</td></tr><tr><th>1</th><td>08:00</td><td>487</td></tr></tbody></table>',
        'text/plain': '    hour  count\n0  07:00    212\n1  08:00    487',
      },
    }),
    code('print(df["count"].mean())', { output_type: 'stream', name: 'stdout', text: '163.4\n' }),
    code('df["speed"]', {
      output_type: 'error',
      ename: 'KeyError',
      evalue: "'speed'",
      traceback: ["\u001B[0;31mKeyError\u001B[0m: 'speed'"],
    }),
  ];
  return Buffer.from(JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells }));
}

function thread(): Buffer {
  const csv = Buffer.from('room,price\nBlue,240\nGreen,310\n').toString('base64');
  return Buffer.from(
    [
      'From: Hotel <rooms@hotel.example>',
      'To: Guest <guest@home.example>',
      'Cc: desk@hotel.example',
      'Subject: =?utf-8?Q?Re:_Rooms_in_M=C3=A4rz?=',
      'Date: Thu, 05 Feb 2026 09:12:00 +0100',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b1',
      '',
      '--b1',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Dear guest,',
      '',
      'the Blue room is free from 12 to 15 March. Prices are attached.',
      '',
      'The hotel',
      '',
      'On Wed, 4 Feb 2026 at 18:03, Guest <guest@home.example> wrote:',
      '> Hello,',
      '> have you two nights in the middle of March?',
      '>',
      '> On Tue, 3 Feb 2026 at 11:20, Hotel wrote:',
      '>> We open again on 1 March.',
      '--b1',
      'Content-Type: text/csv; name="prices.csv"',
      'Content-Disposition: attachment; filename="prices.csv"',
      'Content-Transfer-Encoding: base64',
      '',
      csv,
      '--b1--',
      '',
    ].join('\r\n'),
  );
}

function webPage(): Buffer {
  const links = ['Home', 'News', 'Sport', 'Weather', 'Shop'].map(
    (name) => `<li><a href="/${name.toLowerCase()}">${name}</a></li>`,
  );
  return Buffer.from(
    `<!doctype html><html lang="en"><head><title>Ferry returns after storm – Coast News</title><script>track()</script><style>p{color:red}</style></head><body><header><nav><ul>${links.join('')}</ul></nav></header><div class="cookie">We use cookies. <button>Accept</button></div><main><article><h1>Ferry returns after storm</h1><p class="byline">By our reporter, 11 November 2026</p><p>The ferry to Sula sails again from Monday, <a href="https://ferry.example/timetable?from=port&amp;to=sula&amp;utm_source=news&amp;utm_medium=article&amp;session=8f14e45fceea167a5a36dedd4bea2543">says its owner</a>, six days after waves of 7&nbsp;m damaged the pier.</p><p>The bridge over the bay, 1.2&nbsp;km long and at most 10<sup>2</sup>&nbsp;m high, stayed open.</p><h2>Crossings</h2><table><tr><th>Day</th><th>From port</th><th>From Sula</th></tr><tr><td>Monday</td><td>08:00</td><td>10:30</td></tr><tr><td>Tuesday</td><td colspan="2">none</td></tr></table><figure><img src="pier.jpg" alt="The broken pier"><figcaption>The pier on Sunday</figcaption></figure></article></main><aside><h3>Most read</h3><ul><li><a href="/a">Ten beaches</a></li></ul></aside><footer>© Coast News</footer></body></html>`,
  );
}

/** The documents by name; each is made when it is asked for. */
export const typical: Record<string, () => Buffer | Promise<Buffer>> = {
  'invoice.pdf': invoice,
  'paper.pdf': paper,
  'deck.pptx': deck,
  'budget.xlsx': sheet,
  'contract.docx': contract,
  'scanned-letter.pdf': scannedLetter,
  'receipt.jpg': receipt,
  'form.pdf': form,
  'chapter.epub': chapter,
  'counts.ipynb': notebook,
  'thread.eml': thread,
  'page.html': webPage,
};
