// What is set apart in a document says something: numbers raised, words struck, boxes ticked, changes not accepted yet.
import { describe, expect, test } from 'vitest';
import type { DocumentReader } from '../../src/media/document/reader.ts';
import { read } from '../../src/media/index.ts';
import { readDoc } from '../../src/media/legacy/doc.ts';
import { readRtf } from '../../src/media/legacy/rtf.ts';
import { limits } from '../../src/media/limits.ts';
import { readDocx } from '../../src/media/office/docx.ts';
import { readOdf } from '../../src/media/office/odf.ts';
import { readPptx } from '../../src/media/office/pptx.ts';
import { readEpub } from '../../src/media/web/epub.ts';
import { readHtml } from '../../src/media/web/html.ts';
import { archive, docx, openDocument, pptx, shape, wordPart } from './archive.ts';
import { shown } from './document.ts';
import { madeWord } from './word-make.ts';

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const word = (...runs: string[]): Buffer => docx(`<w:p>${runs.join('')}</w:p>`);
const up = '<w:vertAlign w:val="superscript"/>';
const down = '<w:vertAlign w:val="subscript"/>';
const odfStyles =
  '<style:style style:name="U" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
  '<style:style style:name="D" style:family="text"><style:text-properties style:text-position="sub 58%"/></style:style>' +
  '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>' +
  '<style:style style:name="BI" style:family="text" style:parent-style-name="B"><style:text-properties fo:font-style="italic"/></style:style>' +
  '<style:style style:name="S" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>';
const odf = (body: string): Buffer => openDocument('text', `<text:p>${body}</text:p>`, odfStyles);
const span = (style: string, text: string): string => `<text:span text:style-name="${style}">${text}</text:span>`;
const rtf = (body: string): string => `{\\rtf1\\ansi ${body}\\par}`;
const slide = (...runs: string[]): Buffer => pptx([{ shapes: shape(`<a:p>${runs.join('')}</a:p>`) }]);
const slideRun = (text: string, attributes = ''): string => `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`;

const legacy = (state: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${state}</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const modern = (state: string): string =>
  `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="w14"><w14:checked w14:val="${state}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('?')}</w:sdtContent></w:sdt>`;
const box = (state: string): string => `<form:checkbox form:id="c" form:current-state="${state}"/>`;
const odfBox = (state: string): Buffer =>
  openDocument(
    'text',
    `<office:forms><form:form xmlns:form="form">${box(state)}</form:form></office:forms><text:p><draw:control draw:control="c"/> paid</text:p>`,
  );
const field = (state: string): string =>
  rtf(`{\\field{\\*\\fldinst FORMCHECKBOX {\\*\\formfield{\\fftype1\\ffres${state}\\ffdefres0}}}{\\fldrslt}} paid`);
const region = (id: string, kind: string, words = ''): string =>
  `<text:changed-region text:id="${id}"><text:${kind}><office:change-info><dc:creator>Ann</dc:creator></office:change-info>${words}</text:${kind}></text:changed-region>`;
const output = async (clean: boolean): Promise<string> => {
  const result = await read(contract, { name: 'contract.docx', clean });
  return result.ok ? result.value.output : result.refusal.what;
};
const level = (at: number, format: string, words: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${words}"/></w:lvl>`;
const item = (text: string, at: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`;
const rtfItem = (mark: string, at: number, text: string): string =>
  `{\\listtext\\pard\\plain ${mark}\\tab}\\pard\\ls1\\ilvl${at} ${text}\\par`;

type Row = [what: string, reader: DocumentReader, file: Uint8Array | string, markdown: string];

describe('raised and lowered words stay so:', () => {
  test.each<Row>([
    ['html', readHtml, '<p>10<sup>5</sup> CFU/m<sup>2</sup> H<sub>2</sub>O', '10^5 CFU/m² H₂O'],
    [
      'html, by its style sheet',
      readHtml,
      '<style>/* .x{ */ .p, span.up{font-size:70%;vertical-align:super} .down{position:relative;top:0.2em} @media print{.q{vertical-align:super}}</style><p>10<span class="p">5</span> CFU/m<span class="a up">2</span> H<span class="down">2</span>O <b class="up">x</b><span class=q>y</span>',
      '10^5 CFU/m² H₂O **x**y',
    ],
    [
      'docx',
      readDocx,
      word(run('10'), run('5', up), run(' CFU/m'), run('2', up), run(' H'), run('2', down), run('O')),
      '10^5 CFU/m² H₂O',
    ],
    ['odt', readOdf, odf(`10${span('U', '5')} CFU/m${span('U', '2')} H${span('D', '2')}O`), '10^5 CFU/m² H₂O'],
    ['rtf', readRtf, rtf('10{\\super 5} CFU/m{\\super 2} H{\\sub 2}O'), '10^5 CFU/m² H₂O'],
    [
      'pptx',
      readPptx,
      slide(slideRun('10'), slideRun('5', 'baseline="30000"'), slideRun(' H'), slideRun('2', 'baseline="-25000"')),
      '## Slide 1\n\n10^5 H₂',
    ],
    [
      'a negative power',
      readHtml,
      '<p>3×10<sup>-5</sup> x<sup>n+1</sup> e<sup>iπ</sup> a<sup>b c</sup>',
      '3×10^-5 xⁿ⁺¹ e^iπ a^(b c)',
    ],
    ['a fraction', readHtml, '<p>2<sup>1</sup>⁄<sub>2</sub> cups', '2 1/2 cups'],
    [
      'a fraction in Word',
      readDocx,
      word(run('2'), run('1', up), run('/'), run('2', down), run(' cups')),
      '2 1/2 cups',
    ],
    [
      'an ordinal and a reference, which say no power',
      readHtml,
      '<p>the 3<sup>rd</sup> of May<sup>[7]</sup>',
      'the 3rd of May[7]',
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

const omml = (inside: string): string => `<m:oMath>${inside}</m:oMath>`;
const sign = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const root = omml(
  `${sign('x=')}<m:f><m:num>${sign('−b±')}<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:sSup><m:e>${sign('b')}</m:e><m:sup>${sign('2')}</m:sup></m:sSup>${sign('−4ac')}</m:e></m:rad></m:num><m:den>${sign('2a')}</m:den></m:f>`,
);
const sum = omml(
  `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${sign('i=1')}</m:sub><m:sup>${sign('n')}</m:sup><m:e><m:sSub><m:e>${sign('α')}</m:e><m:sub>${sign('i')}</m:sub></m:sSub></m:e></m:nary>`,
);
const half = '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';

describe('formulas are LaTeX:', () => {
  test.each<Row>([
    ['Word', readDocx, docx(`<w:p>${root}</w:p>`), String.raw`$x=\frac{-b\pm \sqrt{b^{2}-4ac}}{2a}$`],
    [
      'Word, in lines that are aligned',
      readDocx,
      docx(`<w:p>${omml(`<m:eqArr><m:e>${sign('x&amp;=1')}</m:e><m:e>${sign('y&amp;=2')}</m:e></m:eqArr>`)}</w:p>`),
      String.raw`$\begin{aligned} x&=1 \\ y&=2 \end{aligned}$`,
    ],
    [
      'Word, on a line of its own',
      readDocx,
      docx(`<w:p><m:oMathPara>${sum}</m:oMathPara></w:p>`),
      String.raw`$$\sum_{i=1}^{n} \alpha_{i}$$`,
    ],
    [
      'PowerPoint',
      readPptx,
      slide(`<a:m xmlns:m="m">${sum}</a:m>`),
      `## Slide 1\n\n${String.raw`$\sum_{i=1}^{n} \alpha_{i}$`}`,
    ],
    ['a page, where one half was twelve', readHtml, `<p>take ${half} of it`, String.raw`take $\frac{1}{2}$ of it`],
    [
      'a page with a root, an index and a name',
      readHtml,
      '<p><math><mi>sin</mi><mo>&#x2061;</mo><msub><mi>θ</mi><mn>0</mn></msub><mo>=</mo><mroot><mi>x</mi><mn>3</mn></mroot></math>',
      String.raw`$\sin \theta_{0}=\sqrt[3]{x}$`,
    ],
    [
      'a page whose author left the source',
      readHtml,
      String.raw`<p><math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math>`,
      '$E = mc^2$',
    ],
    [
      'OpenDocument',
      readOdf,
      openDocument('text', '<text:p>a <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>', '', {
        'Object 1/content.xml': `<math xmlns="m"><semantics><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation encoding="StarMath 5.0">1 over 2</annotation></semantics></math>`,
      }),
      String.raw`a $\frac{1}{2}$`,
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

const part = (kind: string): string => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
const equations: [code: string, shown: string][] = [
  ['\\f(1,2)', '1/2'],
  ['\\f(a + b;1,5)', '(a + b)/1,5'],
  ['x\\s\\up 4(2) + \\r(3,y)', 'x² + 3√(y)'],
  ['\\b\\bc\\[(\\f(\\r(,2),b))', '[(√(2))/b]'],
  ['\\i\\su(1,n,k)', '∑_(1)^(n) k'],
  ['\\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(kan),漢)', '漢'],
];

describe('fields that draw a formula are its words:', () => {
  test.each(equations)('%s', async (code, words) => {
    const inWord = `${part('begin')}<w:r><w:instrText> EQ ${code} </w:instrText></w:r>${part('end')}`;
    expect(await shown(readDocx, word(run('a '), inWord, run(' z')))).toBe(`a ${words} z`);
    const escaped = code.replaceAll('\\', '\\\\').replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0)}?`);
    const inText = rtf(`a {\\field{\\*\\fldinst { EQ ${escaped} }}{\\fldrslt {}}} z`);
    expect(await shown(readRtf, inText)).toBe(`a ${words} z`);
    const old = madeWord({ paragraphs: [{ runs: [[`a \u0013 EQ ${code} \u0014\u0015 z`]] }] });
    expect(await shown(readDoc, old)).toBe(`a ${words} z`);
  });
});

describe('bold, italic and struck words are marked:', () => {
  const styles = wordPart(
    'styles',
    '<w:style w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style><w:style w:styleId="Own"><w:basedOn w:val="Strong"/></w:style>',
  );
  test.each<Row>([
    [
      'docx',
      readDocx,
      word(run('must ', '<w:b/>'), run('not', '<w:b/><w:i/>'), run(' be '), run('free', '<w:strike/>')),
      '**must *not*** be ~~free~~',
    ],
    [
      'docx, by a style',
      readDocx,
      docx(
        `<w:p>${run('due', '<w:rStyle w:val="Own"/>')}${run(' now', '<w:rStyle w:val="Own"/><w:b w:val="0"/>')}</w:p>`,
        [['rId1', 'styles', 'styles.xml']],
        { 'styles.xml': styles },
      ),
      '**due** now',
    ],
    ['docx, where blanks lie between', readDocx, word(run('a', '<w:b/>'), run(' '), run('b', '<w:b/>')), '**a b**'],
    [
      'docx, but not a heading',
      readDocx,
      docx(`<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run('Head', '<w:b/>')}</w:p>`),
      '# Head',
    ],
    [
      'odt',
      readOdf,
      odf(`${span('B', 'must ')}${span('BI', 'not')} be ${span('S', 'free')}`),
      '**must *not*** be ~~free~~',
    ],
    ['rtf', readRtf, rtf('{\\b must {\\i not}} be \\strike free\\strike0 .'), '**must *not*** be ~~free~~.'],
    [
      'html',
      readHtml,
      '<p><b>must <i>not</i></b> be <span style="text-decoration: line-through">free</span>',
      '**must *not*** be ~~free~~',
    ],
    ['html, by a style', readHtml, '<p><span style="font-weight:700">due</span> now', '**due** now'],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

const mark = (kind: string, ...says: [name: string, value: string][]): string =>
  `<text:fieldmark text:type="vnd.oasis.opendocument.field.FORM${kind}">${says.map(([name, value]) => `<text:param text:name="${name}" text:value="${value}"/>`).join('')}</text:fieldmark>`;
/** What an old Word file keeps of a box: its state, or 25 and the state it had at first; a field for words has none. */
const oldBox = (kind: number, state: number, usual: number): Buffer => {
  const data = Buffer.alloc(100);
  data.writeUInt32LE(100, 0);
  data.writeUInt16LE(0x44, 4);
  data.writeUInt32LE(0xffffffff, 0x44);
  data.writeUInt16LE(kind | (state << 2), 0x48);
  data.writeUInt16LE(1, 0x4e);
  data.write('B', 0x50, 'utf16le');
  data.writeUInt16LE(usual, 0x54);
  return data;
};
const oldBoxes = [oldBox(1, 1, 0), oldBox(1, 0, 1), oldBox(1, 25, 1), oldBox(0, 0, 0)];
const codeOfBox = '\u0013 FORMCHECKBOX \u0001';

describe('boxes keep their state:', () => {
  const choice =
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Yes"/><w:listEntry w:val="No"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
  test.each<Row>([
    [
      'old ones of Word',
      readDocx,
      word(legacy('<w:checked/>'), run(' paid '), legacy(''), run(' open')),
      '[x] paid [ ] open',
    ],
    ['new ones of Word', readDocx, word(modern('1'), run(' paid '), modern('0'), run(' open')), '[x] paid [ ] open'],
    ['choices of Word', readDocx, word(run('Agreed: '), choice), 'Agreed: No'],
    ['OpenDocument, ticked', readOdf, odfBox('checked'), '[x] paid'],
    ['OpenDocument, empty', readOdf, odfBox('unchecked'), '[ ] paid'],
    ['Rich Text, ticked', readRtf, field('1'), '[x] paid'],
    ['Rich Text, untouched', readRtf, field('25'), '[ ] paid'],
    [
      'Rich Text that does not say it, as of LibreOffice',
      readRtf,
      rtf('{\\field{\\*\\fldinst { FORMCHECKBOX }}{\\fldrslt {}}} paid'),
      '[?] paid',
    ],
    [
      'fields of OpenDocument, as of LibreOffice',
      readOdf,
      odf(
        `${mark('CHECKBOX', ['Checkbox_Checked', 'true'])} paid ${mark('CHECKBOX')} open ${mark('DROPDOWN', ['Dropdown_Selected', '1'], ['Dropdown_ListEntry', 'red'], ['Dropdown_ListEntry', 'blue'])}`,
      ),
      '[x] paid [ ] open blue',
    ],
    [
      'old Word files',
      readDoc,
      madeWord({
        paragraphs: [{ runs: oldBoxes.flatMap((_, at) => [[codeOfBox, { 0x6a03: at * 100 }], ['\u0014\u0015 ']]) }],
        data: Buffer.concat(oldBoxes),
      }),
      '[x] [ ] [x] [?]',
    ],
    [
      'a page',
      readHtml,
      '<form><input type=checkbox checked> paid <input type=radio> open</form>',
      '[x] paid [ ] open',
    ],
    [
      'what is filled in and chosen on a page',
      readHtml,
      '<form><p>Name: <input value="Ada Lovelace"><input type=hidden value=7><input type=password value=x></p><p>Colour: <select><option>red<option selected>blue</select> and size: <select><optgroup label=all><option>M</option><option>L</option></optgroup></select></p></form>',
      'Name: Ada Lovelace\n\nColour: blue and size: M',
    ],
    [
      'what is chosen on a page, as a browser shows it',
      readHtml,
      '<form><p>Size: <select><option label=Small><option label=Large selected></select>, pet: <select><option>cat<hr><option selected>dog<option selected><i>old</i> cow</select>.</p><div>Place: <select><option><div>here</div><option>there</select>, tags: <select size=3><option>a<option>b</select>none</div></form>',
      'Size: Large , pet: old cow .\n\nPlace: here , tags: none',
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

const told = (what: string): string =>
  `[Tracked changes: ${what}. They are not accepted yet and are marked {++inserted++} and {--deleted--}; clean=true shows the text with all of them accepted.]`;
const contract = docx(
  `<w:p>${run('The fee is ')}<w:del w:author="Ann"><w:r><w:delText>120</w:delText></w:r></w:del><w:ins w:author="Bob">${run('180', '<w:b/>')}</w:ins>${run(' euros.')}<w:r><w:commentReference w:id="0"/></w:r></w:p>`,
  [['c', 'comments', 'comments.xml']],
  {
    'comments.xml': wordPart(
      'comments',
      `<w:comment w:id="0" w:author="Ann"><w:p>${run('Too much.')}</w:p></w:comment>`,
    ),
  },
);

describe('tracked changes are told first and marked, comments stand in their places:', () => {
  test.each<Row>([
    [
      'Word',
      readDocx,
      contract,
      `${told('1 insertion and 1 deletion by Ann, Bob')}\n\nThe fee is {--120--}{++**180**++} euros.{>>Ann: Too much.<<}`,
    ],
    [
      'OpenDocument, over paragraphs',
      readOdf,
      openDocument(
        'text',
        `<text:tracked-changes>${region('a', 'deletion', '<text:p>120</text:p>')}${region('b', 'insertion')}</text:tracked-changes>` +
          '<text:p>The fee is <text:change text:change-id="a"/><text:change-start text:change-id="b"/>180 euros.</text:p><text:p>Paid<text:change-end text:change-id="b"/> once.</text:p>',
      ),
      `${told('1 insertion and 1 deletion by Ann')}\n\nThe fee is {--120--}{++180 euros.++}{++¶++}\n\n{++Paid++} once.`,
    ],
    [
      'Rich Text',
      readRtf,
      rtf(
        '{\\*\\revtbl{Unknown;}{Ann;}}The fee is {\\deleted\\revauthdel1 120}{\\revised\\revauth1 18}{\\revised\\revauth1 0} euros.{\\*\\atnid A}{\\*\\atnauthor Bob}{\\*\\annotation too much}',
      ),
      `${told('1 insertion and 1 deletion by Ann')}\n\nThe fee is {--120--}{++180++} euros.{>>Bob: too much<<}`,
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });

  test('a deleted end of a paragraph is marked, and the clean text has its words in the next', async () => {
    const end = '<w:pPr><w:rPr><w:del w:author="Ann"/></w:rPr></w:pPr>';
    const gone = `<w:p>${end}<w:del w:author="Ann"><w:r><w:delText>All.</w:delText></w:r></w:del></w:p>`;
    const file = docx(`<w:p>${end}${run('One ')}</w:p><w:p>${run('two.')}</w:p>${gone}<w:p>${run('Three.')}</w:p>`);
    expect(await shown(readDocx, file)).toBe(
      `${told('2 deletions by Ann')}\n\nOne{--¶--}\n\ntwo.\n\n{--All.--}\n\nThree.`,
    );
    const clean = await readDocx(file, { name: 'a.docx', pictures: false, limits, clean: true });
    expect(clean.ok && clean.value.markdown).toBe('One two.\n\nThree.');
  });

  const split = '<w:pPr><w:rPr><w:ins w:author="Ann"/></w:rPr></w:pPr>';
  const added = `<w:p>${split}<w:ins w:author="Ann">${run('New.')}</w:ins></w:p>`;
  test.each<Row>([
    [
      'Word',
      readDocx,
      docx(`<w:p>${split}${run('One,')}</w:p><w:p>${run('two.')}</w:p>${added}`),
      `${told('2 insertions by Ann')}\n\nOne,{++¶++}\n\ntwo.\n\n{++New.++}`,
    ],
    [
      'OpenDocument',
      readOdf,
      openDocument(
        'text',
        `<text:tracked-changes>${region('a', 'insertion')}${region('b', 'deletion', '<text:p/><text:p/>')}${region('c', 'deletion', '<text:p>x</text:p><text:p>y</text:p>')}</text:tracked-changes>` +
          '<text:p>One,<text:change-start text:change-id="a"/></text:p><text:p><text:change-end text:change-id="a"/>two<text:change text:change-id="b"/>three<text:change text:change-id="c"/>.</text:p>',
      ),
      `${told('1 insertion and 2 deletions by Ann')}\n\nOne,{++¶++}\n\ntwo{--¶--}three{--x¶y--}.`,
    ],
    [
      'Rich Text',
      readRtf,
      rtf('{\\*\\revtbl{Unknown;}{Ann;}}One,{\\revised\\revauth1\\par}two {\\deleted\\revauthdel1\\par}three.\\par'),
      `${told('1 insertion and 1 deletion by Ann')}\n\nOne,{++¶++}\n\ntwo{--¶--}\n\nthree.`,
    ],
  ])('an inserted or deleted end of a paragraph is marked in %s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
    const clean = await reader(Buffer.from(file), { name: 'a', pictures: false, limits, clean: true });
    expect(clean.ok && clean.value.markdown).not.toContain('¶');
  });

  test('the clean text of Rich Text goes on over a deleted end', async () => {
    const file = Buffer.from(rtf('One {\\deleted\\par}two{\\revised\\par}three.\\par'));
    const clean = await readRtf(file, { name: 'a.rtf', pictures: false, limits, clean: true });
    expect(clean.ok && clean.value.markdown).toBe('One two\n\nthree.');
  });

  test('the clean text has all of them accepted and no comments, and does not stand in for the other', async () => {
    expect(await output(true)).toBe('The fee is **180** euros.');
    expect(await output(false)).toContain('{--120--}');
    expect(await output(true)).toBe('The fee is **180** euros.');
  });
});

describe('lists lie in each other as CommonMark has it:', () => {
  const numbering = wordPart(
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'bullet', '•')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
  );
  const nested = '1. one\n   - two\n     - (a) three\n2. four';
  const tables =
    '{\\*\\listtable{\\list{\\listlevel\\levelnfc0}{\\listlevel\\levelnfc23}\\listid7}}{\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}';
  test.each<Row>([
    [
      'docx',
      readDocx,
      docx(
        [item('one', 0), item('two', 1), item('three', 2), item('four', 0)].join(''),
        [['n', 'numbering', 'numbering.xml']],
        { 'numbering.xml': numbering },
      ),
      nested,
    ],
    [
      'rtf',
      readRtf,
      rtf(rtfItem('1.', 0, 'one') + rtfItem("\\'b7", 1, 'two') + rtfItem('(a)', 2, 'three') + rtfItem('2.', 0, 'four')),
      nested,
    ],
    [
      'rtf without marks',
      readRtf,
      rtf(`${tables}\\pard\\ls1\\ilvl0 one\\par\\pard\\ls1\\ilvl1 two\\par\\pard\\ls1\\ilvl0 three\\par`),
      '1. one\n   - two\n2. three',
    ],
    [
      'rtf by tabs',
      readRtf,
      rtf(
        '\\pard\\fi-360\\li360 \\bullet \\tx360\\tab one\\par\\pard\\fi-360\\li720 \\bullet \\tx360\\tab two\\par\\pard\\li0 end\\par',
      ),
      '- one\n  - two\n\nend',
    ],
    [
      'html, also without an item around',
      readHtml,
      '<ol><li>one<ul><li>two</ul><ul><li>three</ul></li><ul><li>four</ul><li>five</ol>',
      '1. one\n   - two\n   - three\n   - four\n2. five',
    ],
    [
      'pptx',
      readPptx,
      pptx([
        {
          shapes: shape(
            '<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>one</a:t></a:r></a:p><a:p><a:pPr lvl="1"/><a:r><a:t>two</a:t></a:r></a:p>',
            'body',
          ),
        },
      ]),
      '## Slide 1\n\n1. one\n   - two',
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

const book = (chapters: Record<string, string>): Buffer =>
  archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf': `<package><metadata/><manifest>${Object.keys(chapters)
      .map((name) => `<item id="${name}" href="${name}"/>`)
      .join('')}</manifest><spine>${Object.keys(chapters)
      .map((name) => `<itemref idref="${name}"/>`)
      .join('')}</spine></package>`,
    ...chapters,
  });
const reference = (href: string): string => `<a epub:type="noteref" href="${href}"><sup>1</sup></a>`;

describe('footnotes are notes:', () => {
  test.each<Row>([
    [
      'in a page',
      readHtml,
      '<p>Claim<a href="#fn1" role="doc-noteref"><sup>1</sup></a>.</p><section role="doc-endnotes"><hr><ol><li id="fn1"><p>A <em>source</em>.<a href="#r1" role="doc-backlink">↩</a></p></li></ol></section>',
      'Claim[^1].\n\n[^1]: A *source*.',
    ],
    [
      'in a book, two of one name, one in another file, one hidden until it is asked for',
      readEpub,
      book({
        'a.xhtml': `<p>One${reference('#n')}</p><aside epub:type="footnote" id="n" hidden="hidden"><p>First.</p></aside>`,
        'b.xhtml': `<p>Two${reference('notes.xhtml#n')}</p>`,
        'notes.xhtml': '<div id="n"><p>Second.</p></div>',
      }),
      'One[^1]\n\n[^1]: First.\n\nTwo[^1-2]\n\n[^1-2]: Second.',
    ],
    [
      'in Rich Text with an asterisk',
      readRtf,
      rtf('Claim{\\super\\chftn}{\\*\\footnote\\chftn\\~\\pard A source.\\par}.'),
      'Claim[^1].\n\n[^1]: A source.',
    ],
    [
      'of several paragraphs in Rich Text, the last of which does not fall out of it',
      readRtf,
      rtf('Claim{\\super\\chftn}{\\footnote\\chftn\\~\\pard One.\\par Two.\\par}, more{\\footnote Last.}.'),
      'Claim[^1], more[^2].\n\n[^1]: One.\n\n    Two.\n[^2]: Last.',
    ],
    [
      'of several paragraphs in a page',
      readHtml,
      '<p>Claim<a href="#f" role="doc-noteref">1</a>.</p><aside id="f" role="doc-footnote"><p>One.</p><ul><li>a</li><li>b</li></ul><p>Two.</p></aside>',
      'Claim[^1].\n\n[^1]: One.\n\n    - a\n    - b\n\n    Two.',
    ],
  ])('%s', async (_what, reader, file, markdown) => {
    expect(await shown(reader, file)).toBe(markdown);
  });
});

describe('a page', () => {
  const menu = `<div>${Array.from({ length: 60 }, (_, at) => `<a href="/section/${at}">Section number ${at}</a> `).join('')}</div>`;
  const story = `<p>${'The harbour opened again on Monday after the storm had passed. '.repeat(3)}</p>`;

  test.each([
    ['that names its main part', `${menu}<main><h1>Harbour</h1>${story.repeat(4)}</main><footer>Imprint</footer>`],
    ['that does not', `${menu}<div id="x"><div><h1>Harbour</h1>${story.repeat(4)}</div></div><div>Imprint</div>`],
  ])('begins with what it is about: one %s', async (_what, body) => {
    const text = await shown(readHtml, `<html><title>News</title><body>${body}</body></html>`);
    expect(text.slice(0, 2000)).toContain('The harbour opened again on Monday');
    expect(text.indexOf('Section number 7')).toBeGreaterThan(text.indexOf('storm'));
    expect(text).toContain('[The rest of the page: what stands before, beside and after the text above.]');
    expect(text).toContain('Imprint');
  });

  test('that begins with it anyway is left as it is', async () => {
    const text = await shown(
      readHtml,
      `<html><body><h1>Harbour</h1><main>${story.repeat(4)}</main><p>after</p></body></html>`,
    );
    expect(text.startsWith('# Harbour\n\nThe harbour opened')).toBe(true);
    expect(text).not.toContain('The rest of the page');
  });

  test('has long addresses at its end, each once', async () => {
    const long = `https://example.com/${'a'.repeat(100)}`;
    const text = await shown(
      readHtml,
      `<p><a href="${long}">one</a> and <a href="${long}">two</a> and <a href="/b">three</a></p>`,
    );
    expect(text).toBe(`[one][1] and [two][1] and [three](/b)\n\n[1]: ${long}`);
  });

  test('that is only a piece of one is a page by its name', async () => {
    const result = await read(Buffer.from('<p>a <b>piece</b></p>'), { name: 'piece.html' });
    expect(result).toMatchObject({ ok: true, value: { output: 'a **piece**', data: { kind: 'html' } } });
  });
});
