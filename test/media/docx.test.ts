import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { readDocx } from '../../src/media/office/docx.ts';
import type { Extract } from '../../src/media/document/reader.ts';
import { archive, docx, paragraph, wordPart } from './archive.ts';

const options = { name: 'a.docx', pictures: false, limits };

async function extracted(bytes: Uint8Array, pictures = false): Promise<Extract> {
  const result = await readDocx(bytes, { ...options, pictures });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value;
}

const markdown = async (...document: Parameters<typeof docx>): Promise<string> =>
  (await extracted(docx(...document))).markdown;
const told = (what: string): string =>
  `[Tracked changes: ${what}. They are not accepted yet and are marked {++inserted++} and {--deleted--}; clean=true shows the text with all of them accepted.]`;
const run = (inside: string): string => `<w:p><w:r>${inside}</w:r></w:p>`;
const text = (words: string): string => `<w:t xml:space="preserve">${words}</w:t>`;
const cell = (words: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(words)}</w:tc>`;
const rows = (...list: string[]): string => `<w:tbl>${list.map((one) => `<w:tr>${one}</w:tr>`).join('')}</w:tbl>`;

const level = (at: number, format: string, words: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${words}"/></w:lvl>`;
const item = (words: string, id: number, at = 0): string =>
  paragraph(words, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`);

const chartValues = (...all: (string | number)[]): string =>
  all.map((one, at) => `<c:pt idx="${at}"><c:v>${one}</c:v></c:pt>`).join('');
const chartAxis = (kind: string, place: string, words: string): string =>
  `<c:${kind}><c:axPos val="${place}"/><c:title><a:t>${words}</a:t></c:title></c:${kind}>`;
const chartPoints = (name: string, xs: string, ys: string): string =>
  `<c:ser>${name}<c:xVal>${xs}</c:xVal><c:yVal>${ys}</c:yVal></c:ser>`;

describe('a Word document', () => {
  test('keeps the order of headings, paragraphs and tables', async () => {
    const styles = wordPart(
      'styles',
      `<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
       <w:style w:styleId="Own"><w:basedOn w:val="H1"/></w:style>
       <w:style w:styleId="T"><w:name w:val="Title"/></w:style>
       <w:style w:styleId="Out"><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>`,
    );
    const body = [
      paragraph('Report', '<w:pStyle w:val="T"/>'),
      paragraph('Before the table.'),
      rows(cell('Name') + cell('Sum'), cell('Ann | Bob') + cell('7')),
      paragraph('One', '<w:pStyle w:val="Own"/>'),
      paragraph('Deep', '<w:pStyle w:val="Out"/>'),
      paragraph('Own level', '<w:outlineLvl w:val="1"/>'),
    ].join('');
    expect(await markdown(body, [['rId1', 'styles', 'styles.xml']], { 'styles.xml': styles })).toBe(
      '# Report\n\nBefore the table.\n\n| Name | Sum |\n| --- | --- |\n| Ann \\| Bob | 7 |\n\n# One\n\n### Deep\n\n## Own level',
    );
  });

  test('counts its lists as Word does', async () => {
    const numbering = wordPart(
      'numbering',
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>
       <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '\uf0b7')}${level(1, 'upperRoman', '%2.')}</w:abstractNum>
       <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
       <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
       <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`,
    );
    const body = [
      item('a', 1),
      item('b', 1, 1),
      item('c', 1, 1),
      item('d', 1),
      item('e', 1, 1),
      item('f', 3),
      item('g', 2),
      item('h', 2, 1),
      paragraph('no list', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'),
    ].join('');
    expect(await markdown(body, [['rId1', 'numbering', 'numbering.xml']], { 'numbering.xml': numbering })).toBe(
      '1. a\n   - 1.a) b\n   - 1.b) c\n2. d\n   - 2.a) e\n5. f\n- g\n  - I. h\n\nno list',
    );
  });

  test('counts as Word does what has no words, what never begins anew, and what counts in digits', async () => {
    const more = (at: number, format: string, words: string, inside: string): string =>
      level(at, format, words).replace('</w:lvl>', `${inside}</w:lvl>`);
    const numbering = wordPart(
      'numbering',
      `<w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', 'Article %1.')}${more(1, 'decimalZero', 'Section %1.%2', '<w:isLgl/>')}${more(2, 'decimal', '%1-%3', '<w:isLgl/>')}${more(3, 'lowerLetter', '(%4)', '<w:lvlRestart w:val="0"/>')}${more(4, 'lowerRoman', '(%5)', '<w:lvlRestart w:val="1"/>')}</w:abstractNum>
       <w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Clauses"/></w:abstractNum>
       <w:abstractNum w:abstractNumId="2"><w:styleLink w:val="Clauses"/>${level(0, 'decimal', 'Clause %1')}</w:abstractNum>
       <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
       <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`,
    );
    const body = [
      item('a', 1),
      item('b', 1, 1),
      item('c', 1, 2),
      item('d', 1, 3),
      item('e', 1, 4),
      item('', 1),
      item('f', 1),
      item('g', 1, 1),
      item('h', 1, 3),
      item('i', 1, 4),
      item('j', 1, 1),
      item('k', 1, 4),
      item('x', 2),
      paragraph('', '<w:numPr><w:numId w:val="2"/></w:numPr><w:rPr><w:vanish/></w:rPr>'),
      paragraph('', '<w:numPr><w:numId w:val="2"/></w:numPr><w:sectPr/>'),
      paragraph('', '<w:numPr><w:numId w:val="2"/></w:numPr><w:rPr><w:vanish w:val="0"/></w:rPr>'),
      item('y', 2),
    ].join('');
    const words = await markdown(body, [['rId1', 'numbering', 'numbering.xml']], { 'numbering.xml': numbering });
    expect(words.split('\n').map((one) => one.trim())).toEqual([
      '- Article I. a',
      '- Section 1.01 b',
      '- 1-1 c',
      '- (a) d',
      '- (i) e',
      '- Article III. f',
      '- Section 3.01 g',
      '- (b) h',
      '- (i) i',
      '- Section 3.02 j',
      '- (ii) k',
      '- Clause 1 x',
      '- Clause 3 y',
    ]);
  });

  test('shows the numbers of a column that only counts its rows', async () => {
    const numbering = wordPart(
      'numbering',
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    );
    const counted = (words: string): string => `<w:tc>${item('', 1)}</w:tc>${cell(words)}`;
    const body = rows(cell('No.') + cell('Name'), counted('Ann'), counted('Bob'));
    expect(await markdown(body, [['rId1', 'numbering', 'numbering.xml']], { 'numbering.xml': numbering })).toBe(
      '| No. | Name |\n| --- | --- |\n| 1. | Ann |\n| 2. | Bob |',
    );
  });

  test.each([
    [
      'merged across',
      rows(cell('a', '<w:gridSpan w:val="2"/>') + cell('b'), cell('1') + cell('2') + cell('3')),
      '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
    ],
    [
      'merged down',
      rows(cell('a', '<w:vMerge w:val="restart"/>') + cell('b'), cell('', '<w:vMerge/>') + cell('c')),
      '| a | b |\n| --- | --- |\n|  | c |',
    ],
    [
      'a table',
      rows(cell('x') + `<w:tc>${rows(cell('1') + cell('2'), cell('3') + cell('4'))}<w:p/></w:tc>`),
      '| x | 1 / 2<br>3 / 4 |\n| --- | --- |',
    ],
    ['alone', rows(cell('just a frame')), 'just a frame'],
    [
      'in rows that begin further right',
      `<w:tbl><w:tr>${cell('a') + cell('b') + cell('c')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('2') + cell('3')}</w:tr></w:tbl>`,
      '| a | b | c |\n| --- | --- | --- |\n|  | 2 | 3 |',
    ],
    [
      'deleted',
      `<w:tbl><w:tr>${cell('a') + cell('b')}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell('gone')}</w:tr></w:tbl>`,
      `${told('1 deletion')}\n\n| a | b |\n| --- | --- |\n| {--gone--} |  |`,
    ],
  ])('writes a table with cells that are or hold: %s', async (_what, body, expected) => {
    expect(await markdown(body)).toBe(expected);
  });

  test.each([
    [
      'deleted and inserted text is marked, and told first',
      `<w:p><w:del w:author="Ann"><w:r><w:delText>old</w:delText></w:r></w:del><w:ins w:author="Bob"><w:r>${text('new')}</w:r></w:ins></w:p>`,
      `${told('1 insertion and 1 deletion by Ann, Bob')}\n\n{--old--}{++new++}`,
    ],
    [
      'moved text is deleted here and inserted there',
      `<w:p><w:moveFrom><w:r>${text('x')}</w:r></w:moveFrom></w:p><w:p><w:moveTo><w:r>${text('x')}</w:r></w:moveTo></w:p>`,
      `${told('1 insertion and 1 deletion')}\n\n{--x--}\n\n{++x++}`,
    ],
    [
      'tabs and breaks stay',
      run(`${text('a')}<w:tab/>${text('b')}<w:br/>${text('c')}<w:noBreakHyphen/>${text('d')}`),
      'a\tb\nc-d',
    ],
    [
      'hidden text stays hidden',
      `<w:p><w:r><w:rPr><w:vanish/></w:rPr>${text('secret')}</w:r><w:r>${text('seen')}</w:r></w:p>`,
      'seen',
    ],
    [
      'a link is a link',
      `<w:p><w:hyperlink r:id="rId9"><w:r>${text('here')}</w:r></w:hyperlink></w:p>`,
      '[here](https://example.com/a%20b)',
    ],
    [
      'a link inside is its words',
      `<w:p><w:hyperlink w:anchor="top"><w:r>${text('above')}</w:r></w:hyperlink></w:p>`,
      'above',
    ],
    [
      'a field shows what it shows',
      `<w:p>${['begin', ' HYPERLINK "https://x.org" ', 'separate'].map((mark) => `<w:r>${mark.startsWith(' ') ? `<w:instrText>${mark}</w:instrText>` : `<w:fldChar w:fldCharType="${mark}"/>`}</w:r>`).join('')}<w:r>${text('site')}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      '[site](https://x.org)',
    ],
    [
      'a form around text is no loss',
      `<w:sdt><w:sdtPr/><w:sdtContent>${paragraph('inside')}</w:sdtContent></w:sdt>`,
      'inside',
    ],
    ['a Greek letter is none of Latin', run('<w:sym w:font="Symbol" w:char="F06D"/>'), 'μ'],
    [
      'words in the font of such letters are Greek',
      `<w:p><w:r>${text('5 ')}</w:r><w:r><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr>${text('m')}</w:r><w:r>${text('m')}</w:r></w:p>`,
      '5 μm',
    ],
    [
      'letters moved up by hand are raised',
      `<w:p><w:r>${text('10')}</w:r><w:r><w:rPr><w:position w:val="8"/></w:rPr>${text('6')}</w:r></w:p>`,
      '10^6',
    ],
    ['a symbol has its meaning', run('<w:sym w:font="Wingdings" w:char="F0FE"/>'), '☑'],
    [
      'a formula is LaTeX',
      '<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>',
      String.raw`$\frac{a+b}{2}$`,
    ],
    [
      'a text box follows its paragraph, once',
      `<w:p><w:r>${text('around')}<mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${paragraph('boxed')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${paragraph('boxed')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      'around\n\nboxed',
    ],
  ])('knows that %s', async (_what, body, expected) => {
    expect(await markdown(body, [['rId9', 'hyperlink', 'https://example.com/a b', true]])).toBe(expected);
  });

  test('has charts with what their axes are called, and the places of each series beside its values', async () => {
    const charts = [
      `<c:scatterChart>${chartPoints('', chartValues(1, 2), chartValues(5, 6))}</c:scatterChart>${chartAxis('valAx', 'b', 'Hours')}${chartAxis('valAx', 'l', 'Degrees')}`,
      `<c:scatterChart>${chartPoints('', chartValues(1, 2), chartValues(5, 6))}${chartPoints(`<c:tx>${chartValues('B')}</c:tx>`, chartValues(7), chartValues(8))}</c:scatterChart>`,
      `<c:barChart><c:ser><c:cat>${chartValues('May')}</c:cat><c:val>${chartValues(3)}</c:val></c:ser></c:barChart>${chartAxis('catAx', 'l', 'Month')}${chartAxis('valAx', 'b', 'Euros')}`,
    ];
    const body = charts.map(
      (_, at) => `<w:p><w:r><w:drawing><c:chart xmlns:c="c" r:id="c${at}"/></w:drawing></w:r></w:p>`,
    );
    const parts = charts.map((inside, at) => [
      `chart${at}.xml`,
      `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:plotArea>${inside}</c:plotArea></c:chart></c:chartSpace>`,
    ]);
    const links = charts.map((_, at): [string, string, string] => [`c${at}`, 'chart', `chart${at}.xml`]);
    expect(
      (await extracted(docx(body.join(''), links, Object.fromEntries(parts) as Record<string, string>))).markdown,
    ).toBe(
      [
        '[scatter chart: values: Degrees]\n\n| Hours | Series 1 |\n| --- | --- |\n| 1 | 5 |\n| 2 | 6 |',
        '[scatter chart]\n\n| x | Series 1 | x | B |\n| --- | --- | --- | --- |\n| 1 | 5 | 7 | 8 |\n| 2 | 6 |  |  |',
        '[bar chart: values: Euros]\n\n| Month | Series 1 |\n| --- | --- |\n| May | 3 |',
      ].join('\n\n'),
    );
  });

  test('brings its notes, comments, headers and footers, each once', async () => {
    const body =
      `<w:p><w:r>${text('Claim')}<w:footnoteReference w:id="2"/><w:endnoteReference w:id="3"/><w:commentReference w:id="0"/></w:r></w:p>` +
      '<w:sectPr><w:headerReference r:id="h"/><w:headerReference r:id="h"/><w:footerReference r:id="f"/></w:sectPr>';
    const parts = {
      'footnotes.xml': wordPart(
        'footnotes',
        `<w:footnote w:id="0" w:type="separator">${paragraph('-')}</w:footnote><w:footnote w:id="2">${paragraph('A source.')}${paragraph('And more.')}</w:footnote>`,
      ),
      'endnotes.xml': wordPart('endnotes', `<w:endnote w:id="3">${paragraph('An end.')}</w:endnote>`),
      'comments.xml': wordPart('comments', `<w:comment w:id="0" w:author="Ann">${paragraph('Sure?')}</w:comment>`),
      // The number of a page is another on each: the one that was kept says nothing.
      'header1.xml': wordPart(
        'hdr',
        `<w:p><w:r>${text('Confidential, page ')}</w:r><w:fldSimple w:instr=" PAGE "><w:r>${text('3')}</w:r></w:fldSimple></w:p>`,
      ),
      'footer1.xml': wordPart(
        'ftr',
        `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> PAGE </w:instrText><w:fldChar w:fldCharType="separate"/>${text('12')}<w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      ),
    };
    const links: [string, string, string][] = [
      ['a', 'footnotes', 'footnotes.xml'],
      ['b', 'endnotes', 'endnotes.xml'],
      ['c', 'comments', 'comments.xml'],
      ['h', 'header', 'header1.xml'],
      ['f', 'footer', 'footer1.xml'],
    ];
    expect(await markdown(body, links, parts)).toBe(
      '> Header: Confidential, page #\n\nClaim[^1][^e1]{>>Ann: Sure?<<}\n\n[^1]: A source.\n\n    And more.\n[^e1]: An end.',
    );
  });

  test.each([
    ['keeps them for later', '', '', '> Header: All pages'],
    [
      'shows them',
      '<w:titlePg/>',
      '<w:evenAndOddHeaders/>',
      '> Header: All pages\n\n> Header: First page\n\n> Header: Even pages',
    ],
    ['has switched them off', '<w:titlePg w:val="0"/>', '<w:evenAndOddHeaders w:val="false"/>', '> Header: All pages'],
  ])('that %s has the headers of first and even pages only if Word shows them', async (_how, first, even, shown) => {
    const headers = [
      ['default', 'All pages'],
      ['first', 'First page'],
      ['even', 'Even pages'],
    ] as const;
    const links = headers.map(([type]): [string, string, string] => [type, 'header', `${type}.xml`]);
    const parts = headers.map(([type, words]) => [`${type}.xml`, wordPart('hdr', paragraph(words))] as const);
    const references = headers.map(([type]) => `<w:headerReference w:type="${type}" r:id="${type}"/>`).join('');
    const words = await markdown(
      `${paragraph('text')}<w:sectPr>${references}${first}</w:sectPr>`,
      [...links, ['s', 'settings', 'settings.xml']],
      { ...Object.fromEntries(parts), 'settings.xml': wordPart('settings', even) },
    );
    expect(words).toBe(`${shown}\n\ntext`);
  });

  test('has charts whose places stand on two levels, whose title is that of a cell, and of the kinds of Office 2016', async () => {
    const months = chartValues('Jan', 'Feb', 'Mar', 'Apr');
    const quarters = '<c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="3"><c:v>Q2</c:v></c:pt>';
    const hidden =
      '<c:extLst><c:ext><c15:filteredBarSeries><c15:ser><c:val><c:pt idx="0"><c:v>9</c:v></c:pt></c:val></c15:ser></c15:filteredBarSeries></c:ext></c:extLst>';
    const parts = {
      'chart1.xml': `<c:chartSpace xmlns:c="c" xmlns:c15="c15"><c:chart><c:title><c:tx><c:strRef><c:f>Sheet1!$A$1</c:f><c:strCache><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:ptCount val="4"/><c:lvl>${months}</c:lvl><c:lvl>${quarters}</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val>${chartValues(1, 2, 3, 4)}</c:val></c:ser>${hidden}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
      'chartEx1.xml':
        '<cx:chartSpace xmlns:cx="cx"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>A2:A3</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">Start</cx:pt><cx:pt idx="1">Loss</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:f>B2:B3</cx:f><cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">100</cx:pt><cx:pt idx="1">-20</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>B1</cx:f><cx:v>Euros</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>',
    };
    const charts = `<w:drawing><c:chart xmlns:c="c" r:id="a"/></w:drawing><mc:AlternateContent><mc:Choice Requires="cx1"><w:drawing><cx:chart xmlns:cx="cx" r:id="b"/></w:drawing></mc:Choice><mc:Fallback><w:drawing><a:blip r:embed="x"/></w:drawing></mc:Fallback></mc:AlternateContent>`;
    const links: [string, string, string][] = [
      ['a', 'chart', 'chart1.xml'],
      ['b', 'chartEx', 'chartEx1.xml'],
    ];
    expect(await markdown(run(charts), links, parts)).toBe(
      [
        '[bar chart: Sales]\n\n|  | Series 1 |\n| --- | --- |\n| Q1 / Jan | 1 |\n| Q1 / Feb | 2 |\n| Q1 / Mar | 3 |\n| Q2 / Apr | 4 |',
        '[waterfall chart: Cash]\n\n|  | Euros |\n| --- | --- |\n| Start | 100 |\n| Loss | -20 |',
      ].join('\n\n'),
    );
  });

  test('shows pictures where they stand and gives them when they are asked for', async () => {
    const body = `${paragraph('before')}<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A [red] dot"/><a:graphic><a:blip r:embed="rId7"/></a:graphic></wp:inline></w:drawing></w:r></w:p>${paragraph('after')}`;
    const bytes = docx(body, [['rId7', 'image', 'media/dot 1.png']], { 'media/dot 1.png': Buffer.from('picture') });
    const shown = `before\n\n![A 'red' dot](dot_1.png)\n\nafter`;
    expect(await extracted(bytes)).toEqual({ markdown: shown, pictures: [] });
    expect(await extracted(bytes, true)).toEqual({
      markdown: shown,
      pictures: [{ name: 'dot_1.png', bytes: Buffer.from('picture') }],
    });
  });

  test('without words is an empty text', async () => {
    expect(await markdown('')).toBe('');
  });

  test('is read when a part that others can do without is damaged, and says so', async () => {
    expect(await markdown(paragraph('text'), [['rId1', 'styles', 'styles.xml']], { 'styles.xml': '<w:styles' })).toBe(
      'text\n\n[styles.xml in this file could not be read]',
    );
  });

  test.each([
    ['no main part', archive({ '[Content_Types].xml': '<Types/>', 'word/other.xml': '<a/>' }), 'corrupt'],
    ['a main part that breaks off', archive({ 'word/document.xml': '<w:document xmlns:w="w"><w:body>' }), 'corrupt'],
    ['no archive', Buffer.from('PK\u0003\u0004'), 'corrupt'],
    ['entities', archive({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }), 'corrupt'],
    ['too deep a nest', archive({ 'word/document.xml': '<a>'.repeat(100_000) }), 'too-large'],
  ])('with %s is refused', async (_what, bytes, code) => {
    expect(await readDocx(bytes, options)).toMatchObject({ ok: false, refusal: { code } });
  });
});
