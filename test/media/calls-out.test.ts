// Files that want to run something or to load something: they are read, and nothing happens. A server on this machine would
// hear of it, and a macro or a script would have to run in one of our processes to reach it.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { read } from '../../src/media/index.ts';
import { webServer } from '../toolbox/web-server.ts';
import { archive, docx, openDocument, paragraph, pptx, shape, line } from './archive.ts';

const server = await webServer({});
afterAll(() => server.close());
const url = (what: string): string => `${server.base}/${what}`;
const trace = join(tmpdir(), `sightline-macro-${process.pid}`);

const script = (from: string): string => `fetch('${url(from)}'); new Image().src = '${url(from)}-image'`;
const macro = `Sub AutoOpen()\nShell "touch ${trace}"\nEnd Sub`;
const blip = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p"/><a:graphic><a:blip r:link="${id}"/></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** A PDF whose opening runs a script, submits a form and starts a program. */
const eager = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\('${url('pdf')}'\\))/Next<</S/Launch/F(touch ${trace})/Next<</S/SubmitForm/F<</FS/URL/F(${url('form')})>>>>>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Contents 4 0 R>>endobj
4 0 obj<</Length 39>>stream
BT /F 20 Tf 20 100 Td (Hello there) Tj ET
endstream endobj
trailer<</Root 1 0 R>>`;

const files: [name: string, bytes: Uint8Array | string][] = [
  [
    'macro.docm',
    docx(`${paragraph('Hello there')}${blip('rId9')}`, [
      ['rId5', 'attachedTemplate', url('template.dotm'), true],
      ['rId8', 'vbaProject', 'vbaProject.bin'],
      ['rId9', 'image', url('picture.png'), true],
    ], { 'vbaProject.bin': macro }),
  ],
  ['macro.pptm', pptx([{ shapes: shape(line('Hello there'), 'title'), relations: [['rId4', 'image', url('slide.png'), true]] }], { 'vbaProject.bin': macro })],
  ['basic.odt', openDocument('text', `<text:p>Hello there</text:p><text:p><draw:frame><draw:image xlink:href="${url('odt.png')}"/></draw:frame></text:p>`, '', { 'Basic/Standard/Module1.xml': macro })],
  [
    'book.epub',
    archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container xmlns="c"><rootfiles><rootfile full-path="book.opf" media-type="x"/></rootfiles></container>',
      'book.opf': '<package xmlns="p"><manifest><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'one.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script('epub')}</script></head><body><p>Hello there</p><img src="${url('epub.png')}"/></body></html>`,
    }),
  ],
  ['page.html', `<html><head><link rel=stylesheet href="${url('style.css')}"><script src="${url('x.js')}"></script><script>${script('html')}</script></head><body onload="${script('load')}"><p>Hello there</p><img src="${url('html.png')}"><iframe src="${url('frame')}"></iframe></body></html>`],
  ['drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90" onload="${script('svg')}"><script>${script('svg')}</script><image href="${url('svg.png')}" width="9" height="9"/><use xlink:href="${url('svg.svg')}#a"/><text y="20">Hello there</text></svg>`],
  ['entity.svg', `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url('entity')}"><!ENTITY % y SYSTEM "${url('dtd')}"> %y;]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>Hello there &x;</text></svg>`],
  ['letter.eml', `From: a@b.c\r\nSubject: Hello there\r\nContent-Type: text/html\r\n\r\n<p>Hello there</p><img src="${url('mail.png')}"><script>${script('mail')}</script>`],
  ['notes.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [{ cell_type: 'markdown', metadata: {}, source: `Hello there ![](${url('notebook.png')})` }, { cell_type: 'code', metadata: {}, execution_count: 1, source: '1', outputs: [{ output_type: 'display_data', metadata: {}, data: { 'text/html': `<script>${script('notebook')}</script>`, 'application/javascript': script('js') } }] }] })],
  ['eager.pdf', eager],
]; // prettier-ignore

test.each(files)('%s is read, runs nothing and loads nothing', async (name, bytes) => {
  const given = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  for (const as of ['auto', 'image'] as const) {
    const reading = await read(given, { name, as, images: true, assets: memoryAssets() });
    if (as === 'auto' && name !== 'entity.svg') expect(reading.ok && reading.value.output).toContain('Hello there');
  }
  expect(server.seen).toEqual([]);
  expect(existsSync(trace)).toBe(false);
});

test('the server would have heard', async () => {
  await fetch(url('heard'));
  expect(server.seen).toHaveLength(1);
});
