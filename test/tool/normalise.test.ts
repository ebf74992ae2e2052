// Whatever a tool returns becomes one result: nothing lost, nothing invented, no picture as letters.
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import type { Intake } from '../../src/content/intake.ts';
import { emptyResult } from '../../src/content/words.ts';
import { audio, document, image, text } from '../../src/content/input.ts';
import { normaliseResult as normaliseThrough } from '../../src/tool/normalise.ts';
import type { ToolResult } from '../../src/tool/result.ts';
import type { Sample } from './samples.ts';
import {
  animation,
  base64,
  dataUri,
  holds,
  kinds,
  otherPicture,
  paper,
  photo,
  picture,
  sound,
  urlSafe,
  web,
  wrapped,
} from './samples.ts';
import { leaves, mark, mediaOf, shape, wordsOf } from './shape.ts';
import { openTestIntake } from './test-intake.ts';

const normalise = (value: unknown): Promise<ToolResult> => normaliseThrough(value, openTestIntake().intake);

function jsonIn(result: ToolResult): unknown {
  const [first] = result.content;
  return first?.type === 'text' ? JSON.parse(first.text) : undefined;
}

describe('a string', () => {
  test.each([
    'plain words',
    '  spaces around  ',
    'two\nlines\r\n',
    'ünïcödé 😀 \u202e',
    '{ "a" : 1,\n "a" : 2 }',
    '[1, 2',
    '["a","b"]',
    '{"success":true,"path":"a.png","message":"Image saved"}',
    'null',
    'undefined',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>',
    'data:image/png;base64,',
    '{"type":"text","text":"a quoted block"}',
  ])('%j is kept letter for letter', async (value) => {
    expect(await normalise(value)).toEqual({ content: [{ type: 'text', text: value }] });
  });

  test('with half a character in it is made well-formed', async () => {
    const [words = ''] = shape(await normalise('a\ud83d b'));
    expect(words.isWellFormed()).toBe(true);
  });
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty string', ''],
  ['white space', ' \n\t'],
  ['an empty list', []],
  ['an empty text block', { type: 'text', text: '' }],
  [
    'a list of empty text blocks',
    [
      { type: 'text', text: '' },
      { type: 'text', text: '\n' },
    ],
  ],
  ['an empty result', { content: [] }],
  ['an empty outcome', { success: true, output: '' }],
  ['a picture result without picture', { output: '', error: '', base64_image: '', system: null }],
])('%s says that there was no output', async (_name, value) => {
  expect(shape(await normalise(value))).toEqual([emptyResult]);
});

test.each([
  [0, '0'],
  [false, 'false'],
  [12345678901234567890n, '12345678901234567890'],
])('the plain value %s is its words', async (value, wanted) => {
  expect(shape(await normalise(value))).toEqual([wanted]);
});

describe('data that only looks like something else reaches the model whole, as JSON:', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['a list of strings', ['a', 'b']],
    [
      'rows of numbers',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['a list of numbers', [1, 2]],
    ['a list with null', [null, { type: 'text', text: 'x' }]],
    ['a nested object', { a: { b: null, c: [true, { d: 'e' }] } }],
    ['an object with a type', { type: 'user', name: 'Ada' }],
    ['a list of objects with a type', [{ type: 'user', name: 'Ada' }]],
    [
      'blocks beside something else',
      [
        { type: 'text', text: 'hi' },
        { type: 'user', name: 'Ada' },
      ],
    ],
    ['a text block without text', { type: 'text' }],
    ['a text block with a number', { type: 'text', text: 5 }],
    ['an image without data', { type: 'image', alt: 'A cat' }],
    ['a Result of a library', { ok: true, value: { id: 7, name: 'Ada' } }],
    ['a failed Result of a library', { ok: false, error: 'no such user' }],
    ['a page of results', { content: [], total: 0, page: 2 }],
    ['content that is not blocks', { content: [{ id: 1 }], total: 1 }],
    ['an e-mail with attachments', { subject: 'Hello', body: 'words', attachments: [{ filename: 'a.pdf', size: 10 }] }],
    ['a ticket without attachment', { id: 5, title: 'Broken', attachment: null }],
    ['a telephone call', { type: 'call', id: 'c1', name: 'Bob', minutes: 30 }],
    ['a call of a model', { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } }],
    ['a thought of a model', { type: 'thinking', text: 'hm' }],
    ['a sealed item', { type: 'sealed', seal: { wire: 'w', endpoint: 'e', model: 'm', item: 1 } }],
    ['a list of thoughts', [{ type: 'reasoning', text: 'hm' }]],
    [
      'a folder on a code host',
      [{ type: 'file', name: 'README.md', path: 'README.md', sha: 'abc', url: 'https://api.example.com/x' }],
    ],
    [
      'a file on a code host',
      {
        type: 'file',
        name: 'a.ts',
        url: 'https://api.example.com/x',
        encoding: 'base64',
        content: 'Y29uc3QgYSA9IDE7Cg==',
      },
    ],
    ['videos found by a search', [{ type: 'video', title: 'Cats', url: 'https://example.com/1', views: 10 }]],
    ['a key that objects inherit', JSON.parse('{"__proto__":{"a":1},"constructor":2,"b":3}')],
    ['keys with odd names', { '': 1, 'a b': 2, length: 3, toString: 'x' }],
    ['the JSON of a buffer that is none', { type: 'Buffer', data: ['a'] }],
  ];

  test.each(rows)('%s', async (_name, value) => {
    const result = await normalise(value);
    expect(result.content.map((block) => block.type)).toEqual(['text']);
    expect(jsonIn(result)).toEqual(value);
  });
});

function fails(): never {
  throw new Error('no');
}

/** What a `fetch` that is not the platform's gives for a picture. */
function fetched(ok: boolean): object {
  const body = new PassThrough();
  body.end(picture.bytes);
  const status = ok ? 200 : 404;
  return Object.create({ ok, status, statusText: 'As it went', bodyUsed: false, body, arrayBuffer: fails }) as object;
}

describe('a value that JSON cannot hold', () => {
  class Point {
    x = 1;
    #secret = 2;
    get sum(): number {
      return this.x + this.#secret;
    }
  }
  const circle: Record<string, unknown> = { name: 'circle' };
  circle['self'] = circle;
  const broken = {
    toJSON(): never {
      throw new Error('no');
    },
  };
  const form = new FormData();
  form.append('key', 'value');
  form.append('key', 'other');
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a circle', circle, ['circle']],
    ['a bigint inside', { n: 12345678901234567890n }, ['12345678901234567890']],
    ['a date', new Date(0), ['1970-01-01T00:00:00.000Z']],
    ['a date inside', { at: new Date(0) }, ['1970-01-01T00:00:00.000Z']],
    ['a URL', new URL('https://example.com/x'), ['https://example.com/x']],
    ['a map', new Map([['key', 'value']]), ['key', 'value']],
    ['a form', form, ['key', 'value', 'other']],
    ['a query inside', { query: new URLSearchParams('key=value') }, ['key', 'value']],
    ['a map inside', { map: new Map([['key', { deep: 'value' }]]) }, ['key', 'deep', 'value']],
    ['a set', new Set(['first', 'second']), ['first', 'second']],
    ['a set inside', { set: new Set(['first', 'second']) }, ['first', 'second']],
    ['an error inside', { cause: new Error('disk full') }, ['disk full']],
    ['an instance of a class', new Point(), ['"x"']],
    ['a part whose toJSON throws', { kept: 'words', broken }, ['words']],
    [
      'a part whose getter throws',
      {
        kept: 'words',
        get bad(): string {
          throw new Error('no');
        },
      },
      ['words'],
    ],
    ...['type', 'next', 'pipe', 'data', 'toJSON'].map((name): readonly [string, unknown, readonly string[]] => [
      `a part whose "${name}" throws`,
      { kept: 'words', list: [Object.defineProperty({}, name, { get: fails, enumerable: true })] },
      ['words'],
    ]),
    ['an object without prototype', Object.assign(Object.create(null) as object, { kept: 'words' }), ['words']],
    ['an object of its own that cannot be written', Object.assign(Object.create(null) as object, broken), []],
    ['a function', { run: (): number => 1, kept: 'words' }, ['words']],
  ];

  test.each(rows)('still reaches the model as words: %s', async (_name, value, wanted) => {
    const result = await normalise(value);
    for (const part of wanted) expect(wordsOf(result)).toContain(part);
    expect(wordsOf(result)).not.toContain('[object');
  });

  test('may be nested twenty thousand deep', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 20_000; level++) deep = level % 2 === 0 ? [deep] : { deep };
    expect(wordsOf(await normalise(deep))).not.toBe('');
  });

  test('may be a response whose body was already read', async () => {
    const response = new Response('words');
    await response.text();
    expect(wordsOf(await normalise(response))).not.toBe('');
    expect(wordsOf(await normalise({ title: 'A page', response }))).toMatch(
      /"title": "A page",\s+"response": "\[not shown: Its bytes could not be read: the response was read before\. /,
    );
  });

  test('may be a response of another fetch than that of the platform', async () => {
    expect(mediaOf(await normalise(fetched(true)))).toEqual([picture.id]);
    expect(mediaOf(await normalise({ page: 'home', shot: fetched(true) }))).toEqual([picture.id]);
    expect(await normalise(fetched(false))).toMatchObject({ isError: true });
  });

  test('may be a stream without an end, of which no more is read than a result can hold', async () => {
    const frame = new Uint8Array(16_000_000);
    let letGo = false;
    const camera = new ReadableStream({ pull: (out) => out.enqueue(frame), cancel: () => void (letGo = true) });
    expect(await normalise(camera)).toEqual({
      content: [{ type: 'text', text: 'Error: the result of the tool could not be read: more than 256 MB came out of its stream. Return a part of it' }],
      isError: true,
    }); // prettier-ignore
    await expect.poll(() => letGo).toBe(true);
  });

  test('may hold itself in the place of its words', async () => {
    const result: Record<string, unknown> = { success: true };
    result['output'] = result;
    expect(jsonIn(await normalise(result))).toEqual({ success: true, output: '[circular]' });
    const outer: Record<string, unknown> = { attachments: [{ mime_type: 'image/png', content: picture.bytes }] };
    outer['text'] = { success: true, output: outer };
    expect(mediaOf(await normalise(outer))).toContain(picture.id);
  });

  test('may hold bytes that went to another thread, or a file that has changed', async () => {
    const sent = new Uint8Array(picture.bytes);
    structuredClone(sent, { transfer: [sent.buffer] });
    expect(await normalise(sent)).toMatchObject({ isError: true });
    expect(wordsOf(await normalise(sent))).toContain('handed on to another thread');
    const folder = mkdtempSync(join(tmpdir(), 'normalise-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'a.png');
    writeFileSync(path, picture.bytes);
    const file = await openAsBlob(path);
    writeFileSync(path, 'something else');
    const words = wordsOf(await normalise({ title: 'A page', shots: [sent, file] }));
    expect(words).toContain('A page');
    expect(words.match(/Its bytes could not be read: /g)).toHaveLength(2);
  });

  test('may stand among stored blocks', async () => {
    const result = await normalise({ success: true, output: 'words', content_blocks: [{ n: 1n }, circle] });
    expect(wordsOf(result)).toContain('words');
  });
});

describe('bytes', () => {
  const { bytes } = picture;
  const whole = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
  const forms: readonly (readonly [string, unknown])[] = [
    ['a Buffer', bytes],
    ['a Uint8Array', new Uint8Array(bytes)],
    ['a view into a larger buffer', new Uint8Array(whole.buffer, whole.byteOffset + 6, bytes.length)],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
    ['a DataView', new DataView(new Uint8Array(bytes).buffer)],
    ['clamped bytes', new Uint8ClampedArray(bytes)],
    ['a Blob', new Blob([new Uint8Array(bytes)])],
    ['a Blob with a wrong type', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })],
    ['a Response', new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/png' } })],
    ['a Response without a type', new Response(new Uint8Array(bytes))],
    ['a Buffer that went through JSON', JSON.parse(JSON.stringify(bytes))],
  ];

  test.each(forms)('as %s become a picture with words before it', async (_name, value) => {
    expect(shape(await normalise(value))).toEqual(['[image "image.png" 3×2]', mark(picture)]);
  });

  test.each(forms.filter(([, value]) => !(value instanceof Response)))(
    'as %s are found inside an object',
    async (_name, value) => {
      const result = await normalise({ page: 'home', shot: value });
      expect(mediaOf(result)).toEqual([picture.id]);
      expect(wordsOf(result)).toContain('home');
      expect(wordsOf(result).length).toBeLessThan(200);
    },
  );

  test('of a file keep its name, made harmless', async () => {
    const result = await normalise(new File([new Uint8Array(bytes)], '/tmp/x/evil"]\n.png'));
    expect(shape(result)[0]).toMatch(/^\[image "[^"[\]\n/]*evil[^"[\]\n/]*" 3×2\]$/);
    expect(mediaOf(result)).toEqual([picture.id]);
  });

  test.each(kinds)('of a %s are known by themselves, whatever holds them', async (_name, one) => {
    const { intake, assets } = openTestIntake();
    const result = await normaliseThrough(new Uint8Array(one.bytes), intake);
    expect(shape(result).slice(1)).toEqual([mark(one)]);
    expect(Buffer.from((await assets.get(one.id)) ?? []).equals(one.bytes)).toBe(true);
  });

  test.each([
    ['a Buffer', Buffer.from('hello wörld\n')],
    ['a Uint8Array', new TextEncoder().encode('hello wörld\n')],
    ['a Blob', new Blob(['hello wörld\n'], { type: 'text/plain' })],
    ['a Blob without a type', new Blob(['hello wörld\n'])],
    ['a text Response', new Response('hello wörld\n')],
    ['a Response without a type', new Response(new TextEncoder().encode('hello wörld\n'))],
    [
      'a JSON Response of an API',
      new Response('hello wörld\n', { headers: { 'content-type': 'application/vnd.api+json' } }),
    ],
    [
      'a Response of a problem',
      new Response('hello wörld\n', { headers: { 'content-type': 'application/problem+json' } }),
    ],
    [
      'a Response in capitals',
      new Response('hello wörld\n', { headers: { 'content-type': 'Text/Plain; charset=utf-8' } }),
    ],
  ])('that are text are shown as text: %s', async (_name, value) => {
    expect(shape(await normalise(value))).toEqual(['hello wörld\n']);
  });

  test.each([
    ['at the top', (junk: Uint8Array): unknown => junk],
    ['inside an object', (junk: Uint8Array): unknown => ({ list: [{ junk }] })],
    ['as a Blob', (junk: Uint8Array): unknown => new Blob([new Uint8Array(junk)])],
  ])('that nobody can be shown are kept and named, %s', async (_name, wrap) => {
    const { intake, assets } = openTestIntake();
    const junk = Uint8Array.from({ length: 300 }, (_, at) => (at * 151) % 256);
    const { id } = await openTestIntake().assets.put(junk, { mediaType: 'x/y' });
    const result = await normaliseThrough(wrap(junk), intake);
    expect(mediaOf(result)).toEqual([]);
    expect(wordsOf(result)).toContain(`300 bytes, asset ${id.slice(7, 15)}`);
    expect(await assets.missing([id])).toEqual(new Set());
  });
});

const anthropic = (one: Sample): unknown => ({
  type: one.kind,
  source: { type: 'base64', media_type: one.mediaType, data: base64(one) },
});
const words = (value: string): unknown => ({ type: 'text', text: value });

describe('blocks', () => {
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['one block', anthropic(picture), ['[image "image.png" 3×2]', mark(picture)]],
    ['one text block', words('hi'), ['hi']],
    ['text, then image', [words('Screenshot:'), anthropic(picture)], ['Screenshot:', mark(picture)]],
    ['image, then text', [anthropic(picture), words('That was it.')], [mark(picture), 'That was it.']],
    [
      'pictures between words',
      [words('Comparison'), words('\n**Page 1**'), anthropic(picture), words('\n**Page 2**'), anthropic(photo)],
      ['Comparison', '\n**Page 1**', mark(picture), '\n**Page 2**', mark(photo)],
    ],
    ['strings beside blocks', ['before', image(picture.bytes), 'after'], ['before', mark(picture), 'after']],
    ['our own loose blocks', [text('a'), document({ data: base64(paper) })], ['a', mark(paper)]],
    ['sound', [text('a'), audio(sound.bytes)], ['a', mark(sound)]],
    [
      'parts of other APIs',
      [
        { type: 'input_text', text: 'a' },
        { type: 'image_url', image_url: { url: dataUri(photo) } },
        { inlineData: { mimeType: 'image/webp', data: base64(web) } },
      ],
      ['a', mark(photo), mark(web)],
    ],
    ['the JSON text of blocks', JSON.stringify([words('a'), anthropic(picture)]), ['a', mark(picture)]],
    ['the JSON text of one block', JSON.stringify(anthropic(photo)), ['[image "image.jpeg" 6×5]', mark(photo)]],
    ['a result with blocks', { content: [text('a'), image(picture.bytes)] }, ['a', mark(picture)]],
    ['a result with a string', { content: 'words' }, ['words']],
    ['a result with strings and blocks', { content: ['a', image(picture.bytes)] }, ['a', mark(picture)]],
  ];

  test.each(rows)('are content, in their order: %s', async (_name, value, wanted) => {
    const result = await normalise(value);
    expect(shape(result)).toEqual(wanted);
    expect(result.isError).toBeUndefined();
  });

  test('keep the words and wishes of their author', async () => {
    const result = await normalise([
      text('a'),
      image(picture.bytes, { fallback: 'A cat', detail: 'low', name: 'cat.png' }),
      document(paper.bytes, { range: [0, 1], fallback: 'Terms' }),
    ]);
    expect(result.content.slice(1)).toMatchObject([
      { type: 'image', fallback: 'A cat', detail: 'low', asset: { name: 'cat.png' } },
      { type: 'document', fallback: 'Terms', range: [0, 1] },
    ]);
  });

  test('that were checked before pass unchanged', async () => {
    const { intake } = openTestIntake();
    const first = await normaliseThrough([text('a'), image(picture.bytes, { fallback: 'A cat' })], intake);
    expect(await normaliseThrough(first, intake)).toEqual(first);
    expect(await normaliseThrough(first.content, intake)).toEqual(first);
  });

  test('by path are read through the intake', async () => {
    const { intake } = openTestIntake({ 'out/shot.png': picture.bytes });
    expect(shape(await normaliseThrough([text('a'), image({ path: 'out/shot.png' })], intake))).toEqual([
      'a',
      mark(picture),
    ]);
  });

  test('that lie elsewhere stay what they are, with their names', async () => {
    const { content } = await normalise(image({ url: 'https://example.com/1', name: 'cat.png' }));
    expect(content).toMatchObject([
      { type: 'text', text: '[image "cat.png" at example.com]' },
      { type: 'reference', kind: 'image', at: { url: 'https://example.com/1' }, name: 'cat.png' },
    ]);
  });

  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['a path that does not exist', image({ path: 'gone.png' }), /gone\.png/],
    ['data that is no base64', image({ data: '***', name: 'cat.png' }), /not base64/],
    ['bytes that are no picture', image({ data: 'aGVsbG8gd29ybGQ=' }), /no medium/],
    ['words of its author', image({ path: 'gone.png', fallback: 'A sleeping cat' }), /A sleeping cat/],
  ];

  test.each(refused)('that are refused leave words that name them and say why: %s', async (_name, block, wanted) => {
    const result = await normalise([text('before'), block, text('after')]);
    expect(shape(result)).toMatchObject(['before', expect.stringMatching(wanted), 'after']);
    expect(mediaOf(result)).toEqual([]);
  });
});

describe('the results of other frameworks', () => {
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['an outcome', { success: true, output: 'Done.', data: { n: 1 }, files_changed: [] }, ['Done.']],
    [
      'an outcome with blocks',
      { success: true, output: 'Done.', content_blocks: [image({ data: base64(picture) })] },
      ['Done.', mark(picture)],
    ],
    [
      'an outcome in camel case',
      { success: true, output: 'Done.', contentBlocks: [image({ data: base64(picture) })] },
      ['Done.', mark(picture)],
    ],
    [
      'text with attachments',
      {
        text: 'Two files',
        attachments: [
          { mime_type: 'image/png', content: picture.bytes, description: 'A cat' },
          { mime_type: 'application/pdf', content: paper.bytes },
        ],
      },
      ['Two files', mark(picture), mark(paper)],
    ],
    [
      'text with one attachment',
      { text: 'Retrieved', attachment: { mime_type: 'image/png', content: base64(picture) } },
      ['Retrieved', mark(picture)],
    ],
    [
      'an attachment that did not come',
      { text: 'Retrieved', attachment: { mime_type: 'image/png', content: null, description: 'A cat' } },
      ['Retrieved', '[image not shown: it came without content and path. Return its bytes.]\nA cat'],
    ],
    [
      'an attachment with a wrong type',
      { text: 'Retrieved', attachment: { mime_type: 'image/png', content: paper.bytes } },
      ['Retrieved', mark(paper)],
    ],
    ['a screenshot', { output: 'Screenshot taken', base64Image: base64(picture) }, ['Screenshot taken', mark(picture)]],
    [
      'a screenshot in snake case',
      { output: 'Taken', base64_image: base64(photo), system: null },
      ['Taken', mark(photo)],
    ],
    ['a screenshot as data URI', { output: 'Taken', base64_image: dataUri(photo) }, ['Taken', mark(photo)]],
    [
      'an image result as JSON text',
      JSON.stringify({ output: '', error: '', base64_image: base64(picture), system: null }),
      ['[image "image.png" 3×2]', mark(picture)],
    ],
    ['a result without picture', { output: 'Clicked.', error: '', base64_image: null }, ['Clicked.']],
  ];

  test.each(rows)('become words and media: %s', async (_name, value, wanted) => {
    const result = await normalise(value);
    expect(shape(result)).toEqual(wanted);
    expect(result.isError).toBeUndefined();
  });

  const beside: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    [
      'fields of an outcome',
      { success: true, output: 'Done.', count: 3, warning: 'slow disk' },
      ['Done.', '3', 'slow disk'],
    ],
    [
      'an error beside success',
      { success: true, output: 'Done.', error: 'one file skipped' },
      ['Done.', 'one file skipped'],
    ],
    ['fields of a screenshot', { output: 'Taken', base64_image: '', cursor: [4, 7] }, ['Taken', 'cursor', '7']],
    ['fields beside attachments', { text: 'Files', attachments: [], folder: '/inbox' }, ['Files', '/inbox']],
    ['data beside text', { text: 'Files', data: { rows: 'fifty' }, attachments: [] }, ['Files', 'fifty']],
    [
      'an attachment of text',
      { text: 'Notes', attachments: [{ mime_type: 'text/plain', content: Buffer.from('remember the milk') }] },
      ['Notes', 'remember the milk'],
    ],
    [
      'an attachment of text as a string',
      { text: 'Notes', attachment: { mime_type: 'text/plain', content: 'remember the milk' } },
      ['Notes', 'remember the milk'],
    ],
    [
      'an attachment that has no bytes',
      { text: 'Files', attachments: [{ mime_type: 'image/png', description: 'A cat in the sun' }] },
      ['Files', 'A cat in the sun'],
    ],
  ];

  test.each(beside)('lose nothing that stands beside them: %s', async (_name, value, wanted) => {
    const result = await normalise(value);
    const said = wordsOf(result) + leaves(result.details);
    for (const part of wanted) expect(said).toContain(part);
  });

  test.each([
    ['base64', (one: Sample): Record<string, unknown> => ({ base64: base64(one), media_type: 'image/png' })],
    ['base64Image', (one: Sample): Record<string, unknown> => ({ base64Image: base64(one) })],
    ['image.base64', (one: Sample): Record<string, unknown> => ({ image: { base64: base64(one) } })],
    ['screenshot', (one: Sample): Record<string, unknown> => ({ screenshot: base64(one) })],
  ])('show a picture under %s beside success and output', async (_name, fields) => {
    const result = await normalise({ success: true, output: 'Screenshot taken', ...fields(picture) });
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).toContain('Screenshot taken');
    expect(holds(wordsOf(result), picture)).toBe(false);
  });
});

const byReference = (path: string): object => ({ path, media_type: 'image/png' });

describe('the JSON of an executable tool', () => {
  const others = { success: true, message: 'Screenshot captured', region: { x: 1, y: 2 } };
  const rows: readonly (readonly [string, Record<string, unknown>, Sample])[] = [
    ['base64 at the top', { ...others, base64: base64(picture) }, picture],
    ['base64 with its type', { ...others, base64: base64(picture), media_type: 'image/png' }, picture],
    ['base64 first', { base64: base64(picture), media_type: 'image/png', ...others }, picture],
    ['an image with base64', { ...others, image: { base64: base64(picture) } }, picture],
    ['an image with its type', { ...others, image: { base64: base64(picture), media_type: 'image/png' } }, picture],
    ['a JPEG that is called PNG', { ...others, base64: base64(photo), media_type: 'image/png' }, photo],
    [
      'a JPEG that is called PNG inside',
      { ...others, image: { base64: base64(photo), media_type: 'image/png' } },
      photo,
    ],
    ['a PDF', { ...others, base64: base64(paper), media_type: 'application/pdf' }, paper],
    ['a PDF that is called PNG', { ...others, base64: base64(paper), media_type: 'image/png' }, paper],
    ['a PDF without a type', { ...others, base64: base64(paper) }, paper],
    ['wrapped base64', { ...others, base64: wrapped(picture) }, picture],
    ['base64 wrapped for mail', { ...others, base64: wrapped(photo, 64, '\r\n') }, photo],
    ['base64 for URLs', { ...others, base64: urlSafe(photo) }, photo],
    ['a data URI', { ...others, base64: dataUri(animation) }, animation],
  ];

  test.each(rows)('is the other fields as JSON, then the medium: %s', async (_name, value, one) => {
    for (const given of [value, JSON.stringify(value), ` ${JSON.stringify(value, undefined, 2)}\n`]) {
      const result = await normalise(given);
      expect(shape(result).slice(1)).toEqual([mark(one)]);
      expect(mediaOf(result)).toEqual([one.id]);
      expect(jsonIn(result)).toEqual(others);
      expect(result.isError).toBeUndefined();
    }
  });

  test('is a generated line and the medium when it has no other fields', async () => {
    const result = await normalise({ base64: base64(picture), media_type: 'image/png' });
    expect(shape(result)).toEqual(['[image "image.png" 3×2]', mark(picture)]);
  });

  test.each(['media_type', 'mimeType'])('may name its file by path and %s', async (type) => {
    const { intake } = openTestIntake({ 'out/shot.png': picture.bytes });
    const named = { ...others, path: 'out/shot.png', [type]: 'image/png' };
    const result = await normaliseThrough(named, intake);
    expect(shape(result).slice(1)).toEqual([mark(picture)]);
    expect(jsonIn(result)).toEqual(others);
    expect((await normaliseThrough({ ...named, success: false }, intake)).isError).toBe(true);
    const alone = await normaliseThrough({ path: 'out/shot.png', [type]: 'image/png' }, intake);
    expect(shape(alone)).toEqual(['[image "shot.png" 3×2]', mark(picture)]);
  });

  test.each([
    [
      'a list in a field',
      { ...others, images: [byReference('a.png'), byReference('b.png')] },
      { ...others, images: ['1. a', '2. b'] },
    ],
    [
      'a list',
      [byReference('a.png'), { ...byReference('b.png'), name: 'map' }],
      ['1. a', { path: '2. b', name: 'map' }],
    ],
    [
      'one in a field, deep',
      { data: { image: { ...byReference('b.png'), page: 3 } } },
      { data: { image: { path: '1. b', page: 3 } } },
    ],
    [
      'several kinds',
      { documents: [byReference('p.pdf')], images: [byReference('a.png')] },
      { documents: ['1. p'], images: ['2. a'] },
    ],
  ])('may name several files by reference: %s', async (_name, value, wanted) => {
    const { intake } = openTestIntake({ 'a.png': picture.bytes, 'b.png': otherPicture.bytes, 'p.pdf': paper.bytes });
    const result = await normaliseThrough(value, intake);
    const json = JSON.stringify(jsonIn(result)).replaceAll(/\[(\d\. )[^[\]]*?(\w)\.\w+\\"[^[\]]*\]/g, '$1$2');
    expect(JSON.parse(json)).toEqual(wanted);
    expect(mediaOf(result)).toHaveLength(json.match(/\d\. /g)?.length ?? 0);
    expect(shape(await normaliseThrough(JSON.stringify(value), intake))).toEqual([JSON.stringify(value)]);
  });

  test.each([
    ['the only one', byReference('gone.png')],
    ['one of several', { ...others, images: [byReference('gone.png')] }],
    ['one of a list', [byReference('gone.png')]],
  ])('says why a file that it names is not shown, and keeps its words: %s', async (_name, value) => {
    const result = await normalise(value);
    expect(jsonIn(result)).toEqual(value);
    expect(shape(result).slice(1)).toEqual(['[file "gone.png" not shown: gone.png does not exist. Check the path.]']);
    expect(result.isError).toBeUndefined();
  });

  test.each([
    ['a path alone', { ...others, path: 'out/shot.png' }],
    ['a list of what there is', { files: [{ path: 'out/shot.png', media_type: 'image/png' }] }],
    ['a list of what there is, with sizes', [{ path: 'out/shot.png', media_type: 'image/png', size: 70 }]],
    ['a path to something else', { ...others, path: 'out/notes.txt', media_type: 'text/plain' }],
    ['a path further down', { ...others, file: { path: 'out/shot.png', media_type: 'image/png' } }],
  ])('keeps %s as data', async (_name, value) => {
    const { intake } = openTestIntake({ 'out/shot.png': picture.bytes, 'out/notes.txt': Buffer.from('words') });
    const result = await normaliseThrough(value, intake);
    expect(mediaOf(result)).toEqual([]);
    expect(jsonIn(result)).toEqual(value);
  });

  test('is not opened when a server names it beside its content', async () => {
    const { intake } = openTestIntake({ 'a.png': picture.bytes });
    const structuredContent = { images: [byReference('a.png')] };
    const result = await normaliseThrough({ content: [], structuredContent }, intake);
    expect(mediaOf(result)).toEqual([]);
    expect(jsonIn(result)).toEqual(structuredContent);
  });

  test('is not opened when it was only quoted in a text', async () => {
    const { intake } = openTestIntake({ 'out/shot.png': picture.bytes });
    const quoted = JSON.stringify({ path: 'out/shot.png', media_type: 'image/png' });
    expect(shape(await normaliseThrough(quoted, intake))).toEqual([quoted]);
  });

  test('may hold pictures at the top and further down, in the order in which they stand', async () => {
    const several = {
      base64: base64(picture),
      image: { base64: base64(photo) },
      images: [base64(web), dataUri(animation)],
    };
    const result = await normalise(several);
    expect(mediaOf(result)).toEqual([picture, photo, web, animation].map(({ id }) => id));
    for (const one of [picture, photo, web, animation]) expect(holds(wordsOf(result), one)).toBe(false);
  });

  test('keeps numbers that are larger than JavaScript can count', async () => {
    const result = await normalise(`{"id":12345678901234567890,"shot":"${base64(picture)}"}`);
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).toContain('12345678901234567890');
  });

  const noisy: readonly (readonly [string, string])[] = [
    ['a log line before it', `Loading model…\n${JSON.stringify({ ...others, base64: base64(picture) })}`],
    ['a line after it', `${JSON.stringify({ ...others, base64: base64(picture) })}\nDone in 3 s\n`],
    ['a byte order mark', `\ufeff${JSON.stringify({ ...others, base64: base64(picture) })}`],
    ['slashes escaped', `log\n${JSON.stringify({ ...others, base64: base64(picture) }).replaceAll('/', '\\/')}`],
    ['wrapped base64 and a log line', `log\n${JSON.stringify({ ...others, base64: wrapped(picture) })}`],
    [
      'wrapped base64 and a rule of dashes',
      `${'-'.repeat(72)}\n${JSON.stringify({ ...others, base64: wrapped(picture) })}`,
    ],
  ];

  test.each(noisy)('is understood with %s', async (_name, value) => {
    const result = await normalise(value);
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).toContain('Screenshot captured');
    expect(holds(wordsOf(result), picture)).toBe(false);
  });
});

describe('a medium keeps the name of the file that stands beside it:', () => {
  test.each([
    ['in a list', { documents: [{ base64: base64(paper), name: 'rep.pdf' }] }, 'rep.pdf'],
    ['as filename, before it', { file: { filename: '/out/rep.pdf', content: dataUri(paper) } }, 'rep.pdf'],
    ['beside bytes', { report: { file_name: 'rep.pdf', data: paper.bytes } }, 'rep.pdf'],
    ['at the top', { base64: base64(paper), name: 'rep.pdf' }, 'rep.pdf'],
    ['of the bytes themselves', { report: new File([new Uint8Array(paper.bytes)], 'rep.pdf') }, 'rep.pdf'],
    ['unless it names something else', { name: 'Ann', data: base64(picture) }, 'image.png'],
    ['unless another field holds it', { name: 'rep.pdf', cover: base64(picture) }, 'image.png'],
  ])('%s', async (_name, value, wanted) => {
    const result = await normalise(value);
    const names = result.content.flatMap((block) => ('asset' in block ? [block.asset.name] : []));
    expect(names).toEqual([wanted]);
    expect(wordsOf(result)).toContain(wanted);
  });
});

describe('base64 that is no medium', () => {
  const junk = Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 91) % 256)).toString('base64');
  const cut = base64(picture).slice(0, 64);

  test.each([junk, cut, `${junk}!`, 'iVBORw0KGgo', 'not base64 at all'])('%s stays in its field', async (value) => {
    for (const given of [
      { base64: value, note: 'n' },
      { image: { base64: value }, note: 'n' },
      { screenshot: value, note: 'n' },
    ]) {
      const result = await normalise(given);
      expect(mediaOf(result)).toEqual([]);
      expect(jsonIn(result)).toEqual(given);
    }
  });

  test.each([junk, cut, `${junk}!`])('%s as a picture leaves words that say why', async (value) => {
    for (const given of [
      { output: 'Taken', base64_image: value },
      [text('Taken'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: value } }],
      { text: 'Taken', attachment: { mime_type: 'image/png', content: value } },
    ]) {
      const result = await normalise(given);
      expect(mediaOf(result)).toEqual([]);
      expect(shape(result)).toMatchObject(['Taken', expect.stringMatching(/^\[image not shown: .+/)]);
    }
  });
});

describe('MCP results', () => {
  const picturePart = { type: 'image', data: base64(picture), mimeType: 'image/png' };
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['text', { content: [{ type: 'text', text: 'hi' }], isError: false }, ['hi']],
    ['text and picture', { content: [{ type: 'text', text: 'hi' }, picturePart] }, ['hi', mark(picture)]],
    [
      'a picture that is a JPEG',
      { content: [{ ...picturePart, data: base64(photo) }] },
      ['[image "image.jpeg" 6×5]', mark(photo)],
    ],
    [
      'sound',
      {
        content: [
          { type: 'text', text: 'hi' },
          { type: 'audio', data: base64(sound), mimeType: 'audio/wav' },
        ],
      },
      ['hi', mark(sound)],
    ],
    [
      'resources',
      {
        content: [
          { type: 'resource', resource: { uri: 'x://n', mimeType: 'text/markdown', text: '# Hi' } },
          { type: 'resource', resource: { uri: 'file:///x/y.pdf', mimeType: 'application/pdf', blob: base64(paper) } },
        ],
      },
      ['# Hi', mark(paper)],
    ],
    [
      'a link',
      {
        content: [{ type: 'resource_link', uri: 'https://example.com/a', name: 'report', mimeType: 'application/pdf' }],
      },
      ['[resource https://example.com/a (report, application/pdf)]'],
    ],
    [
      'structured content that repeats the text',
      { content: [{ type: 'text', text: '{"a": [1, 2]}' }], structuredContent: { a: [1, 2] } },
      ['{"a": [1, 2]}'],
    ],
    [
      'structured content that repeats the text with its keys in another order',
      { content: [{ type: 'text', text: '{"b":2,"a":1}' }], structuredContent: { a: 1, b: 2 } },
      ['{"b":2,"a":1}'],
    ],
    ['structured content that is a number', { content: [{ type: 'text', text: '42' }], structuredContent: 42 }, ['42']],
    [
      'words for the user only',
      {
        content: [
          { type: 'text', text: 'for you', annotations: { audience: ['user'] } },
          { type: 'text', text: 'for both' },
        ],
      },
      ['for both'],
    ],
    [
      'words for both',
      { content: [{ type: 'text', text: 'for both', annotations: { audience: ['user', 'assistant'] } }] },
      ['for both'],
    ],
    [
      'words for nobody in particular',
      { content: [{ type: 'text', text: 'a', annotations: { audience: [] } }] },
      ['a'],
    ],
    [
      'a picture for the user only',
      { content: [{ ...picturePart, annotations: { audience: ['user'] } }] },
      ['The result was shown to the user only.'],
    ],
  ];

  test.each(rows)('become content: %s', async (_name, value, wanted) => {
    const result = await normalise(value);
    expect(shape(result)).toEqual(wanted);
    expect(result.isError).toBeUndefined();
  });

  test('with structured content of their own show it, pictures included', async () => {
    const result = await normalise({ content: [], structuredContent: { title: 'Report', shot: base64(picture) } });
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).toContain('Report');
  });

  test('with a resource of text bytes show the text', async () => {
    const blob = Buffer.from('a,b\n1,2\n').toString('base64');
    const result = await normalise({
      content: [{ type: 'resource', resource: { uri: 'file:///a.csv', mimeType: 'text/csv', blob } }],
    });
    expect(shape(result)).toEqual(['a,b\n1,2\n']);
  });

  test('with a resource that no model can be shown keep its bytes and name it', async () => {
    const { intake, assets } = openTestIntake();
    const zip = Buffer.from([0x50, 0x4b, 3, 4, ...Array.from({ length: 90 }, (_, at) => (at * 151) % 256)]);
    const { id } = await openTestIntake().assets.put(zip, { mediaType: 'x/y' });
    const resource = { uri: 'file:///x/all.zip', mimeType: 'application/zip', blob: zip.toString('base64') };
    const result = await normaliseThrough({ content: [{ type: 'resource', resource }] }, intake);
    expect(wordsOf(result)).toContain('all.zip');
    expect(await assets.missing([id])).toEqual(new Set());
  });

  const circle: Record<string, unknown> = { title: 'Report' };
  circle['self'] = circle;
  const throwing = {
    title: 'Report',
    toJSON: () => {
      throw new Error('not today');
    },
  };
  test.each([
    ['a whole number without end', { title: 'Report', n: 12n }, '"n":"12"'],
    ['a value in itself', circle, '"self":"[circular]"'],
    ['code that throws', { title: 'Report', inner: throwing }, 'Report'],
  ])(
    'with structured content that is no JSON keep their words and pictures: %s',
    async (_name, structuredContent, told) => {
      const result = await normalise({
        content: [{ type: 'text', text: '{"done": true}' }, picturePart],
        structuredContent,
      });
      expect(shape(result).slice(0, 2)).toEqual(['{"done": true}', mark(picture)]);
      expect(wordsOf(result).replaceAll(/\s/g, '')).toContain(told);
      expect(result.isError).toBeUndefined();
    },
  );

  test('with pictures in both places number them as they stand', async () => {
    const value = { content: [picturePart], structuredContent: { shot: base64(photo) } };
    const result = await normalise(value);
    expect(mediaOf(result)).toEqual([picture.id, photo.id]);
    expect(wordsOf(result)).toContain('[2. image');
  });

  test('that failed are errors', async () => {
    const result = await normalise({ content: [{ type: 'text', text: 'No such file' }], isError: true });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'No such file' }] });
  });
});

describe('a failure is flagged and its words reach the model:', () => {
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['an Error', new Error('disk full'), ['disk full']],
    ['an Error without words', new TypeError(), ['TypeError']],
    ['the JSON of an executable tool', { success: false, error: 'disk full' }, ['disk full']],
    ['an outcome', { success: false, output: '', error: 'disk full' }, ['disk full']],
    [
      'an outcome with output',
      { success: false, output: 'wrote 3 of 5', error: 'disk full' },
      ['disk full', 'wrote 3 of 5'],
    ],
    [
      'an outcome with a structured error',
      { success: false, output: '', error: { message: 'disk full', code: 28 } },
      ['disk full', '28'],
    ],
    [
      'an outcome with structured output',
      { success: false, output: { wrote: 'three' }, error: 'disk full' },
      ['disk full', 'three'],
    ],
    ['an outcome that says nothing', { success: false, output: '', error: null }, ['failed']],
    ['a screenshot', { output: '', error: 'no display', base64_image: '' }, ['no display']],
    ['a result', { content: [{ type: 'text', text: 'disk full' }], isError: true }, ['disk full']],
    ['a result with a string', { content: 'disk full', isError: true }, ['disk full']],
    [
      'a refusal',
      { ok: false, refusal: { code: 'too-large', what: 'It is too large', limit: '5 MB', next: 'Cut it.' } },
      ['too large', '5 MB', 'Cut it.'],
    ],
    ['a response', new Response('upstream is down', { status: 502 }), ['upstream is down']],
    ['a response without words', new Response(null, { status: 503 }), ['503']],
  ];

  test.each(rows)('%s', async (_name, value, wanted) => {
    const result = await normalise(value);
    expect(result.isError).toBe(true);
    for (const part of wanted) expect(wordsOf(result)).toContain(part);
    expect(wordsOf(result)).not.toContain('[object Object]');
  });

  test('and keeps the picture that came with it', async () => {
    for (const value of [
      { success: false, error: 'button missing', base64: base64(picture) },
      { output: '', error: 'button missing', base64_image: base64(picture) },
      { success: false, output: '', error: 'button missing', content_blocks: [image(picture.bytes)] },
    ]) {
      const result = await normalise(value);
      expect(result.isError).toBe(true);
      expect(mediaOf(result)).toEqual([picture.id]);
      expect(wordsOf(result)).toContain('button missing');
    }
  });
});

describe('what read resolves to', () => {
  const { intake } = openTestIntake();
  const blockOf = async (one: Sample): Promise<Block | undefined> =>
    (await normaliseThrough(one.bytes, intake)).content[1];

  test('for a picture is its words and the picture', async () => {
    const value = { output: '[Image: a.png, 3x2]', blocks: [await blockOf(picture)], data: { type: 'image' } };
    expect(shape(await normaliseThrough({ ok: true, value }, intake))).toEqual(['[Image: a.png, 3x2]', mark(picture)]);
  });

  test('for text is the text, once', async () => {
    const value = { output: '1 hello', blocks: [{ type: 'text', text: '1 hello' }], data: { type: 'text' } };
    expect(shape(await normaliseThrough({ ok: true, value }, intake))).toEqual(['1 hello']);
  });

  test('for a PDF is the document, and not its text beside it', async () => {
    const value = { output: 'the words of page one', blocks: [await blockOf(paper)], data: { type: 'pdf' } };
    const result = await normaliseThrough({ ok: true, value }, intake);
    expect(mediaOf(result)).toEqual([paper.id]);
    expect(wordsOf(result)).not.toContain('the words of page one');
  });

  test('and an asset that nobody stored is not believed', async () => {
    const value = { output: '[Image: a.png, 3x2]', blocks: [await blockOf(picture)], data: { type: 'image' } };
    const result = await normalise({ ok: true, value });
    expect(mediaOf(result)).toEqual([]);
    expect(wordsOf(result)).toContain('not stored here');
  });

  test('and what is claimed about an asset gives way to its bytes', async () => {
    const block = await blockOf(picture);
    const claimed = { ...block, width: 9999, height: 1, asset: { id: picture.id, mediaType: 'image/gif', size: 1 } };
    const [, found] = (await normaliseThrough([{ type: 'text', text: 'a' }, claimed], intake)).content;
    expect(found).toMatchObject({ type: 'image', width: 3, height: 2, asset: { mediaType: 'image/png' } });
  });
});

describe('media are found', () => {
  test.each(kinds)('as a %s under any name, in any spelling, at any depth', async (_name, one) => {
    const spellings = [
      base64(one),
      dataUri(one),
      wrapped(one),
      wrapped(one, 64, '\r\n'),
      urlSafe(one),
      `${base64(one)}\n`,
    ];
    for (const spelling of spellings) {
      for (const name of ['base64', 'image', 'screenshot', 'base64_image', 'data', 'blob', 'file_data', 'x', '', '0']) {
        for (const value of [
          { a: { [name]: spelling } },
          [[{ [name]: spelling }]],
          { a: JSON.stringify({ b: [spelling] }) },
        ]) {
          const result = await normalise(value);
          expect(mediaOf(result)).toEqual([one.id]);
          expect(holds(wordsOf(result), one)).toBe(false);
        }
      }
    }
  });

  test.each([31, 32, 33, 34, 40, 200])('%i levels down', async (depth) => {
    let value: unknown = { shot: base64(picture) };
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { in: value } : [value];
    const result = await normalise(value);
    expect(holds(wordsOf(result) + leaves(result.details), picture)).toBe(false);
    expect(mediaOf(result)).toEqual([picture.id]);
  });

  test.each([31, 33, 34, 40])('%i levels down as bytes', async (depth) => {
    let value: unknown = { shot: picture.bytes };
    for (let level = 0; level < depth; level++) value = { in: value };
    const result = await normalise(value);
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(wordsOf(result)).not.toContain('137');
  });

  test('once in a value that holds itself', async () => {
    const circle: Record<string, unknown> = { shot: base64(picture), list: [] };
    circle['self'] = circle;
    circle['list'] = [{ back: circle }];
    const result = await normalise(circle);
    expect(mediaOf(result)).toEqual([picture.id]);
    expect(holds(wordsOf(result) + leaves(result.details), picture)).toBe(false);
  });

  test('in maps, sets, forms, shared memory and what toJSON gives', async () => {
    const shot = base64(picture);
    const form = new FormData();
    form.set('shot', new Blob([new Uint8Array(picture.bytes)]));
    const memory = new SharedArrayBuffer(picture.bytes.length);
    new Uint8Array(memory).set(picture.bytes);
    for (const value of [
      { m: new Map([['shot', shot]]) },
      form,
      { memory },
      new DataView(memory),
      { s: new Set([shot]) },
      { j: { toJSON: () => ({ shot }) } },
    ]) {
      const result = await normalise(value);
      expect(mediaOf(result)).toEqual([picture.id]);
      expect(holds(wordsOf(result), picture)).toBe(false);
    }
  });

  test('several at once, each with a note in its place that names it', async () => {
    const result = await normalise({
      before: base64(picture),
      steps: [
        { shot: dataUri(photo), n: 1 },
        { shot: 'none', n: 2 },
      ],
      report: { data: base64(paper) },
      last: `see ${base64(otherPicture)} there`,
    });
    expect(mediaOf(result)).toEqual([picture, photo, paper, otherPicture].map(({ id }) => id));
    expect(jsonIn(result)).toEqual({
      before: '[1. image "image.png" 3×2]',
      steps: [
        { shot: '[2. image "image.jpeg" 6×5]', n: 1 },
        { shot: 'none', n: 2 },
      ],
      report: { data: '[3. PDF "input.pdf", 2 pages]' },
      last: 'see [4. image "image.png" 5×4] there',
    });
  });

  test('in several texts of one result under numbers that count through', async () => {
    const result = await normalise([text(`first ${base64(picture)}`), text(`second ${base64(photo)}`)]);
    expect(mediaOf(result)).toEqual([picture.id, photo.id]);
    expect(wordsOf(result).match(/\[\d+\. image/g)).toEqual(['[1. image', '[2. image']);
  });

  test('twice when they stand twice', async () => {
    expect(mediaOf(await normalise({ a: base64(picture), b: base64(picture) }))).toEqual([picture.id, picture.id]);
  });
});

const full = (): never => {
  throw Object.assign(new Error("ENOSPC: no space left on device, open '/home/ann/x'"), { code: 'ENOSPC' });
};

describe('a store that fails costs no words:', () => {
  const said = text('All 3 tests passed.');
  const long = `All 3 tests passed.\n${'a line of a log\n'.repeat(5000)}`;
  const odd = Buffer.from([0, 1, 2, 3, 255]);
  test.each<[string, unknown, number?]>([
    ['blocks', [said, image(picture.bytes)]],
    ['an MCP result', { content: [said, { type: 'image', data: base64(picture), mimeType: 'image/png' }] }],
    ['data', { said: 'All 3 tests passed.', shots: [base64(picture), photo.bytes] }, 2],
    ['bytes of no kind', { said: 'All 3 tests passed.', bytes: odd }],
    ['a document of no kind', [said, { type: 'document', data: odd }]],
    ['a data URI in a text', `All 3 tests passed. ${dataUri(picture)}`],
    ['attachments', { text: 'All 3 tests passed.', attachment: { mime_type: 'image/png', content: picture.bytes } }],
    ['a long text beside a picture', [text(long), image(picture.bytes)], 2],
  ])('%s', async (_name, value, times = 1) => {
    const { intake } = openTestIntake();
    const looked: Intake['check'] = async (bytes, hint) => {
      const read = await intake.check(bytes, hint);
      return read.ok ? full() : read;
    };
    const result = await normaliseThrough(value, { ...intake, check: looked, keep: full });
    expect(wordsOf(result)).toContain('All 3 tests passed.');
    expect(wordsOf(result)).toMatch(
      /not shown: It could not be stored or looked at: ENOSPC\. |could not be stored\.\]/,
    );
    expect(wordsOf(result).match(/could not be stored/g)).toHaveLength(times);
    expect(wordsOf(result)).not.toContain('/home');
    expect(mediaOf(result)).toEqual([]);
    expect(result.isError).toBeUndefined();
  });
});

describe('no letters of a picture', () => {
  const uri = dataUri(picture);
  const values: readonly (readonly [string, unknown])[] = [
    ['the output of a screenshot', { output: `see ${uri}`, base64_image: '' }],
    ['the error of a screenshot', { output: '', error: `see ${uri}`, base64_image: '' }],
    ['an Error', new Error(`see ${uri}`)],
    ['a refusal', { ok: false, refusal: { what: `see ${uri}`, next: '' } }],
    ['the error of an outcome', { success: false, output: '', error: `see ${uri}` }],
    ['a text block', { type: 'text', text: `see ${uri}` }],
    ['a text Response', new Response(`see ${uri}`)],
    ['the data of an outcome', { success: true, output: 'x', data: { shot: base64(picture) } }],
    ['bytes in the data of an outcome', { success: true, output: 'x', data: { shot: picture.bytes } }],
    ['structured content', { content: [text('a')], structuredContent: { shot: base64(picture) } }],
    ['the details of a result', { content: [text('a')], details: { shot: base64(picture), list: [uri] } }],
    ['a plain object', { shot: base64(picture), n: 1 }],
    ['an executable tool', { success: true, base64: base64(picture), n: 1 }],
    ['the words of an author', [text('a'), image(photo.bytes, { fallback: `see ${uri}` })]],
    ['the name of a field', { [base64(picture)]: 1 }],
  ];

  test.each(values)('reach the model or the details: %s', async (_name, value) => {
    const result = await normalise(value);
    expect(holds(JSON.stringify(result.content), picture)).toBe(false);
    expect(holds(leaves(result.details), picture)).toBe(false);
  });
});

test('details are the data behind the words, with a note where each medium stood', async () => {
  expect((await normalise({ a: 1, list: ['x'] })).details).toEqual({ a: 1, list: ['x'] });
  expect((await normalise({ a: 1, shot: base64(picture) })).details).toEqual({
    a: 1,
    shot: '[1. image "image.png" 3×2]',
  });
  expect((await normalise({ success: true, output: 'x', data: { rows: 5 } })).details).toEqual({ rows: 5 });
  expect((await normalise({ content: [text('a')], details: { rows: 5 } })).details).toEqual({ rows: 5 });
});

test('the value that a tool returned is not changed', async () => {
  const freeze = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const values = [
    { shot: base64(picture), list: [{ data: base64(photo) }], text: JSON.stringify({ b: base64(web) }) },
    [text(`a ${base64(picture)}`), image(photo.bytes)],
    { content: [{ type: 'image', data: base64(picture) }], structuredContent: { shot: base64(photo) } },
    { success: true, output: 'x', content_blocks: [image({ data: base64(picture) })], data: { shot: base64(photo) } },
  ];
  for (const value of values) {
    const before = JSON.stringify(value);
    await normalise(freeze(value));
    expect(JSON.stringify(value)).toBe(before);
  }
});
