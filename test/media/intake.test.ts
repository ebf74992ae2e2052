import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { resolveBlock } from '../../src/content/intake.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openIntake, read } from '../../src/media/index.ts';
import { docx, paragraph } from './archive.ts';
import { file, folder, noise, pdfSaying, plain } from './make.ts';

const assets = memoryAssets();
const png = await noise(30, 20).png().toBuffer();

/** Two seconds of silence at 8000 bytes each. */
function wav(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 16_000, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.write('data', 36);
  head.writeUInt32LE(16_000, 40);
  return Buffer.concat([head, Buffer.alloc(16_000)]);
}

/** Frames of 417 bytes at 128 kbit/s: 1152 samples at 44.1 kHz each. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** As long as those of every other shade. */
function plainOf(shade: number): Promise<Buffer> {
  return sharp({ create: { width: 9, height: 9, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

describe('the intake takes bytes', () => {
  const { check } = openIntake({ assets });
  const valueOf = async (bytes: Uint8Array): Promise<unknown> => {
    const taken = await check(bytes);
    return taken.ok ? taken.value : undefined;
  };

  test.each([
    ['a picture', png, { type: 'image', width: 30, height: 20, asset: { mediaType: 'image/png', name: 'image.png' } }],
    ['a PDF', pdfSaying('a', 'b'), { type: 'document', pages: 2, asset: { mediaType: 'application/pdf' } }],
    ['a WAV', wav(), { type: 'audio', seconds: 2, asset: { mediaType: 'audio/wav' } }],
    ['an MP3', mp3(100), { type: 'audio', asset: { mediaType: 'audio/mpeg' } }],
  ])('of %s and gives its block', async (_what, bytes, block) => {
    expect(await check(bytes, {})).toMatchObject({ ok: true, value: block });
  });

  test('and knows how long an MP3 plays', async () => {
    const result = await check(mp3(100), {});
    expect(result.ok && result.value.type === 'audio' ? result.value.seconds : 0).toBeCloseTo(2.61, 1);
  });

  test('and lets the bytes decide, not the hint', async () => {
    const hint = { name: 'fake.pdf', mediaType: 'application/pdf' };
    const value = {
      type: 'image',
      asset: { mediaType: 'image/png', name: 'fake.pdf' },
    };
    expect(await check(png, hint)).toMatchObject({ ok: true, value });
  });

  test.each([
    ['text/csv', 'x,y\n1,2', undefined, 'document.csv'],
    ['text/html', '<h1>Hello</h1>', 'page', 'page.html'],
    ['message/rfc822', 'Subject: Sum\n\nBody', 'sum.eml', 'sum.eml'],
  ])('and takes text as the %s that it is declared to be', async (mediaType, words, name, called) => {
    const hint = { mediaType, ...(name !== undefined && { name }) };
    const value = { type: 'document', asset: { mediaType, name: called } };
    expect(await check(Buffer.from(words), hint)).toMatchObject({ ok: true, value });
    expect(await check(Buffer.from(words), { name: 'words' })).toMatchObject({ ok: false });
    const data = `data:${mediaType};base64,${Buffer.from(words).toString('base64')}`;
    const block = await resolveBlock({ type: 'document', data }, openIntake({ assets }), 'person');
    expect(block).toMatchObject({ ok: true, value: { type: 'document', asset: { mediaType } } });
  });

  test.each<[asked: [number, number], meant: object]>([
    [[0, 99], { range: undefined }],
    [[0, 3], { range: undefined }],
    [[1, 99], { range: [1, 3] }],
    [[1, 2], { range: [1, 2] }],
  ])('and of a document with three pages %j are those that there are', async (range, meant) => {
    const given = { type: 'document' as const, data: pdfSaying('a', 'b', 'c'), range };
    const block = await resolveBlock(given, openIntake({ assets }), 'person');
    expect({ range: undefined, ...(block.ok && block.value) }).toMatchObject({ pages: 3, ...meant });
  });

  test('and checks the pages a hint asks for', async () => {
    const bytes = pdfSaying('a', 'b', 'c');
    expect(await check(bytes, { range: [1, 2] })).toMatchObject({ ok: true, value: { pages: 3, range: [1, 2] } });
    const range = { from: 1, to: 2 } as never;
    expect(await check(bytes, { range })).toMatchObject({
      refusal: {
        what: '{"from":1,"to":2} is not a range of pages',
        next: 'Write it as [start, end], counted from 0, or like "21-40".',
      },
    });
    expect(await check(bytes, { range: [7, 9] })).toMatchObject({ ok: false, refusal: { code: 'bad-range' } });
  });

  test.each([
    ['nothing', new Uint8Array(), 'empty'],
    ['words', Buffer.from('just words'), 'unknown'],
    [
      'a film without a film',
      Buffer.from('\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0000\u0000', 'latin1'),
      'corrupt',
    ],
    ['a broken picture', png.subarray(0, 500), 'corrupt'],
  ])('and refuses %s', async (_what, bytes, code) => {
    expect(await check(bytes, {})).toMatchObject({ ok: false, refusal: { code } });
  });

  test('and knows them again, though not others of the same length', async () => {
    const [one, other] = [await plainOf(1), await plainOf(2)];
    const named = await noise(30, 20)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'x' } })
      .toBuffer(); // loses that on its way in
    for (const bytes of [one, other, png, named, wav(), mp3(9)]) {
      const first = await valueOf(bytes);
      expect(await valueOf(Buffer.from(bytes))).toBe(first);
    }
    expect(one.length).toBe(other.length);
    expect(await valueOf(one)).not.toEqual(await valueOf(other));
  });

  test('and refuses what cannot be stored', async () => {
    const small = openIntake({ assets: memoryAssets({ maxBytes: 10 }) });
    expect(await small.check(png, { name: 'a.png' })).toMatchObject({ ok: false, refusal: { code: 'not-allowed' } });
  });

  test('and keeps what no model can be shown', async () => {
    const { keep } = openIntake({ assets });
    const { id } = await keep(Buffer.from('zip'), { mediaType: 'application/zip' });
    expect(await assets.missing([id])).toEqual(new Set());
  });
});

describe('the intake opens', () => {
  const inside = join(folder, 'inside');
  mkdirSync(inside, { recursive: true });
  const good = file('inside/good.png', png);
  const secret = file('secret.txt', 'key');
  symlinkSync(secret, join(inside, 'link.png'));
  symlinkSync(good, join(folder, 'way-in.png'));
  const { open } = openIntake({ assets, roots: [inside], base: inside });
  const data = `data:image/png;base64,${png.toString('base64')}`;

  test.each([
    ['a path', { path: good }],
    ['a relative path', { path: 'good.png' }],
    ['a path with detours', { path: '../inside/./good.png' }],
    ['a link that leads inside', { path: '../way-in.png' }],
    ['a file URL', { url: pathToFileURL(good).href }],
  ])('%s', async (_what, source) => {
    expect(await open(source, 'tool')).toMatchObject({ ok: true, value: { bytes: new Uint8Array(png) } });
  });

  test('a data URL', async () => {
    const result = await open({ url: data }, 'tool');
    expect(result.ok && Buffer.from(result.value.bytes).equals(png)).toBe(true);
  });

  test.each([
    ['a file outside', { path: secret }, 'not-allowed'],
    ['a way out', { path: '../secret.txt' }, 'not-allowed'],
    ['a link that leads outside', { path: 'link.png' }, 'not-allowed'],
    ['a file URL that leads outside', { url: pathToFileURL(secret).href }, 'not-allowed'],
    ['a file on another host', { url: 'file://elsewhere/good.png' }, 'not-allowed'],
    ['a remote URL', { url: 'https://example.com/a.png' }, 'not-allowed'],
    ['another scheme', { url: 'ftp://example.com/a.png' }, 'not-allowed'],
    ['no URL', { url: 'nonsense' }, 'not-found'],
    ['broken base64', { url: 'data:image/png;base64,%%%' }, 'bad-base64'],
    ['what does not exist', { path: 'nope.png' }, 'not-found'],
    ['a path through a file', { path: 'good.png/x' }, 'not-found'],
    ['a path with a zero byte', { path: 'a\u0000b' }, 'not-found'],
    ['a folder', { path: '.' }, 'unsupported'],
  ])('but refuses %s', async (_what, source, code) => {
    const result = await open(source, 'tool');
    expect(result).toMatchObject({ ok: false, refusal: { code } });
    expect(JSON.stringify(result)).not.toContain(folder);
  });
});

describe('every form of source reads alike', () => {
  const path = file('same.png', png);
  const stream = (): ReadableStream<Uint8Array> => new Blob([png]).stream();
  test.each([
    ['a path', () => path],
    ['a file URL', () => pathToFileURL(path)],
    ['a data URL', () => new URL(`data:;base64,${png.toString('base64')}`)],
    ['bytes', () => new Uint8Array(png)],
    ['an array buffer', () => new Uint8Array(png).buffer],
    ['a blob', () => new Blob([png])],
    ['a file', () => new File([png], 'same.png')],
    ['a stream', stream],
    [
      'a response',
      () => new Response(stream(), { headers: { 'content-disposition': 'attachment; filename="same.png"' } }),
    ],
  ])('%s', async (_what, source) => {
    const result = await read(source(), { assets, name: 'same.png' });
    expect(result).toMatchObject({ ok: true, value: { output: expect.stringContaining('[Image: same.png, 30x20, ') } });
  });

  test('and a stream that never ends is left as soon as it is too long', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.alloc(1000, 'a')),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await read(endless, { limits: { textBytes: 50_000 } })).toMatchObject({
      ok: false,
      refusal: { code: 'too-large' },
    });
    expect(cancelled).toBe(true);
  });

  test('and a stream that breaks off is refused', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) });
    expect(await read(broken)).toMatchObject({ ok: false, refusal: { code: 'corrupt' } });
  });

  test('and an answer that failed is not read', async () => {
    expect(await read(new Response('no', { status: 404 }))).toMatchObject({
      ok: false,
      refusal: { code: 'not-found' },
    });
  });

  test.each([
    ['before it begins', () => AbortSignal.abort()],
    ['while a stream waits', () => AbortSignal.timeout(50)],
  ])('and a reading can be cancelled %s', async (_what, signal) => {
    const silent = new ReadableStream<Uint8Array>();
    expect(await read(silent, { signal: signal() })).toMatchObject({ ok: false, refusal: { code: 'cancelled' } });
  });

  test('and a name from outside cannot speak for us', async () => {
    const result = await read(await plain(3, 3).png().toBuffer(), { name: '/etc/a\u001b[31m]\n[Image: b.png' });
    expect(result.ok ? result.value.output.split('\n').length : 0).toBe(1);
    expect(result.ok ? result.value.output : '').not.toMatch(/\p{Cc}|\/etc/u);
  });
});

test('a sound is read from a file as it is from a tool', async () => {
  const reading = await read(wav(), { name: 'beep.wav' });
  expect(reading).toMatchObject({
    ok: true,
    value: {
      output: expect.stringMatching(/^\[Audio: beep\.wav, 2 s, [\d,]+ bytes\]$/),
      blocks: [{ type: 'audio', seconds: 2, asset: { mediaType: 'audio/wav', name: 'beep.wav' } }],
      data: { type: 'audio', seconds: 2 },
    },
  });
  expect(await read(wav(), { as: 'text' })).toMatchObject({ ok: false, refusal: { code: 'unsupported' } });
  expect(await read(wav(), { limits: { audioBytes: 10 } })).toMatchObject({
    ok: false,
    refusal: { code: 'too-large' },
  });
});

test.each<[string, number, Buffer]>([
  ['a picture', 20, png],
  ['a PDF', 32, pdfSaying('x')],
  ['a Word document', 64, docx(paragraph('x'))],
  ['a sound', 20, wav()],
])('unless told otherwise, %s of more than %i MiB is refused with that limit', async (_what, mebibytes, bytes) => {
  const most = mebibytes * 1024 * 1024;
  const path = file('large.bin', bytes);
  truncateSync(path, most + 1); // the rest is a hole
  expect(await read(path)).toMatchObject({
    ok: false,
    refusal: { code: 'too-large', limit: `${most.toLocaleString('en-US')} bytes` },
  });
});
