// What an answer counts nothing of was not seen: the kind goes another way, and a receipt says so.
import { describe, expect, test } from 'vitest';
import type { Usage } from '../../src/message/message.ts';
import type { Decision } from '../../src/window/decide.ts';
import type { Plan, PlanItem, PlannedImage, PlannedRemote, Shown } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import { carrierOf, goesUnseen, sightedProfile, unseenIn, withUnseen } from '../../src/window/unseen.ts';

const profile = profileFor('gemini/gemini-3-pro-preview');
const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1 } as const;
const picture: PlannedImage = { type: 'image', asset, width: 1, height: 1 };
const byUrl: PlannedRemote = { type: 'remote', kind: 'image', at: { url: 'https://example.org/a.png' } };
const paper: Shown = { type: 'document', asset: { ...asset, id: 'sha256:bb' } };
const words: Shown = { type: 'text', text: 'words' };

function planOf(content: Shown[], inside: Shown[] = []): Plan {
  const results = [{ callId: 'c', name: 'look', isError: false, content: [words, ...inside] }];
  const items: PlanItem[] = [
    { role: 'user', content },
    { role: 'batch', results, after: [] },
  ];
  return { profile, items } as unknown as Plan;
}

function counted(media: Usage['media']): Usage {
  return { inputTokens: 10, outputTokens: 1, ...(media && { media }) };
}

const sound = (type: 'audio' | 'video'): Shown => ({ type, asset, seconds: 1 });

describe('what was seen', () => {
  test('is not doubted where nobody counts by kind, the kind is counted, or nothing of it was sent', () => {
    expect(unseenIn(planOf([picture]), undefined)).toBeUndefined();
    expect(unseenIn(planOf([picture]), counted(undefined))).toBeUndefined();
    expect(unseenIn(planOf([picture]), counted({ image: 1 }))).toBeUndefined();
    expect(unseenIn(planOf([words]), counted({}))).toBeUndefined();
  });

  test('a document may be counted as pictures; a picture not as a document', () => {
    expect(unseenIn(planOf([paper]), counted({ image: 5 }))).toBeUndefined();
    expect(unseenIn(planOf([paper]), counted({ document: 5 }))).toBeUndefined();
    expect(unseenIn(planOf([paper]), counted({ audio: 5 }))?.unseen).toEqual({ document: [] });
    expect(unseenIn(planOf([picture]), counted({ document: 5 }))?.unseen).toEqual({ image: [] });
    expect(unseenIn(planOf([sound('audio'), sound('video')]), counted({ audio: 1, video: 2 }))).toBeUndefined();
    expect(unseenIn(planOf([sound('audio'), sound('video')]), counted({ image: 0 }))?.unseen).toEqual({
      audio: [],
      video: [],
    });
  });
});

describe('what was not seen', () => {
  test('is told with the ways it went, each once, and those that are left', () => {
    const uploaded: Shown = { ...picture, at: { file: 'file-1' } };
    const found = unseenIn(planOf([byUrl, uploaded, byUrl], [picture]), counted({ image: 0 }));
    expect(found).toEqual({
      unseen: { image: ['url', 'file', 'inside'] },
      receipts: [
        {
          action: 'unseen',
          subject: '4 image',
          why: `${profile.id} answered and counts no tokens of this kind: it has not seen it; it goes another way from the next request on`,
          sent: ['sha256:aa', 'sha256:aa'],
        },
      ],
    });
  });

  test('has no other way where a person sent it as it is', () => {
    const { unseen, receipts } = unseenIn(planOf([picture]), counted({})) ?? {};
    expect(unseen).toEqual({ image: [] });
    expect(receipts?.[0]?.why).toContain('there is no other way to send it');
    expect(unseenIn(planOf([byUrl]), counted({}))?.receipts[0]).not.toHaveProperty('sent');
  });
});

test('a medium travels inline, by its address or by its id', () => {
  expect(carrierOf(picture)).toBe('inline');
  expect(carrierOf(byUrl)).toBe('url');
  expect(carrierOf({ ...picture, at: { file: 'f' } })).toBe('file');
  expect(carrierOf({ ...byUrl, at: { file: 'f' } })).toBe('file');
});

test('the ways of several answers are kept together', () => {
  expect(withUnseen({ image: ['url'], audio: [] }, { image: ['url', 'inside'], document: ['file'] })).toEqual({
    image: ['url', 'inside'],
    document: ['file'],
  });
  expect(withUnseen({}, {})).toEqual({});
});

describe('a profile', () => {
  const carriers = { url: { result: 'inside', user: 'inside' }, file: { result: 'inside', user: 'inside' } } as const;
  const image = { ...profile.media.image, result: 'inside', errorResult: 'inside', carriers } as const;
  const whole = { ...profile, media: { ...profile.media, image } };

  test('loses the ways that showed nothing, and no others', () => {
    expect(sightedProfile(whole, { image: ['url'] }).media.image).toEqual({
      ...image,
      carriers: { file: carriers.file },
    });
    expect(sightedProfile(whole, { image: ['file'] }).media.image).toEqual({
      ...image,
      carriers: { url: carriers.url },
    });
    const outside = { ...image, result: 'after', errorResult: 'after' };
    expect(sightedProfile(whole, { image: ['inside'] }).media.image).toEqual(outside);
    expect(sightedProfile(whole, { image: [] })).toEqual(whole);
    expect(sightedProfile(whole, { document: ['url'] }).media.image).toBe(image);
  });

  test('gains none: what stood elsewhere stays there', () => {
    const apart = { ...whole, media: { ...whole.media, image: { ...image, result: 'words' as const, carriers: {} } } };
    expect(sightedProfile(apart, { image: ['inside'] }).media.image).toEqual({
      ...image,
      result: 'words',
      errorResult: 'after',
      carriers: {},
    });
  });
});

const decided = (place: Decision['place'], ...blocks: Shown[]): { decisions: Decision[] } => ({
  decisions: [{ place, blocks, action: 'inside', why: '' }],
});

test('what was decided before goes on unless it went a way that showed nothing', () => {
  expect(goesUnseen(decided('inside', words, picture), { image: ['inside'] })).toBe(true);
  expect(goesUnseen(decided('after', picture), { image: ['inside'] })).toBe(false);
  expect(goesUnseen(decided('inside', picture), { document: ['inside'] })).toBe(false);
  expect(goesUnseen(decided('inside', byUrl), { image: ['url'] })).toBe(true);
  expect(goesUnseen(decided('inside', byUrl), { image: ['file'] })).toBe(false);
  expect(goesUnseen(decided('inside', words), { image: ['inside'] })).toBe(false);
});
