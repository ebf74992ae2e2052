import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { parseXml } from '../../src/media/xml.ts';
import { descendants, element, innerText, xmlTree } from '../../src/media/xml-tree.ts';

function events(source: string | Uint8Array): string[] {
  const seen: string[] = [];
  const refusal = parseXml(
    source,
    'a.xml',
    {
      open: (name, attributes) => void seen.push(`<${name} ${JSON.stringify(attributes)}`),
      close: (name) => void seen.push(`/${name}`),
      text: (text) => void seen.push(text),
    },
    limits,
  );
  if (refusal !== undefined) seen.push(refusal.what);
  return seen;
}

test('elements and attributes lose their prefixes, except those of relations', () => {
  const source =
    '<p:a xmlns:p="x" xmlns:rel="http://x/officeDocument/2006/relationships" id="1" rel:id="2" p:n="3">t&amp;&#65;<![CDATA[<c>]]></p:a>';
  expect(events(source)).toEqual(['<a {"id":"1","r:id":"2","n":"3"}', 't&A', '<c>', '/a']);
});

test.each<[string, Uint8Array]>([
  ['UTF-8 with a mark', Buffer.from('\ufeff<a>é</a>')],
  ['UTF-16', Buffer.from('\ufeff<a>é</a>', 'utf16le')],
  ['the encoding it declares', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')],
])('bytes are read as %s', (_what, bytes) => {
  expect(events(bytes)).toEqual(['<a {}', 'é', '/a']);
});

test('a reference to a DTD is passed over and never followed', () => {
  expect(events('<!DOCTYPE a PUBLIC "-//X" "http://example.com/a.dtd"><a/>')).toEqual(['<a {}', '/a']);
});

const laughs = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');

describe('XML that is refused', () => {
  test.each([
    ['its entities grow without end', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l10;</a>`, 'corrupt'],
    ['an entity names a file', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'corrupt'],
    ['it is nested too deeply', '<a>'.repeat(100_000), 'too-large'],
    ['it is not well formed', '<a><b></a>', 'corrupt'],
    ['it breaks off', '<a><b>', 'corrupt'],
    ['it is nothing', '', 'corrupt'],
  ])('because %s is refused quickly', (_why, source, code) => {
    const start = performance.now();
    expect(xmlTree(source, 'a.xml', limits)).toMatchObject({ ok: false, refusal: { code } });
    expect(performance.now() - start).toBeLessThan(100);
  });

  test('because it has too many elements', () => {
    const result = xmlTree(`<a>${'<b/>'.repeat(100)}</a>`, 'a.xml', { ...limits, xmlElements: 50 });
    expect(result).toMatchObject({ refusal: { code: 'too-large', limit: '50 elements' } });
  });
});

test('a tree is walked by names', () => {
  const tree = xmlTree('<a><b><c>1</c></b><c>2</c></a>', 'a.xml', limits);
  if (!tree.ok) throw new Error(tree.refusal.what);
  expect(innerText(element(tree.value, 'b', 'c'))).toBe('1');
  expect(descendants(tree.value, 'c').map(innerText)).toEqual(['1', '2']);
});
