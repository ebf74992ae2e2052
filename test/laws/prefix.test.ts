// Law: the prefix does not move. Between checkpoints the next request only appends to the last one.
import { describe, expect, test } from 'vitest';
import type { Message, Transcript } from '../../src/message/message.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { models, profileOf } from './models.ts';
import { moved } from './prefix.ts';
import { anyShape, orderlyShape, tools } from './transcripts.ts';
import type { Built } from './transcripts.ts';
import { lawOnEveryModel } from './trial.ts';
import { asSent, put, writeOutline } from './world.ts';
import type { Written } from './world.ts';

function checkpoints(receipts: readonly Receipt[]): string[] {
  return receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
}

/** The requests of a conversation that grows, each with the ledger of the one before, through JSON. */
async function conversation(transcript: Built, model: string, worlds: readonly number[]): Promise<Written[]> {
  const requests: Written[] = [];
  let ledger: Ledger | undefined;
  for (const [turn, cut] of transcript.cuts.entries()) {
    const part: Transcript = asSent({ ...transcript, messages: transcript.messages.slice(0, cut) });
    const request = await writeOutline({ transcript: part, model, ledger, world: worlds[turn % worlds.length] ?? 1 });
    requests.push(request);
    ledger = asSent(request.ledger);
  }
  return requests;
}

function movedBetween(requests: readonly Written[]): string[] {
  return requests.flatMap((request, turn) => {
    const before = requests[turn - 1];
    return before && checkpoints(request.receipts).length === 0 ? moved(before.body, request.body) : [];
  });
}

describe('a conversation that grows', () => {
  lawOnEveryModel('an orderly one only appends and needs no checkpoint', orderlyShape, async (transcript, model) => {
    const requests = await conversation(transcript, model, [1]);
    expect(requests.flatMap(({ receipts }) => checkpoints(receipts))).toEqual([]);
    expect(movedBetween(requests)).toEqual([]);
  });

  lawOnEveryModel(
    'what was sent stays when renditions come out differently later',
    orderlyShape,
    async (transcript, model) => {
      const requests = await conversation(transcript, model, [1, 2, 3]);
      expect(requests.flatMap(({ receipts }) => checkpoints(receipts))).toEqual([]);
      expect(movedBetween(requests)).toEqual([]);
    },
  );

  lawOnEveryModel(
    'a disorderly one appends, or says which checkpoint moved it',
    anyShape,
    async (transcript, model) => {
      const requests = await conversation(transcript, model, [1, 2]);
      expect(movedBetween(requests)).toEqual([]);
      const reasons = requests.flatMap(({ receipts }) => checkpoints(receipts));
      expect(reasons.filter((reason) => reason !== 'history-edited')).toEqual([]);
    },
  );
});

const picture = { type: 'image', asset: put('a picture', 'image/png', 'door.png'), width: 640, height: 480 } as const;

const history: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
  { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'shot', input: {} }] },
  { role: 'tool', callId: 'c1', name: 'shot', content: [{ type: 'text', text: 'a door' }, picture] },
  { role: 'assistant', model: 'a/b', content: [{ type: 'text', text: 'A red door.' }] },
];
const asked: Message = { role: 'user', content: [{ type: 'text', text: 'Is it open?' }] };
const base: Transcript = { version: 1, system: 'Be brief.', tools, messages: history.slice(0, 3) };
const grown: Transcript = { ...base, messages: [...history, asked] };

function edited(index: number, message: Message): Transcript {
  return { ...grown, messages: grown.messages.map((old, at) => (at === index ? message : old)) };
}

const [firstTool = { name: '', description: '', inputSchema: {} }] = tools;

const changes: [string, Transcript, string[]][] = [
  ['nothing', grown, []],
  [
    'what a person sees but a model does not',
    edited(2, { ...(history[2] as Message & { role: 'tool' }), details: 1 }),
    [],
  ],
  [
    'a result that is said not to have failed',
    edited(2, { ...(history[2] as Message & { role: 'tool' }), isError: false }),
    [],
  ],
  ['another system prompt', { ...grown, system: 'Be long.' }, ['system-changed']],
  ['no system prompt', { version: 1, tools, messages: grown.messages }, ['system-changed']],
  ['a tool more', { ...grown, tools: [...tools, { ...firstTool, name: 'third' }] }, ['tools-changed']],
  [
    'another description of a tool',
    { ...grown, tools: [{ ...firstTool, description: 'new' }, ...tools.slice(1)] },
    ['tools-changed'],
  ],
  ['tools in another order', { ...grown, tools: tools.toReversed() }, ['tools-changed']],
  [
    'other words of the user',
    edited(0, { role: 'user', content: [{ type: 'text', text: 'Look!' }] }),
    ['history-edited'],
  ],
  [
    'a picture taken out of a result',
    edited(2, { ...(history[2] as Message & { role: 'tool' }), content: [] }),
    ['history-edited'],
  ],
  [
    'a result turned into an error',
    edited(2, { ...(history[2] as Message & { role: 'tool' }), isError: true }),
    ['history-edited'],
  ],
  ['a shorter history', { ...base, messages: history.slice(0, 1) }, ['history-edited']],
];

describe.each(models)('%s', (model) => {
  test.each(changes)('with %s, names the checkpoint', async (_change, transcript, reasons) => {
    const first = await writeOutline({ transcript: base, model });
    const second = await writeOutline({ transcript, model, ledger: asSent(first.ledger) });
    expect(checkpoints(second.receipts)).toEqual(reasons);
    if (reasons.length === 0) expect(moved(first.body, second.body)).toEqual([]);
  });

  test('an edit moves nothing that stood before it', async () => {
    const first = await writeOutline({ transcript: grown, model, world: 1 });
    const late = edited(4, { role: 'user', content: [{ type: 'text', text: 'Is it shut?' }] });
    const second = await writeOutline({ transcript: late, model, ledger: asSent(first.ledger), world: 2 });
    const untouched = await writeOutline({ transcript: { ...grown, messages: history.slice(0, 3) }, model, world: 1 });
    expect(checkpoints(second.receipts)).toEqual(['history-edited']);
    expect(moved(untouched.body, second.body)).toEqual([]);
  });

  test('another model is a checkpoint, and the way back finds its old prefix', async () => {
    const other = model === models[0] ? models[1] : models[0];
    const first = await writeOutline({ transcript: base, model, world: 1 });
    const there = await writeOutline({ transcript: base, model: other, ledger: asSent(first.ledger), world: 1 });
    const back = await writeOutline({ transcript: grown, model, ledger: asSent(there.ledger), world: 2 });
    expect(checkpoints(there.receipts)).toEqual(['model-changed']);
    expect(checkpoints(back.receipts)).toEqual(['model-changed']);
    expect(moved(first.body, back.body)).toEqual([]);
  });

  test('a profile that was refined later waits until the conversation is over', async () => {
    const profile = profileOf(model);
    const blind = {
      ...profile,
      contextTokens: 1000,
      media: { ...profile.media, image: { ...profile.media.image, result: 'words' as const } },
    };
    const first = await writeOutline({ transcript: base, model });
    const second = await writeOutline({ transcript: grown, model, profile: blind, ledger: asSent(first.ledger) });
    expect(moved(first.body, second.body)).toEqual([]);
    expect(second.receipts.map(({ action }) => action)).toContain('frozen');
    expect(checkpoints(second.receipts)).toEqual([]);
  });

  test('a ledger of a later version is an upgrade, not an error', async () => {
    const first = await writeOutline({ transcript: base, model });
    const later = { ...first.ledger, version: 2 } as unknown as Ledger;
    const entry = Object.values(first.ledger.entries)[0];
    const reworded = { ...first.ledger, entries: { [model]: { ...entry, wording: 0 } } } as unknown as Ledger;
    for (const ledger of [later, reworded]) {
      const second = await writeOutline({ transcript: grown, model, ledger });
      expect(checkpoints(second.receipts)).toEqual(['upgraded']);
    }
  });
});
