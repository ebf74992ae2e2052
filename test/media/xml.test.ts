import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { parseXml } from '../../src/media/xml/index.ts';
import { scanXml, XmlFault } from '../../src/media/xml/scan.ts';
import { descendants, element, innerText, xmlTree } from '../../src/media/xml/tree.ts';
import { cpuMs } from '../cpu.ts';

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
  ])('because %s is refused without much work', async (_why, source, code) => {
    const taken = await cpuMs(() =>
      expect(xmlTree(source, 'a.xml', limits)).toMatchObject({ ok: false, refusal: { code } }),
    );
    expect(taken).toBeLessThan(1000);
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

/** What another parser says about the same XML: its events, or nothing where it is not well formed. */
function judged(source: string): string[] | undefined {
  const seen: string[] = [];
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    seen.push(`<${name} ${JSON.stringify(Object.entries(attributes))}`);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    seen.push(`/${name}`);
  });
  parser.on('text', (text) => void (depth > 0 && addText(seen, text)));
  parser.on('cdata', (text) => addText(seen, text));
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(source).close();
    return seen;
  } catch {
    return undefined;
  }
}

function scanned(source: string): string[] | undefined {
  const seen: string[] = [];
  try {
    scanXml(source, {
      open: (name, attributes) => void seen.push(`<${name} ${JSON.stringify(pairs(attributes))}`),
      close: (name) => void seen.push(`/${name}`),
      text: (text) => addText(seen, text),
    });
    return seen;
  } catch (error) {
    if (error instanceof XmlFault) return undefined;
    throw error;
  }
}

function pairs(list: readonly string[]): string[][] {
  return Array.from({ length: list.length / 2 }, (_, at) => list.slice(at * 2, at * 2 + 2));
}

/** Words that follow each other are one text, in however many pieces they come. */
function addText(seen: string[], text: string): void {
  if (text === '') return;
  const joins = seen.at(-1)?.startsWith('"') === true;
  seen.push(`"${joins ? seen.pop()?.slice(1) : ''}${text}`);
}

const wholes = [
  '<a>x</a>',
  '<a b="1" c=\'2\t3\'><!-- x --><b/>t&amp;&#x41;<![CDATA[y<]]>z<?go on?></a>',
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<!DOCTYPE a PUBLIC "x" "y"><a>\r\n<é:ö ü="&lt;"/></a >\n<!-- end -->',
];
const scraps =
  '< > & ; " \' / = ]]> <!-- --> -- <? ?> <![CDATA[ &amp; &#65; &#x0; &#xd800; &#1114112; &nope; &constructor; \u0001 × : <a> </a> <a/> <!DOCTYPE ! - \ufeff \u{10000} 1 .'
    .split(' ')
    .concat(' ', '\n', '\r', ' b="1"', '<!DOCTYPE a>', '<?xml version="1.0"?>');

test('damaged XML is taken or refused as another parser does it', () => {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  let taken = 0;
  for (let round = 0; round < 6000; round += 1) {
    let source = wholes[round % wholes.length] ?? '';
    for (let left = next(3); left >= 0; left -= 1) {
      const at = next(source.length + 1);
      source = source.slice(0, at) + (next(3) === 0 ? '' : scraps[next(scraps.length)]) + source.slice(at + next(3));
    }
    if (/<\?[^\s?>]+\?[^>]/.test(source)) continue; // the other parser is too lenient here
    const expected = judged(source);
    if (expected !== undefined) taken += 1;
    expect(scanned(source), source).toEqual(expected);
  }
  expect(taken).toBeGreaterThan(300);
});

test.each([
  ['spaces in a tag', `<a${' '.repeat(2_000_000)}<`],
  ['attributes', `<a ${Array.from({ length: 20_000 }, (_, at) => `b${at}="1"`).join(' ')}/>`],
  ['references', `<a>${'&amp;'.repeat(30_000)}</a>`],
  ['a declaration', `<!DOCTYPE a ${'b'.repeat(2_000_000)}`],
  ['a comment', `<a><!--${'- '.repeat(1_000_000)}`],
])('endless %s take no endless time', async (_what, source) => {
  expect(await cpuMs(() => events(source))).toBeLessThan(2000);
});
