// One item of a conversation as it is sent: what stands where, which words, which ids, and what is told of it.
import { describe, expect, test } from 'vitest';
import type { Block, CallBlock, ImageBlock, Seal } from '../../src/content/block.ts';
import { digest } from '../../src/content/text.ts';
import {
  attachedNote,
  describeMedia,
  emptyFailure,
  emptyMessage,
  emptyResult,
  failureLead,
  followsNote,
  leftOutResult,
  mediaEnd,
  mediaLead,
  ownerLabel,
  shortenedNote,
  words,
} from '../../src/content/words.ts';
import type { AssistantMessage } from '../../src/message/message.ts';
import type { Item } from '../../src/message/pair.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import type { Decision } from '../../src/window/decide.ts';
import type { PlanItem, PlannedMedia, Shown } from '../../src/window/plan-types.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { bytesOf, tokensOf } from '../../src/window/tokens.ts';
import { heldAssets, planItem } from '../../src/window/write-item.ts';
import type { DecidedItem } from '../../src/window/write-item.ts';

const claude = profileFor('anthropic/claude-sonnet-4-5');
const chat = profileFor('openai-chat/gpt-4.1');
const gemini = profileFor('gemini/gemini-3-pro-preview');

const text = (value: string): Block & Shown => ({ type: 'text', text: value });

function picture(name: string): ImageBlock {
  const asset = { id: `sha256:${name.padEnd(64, '0')}`, mediaType: 'image/png', size: 300, name } as const;
  return { type: 'image', asset, width: 280, height: 140 };
}

function shownAs({ asset, width, height }: ImageBlock): PlannedMedia {
  return { type: 'image', asset, width, height };
}

const own: Seal = { wire: claude.wire, endpoint: claude.endpoint, model: claude.id, item: { sealed: true } };

const why = 'so it was decided';

function decided(block: ImageBlock, place: Decision['place'], more: Partial<Decision> = {}): Decision {
  const blocks = place === 'words' ? [text(`words for ${block.asset.name ?? ''}`)] : [shownAs(block)];
  return { place, blocks, action: place, why, ...more };
}

function write(given: DecidedItem, profile: Profile = claude): { item: PlanItem | undefined; receipts: Receipt[] } {
  const receipts: Receipt[] = [];
  return { item: planItem(given, { profile, receipts }), receipts };
}

const user = (...content: Block[]): Item => ({ role: 'user', content });

function result(callId: string, content: Block[], more: Partial<ToolMessage> = {}): ToolMessage {
  return { role: 'tool', callId, name: 'look', content, ...more };
}

const batch = (...results: ToolMessage[]): Item => ({ role: 'batch', results });

function weighed(blocks: readonly Shown[], profile: Profile = claude): { tokens: number; bytes: number } {
  return {
    tokens: blocks.reduce((sum, block) => sum + tokensOf(block, profile.tokens), 0),
    bytes: blocks.reduce((sum, block) => sum + bytesOf(block), 0),
  };
}

describe('what a user said', () => {
  test('goes in its order, with what was decided in place of each medium, and each is told', () => {
    const [a, b] = [picture('a'), picture('b')];
    const decisions = [decided(a, 'inside'), decided(b, 'words')];
    const { item, receipts } = write({ item: user(text('See'), a, text('and'), b), decisions });
    expect(item).toStrictEqual({
      role: 'user',
      content: [text('See'), shownAs(a), text('and'), text('words for b')],
    });
    expect(receipts).toStrictEqual([
      {
        action: 'inside',
        subject: describeMedia(a),
        why,
        asset: a.asset.id,
        sent: [a.asset.id],
        place: 'inside',
        carrier: 'inline',
        ...weighed([shownAs(a)]),
      },
      {
        action: 'words',
        subject: describeMedia(b),
        why,
        asset: b.asset.id,
        place: 'words',
        ...weighed([text('words for b')]),
      },
    ]);
  });

  test('is never empty; a medium nobody has decided about is left for later', () => {
    const empty = { role: 'user', content: [text(emptyMessage)] };
    expect(write({ item: user(), decisions: [] }).item).toStrictEqual(empty);
    expect(write({ item: user(text(' \n')), decisions: [] }).item).toStrictEqual(empty);
    expect(write({ item: user(picture('a')), decisions: [] })).toStrictEqual({ item: empty, receipts: [] });
  });

  test('is well-formed; thinking stays out, and a call that has no business there goes as JSON', () => {
    const call: CallBlock = { type: 'call', id: 'c', name: 'look', input: { at: 1 } };
    const seal: Seal = { wire: 'x', endpoint: 'x', model: 'x', item: {} };
    const content: Block[] = [{ type: 'thinking', text: 'Hm.' }, { type: 'sealed', seal }, text('half \ud800'), call];
    expect(write({ item: user(...content), decisions: [] }).item).toStrictEqual({
      role: 'user',
      content: [text('half \ufffd'), text(JSON.stringify({ call: 'look', input: { at: 1 } }))],
    });
  });

  test('tells the size in which a picture went, and how each travelled', () => {
    const block = picture('a');
    const small = { ...picture('s'), width: 140, height: 70 };
    const told = (blocks: Shown[], more: Partial<Decision> = {}): Receipt | undefined =>
      write({ item: user(block), decisions: [decided(block, 'inside', { blocks, ...more })] }).receipts[0];
    expect(told([shownAs(small)])).toMatchObject({ subject: describeMedia({ ...block, width: 140, height: 70 }) });
    expect(told([shownAs(small), shownAs(picture('t'))])).toMatchObject({
      subject: describeMedia(block),
      sent: [small.asset.id, picture('t').asset.id],
    });
    expect(told([{ ...shownAs(small), at: { file: 'f1' } }])?.carrier).toBe('file');
    expect(told([text('a label'), shownAs(small)])?.carrier).toBe('inline');
    expect(told([text('only words')])?.carrier).toBeUndefined();
    expect(told([{ type: 'remote', kind: 'image', at: { url: 'https://a.b/c.png' } }])?.carrier).toBe('url');
    expect(told([{ type: 'remote', kind: 'image', at: { file: 'f1' } }])?.carrier).toBe('file');
    expect(told([shownAs(small)], { legible: { textPx: 8, ok: false } })?.legible).toEqual({ textPx: 8, ok: false });
    expect(told([shownAs(small)])).not.toHaveProperty('legible');
  });

  test('a medium that lies elsewhere has no asset to tell', () => {
    const reference: Block = { type: 'reference', kind: 'image', at: { url: 'https://a.b/c.png' } };
    const remote: Shown = { type: 'remote', kind: 'image', at: { url: 'https://a.b/c.png' } };
    const decision: Decision = { place: 'inside', blocks: [remote], action: 'inside', why };
    const { receipts } = write({ item: user(reference), decisions: [decision] });
    expect(receipts).toStrictEqual([
      {
        action: 'inside',
        subject: describeMedia(reference),
        why,
        place: 'inside',
        carrier: 'url',
        ...weighed([remote]),
      },
    ]);
  });

  test('a document is told as it is, whatever picture went for it', () => {
    const paper: Block = {
      type: 'document',
      asset: { ...picture('p').asset, mediaType: 'application/pdf' },
      pages: 1,
    };
    const decision: Decision = { place: 'inside', blocks: [shownAs(picture('a'))], action: 'pages', why };
    expect(write({ item: user(paper), decisions: [decision] }).receipts[0]?.subject).toBe(describeMedia(paper));
    const image = picture('a');
    const asPaper: Shown = { type: 'document', asset: image.asset, pages: 1 };
    expect(
      write({ item: user(image), decisions: [decided(image, 'inside', { blocks: [asPaper] })] }).receipts[0]?.subject,
    ).toBe(describeMedia(image));
  });
});

const contentOf = (content: Block[], isError: boolean, profile: Profile): unknown => {
  const { item } = write({ item: batch(result('c1', content, { isError })), decisions: [] }, profile);
  return item?.role === 'batch' && item.results[0]?.content;
};

describe('results', () => {
  const [a, b, c] = [picture('a'), picture('b'), picture('c')];

  test('hold their media inside, where they stood', () => {
    const { item, receipts } = write({
      item: batch(result('c1', [text('one'), a, text('two'), b])),
      decisions: [decided(a, 'inside'), decided(b, 'words')],
    });
    expect(item).toStrictEqual({
      role: 'batch',
      results: [
        {
          callId: 'c1',
          name: 'look',
          isError: false,
          content: [text('one'), shownAs(a), text('two'), text('words for b')],
        },
      ],
      after: [],
    });
    expect(receipts.map(({ callId }) => callId)).toEqual(['c1', 'c1']);
  });

  test('whose media stand apart have a note at each place, numbered as they are shown', () => {
    const { item } = write(
      {
        item: batch(result('c1', [a, b, c])),
        decisions: [decided(a, 'inside'), decided(b, 'words'), decided(c, 'inside')],
      },
      gemini,
    );
    expect(item?.role === 'batch' && item.results[0]?.content).toStrictEqual([
      text(attachedNote(a, 1)),
      shownAs(a),
      text('words for b'),
      text(attachedNote(c, 2)),
      shownAs(c),
    ]);
  });

  test('whose media follow name each of them there, between two lines that say whose they are', () => {
    const { item } = write(
      {
        item: batch(result('c1', [text('one'), a, b]), result('c2', [c])),
        decisions: [decided(a, 'after'), decided(b, 'after'), decided(c, 'after')],
      },
      chat,
    );
    expect(item).toStrictEqual({
      role: 'batch',
      results: [
        {
          callId: 'c1',
          name: 'look',
          isError: false,
          content: [text('one'), text(followsNote(a, 1)), text(followsNote(b, 2))],
        },
        { callId: 'c2', name: 'look', isError: false, content: [text(followsNote(c, 1))] },
      ],
      after: [
        text(mediaLead),
        text(ownerLabel(a, { name: 'look', callId: 'c1', ordinal: 1 })),
        shownAs(a),
        text(ownerLabel(b, { name: 'look', callId: 'c1', ordinal: 2 })),
        shownAs(b),
        text(ownerLabel(c, { name: 'look', callId: 'c2', ordinal: 1 })),
        shownAs(c),
        text(mediaEnd),
      ],
    });
  });

  test('without a word say whether they failed', () => {
    expect(contentOf([], false, claude)).toEqual([text(emptyResult)]);
    expect(contentOf([], true, claude)).toEqual([text(emptyFailure)]);
    expect(contentOf([a], false, claude)).toEqual([text(emptyResult)]);
  });

  test('that failed say so in words where no flag does, once', () => {
    expect(contentOf([text('no door'), text('here')], true, claude)).toEqual([text('no door'), text('here')]);
    expect(contentOf([text('no door'), text('here')], true, chat)).toEqual([text('Error: no door'), text('here')]);
    expect(contentOf([text('ERROR: no door'), text('x')], true, chat)).toEqual([text('ERROR: no door'), text('x')]);
    expect(contentOf([text('an error: no door')], true, chat)).toEqual([text('Error: an error: no door')]);
    expect(contentOf([text('no door')], false, chat)).toEqual([text('no door')]);
    const inside = write(
      { item: batch(result('c1', [a], { isError: true })), decisions: [decided(a, 'inside')] },
      { ...chat, interleaved: true },
    ).item;
    expect(inside?.role === 'batch' && inside.results[0]?.content).toEqual([text(failureLead), shownAs(a)]);
  });

  test('carry what their provider put around them while their call keeps its id, and whether a person allowed it', () => {
    const seal: Seal = { wire: claude.wire, endpoint: claude.endpoint, model: claude.id, item: { kept: 1 } };
    const around = (message: ToolMessage): unknown => {
      const { item } = write({ item: batch(message), decisions: [] });
      const [{ seal: given, approved } = {} as ToolMessage & { seal?: unknown }] =
        item?.role === 'batch' ? item.results : [];
      return { own: given, approved };
    };
    expect(around(result('c1', [], { seal, approved: true }))).toEqual({ own: { kept: 1 }, approved: true });
    expect(around(result('c.1', [], { seal }))).toEqual({ own: undefined, approved: undefined });
    expect(around(result('c1', [], { seal: { ...seal, model: 'other' } }))).toEqual({});
    const plain = write({ item: batch(result('c1', [], { approved: false })), decisions: [] }).item;
    expect(plain?.role === 'batch' && Object.keys(plain.results[0] ?? {})).toEqual([
      'callId',
      'name',
      'isError',
      'content',
    ]);
  });
});

describe('what has to go to fit', () => {
  const a = picture('a');

  test('long texts of results keep their beginning, and nothing else is shortened', () => {
    const long = 'x'.repeat(2001);
    const { item, receipts } = write({
      item: batch(result('c1', [text(long), text('y'.repeat(2000)), a])),
      decisions: [decided(a, 'inside')],
      cut: 'short',
    });
    expect(item?.role === 'batch' && item.results[0]?.content).toEqual([
      text(`${shortenedNote(2000, 2001)}\n${'x'.repeat(2000)}`),
      text('y'.repeat(2000)),
      shownAs(a),
    ]);
    expect(receipts[0]).toEqual({ action: 'shortened', subject: 'a text of look', why: 'to fit the window' });
    expect(receipts).toHaveLength(2);
    const kept = (keep: number): unknown => {
      const made = write({ item: batch(result('c1', [text(long)])), decisions: [], cut: 'short', keep }).item;
      return made?.role === 'batch' && made.results[0]?.content;
    };
    expect(kept(1500)).toEqual([text(`${shortenedNote(1500, 2001)}\n${'x'.repeat(1500)}`)]);
    expect(kept(2001)).toEqual([text(long)]);
    const uncut = write({ item: batch(result('c1', [text(long)])), decisions: [] }).item;
    expect(uncut?.role === 'batch' && uncut.results[0]?.content).toEqual([text(long)]);
  });

  test('a result without its texts still answers its call and names what it held', () => {
    const kept = picture('k').asset;
    const seal: Seal = { wire: claude.wire, endpoint: claude.endpoint, model: claude.id, item: { kept: 1 } };
    const held: Block = { type: 'text', text: 'see log', kept: [picture('t').asset] };
    const { item, receipts } = write({
      item: batch(result('c1', [a, held], { kept: [kept], seal }), result('c.2', [], { isError: true })),
      decisions: [decided(a, 'inside')],
      cut: 'text',
    });
    const renamed = `call_${digest('c.2')}`;
    expect(item).toStrictEqual({
      role: 'batch',
      results: [
        {
          callId: 'c1',
          name: 'look',
          isError: false,
          content: [text(leftOutResult([a.asset, picture('t').asset, kept]))],
          seal: { kept: 1 },
        },
        { callId: renamed, name: 'look', isError: true, content: [text(leftOutResult([]))] },
      ],
      after: [],
    });
    expect(receipts).toStrictEqual(
      ['c1', renamed].map((callId) => ({
        action: 'left-out',
        subject: 'the result of look',
        why: 'to fit the window',
        callId,
      })),
    );
  });

  test('an item that goes whole leaves nothing but a line about it', () => {
    for (const item of [user(a), batch(result('c1', []))])
      expect(write({ item, decisions: [], cut: 'all' })).toStrictEqual({
        item: undefined,
        receipts: [{ action: 'left-out', subject: `a message (${item.role})`, why: 'to fit the window' }],
      });
  });

  test('what a message holds is what its blocks show and what its words name', () => {
    const named: Block = { type: 'text', text: 'log', kept: [picture('t').asset] };
    expect(heldAssets({ content: [text('x'), a, named], kept: [picture('k').asset] })).toEqual([
      a.asset,
      picture('t').asset,
      picture('k').asset,
    ]);
    expect(heldAssets({ content: [] })).toEqual([]);
  });
});

const wordsOf = ({ item }: ReturnType<typeof write>): unknown => item?.role === 'assistant' && item.content;

const ids = (profile: Profile, ...given: string[]): string[] => {
  const content = given.map((id): Block => ({ type: 'call', id, name: 'look', input: 1, seal: own }));
  const { item } = write({ item: { role: 'assistant', model: '', content }, decisions: [] }, profile);
  return item?.role === 'assistant'
    ? item.content.flatMap((block) => (block.type === 'call' ? [block.id + (block.seal ? '!' : '')] : []))
    : [];
};

function said(content: Block[], more: Partial<DecidedItem> & { model?: string } = {}): ReturnType<typeof write> {
  const { model = claude.model, ...rest } = more;
  const item: AssistantMessage = { role: 'assistant', model, content };
  return write({ item, decisions: [], ...rest });
}

describe('what an assistant said', () => {
  const strangers: Seal[] = [
    { ...own, wire: 'gemini' },
    { ...own, endpoint: 'vertex-claude' },
    { ...own, model: 'claude-opus-5' },
  ];

  test('goes back as it was: words, thinking and calls with the seals of this very model', () => {
    const content: Block[] = [
      { type: 'thinking', text: 'Hm.', seal: own },
      { type: 'sealed', seal: own },
      { type: 'text', text: '', seal: own },
      { type: 'call', id: 'c1', name: 'look', input: { at: 1 }, seal: own },
    ];
    const { item, receipts } = said(content);
    expect(item).toStrictEqual({ role: 'assistant', content });
    expect(receipts).toEqual([]);
  });

  test('without seals, or with those of others, it goes without thinking, and that is told', () => {
    for (const seal of strangers) {
      const given = said([
        { type: 'thinking', text: 'Hm.', seal },
        { type: 'sealed', seal },
        { type: 'text', text: 'half \ud800', seal },
        { type: 'text', text: ' ' },
        { type: 'call', id: 'c1', name: 'look', input: 1, seal, doubts: ['really?'] },
      ]);
      expect(given.item).toStrictEqual({
        role: 'assistant',
        content: [text('half \ufffd'), { type: 'call', id: 'c1', name: 'look', input: 1 }],
      });
      expect(given.receipts).toEqual([
        { action: 'left-out', subject: 'thinking', why: 'it has no seal' },
        { action: 'left-out', subject: 'a sealed item', why: 'it has no seal' },
      ]);
    }
    const other = said([{ type: 'thinking', text: 'Hm.' }], { model: 'openai/gpt-5.2' });
    expect(other).toEqual({
      item: undefined,
      receipts: [{ action: 'left-out', subject: 'thinking', why: 'it belongs to openai/gpt-5.2' }],
    });
    expect(said([{ type: 'thinking', text: 'Hm.' }], { model: '' }).receipts[0]?.why).toBe(
      'it belongs to another model',
    );
  });

  test('that was bound to a prefix which moved loses its thinking and the seals of its words and calls', () => {
    const unbound = said(
      [
        { type: 'thinking', text: 'Hm.', seal: own },
        { type: 'sealed', seal: own },
        { type: 'text', text: 'Done.', seal: own },
        { type: 'call', id: 'c1', name: 'look', input: 1, seal: own },
        { ...picture('a'), seal: own },
      ],
      { unbound: true },
    );
    expect(wordsOf(unbound)).toStrictEqual([
      { type: 'sealed', seal: own },
      text('Done.'),
      { type: 'call', id: 'c1', name: 'look', input: 1 },
      text(words(picture('a'))),
    ]);
    expect(unbound.receipts[0]).toEqual({
      action: 'left-out',
      subject: 'thinking',
      why: 'it is bound to a conversation that was changed since',
    });
  });

  test('call ids that the API would not take are replaced by digests, always the same, and lose their seals', () => {
    const [fits, long] = ['x'.repeat(64), 'x'.repeat(65)];
    expect(ids(claude, fits, long, 'a.b')).toEqual([`${fits}!`, `call_${digest(long)}`, `call_${digest('a.b')}`]);
    expect(ids(chat, 'half \ud800')).toEqual([`call_${digest('half \ud800')}`]);
    const mistral = profileFor('mistral/mistral-small-latest');
    expect(ids(mistral, 'abcdefghi', 'abc')).toEqual(['abcdefghi', digest('abc').slice(-9)]);
  });

  test('a picture that this model made goes back with its bytes; of any other, words are told', () => {
    const original = { asset: picture('o').asset, width: 2800, height: 1400 };
    const made: ImageBlock = { ...picture('a'), original, seal: own };
    const back = said([made]);
    expect(wordsOf(back)).toStrictEqual([{ type: 'image', ...original, seal: own }]);
    expect(back.receipts).toMatchObject([
      { action: 'inside', place: 'inside', why: `${claude.id} made it`, sent: [original.asset.id] },
    ]);
    for (const block of [picture('a'), { ...picture('a'), seal: { ...own, model: 'other' } }]) {
      const { item, receipts } = said([block]);
      expect(item).toStrictEqual({ role: 'assistant', content: [text(words(block))] });
      expect(receipts).toStrictEqual([
        {
          action: 'words',
          subject: describeMedia(block),
          why: 'no API takes media from an assistant',
          asset: block.asset.id,
          place: 'words',
        },
      ]);
    }
    const reference: Block = { type: 'reference', kind: 'image', at: { url: 'https://a.b/c.png' } };
    expect(said([reference]).receipts[0]).not.toHaveProperty('asset');
  });
});
