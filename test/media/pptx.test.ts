import { describe, expect, test } from 'vitest';
import { limits } from '../../src/media/limits.ts';
import { readPptx } from '../../src/media/office/pptx.ts';
import type { Extract } from '../../src/media/document/reader.ts';
import { line, pptx, relations, shape, slidePart } from './archive.ts';

async function extracted(...presentation: Parameters<typeof pptx>): Promise<Extract> {
  const result = await readPptx(pptx(...presentation), { name: 'a.pptx', pictures: true, limits });
  if (!result.ok) throw new Error(result.refusal.what);
  return result.value;
}

const frame = (data: string): string =>
  `<p:graphicFrame><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></p:graphicFrame>`;
const cell = (words: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody>${line(words)}</a:txBody></a:tc>`;
const values = (...list: (string | number)[]): string =>
  list.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');

const numberedLine = (words: string, about: string, level = 0): string =>
  line(words, `<a:pPr lvl="${level}"><a:buAutoNum ${about}/></a:pPr>`);
const saidIn = (words: string): string => `<p188:txBody><a:bodyPr/>${words}</p188:txBody>`;
const diagramPoint = (id: string, text: string): string =>
  `<d:pt modelId="${id}"><d:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></d:t></d:pt>`;
const belongs = (to: string, id: string, order: number): string =>
  `<d:cxn modelId="${to}${id}" srcId="${to}" destId="${id}" srcOrd="${order}" destOrd="0"/>`;

describe('a presentation', () => {
  test('comes slide by slide in the order of the show, hidden slides marked', async () => {
    const { markdown, parts } = await extracted([
      { shapes: shape(line('sub'), 'subTitle') + shape(line('First'), 'ctrTitle') },
      { shapes: shape(line('Second'), 'title'), attributes: 'show="0"' },
      { shapes: '' },
    ]);
    expect(markdown).toBe('## Slide 1: First\n\nsub\n\n## Slide 2 (hidden): Second\n\n## Slide 3');
    expect(parts).toEqual({ count: 3, unit: 'slides' });
  });

  test('has bodies with levels, text boxes without bullets, and no page furniture', async () => {
    const body = line('one') + line('two', '<a:pPr lvl="1"/>') + line('plain', '<a:pPr><a:buNone/></a:pPr>');
    const numbered =
      line('a', '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>') +
      line('b', '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>');
    const { markdown } = await extracted([
      {
        shapes:
          shape(body, 'body') +
          shape(line('boxed<!-- -->') + numbered) +
          shape(line('7'), 'sldNum') +
          shape(line('2026'), 'dt'),
      },
    ]);
    expect(markdown).toBe('## Slide 1\n\n- one\n  - two\n\nplain\n\nboxed\n\n- a) a\n- b) b');
  });

  test('opens groups and takes the newer of two versions', async () => {
    const group = `<p:grpSp>${shape(line('in'))}<p:grpSp>${shape(line('deeper'))}</p:grpSp></p:grpSp>`;
    const versions = `<mc:AlternateContent><mc:Choice>${shape(line('new'))}</mc:Choice><mc:Fallback>${shape(line('old'))}</mc:Fallback></mc:AlternateContent>`;
    expect((await extracted([{ shapes: group + versions }])).markdown).toBe('## Slide 1\n\nin\n\ndeeper\n\nnew');
  });

  test('has tables, charts, diagrams, pictures, links, notes and comments', async () => {
    const grid = frame(
      `<a:tbl><a:tr>${cell('a', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl>`,
    );
    const picture =
      '<p:pic><p:nvPicPr><p:cNvPr id="3" name="x" descr="A plan"/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill></p:pic>';
    const linked = shape('<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>site</a:t></a:r></a:p>');
    const { markdown, pictures } = await extracted(
      [
        {
          shapes: grid + frame('<c:chart r:id="c"/>') + frame('<dgm:relIds r:dm="d"/>') + picture + linked,
          relations: [
            ['c', 'chart', '../charts/chart1.xml'],
            ['d', 'diagramData', '../diagrams/data1.xml'],
            ['i', 'image', '../media/image1.png'],
            ['l', 'hyperlink', 'https://example.com', true],
            ['n', 'notesSlide', '../notesSlides/notes1.xml'],
            ['k', 'comments', '../comments/comment1.xml'],
          ],
        },
      ],
      {
        'charts/chart1.xml': `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea><c:barChart>
          <c:ser><c:tx>${values('North')}</c:tx><c:cat>${values('Q1', 'Q2')}</c:cat><c:val>${values(3, 4)}</c:val></c:ser>
          <c:ser><c:tx>${values('South')}</c:tx><c:val>${values(5)}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
        'diagrams/data1.xml':
          '<d:dataModel xmlns:d="d" xmlns:a="a"><d:pt><d:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></d:t></d:pt><d:pt><d:t><a:p><a:r><a:t>Do</a:t></a:r></a:p></d:t></d:pt></d:dataModel>',
        'media/image1.png': Buffer.from('picture'),
        'notesSlides/notes1.xml': slidePart(
          'notes',
          shape(line('1'), 'sldNum') + shape(line('Smile.') + line('Then stop.'), 'body'),
        ),
        'comments/comment1.xml': '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>Too long?</p:text></p:cm></p:cmLst>',
      },
    );
    expect(markdown).toBe(
      [
        '## Slide 1',
        '| a |  |\n| --- | --- |\n| 1 | 2 |',
        '[bar chart: Sales]\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 3 | 5 |\n| Q2 | 4 |  |',
        '- Plan\n- Do',
        '![A plan](image1.png)',
        '[site](https://example.com)',
        '> Notes: Smile.\n> Then stop.',
        '> Comment: Too long?',
      ].join('\n\n'),
    );
    expect(pictures).toEqual([{ name: 'image1.png', bytes: Buffer.from('picture') }]);
  });

  test('counts anew where its numbers change their kind or begin elsewhere', async () => {
    const body = [
      numberedLine('a', 'type="arabicPeriod"'),
      numberedLine('b', 'type="arabicPeriod"'),
      numberedLine('c', 'type="alphaLcParenR"', 1),
      numberedLine('d', 'type="arabicPeriod"'),
      numberedLine('e', 'type="arabicPeriod" startAt="7"'),
      numberedLine('f', 'type="arabicPeriod" startAt="7"'),
      numberedLine('g', 'type="romanUcPeriod"'),
    ].join('');
    expect((await extracted([{ shapes: shape(body, 'body') }])).markdown).toBe(
      '## Slide 1\n\n1. a\n2. b\n   - a) c\n3. d\n7. e\n8. f\n- I. g',
    );
  });

  test('has conversations in comments, each word by the one who wrote it', async () => {
    const conversation = `<p188:cmLst xmlns:p188="p188" xmlns:a="a"><p188:cm id="{1}" authorId="{A}"><p188:replyLst><p188:reply id="{2}" authorId="{B}">${saidIn(line('No, fine.'))}</p188:reply></p188:replyLst>${saidIn('<a:p><a:r><a:t>Too lo</a:t></a:r><a:r><a:t>ng?</a:t></a:r></a:p>')}</p188:cm></p188:cmLst>`;
    const { markdown } = await extracted(
      [{ shapes: '', relations: [['k', 'comments', '../comments/modernComment_1.xml']] }],
      {
        'comments/modernComment_1.xml': conversation,
        '_rels/presentation.xml.rels': relations(
          ['rId1', 'slide', 'slides/slide1.xml'],
          ['a', 'authors', 'authors.xml'],
        ),
        'authors.xml':
          '<p188:authorLst xmlns:p188="p188"><p188:author id="{A}" name="Ann"/><p188:author id="{B}" name="Bob"/></p188:authorLst>',
      },
    );
    expect(markdown).toBe('## Slide 1\n\n> Comment: Ann: Too long?\n\n> Comment: Bob: No, fine.');
  });

  test('has the points of a diagram in their order and below those they belong to', async () => {
    const data = `<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt modelId="0" type="doc"/>${diagramPoint('1', 'Sales')}${diagramPoint('2', 'Board')}${diagramPoint('3', 'Export')}${diagramPoint('4', 'Home')}${diagramPoint('5', 'Works')}<d:pt modelId="9" type="pres"/></d:ptLst><d:cxnLst>${belongs('2', '5', 1)}${belongs('2', '1', 0)}${belongs('1', '3', 1)}${belongs('1', '4', 0)}${belongs('0', '2', 0)}<d:cxn modelId="p" type="presOf" srcId="5" destId="9" srcOrd="0" destOrd="0"/></d:cxnLst></d:dataModel>`;
    const { markdown } = await extracted(
      [{ shapes: frame('<dgm:relIds r:dm="d"/>'), relations: [['d', 'diagramData', '../diagrams/data1.xml']] }],
      { 'diagrams/data1.xml': data },
    );
    expect(markdown).toBe('## Slide 1\n\n- Board\n  - Sales\n    - Home\n    - Export\n  - Works');
  });

  test('with a slide that is damaged names it and reads the others', async () => {
    const { markdown } = await extracted([{ shapes: '</wrong>' }, { shapes: shape(line('Fine'), 'title') }]);
    expect(markdown).toBe(
      '## Slide 1 (could not be read)\n\n## Slide 2: Fine\n\n[slide2.xml in this file could not be read]',
    );
  });
});
