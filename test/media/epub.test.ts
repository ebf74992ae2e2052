import { describe, expect, test } from 'vitest';
import { readEpub } from '../../src/media/web/epub.ts';
import { archive } from './archive.ts';
import { extracted, shown, survives } from './document.ts';

const picture = Buffer.from('iVBORw0KGgo=', 'base64');

const chapter = (body: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body>${body}</body></html>`;

const lock = (path: string): string =>
  `<encryption><EncryptedData><CipherData><CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`;

function book(more: Record<string, string | Uint8Array> = {}): Buffer {
  return archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="c"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="x"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="p" xmlns:dc="d"><metadata><dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator></metadata>
      <manifest><item id="b" href="text/two.xhtml"/><item id="a" href="text/one%20x.xhtml"/><item id="g" href="gone.xhtml"/></manifest>
      <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
    'OEBPS/text/one x.xhtml': chapter('<h2>First</h2><p>one<a id="x"/> more</p><img src="../pic/a.png" alt="A"/>'),
    'OEBPS/text/two.xhtml': chapter('<h2>Second</h2><p>two&#160;x &eacute;</p><img src="http://x/y.png"/>'),
    'OEBPS/pic/a.png': picture,
    ...more,
  });
}

describe('a book', () => {
  test('is read chapter after chapter, title and authors first', async () => {
    const { markdown, parts, pictures } = await extracted(readEpub, book(), { pictures: true });
    expect(markdown).toBe(
      '# The Book\n\nBy Ann, Bob\n\n## First\n\none more\n\n![A](a.png)\n\n## Second\n\ntwo\u00a0x é',
    );
    expect(parts).toEqual({ count: 2, unit: 'chapters' });
    expect(pictures).toEqual([{ name: 'a.png', bytes: picture }]);
  });

  test('has words raised and struck that its style sheet raises and strikes', async () => {
    const file = book({
      'OEBPS/book.opf':
        '<package xmlns="p"><manifest><item id="a" href="one.xhtml"/><item id="c" href="css/a.css" media-type="text/css"/></manifest><spine><itemref idref="a"/></spine></package>',
      'OEBPS/css/a.css': '.sup { vertical-align: super } .old { text-decoration: line-through }',
      'OEBPS/one.xhtml': chapter('<p>10<span class="sup">6</span> for <span class="old">900</span> 700</p>'),
    });
    expect((await extracted(readEpub, file)).markdown).toBe('10^6 for ~~900~~ 700');
  });

  test('has the pictures that stand in drawings, as covers and pages of comics do', async () => {
    const cover =
      '<div><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800"><title>Cover</title><g style="display: none"><image xlink:href="../pic/b.png"/></g><image width="600" height="800" xlink:href="../pic/a.png"/></svg></div>';
    const file = book({ 'OEBPS/text/two.xhtml': chapter(cover), 'OEBPS/pic/b.png': picture });
    const { markdown, pictures } = await extracted(readEpub, file, { pictures: true });
    expect(markdown).toMatch(/!\[A\]\(a\.png\)\n\n!\[\]\(a\.png\)$/);
    expect(pictures).toEqual([{ name: 'a.png', bytes: picture }]);
  });

  test('brings no pictures when none are asked for', async () => {
    expect((await extracted(readEpub, book())).pictures).toEqual([]);
  });

  test('has pictures of the same name told apart that lie in different folders', async () => {
    const other = Buffer.concat([picture, Buffer.from([1])]);
    const file = book({
      'OEBPS/text/one x.xhtml': chapter('<p>one</p><img src="one/fig1.png"/><img src="one/fig1.png"/>'),
      'OEBPS/text/two.xhtml': chapter('<p>two</p><img src="two/fig1.png"/>'),
      'OEBPS/text/one/fig1.png': picture,
      'OEBPS/text/two/fig1.png': other,
    });
    const { markdown, pictures } = await extracted(readEpub, file, { pictures: true });
    expect(markdown).toContain('one\n\n![](fig1.png)![](fig1.png)\n\ntwo\n\n![](fig1-2.png)');
    expect(pictures).toEqual([
      { name: 'fig1.png', bytes: picture },
      { name: 'fig1-2.png', bytes: other },
    ]);
  });

  test.each([
    ['locked by its shop', { 'META-INF/encryption.xml': lock('OEBPS/text/two.xhtml') }, 'refused: encrypted'],
    ['without a list of files', { 'META-INF/container.xml': '<container/>' }, 'refused: corrupt'],
    ['without chapters', { 'OEBPS/book.opf': '<package><spine/></package>' }, 'refused: corrupt'],
    ['with entities of its own', { 'OEBPS/book.opf': '<!DOCTYPE a [<!ENTITY b "c">]><a/>' }, 'refused: corrupt'],
  ])('%s is refused', async (_what, files, refusal) => {
    expect(await shown(readEpub, book(files))).toBe(refusal);
  });

  test('whose fonts alone are locked is read', async () => {
    expect(await shown(readEpub, book({ 'META-INF/encryption.xml': lock('OEBPS/font.otf') }))).toContain('## First');
  });
});

test('damaged books are read or refused', async () => {
  expect(await survives(readEpub, book(), 60, 'book.epub')).toBeLessThan(60);
});
