// How much less a request may be after a complaint that it was too much.
import { describe, expect, test } from 'vitest';
import { complaintOf } from '../../../src/model/heal/complaint.ts';
import type { Complaint } from '../../../src/model/heal/complaint.ts';
import type { Repairs } from '../../../src/model/heal/repair-types.ts';
import { fewerBytes, fewerImages, fewerThan, fewerTokens, mostImages } from '../../../src/model/heal/shrink.ts';
import type { RefusedRequest } from '../../../src/model/heal/suspects.ts';
import { planAsIs } from '../../../src/window/plan-as-is.ts';
import { profileFor } from '../../../src/window/profile.ts';
import { put } from '../../laws/world.ts';
import { picture, refusedRequest, says } from './refused.ts';

const profile = profileFor('anthropic/claude-sonnet-4-5');

/** A request with so many pictures. */
function refused(count: number, bytes = 1000): RefusedRequest {
  const content = Array.from({ length: count }, (_, at) => ({
    type: 'image' as const,
    asset: put(`shot ${at}`, 'image/png'),
    width: 64,
    height: 48,
  }));
  const transcript = {
    version: 1 as const,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }, ...content] }],
  };
  const { plan, ledger, totals } = planAsIs({ transcript, profile });
  return { plan, ledger, totals, transcript, accepted: undefined, skeleton: {}, bytes };
}

const said = (message: string): Complaint => complaintOf(400, message);

describe('pictures', () => {
  test.each([
    ['A maximum of 100 images may be sent', 100],
    ['At most 1 image(s) may be provided', 1],
    ['max 20 pictures', 20],
    ['the maximum is 5 images', 5],
    ['up to 5 images', 5],
    ['the limit of 12 images', 12],
    ['it exceeds the limit of 8 pictures', 8],
    ['too many images: 103 > 100', 100],
    ['too many images: 103>90', 90],
    ['at most  3  pictures', 3],
    ['max 1 picture', 1],
    ['too many images and documents: 103 + 1 > 90', 90],
    ['this model supports one image', 1],
    ['this model supports only one image', 1],
    ['this model allows 3 images', 3],
    ['this model only allow 12 images', 12],
    ['Too much media: 0 document pages + 102 images > 100', 100],
    ['request contains 52 images, exceeding the maximum of 50 allowed per request', 50],
    ['Image count 5 exceeds limit 4 per request.', 4],
    ['too many images in the message, max allowed is 16', 16],
    ['messages.6.content.2.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes', undefined],
    ['Too many images.', 7],
    ['too big an image', undefined],
  ])('%s', (message, most) => {
    expect(mostImages(message, 10)).toBe(most);
  });

  test('with one picture, too many are one', () => {
    expect(mostImages('Too many images.', 1)).toBe(1);
  });

  test.each([
    [[1, 2], 2],
    [[1, 1], undefined],
    [[], undefined],
  ])('of turns with %j pictures, where two may be, %s stay', (counts, most) => {
    const turns = counts.map((images) => ({ images }));
    expect(fewerThan(turns, said('At most 2 images.'))).toBe(most);
  });

  test('as many as it says, or fewer than there were when it counts something else as well', () => {
    const why = 'At most 2 images.';
    expect(fewerImages(said(why), refused(3))).toEqual({ why, limits: { images: 2 } });
    expect(fewerImages(said(why), refused(9))).toEqual({ why, limits: { images: 2 } });
    expect(fewerImages(said(why), refused(2))).toEqual({ why, limits: { images: 1 } });
    expect(fewerImages(said(why), refused(1))).toEqual({ why, limits: { images: 0 } });
    expect(fewerImages(said(why), refused(0))).toBeUndefined();
    expect(fewerImages(said('Invalid image.'), refused(3))).toBeUndefined();
  });

  test('other media are not counted', () => {
    const page = { type: 'document', asset: put('%PDF-1.4 page', 'application/pdf'), pages: 1 } as const;
    const request = refusedRequest([says(page, picture('one'), picture('two'))]);
    expect(fewerImages(said('At most 2 images.'), request)?.limits).toEqual({ images: 1 });
  });
});

describe('tokens', () => {
  const { totals, ledger } = refused(0);
  const used = totals.used.tokens;
  const own = ledger.entries[profile.model]?.estimate.tokens ?? 0;
  const share = (part: number) => ({
    budget: { tokens: Math.max(1, Math.floor(used * part)) },
    estimate: Math.max(1, Math.floor(own * part)),
  });

  test.each([
    ['prompt is too long: 250000 tokens > 200000 maximum', 250_000, 200_000],
    ['prompt is too long: 250,000 token > 200,000 maximum', 250_000, 200_000],
    ['The input token count (1194876) exceeds the maximum number of tokens allowed (1048575).', 1_194_876, 1_048_575],
    ['prompt is too long: 250000tokens>200000', 250_000, 200_000],
    ['input token count 2000 exceeds 1000', 2000, 1000],
    ['input token count 2000, which exceeds 1000', 2000, 1000],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130244 tokens.",
      130_244,
      128_000,
    ],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 537_812, 131_072],
    ['maximum context length of 1,000, yours 2,000', 2000, 1000],
    ['the request contains 5000 tokens, and 4000 are allowed', 5000, 4000],
  ])('%s', (why, actual, limit) => {
    const { budget, estimate } = share(Math.min(0.9, (limit / actual) * 0.9));
    expect(fewerTokens(said(why), refused(0), [])).toEqual({ why, budget, limits: { estimate, contextTokens: limit } });
  });

  test.each([
    'prompt is too long',
    'prompt is too long: 100 tokens > 200 maximum',
    'prompt is too long: 200 tokens > 200 maximum',
    'prompt is too long: 200 tokens > 0 maximum',
  ])('a step, where it does not say how much or nothing that can be: %s', (why) => {
    const { budget, estimate } = share(0.7);
    expect(fewerTokens(said(why), refused(0), [])).toEqual({ why, budget, limits: { estimate } });
  });

  test('what is not in the ledger is counted anew, and something is always left', () => {
    const request = { ...refused(0), ledger: { version: 1 as const, current: '', entries: {} } };
    expect(fewerTokens(said('prompt is too long'), request, [])?.limits).toEqual({
      estimate: share(0.7).budget.tokens,
    });
    const tiny = { ...request, totals: { ...totals, used: { ...totals.used, tokens: 0 } } };
    expect(fewerTokens(said('prompt is too long'), tiny, [])).toMatchObject({
      budget: { tokens: 1 },
      limits: { estimate: 1 },
    });
  });

  test('twice a turn', () => {
    const once: Repairs = [{ why: '', budget: { tokens: 1 } }];
    expect(fewerTokens(said('prompt is too long'), refused(0), once)).toBeDefined();
    expect(
      fewerTokens(said('prompt is too long'), refused(0), [...once, { why: '' }, { why: '', budget: {} }]),
    ).toBeDefined();
    expect(fewerTokens(said('prompt is too long'), refused(0), [...once, ...once])).toBeUndefined();
  });
});

test('bytes: a step, twice a turn', () => {
  const why = 'request_too_large';
  const once: Repairs = [{ why: '', limits: { bytes: 700 } }];
  expect(fewerBytes(said(why), refused(0), [])).toEqual({ why, limits: { bytes: 700 } });
  expect(fewerBytes(said(why), refused(0, 0), once)).toEqual({ why, limits: { bytes: 1 } });
  expect(fewerBytes(said(why), refused(0), [...once, { why: '', limits: { images: 1 } }, { why: '' }])).toBeDefined();
  expect(fewerBytes(said(why), refused(0), [...once, ...once])).toBeUndefined();
});
