import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { readOdf } from '../../src/media/office/odf.ts';
import { readSheet } from '../../src/media/sheet/read.ts';
import type { Extract } from '../../src/media/document/reader.ts';
import { openDocument } from './archive.ts';
import { damaged } from './document.ts';

async function extracted(...document: Parameters<typeof openDocument>): Promise<Extract> {
  const result = await readOdf(openDocument(...document), { name: 'a.odt', pictures: true, limits });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value;
}

const words = async (body: string, styles = ''): Promise<string> => (await extracted('text', body, styles)).markdown;
const p = (text: string): string => `<text:p>${text}</text:p>`;
const cell = (text: string, attributes = ''): string => `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
const numbered =
  '<style:style style:name="up"><style:text-properties style:text-position="super 58%"/></style:style><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/><text:outline-level-style text:level="3" style:num-format=""/></text:outline-style><text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/></text:list-style><text:list-style style:name="Z"><text:list-level-style-number text:level="1" style:num-format="01, 02, 03, ..." style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="一, 二, 三, ..." style:num-prefix="(" style:num-suffix=")"/></text:list-style><text:list-style style:name="M"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/></text:list-style>';

describe('an OpenDocument text', () => {
  test.each([
    ['headings', '<text:h text:outline-level="4">Four</text:h>', '#### Four'],
    ['spaces, tabs and breaks', p('a  \n b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e'), 'a b   c\td\ne'],
    [
      'the numbers of its headings',
      '<text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h><text:h text:outline-level="2" text:is-list-header="true">C</text:h><text:h text:outline-level="3">D</text:h><text:h text:outline-level="1">E</text:h><text:h text:outline-level="2">F</text:h>',
      '# 1. A\n\n## 1.1 B\n\n## C\n\n### D\n\n# 2. E\n\n## 2.1 F',
    ],
    [
      'a link that is written in pieces, as one',
      p(
        'x<text:span text:style-name="up"><text:a xlink:href="#n">[</text:a></text:span><text:span text:style-name="up"><text:a xlink:href="#n">1]</text:a></text:span><text:a xlink:href="https://y.z/">y</text:a>',
      ),
      'x[[1]](#n)[y](https://y.z/)',
    ],
    [
      'a table in a cell as lines of that cell',
      `<table:table><table:table-row>${cell('a')}<table:table-cell><table:table><table:table-row>${cell('1')}${cell('2')}</table:table-row><table:table-row>${cell('3')}${cell('4')}</table:table-row></table:table></table:table-cell></table:table-row></table:table>`,
      '| a | 1 / 2<br>3 / 4 |\n| --- | --- |',
    ],
    [
      'what is filled into its forms',
      `<office:forms><form:form xmlns:form="form"><form:text form:id="a" form:current-value="Ann"/><form:radio form:id="b" form:current-selected="true"/><form:listbox form:id="c"><form:option form:label="one"/><form:option form:label="two" form:current-selected="true"/></form:listbox><form:password form:id="d" form:current-value="x"/></form:form></office:forms>${p(
        ['a', 'b', 'c', 'd'].map((id) => `<draw:control draw:control="${id}"/>`).join(' '),
      )}`,
      'Ann [x] two',
    ],
    ['links', p('see <text:a xlink:href="https://example.com">this</text:a>'), 'see [this](https://example.com)'],
    [
      'bullets inside each other',
      `<text:list><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item><text:list-item>${p('c')}</text:list-item></text:list>`,
      '- a\n  - b\n- c',
    ],
    [
      'numbers',
      `<text:list text:style-name="L"><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item><text:list-item>${p('c')}</text:list-item></text:list>`,
      '1. a\n   - a) b\n2. c',
    ],
    [
      'numbers that go on from an earlier list, and those of the levels above',
      `<text:list text:style-name="L" xml:id="one"><text:list-item>${p('a')}</text:list-item></text:list>${p('x')}` +
        `<text:list text:style-name="L" text:continue-list="one"><text:list-item>${p('b')}</text:list-item></text:list>${p('y')}` +
        `<text:list text:style-name="L" text:continue-numbering="true"><text:list-item><text:list><text:list-item>${p('c')}</text:list-item></text:list></text:list-item><text:list-item>${p('d')}</text:list-item></text:list>${p('z')}` +
        `<text:list text:style-name="M"><text:list-item>${p('e')}<text:list><text:list-item>${p('f')}</text:list-item></text:list></text:list-item></text:list>`,
      '1. a\n\nx\n\n2. b\n\ny\n\n- a) c\n3. d\n\nz\n\n1. e\n   - 1.1. f',
    ],
    [
      'headings in lists, as LibreOffice makes them of Word files, and numbers of every kind',
      `<text:list text:style-name="N"><text:list-item><text:h text:outline-level="1">Intro</text:h><text:list><text:list-item><text:h text:outline-level="2">Sub</text:h></text:list-item></text:list></text:list-item></text:list>` +
        `<text:list text:style-name="Z"><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item></text:list>`,
      '# 1 Intro\n\n## 1.1 Sub\n\n01. a\n    - (1) b',
    ],
    [
      'the numbers of a column that only counts its rows',
      `<table:table>${['Ann', 'Bob']
        .map(
          (name) =>
            `<table:table-row><table:table-cell><text:list text:style-name="L" text:continue-numbering="true"><text:list-item><text:p/></text:list-item></text:list></table:table-cell>${cell(name)}</table:table-row>`,
        )
        .join('')}</table:table>`,
      '| 1. | Ann |\n| --- | --- |\n| 2. | Bob |',
    ],
    [
      'the number of a page where it was counted',
      p('page <text:page-number>3</text:page-number>, <text:page-number>0</text:page-number>'),
      'page 3, #',
    ],
    [
      'notes with their numbers where the program wrote none',
      p(
        ['1', '0', 'i', '0']
          .map(
            (mark, at) =>
              `<text:note text:note-class="${at < 2 ? 'footnote' : 'endnote'}"><text:note-citation>${mark}</text:note-citation><text:note-body><text:p>n${at}</text:p></text:note-body></text:note>`,
          )
          .join(' '),
      ),
      '[^1] [^2] [^i] [^e2]\n\n[^1]: n0\n[^2]: n1\n[^i]: n2\n[^e2]: n3',
    ],
    [
      'tables',
      `<table:table><table:table-header-rows><table:table-row>${cell('a', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>${cell('1')}${cell('2')}</table:table-row></table:table>`,
      '| a |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'footnotes',
      p(
        'Claim<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Source.</text:p><text:p>More.</text:p></text:note-body></text:note>.',
      ),
      'Claim[^1].\n\n[^1]: Source.\n\n    More.',
    ],
    [
      'comments',
      p(
        'Text<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date><text:p>Sure?</text:p></office:annotation>',
      ),
      'Text{>>Ann: Sure?<<}',
    ],
    [
      'text boxes',
      p('around<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>'),
      'around\n\nboxed',
    ],
    ['no deleted text', `<text:tracked-changes>${p('gone')}</text:tracked-changes>${p('here')}`, 'here'],
    ['sections', `<text:section>${p('inside')}</text:section>`, 'inside'],
  ])('has %s', async (_what, body, expected) => {
    expect(await words(body, numbered)).toBe(expected);
  });

  test('has pictures, charts, and the headers of its pages', async () => {
    const picture = '<draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>A plan</svg:desc></draw:frame>';
    const chart = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const { markdown, pictures } = await extracted('text', p(picture) + p(chart), '', {
      'Pictures/a.png': Buffer.from('picture'),
      'Object 1/content.xml': `<office:document-content NAMES><table:table><table:table-row>${cell('x')}${cell('1')}</table:table-row></table:table></office:document-content>`,
      'styles.xml':
        '<office:document-styles NAMES><office:master-styles><style:master-page><style:header><text:p>Draft, page <text:page-number>4</text:page-number></text:p></style:header><style:footer><text:p><text:page-number>4</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>',
    });
    expect(markdown).toBe('> Header: Draft, page #\n\n![A plan](a.png)\n\n[chart]\n\n| x | 1 |\n| --- | --- |');
    expect(pictures).toEqual([{ name: 'a.png', bytes: Buffer.from('picture') }]);
  });

  test('with an unusual encryption is refused as encrypted', async () => {
    const parts = {
      'META-INF/manifest.xml':
        '<manifest:manifest NAMES><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
    };
    const result = await readOdf(openDocument('text', p('x'), '', parts), { name: 'a.odt', pictures: false, limits });
    expect(result).toMatchObject({
      refusal: { code: 'encrypted', next: expect.stringContaining('without a password') },
    });
  });
});

test('an OpenDocument text has its title as a heading and its hidden words left out', async () => {
  const styles =
    '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>' +
    '<style:style style:name="P2" style:family="paragraph"><style:text-properties text:display="none"/></style:style>' +
    '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>';
  const body = `<text:p text:style-name="P1">Name</text:p><text:p text:style-name="Title">Other</text:p>${p('seen <text:span text:style-name="T1">not</text:span>it')}<text:p text:style-name="P2">nor this</text:p><text:section text:display="none">${p('nor that')}</text:section><text:section>${p('end')}</text:section>`;
  expect((await extracted('text', body, styles)).markdown).toBe('# Name\n\n# Other\n\nseen it\n\nend');
});

test('OpenDocument slides come in order with titles, notes and hidden marks', async () => {
  const frame = (kind: string, text: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
  const notes = `<presentation:notes><draw:page-thumbnail presentation:class="page"/>${frame('notes', 'Smile.')}</presentation:notes>`;
  const told =
    '<presentation:footer-decl presentation:name="f">Internal</presentation:footer-decl><presentation:date-time-decl presentation:name="d">5 March</presentation:date-time-decl>';
  const comment =
    '<office:annotation><dc:creator>Cy</dc:creator><dc:date>2024</dc:date><text:p>Why?</text:p></office:annotation>';
  const body = `${told}<draw:page presentation:use-footer-name="f" presentation:use-date-time-name="d">${comment}${frame('outline', 'body')}${frame('title', 'One')}<draw:g><draw:custom-shape>${p('drawn')}</draw:custom-shape></draw:g>${notes}</draw:page><draw:page draw:style-name="h" presentation:use-footer-name="f">${frame('title', 'Two')}</draw:page>`;
  const styles =
    '<style:style style:name="h"><style:drawing-page-properties presentation:visibility="hidden" presentation:display-footer="false"/></style:style>';
  const { markdown, parts } = await extracted('presentation', body, styles);
  expect(markdown).toBe(
    '## Slide 1: One\n\nbody\n\ndrawn\n\n> On this slide: 5 March, Internal\n\n> Notes: Smile.\n\n> Comment: Cy: Why?\n\n## Slide 2 (hidden): Two',
  );
  expect(parts).toEqual({ count: 2, unit: 'slides' });
});

describe('an OpenDocument file with a password, as LibreOffice writes it,', () => {
  const [text, sheet] = ['odt', 'ods'].map((kind) =>
    readFileSync(new URL(`../fixtures/open-document/locked.${kind}`, import.meta.url)),
  );

  test.each([
    ['text', readOdf, text, '# Harbour\n\nThe harbour opens at seven.'],
    [
      'sheet',
      readSheet,
      sheet,
      '## Ships (2 rows × 2 columns)\n\n|  | A | B |\n| --- | --- | --- |\n| 1 | ship | berth |\n| 2 | Aurora | 7 |',
    ],
  ])('opens as a %s with the right one, and can be kept without it', async (_kind, reader, bytes, markdown) => {
    const options = { name: 'a', pictures: false, limits };
    const result = await reader(bytes ?? Buffer.of(), { ...options, password: 'sesam öffne dich' });
    if (!result.ok) throw new Error(result.refusal.what);
    expect(result.value.markdown).toBe(markdown);
    const again = await reader(result.value.unlocked ?? Buffer.of(), options);
    expect(again).toMatchObject({ ok: true, value: { markdown } });
  });

  test.each([
    [undefined, 'a is protected with a password'],
    ['sesam', 'The password does not open a'],
  ])('is refused with %s', async (password, what) => {
    const options = { name: 'a', pictures: false, limits, ...(password !== undefined && { password }) };
    for (const result of [
      await readOdf(text ?? Buffer.of(), options),
      await readSheet(sheet ?? Buffer.of(), options),
    ]) {
      expect(result).toMatchObject({ refusal: { code: 'encrypted', what } });
    }
  });

  test('is refused or read when it is damaged', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const options = { name: 'a', pictures: false, limits, password: 'sesam öffne dich' };
      const result = await readOdf(damaged(text ?? Buffer.of(), seed), options);
      if (!result.ok) expect(result.refusal.next).not.toBe('');
    }
  });
});

const flat = (kind: string, body: string, styles = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>\n<office:document xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:style="s" office:mimetype="application/vnd.oasis.opendocument.${kind}">${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  );

describe('a flat OpenDocument file', () => {
  test('is read as text, with its pictures and the headers of its pages', async () => {
    const image =
      '<draw:frame><draw:image><office:binary-data>\n iVBORw0KGgo=</office:binary-data></draw:image></draw:frame>';
    const styles =
      '<office:master-styles><style:master-page><style:header><text:p>Draft</text:p></style:header></style:master-page></office:master-styles>';
    const bytes = flat('text', `<text:h text:outline-level="1">One</text:h>${p(image)}`, styles);
    const result = await readOdf(bytes, { name: 'a.fodt', pictures: true, limits });
    expect(result).toMatchObject({
      value: {
        markdown: '> Header: Draft\n\n# One\n\n![](picture-1.png)',
        pictures: [{ name: 'picture-1.png', bytes: new Uint8Array(Buffer.from('iVBORw0KGgo=', 'base64')) }],
      },
    });
  });

  test('is read as sheets, among which the numbers of a chart are none: it stands below', async () => {
    const chart = `<draw:frame><draw:object><office:document><table:table table:name="local"><table:table-row>${cell('9')}</table:table-row></table:table></office:document></draw:object></draw:frame>`;
    const row = `<table:table-row>${cell('a')}${cell('b')}</table:table-row>`;
    const bytes = flat(
      'spreadsheet',
      `<table:table table:name="S"><table:shapes>${chart}</table:shapes>${row}</table:table>`,
    );
    const result = await readSheet(bytes, { name: 'a.fods', pictures: false, limits });
    expect(result).toMatchObject({
      value: {
        markdown:
          '## S (1 row × 2 columns)\n\n|  | A | B |\n| --- | --- | --- |\n| 1 | a | b |\n\nAt no cell: [chart]\n\n| 9 |\n| --- |',
      },
    });
  });
});
