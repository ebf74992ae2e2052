// Whom a complaint accuses: the medium at the place it names, else those that this model has not taken yet.
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../src/content/block.ts';
import { lyingElsewhere, namedMedium, suspects } from '../../../src/model/heal/suspects.ts';
import { put } from '../../laws/world.ts';
import { brings, linked, picture, refusedRequest, says, uploaded } from './refused.ts';

const text: Block = { type: 'text', text: 'Look.' };
const [one, two, three] = [picture('one'), picture('two'), picture('three')] as const;
const page: Block = { type: 'document', asset: put('%PDF-1.4 page', 'application/pdf'), pages: 1 };
const url = (name: string): string => `url:https://example.org/${name}.png`;

describe('the medium at a place', () => {
  const messages = [says(text, one), ...brings('c', text, two, three)];
  const refused = refusedRequest(messages);

  test.each([
    ['messages.0.content.1', one],
    ['messages[0].content[1].image.source.base64', one],
    ['messages.0.content.1.image.source.base64.data', one],
    ['messages.2.content.0.tool_result.content.1.image', two],
    ['messages.2.content.0.toolResult.content.2', three],
    ['Messages.2.Content.0.content.2.source', three],
    ['messages.2.content.tool_result.0.content.part2.1', two],
    ['messages.2.content.0.content.2nd.1', two],
  ])('%s', (path, { asset }) => {
    expect(namedMedium(path, refused)).toBe(asset.id);
  });

  test.each([undefined, '', 'nowhere', 'messages', 'messages.2', 'messages.0.content.0', 'messages.9', 'system'])(
    'nobody at %s',
    (path) => {
      expect(namedMedium(path, refused)).toBeUndefined();
    },
  );

  test('in other dialects', () => {
    const chat = refusedRequest(messages, { model: 'openai/gpt-5.2' });
    expect(namedMedium('input[0].content[1].image_url', chat)).toBe(one.asset.id);
    const gemini = refusedRequest(messages, { model: 'gemini/gemini-3-pro-preview' });
    expect(namedMedium('contents[0].parts[1].inline_data', gemini)).toBe(one.asset.id);
  });

  test('far behind others, and nobody for a place that is nowhere', () => {
    const many = refusedRequest([says(...Array.from({ length: 11 }, () => text), one)]);
    expect(namedMedium('messages.0.content.11', many)).toBe(one.asset.id);
    expect(namedMedium('nowhere', many)).toBeUndefined();
  });

  test('whichever way its name is spelled', () => {
    const skeleton = { firstFile: 'files/file_0', second_file: 'files/file_1' };
    const sent = { ...uploaded(refusedRequest([says(text, one, two)])), skeleton };
    for (const path of ['first_file', 'firstFile', 'FirstFile']) expect(namedMedium(path, sent)).toBe(one.asset.id);
    for (const path of ['second_file', 'secondFile']) expect(namedMedium(path, sent)).toBe(two.asset.id);
  });

  test('by its address', () => {
    const there = refusedRequest([says(text, linked('a'), linked('b'), one)]);
    expect(namedMedium('messages.0.content.2.image.source.url', there)).toBe(url('b'));
    expect(namedMedium('messages.0.content.3', there)).toBe(one.asset.id);
    expect(namedMedium('messages.0.content.2.image.source.url.0', there)).toBe(url('b'));
  });
});

describe('without a place', () => {
  test('all that this model has not taken yet', () => {
    const first = refusedRequest([says(text, one, two)]);
    expect(suspects(first)).toEqual([one.asset.id, two.asset.id]);
    const more = [says(text, one, two), ...brings('c', three)];
    expect(suspects(refusedRequest(more, {}, first.ledger))).toEqual([three.asset.id]);
    expect(suspects(refusedRequest(more))).toEqual([one.asset.id, two.asset.id, three.asset.id]);
  });

  test('all of them when it has taken them all', () => {
    const messages = [says(text, one, two)];
    const { ledger } = refusedRequest(messages);
    expect(suspects(refusedRequest(messages, {}, ledger))).toEqual([one.asset.id, two.asset.id]);
  });

  test('what another model has taken is not known to be good', () => {
    const other = refusedRequest([says(text, one)], { model: 'openai/gpt-5.2' });
    const messages = [says(text, one, two)];
    expect(suspects(refusedRequest(messages, {}, other.ledger))).toEqual([one.asset.id, two.asset.id]);
  });

  test('pictures first, in their order; what is dearer to show after them', () => {
    const long: Block = { type: 'document', asset: put(`%PDF-1.4 ${'x'.repeat(500)}`, 'application/pdf'), pages: 1 };
    const refused = refusedRequest([says(long, page, three, one)]);
    const ids = [three, one, page, long].map((block) => ('asset' in block ? block.asset.id : ''));
    expect(suspects(refused)).toEqual(ids);
  });

  test('once each, however often it stands there', () => {
    expect(suspects(refusedRequest([says(text, one), ...brings('c', one)]))).toEqual([one.asset.id]);
  });

  test('what nobody has looked at before what was looked at', () => {
    const messages = [says(text, one, linked('a'), linked('b'))];
    const refused = refusedRequest(messages);
    expect(suspects(refused)).toEqual([url('a'), url('b')]);
    const more = [...messages, ...brings('c', two)];
    expect(suspects(refusedRequest(more, {}, refused.ledger))).toEqual([two.asset.id]);
  });

  test('an upload of our own was looked at', () => {
    const ids = [one.asset.id, 'asset' in page ? page.asset.id : ''];
    expect(suspects(uploaded(refusedRequest([says(text, page, one)])))).toEqual(ids);
  });

  test('what went as words is none', () => {
    const sound: Block = { type: 'audio', asset: put('RIFF', 'audio/wav'), seconds: 1 };
    expect(suspects(refusedRequest([says(text, sound, one)]))).toEqual([one.asset.id]);
  });

  test('nobody where there is nothing', () => {
    expect(suspects(refusedRequest([says(text)]))).toEqual([]);
  });
});

describe('what lies elsewhere', () => {
  test('is what this model has not taken yet, else all of it', () => {
    const first = refusedRequest([says(text, linked('a'), one)]);
    expect(lyingElsewhere(first)).toEqual([url('a')]);
    const more = [says(text, linked('a'), one), ...brings('c', linked('b'), two)];
    expect(lyingElsewhere(refusedRequest(more, {}, first.ledger))).toEqual([url('b')]);
    const again = [says(text, linked('a'), one), ...brings('c', two)];
    expect(lyingElsewhere(refusedRequest(again, {}, first.ledger))).toEqual([url('a')]);
  });

  test('is nothing of which the bytes are here', () => {
    expect(lyingElsewhere(refusedRequest([says(text, one)]))).toEqual([]);
    expect(lyingElsewhere(uploaded(refusedRequest([says(text, one)])))).toEqual([]);
  });
});

test('what was fetched from its address was looked at', () => {
  const messages = [says(text, linked('a'), linked('b'))];
  const refused = refusedRequest(messages);
  const ledger = structuredClone(refused.ledger);
  const [decision] = ledger.entries[refused.plan.profile.model]?.items[0]?.decisions ?? [];
  if (decision) decision.blocks = [{ type: 'image', asset: one.asset, width: 64, height: 48 }];
  const fetched = { ...refused, ledger };
  expect([lyingElsewhere(fetched), suspects(fetched)]).toEqual([[url('b')], [url('b')]]);
  expect(lyingElsewhere({ ...fetched, accepted: ledger })).toEqual([url('b')]);
});

test('an upload is named by its id', () => {
  const refused = uploaded(refusedRequest([says(text, one, two)]));
  const source = { type: 'file', file_id: 'files/file_1' };
  const skeleton = {
    messages: [
      {
        content: [
          { type: 'text', text: 'files/none' },
          { type: 'image', source },
        ],
      },
    ],
  };
  expect(namedMedium('messages.0.content.1.image.source', { ...refused, skeleton })).toBe(two.asset.id);
  expect(namedMedium('messages.0.content.0', { ...refused, skeleton })).toBeUndefined();
});
