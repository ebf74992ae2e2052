// Pictures that others made, through every place of a result where tools hide them, and texts that only look like some:
// all are found, none is mistaken.
import { Readable } from 'node:stream';
import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openIntake } from '../../src/media/index.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { corpusPath, entries } from '../media/corpus.ts';
import { mediaOf, wordsOf } from './shape.ts';

const assets = memoryAssets();
const intake = openIntake({ assets });

/** Pictures that nobody doubts, small enough for many rounds. */
const pictures = entries('image', 'png')
  .filter(({ bytes, expect: { verdict, mediaType, hazard } }) => {
    const known = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(mediaType ?? '');
    return verdict === 'ok' && known && hazard === undefined && bytes >= 100 && bytes < 40_000;
  })
  .filter((_, at) => at % 7 === 0)
  .slice(0, 24)
  .map(({ file, expect: { mediaType = '' } }) => ({ file, mediaType, bytes: readFileSync(corpusPath(file)) }));

type Picture = (typeof pictures)[number];

const plain = ({ bytes }: Picture): string => bytes.toString('base64');
const wrap = (text: string): string => (text.match(/.{1,76}/g) ?? []).join('\n');
const uri = (one: Picture): string => `data:${one.mediaType};base64,${plain(one)}`;
const nest = (value: unknown, depth: number): unknown => (depth === 0 ? value : { level: [nest(value, depth - 1)] });

function formOf(bytes: Buffer): FormData {
  const form = new FormData();
  form.set('title', 'it');
  form.set('shot', new Blob([new Uint8Array(bytes)]));
  return form;
}

function sharedOf(bytes: Buffer): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

/** Every way in which a tool may hand over one picture. */
const places: readonly (readonly [string, (one: Picture) => unknown])[] = [
  ['base64', (one) => ({ base64: plain(one), note: 'x' })],
  ['image', (one) => ({ image: plain(one) })],
  ['image.base64', (one) => ({ image: { base64: plain(one), media_type: one.mediaType } })],
  ['images', (one) => ({ images: [plain(one)] })],
  ['images with fields', (one) => ({ images: [{ base64: plain(one), media_type: one.mediaType }] })],
  ['screenshot', (one) => ({ screenshot: plain(one), url: 'https://example.com' })],
  ['base64_image', (one) => ({ output: 'done', base64_image: plain(one) })],
  ['base64Image', (one) => ({ output: 'done', error: '', base64Image: plain(one) })],
  [
    'content',
    (one) => ({
      content: [{ type: 'image', source: { type: 'base64', media_type: one.mediaType, data: plain(one) } }],
    }),
  ],
  ['documents', (one) => ({ documents: [{ type: 'image', data: plain(one), name: 'x' }] })],
  ['an unknown field', (one) => ({ whatever: plain(one) })],
  ['many levels down', (one) => nest({ shot: plain(one) }, 20)],
  ['wrapped lines', (one) => ({ data: wrap(plain(one)) })],
  ['URL-safe letters', (one) => ({ picture: one.bytes.toString('base64url') })],
  ['a data URI', (one) => ({ src: uri(one) })],
  ['a data URI in HTML', (one) => `<p>Hello <img src="${uri(one)}"></p>`],
  ['a data URI in Markdown', (one) => `See ![it](${uri(one)}) above.`],
  ['JSON in a string', (one) => JSON.stringify({ result: { screenshot: plain(one) } })],
  ['JSON in JSON', (one) => ({ text: JSON.stringify({ type: 'image', base64: plain(one) }) })],
  ['JSON in JSON in JSON', (one) => JSON.stringify({ a: JSON.stringify({ b: plain(one) }) })],
  [
    'an imageResult as text',
    (one) => JSON.stringify({ output: '', error: null, base64Image: plain(one), system: null }),
  ],
  [
    'an MCP result',
    (one) => ({
      content: [
        { type: 'text', text: 'here' },
        { type: 'image', data: plain(one), mimeType: one.mediaType },
      ],
    }),
  ],
  [
    'an MCP resource',
    (one) => ({
      content: [{ type: 'resource', resource: { uri: 'file:///x', mimeType: one.mediaType, blob: plain(one) } }],
    }),
  ],
  [
    'structured content',
    (one) => ({ content: [{ type: 'text', text: 'here' }], structuredContent: { shot: plain(one) } }),
  ],
  [
    'a result with content blocks',
    (one) => ({
      success: true,
      output: 'read',
      content_blocks: [{ type: 'image', data: plain(one), media_type: one.mediaType }],
    }),
  ],
  [
    'a result with an attachment',
    (one) => ({ text: 'got it', attachment: { mime_type: one.mediaType, content: one.bytes, description: 'it' } }),
  ],
  ['an OpenAI part', (one) => [{ type: 'image_url', image_url: { url: uri(one) } }]],
  ['Gemini inline data', (one) => ({ parts: [{ inlineData: { mimeType: one.mediaType, data: plain(one) } }] })],
  ['a Buffer', (one) => one.bytes],
  ['a Buffer that went through JSON', (one) => JSON.parse(JSON.stringify({ file: one.bytes })) as unknown],
  ['a Uint8Array in a field', (one) => ({ file: new Uint8Array(one.bytes) })],
  ['a Blob', (one) => new Blob([one.bytes])],
  ['a Blob in a list', (one) => ({ files: [new Blob([one.bytes])] })],
  ['a Response', (one) => new Response(one.bytes)],
  ['a stream', (one) => new Blob([one.bytes]).stream()],
  [
    'a stream of Node',
    (one) => Readable.from([one.bytes.subarray(0, 100), one.bytes.subarray(100)], { objectMode: false }),
  ],
  ['a Map', (one) => new Map([['shot', one.bytes]])],
  ['a form', (one) => formOf(one.bytes)],
  ['memory of several threads', (one) => sharedOf(one.bytes)],
  ['a view of such memory', (one) => ({ shot: new Uint8Array(sharedOf(one.bytes)) })],
  ['a Buffer in JSON behind words', (one) => `Result: ${JSON.stringify({ pic: one.bytes })}`],
  [
    'a Buffer in the JSON of a text',
    (one) => ({ content: [{ type: 'text', text: JSON.stringify({ pic: one.bytes }) }] }),
  ],
  ['letters as codes in HTML', (one) => `<img src="data:${one.mediaType};base64,${encodeURIComponent(plain(one))}">`],
  [
    'lines that a URI breaks',
    (one) => ({ src: `data:${one.mediaType};base64,${wrap(plain(one)).replaceAll('\n', '%0A')}` }),
  ],
  ['YAML', (one) => `image: !!binary |\n  ${wrap(plain(one)).replaceAll('\n', '\n  ')}\n`],
  ['quoted mail', (one) => `> ${wrap(plain(one)).replaceAll('\n', '\n> ')}`],
  ['log lines around JSON', (one) => `starting\n${JSON.stringify({ base64: plain(one) })}\ndone`],
];

describe.skipIf(pictures.length === 0)('a picture of the corpora is found', () => {
  const ids = new Map<string, string>();

  test.each(places)('%s', async (_name, place) => {
    for (const one of pictures) {
      const known = ids.get(one.file) ?? mediaOf(await normaliseResult(one.bytes, intake))[0];
      expect(known, one.file).toBeDefined();
      ids.set(one.file, known ?? '');
      const result = await normaliseResult(place(one), intake);
      expect(mediaOf(result), one.file).toEqual([known]);
      expect(wordsOf(result).replaceAll(/\s/g, ''), one.file).not.toContain(plain(one).slice(20, 60));
    }
  });

  test('with others, in the order in which they stand, however they are mixed', async () => {
    const known = new Map<string, string>();
    for (const one of pictures) known.set(one.file, mediaOf(await normaliseResult(one.bytes, intake))[0] ?? '');
    const forms = [
      plain,
      uri,
      (one: Picture) => wrap(plain(one)),
      (one: Picture) => one.bytes,
      (one: Picture) => JSON.stringify({ deep: plain(one) }),
    ];
    const leaf = fc.tuple(
      fc.integer({ min: 0, max: pictures.length - 1 }),
      fc.integer({ min: 0, max: forms.length - 1 }),
    );
    const words = fc.constantFrom('some words', 'base64', 'data:image/png;base64,', 'iVBORw0KGgo', '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(leaf, words), { maxLength: 8 }),
        fc.integer({ min: 0, max: 5 }),
        async (items, depth) => {
          const value = items.map((item) => {
            if (typeof item === 'string') return { said: item };
            const one = pictures[item[0]];
            return one && { [`field${item[1]}`]: forms[item[1]]?.(one) };
          });
          const wanted = items.flatMap((item) =>
            typeof item === 'string' ? [] : [known.get(pictures[item[0]]?.file ?? '')],
          );
          expect(mediaOf(await normaliseResult(nest(value, depth), intake))).toEqual(wanted);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const here = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const minified = [
  'node_modules/typescript/package.json',
  'node_modules/zod/index.cjs',
  'node_modules/playwright-core/lib/coreBundle.js',
  'node_modules/ajv/dist/ajv.min.js',
  'node_modules/htmlparser2/dist/index.js',
];
const png = pictures[0]?.bytes ?? Buffer.from('89504e470d0a1a0a', 'hex');

/** Real text of the kinds that are taken for pictures by their length or their letters. */
const texts: readonly (readonly [string, string])[] = [
  ['the lock file', here('package-lock.json')],
  ...minified.map((file) => [file, here(file).slice(0, 400_000)] as const),
  ['a hex dump of a picture', png.toString('hex')],
  ['a hex dump of a picture in lines', (png.toString('hex').match(/.{1,64}/g) ?? []).join('\n')],
  [
    'a log that speaks of base64',
    Array.from(
      { length: 2500 },
      (_, at) => `12:00:${at % 60} GET /image?data=iVBORw0KGgo&base64=true 200 "data:image/png;base64" ${at}`,
    ).join('\n'),
  ],
  [
    'a JWT',
    `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify({ sub: 'me', scope: 'all '.repeat(60) })).toString('base64url')}.${Buffer.alloc(256, 7).toString('base64url')}`,
  ],
];

describe('no text is taken for a picture', () => {
  test.each(texts.filter(([, text]) => text !== ''))('%s', async (_name, text) => {
    const maxText = text.length * 2;
    expect(await normaliseResult(text, intake, { maxText })).toEqual({ content: [{ type: 'text', text }] });
    const inside = await normaliseResult({ stdout: text, base64: text, image: text }, intake, {
      maxText: text.length * 10,
    });
    expect(mediaOf(inside)).toEqual([]);
    expect(inside.details).toEqual({ stdout: text, base64: text, image: text });
  });
});
