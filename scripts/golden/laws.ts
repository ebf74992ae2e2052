// Conversations that grow, with real media and little room: where eviction begins and how far it goes, and which form
// each medium takes, shows here.
import * as fc from 'fast-check';
import { profileFor } from '../../src/index.ts';
import type { Block, Ledger, MediaBlock, Message, PrepareOptions } from '../../src/index.ts';
import { anyShape, orderlyShape, transcriptOf } from '../../test/laws/transcripts.ts';
import type { Built } from '../../test/laws/transcripts.ts';
import type { Case, Group } from './case.ts';
import { checked, openPool, png } from './media.ts';
import type { Pool } from './media.ts';
import { models, prepared } from './requests.ts';

type Room = { name: string; options: Omit<PrepareOptions, 'model'> };

const rooms: readonly Room[] = [
  { name: 'all', options: {} },
  { name: '3 pictures', options: { budget: { images: 3 } } },
  { name: '2500 tokens', options: { budget: { tokens: 2500 } } },
  { name: '24 kB', options: { budget: { bytes: 24_000 } } },
  { name: 'keep 2', options: { imagesToKeep: 2, batch: 2 } },
  { name: 'strictly 1', options: { imagesToKeep: 1, strict: true, unchanged: 'note' } },
];

async function growing(transcript: Built, model: string, room: Room): Promise<unknown[]> {
  const values: unknown[] = [];
  let ledger: Ledger | undefined;
  for (const cut of transcript.cuts) {
    const part = { ...transcript, messages: transcript.messages.slice(0, cut) };
    const step = await prepared(part, { ...room.options, model, ledger });
    values.push(...step.values);
    ledger = step.ledger ?? ledger;
  }
  return values;
}

/** The drawn transcript with real media in the place of the drawn ones. */
function real(transcript: Built, pool: Pool): Built {
  let count = 0;
  const medium = (block: MediaBlock): MediaBlock => {
    const choice = pool[block.type];
    const made = choice[count++ % choice.length] as MediaBlock;
    const { fallback, origin } = block;
    const range = 'range' in block && block.range ? { range: block.range } : {};
    const detail = 'detail' in block && block.detail ? { detail: block.detail } : {};
    return { ...made, ...range, ...detail, ...(fallback && { fallback }), ...(origin && { origin }) };
  };
  const swap = (block: Block): Block => ('asset' in block ? medium(block) : block);
  return {
    ...transcript,
    messages: transcript.messages.map((message) => ({ ...message, content: message.content.map(swap) })),
  };
}

export const lawGroup: Group = {
  name: 'laws',
  about: 'random conversations with real media and little room, one value of each kind for every turn',
  columns: ['body', 'receipts', 'ledger'],
  async *cases(): AsyncGenerator<Case> {
    const pool = await openPool();
    const shapes = [orderlyShape, anyShape].flatMap((shape) => fc.sample(shape, { numRuns: 6, seed: 20_261_115 }));
    for (const [at, shape] of shapes.entries())
      for (const [index, model] of models.entries()) {
        const transcript = real(transcriptOf(shape, profileFor(model)), pool);
        for (const room of [rooms[(at + index) % rooms.length], rooms[(at + index + 3) % rooms.length]])
          if (room) yield { name: `${at} → ${model}, ${room.name}`, make: () => growing(transcript, model, room) };
      }
  },
};

const turns = 16;

/** A screenshot in every turn, now and then a document beside it. */
async function screenshots(): Promise<Built> {
  const pool = await openPool();
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Find the door.' }] }];
  const cuts: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const shot = await checked(await png(1000 + turn, 700, turn), `shot-${turn}.png`);
    const paper = turn % 5 === 2 ? pool.document.slice(0, 1) : [];
    const call = { type: 'call' as const, id: `c${turn}`, name: 'look', input: { at: turn } };
    messages.push({ role: 'assistant', model: '', content: [call] });
    const content = [{ type: 'text' as const, text: `Step ${turn}.` }, shot, ...paper];
    cuts.push(messages.push({ role: 'tool', callId: `c${turn}`, name: 'look', content }));
  }
  return { version: 1, messages, cuts };
}

const tight: readonly Room[] = [
  { name: '6 pictures', options: { budget: { images: 6 } } },
  { name: '9000 tokens', options: { budget: { tokens: 9000 } } },
  { name: '60 kB', options: { budget: { bytes: 60_000 } } },
  { name: 'keep 3', options: { imagesToKeep: 3 } },
];

export const loopGroup: Group = {
  name: 'loops',
  about: 'a long loop of screenshots with little room, the body of every turn',
  columns: ['body'],
  async *cases(): AsyncGenerator<Case> {
    const transcript = await screenshots();
    for (const room of tight)
      for (const model of models) {
        const make = async (): Promise<unknown[]> =>
          (await growing(transcript, model, room)).filter((_, at) => at % 3 === 0);
        yield { name: `${room.name} → ${model}`, make };
      }
  },
};
