// Films and more kinds of sound: what their containers tell, which models get them, and what hostile ones may do.
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { openIntake, read } from '../../src/media/index.ts';
import { filmOf } from '../../src/media/video/header.ts';
import { prepare } from '../../src/model/prepare.ts';
import { aac, aiff, flac, mp4, mpeg, ogg, webm } from './film-make.ts';

const assets = memoryAssets();
const facts = { seconds: 12, width: 640, height: 360 };

describe('a film is read', () => {
  test.each([
    ['MP4', mp4(facts), 'video/mp4', facts],
    ['MP4 that says at its end what it is', mp4(facts, { movieLast: true }), 'video/mp4', facts],
    ['QuickTime', mp4(facts, { brand: 'qt' }), 'video/quicktime', facts],
    ['WebM', webm(facts), 'video/webm', facts],
    ['WebM as it is recorded', webm(facts, { open: true }), 'video/webm', facts],
    ['MPEG', mpeg(352, 288), 'video/mpeg', { width: 352, height: 288 }],
  ])('as %s, with what its container tells', async (_what, bytes, mediaType, told) => {
    const result = await read(bytes, { assets, name: 'film' });
    expect(result).toMatchObject({
      ok: true,
      value: {
        output: expect.stringContaining(`${told.width}x${told.height}`),
        blocks: [{ type: 'video', seconds: 'seconds' in told ? told.seconds : 0, asset: { mediaType } }],
        data: { type: 'video', name: 'film', size: bytes.length, ...told },
      },
    });
    expect(await openIntake({ assets }).check(bytes, {})).toMatchObject({ ok: true, value: { type: 'video' } });
  });

  test.each([
    ['only sound inside', mp4(facts, { track: 'soun' }), {}, 'corrupt'],
    ['its description cut off', mp4(facts).subarray(0, 60), {}, 'corrupt'],
    ['another kind of Matroska', webm(facts, { type: 'matroska' }), {}, 'unsupported'],
    ['too many bytes', mp4(facts), { limits: { videoBytes: 1000 } }, 'too-large'],
    ['a wish for its text', mp4(facts), { as: 'text' as const }, 'unsupported'],
  ])('but not with %s', async (_what, bytes, options, code) => {
    expect(await read(bytes, { assets, ...options })).toMatchObject({ ok: false, refusal: { code } });
  });

  test('whose length nobody knew when it was written has none', async () => {
    const bytes = mp4(facts);
    bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('mvhd') + 4 + 16);
    expect(await read(bytes, { assets })).toMatchObject({
      ok: true,
      value: { blocks: [{ type: 'video', seconds: 0 }] },
    });
  });

  test.each([
    ['gemini/gemini-2.5-pro', '"mimeType":"video/mp4"'],
    ['anthropic/claude-sonnet-4-5', 'not shown: this model takes no such video'],
    ['openai/gpt-4.1', 'not shown: this model takes no such video'],
  ])('and reaches %s as it can be taken', async (model, expected) => {
    const content = [{ type: 'video' as const, data: mp4(facts), name: 'film.mp4' }];
    const request = await prepare({ version: 1, messages: [{ role: 'user', content }] }, { model, assets });
    expect(JSON.stringify(await request.json())).toContain(expected);
  });
});

describe('a sound is read', () => {
  test.each([
    ['FLAC', flac(3), 'audio/flac', 3],
    ['Ogg with Opus', ogg(4), 'audio/ogg', 4],
    ['AAC', aac(75), 'audio/aac', 1.6],
    ['AIFF', aiff(5), 'audio/aiff', 5],
  ])('as %s, with its length', async (_what, bytes, mediaType, seconds) => {
    expect(await read(bytes, { assets })).toMatchObject({
      ok: true,
      value: {
        blocks: [{ type: 'audio', seconds: expect.closeTo(seconds, 5), asset: { mediaType } }],
        data: { type: 'audio', seconds: expect.closeTo(seconds, 5) },
      },
    });
  });

  test.each([
    ['film in Ogg', ogg(4, '\u0080theora'), 'corrupt'],
    ['FLAC without its facts', flac(3).subarray(0, 20), 'corrupt'],
    ['MPEG-4 sound', mp4(facts, { brand: 'M4A', track: 'soun' }), 'unsupported'],
  ])('but not %s', async (_what, bytes, code) => {
    expect(await read(bytes, { assets })).toMatchObject({ ok: false, refusal: { code } });
  });
});

describe('a hostile container', () => {
  const endless = Buffer.from('000000006d6f6f76', 'hex');
  test.each([
    ['a box that holds everything, also itself', Buffer.concat(Array.from({ length: 5000 }, () => endless))],
    ['a box with a size beyond all numbers', Buffer.from(`000000016d6f6f76${'ff'.repeat(8)}${'00'.repeat(40)}`, 'hex')],
    ['a box smaller than its head', Buffer.from('000000046d6f6f76000000046d6f6f76', 'hex')],
  ])('with %s is no film', (_what, bytes) => {
    expect(filmOf('video/mp4', bytes)).toBeUndefined();
  });

  test('with any byte changed or its end missing is a film, a refusal, but never a fault', async () => {
    const sources = [mp4(facts), webm(facts), mpeg(352, 288), flac(3), ogg(4), aac(75), aiff(5)];
    for (const source of sources) {
      for (let at = 0; at < Math.min(source.length, 220); at += 1) {
        const damaged = Buffer.from(source);
        damaged.writeUInt8(at % 3 === 0 ? 0xff : at % 3 === 1 ? 0 : 1, at);
        for (const bytes of [damaged, source.subarray(0, at + 1)]) {
          const result = await read(bytes, { assets, name: 'x' });
          if (!result.ok) expect(result.refusal.next).not.toBe('');
          for (const type of ['video/mp4', 'video/webm', 'video/mpeg']) filmOf(type, bytes);
        }
      }
    }
  });
});
