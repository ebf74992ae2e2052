// Words of a model as a page shows them: formulas typeset, lists in lists, and nothing from outside as markup.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { prose } from '../../src/page/prose.ts';
import { cpuMs } from '../cpu.ts';

test.each([
  ['$e^{i\\pi}$', '<msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup>'],
  [String.raw`\(\frac{a}{b}\)`, '<mfrac><mi>a</mi><mi>b</mi></mfrac>'],
  ['$$\nx_1^2\n$$', '<math display="block"><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>'],
  [String.raw`\[ \sum_{n=1}^\infty n \]`, '<munderover><mo>∑</mo>'],
  [String.raw`$\sqrt[3]{8}$`, '<mroot><mn>8</mn><mn>3</mn></mroot>'],
  [String.raw`$\text{if } \mathbb{R}$`, '<mtext>if\u{A0}</mtext><mi mathvariant="normal">ℝ</mi>'],
  [String.raw`$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$`, '</mtr><mtr><mtd class="center"><mi>c</mi></mtd>'],
  [String.raw`$\left( \frac{1}{2} \right)$`, '<mo fence="true" stretchy="true">(</mo><mfrac><mn>1</mn>'],
  ['- the $n$th', '<li>the <math><mi>n</mi></math>th</li>'],
])('%s is typeset', (text, shown) => {
  expect(prose(text).html).toContain(shown);
});

test.each([
  'It costs $5 and $10.',
  'between $100-US$200',
  'cp $HOME/$USER',
  '`$x$`',
  String.raw`$\unknown{x}$`,
  '$\\frac{1$',
  '$$\nnever closed',
])('%s stays as it was written', (text) => {
  const shown = prose(text).html;
  expect(shown).not.toContain('<math');
  expect(shown.replaceAll(/<[^>]+>/g, '')).toContain(text.replaceAll('`', '').split('\n')[0]);
});

test('lists lie in lists, with their numbers, words and code', () => {
  const text = '3. One\n   - a\n     1. deep\n   - b\n     goes on\n\n4. Two\n   ```\n   code\n   ```\n- other';
  expect(prose(text).html).toBe(
    '<ol start="3"><li>One<ul><li>a<ol><li>deep</li></ol></li><li>b goes on</li></ul></li>' +
      '<li>Two<pre><code>code</code></pre></li></ol><ul><li>other</li></ul>',
  );
});

/** A list whose item goes on behind so many empty lines. */
const list = (lines: number): string => `- a\n${'\n'.repeat(lines)}  more`;

test('empty lines in a list cost no more than they are long', async () => {
  expect(prose(list(1)).html).toBe(prose(list(2)).html);
  prose(list(100));
  expect(await cpuMs(() => prose(list(60_000)))).toBeLessThan(1500); // a few hundredths of it; it was 10 seconds
});

test('whatever is written, only our own tags are tags, every word is there, and it ends', () => {
  const pieces = [
    '- ',
    '  ',
    '1. ',
    '> ',
    '$',
    '$$',
    '\\[',
    '\\frac',
    '{',
    '}',
    '&',
    '\\\\',
    '\n',
    '<b>',
    'x',
    '^',
    '```',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (words) => {
      const { html } = prose(words.join(''));
      expect(html).not.toContain('<b>');
      const text = html.replaceAll(/<[^>]+>/g, '');
      expect((text.match(/&lt;b&gt;/g) ?? []).length).toBe(words.filter((word) => word === '<b>').length);
    }),
  );
  for (const text of ['>'.repeat(50_000), '- '.repeat(20_000), `$${'{'.repeat(3000)}$`, '$x$ '.repeat(2000)])
    expect(prose(text).html.length).toBeGreaterThan(0);
});
