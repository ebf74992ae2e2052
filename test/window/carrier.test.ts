// How a medium travels, decision by decision: inline, by an id, by its address, fetched, or as words.
import { describe, expect, test } from 'vitest';
import type { DocumentBlock, ImageBlock, MediaBlock, ReferenceBlock, SoundBlock } from '../../src/content/block.ts';
import { mediumId } from '../../src/content/block.ts';
import { refuse, refusalText } from '../../src/content/refusal.ts';
import {
  foreignFile,
  refusedByProvider,
  sightless,
  takesNoDocument,
  takesNone,
  takesNoReference,
  unpassed,
} from '../../src/content/words.ts';
import { decideMedium, isHopeless, moveToFile } from '../../src/window/carrier.ts';
import type { DecideContext, Decision, MediaSlot } from '../../src/window/decide.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Need } from '../../src/window/rendition.ts';
import type { Carriers, MediumRule } from '../../src/window/rules.ts';

const openai = profileFor('openai/gpt-5.2');
const id = openai.id;
const files = openai.files ?? '';
const both = { result: 'inside', user: 'inside' } as const;

/** A profile that takes every kind in one way. */
function taking(carriers: Carriers, more: Partial<MediumRule> = {}, over: Partial<Profile> = {}): Profile {
  const rule: MediumRule = {
    ...openai.media.document,
    result: 'inside',
    errorResult: 'inside',
    user: 'inside',
    maxPages: 10,
    maxBase64: 1_000_000,
    carriers,
    ...more,
  };
  const of = (types: readonly string[]): MediumRule => ({ ...rule, types: more.types ?? types });
  const media = {
    image: of(['image/png']),
    document: of(['application/pdf']),
    audio: of(['audio/wav']),
    video: of(['video/mp4']),
  };
  return { ...openai, media, ...over };
}

type Told = { context: DecideContext; needs: Need[] };

function context(profile: Profile, more: Partial<DecideContext> = {}, facts: [Need, Fact][] = []): Told {
  const needs: Need[] = [];
  const need = (one: Need): void => void needs.push(one);
  const known = new Map(facts.map(([one, fact]) => [renditionKey(one), fact]));
  return { context: { profile, facts: known, gone: new Set(), viewable: false, need, needMore: need, ...more }, needs };
}

const asset = (mediaType: string, size: number): MediaBlock['asset'] => ({
  id: `sha256:${'a'.repeat(64)}`,
  mediaType,
  size,
});
const pdf = (size: number, more: Partial<DocumentBlock> = {}): DocumentBlock => ({
  type: 'document',
  asset: asset('application/pdf', size),
  pages: 3,
  ...more,
});
const sound = (size: number): SoundBlock => ({ type: 'audio', asset: asset('audio/wav', size), seconds: 4 });
const picture = (size: number): ImageBlock => ({
  type: 'image',
  asset: asset('image/png', size),
  width: 64,
  height: 48,
});
const named = (name: string): Fact => ({
  ok: true,
  value: [{ type: 'reference', kind: 'image', at: { file: { endpoint: files, id: name } } }],
});
const none = refuse('not-found', 'Nobody answers there', 'Try something else.');
const uploaded = (block: MediaBlock, fact: Fact = named('file-1')): [Need, Fact] => [
  { to: 'file', asset: block.asset, endpoint: files },
  fact,
];

const large = 800_000; // more than a million characters of base64
const byFile = taking({ file: both });

describe('a document or a sound that is too large to go inline', () => {
  const upload = { uploads: 'needed' } as const;

  test('goes by its id, in one piece', () => {
    const asked = context(byFile, upload);
    expect(decideMedium(pdf(large), 'user', asked.context)).toBeUndefined();
    expect(asked.needs).toEqual([{ to: 'file', asset: pdf(large).asset, endpoint: files }]);
    const { context: known } = context(byFile, upload, [uploaded(pdf(large))]);
    expect(decideMedium(pdf(large), 'user', known)).toEqual({
      place: 'inside',
      blocks: [{ type: 'document', asset: pdf(large).asset, pages: 3, at: { file: 'file-1' } }],
      action: 'inside',
      why: `too large for ${id} inline; it goes by its file id`,
    });
    const { pages: _pages, ...unknown } = pdf(large);
    expect(decideMedium(unknown, 'user', known)?.blocks).toEqual([
      { type: 'document', asset: unknown.asset, at: { file: 'file-1' } },
    ]);
    const { context: heard } = context(byFile, upload, [uploaded(sound(large))]);
    expect(decideMedium(sound(large), 'user', heard)?.blocks).toEqual([
      { type: 'audio', asset: sound(large).asset, seconds: 4, at: { file: 'file-1' } },
    ]);
  });

  test('follows the results where the API takes an id only there', () => {
    const after = taking({ file: { result: 'after', user: 'inside' } });
    const { context: known } = context(after, upload, [uploaded(pdf(large))]);
    expect(decideMedium(pdf(large), 'result', known)).toMatchObject({ place: 'after', action: 'after' });
    const strict = taking({ file: both }, { errorResult: 'words' });
    const { context: failed } = context(strict, upload, [uploaded(pdf(large))]);
    expect(decideMedium(pdf(large), 'errorResult', failed)).toMatchObject({ place: 'after', action: 'after' });
    expect(decideMedium(pdf(large), 'result', failed)).toMatchObject({ place: 'inside', action: 'inside' });
  });

  const stays: [string, MediaBlock, Profile, Partial<DecideContext>, Fact?][] = [
    ['fits', pdf(700_000), byFile, upload],
    ['is a part', pdf(large, { range: [0, 1] }), byFile, upload],
    ['has too many pages', pdf(large, { pages: 11 }), byFile, upload],
    ['is too large for any store', pdf(50_000_001), byFile, upload],
    ['was refused before', pdf(large), byFile, { ...upload, floors: new Map([[pdf(1).asset.id, 1]]) }],
    ['may go nowhere by an id', pdf(large), taking({}), upload],
    ['may not stand there', pdf(large), taking({ file: { result: 'inside', user: 'words' } }), upload],
    ['is of no type that is taken', pdf(large), taking({ file: both }, { types: ['text/plain'] }), upload],
    ['nobody uploads', pdf(large), byFile, {}],
    ['is gone', pdf(large), byFile, { ...upload, gone: new Set([pdf(1).asset.id]) }],
    ['is a picture', picture(large), byFile, upload],
    ['could not be uploaded', pdf(large), byFile, upload, none],
    ['was given something else', pdf(large), byFile, upload, { ok: true, value: [picture(1)] }],
  ];

  test.each(stays)('not one that %s', (_why, block, profile, more, fact) => {
    const { context: known, needs } = context(profile, more, fact ? [uploaded(block, fact)] : []);
    expect(JSON.stringify(decideMedium(block, 'user', known)) ?? '').not.toContain('too large for');
    expect(needs.filter(({ to }) => to === 'file')).toEqual([]);
  });

  test('nor where nothing may be asked for, or the endpoint keeps no files', () => {
    const { needMore: _needMore, ...silent } = context(byFile, upload).context;
    expect(JSON.stringify(decideMedium(pdf(large), 'user', silent)) ?? '').not.toContain('file id');
    const { files: _files, ...without } = byFile;
    const { context: known, needs } = context(without, upload, [uploaded(pdf(large))]);
    decideMedium(pdf(large), 'user', known);
    expect(needs.filter(({ to }) => to === 'file')).toEqual([]);
  });

  test('of the very size that fits goes as it is, and the largest that a store takes by its id', () => {
    const { context: fits, needs } = context(byFile, upload);
    expect(decideMedium(pdf(750_000), 'user', fits)?.action).toBe('inside');
    expect(needs).toEqual([]);
    const asked = context(byFile, upload);
    decideMedium(pdf(50_000_000, { pages: 10 }), 'user', asked.context);
    expect(asked.needs.map(({ to }) => to)).toEqual(['file']);
  });
});

describe('what will be sent again', () => {
  const worth = { uploads: 'worth' } as const;

  test('goes by its id from 64 KiB on', () => {
    const asked = context(byFile, worth);
    expect(decideMedium(picture(65_536), 'user', asked.context)).toBeUndefined();
    expect(asked.needs.map(({ to }) => to)).toEqual(['file']);
    const small = context(byFile, worth);
    expect(decideMedium(picture(65_535), 'user', small.context)?.blocks.at(-1)).not.toHaveProperty('at');
    expect(small.needs).toEqual([]);
    const { context: known } = context(byFile, worth, [uploaded(picture(70_000))]);
    expect(decideMedium(picture(70_000), 'user', known)?.blocks.at(-1)).toMatchObject({ at: { file: 'file-1' } });
    expect(decideMedium(picture(70_000), 'result', known)?.blocks.at(-1)).toMatchObject({ at: { file: 'file-1' } });
  });

  test('only where the API shows it there; what could not be uploaded goes inline', () => {
    const rows: [Carriers, MediaSlot, boolean][] = [
      [{ file: { result: 'words', user: 'inside' } }, 'result', false],
      [{ file: { result: 'words', user: 'inside' } }, 'user', true],
      [{ file: { result: 'inside', user: 'words' } }, 'user', false],
      [{ file: { result: 'inside', user: 'words' } }, 'result', true],
      [{ url: both }, 'user', false],
    ];
    for (const [carriers, slot, goes] of rows) {
      const { context: known } = context(taking(carriers), worth, [uploaded(picture(70_000))]);
      expect(
        'at' in (decideMedium(picture(70_000), slot, known)?.blocks.at(-1) ?? {}),
        JSON.stringify([carriers, slot]),
      ).toBe(goes);
    }
    const { context: failed } = context(byFile, worth, [uploaded(picture(70_000), none)]);
    expect(decideMedium(picture(70_000), 'user', failed)).toMatchObject({ action: 'inside' });
    expect(decideMedium(picture(70_000), 'user', failed)?.blocks.at(-1)).not.toHaveProperty('at');
    const { context: needed } = context(byFile, { uploads: 'needed' }, [uploaded(picture(70_000))]);
    expect(decideMedium(picture(70_000), 'user', needed)?.blocks.at(-1)).not.toHaveProperty('at');
  });

  test('words stay words', () => {
    const blind = taking({ file: both }, { types: [], result: 'words', user: 'words' });
    const { context: known, needs } = context(blind, worth);
    expect(decideMedium(picture(70_000), 'user', known)?.place).toBe('words');
    expect(needs.filter(({ to }) => to === 'file')).toEqual([]);
  });
});

describe('a medium that was sent inline', () => {
  const worth = { uploads: 'worth' } as const;
  const { type, asset: its, width, height } = picture(70_000);
  const sent: Decision = {
    place: 'inside',
    blocks: [
      { type: 'text', text: 'a' },
      { type, asset: its, width, height },
    ],
    action: 'inside',
    why: 'x',
  };

  test('moves to its id, outside its result where the API shows it there alone', () => {
    const { context: known } = context(byFile, worth, [uploaded(picture(70_000))]);
    expect(moveToFile('result', sent, known)).toMatchObject({
      place: 'inside',
      action: 'inside',
      blocks: [{}, { at: { file: 'file-1' } }],
    });
    const { context: after } = context(taking({ file: { result: 'after', user: 'inside' } }), worth, [
      uploaded(picture(70_000)),
    ]);
    expect(moveToFile('result', sent, after)).toMatchObject({
      place: 'after',
      action: 'after',
      blocks: [{}, { at: { file: 'file-1' } }],
    });
    expect(moveToFile('user', sent, after)).toMatchObject({ place: 'inside', action: 'inside' });
    expect(moveToFile('result', { ...sent, action: 'reduced' }, after)).toMatchObject({
      place: 'after',
      action: 'reduced',
    });
    expect(moveToFile('user', { ...sent, place: 'after', action: 'after' }, known)).toMatchObject({
      place: 'after',
      action: 'after',
    });
  });

  test('stays where there is no id for it, it has one, or nobody uploads', () => {
    const { context: known } = context(byFile, worth, [uploaded(picture(70_000))]);
    const { uploads: _uploads, ...without } = known;
    expect(moveToFile('result', sent, without)).toBeUndefined();
    expect(moveToFile('result', { ...sent, blocks: [{ type: 'text', text: 'a' }] }, known)).toBeUndefined();
    expect(
      moveToFile('result', { ...sent, blocks: [{ type, asset: its, width, height, at: { file: 'f' } }] }, known),
    ).toBeUndefined();
    const { context: failed } = context(byFile, worth, [uploaded(picture(70_000), none)]);
    expect(moveToFile('result', sent, failed)).toBeUndefined();
    const { context: waiting, needs } = context(byFile, worth);
    expect(moveToFile('result', sent, waiting)).toBeUndefined();
    expect(needs).toHaveLength(1);
    expect(moveToFile('result', sent, context(taking({}), worth).context)).toBeUndefined();
  });
});

const address = 'https://files.example.com/kiwi.png';
const at = (url: string, more: Partial<ReferenceBlock> = {}): ReferenceBlock => ({
  type: 'reference',
  kind: 'image',
  at: { url },
  ...more,
});
const byUrl = taking({ url: both, file: both });
const ownId: ReferenceBlock = { type: 'reference', kind: 'image', at: { file: { endpoint: 'openai', id: 'file-9' } } };

describe('a medium that lies elsewhere', () => {
  test('goes as it is, with what is known of it', () => {
    const { context: known } = context(byUrl);
    const block = at(address, { detail: 'low', fallback: 'a kiwi', width: 9, height: 8 });
    expect(decideMedium(block, 'user', known)).toEqual({
      place: 'inside',
      blocks: [{ type: 'remote', kind: 'image', at: { url: address }, width: 9, height: 8, detail: 'low' }],
      action: 'inside',
      why: `${id} takes it there by its address; not checked`,
    });
    expect(decideMedium(at(address, { kind: 'document', detail: 'low' }), 'user', known)?.blocks).toEqual([
      { type: 'remote', kind: 'document', at: { url: address } },
    ]);
    expect(decideMedium(ownId, 'result', known)).toMatchObject({
      blocks: [{ at: { file: 'file-9' } }],
      why: `${id} takes it there by its file id`,
    });
    const { context: after } = context(taking({ file: { result: 'after', user: 'inside' } }));
    expect(decideMedium(ownId, 'result', after)).toMatchObject({ place: 'after', action: 'after' });
  });

  const foreign: ReferenceBlock = { ...ownId, at: { file: { endpoint: 'anthropic', id: 'f' } } };
  const rows: [string, ReferenceBlock, MediaSlot, Profile, Partial<DecideContext>, string][] = [
    ['addresses never pass', at(address), 'user', byUrl, { urls: { pass: 'never', fetch: false } }, unpassed.never],
    ['a tool named it', at(address), 'result', byUrl, {}, unpassed.tools],
    ['a part is meant', at(address, { kind: 'document', range: [0, 1] }), 'user', byUrl, {}, unpassed.part],
    ['it is no address of everybody', at('http://example.com/a.png'), 'user', byUrl, {}, unpassed.http],
    ['its id is another’s', foreign, 'user', byUrl, {}, foreignFile('anthropic')],
    [
      'it was refused',
      at(address),
      'user',
      byUrl,
      { floors: new Map([[mediumId(at(address)), 1]]) },
      refusedByProvider,
    ],
    ['somebody wishes so', at(address), 'user', { ...byUrl, withheld: 'kept at home' } as Profile, {}, 'kept at home'],
    ['no address is taken', at(address), 'user', taking({ file: both }), {}, takesNoReference(id, 'url')],
    ['no id is taken', ownId, 'user', taking({ url: both }), {}, takesNoReference(id, 'file')],
    [
      'it may not stand there',
      at(address),
      'user',
      taking({ url: { result: 'inside', user: 'words' } }),
      {},
      takesNoReference(id, 'url'),
    ],
    [
      'it is another host',
      at(address),
      'user',
      taking({ url: { ...both, hosts: ['example.org', 'iles.example.com'] } }),
      {},
      takesNoReference(id, 'url'),
    ],
    ['no pictures are taken', at(address), 'user', taking({}, { types: [] }), {}, sightless],
    [
      'no documents are taken',
      at(address, { kind: 'document' }),
      'user',
      taking({}, { types: [] }),
      {},
      takesNoDocument(id),
    ],
    ['no sounds are taken', at(address, { kind: 'audio' }), 'user', taking({}, { types: [] }), {}, takesNone('audio')],
  ];

  test.each(rows)('words stand for it where %s', (_where, block, slot, profile, more, why) => {
    const { context: known, needs } = context(profile, more);
    expect(decideMedium(block, slot, known)).toMatchObject({ place: 'words', action: 'words', why });
    expect(needs).toEqual([]);
  });

  test('passes from the hosts that are named and those below them, and from tools where all may', () => {
    for (const host of ['files.example.com', 'example.com'])
      expect(
        decideMedium(at(address), 'user', context(taking({ url: { ...both, hosts: ['x.org', host] } })).context)?.place,
      ).toBe('inside');
    const limited = taking({ file: { ...both, hosts: ['x.org'] } });
    expect(decideMedium(ownId, 'user', context(limited).context)?.place).toBe('inside');
    const all = context(byUrl, { urls: { pass: 'all', fetch: false } });
    expect(decideMedium(at(address), 'result', all.context)?.place).toBe('inside');
  });
});

describe('what may be fetched', () => {
  const fetches = { urls: { pass: 'never', fetch: true } } as const;
  const need: Need = { to: 'bytes', url: address, reference: at(address) };

  test('is asked for, and goes the way of all media', () => {
    const asked = context(byUrl, fetches);
    expect(decideMedium(at(address), 'user', asked.context)).toBeUndefined();
    expect(asked.needs).toEqual([need]);
    const { context: known } = context(byUrl, fetches, [
      [need, { ok: true, value: [{ type: 'text', text: 'x' }, picture(300)] }],
    ]);
    expect(decideMedium(at(address), 'user', known)).toMatchObject({ place: 'inside', action: 'fetched' });
    const after = taking({}, { result: 'after' });
    const { context: behind } = context(after, fetches, [[need, { ok: true, value: [picture(300)] }]]);
    expect(decideMedium(at(address), 'result', behind)).toMatchObject({ place: 'after', action: 'fetched' });
    const { context: blind } = context(taking({}, { types: [], user: 'words' }), fetches, [
      [need, { ok: true, value: [picture(300)] }],
    ]);
    expect(decideMedium(at(address), 'user', blind)).toMatchObject({ place: 'words', action: 'words' });
  });

  test('is told where it could not be had, where nothing came, and where nobody fetches', () => {
    const { context: failed } = context(byUrl, fetches, [[need, none]]);
    expect(decideMedium(at(address), 'user', failed)).toMatchObject({
      action: 'words',
      why: refusalText(none.refusal),
    });
    const { context: empty } = context(byUrl, fetches, [[need, { ok: true, value: [{ type: 'text', text: 'x' }] }]]);
    expect(decideMedium(at(address), 'user', empty)).toMatchObject({
      action: 'words',
      why: takesNoReference(id, 'url'),
    });
    const { needMore: _needMore, ...silent } = context(byUrl, fetches).context;
    expect(decideMedium(at(address), 'user', silent)).toMatchObject({
      action: 'words',
      why: takesNoReference(id, 'url'),
    });
  });

  test('not a second time after a refusal, and never an id', () => {
    const refused = (floor: number): Told =>
      context(byUrl, { ...fetches, floors: new Map([[mediumId(at(address)), floor]]) });
    const once = refused(1);
    expect(decideMedium(at(address), 'user', once.context)).toBeUndefined();
    expect(once.needs).toEqual([need]);
    const twice = refused(2);
    expect(decideMedium(at(address), 'user', twice.context)).toMatchObject({ action: 'words', why: refusedByProvider });
    const foreign: ReferenceBlock = { ...ownId, at: { file: { endpoint: 'anthropic', id: 'f' } } };
    expect(decideMedium(foreign, 'user', context(byUrl, fetches).context)).toMatchObject({ action: 'words' });
  });
});

test('words stand for some kinds whatever they weigh; what lies elsewhere is another matter', () => {
  const blind = taking({}, { result: 'words' });
  const { context: known } = context(blind);
  expect(isHopeless(picture(1), 'result', known)).toBe(true);
  expect(isHopeless(picture(1), 'user', known)).toBe(false);
  expect(isHopeless(at(address), 'result', known)).toBe(false);
});
