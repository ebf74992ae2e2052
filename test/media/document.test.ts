// Documents through the doors: read, check, render, and on to a request.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assetId } from '../../src/asset/hash.ts';
import type { Asset } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { document } from '../../src/content/input.ts';
import { openIntake, read, render } from '../../src/media/index.ts';
import type { Reading, ReadOptions } from '../../src/media/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { schemaErrors } from '../judge/judge.ts';
import { archive, docx, line, openDocument, paragraph, pptx, shape } from './archive.ts';
import { corpus, corpusPath } from './corpus.ts';
import { file, plain } from './make.ts';

const assets = memoryAssets();
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const letter = docx(paragraph('Dear reader,') + paragraph('good bye.'));
const long = docx(Array.from({ length: 2000 }, (_, at) => paragraph(`Sentence number ${at + 1} is here.`)).join(''));

async function reading(source: Parameters<typeof read>[0], options: ReadOptions = {}): Promise<Reading> {
  const result = await read(source, { assets, ...options });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

async function refused(
  source: Parameters<typeof read>[0],
  options: ReadOptions = {},
): Promise<Record<string, unknown>> {
  const result = await read(source, { assets, ...options });
  return result.ok ? { code: 'read' } : result.refusal;
}

test('where a word may be divided is no letter of it', async () => {
  const word = docx(paragraph('Donau\u00ADdampf\u00ADschiff'));
  const { blocks } = await reading(word, { name: 'a.docx', as: 'text' });
  expect(blocks).toMatchObject([{ type: 'text', text: 'Donaudampfschiff' }]);
});

const drawing = (id: string): string => `<w:p><w:r><w:drawing><a:blip r:embed="${id}"/></w:drawing></w:r></w:p>`;
const notebook = JSON.stringify({
  cells: [{ cell_type: 'markdown', source: ['# Hi'] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

describe('a document', () => {
  test('gives its words as output and one block for the file', async () => {
    const text = 'Dear reader,\n\ngood bye.';
    expect(await reading(file('letter.docx', letter))).toEqual({
      output: text,
      blocks: [
        {
          type: 'document',
          asset: { id: assetId(letter), mediaType: wordType, size: letter.length, name: 'letter.docx' },
          origin: { source: 'letter.docx' },
        },
      ],
      data: {
        type: 'document',
        kind: 'docx',
        name: 'letter.docx',
        size: letter.length,
        characters: text.length,
        lines: 3,
        shown: [1, 3],
        asset: {
          id: assetId(Buffer.from(text)),
          mediaType: 'text/markdown',
          size: text.length,
          name: 'letter.docx.md',
        },
      },
    });
  });

  test.each([
    ['letter.doc', letter, 'docx'],
    ['letter.pdf', letter, 'docx'],
    ['slides.docx', pptx([{ shapes: shape(line('Hi'), 'title') }]), 'pptx'],
    ['text.zip', openDocument('text', '<text:p>Hi</text:p>'), 'odt'],
    ['slides.odt', openDocument('presentation', '<draw:page/>'), 'odp'],
  ])('called %s is what its bytes say', async (name, bytes, kind) => {
    expect((await reading(file(name, bytes))).data).toMatchObject({ type: 'document', kind });
    expect((await reading(bytes)).data).toMatchObject({ name: `document.${kind}` });
  });

  test.each([
    ['page.html', '<!doctype html><h1>Hi</h1><p>there', 'html', '# Hi'],
    ['table.csv', 'name,sum\nAnn,7\n', 'csv', '| Ann | 7 |'],
    ['table.tsv', 'name\tsum\nAnn\t7\n', 'tsv', '| Ann | 7 |'],
    ['book.ipynb', notebook, 'ipynb', '# Hi'],
    ['mail.eml', 'From: a@example.com\nSubject: Hi\n\nthere', 'eml', 'there'],
    ['letter.rtf', '{\\rtf1 Hi there}', 'rtf', 'Hi there'],
  ])('may be text: %s is read as Markdown, and as text its source is shown', async (name, source, kind, words) => {
    const path = file(name, source);
    expect(await reading(path)).toMatchObject({
      data: { type: 'document', kind },
      output: expect.stringContaining(words),
    });
    if (kind === 'rtf') return;
    expect((await reading(path, { as: 'text' })).output).toContain(source.trimEnd());
  });

  test('that is text of another kind stays text', async () => {
    expect((await reading(file('notes.ipynb', 'no notebook'))).data.type).toBe('text');
    expect((await reading(file('notes.txt', 'a,b\n1,2'))).data.type).toBe('text');
  });

  test('with slides says how many there are', async () => {
    const { blocks, data } = await reading(pptx([{ shapes: '' }, { shapes: shape(line('Hi')) }]), { name: 'a.pptx' });
    expect(blocks).toMatchObject([{ type: 'document', pages: 2 }]);
    expect(data).toMatchObject({ parts: { count: 2, unit: 'slides' } });
  });

  test('longer than one reading is cut with the note first, and can be read on', async () => {
    const { output, data } = await reading(long, { name: 'long.docx' });
    const note = /^\[Showing characters 1-(\d+) of (\d+), lines 1-(\d+) of 3999\. Use offset=(\d+) to continue/.exec(
      output,
    );
    expect(output.length).toBeLessThanOrEqual(30_720);
    expect(output.length).toBeGreaterThan(30_000);
    expect(Number(note?.[4])).toBe(Number(note?.[3]) + 1);
    const rest = await reading(long, { offset: Number(note?.[4]), limit: 2 });
    const seen = /number (\d+) is here\.$/.exec(output)?.[1];
    expect(rest.output).toContain(`Sentence number ${Number(seen) + 1} is here.`);
    if (data.type !== 'document') throw new Error('no document');
    const whole = Buffer.from((await assets.get(data.asset.id)) ?? []).toString();
    expect(whole.length).toBe(Number(note?.[2]));
    expect(whole).toContain('Sentence number 2000 is here.');
  });

  test('as text is its words alone; without any it says so', async () => {
    const words = await reading(letter, { as: 'text' });
    expect(words.blocks).toEqual([{ type: 'text', text: words.output }]);
    expect((await reading(docx(''), { name: 'empty.docx' })).output).toBe('[empty.docx has no words in it]');
  });

  test('brings its pictures when they are asked for', async () => {
    const red = await plain(8, 6).png().toBuffer();
    const links: [string, string, string][] = [
      ['a', 'image', 'media/red.png'],
      ['b', 'image', 'media/old.emf'],
    ];
    const bytes = docx(drawing('a') + drawing('b'), links, { 'media/red.png': red, 'media/old.emf': 'EMF?' });
    expect((await reading(bytes)).blocks.map(({ type }) => type)).toEqual(['document']);
    const { blocks, output } = await reading(bytes, { images: true, name: 'p.docx' });
    expect(output).toBe('![](red.png)\n\n![](old.emf)');
    expect(blocks).toMatchObject([
      { type: 'document' },
      { type: 'image', width: 8, height: 6, asset: { name: 'red.png' } },
      { type: 'text', text: '[the picture old.emf in p.docx is of no known kind and cannot be shown]' },
    ]);
    expect((await reading(bytes, { as: 'image' })).blocks.map(({ type }) => type)).toEqual(['image', 'text']);
    const few = await reading(bytes, { images: true, limits: { picturesPerRead: 1 } });
    const words =
      '[1 more picture in document.docx not shown; part with a name that its text has, such as "image3.png", shows one]';
    expect(few.blocks.at(-1)).toEqual({ type: 'text', text: words });
    expect(await refused(letter, { as: 'image' })).toMatchObject({ code: 'unsupported' });
  });
});

describe('a picture in a document', async () => {
  const red = await plain(40, 60).png().toBuffer();
  const links: [string, string, string][] = [
    ['a', 'image', 'media/red.png'],
    ['b', 'image', 'media/logo.png'],
  ];
  const body = drawing('a') + [1, 2, 3].map(() => drawing('b')).join('');
  const bytes = docx(body, links, { 'media/red.png': red, 'media/logo.png': red });

  test('has beside it the call that shows it; one that stands everywhere has it once', async () => {
    const { output } = await reading(bytes, { name: 'p.docx' });
    expect(output).toBe(
      '![](red.png) [part="red.png" shows it]\n\n![](logo.png) [part="logo.png" shows it]\n\n![](logo.png)\n\n![](logo.png)',
    );
  });

  test('is read by that call', async () => {
    const picture = await reading(bytes, { name: 'p.docx', part: 'red.png' });
    expect(picture.blocks).toMatchObject([{ type: 'image', width: 40, height: 60 }]);
    const slides = pptx(
      [
        {
          shapes:
            '<p:pic><p:nvPicPr><p:cNvPr id="1" name=""/></p:nvPicPr><p:blipFill><a:blip r:embed="a"/></p:blipFill></p:pic>',
          relations: [['a', 'image', '../media/red.png']],
        },
      ],
      { 'media/red.png': red },
    );
    expect((await reading(slides, { name: 'deck.pptx', part: 'red.png' })).blocks).toMatchObject([{ type: 'image' }]);
  });

  test('is told as one of those there are, when another is asked for', async () => {
    expect(await refused(bytes, { name: 'p.docx', part: 'blue.png' })).toMatchObject({
      code: 'not-found',
      next: 'Give one of red.png, logo.png.',
    });
  });

  test('has the call that shows it for a model that gets words alone', async () => {
    const { asset } = (await reading(bytes, { name: 'p.docx' })).blocks[0] as { asset: Asset };
    const words = await render({ to: 'text', asset }, { assets });
    expect(words).toMatchObject({
      ok: true,
      value: [
        {
          type: 'text',
          text: expect.stringMatching(/^!\[\]\(red\.png\) \[view_asset with picture="red\.png" shows it\]/),
        },
      ],
    });
  });

  test('of a page that lies elsewhere has none', async () => {
    const page = `<p>See <img src="a.png"> and <img src="data:image/png;base64,${red.toString('base64')}"></p>`;
    const { output } = await reading(Buffer.from(page), { name: 'p.html' });
    expect(output).toBe('See ![](a.png) and ![](picture-1.png) [part="picture-1.png" shows it]');
    const inside = await reading(Buffer.from(page), { name: 'p.html', part: 'picture-1.png' });
    expect(inside.blocks).toMatchObject([{ type: 'image', width: 40 }]);
  });
});

describe('a document that is refused', () => {
  test.each<[string, Uint8Array, ReadOptions, string, RegExp]>([
    [
      'too large',
      letter,
      { limits: { documentBytes: 100 } },
      'too-large',
      /^Document too large: bad\.docx, [\d,]+ bytes$/,
    ],
    ['cut off', letter.subarray(0, 900), {}, 'corrupt', /^bad\.docx is damaged/],
    [
      'a bomb',
      docx('', [], { 'media/bomb.bin': Buffer.alloc(64 * 1024 * 1024) }),
      {},
      'too-large',
      /^bad\.docx inflates/,
    ],
    ['just an archive', archive({ 'word/a.txt': 'x' }), {}, 'unsupported', /^bad\.docx is a zip archive/],
    [
      'an OLE2 file of no known kind',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1000)]),
      {},
      'unsupported',
      /OLE2/,
    ],
  ])('because it is %s is told why', async (_what, bytes, options, code, what) => {
    expect(await refused(file('bad.docx', bytes), options)).toMatchObject({ code, what: expect.stringMatching(what) });
  });
});

describe('at the intake a document', () => {
  const { check } = openIntake({ assets });

  test('becomes a block only when it could really be read', async () => {
    expect(await check(letter, { name: 'x.docx' })).toMatchObject({
      ok: true,
      value: { type: 'document', asset: { mediaType: wordType } },
    });
    expect(await check(letter.subarray(0, 900), { name: 'x.docx' })).toMatchObject({
      ok: false,
      refusal: { code: 'corrupt' },
    });
  });

  test('has its whole text as a rendition, and nothing else', async () => {
    const block = await check(long, { name: 'long.docx' });
    if (!block.ok || block.value.type !== 'document') throw new Error('no document');
    const { asset } = block.value;
    const text = await render({ to: 'text', asset }, { assets });
    expect(text).toMatchObject({
      ok: true,
      value: [{ type: 'text', text: expect.stringContaining('number 2000 is') }],
    });
    expect(await render({ to: 'pages', asset, maxEdge: 100 }, { assets })).toMatchObject({
      refusal: { code: 'unsupported' },
    });
    const short = await render({ to: 'text', asset }, { assets, limits: { documentCharacters: 1000 } });
    expect(short.ok && short.value[0]?.type === 'text' ? short.value[0].text : '').toMatch(
      /^\[Only the first 900 of [\d,]+ characters follow\.\]\n\nSentence number 1 is/,
    );
  });
});

test.each(['anthropic/claude-sonnet-4-5', 'openai-chat/gpt-4.1'])(
  'a document in a tool result reaches %s as text, never as a PDF',
  async (model) => {
    const request = await prepare(
      {
        messages: [
          { role: 'user', content: 'Read it.' },
          { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'read', input: {} }] },
          { role: 'tool', callId: 'c1', name: 'read', content: document(letter, { name: 'letter.docx' }) },
        ],
      },
      { model, assets },
    );
    const body = await request.json();
    expect(JSON.stringify(body)).toContain('Dear reader,\\n\\ngood bye.');
    expect(JSON.stringify(body)).not.toContain('application/pdf');
    expect(await schemaErrors(request.wire, body)).toEqual([]);
  },
);

describe.skipIf(corpus === undefined)('an Office file with a password', () => {
  const path = corpusPath('office/bug53475-password-is-pass.docx');

  test.each([
    [{}, 'bug53475-password-is-pass.docx is protected with a password'],
    [{ password: 'wrong' }, 'The password does not open bug53475-password-is-pass.docx'],
  ])('is refused with %j', async (options, what) => {
    expect(await refused(path, options)).toMatchObject({
      code: 'encrypted',
      what,
      next: expect.stringContaining('password'),
    });
  });

  test.each([
    ['office/password_password_cryptoapi.doc', 'password', 'This is a test'],
    ['office/password_tika_binaryrc4.doc', 'tika', 'This is an encrypted Word 2007 File.'],
    ['office/Password_Protected-hello.ppt', 'hello', 'It only has the one slide'],
    ['office/Password_Protected-56-hello.ppt', 'hello', 'It does have notes'],
  ])('of the old kind is opened and kept open: %s', async (sealed, password, words) => {
    expect(await refused(corpusPath(sealed), { password: 'wrong' })).toMatchObject({ code: 'encrypted' });
    const [block] = (await reading(corpusPath(sealed), { password })).blocks;
    if (block?.type !== 'document') throw new Error('no document');
    expect(block.origin).toMatchObject({ made: 'encryption removed' });
    const kept = Buffer.from((await assets.get(block.asset.id)) ?? []);
    const text = await reading(kept, { as: 'text' });
    expect(JSON.stringify(text.blocks)).toContain(words);
  });

  test('is kept without its encryption once it was opened', async () => {
    const { blocks, data } = await reading(path, { password: 'pass' });
    expect(data).toMatchObject({ kind: 'docx' });
    expect(blocks).toMatchObject([{ asset: { mediaType: wordType }, origin: { made: 'encryption removed' } }]);
    const block = blocks[0];
    if (block?.type !== 'document') throw new Error('no document');
    expect(block.asset.id).not.toBe(assetId(readFileSync(path)));
    const again = await reading(Buffer.from((await assets.get(block.asset.id)) ?? []));
    expect(again.data).toMatchObject({ kind: 'docx' });
  });
});
