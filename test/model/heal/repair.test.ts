// What is changed about a refused request, by what was complained about and what was tried before.
import { describe, expect, test } from 'vitest';
import type { Block, MediumId, Seal } from '../../../src/content/block.ts';
import type { Message } from '../../../src/message/message.ts';
import type { Complaint } from '../../../src/model/heal/complaint.ts';
import { capabilities, repairFor, searchable } from '../../../src/model/heal/repair.ts';
import type { Narrowed, Repair, Repairs } from '../../../src/model/heal/repair-types.ts';
import { brings, linked, picture, refusedRequest, says, uploaded } from './refused.ts';

const text: Block = { type: 'text', text: 'Look.' };
const [one, two, three] = [picture('one'), picture('two'), picture('three')] as const;
const idsOf = (...blocks: { asset: { id: MediumId } }[]): MediumId[] => blocks.map(({ asset }) => asset.id);

const about = (code: Complaint['code'], more: Partial<Complaint> = {}): Complaint => ({
  type: 'message-error',
  code,
  message: 'They said no.',
  retryable: false,
  ...more,
});
const tried = (count: number): Repairs => Array.from({ length: count }, () => ({ why: 'before' }));
const lowered = (...blocks: { asset: { id: MediumId } }[]): Repair => ({ why: '', lower: new Set(idsOf(...blocks)) });

describe('media', () => {
  const refused = refusedRequest([says(text, one, two), ...brings('c', three)]);

  test('the one that is named goes down, else all suspects', () => {
    const named = about('media', { path: 'messages.0.content.2' });
    expect(repairFor(named, refused, [])).toEqual({ why: 'They said no.', lower: new Set(idsOf(two)) });
    expect(repairFor(about('media'), refused, [])).toEqual({ why: 'They said no.', lower: new Set(idsOf(one, two, three)) }); // prettier-ignore
    expect(repairFor(about('media'), refusedRequest([says(text)]), [])).toBeUndefined();
  });

  test('six repairs a turn are enough', () => {
    expect(repairFor(about('media'), refused, tried(5))).toBeDefined();
    expect(repairFor(about('media'), refused, tried(6))).toBeUndefined();
    expect(searchable(about('media'), refused, tried(5))).toEqual(idsOf(one, two, three));
    expect(searchable(about('media'), refused, tried(6))).toEqual([]);
  });

  test('too many of them are made fewer', () => {
    const many = about('media', { message: 'At most 2 images.' });
    expect(repairFor(many, refused, [])).toEqual({ why: 'At most 2 images.', limits: { images: 2 } });
    expect(searchable(many, refused, [])).toEqual([]);
  });

  test('are searched once, when nobody is named and the model takes such media', () => {
    expect(searchable(about('media'), refused, [])).toEqual(idsOf(one, two, three));
    expect(searchable(about('media'), refused, [{ why: '', found: narrowed({}) }])).toEqual([]);
    expect(searchable(about('media', { path: 'messages.0.content.1' }), refused, [])).toEqual([]);
    expect(searchable(about('media', { unable: 'image' }), refused, [])).toEqual([]);
    expect(searchable(about('context'), refused, [])).toEqual([]);
  });

  const narrowed = (more: Partial<Narrowed>): Narrowed => ({
    guilty: idsOf(two),
    cleared: new Set(idsOf(one)),
    sure: true,
    suspects: 3,
    probes: 2,
    ...more,
  });

  test('what a search found goes down, and how it was found is told', () => {
    const found = narrowed({});
    const why = 'They said no. (1 of 3 suspects, found by 2 small requests)';
    expect(repairFor(about('media'), refused, [], { found })).toEqual({ why, lower: new Set(idsOf(two)), found });
    const quick = repairFor(about('media'), refused, [], { found: narrowed({ probes: 1, suspects: 2 }) });
    expect(quick?.why).toBe('They said no. (1 of 2 suspects, found by 1 small request)');
    expect(repairFor(about('media'), refused, [], { found: narrowed({ guilty: [] }) })).toBeUndefined();
    expect(repairFor(about('media', { path: 'messages.0.content.1' }), refused, [], { found })?.lower).toEqual(new Set(idsOf(one))); // prettier-ignore
  });

  const lowerAfter = (...before: Repair[]): unknown => repairFor(about('media'), refused, before)?.lower;

  test('after a search the same once more, then whoever was not cleared, then all', () => {
    const first = { ...lowered(two), found: narrowed({}) };
    expect(lowerAfter(first)).toEqual(new Set(idsOf(two)));
    expect(lowerAfter(first, lowered(two))).toEqual(new Set(idsOf(two, three)));
    expect(lowerAfter(first, lowered(one))).toEqual(new Set(idsOf(two)));
    const unsure = { ...lowered(two), found: narrowed({ sure: false }) };
    expect(lowerAfter(unsure)).toEqual(new Set(idsOf(two, three)));
    const gone = { ...lowered(two), found: narrowed({ guilty: ['sha256:gone'] }) };
    expect(lowerAfter(gone)).toEqual(new Set(idsOf(two, three)));
    const cleared = { ...lowered(two), found: narrowed({ sure: false, cleared: new Set(idsOf(one, two, three)) }) };
    expect(lowerAfter(cleared)).toEqual(new Set(idsOf(one, two, three)));
  });
});

describe('what a model cannot take', () => {
  const refused = refusedRequest([says(text, one), ...brings('c', two)]);
  test('a kind of media that was shown is not shown again', () => {
    expect(repairFor(about('media', { unable: 'image' }), refused, [])).toEqual({
      why: 'anthropic/claude-sonnet-4-5 takes no image: They said no.',
      profile: { capabilities: { vision: false } },
    });
    expect(repairFor(about('media', { unable: 'inside' }), refused, [])).toEqual({
      why: 'anthropic/claude-sonnet-4-5 takes no media in results: They said no.',
      profile: { capabilities: { toolMedia: false } },
    });
    for (const unable of ['document', 'audio', 'video'] as const)
      expect(repairFor(about('media', { unable }), refused, [])).toBeUndefined();
    expect(repairFor(about('media', { unable: 'inside' }), refusedRequest([says(text, one)]), [])).toBeUndefined();
    expect(capabilities).toEqual({ image: 'vision', document: 'nativePdf', audio: 'audioInput', video: 'videoInput', inside: 'toolMedia' }); // prettier-ignore
  });

  test('a longer answer than it gives', () => {
    const shorter = (mostOutput: number): unknown => repairFor(about('invalid', { mostOutput }), refused, []);
    expect(shorter(1000)).toEqual({ why: 'They said no.', profile: { maxOutputTokens: 1000 } });
    const { maxOutputTokens } = refused.plan.profile;
    expect([shorter(maxOutputTokens), shorter(maxOutputTokens - 1)]).toMatchObject([undefined, { profile: {} }]);
    const asked = refusedRequest([says(text)], { options: { maxTokens: 50 } });
    expect(repairFor(about('invalid', { mostOutput: 50 }), asked, [])).toBeUndefined();
    expect(repairFor(about('invalid', { mostOutput: 49 }), asked, [])).toMatchObject({ profile: { maxOutputTokens: 49 } });
  });

  test('other complaints are nobody’s to repair', () => {
    for (const code of ['invalid', 'auth', 'unknown'] as Complaint['code'][])
      expect(repairFor(about(code), refused, [])).toBeUndefined();
  });
}); // prettier-ignore

describe('references', () => {
  test('ids that are not known are made anew, once; then media go inline', () => {
    const refused = uploaded(refusedRequest([says(text, one, two), ...brings('c', one)]));
    const message = 'No file files/file_0, and file_1 neither.';
    const why = 'No file …, and … neither.';
    const files = ['files/file_0', 'files/file_1', 'files/file_2'];
    const first = repairFor(about('reference', { message }), refused, []);
    expect(first).toEqual({ why, forget: { files, complaint: message } });
    expect(repairFor(about('reference', { message }), refused, [...tried(1), first as Repair])).toEqual({ why, inline: true }); // prettier-ignore
  });

  test('an id that stands there twice is forgotten once', () => {
    const refused = uploaded(refusedRequest([says(text, one, two)]));
    const { model } = refused.plan.profile;
    for (const { decisions } of refused.ledger.entries[model]?.items ?? [])
      for (const { blocks } of decisions)
        for (const block of blocks) if ('asset' in block) block.at = { file: 'file_9' };
    expect(repairFor(about('reference'), refused, [])?.forget?.files).toEqual(['file_9']);
  });

  test('addresses go another way: the one that is named, else all', () => {
    const refused = refusedRequest([says(text, linked('a'), linked('b'), one)]);
    const [a, b] = ['a', 'b'].map((name): MediumId => `url:https://example.org/${name}.png`);
    const why = 'They said no.';
    const named = about('reference', { path: 'messages.0.content.2.image.source' });
    expect(repairFor(named, refused, [])).toEqual({ why, lower: new Set([b]) });
    expect(repairFor(about('reference'), refused, [])).toEqual({ why, lower: new Set([a, b]) });
    expect(repairFor(about('reference'), refusedRequest([says(text, one)]), [])).toBeUndefined();
  });
});

describe('what is too much', () => {
  const refused = refusedRequest([says({ type: 'text', text: 'word '.repeat(5000) }), ...brings('c', one), says(text)]);
  test('is made less', () => {
    expect(repairFor(about('context'), refused, [])?.budget?.tokens).toBeGreaterThan(0);
    expect(repairFor(about('too-large'), refused, [])).toMatchObject({ why: 'They said no.' });
  });
});

const thought = (at: number, id: string): Message => {
  const seal: Seal = { wire: 'anthropic-messages', endpoint: 'anthropic', model: id, item: { type: 'thinking', thinking: `t${at}`, signature: `s${at}` } }; // prettier-ignore
  return { role: 'assistant', model: `anthropic/${id}`, content: [{ type: 'thinking', text: `t${at}`, seal }, { type: 'text', text: `said ${at}` }] }; // prettier-ignore
};

const talk = (id: string): Message[] => [0, 1, 2].flatMap((at) => [says(text), thought(at, id)]).concat(says(text));

describe('thinking', () => {
  const haiku = 'claude-haiku-5-5';
  const sonnet = refusedRequest(talk('claude-sonnet-4-5'));
  const bound = refusedRequest(talk(haiku), { model: `anthropic/${haiku}` });
  const why = 'its thinking was not accepted any more: They said no.';

  test.each([
    ['messages.3.content.0', 3],
    ['messages[5]', 5],
    ['messages.1.content.0.thinking', 1],
    ['messages.99', true],
    ['nowhere.3', true],
    ['system', true],
    ['at.messages.3', true],
    [undefined, true],
  ])('from the place that is named on: %s', (path, dropThinking) => {
    const complaint = about('signature', path === undefined ? {} : { path });
    expect(repairFor(complaint, sonnet, [])).toEqual({ why, dropThinking, dropUnbound: false });
  });

  test('all of it the second time', () => {
    const complaint = about('signature', { path: 'messages.3.content.0' });
    expect(repairFor(complaint, sonnet, tried(1))).toMatchObject({ dropThinking: 3 });
    expect(repairFor(complaint, sonnet, [{ why: '', dropThinking: 3 }])).toMatchObject({ dropThinking: true });
    expect(repairFor(complaint, refusedRequest([says(text)]), [])).toBeUndefined();
    expect(repairFor(complaint, { ...sonnet, skeleton: 'words' }, [])).toMatchObject({ dropThinking: true });
  });

  test('the provider leaves it out where it offers to, our headers go along and the model thinks that way', () => {
    const offered = about('signature', { offersDrop: true });
    const dropped = { why: 'thinking that no longer fits what stands before it is left out: They said no.', dropUnbound: true }; // prettier-ignore
    expect(repairFor(offered, bound, [], { headers: true })).toEqual(dropped);
    expect(repairFor(offered, bound, tried(1), { headers: true })).toEqual(dropped);
    const otherwise = { why, dropThinking: true, dropUnbound: false };
    expect(repairFor(offered, bound, [])).toEqual(otherwise);
    expect(repairFor(offered, bound, [{ why: '', dropUnbound: true }], { headers: true })).toEqual(otherwise);
    expect(repairFor(about('signature'), bound, [], { headers: true })).toEqual(otherwise);
    expect(repairFor(offered, sonnet, [], { headers: true })).toEqual(otherwise);
    const off = refusedRequest(talk(haiku), { model: `anthropic/${haiku}`, options: { thinking: 'off' } });
    expect(repairFor(offered, off, [], { headers: true })).not.toMatchObject({ dropUnbound: true });
    const silent = refusedRequest([says(text)], { model: `anthropic/${haiku}` });
    expect(repairFor(offered, silent, [], { headers: true })).toBeUndefined();
  });
});
