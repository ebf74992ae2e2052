// A planner keeps what it worked out: what stands is taken over, object for object, and whatever has changed is planned anew.
import { describe, expect, test } from 'vitest';
import { refuse } from '../../src/content/refusal.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { openPlanner } from '../../src/window/planner.ts';
import type { Planner } from '../../src/window/planner.ts';
import { profileFor } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact } from '../../src/window/rendition.ts';

type Planned = Extract<PlanResult, { plan: object }>;

const profile = profileFor('anthropic/claude-opus-5-5');
const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'image/png', size: 100_000 } as const;
const endpoint = profile.files ?? '';
const seal = {
  wire: profile.wire,
  endpoint: profile.endpoint,
  model: profile.id,
  item: { type: 'thinking', thinking: 'hm', signature: 's' },
};
const file: Fact = {
  ok: true,
  value: [{ type: 'reference', kind: 'image', at: { file: { endpoint, id: 'file-1' } } }],
};
const facts = new Map([[renditionKey({ to: 'file', asset, endpoint }), file]]);
const none: Fact = refuse('corrupt', 'It cannot be made', 'Try something else.');
const tools = [{ name: 'shot', description: 'Takes a picture', inputSchema: { type: 'object', properties: {} } }];

/** Two turns with a picture and a thought, and a question. */
function talk(): Message[] {
  return [
    { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
    {
      role: 'assistant',
      model: profile.model,
      content: [
        { type: 'thinking', text: 'hm', seal },
        { type: 'call', id: 'c1', name: 'shot', input: {} },
      ],
    },
    {
      role: 'tool',
      callId: 'c1',
      name: 'shot',
      details: { person: 'sees this' },
      content: [{ type: 'image', asset, width: 640, height: 480 }],
    },
    { role: 'assistant', model: profile.model, content: [{ type: 'text', text: 'A door.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Is it open?' }] },
  ];
}

const more: Message[] = [
  { role: 'assistant', model: profile.model, content: [{ type: 'text', text: 'It is.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Shut it.' }] },
];

function planned(result: PlanResult): Planned {
  if (!result.plan) throw new Error('there is no plan');
  return result;
}

type Begun = { planner: Planner; transcript: Transcript; first: Planned; next: PlanInput };

/** A conversation after its first request, and the input of the second as it would be asked for. */
function begun(input: Partial<PlanInput> = {}): Begun {
  const planner = openPlanner();
  const transcript: Transcript = { version: 1, system: 'Be brief.', tools, messages: talk() };
  const first = planned(planner.plan({ transcript, profile, ...input }));
  const grown = { ...transcript, messages: [...transcript.messages, ...more] };
  return { planner, transcript, first, next: { transcript: grown, profile, ledger: first.ledger, ...input } };
}

/** The second request, which is what a plan from nothing is; how many of its first items are those of the first. */
function second({ planner, first }: Begun, asked: PlanInput): { kept: number; result: Planned } {
  const { needs = [] } = plan(asked);
  const next = {
    ...asked,
    facts: new Map([...(asked.facts ?? []), ...needs.map((need) => [renditionKey(need), none] as const)]),
  };
  const result = planned(planner.plan(next));
  expect(result).toEqual(plan({ ...next, transcript: structuredClone(next.transcript) }));
  const kept = result.plan.items.findIndex((item, at) => item !== first.plan.items[at]);
  return { kept, result };
}

describe('a conversation that only grows', () => {
  test('keeps the items whose turn is over, again and again', () => {
    const start = begun();
    const { kept, result } = second(start, start.next);
    expect(kept).toBe(3);
    const messages = [...start.next.transcript.messages, ...more.map((message) => ({ ...message }))];
    const third = planned(
      start.planner.plan({ ...start.next, ledger: result.ledger, transcript: { ...start.transcript, messages } }),
    );
    expect(third.plan.items.findIndex((item, at) => item !== result.plan.items[at])).toBe(5);
  });

  test('so does one whose details alone, which no model sees, stay the same object', () => {
    const start = begun();
    expect((start.transcript.messages[2] as { details: { person: string } }).details.person).toBe('sees this');
    expect(second(start, { ...start.next, gone: new Set(), lower: new Set() }).kept).toBe(3);
  });
});

test('what nobody else can change is not looked through again', () => {
  const messages = talk();
  const transcript: Transcript = { version: 1, system: 'Be brief.', tools, messages };
  for (const [owned, kept] of [[true, 3], [false, 0]] as const) {
    const planner = openPlanner({ owned });
    const first = planned(planner.plan({ transcript, profile }));
    (messages[2] as { isError?: boolean }).isError = owned; // its owner would not
    const result = planned(planner.plan({ transcript, profile, ledger: first.ledger }));
    expect(result.plan.items.slice(0, 3).filter((item, at) => item === first.plan.items[at])).toHaveLength(kept);
  }
}); // prettier-ignore

const edits: [string, (messages: Message[], transcript: Transcript) => void][] = [
  ['words that were changed in place', ([first]) => ((first as { content: unknown[] }).content = [{ type: 'text', text: 'Hear.' }])],
  ['a result that became an error', (messages) => ((messages[2] as { isError?: boolean }).isError = true)],
  ['another object in the place of a message', (messages) => (messages[0] = structuredClone(messages[0] as Message))],
  ['a message less', (messages) => messages.splice(0, 1)],
]; // prettier-ignore

test.each(edits)('%s: nothing is taken over', (_what, edit) => {
  const start = begun();
  edit(start.next.transcript.messages, start.next.transcript);
  expect(second(start, start.next).kept).toBe(0);
});

test('other words before the messages make a new prefix', () => {
  for (const change of [{ system: 'Be long.' }, { tools: [] }]) {
    const start = begun();
    const { kept, result } = second(start, { ...start.next, transcript: { ...start.next.transcript, ...change } });
    expect(kept).toBe(0);
    expect(result.receipts.filter(({ action }) => action === 'checkpoint')).toHaveLength(1);
  }
});

test('a ledger that is not the one it gave is another conversation', () => {
  const start = begun();
  const ledger = structuredClone(start.first.ledger);
  expect(second(start, { ...start.next, ledger }).kept).toBe(0);
  const fresh = begun();
  expect(second(fresh, { ...fresh.next, ledger: undefined }).kept).toBe(0);
});

test('another model is planned for from nothing, and so is the way back', () => {
  const start = begun();
  const there = second(start, { ...start.next, profile: profileFor('anthropic/claude-sonnet-4-5') });
  expect(there.kept).toBe(0);
  const back = second(start, { ...start.next, ledger: there.result.ledger });
  expect(back.kept).toBe(0);
});

const wishes: [string, Partial<PlanInput>][] = [
  ['a picture that is no longer stored', { gone: new Set([asset.id]) }],
  ['a picture that the provider refused', { lower: new Set([asset.id]) }],
  ['thinking that the provider refused', { dropThinking: 1 }],
];

test.each(wishes)('%s changes what was decided before', (_what, wish) => {
  const start = begun();
  const { result } = second(start, { ...start.next, ...wish });
  expect(result.plan.items.slice(0, 3)).not.toEqual(start.first.plan.items.slice(0, 3));
});

const idIn = ({ plan: { items } }: Planned): boolean => JSON.stringify(items).includes('file-1');

describe('ids of files', () => {
  const uploads = { account: 'mine', stale: new Set<string>() };

  test('stay while they are one’s own', () => {
    const start = begun({ uploads, facts });
    expect(idIn(start.first)).toBe(true);
    expect(second(start, start.next).kept).toBe(3);
  });

  test.each([
    ['another account', { account: 'another', stale: new Set<string>() }],
    ['an id that has expired', { account: 'mine', stale: new Set(['file-1']) }],
    ['no uploads any more', undefined],
  ])('%s: they are decided again', (_what, now) => {
    const start = begun({ uploads, facts });
    const { kept, result } = second(start, { ...start.next, uploads: now });
    expect(kept).toBeLessThan(3);
    expect(result.receipts.some(({ action }) => action === 'checkpoint')).toBe(true);
  });
});

test('what cannot be planned yet leaves the memory as it was', () => {
  const start = begun();
  const need = { ...start.next, uploads: { account: 'mine', stale: new Set<string>() } };
  const picture = { type: 'image', asset: { ...asset, id: `sha256:${'b'.repeat(64)}` }, width: 9, height: 9 } as const;
  const asked: Message[] = [...start.next.transcript.messages, { role: 'user', content: [picture] }];
  expect(start.planner.plan({ ...need, transcript: { ...start.transcript, messages: asked } }).needs).toHaveLength(1);
  expect(second(start, start.next).kept).toBe(3);
});
