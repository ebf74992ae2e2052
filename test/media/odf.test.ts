import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { readOdf } from '../../src/media/office/odf.ts';
import type { Extract } from '../../src/media/document/reader.ts';
import { openDocument } from './archive.ts';

async function extracted(...document: Parameters<typeof openDocument>): Promise<Extract> {
  const result = await readOdf(openDocument(...document), { name: 'a.odt', pictures: true, limits });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value;
}

const words = async (body: string, styles = ''): Promise<string> => (await extracted('text', body, styles)).markdown;
const p = (text: string): string => `<text:p>${text}</text:p>`;
const cell = (text: string, attributes = ''): string => `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
const numbered =
  '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>';

describe('an OpenDocument text', () => {
  test.each([
    ['headings', '<text:h text:outline-level="2">Two</text:h>', '## Two'],
    ['spaces, tabs and breaks', p('a  \n b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e'), 'a b   c\td\ne'],
    ['links', p('see <text:a xlink:href="https://example.com">this</text:a>'), 'see [this](https://example.com)'],
    [
      'bullets inside each other',
      `<text:list><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item><text:list-item>${p('c')}</text:list-item></text:list>`,
      '- a\n  - b\n- c',
    ],
    [
      'numbers',
      `<text:list text:style-name="L"><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item><text:list-item>${p('c')}</text:list-item></text:list>`,
      '1. a\n  a) b\n2. c',
    ],
    [
      'tables',
      `<table:table><table:table-header-rows><table:table-row>${cell('a', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>${cell('1')}${cell('2')}</table:table-row></table:table>`,
      '| a |  |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'footnotes',
      p(
        'Claim<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Source.</text:p></text:note-body></text:note>.',
      ),
      'Claim[^1].\n\n[^1]: Source.',
    ],
    [
      'comments',
      p(
        'Text<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026</dc:date><text:p>Sure?</text:p></office:annotation>',
      ),
      'Text[^n1]\n\n[^n1]: Comment by Ann: Sure?',
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
        '<office:document-styles NAMES><office:master-styles><style:master-page><style:header><text:p>Draft</text:p></style:header></style:master-page></office:master-styles></office:document-styles>',
    });
    expect(markdown).toBe('> Header: Draft\n\n![A plan](a.png)\n\n[chart]\n\n| x | 1 |\n| --- | --- |');
    expect(pictures).toEqual([{ name: 'a.png', bytes: Buffer.from('picture') }]);
  });

  test('with a password is refused as encrypted', async () => {
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

test('OpenDocument slides come in order with titles, notes and hidden marks', async () => {
  const frame = (kind: string, text: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
  const notes = `<presentation:notes><draw:page-thumbnail presentation:class="page"/>${frame('notes', 'Smile.')}</presentation:notes>`;
  const body = `<draw:page>${frame('outline', 'body')}${frame('title', 'One')}<draw:g><draw:custom-shape>${p('drawn')}</draw:custom-shape></draw:g>${notes}</draw:page><draw:page draw:style-name="h">${frame('title', 'Two')}</draw:page>`;
  const styles =
    '<style:style style:name="h"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
  const { markdown, parts } = await extracted('presentation', body, styles);
  expect(markdown).toBe('## Slide 1: One\n\nbody\n\ndrawn\n\n> Notes: Smile.\n\n## Slide 2 (hidden): Two');
  expect(parts).toEqual({ count: 2, unit: 'slides' });
});
