import { describe, expect, test } from 'vitest';
import { readRtf } from '../../src/media/legacy/rtf.ts';
import { cpuMs } from '../cpu.ts';
import { extracted, shown, survives } from './document.ts';

const rtf = (body: string): Buffer =>
  Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS;}{\\f3\\fcharset2 Symbol;}}{\\colortbl;\\red0;}{\\*\\generator Me;}${body}}`,
    'latin1',
  );

describe('Rich Text becomes Markdown:', () => {
  test.each([
    ['paragraphs', 'one\\par two\\line three\\par', 'one\n\ntwo\nthree'],
    ['headings', '{\\pard\\outlinelevel1 Head\\par}\\pard text\\par', '## Head\n\ntext'],
    ['the numbers of headings', '{\\pard\\outlinelevel0{\\listtext 2.1\\tab}\\ls1 Fees\\par}', '# 2.1 Fees'],
    ['characters by their bytes', "caf\\'e9 \\emdash  \\'93x\\'94", 'café — “x”'],
    ['characters of another font', "{\\f1 \\'cf\\'f0\\'e8} {\\f2 \\'83A\\'83\\'42}", 'При アィ'],
    [
      'Unicode, with the characters that stand for it skipped',
      "\\uc1 \\u233?\\u8364\\'80 {\\uc2\\u-10179??\\u-9029??}",
      'é€ \ud83d\udcbb',
    ],
    [
      'signs by what their font shows',
      '5 {\\f3 m}m {\\f3 \\\'b3} {\\f3 \\u-3999?} {\\field{\\*\\fldinst SYMBOL 98 \\\\f "Symbol" \\\\s 12}{\\fldrslt{\\f3 b}}}',
      '5 μm ≥ α β',
    ],
    [
      'cells in their columns, when one is as wide as two',
      '\\trowd\\cellx4000\\cellx6000 Item\\cell Price\\cell\\row\\trowd\\cellx2000\\cellx4010\\cellx6000 Desk\\cell oak\\cell 200\\cell\\row',
      '| Item |  | Price |\n| --- | --- | --- |\n| Desk | oak | 200 |',
    ],
    ['lists as lists', '{\\listtext\\bullet\\tab}one\\par{\\pntext 2.\\tab}two\\par', '- one\n2. two'],
    [
      'links',
      '{\\field{\\*\\fldinst{HYPERLINK "https://x.y/"}}{\\fldrslt{\\ul words}}} end',
      '[words](https://x.y/) end',
    ],
    ['notes', 'word{\\footnote \\pard a note} on\\par', 'word[^1] on\n\n[^1]: a note'],
    [
      'endnotes with numbers of their own',
      'a{\\footnote one}b{\\footnote\\ftnalt last}c{\\footnote two}\\par',
      'a[^1]b[^e1]c[^2]\n\n[^1]: one\n[^2]: two\n[^e1]: last',
    ],
    [
      'the number of a page as a sign at its head, where each has another',
      '{\\header Report, page {\\field{\\*\\fldinst{ PAGE }}{\\fldrslt{0}}}\\par}{\\footer \\chpgn\\par}page {\\field{\\*\\fldinst{ PAGE }}{\\fldrslt{7}}}\\par',
      'page 7\n\n## Headers and footers\n\nReport, page #',
    ],
    [
      'a table in a cell as a line for each of its rows',
      '\\trowd\\cellx4000\\cellx8000\\intbl outer\\cell\\intbl\\itap2 a\\nestcell b\\nestcell{\\*\\nesttableprops\\trowd\\cellx2000\\cellx4000\\nestrow}{\\nonesttables\\par}\\itap2 c\\nestcell d\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}\\itap1 after\\cell\\row',
      '| outer | a / b<br>c / d<br>after |\n| --- | --- |',
    ],
    [
      'the last item of a list in a cell with its mark, which is not that of the next paragraph',
      '\\trowd\\cellx4000\\intbl x\\cell\\row\\trowd\\cellx4000\\intbl{\\listtext 1.\\tab}one\\par{\\listtext 2.\\tab}two\\cell\\row\\pard End.\\par',
      '| x |\n| --- |\n| 1. one<br>2. two |\n\nEnd.',
    ],
    ['comments', 'word{\\*\\annotation{\\*\\atnref 1}mind this}\\par', 'word{>>mind this<<}'],
    ['headers at the end', '{\\header top\\par}text\\par', 'text\n\n## Headers and footers\n\ntop'],
    ['hidden words, which are left out', 'a{\\v b}\\v d\\v0 e', 'ae'],
    ['groups nobody knows, which are left out', 'a{\\*\\unknown b{c}}d', 'ad'],
    ['escaped characters', '\\{a\\\\b\\} c\\~d\\_e', '{a\\b} c d-e'],
    ['both forms of the same words once', '{\\upr{a?}{\\*\\ud{a\\u233?}}}', 'aé'],
    [
      'the words of a shape, as LibreOffice writes them',
      'a\\par{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 1}}{\\sp{\\sn gtextUNICODE}{\\sv In a box}}{\\sp{\\sn gtextSize}{\\sv -2015295488}}}}b\\par',
      'a\n\nIn a box\nb',
    ],
    [
      'a box apart from the words before it',
      'a{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 1}}{\\shptxt In a box\\par}}}b\\par',
      'a\n\nIn a box\n\nb',
    ],
    ['binary data, which is stepped over', 'a{\\*\\x\\bin3 }}}}b', 'ab'],
    ['nothing', '', ''],
  ])('%s', async (_what, body, markdown) => {
    expect(await shown(readRtf, rtf(body))).toBe(markdown);
  });
});

test('a row of a table may hold paragraphs', async () => {
  const text = await shown(
    readRtf,
    rtf('\\trowd a\\cell b\\par c\\cell\\row\\trowd 1\\cell 2\\cell\\row\\pard after\\par'),
  );
  expect(text).toBe('| a | b<br>c |\n| --- | --- |\n| 1 | 2 |\n\nafter');
});

test.each([
  [
    'in the first cell too',
    'x\\par\\trowd\\pard\\intbl a\\par b\\cell c\\cell\\row\\pard y\\par',
    'x\n\n| a<br>b | c |\n| --- | --- |\n\ny',
  ],
  ['that never gets its end', '\\trowd\\pard\\intbl a\\par b\\par\\pard y\\par', 'a\n\nb\n\ny'],
  ['that breaks off', '\\trowd\\pard\\intbl a\\cell b\\par', '| a |\n| --- |\n\nb'],
])('a row of a table may hold paragraphs, %s', async (_where, body, markdown) => {
  expect(await shown(readRtf, rtf(body))).toBe(markdown);
});

test('a picture beside the text stands where it is anchored, once, with the words that describe it', async () => {
  const png = '89504e470d0a1a0a0000000d49484452';
  const shape = `{\\shp{\\*\\shpinst{\\sp{\\sn shapeType}{\\sv 75}}{\\sp{\\sn wzDescription}{\\sv A map}}{\\sp{\\sn pib}{\\sv {\\pict\\pngblip ${png}}}}}{\\shprslt{\\pict\\pngblip ${png}}}}`;
  const { markdown, pictures } = await extracted(
    readRtf,
    rtf(`{\\*\\pgdsctbl{\\pgdsc0{\\header ${shape}}}}a ${shape}b\\par`),
    { pictures: true },
  );
  expect(markdown).toBe('a ![A map](picture-1.png)b');
  expect(pictures.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual([png]);
});

test('pictures come when asked for, in both ways to write them', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64');
  const body = `x{\\*\\shppict{\\pict\\pngblip ${png.toString('hex')}}}{\\nonshppict{\\pict\\wmetafile8 0102}}y{\\pict\\jpegblip\\bin16 ${png.toString('latin1')}}`;
  const { markdown, pictures } = await extracted(readRtf, rtf(body), { pictures: true });
  expect(markdown).toBe('x![](picture-1.png)y![](picture-2.jpg)');
  expect(pictures.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual([
    png.toString('hex'),
    png.toString('hex'),
  ]);
});

test('what does not begin as Rich Text is refused', async () => {
  expect(await shown(readRtf, 'hello')).toBe('refused: corrupt');
});

test.each([
  ['groups in groups', `${'{a'.repeat(100_000)}${'}'.repeat(100_000)}`],
  ['notes in notes', '{\\footnote a'.repeat(20_000)],
  ['links in links', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt a'.repeat(20_000)],
  ['ends', '}'.repeat(300_000)],
  ['cells', 'a\\cell '.repeat(100_000)],
])('many %s take little time', async (_what, body) => {
  expect(await cpuMs(() => extracted(readRtf, rtf(body)))).toBeLessThan(8000);
});

test('damaged Rich Text is read or refused', async () => {
  const body =
    'one\\par{\\footnote x}\\trowd a\\cell\\row{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt y}}\\u233?\\\'e9'.repeat(
      10,
    );
  expect(await survives(readRtf, rtf(body), 60, 'x.rtf')).toBeGreaterThan(0);
});

test('headings are known by their style where no level stands beside them', async () => {
  const styles =
    '{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0\\b Heading 1;}{\\s2 heading 2;}{\\s7 Title;}{\\s8 Heading;}}';
  const words =
    '\\pard\\plain\\s7 Harbour\\par\\pard\\plain\\s1{\\b Berths}\\par\\pard\\s2 North\\par\\pard\\s8 No level\\par\\pard\\s0 Words\\par';
  expect(await shown(readRtf, `{\\rtf1 ${styles}${words}}`)).toBe(
    '# Harbour\n\n# Berths\n\n## North\n\nNo level\n\nWords',
  );
});
