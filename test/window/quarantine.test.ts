// What a provider refused goes one rung down and stays there; thinking it refused does not go back.
import { describe, expect, test } from 'vitest';
import type { AssetId, Block, MediaBlock } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Item } from '../../src/message/pair.ts';
import type { Decision } from '../../src/window/decide.ts';
import { openPlanContext } from '../../src/window/draft.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import { decideAgain, lowerFloors } from '../../src/window/quarantine.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Rendition } from '../../src/window/rendition.ts';
import { put } from '../laws/world.ts';

const picture: MediaBlock = {
  type: 'image',
  asset: put('png', 'image/png', 'door.png'),
  width: 640,
  height: 480,
};
const dot: MediaBlock = { ...picture, asset: put('dot', 'image/png', 'dot.png'), width: 20, height: 20 };
const other: MediaBlock = { ...picture, asset: put('other', 'image/png', 'other.png') };
const paper: MediaBlock = { type: 'document', asset: put('pdf', 'application/pdf', 'spec.pdf'), pages: 2 };
const song: MediaBlock = { type: 'audio', asset: put('wav', 'audio/wav', 'song.wav'), seconds: 2 };

function made(rendition: Rendition): Fact {
  switch (rendition.to) {
    case 'image': {
      const asset = put(`smaller ${rendition.maxEdge}`, 'image/jpeg', 'door.jpg');
      const origin = { source: 'door.png', made: 'shown at half its size' };
      return { ok: true, value: [{ type: 'image', asset, width: rendition.maxEdge, height: 240, origin }] };
    }
    case 'pages':
      return { ok: true, value: [picture, other] };
    default:
      return { ok: true, value: [{ type: 'text', text: 'the words of it' }] };
  }
}

type Done = Extract<PlanResult, { plan: object }>;

function settle(input: PlanInput): Done {
  const facts = new Map<string, Fact>();
  for (let round = 0; round < 3; round++) {
    const result = plan({ ...input, facts });
    if (result.plan) return { ...result, ledger: JSON.parse(JSON.stringify(result.ledger)) as Ledger };
    if (result.refusal) throw new Error(result.refusal.what);
    for (const need of result.needs)
      if (need.to !== 'bytes' && need.to !== 'file') facts.set(renditionKey(need), made(need));
  }
  throw new Error('asked again and again');
}

function turns(...contents: Block[][]): Transcript {
  const messages = contents.flatMap((content, turn): Message[] => [
    { role: 'assistant', model: '', content: [{ type: 'call', id: `c${turn}`, name: 'shot', input: {} }] },
    { role: 'tool', callId: `c${turn}`, name: 'shot', content },
  ]);
  return { version: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, ...messages] };
}

function actions({ receipts }: Done): string[] {
  return receipts.filter(({ asset }) => asset !== undefined).map(({ action }) => action);
}

function checkpoints({ receipts }: Done): string[] {
  return receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
}

const claude = 'anthropic/claude-sonnet-4-5';
const ways: [string, string, MediaBlock, string[]][] = [
  ['a picture', claude, picture, ['inside', 'reduced', 'words', 'words']],
  ['a picture too small to shrink', claude, dot, ['inside', 'words', 'words']],
  ['a PDF', claude, paper, ['inside', 'pages', 'text', 'words', 'words']],
  ['a PDF that went as pictures anyway', 'ollama/qwen3-vl', paper, ['pages', 'text', 'words']],
  ['a PDF that went as text anyway', 'ollama/llama3.1', paper, ['text', 'words']],
  ['sound', 'gemini/gemini-3-pro-preview', song, ['after', 'words', 'words']],
];

describe('what a provider refused goes down one rung each time', () => {
  test.each(ways)('%s on %s', (_what, model, block, rungs) => {
    const profile = profileFor(model);
    const transcript = turns([block]);
    const lower = new Set<AssetId>([block.asset.id]);
    let last = settle({ transcript, profile });
    const seen = [actions(last)[0]];
    while (seen.length < rungs.length) {
      last = settle({ transcript, profile, ledger: last.ledger, lower });
      expect(checkpoints(last)).toEqual(['quarantine']);
      const text = JSON.stringify(last.plan.items);
      expect(text).toContain('the provider refused it as it was');
      seen.push(actions(last)[0]);
    }
    expect(seen).toEqual(rungs);
  });

  test('without the ledger of the refused request the first step is the same', () => {
    const input = { transcript: turns([paper]), profile: profileFor(claude), lower: new Set([paper.asset.id]) };
    expect(actions(settle(input))).toEqual(['pages']);
  });

  test('others keep their place, and later copies of it start where it stands', () => {
    const profile = profileFor(claude);
    const lower = new Set<AssetId>([picture.asset.id]);
    const first = settle({ transcript: turns([other], [picture]), profile });
    const second = settle({ transcript: turns([other], [picture]), profile, ledger: first.ledger, lower });
    expect(actions(second)).toEqual(['inside', 'reduced']);
    const third = settle({ transcript: turns([other], [picture], [picture]), profile, ledger: second.ledger });
    expect(actions(third)).toEqual(['inside', 'reduced', 'reduced']);
    expect(checkpoints(third)).toEqual([]);
  });

  test('each time, however well the others stand', () => {
    const profile = profileFor(claude);
    const transcript = turns([other, picture]);
    const lower = new Set<AssetId>([picture.asset.id]);
    let last = settle({ transcript, profile });
    for (const action of ['reduced', 'words', 'words']) {
      last = settle({ transcript, profile, ledger: last.ledger, lower });
      expect(actions(last)).toEqual(['inside', action]);
    }
  });

  test('of several copies the one that is shown best says where it stood, and what went before stays as it was', () => {
    const profile = profileFor(claude);
    const policy = { imagesToKeep: 1, strict: true } as const;
    const transcript = turns([picture], [picture]);
    const first = settle({ transcript, profile, policy });
    expect(actions(first)).toEqual(['words', 'inside']);
    const lower = new Set<AssetId>([picture.asset.id]);
    const second = settle({ transcript, profile, policy, ledger: first.ledger, lower });
    expect(actions(second)).toEqual(['words', 'reduced']);
    const crowd = Array.from({ length: 10 }, (_, at): MediaBlock => ({ ...dot, asset: put(`dot ${at}`, 'image/png') }));
    const crowded = turns([...crowd, picture], [picture]);
    const before = settle({ transcript: crowded, profile });
    const after = settle({ transcript: crowded, profile, ledger: before.ledger, lower });
    expect(actions(before).slice(9)).toEqual(['inside', 'words', 'inside']);
    expect(actions(after).slice(9)).toEqual(['inside', 'words', 'reduced']);
  });

  test('what does not stand in the conversation is shown as any other when it comes', () => {
    const profile = profileFor(claude);
    const lower = new Set<AssetId>([picture.asset.id]);
    const { ledger } = settle({ transcript: turns([other]), profile, lower });
    expect(actions(settle({ transcript: turns([other], [picture]), profile, ledger }))).toEqual(['inside', 'inside']);
  });

  test('what had to be made first is made, and then goes one rung down', () => {
    const lower = new Set<AssetId>([paper.asset.id]);
    const done = settle({ transcript: turns([paper]), profile: profileFor('ollama/qwen3-vl'), lower });
    expect(actions(done)).toEqual(['text']);
  });

  test('it is remembered for the model that refused it alone', () => {
    const transcript = turns([picture]);
    const lower = new Set<AssetId>([picture.asset.id]);
    const { ledger } = settle({ transcript, profile: profileFor(claude), lower });
    expect(actions(settle({ transcript, profile: profileFor('openai/gpt-5.2'), ledger }))).toEqual(['inside']);
  });
});

function kept(done: Done): string[] {
  return JSON.stringify(done.plan.items).match(/signature-\d/g) ?? [];
}

test('of an item, decisions about others stay as they were, and so does the document that words point to', () => {
  const context = openPlanContext({ facts: new Map(), gone: new Set(), tools: [] }, profileFor('openai/gpt-5.4'));
  const was: Decision = { place: 'inside', blocks: [], action: 'inside', why: 'as it was' };
  const gone: Decision = { ...was, place: 'words', action: 'words' };
  const item: Item = { role: 'user', content: [picture, other, picture, paper] };
  const refused = new Set([picture.asset.id, paper.asset.id]);
  const [first, second, third, fourth] = decideAgain(item, [was, was, gone, { ...gone, again: was }], refused, context);
  expect(first?.why).not.toBe('as it was');
  expect([second, third]).toEqual([was, gone]);
  expect(fourth).toMatchObject({ place: 'words', why: 'as it was', again: { place: 'inside' } });
  expect(fourth?.again?.why).not.toBe('as it was');
  expect(decideAgain(item, [was], refused, context)).toHaveLength(1); // while facts are missing
});

test('what does not stand there, or is not decided yet, gets no rung to begin at', () => {
  const context = openPlanContext({ facts: new Map(), gone: new Set(), tools: [] }, profileFor('ollama/gemma3'));
  const item: Item = { role: 'user', content: [paper] };
  expect(lowerFloors(new Set([other.asset.id]), [item], [], context)).toEqual(new Map());
  expect(lowerFloors(new Set([paper.asset.id]), [item], [], context)).toEqual(new Map());
  expect(context.needs.size).toBe(1); // its pages
});

describe('thinking that a provider refused', () => {
  const profile = profileFor('anthropic/claude-opus-5-5');
  const thought = (turn: number): Block => {
    const item = { type: 'thinking', thinking: 'hm', signature: `signature-${turn}` };
    const seal = { wire: profile.wire, endpoint: profile.endpoint, model: profile.id, item };
    return { type: 'thinking', text: 'hm', seal };
  };
  const thoughtful = (count: number): Transcript => {
    const plain = turns(...Array.from({ length: count }, () => [other]));
    let turn = 0;
    const messages = plain.messages.map((message): Message => {
      return message.role === 'assistant' ? { ...message, content: [thought(turn++), ...message.content] } : message;
    });
    return { ...plain, messages };
  };

  test('goes from the named item on, and only what came after may go back again', () => {
    const first = settle({ transcript: thoughtful(3), profile });
    expect(kept(first)).toEqual(['signature-0', 'signature-1', 'signature-2']);
    const second = settle({ transcript: thoughtful(3), profile, ledger: first.ledger, dropThinking: 3 });
    expect(kept(second)).toEqual(['signature-0']);
    expect(checkpoints(second)).toEqual(['quarantine']);
    const third = settle({ transcript: thoughtful(4), profile, ledger: second.ledger });
    expect(kept(third)).toEqual(['signature-0', 'signature-3']);
    expect(checkpoints(third)).toEqual([]);
  });

  test('goes altogether when nobody can tell where it began', () => {
    expect(kept(settle({ transcript: thoughtful(3), profile, dropThinking: true }))).toEqual([]);
  });

  test('goes where a refused medium that stood before it is shown otherwise', () => {
    const first = settle({ transcript: thoughtful(3), profile });
    const lower = new Set<AssetId>([other.asset.id]);
    expect(kept(settle({ transcript: thoughtful(3), profile, ledger: first.ledger, lower }))).toEqual(['signature-0']);
    const later = settle({ transcript: thoughtful(4), profile, ledger: first.ledger, lower });
    expect(kept(later)).toEqual(['signature-0', 'signature-3']); // what was thought since is bound to what is sent now
  });
});
