import { describe, expect, test } from 'vitest';
import { extract } from '../../src/media/document/extract.ts';
import type { DocumentReader } from '../../src/media/document/reader.ts';
import { read } from '../../src/media/index.ts';
import { readHtml } from '../../src/media/web/html.ts';
import { cpuMs } from '../cpu.ts';
import { extracted, shown, survives } from './document.ts';

const page = (body: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"></head><body>${body}</body></html>`;

describe('a page of HTML becomes Markdown:', () => {
  test.each([
    ['headings', '<h1>One</h1><h3>Three <em>x</em></h3>', '# One\n\n### Three *x*'],
    ['paragraphs without their ends', '<p>one<p>two<br>three', 'one\n\ntwo\nthree'],
    ['words on several lines', '<p>one\n   two\t three</p>', 'one two three'],
    ['emphasis', 'a <b>bold</b> <i> it </i><del>no</del>', 'a **bold** *it* ~~no~~'],
    ['links', '<a href="https://x.y/a b">the <b>word</b></a>', '[the **word**](https://x.y/a%20b)'],
    ['links that lead nowhere', '<a href="#top">up</a> <a href="javascript:x()">go</a>', 'up go'],
    ['lists in lists', '<ul><li>one<li>two<ol><li>in<li>ner</ol></ul>', '- one\n- two\n  1. in\n  2. ner'],
    ['lists that start elsewhere', '<ol start=4><li>four</ol><ol start=0><li>zero</ol>', '4. four\n\n0. zero'],
    ['lists that count down', '<ol reversed><li>a<li>b</ol>', '2. a\n1. b'],
    [
      'lists that count in letters, in Roman numerals or not at all',
      '<ol type=a start=3><li>x<ol style="list-style-type: upper-roman"><li>y</ol></ol><ol style="list-style: none"><li>[1] z</ol>',
      '- c. x\n  - I. y\n\n- [1] z',
    ],
    ['boxes to tick', '<ul><li><input type=checkbox checked>done</ul>', '- [x] done'],
    ['tables', '<table><tr><th>A<th>B<tr><td>1|2<td>a<br>b</table>', '| A | B |\n| --- | --- |\n| 1\\|2 | a<br>b |'],
    [
      'cells that span',
      '<table><tr><td colspan=2>w<td>x<tr><td rowspan=2>a<td>b<td>c<tr><td>d<td>e</table>',
      '| w |  | x |\n| --- | --- | --- |\n| a | b | c |\n|  | d | e |',
    ],
    ['tables that only arrange', '<table><tr><td><p>one</p></td></tr><tr><td>two</td></tr></table>', 'one\n\ntwo'],
    ['code', '<pre><code class="language-js">if (a &lt; b)\n  c();</code></pre>', '```js\nif (a < b)\n  c();\n```'],
    ['code with fences in it', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['code in a line', 'use <code>a_b</code>', 'use `a_b`'],
    ['quotes', '<blockquote><p>one<p>two</blockquote>', '> one\n>\n> two'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['terms', '<dl><dt>term<dd>what it is</dl>', 'term\n\n: what it is'],
    ['pictures', '<img src="a.png" alt="a [b]"><img src="t.gif" width=1 height=1>', '![a b](a.png)'],
    ['entities', '&lt;tag&gt; &amp; &eacute;&#8364;&#x1F44B;', '<tag> & é€👋'],
    [
      'scripts, styles and menus, which are left out',
      '<nav>menu</nav><script>1</script><style>p{}</style>text',
      'text',
    ],
    ['what is hidden, which is left out', '<p hidden>a</p><p style="display: none">b</p><p>c</p>', 'c'],
    [
      'titles and heads of columns that are buttons, and no other buttons',
      '<h3><button aria-expanded="false">How?</button></h3><p>So.<button>Buy</button><table><tr><th><button>Name</button><th>Age<tr><td>Ann<td>7</table>',
      '### How?\n\nSo.\n\n| Name | Age |\n| --- | --- |\n| Ann | 7 |',
    ],
    [
      'what an element of the page itself shows, and no other template',
      '<my-card><template shadowrootmode="open"><p>one</p></template></my-card><template><p>two</p></template>',
      'one',
    ],
    ['blocks inside a link', '<a href="/x"><div>one</div><div>two</div></a>', '[one two](/x)'],
    ['nothing', '', ''],
  ])('%s', async (_what, html, markdown) => {
    expect(await shown(readHtml, page(html))).toBe(markdown);
  });

  test('its title, unless its heading says the same', async () => {
    expect(await shown(readHtml, '<title>A &amp; B</title><p>text')).toBe('# A & B\n\ntext');
    expect(await shown(readHtml, '<title>Same</title><h1>Same</h1>')).toBe('# Same');
  });
});

test.each([
  ['windows-1251 by its own word', '<meta charset=windows-1251><p>', Buffer.from([0xcf, 0xf0, 0xe8]), 'При'],
  [
    'an older way to say it',
    '<meta http-equiv=x content="text/html; charset=shift_jis">',
    Buffer.from([0x83, 0x41]),
    'ア',
  ],
  ['UTF-8 without a word', '<p>', Buffer.from('grüße'), 'grüße'],
  ['western when it is nothing else', '<p>', Buffer.from([0x67, 0xfc]), 'gü'],
  ['a name nobody knows', '<meta charset=nonsense>', Buffer.from('ö'), 'ö'],
])('the encoding of a page: %s', async (_what, head, bytes, text) => {
  expect(await shown(readHtml, Buffer.concat([Buffer.from(head), bytes]))).toBe(text);
});

test('a page in UTF-16 with a mark is read', async () => {
  expect(await shown(readHtml, Buffer.from('\ufeff<p>hé</p>', 'utf16le'))).toBe('hé');
});

test.each(['style="display:none"', 'style="visibility: hidden"', 'hidden'])(
  'a page that shows itself by a script (%s) is read',
  async (how) => {
    expect(await shown(readHtml, `<html><body ${how}><p>words</p><p ${how}>hidden</p></body></html>`)).toBe('words');
  },
);

test('a page of frames leads to each of them, with what it says to those who see none', async () => {
  const html =
    '<html><head><title>API</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html" name="main"><noframes><body><p>See the <a href="plain.html">plain version</a>.</body></noframes></frameset></html>';
  expect(await shown(readHtml, html)).toBe(
    '# API\n\n[frame](menu.html)\n[frame](main.html)\n\nSee the [plain version](plain.html).',
  );
});

test('a page that its script writes says what it says without one, and no other page does', async () => {
  const aside = '<noscript>You need to enable JavaScript to run this app.</noscript>';
  expect(await shown(readHtml, `<title>App</title>${aside}<div id="root"></div>`)).toBe(
    '# App\n\nYou need to enable JavaScript to run this app.',
  );
  expect(await shown(readHtml, `${aside}<p>words</p>`)).toBe('words');
});

test('pictures written into a page come with it when asked for', async () => {
  const html = '<p>see <img alt=dot src="data:image/png;base64,iVBORw0KGgo="> and <img src="data:text/html,x">';
  const { markdown, pictures } = await extracted(readHtml, html, { pictures: true });
  expect(markdown).toBe('see ![dot](picture-1.png) and');
  expect(pictures).toEqual([{ name: 'picture-1.png', bytes: new Uint8Array(Buffer.from('iVBORw0KGgo=', 'base64')) }]);
  expect((await extracted(readHtml, html)).pictures).toEqual([]);
});

const whole: DocumentReader = (bytes, options) => extract({ ...options, kind: 'html', bytes });

test('a long page is cut and says so first', async () => {
  const markdown = await shown(whole, `<p>${'word '.repeat(5000)}`, { limits: { documentCharacters: 2000 } });
  expect(markdown).toMatch(/^\[Only the first 1,900 of 24,999 characters follow\.\]\n\nword/);
  expect(markdown.length).toBeLessThanOrEqual(2000);
});

test.each([
  ['open elements', '<b>'.repeat(450_000)],
  ['tables in tables', '<table><tr><td>'.repeat(100_000)],
  ['lists in lists', '<ul><li>x'.repeat(40_000)],
  ['quotes in quotes', '<blockquote>x'.repeat(50_000)],
  ['ends that match nothing', `${'<div>'.repeat(200_000)}${'</p>'.repeat(200_000)}`],
  ['angles', '<'.repeat(300_000)],
  ['attributes', `<p ${'a '.repeat(500_000)}`],
  [
    'long links',
    Array.from({ length: 40_000 }, (_, at) => `<a href="https://example.com/${'x'.repeat(80)}${at}">a</a> `).join(''),
  ],
  ['notes', Array.from({ length: 20_000 }, (_, at) => `<a role="doc-noteref" href="#${at}">${at}</a> `).join('')],
  ['blanks', `<p>a${' '.repeat(2_000_000)}b`],
])('many %s take little time', async (_what, html) => {
  expect(await cpuMs(() => extracted(readHtml, html))).toBeLessThan(8000);
});

test('damaged pages are read without a throw', async () => {
  const html = page(
    '<h1>T</h1><table><tr><td>a<td>b</table><ul><li>x</ul><pre>y</pre><a href="&amp;">z</a>'.repeat(20),
  );
  expect(await survives(readHtml, Buffer.from(html), 60, 'page.html')).toBe(60);
});

function long(word: string): string {
  return `<p>${`${word} stands here for a while. `.repeat(12)}</p>`;
}

test('a title and a summary are not moved behind the text they stand before', async () => {
  const text = `<div id="columns">${long('one') + long('two') + long('three')}</div>`;
  const paper = await shown(
    readHtml,
    `<html><body><h1>The title</h1>${long('abstract')}${long('keyword')}${text}</body></html>`,
  );
  expect(paper).toMatch(/^# The title\n\nabstract/);
  const menu = `<ul>${Array.from({ length: 60 }, (_, at) => `<li><a href="/${at}">a long entry of a menu ${at}</a></li>`).join('')}</ul>`;
  expect(await shown(readHtml, `<html><body>${menu}${text}</body></html>`)).toMatch(/^one stands/);
});

test('a page of very many paragraphs is read, also where they stand beside what it is about', async () => {
  const menu = '<aside><a href="/x">a long entry of a menu</a></aside>'.repeat(60);
  const crowded = `<html><body>${menu}<main>${long('one').repeat(200)}</main>${'<p>x</p>'.repeat(190_000)}</body></html>`;
  const result = await read(Buffer.from(crowded), { name: 'long.html' });
  expect(result).toMatchObject({ ok: true, value: { data: { characters: expect.any(Number) } } });
  const scriptless = await read(Buffer.from(`<html>${'<noscript><p>x</p></noscript>'.repeat(190_000)}`));
  expect(scriptless).toMatchObject({ ok: true, value: { data: { characters: 190_000 * 3 - 2 } } });
});
