// What makes a ledger hold, and what makes it begin anew.
import { describe, expect, test } from 'vitest';
import type { AssetId, Block, ImageBlock } from '../../src/content/block.ts';
import { wording } from '../../src/content/words.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Item } from '../../src/message/pair.ts';
import {
  contextTokensOf,
  digestOf,
  frameDigests,
  itemAssets,
  notSeen,
  placeOf,
  recall,
  record,
  sentAssets,
  sentFiles,
  sentPlaces,
  shape,
} from '../../src/window/ledger.ts';
import type { Ledger, LedgerEntry, Recall } from '../../src/window/ledger.ts';
import type { Shown } from '../../src/window/plan-types.ts';
import { plan } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import { put } from '../laws/world.ts';

const model = 'anthropic/claude-sonnet-4-5';
const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
const transcript: Transcript = { version: 1, messages: [user] };
const longer: Transcript = {
  version: 1,
  messages: [user, { role: 'assistant', model, content: [{ type: 'text', text: 'ok' }] }, user],
};

function checkpoints(ledger: Ledger, given = longer, profile = profileFor(model)): string[] {
  const result = plan({ transcript: given, profile, ledger });
  if (!result.plan) throw new Error('there is no plan');
  return result.receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
}

function first(): Ledger {
  const result = plan({ transcript, profile: profileFor(model) });
  if (!result.plan) throw new Error('there is no plan');
  return JSON.parse(JSON.stringify(result.ledger)) as Ledger;
}

test('it holds for messages that a database gave back with their keys in another order', () => {
  const turned: Transcript = {
    version: 1,
    messages: [{ content: [{ text: 'go', type: 'text' }], role: 'user' }, ...longer.messages.slice(1)],
  };
  expect(checkpoints(first(), turned)).toEqual([]);
});

test('a ledger of another shape begins anew', () => {
  const ledger = first();
  const entry = ledger.entries[model];
  if (entry) entry.shape = 0;
  expect(checkpoints(ledger)).toEqual(['upgraded']);
});

test('what a user states about the model holds at once', () => {
  expect(checkpoints(first(), longer, profileFor(model, { capabilities: { vision: false } }))).toEqual([
    'model-changed',
  ]);
});

test('the fields of a profile are these; with another one the shape goes up', () => {
  expect(Object.keys(profileFor(model)).toSorted()).toMatchInlineSnapshot(`
    [
      "boundThinking",
      "breakpoints",
      "cache",
      "callId",
      "citations",
      "contextTokens",
      "defaultDetail",
      "details",
      "dialect",
      "endpoint",
      "errorFlag",
      "family",
      "files",
      "id",
      "interleaved",
      "manyImages",
      "maxImages",
      "maxOutputTokens",
      "maxThinkingTokens",
      "maxTokensField",
      "media",
      "model",
      "prices",
      "requestBytes",
      "signedCalls",
      "stated",
      "strictThinking",
      "temperature",
      "thinking",
      "thinkingMax",
      "thinkingMedium",
      "thinkingOff",
      "thinkingOmitted",
      "tokens",
      "toolChoice",
      "toolsNeedNoThinking",
      "userLast",
      "wire",
    ]
  `);
});

const profile = profileFor(model);
const other = profileFor('openai/gpt-5');
const frame = frameDigests({ version: 1, messages: [], system: 'Be kind.', tools: [] });
const door: ImageBlock = { type: 'image', asset: put('door', 'image/png'), width: 64, height: 48 };
const lamp: ImageBlock = { ...door, asset: put('lamp', 'image/png') };
const says = (text: string): Item => ({ role: 'user', content: [{ type: 'text', text }] });
const shows = (callId: string, content: Block[]): Item => ({
  role: 'batch',
  results: [{ role: 'tool', callId, name: 'look', content }],
});
const conversation: Item[] = [says('go'), shows('c1', [door]), says('on'), shows('c2', [lamp]), says('end')];

/** A ledger of the whole conversation, as it is after it was kept as JSON. */
function kept(): Ledger {
  const items = conversation.map((item) => ({
    digest: digestOf(item),
    decisions:
      item.role === 'batch'
        ? [
            {
              place: 'inside' as const,
              blocks: [...(item.results[0]?.content ?? [])] as Shown[],
              action: 'inside' as const,
              why: '',
            },
          ]
        : [],
  }));
  const floors = new Map<AssetId, number>([[door.asset.id, 2]]);
  const about = {
    items,
    floors,
    limits: { bytes: 1000 },
    dropUnbound: true,
    unseen: {},
    estimate: { tokens: 10, factor: 1.5 },
  };
  return JSON.parse(JSON.stringify(record(undefined, profile, frame, about))) as Ledger;
}

function entryOf(ledger: Ledger): LedgerEntry {
  const entry = ledger.entries[model];
  if (!entry) throw new Error('there is no entry');
  return entry;
}

function recalled(ledger: Ledger | undefined, items: readonly Item[] = conversation, given = profile): Recall {
  return recall(ledger, given, frame, items);
}

describe('what is kept is what is recalled', () => {
  test('all of it, while nothing has changed', () => {
    expect(recalled(kept())).toEqual({
      profile: JSON.parse(JSON.stringify(profile)) as unknown,
      items: entryOf(kept()).items,
      sent: 5,
      floors: new Map([[door.asset.id, 2]]),
      limits: { bytes: 1000 },
      dropUnbound: true,
      unseen: {},
      estimate: { tokens: 10, factor: 1.5 },
      reasons: [],
    });
  });

  test('an entry says what it was made by, and leaves out what there is nothing of', () => {
    const estimate = { tokens: 1, factor: 1 };
    const nothing = { items: [], floors: new Map(), limits: {}, dropUnbound: false, unseen: {}, estimate };
    const ledger = record(undefined, profile, frame, nothing);
    expect(ledger).toEqual({
      version: 1,
      current: model,
      entries: { [model]: { wording, shape, profile, ...frame, items: [], estimate } },
    });
    expect(Object.keys(entryOf(ledger))).not.toContain('floors');
    expect(recalled(ledger, [])).toEqual({
      profile,
      items: [],
      sent: 0,
      floors: new Map(),
      limits: {},
      dropUnbound: false,
      unseen: {},
      estimate,
      reasons: [],
    });
  });

  test('other models keep their entries for the day the user switches back', () => {
    const nothing = {
      items: [],
      floors: new Map(),
      limits: {},
      dropUnbound: false,
      unseen: {},
      estimate: { tokens: 1, factor: 1 },
    };
    const both = record(kept(), other, frame, nothing);
    expect(both.current).toBe(other.model);
    expect(Object.keys(both.entries).toSorted()).toEqual([model, other.model].toSorted());
    expect(recalled(both).reasons).toEqual(['model-changed']);
    expect(recalled(both).items).toHaveLength(5);
    expect(recalled(kept(), conversation, other)).toMatchObject({ items: [], sent: 0, reasons: ['model-changed'] });
    const broken = { ...kept(), entries: 'lost' as never };
    expect(Object.keys(record(broken, other, frame, nothing).entries)).toEqual([other.model]);
  });

  test('without a ledger there is nothing, and no reason for it', () => {
    const anew = { profile, items: [], sent: 0, floors: new Map(), limits: {}, dropUnbound: false, unseen: {} };
    expect(recalled(undefined)).toEqual({ ...anew, reasons: [] });
  });

  test.each([
    ['a text', 'ledger' as never],
    ['a later version', { ...kept(), version: 2 as never }],
    ['no entries', { version: 1, current: model } as never],
    ['an entry without what it was', { version: 1, current: model, entries: { [model]: {} } } as never],
    ['an entry without its items', { ...kept(), entries: { [model]: { ...entryOf(kept()), items: null } } } as never],
  ])('%s in its place is none of ours', (_name, ledger) => {
    expect(recalled(ledger as Ledger)).toMatchObject({ items: [], reasons: ['upgraded'] });
  });
});

describe('what makes it begin anew', () => {
  type Edit = (entry: LedgerEntry) => void;
  const edits: [string, Edit][] = [
    ['upgraded', (entry) => entry.wording--],
    ['upgraded', (entry) => entry.shape--],
    ['system-changed', (entry) => (entry.system = 'another')],
    ['tools-changed', (entry) => (entry.tools = 'another')],
    ['model-changed', (entry) => (entry.profile = { ...entry.profile, stated: 'another' })],
  ];

  test.each(edits)('%s', (reason, edit) => {
    const ledger = kept();
    edit(entryOf(ledger));
    const told = recalled(ledger);
    expect(told).toMatchObject({ items: [], sent: 5, dropUnbound: true, reasons: [reason] });
    expect(told.profile).toBe(profile);
    expect(told.floors).toEqual(new Map([[door.asset.id, 2]]));
    // What another model takes was not learned from this one.
    expect(told.limits).toEqual(reason === 'model-changed' ? {} : { bytes: 1000 });
    expect(recalled({ ...ledger, current: other.model }).reasons).toEqual(['model-changed', reason]);
  });

  test.each([0, 1, 2, 3, 4])('item %d edited: those before it hold', (at) => {
    const edited = conversation.with(at, says('something else'));
    const { items, sent, reasons } = recalled(kept(), edited);
    expect([items.length, sent, reasons]).toEqual([at, 5, ['history-edited']]);
    // Those that are known to be as they were are not looked at again.
    expect(recall(kept(), profile, frame, edited, at).items).toHaveLength(at);
    expect(recall(kept(), profile, frame, edited, at + 1).items).toHaveLength(5);
  });

  test('fewer messages than before, and more', () => {
    expect(recalled(kept(), conversation.slice(0, 3))).toMatchObject({ reasons: ['history-edited'] });
    expect(recalled(kept(), conversation.slice(0, 3)).items).toHaveLength(3);
    expect(recalled(kept(), [...conversation, says('more')])).toMatchObject({ reasons: [] });
  });

  test('bytes that are gone: what was sent before them holds', () => {
    const lost = (gone: AssetId[], items = conversation): [number, string[]] => {
      const told = recall(kept(), profile, frame, items, 0, new Set(gone));
      return [told.items.length, told.reasons];
    };
    expect(lost([])).toEqual([5, []]);
    expect(lost([put('never sent', 'image/png').id])).toEqual([5, []]);
    expect(lost([lamp.asset.id])).toEqual([3, ['quarantine']]);
    expect(lost([lamp.asset.id, door.asset.id])).toEqual([1, ['quarantine']]);
    expect(lost([lamp.asset.id], conversation.with(0, says('stop')))).toEqual([0, ['history-edited']]);
    expect(lost([door.asset.id], conversation.with(4, says('stop')))).toEqual([1, ['quarantine']]);
  });
});

test('an item is another when anything that a model sees is', () => {
  const result = { role: 'tool' as const, callId: 'c1', name: 'look', content: [door] };
  const items: Item[] = [
    says('go'),
    { role: 'assistant', model, content: [{ type: 'text', text: 'go' }] },
    says('stop'),
    { role: 'batch', results: [] },
    { role: 'batch', results: [result] },
    { role: 'batch', results: [{ ...result, callId: 'c2' }] },
    { role: 'batch', results: [{ ...result, name: 'see' }] },
    { role: 'batch', results: [{ ...result, content: [lamp] }] },
    { role: 'batch', results: [{ ...result, isError: true }] },
    { role: 'batch', results: [result, result] },
  ];
  expect(new Set(items.map(digestOf)).size).toBe(items.length);
  expect(digestOf({ role: 'batch', results: [{ ...result, isError: false, details: { a: 1 } }] })).toBe(
    digestOf({ role: 'batch', results: [result] }),
  );
});

test('the frame is another with other words or tools; no tools are as none', () => {
  const tool = { name: 'look', description: '', inputSchema: { type: 'object' } };
  const frames = [{}, { system: 'a' }, { tools: [tool] }].map((one) =>
    frameDigests({ version: 1, messages: [], ...one }),
  );
  expect(new Set(frames.map(({ system, tools }) => `${system} ${tools}`)).size).toBe(3);
  expect(frameDigests({ version: 1, messages: [], system: '', tools: [] })).toEqual(frames[0]);
});

test('the assets that were sent are those of this model', () => {
  expect(sentAssets(kept(), model)).toEqual([door.asset.id, lamp.asset.id]);
  expect(sentAssets(kept(), other.model)).toEqual([]);
  expect(sentAssets(undefined, model)).toEqual([]);
  expect(sentAssets({} as Ledger, model)).toEqual([]);
});

/** The same ledger, with pictures that went under ids of this account. */
function withFiles(account?: string): Ledger {
  const ledger = kept();
  const entry = entryOf(ledger);
  for (const [at, file] of [[1, 'file-1'], [3, 'file-2']] as const)
    entry.items[at]?.decisions[0]?.blocks.splice(0, 1, { type: 'image', asset: (at === 1 ? door : lamp).asset, width: 64, height: 48, at: { file } });
  if (account !== undefined) entry.account = account;
  return ledger;
} // prettier-ignore

/** How much holds for whoever has this account, and why not all of it. */
const heldFor = (ledger: Ledger, account?: string, stale: string[] = []): [number, string[]] => {
  const uploads = account === undefined ? undefined : { account, stale: new Set(stale) };
  const { items, reasons } = recall(ledger, profile, frame, conversation, 0, new Set(), uploads);
  return [items.length, reasons];
};

describe('media that went under ids', () => {
  test('hold while they are one’s own and known to their provider', () => {
    expect(heldFor(withFiles('mine'), 'mine')).toEqual([5, []]);
    expect(heldFor(withFiles('mine'), 'mine', ['file-9'])).toEqual([5, []]);
    expect(heldFor(withFiles('mine'), 'another')).toEqual([1, ['account-changed']]);
    expect(heldFor(withFiles('mine'))).toEqual([1, ['account-changed']]);
    expect(heldFor(withFiles(), 'mine')).toEqual([1, ['account-changed']]);
    expect(heldFor(kept(), 'mine')).toEqual([5, []]); // without an id it is nobody's
    expect(heldFor(withFiles('mine'), 'mine', ['file-2'])).toEqual([3, ['reference-expired']]);
    expect(heldFor(withFiles('mine'), 'another', ['file-1'])).toEqual([1, ['account-changed']]); // one reason is enough
  });

  test('are told by model, and so is where every medium went', () => {
    expect(sentFiles(withFiles(), model)).toEqual(['file-1', 'file-2']);
    expect(sentPlaces(withFiles(), model)).toEqual([door.asset.id, lamp.asset.id]);
    for (const nothing of [undefined, {} as Ledger, record(undefined, other, frame, { items: [], floors: new Map(), limits: {}, dropUnbound: false, unseen: {}, estimate: { tokens: 1, factor: 1 } })])
      expect([sentFiles(nothing, model), sentPlaces(nothing, model)]).toEqual([[], []]);
    const url = 'https://example.com/a.png';
    expect(placeOf({ type: 'text', text: 'a' })).toBeUndefined();
    expect(placeOf({ type: 'remote', kind: 'image', at: { url } })).toBe(url);
    expect(placeOf({ type: 'remote', kind: 'image', at: { file: 'file-1' } })).toBe('file-1');
    const ledger = kept();
    entryOf(ledger).items[1]?.decisions[0]?.blocks.push({ type: 'text', text: 'a' });
    expect(sentPlaces(ledger, model)).toEqual([door.asset.id, lamp.asset.id]);
  }); // prettier-ignore

  test('whose they are is kept', () => {
    const entry = entryOf(withFiles());
    const about = { items: entry.items, floors: new Map(), limits: {}, dropUnbound: false, unseen: { image: ['file' as const] }, estimate: entry.estimate };
    expect(entryOf(record(undefined, profile, frame, { ...about, account: 'mine' }))).toMatchObject({ account: 'mine', unseen: { image: ['file'] } });
    expect(Object.keys(entryOf(record(undefined, profile, frame, { ...about, unseen: {} })))).not.toContain('account');
  }); // prettier-ignore
});

describe('a way on which nothing was seen', () => {
  test('is not gone again, from the first item that went it', () => {
    const marked = notSeen(withFiles(), model, { image: ['file'] });
    expect(entryOf(marked)).toMatchObject({ ...entryOf(withFiles()), unseen: { image: ['file'] } });
    const again = recalled(marked);
    expect([again.items.length, again.reasons, again.unseen]).toEqual([1, ['unseen'], { image: ['file'] }]);
    expect(again.profile.media.image.carriers).not.toHaveProperty('file');
    expect(recalled(withFiles()).profile.media.image.carriers).toHaveProperty('file');
    const both = notSeen(marked, model, { image: ['url'] });
    expect(entryOf(both).unseen).toEqual({ image: ['file', 'url'] });
    expect([both.version, both.current]).toEqual([1, model]);
    expect(notSeen(marked, other.model, { image: ['url'] })).toBe(marked);
  });

  test('is tried again when the user states something else about the model, and not for other words', () => {
    for (const [change, unseen] of [
      [{ profile: { ...profile, stated: 'another' } }, {}],
      [{ system: 'another' }, { image: ['file'] }],
    ] as const) {
      const ledger = notSeen(withFiles(), model, { image: ['file'] });
      Object.assign(entryOf(ledger), change);
      expect(recalled(ledger).unseen).toEqual(unseen);
    }
  });
});

test('a window is as large as the profile says, or less', () => {
  const learned = (limits: LedgerEntry['limits'] | undefined, factor = 1): number => {
    const ledger = kept();
    const { limits: _old, ...entry } = entryOf(ledger);
    ledger.entries[model] = { ...entry, ...(limits && { limits }), estimate: { tokens: 1, factor } };
    return contextTokensOf(profile, ledger);
  };
  expect(contextTokensOf(profile, undefined)).toBe(profile.contextTokens);
  expect(contextTokensOf(profile, { version: 1 } as Ledger)).toBe(profile.contextTokens);
  expect(learned(undefined)).toBe(profile.contextTokens);
  expect(learned({ contextTokens: 1000 })).toBe(1000);
  expect(learned({ contextTokens: 1e9 })).toBe(profile.contextTokens);
  expect(learned({ estimate: 1001 }, 1.5)).toBe(1501);
  expect(learned({ estimate: 1001, contextTokens: 900 }, 1.5)).toBe(900);
});

test('what went in words has sent nothing, and neither has a stored ledger that lost its items', () => {
  const [place, action, why] = ['words', 'words', 'it does not fit'] as const;
  expect(
    itemAssets({ digest: 'd', decisions: [{ place, action, why, blocks: [{ type: 'text', text: 'x' }] }] }),
  ).toEqual([]);
  const damaged = { entries: { 'a/b': {} } } as unknown as Ledger;
  expect([sentAssets(damaged, 'a/b'), sentFiles(damaged, 'a/b')]).toEqual([[], []]);
});
